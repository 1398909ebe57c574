// Tables as CSV files: written for a reader, and read from files that one drops on a page.

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Rows of columns as CSV, as in summary.csv.
function csv(columns, rows) {
  const quoted = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const cell = (column, value) =>
    value === null ? "" : quoted(column.type === "time" ? new Date(1000 * value).toISOString() : String(value));
  const lines = Array.from(rows, (row) => columns.map((column) => cell(column, column.values[row])).join(","));
  return [columns.map((column) => quoted(column.name)).join(","), ...lines, ""].join("\n");
}

// The fields of a CSV file as an object for each row. A field may be quoted, and then hold commas, line breaks and
// doubled quotes.
function parsed(text) {
  const table = [[""]];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at], row = table[table.length - 1];
    if (quoted && letter === '"' && text[at + 1] === '"') row[row.length - 1] += text[(at += 1)];
    else if (letter === '"') quoted = !quoted;
    else if (quoted) row[row.length - 1] += letter;
    else if (letter === ",") row.push("");
    else if (letter === "\n") table.push([""]);
    else if (letter !== "\r") row[row.length - 1] += letter;
  }
  const [head, ...lines] = table.filter((row) => row.length > 1);
  return (lines || []).map((row) => Object.fromEntries((head || []).map((name, at) => [name, row[at] ?? ""])));
}

const isSummary = ([first]) => Boolean(first) && "median_ms" in first && "algorithm" in first && "launch" in first;

// Take tables from files that are dropped anywhere on the page, or chosen: `told(name, table)` returns what is said of it.
function onFiles(told) {
  const place = byId("drop"), input = byId("file");
  const take = async (files) => {
    const said = [];
    for (const file of files) said.push(told(file.name, parsed(await file.text())));
    byId("message").textContent = said.join(" · ");
  };
  input.addEventListener("change", () => take(input.files));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("over");
  });
  document.addEventListener("dragleave", () => place.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    take(event.dataTransfer.files);
  });
}
