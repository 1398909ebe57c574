// The page of a comparison: its rows, and other tables that are dropped on it.

let data, rows, show;

function rowsOf(packed) {
  const columns = [...columnsOf(packed).values()];
  return Array.from({ length: packed.rows }, (_, row) => Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])));
}

// The same rules as in comparisons/ratios.py, for tables without samples.
function compared(a, b) {
  const sound = (row) => row.status === "ok" && row.median_ms > 0;
  const basis = (ratio, low, high, words) => ({ ratio, low, high, basis: words, mark: data.mark });
  if (!sound(a) && !sound(b)) return null;
  if (!sound(a) || !sound(b)) return { ...basis(null, null, null, "status"), verdict: sound(a) ? "broken" : "repaired" };
  const ratio = b.median_ms / a.median_ms;
  if (!(a.low_ms && a.high_ms && b.low_ms && b.high_ms)) return decided(basis(ratio, null, null, "medians alone"));
  const down = Math.hypot(Math.log(b.median_ms / b.low_ms), Math.log(a.high_ms / a.median_ms));
  const up = Math.hypot(Math.log(b.high_ms / b.median_ms), Math.log(a.median_ms / a.low_ms));
  const single = a.samples === 1 || b.samples === 1;
  const margin = single ? data.single : 1;
  return decided(
    basis(ratio, (ratio * Math.exp(-down)) / margin, ratio * Math.exp(up) * margin,
      single ? "single sample" : "intervals alone"));
}

function decided(row) {
  const { low, high, mark } = row;
  if (low === null) row.verdict = "undecided";
  else if (low > mark) row.verdict = "slower";
  else if (high < 1 / mark) row.verdict = "faster";
  else row.verdict = low >= 1 / mark && high <= mark ? "same" : "undecided";
  return row;
}

function rank(row) {
  const certain = row.low === null ? Math.max(row.ratio, 1 / row.ratio) : Math.max(row.low, 1 / row.high);
  return [Object.keys(data.verdicts).indexOf(row.verdict), row.low === null && row.ratio === null ? 0 : -certain];
}

const time = (ms) => (ms === null || ms === undefined ? "" : duration(ms));
const element = (tag, text, name) => make(tag, { class: name }, text ?? "");

let reach = 1; // of the intervals' axis, as a logarithm

function scale() {
  const sizes = rows.map((row) => Math.abs(Math.log(row.ratio || 1))).sort((a, b) => a - b);
  reach = Math.min(Math.log(10), Math.max(Math.log(1.25), 1.1 * (sizes[Math.floor(0.98 * sizes.length)] || 0)));
}

// The interval on a logarithmic axis from 1/reach to reach, cut at its ends.
function bar(row) {
  const place = (value) => 104 + 100 * Math.max(-1, Math.min(1, Math.log(Math.max(value, 1e-9)) / reach));
  const svg = shape("svg", { class: `bar verdict ${row.verdict}`, viewBox: "0 0 208 18", "aria-hidden": "true" });
  const add = (tag, name, attributes) => svg.append(shape(tag, { class: name, ...attributes }));
  const [left, right] = [place(1 / row.mark), place(row.mark)];
  add("rect", "zone", { x: left, y: 0, width: right - left, height: 18 });
  add("line", "one", { x1: 104, x2: 104, y1: 0, y2: 18 });
  if (row.low !== null) add("line", "range", { x1: place(row.low), x2: place(row.high), y1: 9, y2: 9 });
  if (row.ratio !== null) add("circle", "point", { cx: place(row.ratio), cy: 9, r: 4 });
  return svg;
}

// What a row shows in each column of the table, and what its order is by.
const interval = (row) => (row.low === null ? "" : ` (${factor(row.low)} – ${factor(row.high)})`);
const ratioOf = (row) => (row.ratio === null ? "" : `${factor(row.ratio)}${interval(row)}`);
const timeOf = (side) => (row) => (row[`${side}_status`] === "ok" ? time(row[`${side}_ms`]) : row[`${side}_status`]);
const COLUMNS = {
  verdict: ["verdict", (row) => element("span", row.verdict, `verdict ${row.verdict}`)],
  algorithm: ["algorithm"], graph: ["graph"], launch: ["launch"],
  low: ["time in B over A, interval", bar],
  ratio: ["ratio", ratioOf], a_ms: ["A", timeOf("a")], b_ms: ["B", timeOf("b")],
  basis: ["rests on"], code: ["code"],
};

function draw() {
  const words = choice("find").toLowerCase().split(/\s+/).filter(Boolean), order = choice("sort");
  const found = [...rows.keys()].filter((at) => {
    const row = rows[at], text = `${row.algorithm} ${row.graph} ${row.launch} ${row.basis} ${row.code}`.toLowerCase();
    return ["verdict", "against"].every((key) => !choice(key) || row[key] === choice(key)) && words.every((word) => text.includes(word));
  });
  const columns = Object.entries(COLUMNS).map(([name, [label]]) => {
    const values = rows.map((row) => row[name] ?? null);
    return { name, label, values, type: values.some((value) => typeof value === "number") ? "number" : "text" };
  });
  for (const control of byId("filters").elements) if (control !== document.activeElement) control.value = choice(control.id);
  scale();
  show({ columns, rows: ordered(columns, found, order), order });
  byId("shown").textContent = `${found.length} of ${rows.length} runs`;
}

function cellOf(column, at) {
  const [, written = (row) => row[column.name] ?? ""] = COLUMNS[column.name];
  return written(rows[at]);
}

const NUMBERS = ["median_ms", "low_ms", "high_ms", "samples", "vertices", "arcs"];

function run(row) {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, row[name] === "" ? null : Number(row[name] ?? NaN) || null]));
  return { ...row, ...numbers, status: row.status || "ok" };
}

const key = (row) => `${row.algorithm}\n${row.graph}\n${row.launch}`;

function differs(a, b) {
  if ((a.device === "host") !== (b.device === "host") && a.device && b.device) return true;
  return ["vertices", "arcs"].some((size) => a[size] !== null && b[size] !== null && a[size] !== b[size]);
}

function takeSummary(name, table) {
  const others = new Map(table.map((row) => [key(row), run(row)]));
  const found = [];
  for (const a of rowsOf(data.a)) {
    const b = others.get(key(a));
    const result = b && !differs(a, b) ? compared(a, b) : null;
    if (!result) continue;
    found.push({
      ...result, against: name, algorithm: a.algorithm, graph: a.graph, launch: a.launch, code: "unknown",
      a_ms: a.median_ms, b_ms: b.median_ms, a_status: a.status, b_status: b.status,
    });
  }
  if (!found.length) return `${name}: no run in common with A`;
  const ranked = found.map((row) => [rank(row), row]).sort(([x], [y]) => x[0] - y[0] || x[1] - y[1]);
  rows = ranked.map(([, row]) => row);
  for (const section of document.querySelectorAll(".of-command")) section.hidden = true;
  for (const entry of document.querySelectorAll(".sides > :nth-child(n + 3)")) entry.hidden = true;
  const distinct = (column) => [...new Set(table.map((row) => row[column]).filter(Boolean))].join(", ") || "unknown";
  byId("dropped-name").textContent =
    `${name}: ${distinct("device_name")}; commit ${distinct("commit")}; A: ${data.devices}; commit ${data.commits}`;
  byId("dropped-name").hidden = byId("dropped-label").hidden = false;
  const counts = Object.entries(data.verdicts).map(([name, words]) => [words, rows.filter((row) => row.verdict === name).length]);
  const words = counts.filter(([, count]) => count).map(([verdict, count]) => `${count} ${verdict}`).join(", ");
  byId("answer").firstElementChild.textContent = `Of ${rows.length} runs that both have: ${words} in ${name}.`;
  document.querySelector("h1").textContent = document.title = `${name} against A`;
  choose({ against: null });
  return `${name}: ${rows.length} runs compared with A`;
}

function takeClaims(name, table) {
  const body = byId("claims-table");
  if (!body) return `${name}: A has no claims to compare with`;
  const heading = element("th", name);
  heading.scope = "col";
  body.tHead.rows[0].append(heading);
  const verdicts = new Map(table.map((row) => [`${row.paper}/${row.name}`, row]));
  for (const row of body.tBodies[0].rows) {
    const claim = verdicts.get(row.dataset.claim);
    const cell = element("td");
    cell.append(element("b", claim ? claim.verdict : "not there"), element("br"), element("span", claim ? claim.found : "", "hint"));
    row.append(cell);
  }
  return `${name}: ${verdicts.size} claims beside those of A`;
}

function take(name, table) {
  const first = table[0] || {};
  if (isSummary(table)) return takeSummary(name, table);
  if ("verdict" in first && "paper" in first) return takeClaims(name, table);
  return `${name}: neither a summary.csv nor a claims.csv of warpath`;
}

async function start() {
  data = await unpacked("data");
  rows = rowsOf(data.rows);
  show = pagedTable(byId("table"), { caption: "Runs", cell: cellOf, sorted: (sort) => choose({ sort }) });
  byId("filters").addEventListener("input", ({ target }) => choose({ [target.id]: target.value }));
  addEventListener("hashchange", () => readAddress() && draw());
  watchers.push(draw);
  readAddress();
  onFiles(take);
  draw();
  document.documentElement.dataset.ready = Math.round(performance.now());
}

start().catch((error) => {
  byId("message").textContent = `This table does not work in this browser: ${error.message}. comparison.csv has the same rows.`;
  throw error;
});
