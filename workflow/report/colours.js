// The colours of points, and the legend.

const MOST_COLOURS = 40, CLASSES = 6;
const dark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

// Light enough on a dark page, dark enough on a light one and on paper.
const readable = (colour) => {
  const lab = d3.lab(colour);
  lab.l = dark.matches && !printing ? Math.max(lab.l, 66) : Math.min(lab.l, 58);
  return lab.formatHex();
};

// Groups of one colour: the values of a text, or of a number with few values; else classes of equally many runs.
function coloured(rows) {
  const column = viewed("color");
  if (!column) return { groupOf: () => 0, groups: [{ label: "all", colour: readable("#0072B2"), symbol: d3.symbolCircle }] };
  // Of all runs, so that a filter changes no colour.
  const values = [...new Set(isNumber(column) ? rows.map((row) => column.values[row]) : column.values)];
  const known = values.filter((value) => value !== null);
  if (isNumber(column) && known.length > 12) return classes(column, rows);
  known.sort(isNumber(column) ? d3.ascending : collator.compare);
  const all = values.includes(null) ? [...known, null] : known, shades = d3.schemeTableau10;
  const shade = (value, at) => {
    if (column.name === "algorithm") return runs.looks[value] ?? "#808080";
    return isNumber(column) ? d3.interpolateViridis(at / all.length) : shades[at % shades.length];
  };
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

function drawLegend({ groups, groupOf }, rows) {
  const counts = d3.rollup(rows, (group) => group.length, groupOf);
  const entries = groups.map((group, at) => [group, counts.get(at)]).filter(([, number]) => number);
  const shown = entries.slice(0, MOST_COLOURS).map(([group, number]) => make("li", {}, legendEntry(group, number)));
  if (entries.length > MOST_COLOURS) shown.push(make("li", {}, `and ${entries.length - MOST_COLOURS} more`));
  byId("legend").replaceChildren(...(groups.length > 1 || groups[0]?.column ? shown : []));
}

// A colour and its name; where it stands for a value, a click shows only runs that have it, or all again.
function legendEntry({ label, value, column, colour, symbol }, number) {
  const mark = shape("path", { d: d3.symbol(symbol, 60)(), fill: colour });
  const swatch = shape("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark);
  const parts = [swatch, ` ${label} `, make("span", { class: "place" }, plain(number))];
  if (!column || value === null) return make("span", {}, ...parts);
  const key = `is.${column.name}`, only = choice(key) === String(value);
  const pressed = { "aria-pressed": String(only), title: only ? "Show all again" : `Show only ${label}` };
  return make("button", { type: "button", ...pressed, onclick: () => choose({ [key]: only ? null : String(value) }) }, ...parts);
}
