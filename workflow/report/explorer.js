// The chart: any field on either axis, in colour and in facets.

const VIEW = { x: "arcs", y: "median_ms", color: "algorithm", facet: "problem", launches: "best", relative: "" };
const OF_ONE = { x: "median_ms", y: "algorithm" }; // of a single graph
const FASTEST = "fastest", MOST_FACETS = 24;
const PAPER = 680; // pixels across that fit on a printed page
const MEASURED = ["ms", "arcs/s", "%"]; // units that only right answers are compared by
const ENDS = { median_ms: ["low_ms", "high_ms"] };

let drawnWidth = 0, folded = [];

const standardOf = (key) => (oneGraph && OF_ONE[key]) || (VIEW[key] ?? "");
const viewed = (key) => (["x", "y", "color", "facet"].includes(key) ? fields.get(choice(key, standardOf(key))) : choice(key, VIEW[key]));
const isNumber = (column) => column && column.type !== "text";
const varied = (column) => column.values.some((value) => value !== column.values[0]);

// Whether a column has few enough values for a facet each.
function isFew(column) {
  const distinct = new Set();
  return column.values.every((value) => distinct.add(value).size <= MOST_FACETS);
}

// Logarithmic where that is possible and a reader would want it, unless the address says otherwise.
function isLogarithmic(axis, values) {
  const known = values.filter((value) => value !== null);
  const least = d3.min(known), most = d3.max(known);
  return least > 0 && choice(`${axis}scale`, most / least > 20 ? "log" : "linear") === "log";
}

function drawControls() {
  const columns = [...fields.values()].filter((column) => varied(column) || Object.values(VIEW).includes(column.name));
  const named = columns.map((column) => [column.name, column.label]);
  const few = columns.filter((column) => column.name === "graph" || isFew(column));
  const others = offered(fields.get("algorithm")).map((name) => [name, `relative to ${name}`]);
  const control = (text, key, options, standard = standardOf(key)) =>
    labelled(text, select(key, options, standard, (value) => choose({ [key]: value === standard ? null : value || "none" })));
  const scales = [["", "auto"], ["log", "log"], ["linear", "linear"]];
  byId("view").replaceChildren(
    control("y axis", "y", named), control("y scale", "yscale", scales),
    control("x axis", "x", named), control("x scale", "xscale", scales),
    control("times", "relative", [["", "absolute"], [FASTEST, "relative to the fastest"], ...others]),
    control("colour", "color", [["none", "none"], ...named]),
    control("facets", "facet", [["none", "none"], ...few.map((column) => [column.name, column.label])]),
    control("launches", "launches", [["best", "fastest"], ["all", "all"]]),
  );
  byId("searches").replaceChildren(control("searches after preparing", "searches", [1, 10, 100, 1000].map((count) => [count, count]), "1"));
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

// Runs that are dropped on the page have a fastest one of their own.
const keyOf = (...names) => {
  const columns = [...names, FROM].filter((name) => fields.has(name)).map((name) => fields.get(name).values);
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
  const leave = (why) => {
    left.set(why, (left.get(why) || 0) + 1);
    return false;
  };
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
    return missing ? leave(`without ${missing.label}`) : true;
  });
  return { rows: kept, left, logarithmic };
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
  const place = byId("chart"), width = printing ? PAPER : place.clientWidth;
  if (!width) return;
  drawnWidth = width;
  if (!viewed("x") || !viewed("y")) return drawNothing(place);
  const divisor = divisors();
  const axes = [axisOf("x", divisor), axisOf("y", divisor)];
  const { rows: fitting, left, logarithmic } = drawable(axes);
  const facets = facetsOf(fitting);
  const rows = fitting.filter((row) => facets.values.includes(facets.of(row)));
  if (facets.more) left.set(`in ${facets.more} more facets`, fitting.length - rows.length);
  const colours = coloured(rows);
  points = [];
  active = -1;
  const chart = rows.length ? plotted(width, axes, rows, logarithmic, facets, colours) : nothing();
  const tip = make("div", { class: "tip", hidden: true }), said = make("span", { class: "hidden", "aria-live": "polite" });
  place.replaceChildren(chart, tip, said);
  place.ariaLabel = `${axes[1].label} by ${axes[0].label}, ${plain(rows.length)} runs`;
  if (rows.length) locate(chart);
  drawLegend(colours, rows);
  const reasons = Array.from(left, ([why, number]) => `${plain(number)} ${why}`);
  byId("note").textContent = `${plain(rows.length)} points.${reasons.length ? ` Not drawn: ${reasons.join(", ")}.` : ""}`;
}

const nothing = () => make("p", {}, "No run that matches has a value on both axes.");

function drawNothing(place) {
  points = [];
  place.replaceChildren(nothing());
  byId("legend").replaceChildren();
  byId("note").textContent = "0 points.";
}

function prepareChart() {
  const place = byId("chart");
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
  new ResizeObserver(() => place.clientWidth !== drawnWidth && drawChart()).observe(place);
  dark.addEventListener("change", drawChart);
  addEventListener("beforeprint", () => redrawn(true));
  addEventListener("afterprint", () => redrawn(false));
}

// Draw for paper, where nothing can be unfolded or scrolled, or for the screen again.
function redrawn(forPaper) {
  printing = forPaper;
  if (forPaper) folded = [...document.querySelectorAll(":is(main > details, details.hint):not([open])")];
  for (const fold of folded) fold.open = forPaper;
  drawChart();
  drawRanking();
}
