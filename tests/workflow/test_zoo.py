"""The benchmark of the zoo makes its graphs ready before their turn."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from warpath import devices


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
