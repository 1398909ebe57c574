"""Hostile names and settings stay data: none reaches a shell or another folder."""

import json
import re
import shlex

import checkouts
import pandas as pd
import pytest
from checkouts import ROOT

from warpath.base import settings
from warpath.base.errors import UserError
from warpath.graphs import catalogue

EVIL = 'it\'s a "test"; $(touch pwned) `touch pwned` {graph} & #'


def test_dangerous_names_of_folder_study_catalogue_and_mirror(tmp_path):
    """Every rule runs, some runs fail, and the commands that are printed then repeat them in a shell."""
    folder = tmp_path / EVIL.replace('"', "")  # which g++ refuses in the name of an included file
    checkout = checkouts.make(folder)
    study, graphs = f"{EVIL}.yaml", f"{EVIL} graphs.yaml"
    (folder / "tiny.yaml").rename(folder / study)
    (folder / "tiny-graphs.yaml").rename(folder / graphs)
    changed = {
        "study": study,
        "device": "host",
        "catalogues": [graphs],
        "mirrors": [EVIL, "https://example.org/{file}; touch pwned"],
        "timing": {"sources": 1, "repetitions": 1},
    }
    checkout.append("kernels/bfs/level.cu", "this is not CUDA\n")
    words = [f"{key}= {json.dumps(value)} " for key, value in changed.items()]  # Snakemake strips quotes at the ends
    failed = checkout.snakemake("--config", *words, check=False)
    assert failed.returncode != 0
    assert (folder / "results/report.html").exists(), failed.stdout
    assert checkout.statuses() == {"bfs/cpu_queue": {"ok"}, "bfs/level": {"failed"}}

    (line,) = [line for line in failed.stdout.splitlines() if line.startswith("What failed and how to do it again: ")]
    program, step, option, value = shlex.split(line.partition(": ")[2])
    assert program == ".venv/bin/warpath"
    listed = checkout.warpath(step, option, value)
    assert listed.returncode == 1
    again = [line.partition("  snakemake ")[2] for line in listed.stdout.splitlines() if "  snakemake " in line]
    study_again, graph_again = map(shlex.split, again)
    assert [checkout.jobs(*command)["measure_run"] for command in (study_again, graph_again)] == [4, 2]

    checkout.restore("kernels/bfs/level.cu")
    assert graph_again[0] == "results/runs/tiny-path.csv"
    checkout.snakemake(*graph_again)
    assert set(pd.read_csv(folder / graph_again[0])["status"]) == {"ok"}
    assert not list(tmp_path.rglob("pwned"))


PATH = {"generator": {"kind": "path", "vertices": 9}}
NAMES = ["$(touch pwned)", "a b", "../evil", "a;touch pwned", "-rf", "a'b", ".", "a\nb", "{graph}"]
SOURCES = [
    {"path": "a{graph}.txt"},
    {"path": "a\nb.txt"},
    {"url": "http://x.org/a%7Bgraph%7D.txt"},
    {"url": "http://x.org/%2e%2e"},
    {"url": "http://x.org/"},
    {"url": "http://[x/a.txt"},
]


@pytest.mark.parametrize("graphs", [*({name: PATH} for name in NAMES), *({"tiny-path": source} for source in SOURCES)])
def test_a_name_of_a_graph_or_a_file_with_other_characters_is_refused(tmp_path, monkeypatch, graphs):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graphs.yaml").write_text(json.dumps(graphs))
    (problem,) = catalogue.problems(catalogue.load("graphs.yaml"))
    assert problem.startswith("warpath: graphs.yaml: " + "tiny-path" * ("tiny-path" in graphs))


@pytest.mark.parametrize(
    "key, value",
    [
        ("seed", "1; touch pwned"),
        ("repetitions", "$(touch pwned)"),
        ("budget", "1 --kernels /tmp"),
        ("sources", ["0; touch pwned"]),
        ("sources", "2.5"),
        ("sources", ""),
        ("time_limit", "1e400"),
        ("budget", "nan"),
    ],
)
def test_a_setting_that_is_not_a_number_is_refused(key, value):
    with pytest.raises(UserError, match=rf"^config/config\.yaml: timing\.{key}"):
        settings.check({"study": "tiny.yaml", "timing": {key: value}})


def test_no_module_starts_a_shell_or_allows_pickles():
    """Other ways to evaluate or unpickle data are refused by `make lint`: see pyproject.toml."""
    modules = [path for folder in ("workflow/warpath", "kernels") for path in (ROOT / folder).rglob("*.py")]
    modules.remove(ROOT / "workflow/warpath/algorithms/programs/build.py")  # the build of a program is commands of bash
    assert [path for path in modules if re.search(r"""["'](/bin/)?(ba)?sh["']|allow_pickle""", path.read_text())] == []


# What a rule may pass to the shell without quotes: names out of closed lists, numbers, and options quoted one by one.
PLAIN = {
    *("wildcards.problem", "wildcards.figure", "threads"),
    *("params.sources", "params.seed", "params.device", "params.options", "TIMING"),
}


@pytest.mark.parametrize(
    "path", [ROOT / "workflow/Snakefile", *sorted(ROOT.glob("workflow/rules/*.smk"))], ids=lambda path: path.name
)
def test_rules_only_run_commands_and_quote_their_arguments(path):
    text = path.read_text()
    assert not re.search(r"^\s*(run|script|notebook|wrapper):|\b(eval|exec|pickle|subprocess|os\.system)\b", text, re.M)
    commands = re.findall(r"\bshell:\n\s+(?:command|step)\(((?:\s*\".*\",?\n?)+)\s*\)\n", text) + re.findall(
        r"\bshell\((.*)\)\n", text
    )
    assert len(commands) == len(re.findall(r"\bshell\b", text))
    for place in re.findall(r"\{([^{}]+)\}", "".join(commands)):
        assert place.endswith(":q") or place in PLAIN
