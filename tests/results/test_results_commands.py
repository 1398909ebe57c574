import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import synthetic

from warpath import cli
from warpath.base import outcome, places
from warpath.results.figures import speedup


@pytest.fixture
def folder(begin, tmp_path):
    """A working folder with the records of a study of three runs."""
    records = [synthetic.record(launch=launch) for launch in ("b64", "b256")]
    records.append(synthetic.record(algorithm="bfs/cpu_queue", launch="default", device="cpu"))
    begin(*records, figures=["speedup"], claims=["pathak2021"])
    return tmp_path


SETTINGS = ["--settings", json.dumps({"study": "quickstart"})]


def test_new_tables_remove_the_figures_of_another_study(folder):
    cli.main(["gather", *SETTINGS])
    cli.main(["figure", "speedup", "launch_heatmap", "--also", "png", "pdf"])
    (folder / "results/figures/mine.svg").touch()
    cli.main(["gather", *SETTINGS, "--summary", "elsewhere.csv", "--timings", "elsewhere.parquet"])
    assert len(list((folder / "results/figures").iterdir())) == 2 * 4 + 1
    cli.main(["gather", *SETTINGS])
    remaining = {path.stem for path in (folder / "results/figures").iterdir()}
    assert remaining == {"speedup", "mine"}


def test_failed_figure_fails_the_command_after_the_others_are_drawn(folder, monkeypatch, capsys):
    cli.main(["gather", *SETTINGS])
    monkeypatch.setattr(speedup, "draw", lambda tables: 1 / 0)
    why = "ZeroDivisionError: division by zero"
    assert cli.main(["figure", "speedup", "launch_heatmap"]) == 2
    assert capsys.readouterr().err.endswith(f"warpath: speedup: {why}\n")
    assert (folder / "results/figures/launch_heatmap.svg").exists()
    assert f"it could not be drawn ({why})" in Path(places.figure("speedup", "csv")).read_text()
    assert cli.main(["--outcome", "x.outcome", "--again", "a-7", "figure", "speedup"]) == 0
    assert outcome.read("x.outcome") == {"error": why, "again": "a-7"}


def test_a_figure_that_cannot_be_written_is_one_line(folder, capsys):
    cli.main(["gather", *SETTINGS])
    (folder / "full").touch()
    assert cli.main(["figure", "speedup", "--output", "full"]) == 2
    assert re.fullmatch(r"warpath: full/speedup: .*\n", capsys.readouterr().err)


def test_the_table_of_a_graph_is_written_and_lists_what_failed(folder, capsys):
    assert cli.main(["table", "rome99", *SETTINGS]) == 0
    synthetic.write(places.RECORDS, synthetic.record(launch="b64", status="failed", error="boom"))
    assert cli.main(["table", "rome99", *SETTINGS]) == 1
    assert "bfs/level b64 on rome99: boom" in capsys.readouterr().out
    table = pd.read_csv(places.graph_table("rome99"))
    assert table["status"].tolist() == ["failed", "ok", "ok"]
    assert cli.main(["table", "rome", *SETTINGS]) == 2
    assert "has no graph 'rome'; it has rome99" in capsys.readouterr().err


def test_a_study_without_any_result_lists_no_failures(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["failures", "--study", "singh2017"]) == 1
    command = "snakemake --cores 1 --resources gpu=1 --config study=singh2017"
    assert capsys.readouterr().out == f"singh2017: no run has a result yet\nrun the study:  {command}\n"
    outcome.write(places.outcome(places.prepared("singh-5")), "the disk is full")
    cli.main(["failures", "--study", "singh2017"])
    assert "graph singh-5: the disk is full" in capsys.readouterr().out


def test_commands_that_repeat_a_failed_study_name_that_study(folder, capsys):
    (folder / "results/runs/rome99/bfs/level/b64.json").unlink()
    settings = json.dumps({"study": "my study.yaml", "scale": "offline"})
    assert cli.main(["failures", "--settings", settings]) == 1
    *_, everything, one_graph = capsys.readouterr().out.splitlines()
    options = "--cores 1 --resources gpu=1 --config 'study=my study.yaml' scale=offline"
    assert everything.endswith(f"  snakemake {options}")
    assert one_graph.endswith(f"  snakemake results/runs/rome99.csv {options}")
    cli.main(["gather", "--settings", settings])
    cli.main(["report", "--settings", settings])
    assert f"snakemake {options.replace(chr(39), '&#39;')}</code>" in (folder / "results/report.html").read_text()


def test_python_without_the_libraries_is_one_line(tmp_path):
    without = "import sys; sys.modules['pandas'] = None; from warpath import cli; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", without, "gather", *SETTINGS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"warpath: {sys.executable} lacks pandas; activate .venv (make run creates it)\n"


def test_command_line_starts_without_heavy_libraries():
    heavy = ["numpy", "pandas", "pyarrow", "matplotlib", "seaborn", "jinja2"]
    code = f"import sys; from warpath import cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gather", "--settings", "{study: x}"], "--settings: not valid JSON ("),
        (["figure", "speedup", "--timings", "x.csv"], "x.csv: not a table of runs ("),
        (["figure", "speeedup"], "there is no figure 'speeedup'. Did you mean speedup?"),
    ],
)
def test_what_is_no_table_and_no_settings_is_one_line(folder, capsys, arguments, message):
    cli.main(["gather", *SETTINGS])
    (folder / "x.csv").write_text("a,b\n1,2\n")
    capsys.readouterr()
    assert cli.main(arguments) == 2
    error = capsys.readouterr().err.strip()
    assert error.startswith(f"warpath: {message}") and "\n" not in error
