// The page's data, unpacked, and how its values are written.

const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (`onclick`) and children. Texts become text nodes, never markup.
const make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

// The same in a picture.
const shape = (tag, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

// The columns that warpath.results.packed wrote into the element of this id.
async function unpacked(id) {
  const stream = new Blob([bytesOf(byId(id).textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const texts = ({ levels, codes }) => codes.map((code) => (code < 0 ? null : levels[code]));

// Columns by name, each with a value for every row: text, number or null.
function columnsOf(data) {
  const columns = data.columns.map((column) => ({
    ...column,
    label: labelOf(column),
    values: column.type === "text" ? texts(column) : column.values,
  }));
  return new Map(columns.map((column) => [column.name, column]));
}

const LABELS = {
  median_ms: "median time", low_ms: "from", high_ms: "to", percent_between_processes: "spread between processes", teps: "TEPS",
  first_ms: "first search", prepare_ms: "preparing", percent_of_limit: "share of limit", energy_j: "energy", power_w: "power",
  device_label: "device", device: "kind of device",
};

function labelOf({ name, unit }) {
  return LABELS[name] || name.replace(/_(ms|s)$/, unit ? "" : "$&").replaceAll("_", " ");
}

// Up to three significant digits, without exponents.
const digits = (value) => String(Number(value.toPrecision(3)));

function scaled(value, steps, small) {
  const [factor, unit] = steps.find(([least]) => Math.abs(value) >= least) || small;
  return `${digits(value / factor)}${unit}`;
}

const duration = (ms) => (ms === 0 ? "0 ms" : scaled(ms, [[1000, " s"], [1, " ms"], [0.001, " µs"]], [1e-6, " ns"]));
const seconds = (s) => duration(1000 * s);
const joules = (value) => scaled(value, [[1, " J"], [0.001, " mJ"]], [1e-6, " µJ"]);
const count = (value) => scaled(value, [[1e9, " G"], [1e6, " M"], [1e3, " K"]], [1, ""]);
const share = (value) => `${Number(value.toPrecision(2))} %`;
const factor = (value) => `${digits(value)}×`;
const plain = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : digits(value));
const moment = (value) => new Date(1000 * value).toISOString().replace("T", " ").replace(".000Z", " UTC");
const WORDINGS = { ms: duration, s: seconds, J: joules, W: (value) => `${digits(value)} W`, "arcs/s": (value) => `${count(value)}/s`, "%": share, bytes: (value) => `${count(value)}B` };

// How a column writes its values.
function wordingOf(column) {
  if (column.type === "text") return (value) => value;
  return column.type === "time" ? moment : WORDINGS[column.unit] || plain;
}

const written = (column, value) => (value === null || value === undefined ? "" : wordingOf(column)(value));

// Numbers by size, texts in natural order (b64 before b256); empty values are last in both directions.
const collator = new Intl.Collator("en", { numeric: true });

function inOrder(values, rows, descending = false) {
  const sign = descending ? -1 : 1;
  const ranks = typeof values.find((value) => value !== null) === "string" ? ranksOf(values) : values;
  return Array.from(rows).sort((a, b) => {
    if (values[a] === null || values[b] === null) return (values[a] === null) - (values[b] === null);
    return sign * (ranks[a] - ranks[b]);
  });
}

// The rows by a column that the order names, "-median_ms" from the most to the least; as they are without one.
function ordered(columns, rows, order) {
  const column = columns.find(({ name }) => name === order.replace(/^-/, ""));
  return column ? inOrder(column.values, rows, order.startsWith("-")) : rows;
}

function ranksOf(values) {
  const distinct = [...new Set(values)].filter((value) => value !== null).sort(collator.compare);
  const rank = new Map(distinct.map((value, at) => [value, at]));
  return values.map((value) => rank.get(value));
}
