"""The least work that a problem takes: the table column `percent_of_limit` compares a run with it.

It is the least that any algorithm of the kind must do, not what this one did: an algorithm that reads the graph twenty
times is twenty times further from the limit. A bound is a function of vertices, arcs and the launch's parameters; an
algorithm names its own by `@algorithm(bound=...)`, and otherwise has its problem's.
"""

from typing import NamedTuple

from warpath.base.problems import PROBLEMS

WORD = 4  # bytes of an offset, a target, a weight or a distance


class Work(NamedTuple):
    """An amount of work, and the rate of the probe (results/probe.json) at which a device does such work at best."""

    rate: str
    amount: float


def triples(vertices, arcs, parameters):
    """Floyd-Warshall: one min(a, b + c) for every triple of vertices."""
    return Work("relaxations_per_s", float(vertices) ** 3)


def least_work(described, vertices, arcs, parameters, placement="device"):
    """The bound of an algorithm on a graph; None for all pairs, which take less than Floyd-Warshall if sparse."""
    problem = PROBLEMS[described.problem]
    read_once = WORD * arcs * (2 if problem.weighted else 1)  # targets, weights; else offsets and distances too
    if placement == "host" and not problem.all_pairs:
        return Work("link_bytes_per_s", read_once)
    if described.bound:
        return described.bound(vertices, arcs, parameters)
    return None if problem.all_pairs else Work("copy_bytes_per_s", read_once + WORD * (2 * vertices + 1))
