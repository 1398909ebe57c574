"""The real Snakemake on a tiny study: from nothing to a report, again, after an edit, and after a failure."""

import json
import zipfile

import pandas as pd
import pytest

from warpath.results import figures

RUNS = {"bfs/level": 2, "bfs/cpu_queue": 1}  # launches that the tiny study keeps of each
FIGURES = "workflow/warpath/results/figures"
PER_RUN = 2 * 2  # sources × repetitions


def test_from_nothing_to_a_report_and_then_nothing_to_do(checkout):
    checkout.snakemake()

    timings = pd.read_parquet(checkout.folder / "results/timings.parquet")
    assert len(timings) == 2 * sum(RUNS.values()) * PER_RUN
    assert set(timings["status"]) == {"ok"}
    assert set(timings["wrong_vertices"]) == {0}
    assert set(timings.groupby("algorithm")["device"].first()) == {"host", "cpu"}
    path = timings[(timings["graph"] == "tiny-path") & (timings["algorithm"] == "bfs/level")]
    assert (path["kernel_launches"] == path["iterations"]).all()

    summary = pd.read_csv(checkout.folder / "results/summary.csv")
    assert len(summary) == 2 * sum(RUNS.values())
    for name in (
        "results/report.html",
        "results/figures/time_by_algorithm.svg",
        "results/figures/time_by_algorithm.png",
    ):
        assert (checkout.folder / name).stat().st_size > 1000

    assert "Nothing to be done" in checkout.snakemake().stdout
    assert checkout.warpath("failures").stdout == "tiny: none of 6 runs failed\n"

    (checkout.folder / "results/summary.csv").unlink()
    assert checkout.jobs() == dict.fromkeys(["all", "draw_figure", "gather_results", "write_report"], 1)


def test_snakemake_packs_the_same_figures_with_their_captions(checkout):
    checkout.snakemake()
    checkout.snakemake("--report", "report.zip")
    with zipfile.ZipFile(checkout.folder / "report.zip") as packed:
        names = packed.namelist()
        page = packed.read(next(name for name in names if name.endswith("report.html"))).decode()
    for packed_file in ("time_by_algorithm.svg", "summary.csv"):
        assert any(name.endswith(packed_file) for name in names), names
    assert figures.title_and_caption("time_by_algorithm")[1][:40] in page


def test_an_edited_kernel_repeats_its_own_runs_alone(checkout):
    checkout.snakemake()
    with open(checkout.folder / "kernels/bfs/level.cu", "a") as file:
        file.write("// an edit\n")
    jobs = checkout.jobs()
    assert jobs["measure_run"] == 2 * RUNS["bfs/level"]
    assert "prepare_graph" not in jobs
    assert "compute_oracle" not in jobs


def test_a_failing_run_costs_itself_alone_and_a_rerun_heals_it(checkout):
    source = checkout.read("kernels/bfs/level.cu")
    checkout.write("kernels/bfs/level.cu", "this is not CUDA\n" + source)
    result = checkout.snakemake(check=False)
    assert result.returncode != 0
    assert "level.cu" in result.stdout

    summary = pd.read_csv(checkout.folder / "results/summary.csv")
    assert summary.groupby("algorithm")["status"].agg(set).to_dict() == {
        "bfs/cpu_queue": {"ok"},
        "bfs/level": {"failed"},
    }
    assert "level.cu" in summary[summary["status"] == "failed"]["error"].iloc[0]
    assert (checkout.folder / "results/report.html").exists()

    checkout.write("kernels/bfs/level.cu", source)
    assert checkout.jobs()["measure_run"] == 2 * RUNS["bfs/level"]
    checkout.snakemake()
    assert set(pd.read_csv(checkout.folder / "results/summary.csv")["status"]) == {"ok"}
    assert not list(checkout.folder.glob("results/runs/**/*.failed.json"))


@pytest.mark.parametrize(
    "what, file, mistake",
    [
        ("the probe: kernels/probe.cu:", "kernels/probe.cu", "this is not CUDA\n"),
        ("the tables: RuntimeError: no", "workflow/warpath/results/gather.py", "raise RuntimeError('no')\n"),
        (
            "figure time_by_algorithm: ZeroDivisionError: ",
            f"{FIGURES}/time_by_algorithm.py",
            "def draw(*_):\n  1 / 0\n",
        ),
    ],
)
def test_what_fails_beside_the_runs_is_told_until_it_is_made_anew(checkout, what, file, mistake):
    source = checkout.read(file)
    checkout.write(file, source + mistake)
    assert checkout.snakemake(check=False).returncode != 0
    said = checkout.warpath("failures")
    assert said.returncode == 1 and said.stdout.startswith(what)
    assert len(said.stdout.splitlines()) == 2  # the other names the command
    checkout.write(file, source)
    checkout.snakemake()
    assert checkout.warpath("failures").stdout == "tiny: none of 6 runs failed\n"


def test_a_kernel_that_never_ends_is_a_timeout_and_takes_nothing_else_down(checkout):
    source = checkout.read("kernels/bfs/level.cu")
    spinning = source.replace(
        "const long long u", "for (volatile int forever = 1; forever;);\n    const long long u", 1
    )
    checkout.write("kernels/bfs/level.cu", spinning)
    checkout.write("config/config.yaml", checkout.read("config/config.yaml").replace("time_limit: 60", "time_limit: 3"))
    checkout.snakemake()
    summary = pd.read_csv(checkout.folder / "results/summary.csv")
    assert summary.groupby("algorithm")["status"].agg(set).to_dict() == {
        "bfs/cpu_queue": {"ok"},
        "bfs/level": {"timeout"},
    }
    record = json.loads(checkout.read("results/runs/tiny-path/bfs/level/b64.json"))
    assert record["error"] == "not finished after 3 s"


def test_a_wrong_answer_is_recorded_as_wrong(checkout):
    source = checkout.read("kernels/bfs/level.cu")
    checkout.write("kernels/bfs/level.cu", source.replace("= level + 1", "= level + 2", 1))
    said = checkout.snakemake().stdout
    summary = pd.read_csv(checkout.folder / "results/summary.csv")
    assert summary.groupby("algorithm")["status"].agg(set).to_dict() == {
        "bfs/cpu_queue": {"ok"},
        "bfs/level": {"wrong"},
    }
    assert "6 runs (4 wrong, 2 ok) measured for" in said
    assert "WRONG ANSWERS of algorithms that should be exact: bfs/level (4)" in said


def test_another_catalogue_or_mirror_repeats_nothing_that_is_there(checkout):
    checkout.snakemake()
    checkout.write("more.yaml", "one-more: {generator: {kind: grid, rows: 2, columns: 3}}\n")
    settings = checkout.read("config/config.yaml").replace("[tiny-graphs.yaml]", "[tiny-graphs.yaml, more.yaml]")
    checkout.write("config/config.yaml", settings + "mirrors: [elsewhere]\n")
    assert not {"download_file", "prepare_graph", "compute_oracle", "measure_run"} & set(checkout.jobs())


def test_a_mistake_in_the_settings_is_one_line_before_any_job(checkout):
    checkout.write("config/config.yaml", "study: tiny.yaml\ndevise: host\n")
    result = checkout.snakemake(check=False)
    assert result.returncode != 0
    assert result.stdout.splitlines()[-1] == (
        "warpath: config/config.yaml: the file: unknown key 'devise'. Did you mean device? "
        "Allowed are study, device, scale, catalogues, mirrors, timing"
    )


def test_asking_for_a_gpu_where_there_is_none_is_an_error_at_once(checkout):
    checkout.write("config/config.yaml", "study: tiny.yaml\ncatalogues: [tiny-graphs.yaml]\ndevice: cuda\n")
    result = checkout.snakemake(check=False, CUDA_VISIBLE_DEVICES="")
    assert result.returncode != 0
    assert "device is cuda, but this machine has no usable NVIDIA GPU" in result.stdout.splitlines()[-1]
    assert not (checkout.folder / "results").exists()


def test_the_default_profile_is_picked_up(checkout):
    assert "profiles/default" in checkout.snakemake("--dry-run").stdout


def test_right_answers_that_are_due_again_do_not_hide_the_runs_behind_them(checkout):
    checkout.snakemake("--until", "compute_oracle", "--config", "timing={sources: 1}")
    jobs = checkout.jobs()
    assert jobs["compute_oracle"] == 2
    assert jobs["measure_run"] == 2 * RUNS["bfs/level"]
    assert jobs["write_report"] == 1


def test_a_file_of_ones_own_that_is_not_there_costs_its_graph_alone(checkout):
    graphs = checkout.read("tiny-graphs.yaml").splitlines()
    graphs = [line for line in graphs if not line.startswith("tiny-path")]
    checkout.write("tiny-graphs.yaml", "\n".join([*graphs, "tiny-path: {path: own.txt}", ""]))
    assert checkout.snakemake(check=False).returncode != 0
    summary = pd.read_csv(checkout.folder / "results/summary.csv")
    assert summary.groupby("graph")["status"].agg(set).to_dict() == {"tiny-path": {"missing"}, "tiny-star": {"ok"}}
    assert "own.txt: no such file" in checkout.warpath("failures").stdout
    checkout.write("own.txt", "1 2\n2 3\n")
    checkout.snakemake()
    assert set(pd.read_csv(checkout.folder / "results/summary.csv")["status"]) == {"ok"}
    (checkout.folder / "own.txt").unlink()
    assert "Nothing to be done" in checkout.snakemake().stdout
    (checkout.folder / "resources/graphs/tiny-path/edges.parquet").unlink()
    for path in checkout.folder.glob("results/runs/*/bfs/level/b64.json"):
        path.unlink()
    checkout.snakemake(check=False)
    summary = pd.read_csv(checkout.folder / "results/summary.csv")
    assert "missing" in set(summary[summary["graph"] == "tiny-path"]["status"])
    assert set(summary[summary["graph"] == "tiny-star"]["status"]) == {"ok"}
