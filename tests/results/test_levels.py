"""Time by level: traced builds on the host device, and how rounds become levels."""

from types import SimpleNamespace

import pytest
from small_graphs import from_edges

from warpath import cli, devices
from warpath.algorithms import discovery
from warpath.base.errors import UserError
from warpath.devices import traced
from warpath.devices.traced import Round
from warpath.graphs import csr
from warpath.results import levels as pictures
from warpath.runs import levels

LADDER = from_edges("ladder", range(40), range(1, 41))  # a path of 41 levels


def rounds(*pairs):
    return [Round(done, time, time / 2, time / 4) for done, time in pairs]


@pytest.mark.parametrize(
    ("traced", "expected"),
    [
        (rounds((None, 1.0), (None, 2.0), (None, 3.0), (None, 4.0)), [1, 2, 3, 4]),
        (rounds((1, 1.0), (1, 5.0), (2, 2.0), (3, 3.0), (4, 4.0)), [1, 7, 3, 4]),  # a round within a level
        (rounds((1, 1.0), (None, 4.0), (None, 2.0), (4, 3.0)), [1, 3, 3, 3]),  # three levels by blocks of their own
        (rounds((1, 1.0), (None, 4.0), (None, 5.0)), [1, 3, 3, 3]),  # to the end
        (rounds((None, 4.0), (None, 8.0)), [2, 2, 4, 4]),  # two levels a round
    ],
)
def test_rounds_become_levels(traced, expected):
    total, waiting, least = levels.by_level(traced, 4)
    assert total.tolist() == expected
    assert waiting.tolist() == [time / 2 for time in expected] and least.tolist() == [time / 4 for time in expected]


@pytest.fixture(autouse=True)
def _locks(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))


@pytest.mark.slow
def test_a_host_loop_has_a_round_for_each_level_and_a_kernel_with_barriers_says_how_many_it_has_done():
    star = from_edges("star", [0] * 30, range(1, 31))
    persistent, level = levels.traces("host", star, ["bfs/persistent", "bfs/level:b64"])
    assert [each.levels for each in level.rounds] == [None] * 2 and level.launch == "b64"
    assert [each.levels for each in persistent.rounds] == [1, 2]
    for each in (*persistent.rounds, *level.rounds):
        assert 0 <= each.least_waiting_ms <= each.waiting_ms <= each.milliseconds


@pytest.mark.slow
def test_a_search_without_barriers_has_a_round_for_each_level_too(monkeypatch):
    described = discovery.named("bfs/persistent")
    for name, value in {"likely": lambda graph: ["exchanging"], "BLOCK": 64}.items():
        monkeypatch.setitem(described.prepare.__globals__, name, value)
    (exchanging,) = levels.traces("host", LADDER, ["bfs/persistent"])
    assert [each.levels for each in exchanging.rounds] == list(range(1, 41))


def test_rounds_are_those_of_the_kernel_that_was_launched(monkeypatch):
    device, traces = SimpleNamespace(), []
    monkeypatch.setattr(traced, "_with_trace", lambda file: file)
    launches = {"search": lambda: None}
    device.kernels = lambda stem, *names, way, **_: [launches | {"name": f"{way} {name}"} for name in names]
    tracing = traced.Device(device)
    for way in ("chosen", "other"):
        (search,) = tracing.kernels(discovery.KERNELS / "bfs/persistent.py", "search", way=way)
        traces.append(search)
    traces[0]["search"]()
    assert [kernel["name"] for kernel in tracing._trace] == ["chosen clear_trace", "chosen copy_trace"]


def test_a_traced_host_loop_may_read_the_number_of_an_arc_and_is_no_native_one():
    device = traced.Device(devices.open("host"))
    assert device.flag("int64").array.dtype == "int64"
    with pytest.raises(UserError, match="its host loop is native"):
        device.loop("loop")


@pytest.mark.slow
def test_rounds_without_levels_are_counted_as_they_are():
    (near_far,) = levels.traces("host", LADDER, ["sssp/near_far"])
    assert near_far.rounds and all(each.levels is None for each in near_far.rounds)
    assert sum(each.milliseconds for each in near_far.rounds) < 3 * near_far.traced_ms


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["bfs/level", "sssp/two_kernel"], "two of one problem"),
        (["bfs/cpu_queue"], "only kernels"),
    ],
)
def test_what_cannot_be_traced_is_said_in_one_line(tmp_path, capsys, names, message):
    csr.write(LADDER, tmp_path / "ladder")
    assert cli.main(["levels", "ladder", *names, "--folder", f"{tmp_path}/ladder", "--device", "host"]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize("problem", ["bfs", pytest.param("sssp", marks=pytest.mark.slow)])
def test_a_picture_of_two_algorithms_side_by_side(tmp_path, problem):
    csr.write(LADDER, tmp_path / "ladder")
    traces = [
        levels.Trace(f"{problem}/{name}", "b64", "cuda", "NVIDIA H200", 0, rounds(*[(None, 1.0)] * count), 9.0, 8.0)
        for name, count in (("one", 41), ("two", 82))
    ]
    name, text = pictures.draw(csr.read(tmp_path / "ladder"), traces, tmp_path)
    assert name == f"ladder-{problem}-one-{problem}-two"
    assert text.startswith(f"ladder: {problem}/one 41 rounds of 1 ms, blocks wait 50 % of the time, the slowest 25 %")
    head, *lines = (tmp_path / f"{name}.csv").read_text().splitlines()
    times = "a_ms,a_waiting_ms,a_least_waiting_ms,b_ms,b_waiting_ms,b_least_waiting_ms"
    assert head == f"{'level,vertices,arcs' if problem == 'bfs' else 'round'},{times}"
    assert len(lines) == (41 if problem == "bfs" else 82)


def test_no_run_is_of_a_traced_build():
    for described in discovery.find().values():
        assert not [file for file in discovery.code_files(described) if file.name == "trace.cuh"], described.id
