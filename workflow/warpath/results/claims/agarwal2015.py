"""What Agarwal and Dutta concluded on a GeForce GTS 450 and a Tesla C2075."""

from warpath.results import select
from warpath.results.claims._sides import best, merged, ratios
from warpath.results.claims._verdict import judge_times, median
from warpath.results.evidence import Graphs, about, at_least, fastest, sized
from warpath.results.papers.agarwal2015 import BASIC, SERIAL, TWO_FLAGS

LAUNCH_BOUND = 10  # µs a kernel launch: up to here the cost of launching (2 to 5 µs) dominates


def claims(evidence):
    printed = select.printed(evidence.published, "agarwal2015")
    times = printed.pivot(index=["graph", "device"], columns="algorithm", values="value")
    then = times[BASIC] / times[TWO_FLAGS]
    graphs = Graphs("the Gnutella networks", list(printed["graph"].unique()))
    yield judge_times(
        "two-flags-faster",
        "abstract; section 5, tables 1 and 2",
        "Relaxing only the edges whose tail changed, tracked by two flags, is 2 to 6 times faster at every size.",
        "Time of sssp/bellman_ford over that of sssp/two_flags on the Gnutella networks, fastest launch of each.",
        ratios(evidence, best(BASIC), best(TWO_FLAGS), graphs),
        sized(about(2, 6)),
        f"The paper's own tables give {then.min():.1f}× to {then.max():.1f}×. {_launches(evidence, graphs)}".strip(),
    )
    serial = _in_all_rounds(evidence, graphs)
    yield judge_times(
        "speedup-over-serial",
        "section 6",
        "Both versions are considerably faster than a serial Bellman-Ford.",
        f"Time of {SERIAL} over that of sssp/bellman_ford and of sssp/two_flags on the Gnutella networks, fastest "
        f"launch of each. {SERIAL} stops once nothing changes: its time is scaled to as many rounds as there are "
        "vertices, which the paper's algorithms do.",
        serial,
        at_least(1),
        _with_early_exit(evidence, graphs),
    )


def _in_all_rounds(evidence, graphs):
    """The speed-up of both versions over the serial one, scaled to V rounds."""
    rounds = {graph: _rounds(evidence, graph) for graph in graphs.names}
    comparisons = {
        name.removeprefix("sssp/"): ratios(evidence, best(SERIAL), best(name), graphs) for name in (BASIC, TWO_FLAGS)
    }
    scaled = {
        name: comparison._replace(
            estimates=[
                estimate.scaled(rounds[estimate.subject])
                for estimate in comparison.estimates
                if rounds.get(estimate.subject)
            ]
        )
        for name, comparison in comparisons.items()
    }
    return merged(**scaled)


def _rounds(evidence, graph):
    """How many times as many rounds the paper's algorithms do as the serial one did."""
    row = fastest(evidence, [SERIAL], graph)
    return row["vertices"] / row["iterations"] if row and row["iterations"] else None


def _with_early_exit(evidence, graphs):
    factor = median(ratios(evidence, best(SERIAL), best(BASIC), graphs).estimates)
    return f"Against the serial version that stops early, sssp/bellman_ford is {factor} as fast." if factor else ""


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
