// What the record of one run says, in a dialog; the address names the run.

const PARTS = [
  ["Result", [
    "status", "error", "flags", "median_ms", "prepare_ms", "first_ms", "low_ms", "high_ms", "q1_ms", "q3_ms",
    "min_ms", "max_ms", "sources", "samples", "teps", "percent_of_limit", "wrong_vertices",
  ]],
  ["Run", ["graph", "stand_in_for", "vertices", "arcs", "directed", "algorithm", "paper", "launch"]],
];

const rowOf = (name) => d3.range(rowCount).find((row) => nameOf(row) === name) ?? -1;

// A file beside the page, or the command of a run: text, or null where there is none.
function linkOf(kind, row) {
  const template = runs.links[kind][row];
  return template === null ? null : template.replaceAll("@run@", nameOf(row));
}

function fileLink(kind, row) {
  const path = linkOf(kind, row);
  if (path === null) return make("li", {}, `No ${kind} was there when this page was written.`);
  if (!here) return make("li", {}, `${kind}, not embedded in this page: `, make("code", {}, path));
  return make("li", {}, make("a", { href: path.split("/").map(encodeURIComponent).join("/") }, kind), " ", make("code", {}, path));
}

function facts(names, row) {
  const list = make("dl");
  for (const name of names) {
    const column = fields.get(name);
    if (!column || column.values[row] === null) continue;
    const fact = [make("dt", { title: column.meaning || null }, column.label), make("dd", {}, written(column, column.values[row]))];
    list.append(make("div", { class: name === "error" ? "long" : null }, ...fact));
  }
  return list;
}

function copyButton(text, label = "Copy") {
  const button = make("button", { type: "button", class: "copy", onclick: copy }, label);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "Selected: copy it with the keyboard";
    }
  }
  return button;
}

function showRun() {
  const dialog = byId("run"), name = choice("run");
  if (!name) return dialog.open && dialog.close();
  const row = rowOf(name);
  const text = (field) => fields.get(field).values[row];
  const title = make("h2", { id: "run-title" }, row < 0 ? "No such run" : [`${text("algorithm")} on ${text("graph")}`, launchOf(row)].filter(Boolean).join(", "));
  const close = make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
  const parts = row < 0 ? [make("p", {}, `This page has no run ${name}.`)] : runParts(row);
  dialog.replaceChildren(make("div", { class: "top" }, title, close), ...parts);
  if (!dialog.open) dialog.showModal();
}

function runParts(row) {
  const shown = new Set(PARTS.flatMap(([, names]) => names));
  const others = [...fields.keys()].filter((name) => !shown.has(name));
  const part = ([title, names]) => [make("h3", {}, title), facts(names, row)];
  const files = row < runs.rows ? filesOf(row) : [make("p", {}, `From ${fields.get(FROM).values[row]}, which has no records.`)];
  return [...PARTS.flatMap(part), ...files, ...part(["More", others])];
}

function filesOf(row) {
  const command = make("pre", { tabindex: 0 }, make("code", {}, linkOf("command", row)));
  return [
    make("h3", {}, "The command that repeats it"),
    make("div", { class: "command" }, command, copyButton(() => linkOf("command", row))),
    make("ul", { class: "files" }, fileLink("record", row), fileLink("log", row)),
  ];
}

function prepareDialog() {
  byId("run").addEventListener("close", () => choice("run") && choose({ run: null }));
  byId("links").textContent = here
    ? ""
    : `Records and logs are not embedded: this page is not where it was written (${runs.page}), so their paths are given without links.`;
}
