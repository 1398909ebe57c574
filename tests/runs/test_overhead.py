"""Job overhead is the same number in the last line of a workflow, in the tables and on the page."""

from datetime import datetime

import pytest
from results import synthetic

from warpath.results import page
from warpath.runs import overhead

SWIFT = {"total_s": 3.0, "measure_s": 1.0}
LATE = {"total_s": 16.0, "measure_s": 3.0, "lease_s": 10.0}
KILLED = {"total_s": 240.0, "lease_s": 2.0}
ENDED = datetime.fromisoformat(synthetic.record()["finished"]).timestamp()


def test_times_that_cannot_be_give_no_negative_share():
    assert overhead.summed([{"total_s": 1.0, "measure_s": 2.0**62}])["share"] == 0


@pytest.fixture
def tables(tmp_path):
    """The tables of runs that cost this, all finished at ENDED; those that say nothing of measuring timed out."""

    def build(*costs):
        runs = [
            synthetic.record(launch=f"b{number}", costs=each, status="ok" if "measure_s" in each else "timeout")
            for number, each in enumerate(costs, 64)
        ]
        return synthetic.tables(*runs, folder=tmp_path)

    return build


def test_the_line_the_table_and_the_page_agree(tables):
    made = tables(SWIFT, LATE, KILLED)
    assert overhead.lines(made.summary["record"], since=0) == [
        "3 runs (2 ok, 1 timeout) measured for 4.0 s; job overhead: 5.0 s, 2.50 s each, 56 % of their time, "
        "10.0 s waiting for a device"
    ]
    assert made.summary["overhead_s"].mean() == 2.5
    costs = (record["costs"] for record in page.records_of(made.summary))
    assert overhead.summed(costs)["per_job"] == 2.5


def test_runs_that_never_measured_have_an_ending_and_no_cost(tables):
    assert overhead.lines(tables(KILLED, KILLED).summary["record"], since=0) == ["2 runs (2 timeout)"]


def test_a_record_that_was_put_in_its_place_alone_was_kept(tables):
    paths = tables(SWIFT, SWIFT).summary["record"]
    assert overhead.lines(paths, since=ENDED)[0].startswith("2 runs (all answers right) measured")
    assert overhead.lines(paths, since=ENDED + 1) == [
        "no run was measured",
        "the records of 2 runs are kept; `warpath forget GRAPH [ALGORITHM]` has them measured again",
    ]
    assert overhead.lines(paths, since=2**40) == ["no run was measured"]  # they stayed where they were
