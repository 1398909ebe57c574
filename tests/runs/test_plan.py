"""A study stands for every combination of its blocks; its mistakes are reported before any job starts."""

import functools

import pytest

from warpath.base import places, settings
from warpath.base.errors import UserError
from warpath.graphs import catalogue
from warpath.runs import plan

KERNEL = """
from warpath.algorithms import algorithm, sweep

@algorithm(paper="someone2020", device="{device}", launches={launches}, library={library})
def {name}(device, graph, launch):
    pass
"""


def runs(*blocks):
    """A study of blocks that have these keys."""
    return "title: x\nruns: [" + ", ".join(f"{{{block}}}" for block in blocks) + "]"


@pytest.fixture
def study(tmp_path):
    """Plan a study given as YAML text, over three small graphs and three algorithms."""
    for id, device, launches, library in [
        ("bfs/one", "kernel", "sweep(block=[64, 128, 256])", None),
        ("bfs/two", "kernel", "sweep(block=[64, 128], grid=[8, 16])", None),
        ("bfs/cpu", "cpu", "({},)", None),
        ("sssp/there", "peer", "({},)", "json"),
        ("sssp/absent", "peer", "({},)", "no_such_library"),
        ("sssp/gpu", "peer_gpu", "({},)", "json"),
    ]:
        file = tmp_path / "kernels" / f"{id}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(KERNEL.format(device=device, launches=launches, name=file.stem, library=repr(library)))
    graphs = tmp_path / "graphs.yaml"
    recipe = "{url: 'https://example.org/a.txt', stand_in: {kind: star, vertices: 4}}"
    graphs.write_text(
        f"a: {recipe}\nb: {{generator: {{kind: path, vertices: 4}}}}\nc: {{generator: {{kind: path, vertices: 5}}}}"
    )

    def build(text, device="host", scale="study", mirrors=()):
        file = tmp_path / "mine.yaml"
        file.write_text(text)
        offline = functools.partial(catalogue.Entry.offline, mirrors=mirrors)
        return plan.study(str(file), catalogue.load(graphs), device, 4, scale, offline, tmp_path / "kernels")

    return build


@pytest.mark.parametrize(
    ("blocks", "labels"),
    [
        ("{graphs: [a, b], algorithms: [bfs/one, bfs/cpu]}", ["b64", "b128", "b256", "default"]),
        ("{graphs: [a, b], algorithms: [bfs/one]}, {graphs: [b], algorithms: [bfs/one]}", ["b64", "b128", "b256"]),
        (
            "{graphs: [a, b], algorithms: [bfs/*], launches: {block: 64, grid: [8]}}",
            ["default", "b64", "b64-g8"],  # a filter on an axis leaves algorithms without it alone
        ),
    ],
)
def test_a_block_is_the_product_of_its_lists_and_each_run_is_planned_once(study, blocks, labels):
    planned = study(f"title: x\nruns: [{blocks}]")
    assert [(run.graph, run.launch) for run in planned.runs] == [(graph, label) for graph in "ab" for label in labels]
    assert planned.graphs == ["a", "b"] and planned.skipped == ()
    assert planned.run("a", "bfs", "one", "b64").record == places.record("a", "bfs", "one", "b64")


ABSENT = "no_such_library is not installed (make peers installs it)"


@pytest.mark.parametrize("device", ["host", "cuda"])
def test_an_absent_library_skips_its_own_runs_with_one_line(study, device):
    planned = study(runs("graphs: [a, b], algorithms: [sssp/*, bfs/cpu]", "graphs: [c], algorithms: [sssp/*]"), device)
    on_gpu = {} if device == "host" else {"sssp/gpu": "peer_gpu"}
    assert {run.id: run.device for run in planned.runs} == {"bfs/cpu": "cpu", "sssp/there": "peer", **on_gpu}
    assert {run.id for run in planned.runs if run.uses_gpu} == set(on_gpu)
    gpu = [] if on_gpu else ["warpath: skipped sssp/gpu: json needs an NVIDIA GPU"]
    assert planned.warnings(time_limit=0) == [f"warpath: skipped sssp/absent: {ABSENT}", *gpu]


def test_sources_are_a_number_or_labels(study):
    sources = {"a": ", sources: 2", "b": ", sources: [7]", "c": ""}
    planned = study(runs(*(f"graphs: [{graph}], algorithms: [bfs/one]{number}" for graph, number in sources.items())))
    assert [planned.sources_flag(graph, "bfs") for graph in "abc"] == ["2", "7,", "4"]


ONE, TWO, ALL = (f"graphs: [a], algorithms: [bfs/{name}]" for name in ("one", "two", "*"))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("runs: []", "mine.yaml: lacks title"),
        (runs("graphs: [aa], algorithms: [bfs/one]"), "no catalogue has a graph 'aa'. Did you mean a"),
        (runs("graphs: [a], algorithms: [bfs/on]"), "no algorithm 'bfs/on' .* Did you mean bfs/one"),
        (
            runs("graphs: [a], algorithms: [sssp/absent]"),
            r"mine.yaml: none of its algorithms can run here \(sssp/absent: no_such_library is",
        ),
        (runs(ONE + ", launches: {blok: 64}"), r"no launch of any algorithm has a 'blok'\. Did you mean block\?"),
        (runs(ONE + ", launches: {block: [64, '128']}"), r"launches\.block: found '128', but it must be an integer"),
        (
            runs(ONE + ", launches: {block: 65}"),
            r"no launch of bfs/one matches \{'block': \[65\]\}; it has b64, b128, b256",
        ),
        (runs(ONE + ", sources: 2", TWO), r"bfs on a has sources 2 \(bfs/one\) and 4 \(bfs/two\)"),
        (runs(ONE + ", sources: [-1]"), r"sources\.0: found -1, but it is less than the minimum of 0"),
        (runs(ONE + f", sources: [{2**63}]"), rf"sources\.0: found {2**63}, but it is greater than the maximum"),
        (runs(ALL, ALL + ", placement: host"), "bfs/one on a has placement device and placement host; choose one"),
        (runs(), "mine.yaml: plans no run; name graphs and algorithms under runs"),
        (f"title: x\ninclude: [{'a' * 5000}]", r"^config/studies/a{65}\.\.\.: has a name of more than 255 bytes$"),
        ("title: x\ninclude: [nothing_here]", "no study 'nothing_here' in config/studies"),
    ],
)
def test_mistakes_are_reported_in_one_line_with_the_file(study, text, expected):
    with pytest.raises(UserError, match=expected) as caught:
        study(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "of_study, of_settings, expected",
    [
        ("full", "study", ["a", "b"]),
        ("stand-in", "study", ["a.stand-in", "b"]),
        ("full", "stand-in", ["a.stand-in", "b"]),
        ("stand-in", "full", ["a", "b"]),
        ("offline", "study", ["a.stand-in", "b"]),
        ("full", "offline", ["a.stand-in", "b"]),
    ],
)
def test_stand_ins_take_the_place_of_graphs_that_have_one(study, of_study, of_settings, expected):
    text = f"title: x\nscale: {of_study}\nruns: [{{graphs: [a, b], algorithms: [bfs/one]}}]"
    assert study(text, scale=of_settings).graphs == expected


def test_a_graph_that_replaces_another_has_its_own_stand_in(study, tmp_path):
    (tmp_path / "graphs.yaml").write_text(
        "a: {url: 'https://example.org/a.txt', replaced_by: b}\n"
        "b: {url: 'https://example.org/b.txt', stand_in: {kind: star, vertices: 4}}"
    )
    text = runs("graphs: [a, b], algorithms: [bfs/one]")
    (tmp_path / "mirror/example.org").mkdir(parents=True)
    (tmp_path / "mirror/example.org/b.txt").write_text("0 1")
    assert study(text).graphs == ["a", "b"]
    mirrors = ["https://example.org/mirror", tmp_path / "mirror"]  # folders of the user's are at hand without a network
    assert study(text, scale="offline", mirrors=mirrors).graphs == ["b"]
    assert study(text, scale="offline").graphs == ["b.stand-in"]


def test_a_study_may_ask_for_several_processes_of_every_run_also_of_those_that_it_includes(study, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("title: y\nprocesses: 2\nruns: [{graphs: [b], algorithms: [bfs/cpu]}]")
    mine = "title: x\nprocesses: {}\ninclude: [{}]\nruns: [{{graphs: [a], algorithms: [bfs/cpu]}}]"
    planned = study(mine.format(3, other))
    parts = ["default", "default", "default.p2", "default.p2", "default.p3", "default.p3"]
    assert [run.part for run in planned.runs] == parts
    second = planned.run("b", "bfs", "cpu", "default.p2")
    assert (second.launch, second.process) == ("default", 2)
    assert second.record == places.record("b", "bfs", "cpu", "default.p2")
    assert [run.graph for run in study(mine.format(1, other)).runs] == ["a", "b", "b"]


def test_an_included_study_adds_its_runs_figures_and_claims(study, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("title: y\nfigures: [f, g]\nclaims: [p]\nruns: [{graphs: [b], algorithms: [bfs/one]}]")
    planned = study(f"title: x\ninclude: [{other}]\nfigures: [g, h]\nruns: [{{graphs: [a], algorithms: [bfs/one]}}]")
    assert planned.title == "x"
    assert planned.graphs == ["a", "b"]
    assert planned.figures == ("g", "h", "f")
    assert planned.claims == ("p",)
    with pytest.raises(UserError, match="includes itself"):
        study(f"title: x\ninclude: [{tmp_path / 'mine.yaml'}]")


def test_energy_that_is_measured_adds_a_figure():
    chosen = settings.check({"device": "host"})
    assert "energy" not in plan.load(chosen).figures
    chosen["timing"]["energy"] = 2
    assert plan.load(chosen).figures[-1] == "energy"


def test_a_long_emulation_is_announced(study):
    planned = study(runs(ONE))
    assert planned.warnings(time_limit=240) == []
    (line,) = planned.warnings(time_limit=6000)
    assert "3 runs will be emulated" in line and "5 h in all" in line


@pytest.mark.parametrize("placement", ["device", "host"])
def test_arcs_are_where_a_block_says_so_and_only_for_kernels(study, placement):
    block = f"graphs: [a], algorithms: [bfs/one, bfs/cpu], placement: {placement}"
    planned = study(runs(block), "cuda")
    assert {run.id: run.placement for run in planned.runs} == {"bfs/one": placement, "bfs/cpu": "device"}
    assert [run.id for run in planned.runs if run.uses_gpu] == 3 * ["bfs/one"]
