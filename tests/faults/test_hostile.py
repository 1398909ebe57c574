"""What others wrote stays data: it reaches no shell, archives stay inside their folder, and nothing is unpickled."""

import ast
import importlib
import json
import re
import shlex
import zipfile

import checkouts
import pytest
import yaml
from checkouts import ROOT

EVIL = 'it\'s a "test"; $(touch pwned) `touch pwned` {graph} & #'


def planted(folder):
    return [path for path in folder.rglob("*") if path.name in ("pwned", "evil.txt")]


def test_a_workflow_in_a_folder_with_a_dangerous_name(tmp_path, kernel_cache):
    folder = tmp_path / EVIL.replace('"', "")  # the one character that C++ cannot have in the name of an included file
    checkout = checkouts.make(folder, WARPATH_CACHE=str(kernel_cache))
    result = checkout.snakemake()
    assert (checkout.folder / "results/report.html").exists(), result.stdout
    assert {row[4] for row in checkout.table()} == {"ok"}
    assert not planted(tmp_path)


def test_settings_reach_every_command_as_they_are(checkout):
    study, catalogue = f"{EVIL}.yaml", f"{EVIL} graphs.yaml"
    (checkout.folder / "tiny.yaml").rename(checkout.folder / study)
    (checkout.folder / "tiny-graphs.yaml").rename(checkout.folder / catalogue)
    settings = {
        "study": study,
        "device": "host",
        "catalogues": [catalogue],
        "mirrors": [EVIL, "https://example.org/{file}; touch pwned"],
        "timing": {"sources": 1, "repetitions": 1},
    }
    checkout.write("config/config.yaml", json.dumps(settings))
    checkout.snakemake()
    checkout.snakemake("results/runs/tiny-path.csv")
    source = checkout.read("kernels/bfs/level.cu")
    checkout.write("kernels/bfs/level.cu", "this is not CUDA\n" + source)
    assert checkout.snakemake(check=False).returncode != 0  # and so salvages
    assert not planted(checkout.folder)
    failures = checkout.warpath("failures")
    again = [line.partition("  snakemake ")[2] for line in failures.stdout.splitlines() if "  snakemake " in line]
    assert [checkout.jobs(*shlex.split(command))["measure_run"] for command in again] == [4, 2]


@pytest.mark.parametrize(
    "name", ["$(touch pwned)", "a b", "../evil", "a;touch pwned", "-rf", "a'b", ".", "a\nb", "{graph}"]
)
def test_a_graph_name_that_could_be_more_than_a_name_is_refused(checkout, name):
    checkout.write("tiny-graphs.yaml", json.dumps({name: {"generator": {"kind": "path", "vertices": 9}}}))
    result = checkout.snakemake("--dry-run", check=False)
    assert result.returncode != 0
    assert result.stdout.strip().splitlines()[-1].startswith("warpath: tiny-graphs.yaml: ")
    assert not planted(checkout.folder)


@pytest.mark.parametrize(
    "source",
    [
        {"path": "a{graph}.txt"},
        {"path": "a\nb.txt"},
        {"url": "http://x.org/a%7Bgraph%7D.txt"},
        {"url": "http://x.org/%2e%2e"},
        {"url": "http://x.org/"},
        {"url": "http://[x/a.txt"},
    ],
)
def test_a_file_whose_name_is_a_pattern_or_none_is_refused(checkout, source):
    checkout.write("tiny-graphs.yaml", json.dumps({"tiny-path": source}))
    result = checkout.snakemake("--dry-run", check=False)
    assert result.returncode != 0
    assert result.stdout.strip().splitlines()[-1].startswith("warpath: tiny-graphs.yaml: tiny-path")


@pytest.mark.parametrize(
    "key, value",
    [
        ("seed", "1; touch pwned"),
        ("repetitions", "$(touch pwned)"),
        ("budget", "1 --kernels /tmp"),
        ("sources", ["0; touch pwned"]),
        ("time_limit", "1e400"),
        ("budget", "nan"),
    ],
)
def test_a_setting_that_is_no_number_is_refused(checkout, key, value):
    checkout.write("config/config.yaml", json.dumps({"study": "tiny.yaml", "timing": {key: value}}))
    result = checkout.snakemake("--dry-run", check=False)
    assert result.returncode != 0
    assert f"config/config.yaml: timing.{key}" in result.stdout.strip().splitlines()[-1]


def test_an_archive_cannot_write_outside_of_its_folder(checkout):
    with zipfile.ZipFile(checkout.folder / "archive.zip", "w") as archive:
        for name in ("../evil.txt", "../../evil.txt", str(checkout.folder / "evil.txt"), "edges.txt"):
            archive.writestr(name, "1 2\n2 3\n3 1\n")
    graphs = {name: {"path": "archive.zip", "member": "edges.txt"} for name in ("tiny-path", "tiny-star")}
    checkout.write("tiny-graphs.yaml", json.dumps(graphs))
    result = checkout.snakemake("results/runs/tiny-path.csv", check=False)
    assert result.returncode != 0
    assert "warpath: archive.zip: '../evil.txt' is a path that leaves the archive" in result.stdout
    said = [line for line in checkout.warpath("failures").stdout.splitlines() if line.startswith("graph tiny-path: ")]
    assert len(said) == 1
    assert "archive.zip: holds '../evil.txt'" in said[0]
    assert said[0].endswith("(logs/prepare/tiny-path.log)")
    assert not planted(checkout.folder.parent)


UNSAFE = {
    *("eval", "exec", "compile", "__import__", "runpy.run_path", "asyncio.create_subprocess_shell"),
    *("os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"),
    *("np.load", "numpy.load", "pd.read_pickle", "pandas.read_pickle"),
}
UNPICKLING = {
    *("pickle", "cPickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"),
    *("multiprocessing", "ProcessPoolExecutor"),
}
SHELLS = {"sh", "bash", "/bin/sh", "/bin/bash"}
# Data and commands of our own: answers of child processes, the command that Snakemake made of a rule, the server of workers.
KNOWN = {
    "oracle.py": {"multiprocessing", "ProcessPoolExecutor"},
    "slurm.py": {"os.execvp", "sh"},
    "client.py": {"os.execv"},
}
PYTHON = [path for folder in ("workflow/warpath", "kernels") for path in sorted((ROOT / folder).glob("**/*.py"))]


def _imported(tree):
    """Every module and name that a module imports, in their parts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
            yield from (part for name in names for part in name.split("."))


def _calls(tree):
    """(dotted name, keywords) of every call in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}


def _module(path):
    return ".".join(path.relative_to(ROOT / "workflow").with_suffix("").parts)


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.name)
def test_nothing_is_unpickled_evaluated_or_handed_to_a_shell(path):
    tree = ast.parse(path.read_text())
    calls = list(_calls(tree))
    named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    started = {
        name for name, _ in calls if name in UNSAFE or name.startswith(("os.exec", "os.spawn", "os.posix_spawn"))
    }
    assert started | UNPICKLING.intersection(_imported(tree)) | SHELLS & named == KNOWN.get(path.name, set())
    for name, keywords in calls:
        assert "allow_pickle" not in keywords, name
        assert keywords.get("shell", "False") == "False", name
        if name == "yaml.load":
            loader = getattr(importlib.import_module(_module(path)), keywords["Loader"])
            assert issubclass(loader, (yaml.SafeLoader, yaml.CSafeLoader))


# What a rule may hand to the shell without quotes: names out of closed lists, numbers, and options quoted one by one.
PLAIN = {
    *("wildcards.problem", "wildcards.figure", "threads"),
    *("params.sources", "params.seed", "params.device", "params.timing"),
}


@pytest.mark.parametrize(
    "path", [ROOT / "Snakefile", *sorted(ROOT.glob("workflow/rules/*.smk"))], ids=lambda path: path.name
)
def test_rules_run_commands_alone_and_quote_what_they_hand_to_them(path):
    text = path.read_text()
    assert not re.search(r"^\s*(run|script|notebook|wrapper):|\b(eval|exec|pickle|subprocess|os\.system)\b", text, re.M)
    commands = re.findall(r"\bshell:\n((?:\s+\".*\"\n)+)", text) + re.findall(r"\bshell\((.*)\)\n", text)
    assert len(commands) == len(re.findall(r"\bshell\b", text))
    for place in re.findall(r"\{([^{}]+)\}", "".join(commands)):
        assert place.endswith(":q") or place in PLAIN
