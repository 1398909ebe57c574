"""The real Snakemake on a tiny study: from nothing to a report, again, after edits, and after failures."""

import json
import re
import shutil
import zipfile

import pandas as pd
import pytest
from checkouts import PLANTED, ROOT, TABLE

from warpath.results import figures

RUNS = {"bfs/level": 2, "bfs/cpu_queue": 1}  # launches that the tiny study keeps of each
SAMPLES = 2 * 2  # sources × repetitions


def test_from_nothing_to_a_report_and_then_nothing_to_do(finished):
    timings = pd.read_parquet(finished.folder / "results/timings.parquet")
    assert len(timings) == 2 * sum(RUNS.values()) * SAMPLES
    assert set(timings["status"]) == {"ok"}
    assert set(timings["wrong_vertices"]) == {0}
    assert set(timings.groupby("algorithm")["device"].first()) == {"host", "cpu"}
    path = timings[(timings["graph"] == "tiny-path") & (timings["algorithm"] == "bfs/level")]
    assert (path["kernel_launches"] == path["iterations"]).all()
    assert len(finished.summary()) == 2 * sum(RUNS.values())
    for name in ("report.html", "figures/time_by_algorithm.svg"):
        assert (finished.folder / "results" / name).stat().st_size > 1000

    _, again = finished.dry_run()
    assert "Nothing to be done" in again
    assert "profiles/default" in again
    assert finished.warpath("failures").stdout == "tiny: none of 6 runs failed\n"


def test_snakemake_packs_the_same_figures_with_their_captions(finished):
    finished.snakemake("--report", "report.zip")
    with zipfile.ZipFile(finished.folder / "report.zip") as packed:
        names = packed.namelist()
        page = packed.read(next(name for name in names if name.endswith("report.html"))).decode()
    for packed_file in ("time_by_algorithm.svg", "summary.csv"):
        assert any(name.endswith(packed_file) for name in names), names
    assert figures.title_and_caption("time_by_algorithm")[1][:40] in page


def add_catalogue_and_mirror(study):
    study.write("more.yaml", "one-more: {generator: {kind: grid, rows: 2, columns: 3}}\n")
    settings = study.read("config/config.yaml").replace("[tiny-graphs.yaml]", "[tiny-graphs.yaml, more.yaml]")
    study.write("config/config.yaml", settings + "mirrors: [elsewhere]\n")


def edit_kernel(study):
    study.append("kernels/bfs/level.cu", "int an_edit;\n")


ROWS = dict.fromkeys(["all", "check_results", "draw_figure", "gather_results", "write_report"], 1)
PAGE = dict.fromkeys(["all", "check_results", "write_report"], 1)
LEVEL = {"measure_run": 2 * RUNS["bfs/level"]}
ALL = LEVEL | {"measure_baseline": 2 * RUNS["bfs/cpu_queue"]}
AGAIN = ALL | ROWS | {"compute_oracle": 2}
DUE = {  # what is done to a finished study, its timing, and the jobs that are then due
    "a comment in a kernel": (lambda study: study.append("kernels/bfs/level.cu", "// an edit\n"), "", {}),
    "a kernel": (edit_kernel, "", LEVEL | ROWS),
    "a catalogue and a mirror": (add_catalogue_and_mirror, "", ROWS),
    "a claim": (lambda study: study.append("config/papers/singh2017/claims.yaml", "# an edit\n"), "", PAGE),
    "graphs": (lambda study: study.remove("resources/graphs"), "", {}),
    "graphs and the table": (lambda study: study.remove("resources/graphs", TABLE), "", ROWS),
    "runs, and an oracle that is out of date": (lambda study: study.remove("results/runs"), "sources: 1", AGAIN),
    "fewer samples and another limit": (str, "repetitions: 1, budget: 1, time_limit: 1000", ROWS),
    "more samples": (str, "repetitions: 3", ALL | ROWS),
    "a kernel and fewer samples": (edit_kernel, "repetitions: 1", LEVEL | ROWS),
}


@pytest.mark.parametrize("case", DUE)
def test_only_what_changed_is_due(finished, case):
    change, timing, due = DUE[case]
    change(finished)
    assert finished.jobs(*(["--config", f"timing={{{timing}}}"] if timing else [])) == due


def test_records_are_kept_whatever_snakemake_does_until_they_are_forgotten(finished):
    records = {path: json.loads(path.read_text()) for path in finished.folder.glob("results/runs/*/*/*/*.json")}
    output = finished.snakemake(TABLE, "--forcerun", "measure_run", "measure_baseline").stdout
    assert "the records of 6 runs are kept; `warpath forget GRAPH [ALGORITHM]` has them measured again" in output
    assert all(json.loads(path.read_text())["started"] == record["started"] for path, record in records.items())

    assert finished.warpath("forget", "tiny-path", "bfs/level").stdout == (
        "bfs/level on tiny-path: 2 records removed; the workflow measures what its study needs\n"
    )
    assert finished.jobs()["measure_run"] == 2


def limit(seconds):
    return "--config", f"timing={{time_limit: {seconds}}}"


def test_each_failure_costs_only_what_needs_it_and_is_due_again(checkout):
    """A kernel and the probe with mistakes, a graph whose file is missing; a timeout and a wrong answer are results."""
    for file in PLANTED.iterdir():
        shutil.copy(file, checkout.folder / "kernels/bfs" / file.name)
    mistaken = "kernels/bfs/level.cu", "kernels/probe.cu"
    for name in mistaken:
        checkout.append(name, "this is not CUDA\n")
    algorithms = "[bfs/level, bfs/endless, bfs/wrong, bfs/cpu_queue], launches: {block: 64}"
    checkout.write("tiny.yaml", f"title: Tiny\nruns: [{{graphs: [tiny-path, tiny-star], algorithms: {algorithms}}}]\n")
    graphs = checkout.read("tiny-graphs.yaml").replace("{generator: {kind: path, vertices: 9}}", "{path: own.txt}")
    checkout.write("tiny-graphs.yaml", graphs)

    failed = checkout.snakemake(*limit(3), check=False)
    assert failed.returncode != 0
    assert "WRONG ANSWERS of algorithms that should be exact: bfs/wrong (1)" in failed.stdout
    assert "4 runs (1 failed, 1 timeout, 1 wrong, 1 ok) measured for" in failed.stdout
    assert "The report: results/report.html\n" in failed.stdout
    summary = checkout.summary().set_index(["graph", "algorithm"])["status"]
    assert set(summary["tiny-path"]) == {"failed"}
    results = {"bfs/level": "failed", "bfs/endless": "timeout", "bfs/wrong": "wrong", "bfs/cpu_queue": "ok"}
    assert summary["tiny-star"].to_dict() == results
    record = json.loads(checkout.read("results/runs/tiny-star/bfs/endless/b64.json"))
    assert record["error"] == "not finished after 3 s"
    assert (checkout.folder / "results/report.html").exists()
    listed = checkout.warpath("failures")
    assert listed.returncode == 1
    named = [line for line in listed.stdout.splitlines() if "snakemake" not in line]
    assert [line.split(": ")[0] for line in named] == [
        *("graph tiny-path", "bfs/level b64 on tiny-star", "bfs/wrong b64 on tiny-star", "the probe"),
    ]

    checkout.restore(*mistaken)
    checkout.write("own.txt", "1 2\n2 3\n")
    healing = {"prepare_graph": 1, "compute_oracle": 1, "probe_device": 1, "measure_run": 4, "measure_baseline": 1}
    rows = {"gather_results": 1, "write_report": 1, "check_results": 1, "all": 1}
    assert checkout.jobs(*limit(3)) == checkout.jobs(*limit(2)) == healing | rows
    _, raised = checkout.dry_run(*limit(4))
    assert set(re.findall("run: (.*) on tiny-star", raised)) == {"bfs/level b64", "bfs/endless b64"}


def test_a_figure_with_a_mistake_is_listed_and_drawn_once_it_is_right(finished):
    figure = "workflow/warpath/results/figures/mistaken.py"
    finished.write(figure, '"""A mistake.\n\nDivides by zero."""\n\ndef draw(tables):\n    1 / 0\n')
    finished.write("tiny.yaml", finished.read("tiny.yaml").replace("[time_by_algorithm]", "[mistaken]"))
    assert finished.snakemake(check=False).returncode != 0
    assert finished.warpath("failures").stdout.startswith("figure mistaken: ZeroDivisionError: ")
    shutil.copy(ROOT / figure.replace("mistaken", "launch_heatmap"), finished.folder / figure)
    assert finished.jobs() == dict.fromkeys(["draw_figure", "write_report", "check_results", "all"], 1)


def test_a_mistake_in_the_settings_is_one_line_before_any_job(checkout):
    checkout.append("config/config.yaml", "devise: host\n")
    status, output = checkout.dry_run()
    assert status != 0
    assert output.splitlines()[-1] == (
        "warpath: config/config.yaml or --config: unknown key 'devise'. Did you mean device? Allowed are study, "
        "device, isolation, programs, scale, catalogues, mirrors, download_rate, prefix, timing"
    )
    assert not (checkout.folder / "results").exists()
