"use strict";
(() => {
  const table = document.getElementById("table");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const form = document.getElementById("filters");
  const find = document.getElementById("find");
  const selects = Array.from(form.querySelectorAll("select"));
  const shown = document.getElementById("shown");

  function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const matches =
        words.every((word) => text.includes(word)) &&
        selects.every((select) => !select.value || row.dataset[select.dataset.filter] === select.value);
      row.hidden = !matches;
      count += matches;
    }
    shown.textContent = `${count} of ${rows.length} runs`;
  }

  // Numbers sort by value, texts in natural order (b64 before b256); empty cells stay last in both directions.
  function key(row, column) {
    const cell = row.cells[column];
    const text = "value" in cell.dataset ? cell.dataset.value : cell.textContent.trim();
    return "value" in cell.dataset && text !== "" ? Number(text) : text;
  }

  function compare(a, b, sign) {
    if (a === "" || b === "") return (a === "") - (b === "");
    return sign * (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
  }

  function sort(heading) {
    const ascending = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const column = heading.cellIndex;
    rows.sort((a, b) => compare(key(a, column), key(b, column), ascending ? 1 : -1));
    body.append(...rows);
  }

  for (const heading of table.querySelectorAll("th[aria-sort]")) {
    heading.querySelector("button").addEventListener("click", () => sort(heading));
  }
  form.addEventListener("input", filter);
  form.addEventListener("change", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
