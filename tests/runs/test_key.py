"""What changes the key of a run, by which its record is kept, and what does not."""

import importlib.metadata
from types import SimpleNamespace

import pytest

from warpath.runs import key

PYTHON = '''"""A search."""
from warpath.algorithms import algorithm

@algorithm(launches=[{"block": 64}], %s)
def mine(device, graph, launch):
    return lambda source: "found"
'''
CUDA = """#include "shared.cuh"
#include "beside.cuh"
__global__ void search(int* level) { level[0] = next(ONE); }
"""
BESIDE = '#pragma once\n#include "shared.cuh"\n__device__ int next(int x) { return x + 1; }\n'
SHARED = "#pragma once\n#define ONE 1\n"
FILES = {
    "bfs/mine.py": PYTHON % "paper=None",
    "bfs/mine.cu": CUDA,
    "bfs/beside.cuh": BESIDE,
    "include/shared.cuh": SHARED,
}
RUN = {"graph": "g", "problem": "bfs", "algorithm": "mine", "launch": "b64", "placement": "device", "device": "cuda"}
RUN |= {"process": 1, "program": ""}


@pytest.fixture
def planned(tmp_path):
    """The key, as far as it is planned, of a run whose algorithm has these files, and others where `edits` say so."""

    def build(edits=None, warmup=1, **names):
        for path, text in (FILES | (edits or {})).items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        return key.planned(SimpleNamespace(**RUN | names), warmup, tmp_path)

    return build


def edited(path, old, new):
    return {path: FILES[path].replace(old, new)}


SAME = {
    "a comment": edited("bfs/mine.cu", "{", "{ // now\n /* and\n then */"),
    "layout": edited("bfs/mine.cu", " level[0] =", "\n\n    level [0]\t="),
    "a comment in a header": edited("include/shared.cuh", "ONE 1", "ONE /* only */ 1  // always"),
    "a definition over two lines": edited("include/shared.cuh", "ONE 1", "ONE \\\n    1"),
    "another docstring": edited("bfs/mine.py", "A search", "Another search"),
    "a function's docstring": edited("bfs/mine.py", "    return", '    """Find."""\n    return'),
    "a comment in Python": edited("bfs/mine.py", "launch):", "launch):  # mine"),
}
OTHER = {
    "code": edited("bfs/mine.cu", "level[0]", "level[1]"),
    "a definition": edited("include/shared.cuh", "ONE 1", "ONE 2"),
    "a header": edited("bfs/beside.cuh", "x + 1", "x + 2"),
    "a pragma": edited("bfs/mine.cu", "__global__", "#pragma unroll\n__global__"),
    "what looks like a comment": edited("bfs/mine.py", '"found"', '"found#"'),
    "Python code": edited("bfs/mine.py", "lambda source", "lambda source, more=1"),
}


@pytest.mark.parametrize("case", SAME | OTHER)
def test_an_edit_changes_the_key_if_and_only_if_it_changes_code(planned, case):
    assert (planned((SAME | OTHER)[case]) == planned()) == (case in SAME)


def test_every_name_of_a_run_and_the_warm_up_are_in_the_key(planned):
    others = {"graph": "h", "launch": "b32", "placement": "host", "device": "host", "process": 2, "warmup": 2}
    assert len({planned(), *(planned(**{name: value}) for name, value in others.items())}) == 1 + len(others)


def test_the_version_of_a_peers_library_is_in_the_key(planned, monkeypatch):
    peer = {"bfs/mine.py": PYTHON % "paper=None, device='peer', library='cugraph'"}
    versions = {"cugraph-cu12": "25.1"}

    def version(name):
        if name not in versions:
            raise importlib.metadata.PackageNotFoundError
        return versions[name]

    monkeypatch.setattr(importlib.metadata, "version", version)
    keys = [planned(peer)]
    for change in ({"cugraph-cu12": "25.2"}, {}):
        versions.clear()
        versions.update(change)
        keys.append(planned(peer))
    assert len(set(keys)) == 3


def test_the_content_of_the_graph_and_the_sources_complete_the_key():
    keys = {
        key.whole(*parts) for parts in [("k", "d", [0, 1]), ("l", "d", [0, 1]), ("k", "e", [0, 1]), ("k", "d", [0])]
    }
    assert len(keys) == 4
