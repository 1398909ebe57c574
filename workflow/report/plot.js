// The picture of the explorer: scales with their ticks, and points. Those of a colour are one path, so 10,000 draw fast.

const MOST_WHISKERS = 4000; // points that are drawn with their intervals
const FEW_SAMPLES = "shortened"; // the flag of runs that have fewer samples and nothing else against them

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
  const above = { text: facets.label, frameAnchor: "top-left", dx: 4, dy: -14, fontWeight: 700, fontSize: 13 };
  const titles = faceted ? [Plot.text(facets.values, { ...grid(d3.range(facets.values.length)), ...above })] : [];
  const longest = (axis, most) => 7 * Math.min(most, d3.max(rows.slice(0, 2000), (row) => axis.wording(axis.value(row)).length));
  const wordy = !isNumber(axes[0].column);
  const x = scaleOf(axes[0], logarithmic[0], rows, width / across, 80);
  const y = scaleOf(axes[1], logarithmic[1], rows, down === 1 ? 400 : 250, 40);
  return Plot.plot({
    width,
    height: down * (down === 1 ? 400 : 290) + 60 + (wordy ? longest(axes[0], 24) : 0),
    marginLeft: isNumber(axes[1].column) ? 80 : Math.max(80, longest(axes[1], 24) + 34),
    marginBottom: wordy ? longest(axes[0], 24) + 34 : 44,
    marginTop: 24, marginRight: 16,
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    x: { ...x.scale, axis: null },
    y: { ...y.scale, axis: null },
    fx: { axis: null, paddingInner: 0.06, paddingOuter: 0 }, fy: { axis: null, padding: down > 1 ? 0.16 : 0 },
    marks: [
      Plot.frame({ stroke: "currentColor", strokeOpacity: 0.25 }),
      Plot.gridX(x.ticks), Plot.gridY(y.ticks), Plot.axisX(x.ticks, x.labels), Plot.axisY(y.ticks, y.labels),
      ...titles,
      Plot.dot(rows, {
        x: rows.map(axes[0].value), y: rows.map(axes[1].value), ...grid(rows.map(place)), channels,
        render: (index, _, values) => pathsOf(index, values, rows, groupOf, groups),
      }),
    ],
  });
}

// A scale, its ticks and how they are labelled. Plot labels every tick only where the labels are given as text.
function scaleOf(axis, logarithmic, rows, length, room) {
  const text = (value) => shortened(axis.tick(value));
  const labels = { text, label: axis.label, labelAnchor: "center", labelArrow: "none" };
  if (!isNumber(axis.column)) {
    const domain = [...new Set(rows.map(axis.value))].sort(collator.compare), step = Math.ceil((14 * domain.length) / length);
    const ticks = domain.filter((_, at) => at % step === 0);
    return { scale: { type: "point", domain, inset: 10 }, ticks, labels: { ...labels, tickRotate: room === 80 ? -90 : 0 } };
  }
  const [least, most] = d3.extent(rows, axis.value), few = Math.max(2, Math.floor(length / room));
  const distinct = [...new Set(rows.map(axis.value))];
  const own = distinct.length <= Math.min(few, 8) ? distinct : null;
  if (!logarithmic) {
    const [low, high] = least === most ? [least - 1, most + 1] : [least, most];
    return { scale: { type: "linear", domain: [low, high], inset: 10 }, ticks: own ?? d3.ticks(low, high, few), labels };
  }
  const [low, high] = [least / 1.15, most * 1.15];
  return { scale: { type: "log", domain: [low, high], inset: 8 }, ticks: own ?? logarithmicTicks(low, high, few), labels };
}

// As many round numbers as there is room for: 1, 2, 5, or 1, 3, or powers of ten, or some of those.
function logarithmicTicks(low, high, few) {
  const powers = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1);
  const thin = Math.ceil(Math.log10(high / low) / few);
  for (const steps of [[1, 1.5, 2, 3, 4, 5, 7], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
    const every = steps.length === 1 ? powers.filter((power) => power % thin === 0) : powers;
    const ticks = every.flatMap((power) => steps.map((step) => step * 10 ** power)).filter((tick) => tick >= low && tick <= high);
    if (ticks.length <= few || steps.length === 1) return ticks;
  }
}

const shortened = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

// One path for each colour: whiskers, and symbols: filled, pale for few samples, hollow for other flags.
function pathsOf(index, values, rows, groupOf, groups) {
  const part = shape("g");
  const flags = fields.get("flags")?.values ?? [], size = rows.length > 2000 ? 24 : 46;
  const paths = groups.map(() => ({ whiskers: [], filled: d3.path(), pale: d3.path(), hollow: d3.path() }));
  for (const at of index) {
    const x = values.x[at], y = values.y[at], row = rows[at], group = groupOf(row);
    const path = paths[group][!flags[row] ? "filled" : flags[row] === FEW_SAMPLES ? "pale" : "hollow"];
    groups[group].symbol.draw(moved(path, x, y), size);
    if (values.end00) paths[group].whiskers.push(`M${values.end00[at].toFixed(1)},${y.toFixed(1)}H${values.end01[at].toFixed(1)}`);
    if (values.end10) paths[group].whiskers.push(`M${x.toFixed(1)},${values.end10[at].toFixed(1)}V${values.end11[at].toFixed(1)}`);
    points.push({ row, x, y, part });
  }
  paths.forEach(({ whiskers, filled, pale, hollow }, group) => {
    const add = (d, attributes) => d && part.append(shape("path", { d, fill: "none", ...attributes }));
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
