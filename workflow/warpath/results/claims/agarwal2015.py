"""What Agarwal and Dutta concluded on a GeForce GTS 450 and a Tesla C2075."""

from warpath.results import select
from warpath.results.claims._sides import best, ratios
from warpath.results.claims._verdict import judge_times
from warpath.results.evidence import Graphs, at_least, fastest
from warpath.results.papers.agarwal2015 import BASIC, TWO_FLAGS

LAUNCH_BOUND = 10  # µs a kernel launch: up to here the cost of launching (2 to 5 µs) dominates


def claims(evidence):
    printed = select.printed(evidence.published, "agarwal2015")
    times = printed.pivot(index=["graph", "device"], columns="algorithm", values="value")
    then = times[BASIC] / times[TWO_FLAGS]
    graphs = Graphs("the Gnutella networks", list(printed["graph"].unique()))
    yield judge_times(
        "two-flags-faster",
        "section 5, tables 1 and 2",
        "Relaxing only the edges whose tail changed, tracked by two flags, is 2 to 6 times faster at every size.",
        "Time of sssp/bellman_ford over that of sssp/two_flags on the Gnutella networks, fastest launch of each; "
        "holds from 2.",
        ratios(evidence, best(BASIC), best(TWO_FLAGS), graphs),
        at_least(2),
        f"The paper's own tables give {then.min():.1f}× to {then.max():.1f}×. {_launches(evidence, graphs)}".strip(),
    )


def _launches(evidence, graphs):
    """A remark on the graphs where launching kernels took most of the time of both sides, if there are any."""
    pairs = [[fastest(evidence, [name], graph) for name in (BASIC, TWO_FLAGS)] for graph in graphs.names]
    costs = [[1000 * row["median_ms"] / row["kernel_launches"] for row in pair] for pair in pairs if all(pair)]
    bound = [cost for pair in costs if max(pair) <= LAUNCH_BOUND for cost in pair]
    if not bound:
        return ""
    return (
        f"On {len(bound) // 2} of {len(costs)} graphs a kernel launch took {min(bound):.1f} to {max(bound):.1f} µs on "
        "both sides, which is about the cost of launching alone: there the comparison is between numbers of launches "
        "(one a round against two), not of relaxations."
    )
