import functools
import importlib
import itertools
import warnings
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pandas as pd
import pytest
import synthetic
from matplotlib.text import Text
from PIL import Image

from warpath.algorithms import discovery
from warpath.foundation.errors import UserError
from warpath.results import figures, frames, gather, published, select, style

STUDIES = ("quickstart", "harish2007", "singh2017", "agarwal2015", "rejaud", "pathak2021", "frontier")
RATES = {"copy_bytes_per_s": 4e12, "relaxations_per_s": 16e12, "environment": {"device_name": "NVIDIA H200"}}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The plan and the tables of a study, read from files as for its figures; cached."""

    @functools.cache
    def of(name, device="cuda"):
        planned, records = synthetic.of_study(name, device)
        folder = tmp_path_factory.mktemp(name)
        synthetic.write(folder, *records)
        timings, summary = gather.gather(planned, folder, RATES)
        frames.write(timings, folder / "t.parquet")
        frames.write(summary, folder / "s.csv")
        read = frames.read(folder / "t.parquet", folder / "s.csv")
        return planned, figures.Tables(*read, published.read())

    return of


def of_records(folder, *records):
    """The tables of these records as a figure gets them."""
    tables = synthetic.tables(folder, *records)
    return figures.Tables(tables.timings, tables.summary, published.read())


def draw(name, tables):
    """Call the figure's own function."""
    style.apply()
    return importlib.import_module(f"warpath.results.figures.{name}").draw(tables)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def text(picture):
    """All text in a picture."""
    return " ".join(label.get_text() for label in picture.figure.findobj(Text))


def pairs():
    from warpath.runs import plan

    for study in STUDIES:
        described = plan.schemas.read(plan.study_file(study), "study")
        yield from ((study, figure) for figure in described["figures"])


PAIRS = list(pairs())
FIRST = {figure: study for study, figure in reversed(PAIRS)}
CASES = [
    pytest.param(study, figure, marks=[] if study == FIRST[figure] else pytest.mark.slow) for study, figure in PAIRS
]


def test_every_figure_is_part_of_a_study_that_is_tested():
    assert {figure for _, figure in PAIRS} == set(figures.names())


@pytest.mark.parametrize(("study", "figure"), CASES)
def test_figure_of_a_study_is_drawn_whole_and_labelled(tables, tmp_path, study, figure):
    study_tables = tables(study)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figures.draw(figure, study_tables, tmp_path)
    title, caption = figures.title_and_caption(figure)
    svg = ElementTree.parse(tmp_path / f"{figure}.svg")
    described = svg.find(".//{http://purl.org/dc/elements/1.1/}description").text
    assert svg.find(".//{http://www.w3.org/2000/svg}title").text == title
    assert len(described) > 20 and "nan" not in described.lower()
    assert len(caption) > 60
    width, height = Image.open(tmp_path / f"{figure}.png").size
    assert width > 1500 and height < 8000
    data = pd.read_csv(tmp_path / f"{figure}.csv")
    assert len(data) and list(data.columns) != ["reason"]


@pytest.mark.parametrize("figure", [name for name in figures.names() if name != "share_of_limit"])
def test_emulation_is_never_labelled_as_a_gpu(tables, figure):
    labels = text(draw(figure, tables(FIRST[figure], "host")[1]))
    assert "host (CPU emulation): Example CPU" in labels
    assert "CPU emulation says nothing about a GPU's speed" in labels
    assert "GPU:" not in labels and "(GPU)" not in labels


def test_figure_names_the_gpu_and_the_cpu(tables):
    labels = text(draw("speedup", tables("singh2017")[1]))
    assert "GPU: NVIDIA H200" in labels and "CPU, sequential: Example CPU" in labels and "host" not in labels


@pytest.mark.parametrize("figure", figures.names())
def test_figure_without_data_gives_the_reason(tmp_path, figure):
    planned, _ = synthetic.of_study(FIRST[figure])
    timings, summary = gather.gather(planned, tmp_path / "nothing")
    figures.draw(figure, figures.Tables(timings, summary, published.read()), tmp_path)
    reason = pd.read_csv(tmp_path / f"{figure}.csv")["reason"].item()
    assert len(reason) > 20
    assert (tmp_path / f"{figure}.png").stat().st_size > 1000


def test_time_outs_and_wrong_answers_are_marked_not_dropped(tmp_path):
    tables = of_records(
        tmp_path,
        synthetic.record(algorithm="sssp/two_kernel"),
        synthetic.record(algorithm="sssp/bellman_ford", status="timeout"),
        synthetic.record(algorithm="sssp/racy", status="wrong"),
        synthetic.record(algorithm="sssp/coarsened", launch="b256-c2", flags=["noisy"]),
    )
    picture = draw("time_by_algorithm", tables)
    labels = text(picture)
    assert "✕ timed out" in labels and "✕ wrong answer" in labels and "hollow marker" in labels
    assert set(picture.data["status"]) == {"ok", "timeout", "wrong"}


def test_wrong_answers_keep_their_times_hollow_and_named(tmp_path):
    sizes = {"random-1m-d6": 1_000_000, "random-2m-d6": 2_000_000}
    runs = [
        synthetic.record(graph, f"sssp/{name}", status=status, vertices=vertices)
        for graph, vertices in sizes.items()
        for name, status in (("racy", "wrong"), ("two_kernel", "ok"))
    ]
    picture = draw("harish2007_vertices", of_records(tmp_path, *runs))
    ax = picture.figure.axes[1]
    assert any(entry.get_text().endswith("random: wrong answer") for entry in ax.get_legend().get_texts())
    hollow = [line for line in ax.lines if line.get_markerfacecolor() == "white" and len(line.get_xdata())]
    assert hollow and all(list(line.get_xdata()) == list(sizes.values()) for line in hollow)
    assert {line.get_color() for line in hollow} == {style.look("sssp/racy")[0]}
    assert "its answer is wrong" in text(picture) and "(wrong answers)" in picture.reading


def test_a_line_marks_unsound_runs_at_their_place_or_in_the_legend(tmp_path):
    random = [f"random-{size}-d6" for size in ("4k", "10k", "30k")]
    vertices = dict(zip(random, (4096, 10_000, 30_000), strict=True))
    tables = of_records(
        tmp_path,
        *[
            synthetic.record(graph, algorithm, status=status, vertices=vertices[graph])
            for graph in random
            for algorithm, status in {
                "apsp/repeated_sssp": "ok",
                "apsp/fw_vertex": "ok" if graph == random[0] else "timeout",
                "apsp/fw_pair": "out_of_memory" if graph == random[2] else "ok",
                "apsp/cpu_floyd_warshall": "wrong",
            }.items()
        ],
    )
    picture = draw("harish2007_apsp", tables)
    ax = picture.figure.axes[0]
    marks = {(mark.get_text(), mark.xy[0]): mark.xyann[1] for mark in ax.texts if "✕" in mark.get_text()}
    assert set(marks) == {
        ("✕ fw_vertex timed out", 10_000),
        ("✕ fw_vertex timed out", 30_000),
        ("✕ fw_pair out of memory", 30_000),
    }
    heights = [marks[label, 30_000] for label in ("✕ fw_vertex timed out", "✕ fw_pair out of memory")]
    assert abs(heights[0] - heights[1]) > 10, "two marks at one place overlap"
    assert ax.get_xlim()[0] < 4096 and ax.get_xlim()[1] > 30_000
    assert any(entry.get_text().endswith(": wrong answer") for entry in ax.get_legend().get_texts())


def test_heatmap_shows_statuses_and_leaves_unplanned_launches_empty(tmp_path):
    tables = of_records(
        tmp_path,
        synthetic.record("rome99", launch="b64", median_ms=1),
        synthetic.record("rome99", launch="b256", median_ms=3),
        synthetic.record("email-Eu-core", launch="b64"),
        synthetic.record("email-Eu-core", launch="b512", status="out_of_memory"),
    )
    picture = draw("launch_heatmap", tables)
    cells = picture.data.set_index(["graph", "launch"])["slower_than_best"]
    assert cells["rome99", "b256"] == pytest.approx(3, rel=0.05)
    assert "3.0" in text(picture) and "mem" in text(picture)


def test_names_are_never_parsed_as_markup_or_mathematics(tmp_path):
    graph = "a_$b^{$<script>&amp;"
    tables = of_records(tmp_path / "runs", synthetic.record(graph), synthetic.record(graph, launch="b64"))
    for figure in ("time_by_algorithm", "launch_heatmap"):
        figures.draw(figure, tables, tmp_path)
        ElementTree.parse(tmp_path / f"{figure}.svg")
        assert graph in set(pd.read_csv(tmp_path / f"{figure}.csv")["graph"])


def test_the_same_tables_give_the_same_picture_to_the_byte(tables, tmp_path):
    for folder in ("once", "again"):
        figures.draw("speedup", tables("singh2017")[1], tmp_path / folder)
    assert (tmp_path / "once/speedup.svg").read_bytes() == (tmp_path / "again/speedup.svg").read_bytes()


def test_speedup_is_over_the_fastest_cpu_run(tmp_path):
    tables = of_records(
        tmp_path,
        synthetic.record(algorithm="sssp/cpu_dijkstra", launch="default", device="cpu", median_ms=8, flags=["noisy"]),
        synthetic.record(algorithm="sssp/cpu_bellman_ford", launch="default", device="cpu", median_ms=80),
        synthetic.record(algorithm="sssp/two_kernel", device="cuda", median_ms=2),
    )
    row = select.speedups(tables.timings, tables.summary).iloc[0]
    assert (row.baseline, row.speedup) == ("sssp/cpu_dijkstra", pytest.approx(4))
    assert row.speedup_low <= row.speedup <= row.speedup_high
    assert row["flags"] == "noisy"  # of either side


def test_then_and_now_lie_side_by_side(tables):
    data = draw("rejaud_table", tables("rejaud")[1]).data
    not_tried = (data["algorithm"] == "sssp/bmf_shared") & (data["order"] == "source")  # by the report
    assert (len(data), not_tried.sum()) == (300, 30)
    assert (data["then_ms"].isna() == not_tried).all() and data["now_ms"].notna().all()
    cell = data[(data["graph"] == "soc-pokec") & (data["algorithm"] == "sssp/tpe_incore") & (data["block"] == 1024)]
    assert cell.set_index("order")["then_ms"]["source"] == pytest.approx(0.162 + 0.043)


@pytest.mark.parametrize("figure", ["time_by_algorithm", "speedup", "performance_profile"])
def test_emulated_times_are_not_ranked(tables, figure):
    readings = {device: draw(figure, tables("quickstart", device)[1]).reading for device in ("host", "cuda")}
    assert "algorithms are not ranked" in readings["host"]
    assert "bfs/" in readings["cuda"] and "not ranked" not in readings["cuda"]


def test_incomparable_cells_have_no_colour(tables):
    data = draw("rejaud_table", tables("rejaud")[1]).data
    compared = data.groupby("algorithm")["faster_now"].count()
    assert compared[["sssp/tpe_incore", "sssp/tpe_outcore"]].sum() == 0
    assert compared[["sssp/bmf_incore", "sssp/bmf_outcore", "sssp/bmf_shared"]].min() > 0


def test_unsound_factors_are_in_the_legend(tmp_path):
    launches = {1: "ok", 2: "ok", 16: "timeout"}
    tables = of_records(
        tmp_path,
        *[
            synthetic.record("dense-2700", "sssp/coarsened", f"b256-c{factor}", status=status, parameters=parameters)
            for factor, status in launches.items()
            for parameters in [{"block": 256, "coarsening": factor}]
        ],
    )
    picture = draw("pathak2021_coarsening", tables)
    assert "✕ factor 16 timed out" in text(picture)


def test_printed_times_keep_their_place_if_the_first_run_of_a_graph_is_missing(tmp_path):
    planned, records = synthetic.of_study("harish2007", "cuda")
    folder = tmp_path / "runs"
    synthetic.write(folder, *[record for record in records if record["algorithm"] != "frontier"])
    timings, summary = gather.gather(planned, folder)
    picture = draw("harish2007_vertices", figures.Tables(timings, summary, published.read()))
    diamonds = [line for line in picture.figure.axes[0].lines if line.get_label().startswith("the paper")]
    assert diamonds and all(list(line.get_xdata()) == [10_000_000] for line in diamonds)


def test_stand_ins_are_marked_where_the_report_names_the_network(tmp_path):
    launch = {"launch": "b256-g8-source", "parameters": {"block": 256, "grid": 8, "order": "source"}}
    runs = [synthetic.record("web-Google.stand-in", "sssp/bmf_incore", standin_for="web-Google", **launch)]
    tables = of_records(tmp_path, *runs)
    for figure in ("rejaud_configurations", "rejaud_table"):
        assert "web-Google (now a stand-in)" in text(draw(figure, tables))
    assert "web-Google.stand-in" in text(draw("time_by_algorithm", tables))


def test_singhs_table_has_the_papers_launch_and_the_printed_numbers(tables):
    data = draw("singh2017_table", tables("singh2017")[1]).data.set_index("graph")
    assert data["vertices"].tolist() == [5, 10, 22, 64]
    assert data["kernel_calls"].tolist() == data["kernel_calls_then"].tolist() == [3, 5, 7, 13]
    assert data.loc["singh-64", "speedup_then"] == 24.6


def contrast(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 1.05 / (sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05)


def test_colours_stand_out_from_white():
    used = {colour for colour, _ in [*style.LOOKS.values(), *style.SPARE_LOOKS]} | {style.PUBLISHED}
    assert {colour: contrast(colour) for colour in used if contrast(colour) < 3} == {}


def test_no_two_algorithms_of_a_problem_look_the_same():
    for _, group in itertools.groupby(sorted(discovery.find()), key=lambda name: name.split("/")[0]):
        names = list(group)
        looks = {style.look(name) for name in names}
        assert len(looks) == len(names), "give the new algorithm a look of its own in style.LOOKS"


def test_an_unlisted_algorithm_always_looks_the_same():
    assert style.look("bfs/brand_new") == style.look("bfs/brand_new")
    assert style.look("bfs/brand_new") in style.SPARE_LOOKS


@pytest.mark.parametrize(
    ("milliseconds", "wording"),
    [(0.00012, "0.12 µs"), (0.0123, "12.3 µs"), (1, "1 ms"), (999, "999 ms"), (1234, "1.23 s"), (240_000, "240 s")],
)
def test_durations(milliseconds, wording):
    assert style.duration(milliseconds) == wording


def test_factors_and_counts():
    assert [style.factor(value) for value in (0.251, 3, 94.4, 4000)] == ["0.251×", "3×", "94.4×", "4000×"]
    assert [style.count(value) for value in (5, 8870, 1_234_567, 2e9)] == ["5", "8.87 K", "1.23 M", "2 G"]


def test_an_unknown_figure_suggests_a_similar_one():
    with pytest.raises(UserError, match="Did you mean speedup"):
        figures.known(["speedup", "speedups"])


def test_the_profile_leaves_out_algorithms_with_missing_runs(tables):
    _, whole = tables("frontier")
    graph = whole.summary["graph"].iloc[0]
    one_run = (whole.summary["algorithm"] == "bfs/level") & (whole.summary["graph"] == graph)
    whole_graph = (whole.summary["graph"] == "facebook_combined") & (whole.summary["problem"] == "apsp")
    summary = whole.summary.assign(status=whole.summary["status"].mask(one_run | whole_graph, "missing"))
    picture = draw("performance_profile", whole._replace(summary=summary))
    assert set(picture.data["algorithm"]) == set(draw("performance_profile", whole).data["algorithm"]) - {"bfs/level"}
    assert "left out, with runs still to be made: bfs/level" in text(picture)


def test_pathaks_printed_speedups_are_drawn_as_ranges_of_times(tmp_path):
    apsp = importlib.import_module("warpath.results.figures.pathak2021_apsp")
    times = {"apsp/cpu_floyd_warshall": 8000, "apsp/cpu_repeated_dijkstra": 4000}
    times |= {"apsp/fw_pair": 400, "apsp/repeated_sssp": 900}
    times["sssp/cpu_dijkstra"] = 39
    runs = [
        synthetic.record(
            "dense-2700" if "sssp/" in name else "dense-7500",
            name,
            device="cpu" if "cpu" in name else "cuda",
            median_ms=ms,
        )
        for name, ms in times.items()
    ]
    tables = of_records(tmp_path, *runs)
    summary = tables.summary
    ms = summary.set_index("algorithm")["median_ms"]
    cpu, gpu = apsp.printed(tables, summary).values()
    best = ms["apsp/cpu_repeated_dijkstra"], ms["apsp/fw_pair"]
    assert cpu == {"dense-7500": (best[0] / 4000, best[0] / 500)}
    assert gpu == {"dense-7500": (best[1] / 40, best[1] / 20)}
    sssp = importlib.import_module("warpath.results.figures.pathak2021_sssp")
    assert sssp.printed(tables, summary)["dense-2700"] == pytest.approx((5, 20), rel=0.05)
    labels = text(draw("pathak2021_apsp", tables))
    assert "the paper: 500 to 4000× over the CPU" in labels and "the paper: 20× over the next" in labels
