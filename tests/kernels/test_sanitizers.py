"""Algorithms under the address and undefined-behaviour sanitizers of g++."""

from pathlib import Path

import pytest
import sanitizers
from trial import OURS

from warpath.base.problems import PROBLEMS

SCRIPT = Path(__file__).with_name("sanitize.py")
# Queues with a prefix sum, edges in shared memory, tiles of a matrix: a sample of what kernels do with memory.
SAMPLE = ["bfs/scan", "sssp/bmf_shared", "apsp/fw_blocked"]
WIDE = ["bfs/scan", "sssp/tpe_outcore_one_scan"]
PAPERS = [id for id, described in OURS.items() if described.paper and not id.startswith("apsp/")]
ALL = [pytest.param([f"{problem}/"], marks=pytest.mark.slow, id=problem) for problem in PROBLEMS]


def check_reports_nothing(chosen, *options):
    ended = sanitizers.run(SCRIPT, *chosen, *options)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    checked = [line.split()[0] for line in ended.stdout.splitlines() if line.endswith(": right")]
    assert checked == [id for id in OURS if id.startswith(tuple(chosen))]


@pytest.mark.parametrize("chosen", [pytest.param(SAMPLE, id="sample"), *ALL])
def test_nothing_to_report(chosen):
    check_reports_nothing(chosen)


@pytest.mark.parametrize("chosen", [WIDE, pytest.param(PAPERS, marks=pytest.mark.slow)], ids=["sample", "papers"])
def test_nothing_to_report_where_arcs_are_numbered_in_64_bits(chosen):
    check_reports_nothing(chosen, "--wide-arcs")
