from pathlib import Path

import pytest
import yaml

from warpath.graphs import catalogue, csr
from warpath.graphs.prepare import prepare


@pytest.fixture
def entry(tmp_path):
    """Make the catalogue entry `g` from its keys."""

    def make(**keys):
        file = tmp_path / "catalogue.yaml"
        file.write_text(yaml.safe_dump({"g": keys}))
        return catalogue.load(file)["g"]

    return make


@pytest.fixture
def convert(tmp_path, entry):
    """Write `text` as the file `name` and prepare it as the keys say: the graph as it loads."""

    def run(text, name="g.txt", **keys):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        made = entry(path=str(path), **keys)
        prepare(made, made.inputs(), tmp_path / "out")
        return csr.read(tmp_path / "out")

    return run


def arcs(graph):
    """{(from, to): weight} by labels."""
    import numpy as np

    sources = np.repeat(graph.labels, np.diff(graph.offsets)).tolist()
    targets = graph.labels[graph.targets].tolist()
    return dict(zip(zip(sources, targets, strict=True), graph.weights.tolist(), strict=True))


def leftovers(folder):
    """Whatever a later run could take for good."""
    return [path.name for path in Path(folder).rglob("*") if path.is_file()]
