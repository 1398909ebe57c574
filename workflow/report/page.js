// Put the parts of the page to work.

const DRAWN_BY_FILTERS = /^(find|is\.)/;

function update(changed) {
  const filtered = changed.some((key) => DRAWN_BY_FILTERS.test(key));
  if (filtered) {
    filterRuns();
    showFilters();
    showCount();
    drawControls();
  }
  if (filtered || changed.includes("searches")) drawRanking();
  if (filtered || changed.includes("sort") || changed.includes("columns")) drawTable();
  if (changed.includes("run")) showRun();
  if (changed.some((key) => !["sort", "columns", "run", "searches"].includes(key))) drawChart();
}

// What an address names; one that somebody cut off may have half a character at its end.
function namedInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

// Open the fold that an address leads into, or the browser stays where it is.
function goTo(id) {
  const target = byId(id);
  const fold = target?.closest("details:not([open])");
  if (fold) fold.open = true;
  target?.scrollIntoView();
}

function follow() {
  const view = readAddress();
  if (view) {
    update(["find", "columns", "run", "x"]);
  }
  goTo(view ? "explorer" : namedInAddress());
}

function figureTable(details) {
  details.addEventListener("toggle", async () => {
    if (details.querySelector("table")) return;
    const place = make("div");
    details.append(place);
    const data = await unpacked(`data-${details.dataset.table}`);
    const columns = [...columnsOf(data).values()].map((column) => ({ ...column, values: numbersIn(column.values) }));
    const rows = d3.range(data.rows);
    const cell = (column, row) => (column.values[row] === null ? "" : String(column.values[row]));
    const sorted = (order) => show({ columns, rows: ordered(columns, rows, order), order });
    const show = pagedTable(place, { caption: `Data of ${details.dataset.table}`, cell, sorted, frozen: 1 });
    show({ columns, rows, order: "" });
  });
  const figure = details.closest("figure"), name = details.dataset.table;
  const picture = () => bytesOf(figure.querySelector("img").src.split(",")[1]);
  const saveData = async () => {
    const data = await unpacked(`data-${name}`);
    save(`${name}.csv`, csv([...columnsOf(data).values()], Array(data.rows).keys()), "text/csv");
  };
  details.before(
    make("p", { class: "save" },
      make("button", { type: "button", onclick: () => save(`${name}.svg`, picture(), "image/svg+xml") }, "Save picture (SVG)"), " ",
      make("button", { type: "button", onclick: saveData }, "Save data (CSV)")),
  );
}

// The values of a column as numbers if all of them are.
function numbersIn(values) {
  return values.every((value) => value === null || (value.trim() !== "" && Number.isFinite(Number(value))))
    ? values.map((value) => (value === null ? null : Number(value)))
    : values;
}

// Mark the section that is read in the table of contents.
function markContents() {
  const links = new Map(Array.from(byId("contents").querySelectorAll("a"), (link) => [link.getAttribute("href").slice(1), link]));
  const seen = new IntersectionObserver(
    (entries) => {
      const entry = entries.filter(({ isIntersecting }) => isIntersecting).pop();
      if (!entry) return;
      for (const link of links.values()) link.ariaCurrent = null;
      const link = links.get(entry.target.id);
      link.ariaCurrent = "true";
      byId("contents").scrollTo({ left: link.offsetLeft - 16, top: link.offsetTop - innerHeight / 2 });
    },
    { rootMargin: "-10% 0px -80% 0px" },
  );
  for (const id of links.keys()) if (byId(id)) seen.observe(byId(id));
}

async function start() {
  document.querySelectorAll("details[data-table]").forEach(figureTable);
  markContents();
  await loadRuns();
  const view = readAddress();
  prepareDialog();
  byId("explore").hidden = false;
  filterRuns();
  drawFilters();
  showCount();
  drawRunTable();
  watchers.push(update);
  byId("download").addEventListener("click", downloadRuns);
  drawControls();
  drawRanking();
  byId("link").append(copyButton(() => location.href.replace(/#.*|$/, PLACE + chosen), "Copy link"));
  prepareChart();
  onFiles(takeSummary);
  addEventListener("hashchange", follow);
  goTo(view ? "explorer" : namedInAddress());
  drawChart();
  showRun();
  document.documentElement.dataset.ready = Math.round(performance.now()); // milliseconds since the address was opened
}

// What the explorer would show is in summary.csv, too.
function giveUp(error) {
  const why = `The explorer does not work in this browser: ${error.message}. results/summary.csv has one row per run.`;
  byId("explorer").append(make("p", { class: "notice" }, why));
  throw error;
}

start().catch(giveUp);
