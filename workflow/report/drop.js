// Runs of another device or commit beside those of the page: a summary.csv that is dropped on it.

const OF_PAGE = "this page";

function takeSummary(file, table) {
  if (!isSummary(table)) return `${file}: not a summary.csv of warpath`;
  addRuns(file, table);
  drawFilters();
  drawRunTable();
  choose({ color: FROM, find: null }); // draws the rest
  goTo("explorer");
  return `${file}: ${plain(table.length)} runs beside those of this page`;
}

function addRuns(file, table) {
  const about = { name: FROM, type: "text", unit: "", meaning: "This page, or the file that was dropped on it." };
  if (!fields.has(FROM)) fields.set(FROM, { ...about, label: FROM, values: Array(rowCount).fill(OF_PAGE) });
  for (const column of fields.values()) {
    for (const row of table) column.values.push(column.name === FROM ? file : valueIn(column, row[column.name]));
  }
  rowCount += table.length;
  searchable = null;
}

const TRUTHS = { True: "yes", False: "no" };

// A cell of the file as the page has it; null where it is empty, or no number where there should be one.
function valueIn(column, text) {
  if (text === undefined || text === "") return null;
  if (column.type === "text") return TRUTHS[text] ?? text;
  const value = column.type === "time" ? Date.parse(text) / 1000 : Number(text);
  return Number.isFinite(value) ? value : null;
}
