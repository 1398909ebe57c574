// The runs: their columns, the filters over them, and the table of those that match.

const FROM = "from"; // the column that tells the page's runs from those of a table that was dropped on it
const FILTERS = ["problem", "graph", "algorithm", "launch", "device_label", FROM, "status", "flags"];
const STANDARD = [
  "graph", "algorithm", "median_ms", "prepare_ms", "first_ms", "launch", FROM, "device_label", "status", "low_ms", "high_ms",
  "energy_j", "teps", "iterations", "percent_of_limit", "flags",
];
const BY = ["median_ms", "graph", "problem"]; // the order of one graph or problem, of which the last counts most
const ANY_FLAG = "any", NO_FLAG = "none";

let runs, fields, rowCount, matching, oneGraph, here;
let searchable; // what a reader may look for in each run, from the first search on

async function loadRuns() {
  runs = await unpacked("data");
  fields = columnsOf(runs);
  rowCount = runs.rows;
  for (const [name, packed] of Object.entries(runs.links)) runs.links[name] = texts(packed);
  const path = decodeURIComponent(location.pathname);
  here = path.endsWith(`/${runs.page}`);
}

function searchableTexts() {
  const described = [...FILTERS, "error"].map((name) => fields.get(name)?.values);
  return d3.range(rowCount).map((row) => described.map((values) => values?.[row] ?? "").join(" ").toLowerCase());
}

// The name of a run in addresses and of its files; of one that was dropped on the page, with its file.
function nameOf(row) {
  const name = ["graph", "algorithm", "launch"].map((part) => fields.get(part).values[row]).join("/");
  return row < runs.rows ? name : `${name} in ${fields.get(FROM).values[row]}`;
}

// The filters of the address as pairs of a column and its values.
function filters() {
  const keys = [...new Set(chosen.keys())].filter((key) => key.startsWith("is.") && fields.has(key.slice(3)));
  return keys.map((key) => [fields.get(key.slice(3)), chosen.getAll(key)]);
}

function matches(column, value, wanted) {
  if (column.name !== "flags") return String(value ?? "") === wanted;
  if (wanted === ANY_FLAG) return value !== null;
  return wanted === NO_FLAG ? value === null : value !== null && value.split(" ").includes(wanted);
}

function filterRuns() {
  const words = choice("find").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = filters();
  if (words.length) searchable ??= searchableTexts();
  const fits = (row) => wanted.every(([column, values]) => values.some((value) => matches(column, column.values[row], value)));
  matching = d3.range(rowCount).filter((row) => fits(row) && words.every((word) => searchable[row].includes(word)));
  const kinds = fields.get("device").values, later = (row) => kinds[row] !== "cuda"; // what ran on a GPU comes first
  const isOne = (name) => new Set(matching.map((row) => fields.get(name).values[row])).size === 1;
  oneGraph = isOne("graph");
  if (oneGraph || isOne("problem")) for (const name of BY) matching = inOrder(fields.get(name)?.values ?? [], matching);
  else matching.sort((a, b) => later(a) - later(b));
}

// The values that a filter offers, in natural order.
function offered(column) {
  const values = new Set(column.values.flatMap((value) => (value === null ? [] : column.name === "flags" ? value.split(" ") : [value])));
  const sorted = [...values].sort(column.type === "text" ? collator.compare : (a, b) => a - b);
  return column.name === "flags" && values.size ? [NO_FLAG, ANY_FLAG, ...sorted] : sorted;
}

function labelled(text, control) {
  return make("label", {}, text, control);
}

function select(key, options, standard, changed) {
  const control = make("select", { "data-key": key, onchange: () => changed(control.value) });
  control.append(...options.map(([value, text]) => make("option", { value }, text)));
  control.value = choice(key, standard);
  return control;
}

function drawFilters() {
  const find = make("input", { type: "search", id: "find", placeholder: "any text", oninput: () => choose({ find: find.value }) });
  const columns = FILTERS.map((name) => fields.get(name)).filter((column) => column && varied(column));
  const selects = columns.map((column) => {
    const options = [["", "all"], ...offered(column).map((value) => [value, value === "GPU" ? "GPU (own kernels)" : value])];
    const key = `is.${column.name}`, add = (value) => choose({ [key]: value && [...new Set([...chosen.getAll(key), value])] });
    return labelled(column.label, select(key, options, "", add));
  });
  byId("filters").replaceChildren(labelled("find", find), ...selects);
  byId("clear").addEventListener("click", clearFilters);
  showFilters();
}

function clearFilters() {
  choose(Object.fromEntries(["find", ...Array.from(chosen.keys()).filter((key) => key.startsWith("is."))].map((key) => [key, null])));
}

// Controls follow the address; a filter without a control, and each of several values, is a button that removes it.
function showFilters() {
  const controls = byId("filters").querySelectorAll("select");
  if (byId("find") !== document.activeElement) byId("find").value = choice("find");
  for (const control of controls) control.value = chosen.getAll(control.dataset.key).length > 1 ? null : choice(control.dataset.key);
  const shown = new Set(Array.from(controls, (control) => control.dataset.key));
  const others = filters().filter(([column, values]) => values.length > 1 || !shown.has(`is.${column.name}`));
  const chip = (column, values, value) => {
    const onclick = () => choose({ [`is.${column.name}`]: values.filter((other) => other !== value) });
    return make("button", { type: "button", onclick }, `${column.label} ${value || "none"} ×`);
  };
  byId("chips").replaceChildren(...others.flatMap(([column, values]) => values.map((value) => chip(column, values, value))));
}

function showCount() {
  byId("shown").textContent = `${plain(matching.length)} of ${plain(rowCount)} runs`;
  byId("clear").disabled = matching.length === rowCount && !filters().length;
}

function downloadRuns() {
  save("runs.csv", csv([...fields.values()], matching), "text/csv");
}

let drawTable;

// The name of a single graph says nothing.
const standardColumns = () => (oneGraph ? [...STANDARD.slice(1), "graph"] : STANDARD).filter((name) => fields.has(name));

function chosenColumns() {
  const names = choice("columns") ? choice("columns").split(",") : standardColumns();
  return names.map((name) => fields.get(name)).filter(Boolean);
}

function drawColumnChoice() {
  const chooser = make("details", { class: "columns" }, make("summary", {}, "Columns"));
  const boxes = [...fields.values()].map((column) => {
    const box = make("input", { type: "checkbox", value: column.name, onchange: () => chooseColumns(chooser) });
    box.checked = chosenColumns().includes(column);
    return make("label", { title: column.meaning || null }, box, ` ${column.label}`);
  });
  chooser.append(make("div", { class: "boxes" }, ...boxes));
  return chooser;
}

// Columns that were shown keep their order; further ones follow.
function chooseColumns(chooser) {
  const checked = Array.from(chooser.querySelectorAll("input:checked"), (box) => box.value);
  const before = chosenColumns().map((column) => column.name).filter((name) => checked.includes(name));
  const names = [...before, ...checked.filter((name) => !before.includes(name))];
  choose({ columns: names.join() === standardColumns().join() ? null : names.join() || "graph" });
}

function runCell(column, row) {
  const text = written(column, column.values[row]);
  if (column === chosenColumns()[0]) {
    const name = nameOf(row);
    const said = { "aria-label": `${text}: record of ${name}`, onclick: () => choose({ run: name }) };
    return make("button", { type: "button", class: "open", ...said }, text);
  }
  return column.name === "status" ? make("span", { class: `status ${column.values[row]}` }, text) : text;
}

// The launch of a run in words, as figures name it; none for the only one of its algorithm.
const launchOf = (row) => runs.words[fields.get("launch").values[row]];

function drawRunTable() {
  const place = byId("table"), table = make("div");
  place.replaceChildren(drawColumnChoice(), table);
  const below = (column, row) => (column.name === "algorithm" ? launchOf(row) : null);
  const show = pagedTable(table, { caption: "All runs", cell: runCell, below, sorted: (order) => choose({ sort: order }), frozen: 2 });
  drawTable = () => {
    const order = choice("sort");
    show({ columns: chosenColumns(), rows: ordered([...fields.values()], matching, order), order });
  };
  drawTable();
}
