"""Every mirrored graph, downloaded from a local server and prepared, has the counts that its publisher states."""

import csv
from pathlib import Path

import numpy as np
import pytest
from graphs.server import serving
from small_graphs import distances

from warpath.algorithms import UNREACHABLE
from warpath.base import places, settings
from warpath.graphs import csr, download
from warpath.graphs.prepare import prepare
from warpath.runs import plan

MANIFEST = Path(__file__).resolve().parents[3] / "shared" / "mirror" / "MANIFEST.tsv"
ROWS = list(csv.DictReader(MANIFEST.open(), delimiter="\t")) if MANIFEST.exists() else []
NAMES = [row["dataset"] for row in ROWS if row["format"] != "dimacs-co"]
DIGESTS = {  # the first letters of the digests of graphs in each format
    "USA-road-d.NY": "f636c69fba26baa8",
    "bio-CE-CX": "db340e1db75e981a",
    "facebook_combined": "eb7e8582b6d78c14",
    "pace16-USA-road-NY": "5d809872537835de",
    "rgg_n_2_15_s0": "3412a5152b54b93c",
    "rgg_n_2_16_s0": "e58fef29950c34ba",
    "rome99": "a3717b7def7bbcab",
    "soc-sign-bitcoinotc": "d3b3842f8b8dd4a1",
    "wiki-Vote": "a38709c29164f632",
}


@pytest.fixture(scope="module")
def mirror(shared):
    def find(path):
        file = shared / "mirror" / path.lstrip("/")
        return file.read_bytes() if file.is_file() else None

    with serving(find) as server:
        yield server.url


@pytest.fixture
def converted(tmp_path, entries, mirror):
    def run(name):
        entry = entries[name]
        path = entry.origin and places.ROOT / entry.path(tmp_path / "downloads")  # not where it is generated
        if entry.url:
            download.fetch(entry, path, [mirror])
        prepare(entry, path, tmp_path / name)
        return csr.read(tmp_path / name)

    return run


@pytest.mark.parametrize("name", NAMES or ["none"])
def test_counts(shared, converted, name):
    row = next(row for row in ROWS if row["dataset"] == name)
    graph = converted(name)
    assert graph.metadata["read"] == {"vertices": int(row["nodes"]), "edges": int(row["edges_in_file"])}
    assert graph.vertices == int(row["nodes"])
    pairs = np.repeat(np.arange(graph.vertices), np.diff(graph.offsets)) * graph.vertices + graph.targets
    assert (np.diff(pairs) > 0).all(), "arcs are not sorted, or parallel"
    assert graph.weights.dtype == np.int32 and graph.weights.min() > 0
    assert graph.metadata["digest"].startswith(DIGESTS.get(name, ""))


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("fla", "grid1k", "smallworld", "grid3d", "rgg")]


@pytest.mark.parametrize("name", ["gnutella31", "slashdot", "ny", *SLOW])
def test_graphs_are_those_on_which_libraries_were_timed(shared, converted, name):
    """SciPy's distances from the study's sources have the sums that were published with the timings."""
    graph = converted(name)
    rows = list(csv.DictReader((shared / "peers" / "checksums.csv").open()))
    timed_from = {int(graph.labels[int(row["source"])]) for row in rows if row["graph"] == name}
    study = plan.load(settings.read() | {"study": "frontier", "device": "host"})
    assert {run.sources for run in study.runs if run.graph == name} == {tuple(sorted(timed_from))}
    for problem in ("bfs", "sssp"):
        row = next(row for row in rows if (row["graph"], row["problem"]) == (name, problem))
        distance = distances(graph, int(row["source"]), problem == "sssp")
        reached = distance[distance != UNREACHABLE]
        expected = [int(row[key]) for key in ("reached", "sum_of_distances", "largest_distance")]
        assert [len(reached), reached.sum(), reached.max()] == expected
