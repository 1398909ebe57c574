import numpy as np
import pytest
import yaml

from warpath.base import settings
from warpath.graphs import catalogue, csr
from warpath.graphs.prepare import prepare


@pytest.fixture(scope="session")
def entries():
    """Our catalogue."""
    return catalogue.load(settings.GRAPHS)


@pytest.fixture
def entry(tmp_path):
    """Return the entry of a graph `g` with these catalogue keys."""

    def make(**keys):
        file = tmp_path / "catalogue.yaml"
        file.write_text(yaml.safe_dump({"g": keys}))
        return catalogue.load(file)["g"]

    return make


@pytest.fixture
def convert(tmp_path, entry):
    """Write `text` to the file `name`, prepare it by the catalogue keys and return the loaded graph."""

    def run(text, name="g.txt", **keys):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        described = entry(path=str(path), **keys)
        prepare(described, described.path(), tmp_path / "out")
        return csr.read(tmp_path / "out")

    return run


def arcs(graph):
    """{(from, to): weight}, by labels."""
    tails = np.repeat(graph.labels, np.diff(graph.offsets)).tolist()
    targets = graph.labels[graph.targets].tolist()
    return dict(zip(zip(tails, targets, strict=True), graph.weights.tolist(), strict=True))
