"""The study of the zoo, made small: tiny graphs of a few kinds, from nothing to its figure."""

import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from warpath import devices

KINDS = ("nearest-directed", "mesh-zero-weights")
NEAREST = "{kind: nearest, vertices: 4096, neighbours: 8, dimensions: 3, shuffle: 1}"
LARGER = f"""
zoo-nearest-directed-4k: {{based_on: zoo-nearest-directed-1k, generator: {NEAREST}}}
zoo-mesh-zero-weights-4k: {{based_on: zoo-mesh-zero-weights-1k, generator: {{kind: mesh, sides: [64, 64]}}}}
"""


@pytest.mark.slow
def test_a_small_zoo(checkout):
    study = checkout.read("config/studies/zoo.yaml")
    chosen = "|".join(KINDS)
    lines = [line for line in study.splitlines() if not re.match(rf" +- zoo-(?!({chosen})-(256k|2m)$)", line)]
    small = re.sub("-(256k|2m)$", lambda size: {"256k": "-1k", "2m": "-4k"}[size[1]], "\n".join(lines), flags=re.M)
    checkout.write("tiny.yaml", re.sub(r"(?m)^.*peer_(cugraph|graphblas|networkit)\n", "", small))
    checkout.write("tiny-graphs.yaml", LARGER)
    checkout.write("config/config.yaml", checkout.read("config/config.yaml").replace("sources: 2", "sources: 1"))
    checkout.snakemake("results/figures/zoo.svg", "results/summary.csv")
    summary = checkout.summary()
    assert set(summary["status"]) == {"ok"}
    assert set(summary["graph"]) == {f"zoo-{kind}-{size}" for kind in KINDS for size in ("1k", "4k")}
    drawn = pd.read_csv(checkout.folder / "results/figures/zoo.csv")
    assert set(zip(drawn["kind"], drawn["size"], drawn["problem"], strict=True)) == {
        (kind, size, problem) for kind in KINDS for size in ("1k", "4k") for problem in ("bfs", "sssp")
    }
    assert drawn["worst"].is_monotonic_increasing and (drawn["own_launch"].isin(["a16-be64", "d0"])).all()


@pytest.mark.parametrize("name, blocks", [("zoo-mesh2d-1k", 16), ("zoo-nearest-directed-1k", 0)])
def test_before_its_turn_a_graph_is_divided_and_its_kernels_are_compiled(name, blocks, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    import zoo

    card = {"kind": "cuda", "architecture": "90", "multiprocessors": 16, "shared_memory": 232_448, "memory": 1e11}
    compiled = []
    monkeypatch.setattr(devices, "outlined", lambda kind: SimpleNamespace(**card))
    monkeypatch.setattr(devices, "compile_kernels", lambda *build: compiled.append(build))
    monkeypatch.setenv("WARPATH_THREADS", "1")
    options = SimpleNamespace(device="cuda", problems="bfs,sssp", sources=2)
    graph, sources, part = zoo._loaded(zoo._made((name, options, tmp_path))[0])
    assert graph.vertices == 1024 and len(sources) == 2
    assert len(set(part.tolist())) == blocks and len(part) in (0, graph.vertices)
    stems = {Path(stem).stem for _, stem, *_ in compiled}
    assert {"persistent", "near_far", "level", "two_kernel"} <= stems and len(set(compiled)) == len(compiled)
