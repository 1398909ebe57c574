import functools
import importlib
import itertools
import re
import warnings
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import seaborn
import synthetic
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from synthetic import runs

from warpath.algorithms import discovery
from warpath.results import charts, figures, gather, select, style
from warpath.results.evidence import Evidence, published
from warpath.results.figures import Nothing, pathak2021_apsp, pathak2021_sssp
from warpath.runs import plan

pytestmark = pytest.mark.usefixtures("few_resamples")

STUDIES = ("quickstart", "harish2007", "singh2017", "agarwal2015", "rejaud", "pathak2021", "frontier", "zoo", "gap")


def draw(name, tables):
    """Call the figure's own function."""
    return importlib.import_module(f"warpath.results.figures.{name}").draw(tables)


@pytest.fixture(scope="module")
def pictures(tables, emulated):
    """A picture of a study, drawn once for all tests that only look at it."""

    @functools.cache
    def of(figure, study=None, device="cuda"):
        study = study or FIRST[figure]
        return draw(figure, tables(study) if device == "cuda" else emulated(study))

    return of


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def text(picture):
    """All text in a picture."""
    return " ".join(label.get_text() for label in picture.figure.findobj(Text))


def pairs():
    for study in STUDIES:
        described = plan.schemas.read(plan.study_file(study), "study")
        yield from ((study, figure) for figure in described["figures"])


PAIRS = [*pairs(), ("quickstart", "energy")]
FIRST = {figure: study for study, figure in reversed(PAIRS)}
CASES = [
    pytest.param(study, figure, marks=[] if study == FIRST[figure] else pytest.mark.slow) for study, figure in PAIRS
]


def test_every_figure_is_part_of_a_study_that_is_tested():
    assert {figure for _, figure in PAIRS} == set(figures.names())


@pytest.mark.parametrize(("study", "figure"), CASES)
def test_figure_of_a_study_is_drawn_whole_and_labelled(tables, tmp_path, study, figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        charts.draw(figure, tables(study), tmp_path)
    title, caption = figures.title_and_caption(figure)
    svg = ElementTree.parse(tmp_path / f"{figure}.svg")
    described = svg.find(".//{http://purl.org/dc/elements/1.1/}description").text
    assert svg.find(".//{http://www.w3.org/2000/svg}title").text == title
    assert len(described) > 20 and "nan" not in described.lower()
    assert len(caption) > 60
    width, height = (float(svg.getroot().get(side).removesuffix("pt")) for side in ("width", "height"))
    assert width > (450 if figure == "frontier_factors" else 750) and height < 4000
    data = pd.read_csv(tmp_path / f"{figure}.csv")
    assert len(data) and list(data.columns) != ["reason"]


def often(figure):
    """The figure as a parameter: a slow one, unless it is one of a few that stand for the others."""
    return figure if figure in ("time_by_algorithm", "speedup", "decision_map") else pytest.param(figure, marks=SLOW)


SLOW = pytest.mark.slow
NEED_A_GPU = {"share_of_limit", "energy"}


@pytest.mark.parametrize("figure", [often(name) for name in figures.names() if name not in NEED_A_GPU])
def test_emulation_is_never_labelled_as_a_gpu(pictures, figure):
    labels = " ".join(text(pictures(figure, device="host")).split())
    assert "host (CPU emulation): Example CPU" in labels
    assert "CPU emulation says nothing about a GPU's speed" in labels
    assert "GPU:" not in labels and "(GPU)" not in labels


def test_figure_names_the_gpu_and_the_cpu_and_its_title_says_the_finding(pictures):
    picture = pictures("speedup", "singh2017")
    labels = " ".join(text(picture).split())
    assert " ".join(picture.reading.split()) in labels
    assert "GPU: NVIDIA H200" in labels and "CPU, sequential: Example CPU" in labels and "host" not in labels


@pytest.mark.parametrize("figure", figures.names())
def test_figure_without_data_gives_the_reason(tmp_path, figure):
    made = gather.gather(synthetic.planned(FIRST[figure]), tmp_path / "nothing")
    charts.draw(figure, Evidence(*made, published()), tmp_path)
    reason = pd.read_csv(tmp_path / f"{figure}.csv")["reason"].item()
    assert len(reason) > 20
    assert reason.split()[0] in (tmp_path / f"{figure}.svg").read_text()


def test_time_outs_and_wrong_answers_are_marked_not_dropped():
    (noisy,) = runs("rome99 sssp/coarsened:b256-c2=1", flags=["noisy"])
    measured = "rome99 sssp/two_kernel=1 sssp/bellman_ford!timeout=1 sssp/racy!wrong=1"
    picture = draw("time_by_algorithm", synthetic.tables(measured, noisy))
    for words in ("✕ timed out", "✕ wrong answer", "○ noisy or wrong answer"):
        assert words in text(picture)
    assert picture.data.loc[picture.data["median_ms"].isna(), "status"].tolist() == ["timeout"]
    assert set(picture.data["status"]) == {"ok", "timeout", "wrong"}


def test_a_line_names_unsound_runs_with_their_places_in_the_legend():
    endings = {4096: ("", ""), 10_000: ("!timeout", ""), 30_000: ("!timeout", "!out_of_memory")}
    records = []
    for vertices, (of_vertex, of_pair) in endings.items():
        names = f"apsp/repeated_sssp=1 apsp/fw_vertex{of_vertex}=1 apsp/fw_pair{of_pair}=1"
        graph = f"random-{vertices // 1000}k-d6"
        records += runs(f"{graph} {names} apsp/cpu_floyd_warshall!wrong=1", vertices=vertices, time_limit_s=None)
    (ax,) = draw("harish2007_apsp", synthetic.tables(*records)).figure.axes
    labels = {label.get_text().replace(" after 240 s", "") for label in ax.get_legend().get_texts()}
    assert {"fw_vertex · GPU\n✕ timed out at 10 K, 30 K", "fw_pair · GPU\n✕ out of memory at 30 K"} < labels
    assert "cpu_floyd_warshall · CPU, sequential\n✕ wrong answer" in labels
    assert ax.get_xlim()[0] < 4096 and ax.get_xlim()[1] > 30_000


def test_heatmap_shows_statuses_and_leaves_unplanned_launches_empty():
    rome = "rome99 bfs/level:b64=1 bfs/level:b256=3 bfs/level:b128!timeout=1"
    tables = synthetic.tables(f"{rome}; email-Eu-core bfs/level:b64=1 bfs/level:b512!out_of_memory=1")
    picture = draw("launch_heatmap", tables)
    cells = picture.data.set_index(["graph", "launch"])["slower_than_best"]
    assert cells["rome99", "b256"] == pytest.approx(3, rel=0.05)
    for words in (" 3 ", "timeout: timed out", "mem: out of memory"):
        assert words in text(picture)
    waiting = tables.summary.assign(graph=lambda table: table["graph"] + "-2", arcs=pd.NA, status="missing")
    summary = pd.concat([tables.summary, waiting.astype(tables.summary.dtypes)], ignore_index=True)
    assert "rome99-2" in text(draw("launch_heatmap", replace(tables, summary=summary)))


def test_heatmap_shows_ties_as_ties():
    picture = draw("launch_heatmap", synthetic.tables("rome99 bfs/level:b64=1 bfs/level:b128=1.001 bfs/level:b256=2"))
    assert picture.data.set_index("launch")["tie"].to_dict() == {"b64": True, "b128": True, "b256": False}
    (mesh,) = picture.figure.axes[0].collections
    assert mesh.get_array().ravel()[:2].tolist() == [1, 1] and mesh.get_array().ravel()[2] < 0.6
    assert "≈1 " in text(picture) and "≈: as fast as the best" in text(picture)
    assert "50 % of the other launches are as fast as the best." in picture.reading


def test_markers_tell_shortened_runs_from_noisy_ones():
    flags = ["", "shortened", "noisy", "shortened noisy", ""]
    rows = pd.DataFrame({"x": range(5), "flags": flags, "status": ["ok"] * 4 + ["wrong"]})
    ax = plt.figure().add_subplot()
    charts.holes(ax, rows, "x", "x")
    half, whole = ax.lines
    assert list(whole.get_xdata()) == [2, 3, 4] and whole.get_fillstyle() == "full"
    assert list(half.get_xdata()) == [1] and half.get_fillstyle() == "right"


def test_more_than_a_dozen_graphs_are_summarised():
    measured = [f"random-{n}@1000,{1000 * n} bfs/level={n} bfs/queue={2 * n}" for n in range(1, 14)]
    picture = draw("time_by_algorithm", synthetic.tables(*measured))
    ax = picture.figure.axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["level", "queue"]
    assert ax.get_title(loc="left") == "BFS, 13 graphs" and "median of 13: 2×" in text(picture)
    assert len(picture.data) == 26, "the table beside it still has every graph"


def test_shares_of_the_limit_are_a_series_for_each_width():
    names = "square-2k@2048,65536 apsp/fw_tiled:w16-t64=0.6 apsp/fw_tiled:w32-t64=0.8"
    picture = draw("share_of_limit", synthetic.tables(names, rates=synthetic.RATES))
    shares = picture.data.set_index("series")["percent_of_limit"]
    assert shares["fw_tiled, 32 bits"] > shares["fw_tiled, 16 bits"]
    assert all(style.percent(share) in text(picture) for share in shares)
    assert (picture.data["percent_low"] < picture.data["percent_high"]).all()


def test_a_profile_needs_five_graphs():
    graphs = [f"random-{n} bfs/level=1 bfs/queue=1" for n in range(5)]
    with pytest.raises(Nothing, match="5 graphs"):
        draw("performance_profile", synthetic.tables(*graphs[:4]))
    draw("performance_profile", synthetic.tables(*graphs))


def test_names_are_never_parsed_as_markup_or_mathematics(tmp_path):
    graph = "a_$b^{$<script>&amp;"
    tables = synthetic.tables(synthetic.record(graph), synthetic.record(graph, launch="b64"))
    for figure in ("time_by_algorithm", "launch_heatmap"):
        charts.draw(figure, tables, tmp_path)
        ElementTree.parse(tmp_path / f"{figure}.svg")
        assert graph in set(pd.read_csv(tmp_path / f"{figure}.csv")["graph"])


def test_the_same_tables_give_the_same_picture_to_the_byte(tables, tmp_path):
    for folder in ("once", "again"):
        charts.draw("speedup", tables("singh2017"), tmp_path / folder)
    assert (tmp_path / "once/speedup.svg").read_bytes() == (tmp_path / "again/speedup.svg").read_bytes()


def test_wrong_answers_of_one_kernel_do_not_hide_the_others_at_the_largest_size():
    runs = "bfs/one_frontier{}=4 bfs/frontier=5 bfs/cpu_queue=40"
    small, large = (f"random-{n}m-d6@{n}000000,{6 * n}000000 {runs}" for n in (1, 10))
    picture = draw("harish2007_vertices", synthetic.tables(small.format(""), large.format("!wrong")))
    assert picture.reading == "BFS over the sequential CPU, at the largest size: 8× on 10 M random vertices."


@pytest.mark.parametrize(
    ("figure", "missing", "type"),
    [
        ("harish2007_roads", ("USA-road-d.NY", "bfs/cpu_queue", "default", "cpu"), object),
        ("time_by_algorithm", ("roadNet-CA", "bfs/frontier", "b256", "cuda"), "Int64"),
    ],
)
def test_a_graph_has_its_size_where_some_runs_are_missing_and_is_last_without_any(figure, missing, type):
    record = synthetic.record("USA-road-d.NY", "bfs/frontier", device="cuda", arcs=730_100)
    tables = synthetic.tables(record, missing=[missing])
    drawn = text(draw(figure, replace(tables, summary=tables.summary.astype({"arcs": type}))))
    assert "730 K arcs" in drawn and drawn.index("USA-road-d.NY") <= drawn.index(missing[0])


def test_no_algorithm_is_the_fastest_before_the_others_are_measured():
    def fastest(graphs):
        absent = [("unknown", "bfs/cpu_queue", "default", "cpu")]
        return charts.fastest(select.best(synthetic.tables(graphs, missing=absent).summary))

    known = fastest("known bfs/level=2 bfs/cpu_queue=1; unknown bfs/level=2")
    assert known == "BFS: cpu_queue is fastest on 1 graph."
    assert fastest("unknown bfs/level=2") == "On no graph all algorithms are measured yet."


def test_then_and_now_lie_side_by_side(pictures):
    data = pictures("rejaud_table", "rejaud").data
    not_tried = (data["algorithm"] == "sssp/bmf_shared") & (data["order"] == "source")  # by the report
    assert not_tried.sum() == 2 * 6 and len(data) == 270 + 12 and data["now_ms"].notna().all()
    assert (data["then_ms"].isna() == not_tried).all()
    cell = data[(data["graph"] == "soc-pokec") & (data["algorithm"] == "sssp/tpe_incore") & (data["block"] == 1024)]
    assert cell.set_index("order")["then_ms"]["source"] == pytest.approx(0.162 + 0.043)
    coloured = data.groupby("algorithm")["faster_now"].count()  # what can be compared
    assert coloured[["sssp/tpe_incore", "sssp/tpe_outcore"]].sum() == 0
    assert coloured[["sssp/bmf_incore", "sssp/bmf_outcore", "sssp/bmf_shared"]].min() > 0


def test_unsound_factors_are_in_the_legend():
    factors = "sssp/coarsened:b256-c1=1 sssp/coarsened:b256-c2=1 sssp/coarsened:b256-c16!timeout=1"
    picture = draw("pathak2021_coarsening", synthetic.tables(f"dense-2700 {factors}"))
    assert "✕ timed out after 240 s at 16" in text(picture)


def test_printed_times_keep_their_place_if_the_first_run_of_a_graph_is_missing():
    measured = runs("random-10m-d6 bfs/cpu_queue=1000", vertices=10_000_000)
    missing = ("random-10m-d6", "bfs/frontier", "b256", "cuda")
    picture = draw("harish2007_vertices", synthetic.tables(*measured, missing=[missing]))
    diamonds = [line for line in picture.figure.axes[0].lines if "the paper" in line.get_label()]
    assert diamonds and all(list(line.get_xdata()) == [10_000_000] for line in diamonds)


def test_stand_ins_are_marked_where_the_report_names_the_network():
    tables = synthetic.tables("web-Google.stand-in sssp/bmf_incore:b256-g8-source=1", device="host")
    assert "web-Google (now a stand-in)" in text(draw("rejaud_configurations", tables))
    table = text(draw("rejaud_table", tables))
    assert "web-Google *" in table and "* now a stand-in: web-Google" in table and "–: not measured" in table
    assert "web-Google.stand-in" in text(draw("time_by_algorithm", tables))


def contrast(first, second):
    """The contrast of two colours as the WCAG define it."""
    dark, light = sorted(map(seaborn.utils.relative_luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


def test_words_stand_out_from_every_cell_and_from_the_paper_in_both_schemes():
    cells = [charts.RATIOS(value) for value in np.linspace(0, 1, 256)]
    assert min(contrast(charts.ink(cell), cell) for cell in cells) >= 4.5
    nights = style.night()
    for light, dark in {colour: nights[colour.lower()] for colour in (style.INK, style.MUTED)}.items():
        for paper in (style.PAPER, style.EMPTY):
            assert contrast(light, paper) >= 4.5 and contrast(dark, nights[paper.lower()]) >= 4.5
    assert min(contrast(nights[colour.lower()], nights[style.PAPER.lower()]) for colour in style.PALETTE) >= 3


@pytest.mark.parametrize("figure", ["launch_heatmap", "decision_map", "rejaud_table", "zoo"])
def test_cells_are_as_readable_as_their_ink_and_hold_their_words(pictures, figure):
    picture = pictures(figure)
    picture.figure.draw_without_rendering()
    for ax in picture.figure.axes:
        (mesh,) = ax.collections
        colours = mesh.get_facecolors().reshape(*mesh.get_array().shape, 4)
        for label in (label for label in ax.texts if label.get_label() == "cell" and label.get_text()):
            x, y = map(int, label.get_position())
            face = colours[y, x] if colours[y, x][3] else ax.get_facecolor()
            assert contrast(label.get_color(), face[:3]) >= 4.5
            left, right = (ax.transData.transform((x + end, y))[0] for end in (0, 1))
            assert 1.1 * label.get_window_extent().width < 1.1 * (right - left), label.get_text()


def test_an_svg_is_small_keeps_its_words_and_follows_the_scheme(tables, tmp_path):
    charts.draw("time_by_algorithm", tables("quickstart"), tmp_path)
    svg = (tmp_path / "time_by_algorithm.svg").read_text()
    assert len(svg) < 60_000 and ">facebook_combined · 176 K arcs</text>" in svg
    assert "@media screen and (prefers-color-scheme: dark){" in svg and " style=" not in svg
    assert not re.search(r' (?:d|x|y|transform)="[^"]*\d\.\d\d', svg) and "font-family: sans-serif" in svg


def linear(colour):
    channels = np.array(to_rgb(colour))
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def test_colours_stand_out_from_white():
    contrasts = {colour: contrast(colour, style.PAPER) for colour in [*style.PALETTE, style.PUBLISHED]}
    assert {colour: seen for colour, seen in contrasts.items() if seen < 3} == {}


# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "normal": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}
TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]


def lab(colour, vision):
    """A colour in CIELAB, as somebody with this vision sees it."""
    seen = np.clip(np.array(VISION[vision]) @ linear(colour), 0, 1)
    ratio = np.array(TO_XYZ) @ seen / [0.95047, 1, 1.08883]
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISION)
def test_colours_of_series_are_told_apart_with_any_vision(vision):
    for colours in (style.PALETTE, sorted(set(style.COLOURS.values()))):
        for first, second in itertools.combinations(colours, 2):
            assert np.linalg.norm(lab(first, vision) - lab(second, vision)) > 15, (first, second)


def test_no_two_algorithms_of_a_problem_look_the_same():
    for _, group in itertools.groupby(sorted(discovery.find()), key=lambda name: name.split("/")[0]):
        looks = [style.look(name) for name in group]
        assert len(set(looks)) == len(looks)
        assert {colour for colour, _ in looks} <= set(style.PALETTE)
    assert style.look("bfs/brand_new") not in looks


@pytest.mark.parametrize(
    ("wording", "numbers"),
    [
        (style.duration, {0.00012: "120 ns", 0.0123: "12.3 µs", 999: "999 ms", 1234: "1.23 s", 240_000: "240 s"}),
        (style.factor, {0.251: "0.251×", 3: "3×", 94.4: "94.4×", 4000: "4,000×"}),
        (style.percent, {100: "100 %", 67.3: "67 %", 5: "5 %", 0.0123: "0.012 %", 8e-5: "0.00008 %"}),
        (style.launch, {"a16-be64-tree": "alpha 16, beta 64, with tree", "lb1": "lb 1", "default": ""}),
        (style.count, {5: "5", 8870: "8.87 K", 1_234_567: "1.23 M", 2e9: "2 G"}),
    ],
)
def test_numbers_are_short(wording, numbers):
    assert {number: wording(number) for number in numbers} == numbers


@pytest.mark.parametrize(("slower", "certain"), [(2, True), (1.005, False)])
def test_a_profile_has_what_the_intervals_of_times_allow(slower, certain):
    graphs = [f"random-{n} bfs/level=1 bfs/queue={slower}" for n in range(5)]
    data = draw("performance_profile", synthetic.tables(*graphs)).data
    fastest = data[(data["algorithm"] == "bfs/level") & (data["within_factor"] == 1)]
    assert (fastest["least"] == 1).all() and (fastest["most"] == 1).all() == certain


def test_the_profile_counts_a_missing_run_as_not_solved_and_says_so(tables):
    whole = tables("frontier")
    graph = whole.summary["graph"].iloc[0]
    one_run = (whole.summary["algorithm"] == "bfs/level") & (whole.summary["graph"] == graph)
    whole_graph = (whole.summary["graph"] == "facebook_combined") & (whole.summary["problem"] == "apsp")
    summary = whole.summary.assign(status=whole.summary["status"].mask(one_run | whole_graph, "missing"))
    picture, complete = (draw("performance_profile", each) for each in (replace(whole, summary=summary), whole))
    assert set(picture.data["algorithm"]) == set(complete.data["algorithm"])
    graphs = whole.summary.loc[whole.summary["algorithm"] == "bfs/level", "graph"].nunique()
    drawn = (each.figure.axes[0].lines for each in (complete, picture))
    lines = ([line for line in mine if "level ·" in line.get_label()] for mine in drawn)
    shares = [max(line.get_ydata()[line.get_xdata() < line.axes.get_xlim()[1]]) for (line,) in lines]
    assert shares[1] == pytest.approx(shares[0] - 1 / graphs)
    assert "level · GPU, 1 without a result" in text(picture)
    assert "without a result" not in text(complete)


def test_pathaks_printed_speedups_are_drawn_as_ranges_of_times():
    measured = "dense-7500 apsp/cpu_floyd_warshall=8000 apsp/cpu_repeated_dijkstra=4000 apsp/fw_pair=400"
    tables = synthetic.tables(f"{measured} apsp/repeated_sssp=900; dense-2700 sssp/cpu_dijkstra=39")
    ms = tables.summary.set_index("algorithm")["median_ms"]
    cpu, gpu = pathak2021_apsp.printed(tables, tables.summary).values()
    assert cpu["dense-7500"] == (ms["apsp/cpu_repeated_dijkstra"] / 4000, ms["apsp/cpu_repeated_dijkstra"] / 500)
    assert gpu["dense-7500"] == (ms["apsp/fw_pair"] / 40, ms["apsp/fw_pair"] / 20)
    assert pathak2021_sssp.printed(tables, tables.summary)["dense-2700"] == pytest.approx((5, 20), rel=0.05)
    labels = text(draw("pathak2021_apsp", tables))
    assert "the paper: 500 to 4000× over the CPU" in labels and "the paper: 20× over the next" in labels


@pytest.mark.parametrize(
    ("graph", "search", "tree", "over"),
    [
        ("gap-kron", "bfs/persistent", True, 5),
        ("gap-kron", "bfs/persistent", False, None),  # the suite asks for parents
        ("gap-kron", "sssp/near_far", False, 10),
        ("gap-kron.stand-in", "sssp/near_far", False, None),
    ],
)
def test_like_is_compared_with_like_in_the_gap_suite(graph, search, tree, over):
    ours = {"graph": graph, "algorithm": search, "device": "cuda"}
    with_tree = synthetic.record(**ours, launch="tree", median_ms=20, parameters={"tree": 1}, flags=["shortened"])
    records = [synthetic.record(**ours, median_ms=10), *[with_tree] * tree]
    printed = pd.DataFrame({"value": [316.0, 100.0]}).assign(paper="gap", quantity="time", graph="gap-kron")
    printed["algorithm"] = f"{search.split('/')[0]}/gap"
    picture = draw("gap_suite", replace(synthetic.tables(*records), published=printed))
    assert picture.data["over_gap"].fillna(0).item() == pytest.approx(over or 0, rel=0.05)
    assert ("◐" in text(picture)) == tree


def test_the_cost_of_preparing_is_paid_back_after_so_many_searches():
    names = {"bfs/level": (1.0, 4.0), "bfs/persistent": (31.0, 1.0), "bfs/queue": (9.0, 9.0)}
    records = [
        record | {"preparing": {"ms": prepare}}
        for name, (prepare, solve) in names.items()
        for record in runs(f"rome99 {name}={solve}*")
    ]
    picture = draw("prepare_cost", synthetic.tables(*records))
    found = picture.data.set_index("algorithm")["best_from"].dropna().to_dict()
    assert found == {"bfs/level": 1, "bfs/persistent": 11}
    assert "persistent, wins from search 11" in text(picture)
    end = "BFS: the fastest is ahead with its first search on 0 of 1 graphs, elsewhere from search 11 on."
    assert picture.reading.endswith(end)
