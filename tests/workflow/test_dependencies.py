"""An edit makes anew what depends on the edited file, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from warpath.algorithms import discovery
from warpath.base import places
from warpath.lifetime import folder
from warpath.runs import provenance

STUDY = """
title: A tiny study
include: [more.yaml]
runs:
  - graphs: [tiny-path]
    algorithms: [bfs/level, bfs/cpu_queue]
    launches: {block: 64}
figures: [launch_heatmap]
"""
INCLUDED = """
title: Another
figures: [harish2007_roads]
claims: [harish2007]
runs: [{graphs: [tiny-file], algorithms: [bfs/level], launches: {block: 128}}]
"""

RESULTS = "workflow/warpath/results"
FIGURES = {"launch_heatmap", "harish2007_roads"}
ALL_RESULTS = {"tables", *FIGURES, "page"}
COMMENT = ["", "// an edit\n"]
BLANK = ["\n", "\n\n"]
LONG_AGO = 10**9  # seconds since 1970

# name: (the edit by file, what is made anew)
EDITS = {
    "nothing": ({}, set()),
    "title of the study": ({"tiny.yaml": ["A tiny", "A small"]}, {"page"}),
    "claims of the study": ({"tiny.yaml": ["figures:", "claims: [rejaud]\nfigures:"]}, {"page"}),
    "claims of an included study": ({"more.yaml": ["[harish2007]", "[]"]}, {"page"}),
    "a figure more": ({"more.yaml": ["roads]", "roads, speedup]"]}, {"speedup", "page"}),
    "claims file": ({f"{RESULTS}/claims/harish2007.py": BLANK}, {"page"}),
    "module of claims": ({f"{RESULTS}/claims/_verdict.py": BLANK}, {"page"}),
    "claims file of another study": ({f"{RESULTS}/claims/rejaud.py": BLANK}, set()),
    "figure": ({f"{RESULTS}/figures/launch_heatmap.py": BLANK}, {"launch_heatmap", "page"}),
    "figure of another study": ({f"{RESULTS}/figures/speedup.py": BLANK}, set()),
    "charts": ({f"{RESULTS}/charts.py": BLANK}, {"harish2007_roads", "launch_heatmap", "page"}),
    "style": ({f"{RESULTS}/style.py": BLANK}, ALL_RESULTS),
    "template": ({"workflow/report/page.html.j2": BLANK}, {"page"}),
    "style sheet": ({"workflow/report/page.css": BLANK}, {"page"}),
    "script": ({"workflow/report/page.js": BLANK}, {"page"}),
    "published numbers": ({"config/published/harish2007.csv": BLANK}, {"harish2007_roads", "page"}),
    "published numbers of another paper": ({"config/published/rejaud.csv": BLANK}, set()),
    "gathering": ({f"{RESULTS}/gather.py": BLANK}, ALL_RESULTS),
    "module that decides no result": ({"workflow/warpath/base/errors.py": BLANK}, set()),
    "kernel": ({"kernels/bfs/level.cu": COMMENT}, {"bfs/level", *ALL_RESULTS}),
    "baseline": ({"kernels/bfs/cpu_queue.cpp": COMMENT}, {"bfs/cpu_queue", *ALL_RESULTS}),
    "header": ({"kernels/include/warpath.cuh": COMMENT}, {"bfs/level", *ALL_RESULTS}),
    "header of other kernels": ({"kernels/include/bitmap.cuh": COMMENT}, set()),
    "graph file replaced by an older one": (
        {"tiny.txt": ["2 3", "3 4", LONG_AGO]},
        {places.prepared("tiny-file"), places.oracle("tiny-file", "bfs"), "bfs/level", *ALL_RESULTS},
    ),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory, kernel_cache):
    """A checkout in which a tiny study is complete."""
    import checkouts

    made = checkouts.make(tmp_path_factory.mktemp("dependencies") / "checkout", WARPATH_CACHE=str(kernel_cache))
    made.write("tiny.yaml", STUDY)
    made.write("more.yaml", INCLUDED)
    made.write("tiny-graphs.yaml", made.read("tiny-graphs.yaml") + "tiny-file: {path: tiny.txt}\n")
    made.write("tiny.txt", "1 2\n2 3\n")
    made.snakemake()
    return made


def plan(checkout, edits):
    """The outputs that each edit makes anew, and that no plan locks the folder."""
    lock = checkout.read(folder.LOCK)
    finished = subprocess.run(
        [sys.executable, Path(__file__).with_name("planner.py")],
        cwd=checkout.folder,
        env=checkout.environment,
        input=json.dumps(edits),
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert checkout.read(folder.LOCK) == lock
    return json.loads(finished.stdout.splitlines()[-1])


def kind(output):
    """What an output belongs to; the path itself for whatever no edit should make anew."""
    path = Path(output)
    if path.parts[:2] == ("results", "runs"):
        return "/".join(path.parts[3:5])
    if path.parts[:2] == ("results", "figures"):
        return path.stem
    names = {"results/timings.parquet": "tables", "results/summary.csv": "tables", "results/report.html": "page"}
    return names.get(output, output)


def test_each_edit_makes_anew_what_depends_on_it(finished):
    planned = plan(finished, {name: edit for name, (edit, _) in EDITS.items()})
    kinds = {name: set(map(kind, outputs)) for name, outputs in planned.items()}
    assert kinds == {name: expected for name, (_, expected) in EDITS.items()}


def test_a_declared_edit_of_a_kernel_measures_nothing(finished, tmp_path):
    """One after which the kernel includes another header."""
    kernels = finished.folder / "kernels"
    text = finished.read("kernels/bfs/level.cu")
    edited = tmp_path / "level.cu"
    edited.write_text(f'#include "bitmap.cuh"\n{text}')
    before, after = (
        provenance.digest([kernels / "bfs/level.py", *discovery.included(code, kernels / "include")])
        for code in (kernels / "bfs/level.cu", edited)
    )
    edit = {"kernels/bfs/level.cu": [text, edited.read_text()]}
    line = f"bfs/level\t{before}\t{after}\tthe same cubin\n"
    declaration = {"kernels/unchanged.tsv": ["evidence\n", f"evidence\n{line}"]}
    planned = plan(finished, {"edit": edit, "declared edit": edit | declaration})
    assert "bfs/level" in map(kind, planned["edit"])
    assert planned["declared edit"] == []
