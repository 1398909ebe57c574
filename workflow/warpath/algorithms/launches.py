"""Launch configurations as data: axes, points of a launch space, and sweeps."""

import itertools
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Axis:
    name: str
    letter: str  # the prefix of its values in a label; words stand alone
    meaning: str
    type: type = int

    def label(self, value):
        return value if isinstance(value, str) else f"{self.letter}{value}"


# The axes of warpath's algorithms, in the order of the tables' columns.
AXES = {
    axis.name: axis
    for axis in (
        Axis("block", "b", "Threads per block."),
        Axis("grid", "g", "Blocks."),
        Axis("coarsening", "c", "Vertices per thread."),
        Axis("tile", "t", "Side of a tile, in vertices."),
        Axis("order", "", "Whether the edge list is sorted by `source` or by `target`.", str),
        Axis("alpha", "a", "When a search starts to pull: the larger, the earlier."),
        Axis("beta", "be", "When a search stops pulling: the larger, the later."),
        Axis("delta", "d", "Width of a bucket of distances; 0 if the algorithm chooses it from the graph."),
        Axis("tree", "", "Whether a search returns parents too: a shortest-path `tree`.", str),
        Axis("way", "", "How a search goes on: by `buckets`.", str),
        Axis("width", "w", "Bits per distance."),
        Axis("numbering", "", "Whether a library renumbers the vertices.", str),
        Axis("direction", "", "Whether a library's search may pull.", str),
        Axis("precision", "", "Type of a library's weights.", str),
    )
}


def axis(name):
    """Return the axis of that name; one that AXES lacks is labelled by its full name."""
    return AXES.get(name) or Axis(name, letter=name, meaning="")


# Threads per block in the papers' sweeps, and Rejaud's (threads per block, number of blocks).
BLOCK_SIZES = [64, 128, 256, 512, 1024]
CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]


@dataclass(frozen=True)
class Launch:
    """One point of a launch space. Its parameters are attributes: `launch.block`."""

    parameters: dict = field(default_factory=dict)

    def __getattr__(self, name):
        try:
            return self.__dict__["parameters"][name]
        except KeyError:
            raise AttributeError(f"this launch has no axis '{name}', only {list(self.parameters)}") from None

    @property
    def label(self):
        return "-".join(axis(name).label(value) for name, value in self.parameters.items()) or "default"


def sweep(**axes):
    """Return every combination of the axes' values as a list; concatenate lists for a union."""
    return [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]


def configurations(**axes):
    """Return Rejaud's launch configurations, each with every combination of the axes' values."""
    return [{"block": block, "grid": grid} | rest for block, grid in CONFIGURATIONS for rest in sweep(**axes)]
