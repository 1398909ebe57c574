"""The description of an algorithm, and the decorator that creates it."""

from dataclasses import dataclass
from typing import Any

from warpath.algorithms.launches import Launch
from warpath.base.errors import UserError


@dataclass(frozen=True)
class Algorithm:
    problem: str
    name: str
    prepare: Any
    launches: tuple
    paper: str | None = None
    device: str = "kernel"  # a .cu for cuda and host; "cpu": a sequential .cpp; "peer", "peer_gpu": another library
    parents: bool = False
    exact: bool = True
    program: Any = None  # of algorithms.programs, where it is one that is described in a folder of its own
    library: str | None = None  # the module that a peer calls; where it is not installed, studies skip the algorithm
    bound: Any = None  # the least work, a function as in bounds.py; without one it is that of the problem

    @property
    def id(self):
        return f"{self.problem}/{self.name}"

    @property
    def reports(self):
        """Whether its times are by a clock of its own: it is a command."""
        return bool(self.program) and self.program.command

    @property
    def is_unchecked(self):
        """Whether it gives no answers, only times."""
        return bool(self.program) and self.program.answer[self.problem] == "none"

    def launch(self, label):
        known = {launch.label: launch for launch in self.launches}
        if label not in known:
            raise UserError(f"{self.id} has no launch '{label}'; it has {', '.join(known)}")
        return known[label]


def algorithm(launches=({},), **fields):
    """Mark the function in kernels/<problem>/<name>.py that prepares a solve; `fields` are those of Algorithm."""

    def mark(prepare):
        prepare.described = {"launches": tuple(map(Launch, launches)), **fields}
        return prepare

    return mark
