// A table that draws one page of its rows, so that it is as fast with 10,000 as with 100.

const PAGE = 100;

// `columns` have name, label and values; `cell(column, row)` returns text or an element, `below` what stands under it, smaller.
// `sorted` is told the order.
function pagedTable(place, { caption, cell, below = () => null, sorted, frozen = 0 }) {
  let columns = [], rows = [], order = "", first = 0;
  const shown = make("span", { "aria-live": "polite" });
  const buttons = ["First", "Previous", "Next", "Last"].map((word) =>
    make("button", { type: "button", onclick: () => turn(word) }, word),
  );
  const bar = make("div", { class: "pages" }, shown, ...buttons);
  const head = make("thead"), body = make("tbody");
  const table = make("table", { class: "data", "data-frozen": frozen || null }, make("caption", { class: "hidden" }, caption), head, body);
  place.replaceChildren(bar, make("div", { class: "scroll tall", tabindex: 0, role: "group", "aria-label": caption }, table));

  const last = () => Math.max(0, PAGE * (Math.ceil(rows.length / PAGE) - 1));

  function turn(word) {
    first = { First: 0, Previous: Math.max(0, first - PAGE), Next: Math.min(last(), first + PAGE), Last: last() }[word];
    drawBody();
  }

  function heading(column) {
    const name = order.replace(/^-/, "");
    const direction = name !== column.name ? "none" : order.startsWith("-") ? "descending" : "ascending";
    const next = direction === "ascending" ? `-${column.name}` : column.name;
    const button = make("button", { type: "button", title: column.meaning || null, onclick: () => sorted(next) }, column.label);
    return make("th", { scope: "col", "aria-sort": direction, "data-column": column.name }, button);
  }

  function drawHead() {
    const focused = head.contains(document.activeElement) && document.activeElement.closest("th").dataset.column;
    head.replaceChildren(make("tr", {}, ...columns.map(heading)));
    if (focused) head.querySelector(`[data-column="${CSS.escape(focused)}"] button`)?.focus();
  }

  function drawBody() {
    const visible = rows.slice(first, first + PAGE);
    const looks = (column, row) => ({ class: column.type === "text" ? null : "number", "data-below": below(column, row) });
    const drawn = (row) => columns.map((column) => make("td", looks(column, row), cell(column, row)));
    body.replaceChildren(...visible.map((row) => make("tr", {}, ...drawn(row))));
    shown.textContent = rows.length ? `Rows ${plain(first + 1)} to ${plain(first + visible.length)} of ${plain(rows.length)}` : "No rows";
    bar.classList.toggle("single", rows.length <= PAGE);
    buttons.forEach((button, at) => (button.disabled = at < 2 ? first === 0 : first >= last()));
    // A second frozen column sticks beside the first, whose width is known once it is drawn.
    table.style.setProperty("--left", `${head.rows[0].cells[0]?.getBoundingClientRect().width ?? 0}px`);
  }

  return (next) => {
    ({ columns, rows, order } = next);
    first = 0;
    drawHead();
    drawBody();
  };
}
