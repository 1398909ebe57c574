"""Launch configurations as data: axes, points of a launch space, and the sweeps that papers made."""

import itertools
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Axis:
    """A dimension of a launch space; `letter` comes before its value in a label."""

    name: str
    letter: str
    type: type = int


# Every axis that an algorithm may sweep, in the order of the tables' columns.
AXES = {
    axis.name: axis
    for axis in (
        Axis("block", "b"),
        Axis("grid", "g"),
        Axis("coarsening", "c"),
        Axis("tile", "t"),
        Axis("order", "", str),
        Axis("alpha", "a"),
        Axis("beta", "be"),
        Axis("delta", "d"),
        Axis("width", "w"),
    )
}

# Threads a block, as the papers' kernels are swept; and Rejaud's, with the number of blocks beside them.
BLOCK_SIZES = [64, 128, 256, 512, 1024]
CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]


@dataclass(frozen=True)
class Launch:
    """One point of a launch space; its axes are attributes: `launch.block`."""

    parameters: dict = field(default_factory=dict)

    def __getattr__(self, axis):
        try:
            return self.__dict__["parameters"][axis]
        except KeyError:
            raise AttributeError(f"this launch has no axis '{axis}', only {list(self.parameters)}") from None

    @property
    def label(self):
        return "-".join(_label(axis, value) for axis, value in self.parameters.items()) or "default"


def _label(axis, value):
    return value if isinstance(value, str) else f"{AXES[axis].letter if axis in AXES else axis}{value}"


def sweep(**axes):
    """Every combination of the axes' values, as a list; add two lists for a union."""
    return [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]


def configurations(**axes):
    """Rejaud's launch configurations with every combination of the axes' values."""
    return [{"block": block, "grid": grid} | rest for block, grid in CONFIGURATIONS for rest in sweep(**axes)]
