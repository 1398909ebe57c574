"""What Agarwal and Dutta concluded on a GeForce GTS 450 and a Tesla C2075."""

from warpath.results import select
from warpath.results.claims._sides import best, over
from warpath.results.claims._verdict import ask
from warpath.results.evidence import Graphs, at_least, fastest

BASIC, TWO_FLAGS = "sssp/bellman_ford", "sssp/two_flags"
LAUNCH = 10  # microseconds: launching costs 2 to 5, one kernel behind the other


def claims(evidence):
    printed = select.printed(evidence.published, "agarwal2015")
    times = printed.pivot(index=["graph", "device"], columns="algorithm", values="value")
    then = times[BASIC] / times[TWO_FLAGS]
    graphs = Graphs("the Gnutella networks", list(printed["graph"].unique()))
    yield ask(
        "two-flags-faster",
        "section 5, tables 1 and 2",
        "Relaxing only edges whose source changed, by two flags, is 2 to 6 times faster at every size.",
        "sssp/bellman_ford over sssp/two_flags on the Gnutella networks, fastest launch; holds from 2.",
        over(evidence, best(BASIC), best(TWO_FLAGS), graphs),
        at_least(2),
        f"The paper's own tables give {then.min():.1f}× to {then.max():.1f}×. {_launches(evidence, graphs)}".strip(),
    )


def _launches(evidence, graphs):
    """What a kernel launch took; where that is what launching costs, the kernels themselves were not compared."""
    pairs = [[fastest(evidence, [name], graph) for name in (BASIC, TWO_FLAGS)] for graph in graphs.names]
    costs = [[1000 * row["median_ms"] / row["kernel_launches"] for row in pair] for pair in pairs if all(pair)]
    bound = [cost for pair in costs if max(pair) <= LAUNCH for cost in pair]
    if not bound:
        return ""
    return (
        f"A kernel launch took {min(bound):.1f} to {max(bound):.1f} µs on both sides, on {len(bound) // 2} of "
        f"{len(costs)} graphs: that is what launching costs, so what was compared there is the number of launches (one "
        "a round against two), not of relaxations."
    )
