// The chart: any field on either axis, in colour and in facets. Points of a colour are one path, so 10,000 draw fast.

const VIEW = { x: "arcs", y: "median_ms", color: "algorithm", facet: "problem", launches: "best", relative: "" };
const FASTEST = "fastest", MOST_FACETS = 24, MOST_COLOURS = 40, CLASSES = 6, MOST_WHISKERS = 4000, REACH = 30;
const FEWER_SAMPLES = /^(shortened|single_sample|single sample| )*$/;
const MEASURED = ["ms", "arcs/s", "%"]; // units that only right answers are compared by
const ENDS = { median_ms: ["low_ms", "high_ms"] };

let points = [], active = -1, drawnWidth = 0, printing = false;
const dark = matchMedia("(prefers-color-scheme: dark)");

const viewed = (key) => (["x", "y", "color", "facet"].includes(key) ? fields.get(choice(key, VIEW[key])) : choice(key, VIEW[key]));
const isNumber = (column) => column && column.type !== "text";
const varied = (column) => new Set(column.values).size > 1;

// Logarithmic where that is possible and a reader would want it, unless the address says otherwise.
function isLogarithmic(axis, values) {
  const known = values.filter((value) => value !== null);
  const least = d3.min(known), most = d3.max(known);
  return least > 0 && choice(`${axis}scale`, most / least > 20 ? "log" : "linear") === "log";
}

function drawControls() {
  const columns = [...fields.values()].filter((column) => varied(column) || Object.values(VIEW).includes(column.name));
  const named = columns.map((column) => [column.name, column.label]);
  const few = columns.filter((column) => new Set(column.values).size <= MOST_FACETS || column.name === "graph");
  const algorithms = offered(fields.get("algorithm")).map((name) => [name, name]);
  const control = (text, key, options, standard = VIEW[key] ?? "") =>
    labelled(text, select(key, options, standard, (value) => choose({ [key]: value === standard ? null : value || "none" })));
  const scales = [["", "automatic"], ["log", "logarithmic"], ["linear", "linear"]];
  byId("view").replaceChildren(
    control("y axis", "y", named), control("y scale", "yscale", scales),
    control("x axis", "x", named), control("x scale", "xscale", scales),
    control("times", "relative", [["", "absolute"], [FASTEST, "relative to the fastest"], ...algorithms.map(([name]) => [name, `relative to ${name}`])]),
    control("colour", "color", [["none", "none"], ...named]),
    control("facets", "facet", [["none", "none"], ...few.map((column) => [column.name, column.label])]),
    control("launches", "launches", [["best", "fastest"], ["all", "all"]]),
  );
}

// The fastest right run of each key, among these rows.
function fastestBy(rows, keyOf) {
  const times = fields.get("median_ms")?.values ?? [], best = new Map();
  for (const row of rows) {
    if (times[row] === null || fields.get("status").values[row] !== "ok") continue;
    const key = keyOf(row);
    if (!best.has(key) || times[row] < times[best.get(key)]) best.set(key, row);
  }
  return best;
}

const keyOf = (...names) => {
  const columns = names.map((name) => fields.get(name).values);
  return (row) => columns.map((values) => values[row]).join("\n");
};

// What a time of each row is divided by: 1, or the time that the chosen algorithm takes on the same graph.
function divisors() {
  const reference = viewed("relative");
  if (!reference || reference === "none") return () => 1;
  const algorithm = fields.get("algorithm").values;
  const rows = d3.range(rowCount).filter((row) => reference === FASTEST || algorithm[row] === reference);
  const key = keyOf("problem", "graph"), best = fastestBy(rows, key), times = fields.get("median_ms").values;
  return (row) => (best.has(key(row)) ? times[best.get(key(row))] : null);
}

function axisOf(name, divisor) {
  const column = viewed(name), timed = column.unit === "ms", reference = viewed("relative");
  const relative = timed && reference && reference !== "none";
  const of = (from) => (row) => {
    const value = from.values[row], by = relative ? divisor(row) : 1;
    return value === null || by === null ? null : isNumber(column) ? value / by : value;
  };
  const ends = (ENDS[column.name] || []).map((end) => fields.get(end)).filter(Boolean).map(of);
  return {
    column, value: of(column), ends,
    wording: relative ? factor : wordingOf(column),
    tick: relative ? factor : column.unit === "" && column.type === "number" ? count : wordingOf(column),
    label: relative ? `${column.label} ÷ ${reference === FASTEST ? "that of the fastest" : `that of ${reference}`}` : column.label,
  };
}

// The rows to draw, and why others are not drawn.
function drawable(axes) {
  const status = fields.get("status").values, words = runs.statuses, left = new Map();
  const leave = (why) => left.set(why, (left.get(why) || 0) + 1);
  const comparing = axes.some(({ column }) => MEASURED.includes(column.unit));
  const logarithmic = axes.map(({ column, value }, at) => isNumber(column) && isLogarithmic("xy"[at], matching.map(value)));
  let rows = matching;
  if (viewed("launches") === "best") {
    const best = new Set(fastestBy(matching, keyOf("problem", "graph", "algorithm")).values());
    rows = matching.filter((row) => best.has(row) || status[row] !== "ok");
  }
  const kept = rows.filter((row) => {
    if (comparing && status[row] !== "ok") return leave(words[status[row]]);
    const missing = axes.find(({ value }, at) => value(row) === null || (logarithmic[at] && value(row) <= 0));
    if (missing) return leave(`without ${missing.label}`);
    return true;
  });
  return { rows: kept, left, logarithmic };
}

const readable = (colour) => {
  const lab = d3.lab(colour);
  lab.l = dark.matches && !printing ? Math.max(lab.l, 66) : Math.min(lab.l, 58);
  return lab.formatHex();
};

// Groups of one colour: the values of a text, or of a number with few values; else classes of equally many runs.
function coloured(rows) {
  const column = viewed("color");
  if (!column) return { groupOf: () => 0, groups: [{ label: "all", colour: readable("#0072B2"), symbol: d3.symbolCircle }] };
  const values = [...new Set(rows.map((row) => column.values[row]))];
  const known = values.filter((value) => value !== null);
  if (isNumber(column) && known.length > 12) return classes(column, rows);
  known.sort(isNumber(column) ? d3.ascending : collator.compare);
  const all = values.includes(null) ? [...known, null] : known, shades = d3.schemeTableau10;
  const shade = (value, at) => runs.looks[value] || (isNumber(column) ? d3.interpolateViridis(at / all.length) : shades[at % shades.length]);
  const groups = all.map((value, at) => ({
    label: value === null ? `no ${column.label}` : written(column, value),
    value, column,
    colour: readable(value === null ? "#808080" : shade(value, at)),
    symbol: d3.symbolsFill[at % d3.symbolsFill.length],
  }));
  const places = new Map(all.map((value, at) => [value, at]));
  return { groupOf: (row) => places.get(column.values[row]), groups };
}

function classes(column, rows) {
  const scale = d3.scaleQuantile(rows.map((row) => column.values[row]).filter((value) => value !== null), d3.range(CLASSES));
  const bounds = [d3.min(scale.domain()), ...scale.quantiles(), d3.max(scale.domain())];
  const groups = d3.range(CLASSES).map((at) => ({
    label: `${written(column, bounds[at])} to ${written(column, bounds[at + 1])}`,
    colour: readable(d3.interpolateViridis(at / (CLASSES - 1))),
    symbol: d3.symbolCircle,
  }));
  groups.push({ label: `no ${column.label}`, colour: readable("#808080"), symbol: d3.symbolCross });
  return { groupOf: (row) => (column.values[row] === null ? CLASSES : scale(column.values[row])), groups };
}

function facetsOf(rows) {
  const column = viewed("facet");
  if (!column) return { values: [null], of: () => null, more: 0, label: () => "" };
  const distinct = [...new Set(rows.map((row) => column.values[row]))];
  const sorted = inOrder(distinct, d3.range(distinct.length)).map((at) => distinct[at]);
  const label = (value) => (value === null ? `no ${column.label}` : isNumber(column) ? `${column.label} ${written(column, value)}` : value);
  return { values: sorted.slice(0, MOST_FACETS), of: (row) => column.values[row], more: Math.max(0, sorted.length - MOST_FACETS), label };
}

function drawChart() {
  const place = byId("chart"), width = place.clientWidth;
  if (!width) return;
  drawnWidth = width;
  const divisor = divisors();
  const axes = [axisOf("x", divisor), axisOf("y", divisor)];
  const { rows: fitting, left, logarithmic } = drawable(axes);
  const facets = facetsOf(fitting);
  const rows = fitting.filter((row) => facets.values.includes(facets.of(row)));
  if (facets.more) left.set(`in ${facets.more} more facets`, fitting.length - rows.length);
  const colours = coloured(rows);
  points = [];
  active = -1;
  const chart = rows.length ? plotted(width, axes, rows, logarithmic, facets, colours) : make("p", { class: "nothing" }, "No run that matches has both values.");
  const tip = make("div", { class: "tip", hidden: true }), said = make("span", { class: "hidden", "aria-live": "polite" });
  place.replaceChildren(chart, tip, said);
  place.setAttribute("aria-label", `${axes[1].label} by ${axes[0].label}, ${plain(rows.length)} runs`);
  if (rows.length) locate(chart);
  drawLegend(colours, rows);
  const reasons = Array.from(left, ([why, number]) => `${plain(number)} ${why}`);
  byId("note").textContent = `${plain(rows.length)} points.${reasons.length ? ` Not drawn: ${reasons.join(", ")}.` : ""}`;
}

function plotted(width, axes, rows, logarithmic, facets, { groupOf, groups }) {
  const across = Math.min(facets.values.length, Math.max(1, Math.floor(width / 300)));
  const down = Math.ceil(facets.values.length / across);
  const at = new Map(facets.values.map((value, place) => [value, place]));
  const channels = {};
  const ends = rows.length <= MOST_WHISKERS ? axes.map((axis) => axis.ends) : [[], []];
  ends.forEach((both, axis) => both.forEach((end, side) => (channels[`end${axis}${side}`] = { value: rows.map(end), scale: "xy"[axis] })));
  const place = (row) => at.get(facets.of(row));
  const faceted = facets.values.length > 1 || facets.values[0] !== null;
  const grid = (values) => (faceted ? { fx: values.map((value) => value % across), fy: values.map((value) => Math.floor(value / across)) } : {});
  const titles = faceted ? [Plot.text(facets.values, { ...grid(d3.range(facets.values.length)), text: facets.label, frameAnchor: "top-left", dx: 4, dy: -14, fontWeight: 700, fontSize: 13 })] : [];
  const longest = (axis, most) => 7 * Math.min(most, d3.max(rows.slice(0, 2000), (row) => axis.wording(axis.value(row)).length));
  const wordy = !isNumber(axes[0].column);
  return Plot.plot({
    width,
    height: down * (down === 1 ? 400 : 290) + 60 + (wordy ? longest(axes[0], 24) : 0),
    marginLeft: isNumber(axes[1].column) ? 80 : Math.max(80, longest(axes[1], 24) + 34),
    marginBottom: wordy ? longest(axes[0], 24) + 34 : 44,
    marginTop: 24, marginRight: 16,
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    x: scaleOf(axes[0], logarithmic[0], rows, width / across, 80),
    y: scaleOf(axes[1], logarithmic[1], rows, down === 1 ? 400 : 250, 40),
    fx: { axis: null, paddingInner: 0.06, paddingOuter: 0 }, fy: { axis: null, padding: down > 1 ? 0.16 : 0 },
    marks: [
      Plot.frame({ stroke: "currentColor", strokeOpacity: 0.25 }),
      ...titles,
      Plot.dot(rows, {
        x: rows.map(axes[0].value), y: rows.map(axes[1].value), ...grid(rows.map(place)), channels,
        render: (index, _, values, __, context) => pathsOf(index, values, rows, groupOf, groups, context.document),
      }),
    ],
  });
}

function scaleOf(axis, logarithmic, rows, length, room) {
  const type = !isNumber(axis.column) ? "point" : logarithmic ? "log" : "linear";
  const options = { type, label: axis.label, grid: true, tickFormat: (value) => shortened(axis.tick(value)), labelAnchor: "center", labelArrow: "none" };
  if (type === "point") {
    const distinct = [...new Set(rows.map(axis.value))].sort(collator.compare), step = Math.ceil((14 * distinct.length) / length);
    return { ...options, domain: distinct, ticks: distinct.filter((_, at) => at % step === 0), tickRotate: room === 80 ? -90 : 0, inset: 10 };
  }
  if (type === "linear") return { ...options, zero: false, nice: true, ticks: Math.max(2, length / room), inset: 8 };
  const [least, most] = d3.extent(rows, axis.value), decades = Math.log10(most / least);
  const few = Math.max(2, Math.floor(length / room));
  const steps = decades > few ? [1] : decades > few / 2 ? [1, 3] : decades > few / 8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
  const powers = d3.range(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)) + 1);
  const thinned = powers.filter((_, at) => at % Math.ceil(powers.length / few) === 0);
  const low = least / 1.15, high = most * 1.15;
  const ticks = thinned.flatMap((power) => steps.map((step) => step * 10 ** power)).filter((tick) => tick >= low && tick <= high);
  return { ...options, domain: [low, high], ticks, inset: 8 };
}

const shortened = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

// One path for each colour: whiskers, and symbols: filled, pale for few samples, hollow for other flags.
function pathsOf(index, values, rows, groupOf, groups, document) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const flags = fields.get("flags")?.values ?? [], size = rows.length > 2000 ? 24 : 46;
  const paths = groups.map(() => ({ whiskers: [], filled: d3.path(), pale: d3.path(), hollow: d3.path() }));
  for (const at of index) {
    const x = values.x[at], y = values.y[at], row = rows[at], group = groupOf(row);
    const path = paths[group][!flags[row] ? "filled" : FEWER_SAMPLES.test(flags[row]) ? "pale" : "hollow"];
    groups[group].symbol.draw(moved(path, x, y), size);
    if (values.end00) paths[group].whiskers.push(`M${values.end00[at].toFixed(1)},${y.toFixed(1)}H${values.end01[at].toFixed(1)}`);
    if (values.end10) paths[group].whiskers.push(`M${x.toFixed(1)},${values.end10[at].toFixed(1)}V${values.end11[at].toFixed(1)}`);
    points.push({ row, x, y, part });
  }
  paths.forEach(({ whiskers, filled, pale, hollow }, group) => {
    const add = (d, attributes) => {
      if (!d) return;
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      for (const [name, value] of Object.entries({ d, fill: "none", ...attributes })) path.setAttribute(name, value);
      part.append(path);
    };
    const stroke = groups[group].colour;
    add(whiskers.join(""), { stroke, "stroke-opacity": 0.5 });
    add(String(filled), { fill: stroke, "fill-opacity": 0.85 });
    add(String(pale), { fill: stroke, "fill-opacity": 0.35, stroke, "stroke-opacity": 0.6 });
    add(String(hollow), { stroke, "stroke-width": 1.4 });
  });
  return part;
}

// A path whose origin is elsewhere.
const moved = (path, x, y) => ({
  moveTo: (a, b) => path.moveTo(x + a, y + b),
  lineTo: (a, b) => path.lineTo(x + a, y + b),
  rect: (a, b, w, h) => path.rect(x + a, y + b, w, h),
  arc: (a, b, ...rest) => path.arc(x + a, y + b, ...rest),
  closePath: () => path.closePath(),
});

// Facets are moved within the picture; after that points can be found by where the pointer is.
function locate(chart) {
  const offsets = new Map();
  for (const point of points) {
    if (!offsets.has(point.part)) {
      const { e, f } = point.part.getCTM();
      offsets.set(point.part, [e, f]);
    }
    const [x, y] = offsets.get(point.part);
    point.x += x;
    point.y += y;
  }
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  chart.setAttribute("aria-hidden", "true");
}

function nearest(event) {
  const svg = byId("chart").querySelector("svg");
  if (!svg) return -1;
  const { left, top } = svg.getBoundingClientRect();
  const x = event.clientX - left, y = event.clientY - top;
  const found = d3.leastIndex(points, (a, b) => (a.x - x) ** 2 + (a.y - y) ** 2 - (b.x - x) ** 2 - (b.y - y) ** 2);
  return found >= 0 && Math.hypot(points[found].x - x, points[found].y - y) <= REACH ? found : -1;
}

// Show what is known of a point beside it.
function point(at, spoken = false) {
  const place = byId("chart"), svg = place.querySelector("svg"), tip = place.querySelector(".tip");
  active = at;
  svg?.querySelector(".active")?.remove();
  if (tip) tip.hidden = at < 0;
  if (!tip || at < 0) return;
  const { row, x, y } = points[at];
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  for (const [name, value] of Object.entries({ class: "active", cx: x, cy: y, r: 9, fill: "none", stroke: "currentColor", "stroke-width": 2 })) ring.setAttribute(name, value);
  svg.append(ring);
  const lines = described(row);
  tip.replaceChildren(make("b", {}, lines[0]), ...lines.slice(1).map((line) => make("div", {}, line)));
  tip.style.left = `${Math.max(0, Math.min(x + 14, place.clientWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${y + 16 + tip.offsetHeight > place.clientHeight ? Math.max(0, y - tip.offsetHeight - 14) : y + 16}px`;
  if (spoken) place.querySelector("[aria-live]").textContent = lines.join(", ");
}

// The lines of a tip: algorithm, graph, every parameter, the values of the axes, interval, status and flags.
function described(row) {
  const text = (name) => written(fields.get(name) ?? { values: [] }, fields.get(name)?.values[row]);
  const axes = runs.axes.filter((name) => text(name)).map((name) => `${name} ${text(name)}`);
  const divisor = divisors();
  const shown = [axisOf("y", divisor), axisOf("x", divisor)].map((axis) => {
    const value = axis.value(row);
    return value === null ? "" : `${axis.label}: ${axis.wording(value)}`;
  });
  const interval = text("low_ms") && `95 % interval ${text("low_ms")} to ${text("high_ms")}, ${text("samples")} samples`;
  return [
    `${text("algorithm")} (${text("device_label")})`,
    `${text("graph")}: ${count(fields.get("vertices")?.values[row] ?? 0)} vertices, ${count(fields.get("arcs")?.values[row] ?? 0)} arcs`,
    `launch ${text("launch")}${axes.length ? `: ${axes.join(", ")}` : ""}`,
    text("median_ms") && `median ${text("median_ms")}`,
    interval,
    ...shown.filter((line) => line && !line.startsWith("median time: ")),
    text("status") === "ok" ? "" : text("status"),
    text("flags") ? `flags: ${text("flags")}` : "no flags",
  ].filter(Boolean);
}

function drawLegend({ groups, groupOf }, rows) {
  const counts = d3.rollup(rows, (group) => group.length, groupOf);
  const entries = groups.map((group, at) => [group, counts.get(at)]).filter(([, number]) => number);
  const shown = entries.slice(0, MOST_COLOURS).map(([group, number]) => make("li", {}, legendEntry(group, number)));
  if (entries.length > MOST_COLOURS) shown.push(make("li", {}, `and ${entries.length - MOST_COLOURS} more`));
  byId("legend").replaceChildren(...(groups.length > 1 || groups[0]?.column ? shown : []));
}

// A colour and its name; where it stands for a value, a click shows only runs that have it, or all again.
function legendEntry({ label, value, column, colour, symbol }, number) {
  const swatch = d3.create("svg").attr("width", 14).attr("height", 14).attr("viewBox", "-7 -7 14 14").attr("aria-hidden", "true");
  swatch.append("path").attr("d", d3.symbol(symbol, 60)()).attr("fill", colour);
  const parts = [swatch.node(), ` ${label} `, make("span", { class: "place" }, plain(number))];
  if (!column || value === null) return make("span", {}, ...parts);
  const key = `is.${column.name}`, only = choice(key) === String(value);
  const pressed = { "aria-pressed": String(only), title: only ? "Show all again" : `Show only ${label}` };
  return make("button", { type: "button", ...pressed, onclick: () => choose({ [key]: only ? null : String(value) }) }, ...parts);
}

function moveTo(event) {
  const steps = { ArrowRight: active + 1, ArrowDown: active + 1, ArrowLeft: active - 1, ArrowUp: active - 1, Home: 0, End: points.length - 1 };
  if (event.key in steps && points.length) point(Math.max(0, Math.min(points.length - 1, steps[event.key])), true);
  else if (event.key === "Enter" && active >= 0) choose({ run: nameOf(points[active].row) });
  else if (event.key === "Escape") point(-1);
  else return;
  event.preventDefault();
}

function prepareChart() {
  const place = byId("chart");
  drawControls();
  place.addEventListener("pointermove", (event) => {
    const found = nearest(event);
    if (found !== active) point(found);
  });
  place.addEventListener("pointerleave", () => point(-1));
  place.addEventListener("click", (event) => {
    const found = nearest(event);
    if (found >= 0) choose({ run: nameOf(points[found].row) });
  });
  place.addEventListener("keydown", moveTo);
  byId("view").addEventListener("submit", (event) => event.preventDefault());
  new ResizeObserver(() => place.clientWidth !== drawnWidth && drawChart()).observe(place);
  dark.addEventListener("change", drawChart);
  addEventListener("beforeprint", () => redrawn(true));
  addEventListener("afterprint", () => redrawn(false));
}

function redrawn(forPaper) {
  printing = forPaper;
  drawChart();
}
