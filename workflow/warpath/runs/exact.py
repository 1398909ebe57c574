"""Answers are exact 31-bit integers: a graph whose distances are not is refused, never rounded or wrapped."""

from warpath.algorithms import UNREACHABLE
from warpath.base.problems import PROBLEMS


class NotExact(Exception):
    """The graph's distances are not integers of 31 bits."""


def require(graph, oracle, problem):
    """Raise NotExact unless every weight is an integer and every distance is below UNREACHABLE.

    Weights and distances are then below 2^31, so that no sum that a kernel forms overflows 32 bits.
    """
    if PROBLEMS[problem].weighted and graph.weights.dtype.kind == "f":
        raise NotExact(
            f"graph {graph.name} has fractional weights and shortest paths are exact in integers only; "
            "give its catalogue entry weights: {scale: 1000}, round or another policy"
        )
    if oracle.longest >= UNREACHABLE:
        raise NotExact(
            f"graph {graph.name} can have distances of {oracle.longest}; the longest that a 31-bit answer holds is "
            f"{UNREACHABLE - 1}"
        )
