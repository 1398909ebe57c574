"""Tests of answers under the address and undefined-behaviour sanitizers of g++, in a process of their own."""

from pathlib import Path

import pytest
import sanitizers
from trial import OURS

from warpath.base.problems import PROBLEMS

pytestmark = pytest.mark.timeout(900)  # for all algorithms of a problem, each compiled anew
HERE = Path(__file__).parent
# Queues with a prefix sum, edges in shared memory, tiles of a matrix: a sample of what kernels do with memory.
SAMPLE = ["bfs/scan", "sssp/bmf_shared", "apsp/fw_blocked"]
ALL = [pytest.param([f"{problem}/"], marks=pytest.mark.slow, id=problem) for problem in PROBLEMS]
GRAPHS = ("random_directed_100", "random_undirected_130", "star", "disconnected", "no_arcs")
WIDE = ["bfs/scan", "sssp/tpe_outcore_one_scan"]
PAPERS = [id for id, described in OURS.items() if described.paper and not id.startswith("apsp/")]


def check_reports_nothing(*tests):
    ended = sanitizers.run(Path(pytest.__file__).with_name("__main__.py"), "-q", "-m", "", *tests)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{len(tests)} passed" in ended.stdout


@pytest.mark.parametrize("chosen", [pytest.param(SAMPLE, id="sample"), *ALL])
def test_nothing_to_report(chosen):
    ids = [id for id in OURS if id.startswith(tuple(chosen))]
    check_reports_nothing(
        *(f"{HERE}/test_answers.py::test_tiny_graph[{id}-{name}-host]" for id in ids for name in GRAPHS)
    )


@pytest.mark.parametrize("ids", [WIDE, pytest.param(PAPERS, marks=pytest.mark.slow)], ids=["sample", "papers"])
def test_nothing_to_report_where_arcs_are_numbered_in_64_bits(ids):
    check_reports_nothing(*(f"{HERE}/test_wide_arcs.py::test_answers_are_right[{id}-host]" for id in ids))
