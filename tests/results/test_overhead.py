"""Job overhead is the same number in the last line of a workflow, in the tables and on the page."""

from datetime import datetime

import pytest
import synthetic

from warpath.results import page
from warpath.runs import overhead

SWIFT = {"total_s": 3.0, "measure_s": 1.0}
LATE = {"total_s": 16.0, "measure_s": 3.0, "lease_s": 10.0}
KILLED = {"total_s": 240.0, "lease_s": 2.0}


def test_waiting_for_a_device_is_no_cost_of_the_job():
    assert [overhead.of(costs) for costs in (SWIFT, LATE, KILLED, {})] == [2.0, 3.0, None, None]


def test_jobs_are_summed_where_their_cost_is_known():
    assert overhead.summed([SWIFT, LATE, KILLED, {}]) == {
        **{"jobs": 2, "measuring": 4.0, "waiting": 10.0, "beyond": 5.0},
        **{"per_job": 2.5, "share": pytest.approx(5 / 9)},
    }
    assert overhead.summed([KILLED, {}]) is None


def test_times_that_cannot_be_do_not_end_the_line_on_costs():
    assert overhead.summed([{"total_s": 1.0, "measure_s": 2.0**62}])["share"] == 0


def records(folder, *costs):
    """A study whose runs cost this; those that say nothing of measuring timed out."""
    runs = [
        synthetic.record(launch=f"b{number}", costs=each, status="ok" if "measure_s" in each else "timeout")
        for number, each in enumerate(costs, 64)
    ]
    return synthetic.tables(folder, *runs)


def last_lines(tables):
    """The lines at the end of the workflow whose records those are."""
    return overhead.lines(tables.summary["record"], since=0)


def test_the_line_the_table_and_the_page_agree(tmp_path):
    tables = records(tmp_path, SWIFT, LATE, KILLED)
    assert last_lines(tables) == [
        "3 runs (2 ok, 1 timeout) measured for 4.0 s; job overhead: 5.0 s, 2.50 s each, 56 % of their time, "
        "10.0 s waiting for a device"
    ]
    assert tables.summary["overhead_s"].mean() == 2.5
    assert page._costs(page.records_of(tables.summary))["per_job"] == 2.5


def test_runs_that_never_measured_have_an_ending_and_no_cost(tmp_path):
    assert last_lines(records(tmp_path, KILLED, KILLED)) == ["2 runs (2 timeout)"]


def test_a_record_that_stayed_is_no_measurement_of_this_workflow(tmp_path):
    tables = records(tmp_path, SWIFT)
    ended = datetime.fromisoformat("2026-11-21T09:00:01+00:00").timestamp()
    assert overhead.lines(tables.summary["record"], since=ended + 1) == ["no run was measured"]
    assert "1 run (all answers right) measured" in overhead.lines(tables.summary["record"], since=ended)[0]
