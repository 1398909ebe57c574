// Algorithms by the geometric mean, over the graphs that match, of their fastest launch's time over the best of all.

const PENALTY = 2; // without an answer a time counts as so many times the slowest on its graph
const MOST_GRAPHS = 60, MOST_IN_PRINT = 8; // with columns of their own: of more there are the means, until filters leave fewer

function drawRanking() {
  const rows = [...fastestBy(matching, keyOf("problem", "graph", "algorithm")).values()];
  const problems = d3.groups(rows, (row) => fields.get("problem").values[row]);
  byId("ranking").replaceChildren(...problems.map(([problem, mine]) => ranked(problem.toUpperCase(), mine)));
}

function ranked(problem, rows) {
  const [graph, median, prepare] = ["graph", "median_ms", "prepare_ms"].map((name) => fields.get(name)?.values ?? []);
  const searches = Number(choice("searches", "1")), graphs = d3.groups(rows, (row) => graph[row]);
  const costs = [(row) => median[row], (row) => (prepare[row] ?? 0) / searches + median[row]];
  const over = (row, others, cost) => (row === undefined ? PENALTY * d3.max(others, cost) : cost(row)) / d3.min(others, cost);
  const systems = d3.groups(rows, (row) => nameOf(row).replace(/^.*?\/|\/[^/]*?(?= in |$)/g, "")).map(([name, mine]) => {
    const own = new Map(mine.map((row) => [graph[row], row]));
    const means = costs.map((cost) => Math.exp(d3.mean(graphs, ([place, others]) => Math.log(over(own.get(place), others, cost)))));
    return { name, own, means };
  });
  const shown = graphs.length > (printing ? MOST_IN_PRINT : MOST_GRAPHS) ? [] : graphs;
  const viewOf = (graph) => make("a", { href: PLACE + new URLSearchParams({ "is.graph": graph }) }, graph);
  const heads = [problem, "mean, solve", `mean, ${searches} with preparing`, ...shown.map(([place]) => viewOf(place))];
  const cell = (text, ratio) => {
    const share = Math.round(24 - 24 * Math.min(1, Math.log10(ratio || 10)));
    return make("td", { class: "number", style: `background: color-mix(in srgb, var(--good) ${share}%, transparent)` }, text);
  };
  const lines = d3.sort(systems, ({ means }) => means[0]).map(({ name, own, means }) => make("tr", {},
    make("th", { scope: "row" }, name), ...means.map((mean) => cell(factor(mean), mean)),
    ...shown.map(([place, others]) => (own.has(place) ? cell(duration(median[own.get(place)]), over(own.get(place), others, costs[0])) : cell("–"))),
  ));
  const table = make("table", { class: "data", "data-frozen": 1 },
    make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { scope: "col", class: at ? "number" : null }, head)))), make("tbody", {}, ...lines));
  return make("div", { class: "scroll tall", tabindex: 0, role: "group", "aria-label": `Ranking, ${problem}` }, table);
}
