"""The whole table, then and now (rejaud).

Every variant, network, configuration and edge order: the time measured here and, below it, the time that the report
prints for its unnamed card. Blue is faster now, red slower. Grey cells are not compared: not measured here, not printed
there, or of a to-process-edge variant, whose printed times are too short for a whole solve.
"""

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import charts, select, style
from warpath.results.papers.rejaud.claims import TO_PROCESS_EDGE, VARIANTS, then_and_now
from warpath.runs import statuses

ROW, END = 0.42, 100  # inches, and the end of the scale of colours
HEADS = [f"{block}, {grid}\n{order}" for block, grid in CONFIGURATIONS for order in ("target", "source")]


def draw(tables):
    data = then_and_now(tables)
    comparable = ~data["algorithm"].isin(TO_PROCESS_EDGE)
    data["faster_now"] = (data["then_ms"] / data["now_ms"]).where(comparable)
    graphs, stand_ins = sorted(data["graph"].unique()), set(data.dropna(subset=["stand_in_for"])["graph"])
    names = {graph: f"{graph} *" if graph in stand_ins else graph for graph in graphs}
    figure, axes = charts.panels([ROW * len(graphs)] * len(VARIANTS))
    data["column"] = [f"{row.block:.0f}, {row.grid:.0f}\n{row.order}" for row in data.itertuples()]
    cells = data.assign(row=data["graph"].map(names), value=data["faster_now"], words=data.apply(_words, axis=1))
    for ax, (variant, about) in zip(axes, VARIANTS.items(), strict=True):
        mine, title = cells[cells["algorithm"] == variant], f"{style.plain_name(variant)}: {about}"
        charts.matrix(ax, mine, names.values(), HEADS, END, title)
    notes = [f"* now a stand-in: {', '.join(sorted(stand_ins))}"] if stand_ins else []
    sound = select.sound(select.runs(tables.summary, VARIANTS))
    width = ((sound["high_ms"] - sound["low_ms"]) / sound["median_ms"] / 2).quantile(0.9)
    missing = " –: not measured." if cells["words"].str.startswith("–").any() else ""
    intervals = f"Nine of ten intervals are within ± {style.percent(100 * width)}."
    notes += [f"Upper time: now; lower: then. {intervals}{missing}"]
    runs = select.runs(tables.summary, VARIANTS)
    return charts.picture(figure, __doc__, data.drop(columns="column"), reading, runs=runs, notes=notes)


def _words(cell):
    now = style.duration(cell["now_ms"]) or statuses.WORDS.get(cell["status"], "–")
    return f"{now}\n{style.duration(cell['then_ms'])}".strip()


def reading(data):
    medians = data.groupby("algorithm")["faster_now"].median().dropna()
    listed = ", ".join(f"{style.plain_name(name)} {style.factor(value)}" for name, value in medians.items())
    return f"As fast as on the report's card, in the median: {listed}."
