"""What Pathak et al. concluded on a Tesla P100."""

from functools import partial

from warpath.results import select
from warpath.results.evidence import (
    Comparison,
    Count,
    Found,
    Graphs,
    absent,
    ask,
    at_least,
    compared,
    counted,
    fastest,
    over,
    rank_correlation,
    subjects,
)

LEVEL, QUEUE, SCAN = "bfs/level", "bfs/queue", "bfs/scan"
BLOCKED, PAIR, REPEATED = "apsp/fw_blocked", "apsp/fw_pair", "apsp/repeated_sssp"
CPU_APSP = ["apsp/cpu_floyd_warshall", "apsp/cpu_repeated_dijkstra"]
SSSP, COARSENED, DIJKSTRA, RACY = "sssp/two_kernel", "sssp/coarsened", "sssp/cpu_dijkstra", "sssp/racy"
DENSE = 0.02  # average degree over vertices: the paper calls 0.5, 0.05 and 0.03 dense and 0.011 and less sparse


def claims(evidence):
    graphs = Graphs("the same graph", subjects(evidence, ""))
    density = _densities(evidence)
    yield ask(
        "level-best",
        "section 6.3.1, figure 3",
        "The level-synchronous BFS is the best on every graph.",
        "The faster of bfs/queue and bfs/scan over bfs/level; holds above 1.",
        _over_both(evidence, [QUEUE, SCAN], LEVEL, graphs),
        at_least(1),
    )
    yield ask(
        "scan-sparse-queue-dense",
        "section 6.3.1, figure 3",
        "Scan BFS suits sparse graphs and queue BFS dense ones.",
        f"bfs/queue over bfs/scan; true above 1 where the density (average degree over vertices) is below {DENSE}, "
        "and below 1 where it is above.",
        over(evidence, [QUEUE], [SCAN], graphs),
        partial(_above_one_where_sparse, density),
    )
    falls, ends = _fall_with_density(evidence, graphs, density)
    yield ask(
        "speedup-falls-with-density",
        "section 6.3.2, figure 4",
        "The lower the density, the higher the speed-up of SSSP: 3.9× at 0.5, 94× at 0.000007.",
        "sssp/cpu_dijkstra over sssp/two_kernel on every graph; rank correlation with the density, holds from -0.6 "
        "down.",
        falls,
        lambda found: found.value <= -0.6,
        ends,
    )
    yield ask(
        "coarsening-slower",
        "section 6.3.2, figure 5",
        "A thread for more vertices than one makes SSSP slower, the more the slower.",
        "sssp/coarsened with the best factor above 1 over factor 1; holds above 1, where coarsening never pays.",
        _coarsened_over_not(evidence, graphs),
        at_least(1),
    )
    yield ask(
        "blocked-beats-gpu",
        "section 6.3.3, figure 6",
        "Blocked Floyd-Warshall is at least 20 times faster than the next best GPU version.",
        "The faster of apsp/fw_pair and apsp/repeated_sssp over apsp/fw_blocked; holds from 20.",
        _over_both(evidence, [PAIR, REPEATED], BLOCKED, graphs),
        at_least(20),
    )
    yield ask(
        "blocked-beats-cpu",
        "section 6.3.3, figure 6",
        "Blocked Floyd-Warshall is 500 to 4000 times faster than the best CPU version.",
        "The faster of the CPU's Floyd-Warshall and repeated Dijkstra over apsp/fw_blocked; holds from 500.",
        over(evidence, CPU_APSP, [BLOCKED], graphs, needs=[BLOCKED, CPU_APSP[0]]),
        at_least(500),
    )
    yield ask(
        "repeated-sssp-unless-dense",
        "section 6.3.3, figure 6",
        "All pairs by repeated SSSP beat naive Floyd-Warshall unless the graph is dense.",
        f"apsp/fw_pair over apsp/repeated_sssp; true above 1 where the density is below {DENSE}, and below 1 "
        "where it is above.",
        over(evidence, [PAIR], [REPEATED], graphs),
        partial(_above_one_where_sparse, density),
    )
    yield counted(
        "racy-wrong",
        "section 4.2",
        "SSSP that relaxes without an atomic minimum gives wrong answers.",
        "Every answer of sssp/racy is compared with the oracle's; holds where any run had a wrong one.",
        *_lost_updates(evidence),
    )


def _densities(evidence):
    rows = evidence.summary.dropna(subset=["vertices", "arcs"]).to_dict("records")
    return {select.label(row): row["arcs"] / row["vertices"] ** 2 for row in rows}


def _over_both(evidence, others, best, graphs):
    """The faster of two others over the one that is said to be best, once both others are known to run."""
    comparison = over(evidence, others, [best], graphs, needs=[best, *others])
    measured = set(select.sound(evidence.summary)["algorithm"])
    return comparison if measured.issuperset(others) else comparison._replace(found=[])


def _above_one_where_sparse(density, found):
    """Whether the ratio lies on the side of 1 that its graph's density calls for; undecided when it crosses."""
    if found.low < 1 < found.high:
        return None
    return (found.value > 1) == (density[found.on] < DENSE)


def _fall_with_density(evidence, graphs, density):
    """The rank correlation of speed-up and density, and the speed-ups at both ends."""
    found = sorted(over(evidence, [DIJKSTRA], [SSSP], graphs).found, key=lambda one: density[one.on])
    rank = []
    if len(found) > 2:
        correlation = rank_correlation([density[one.on] for one in found], [one.value for one in found])
        devices = tuple(device for one in found for device in one.devices)
        wording = "rank correlation {:.2f}".format
        rank = [Found("all graphs", correlation, correlation, correlation, devices, wording)]
    said = "; ".join(f"{one} (density {density[one.on]:.1g})" for one in found[:1] + found[-1:])
    return Comparison(rank, absent(evidence, [DIJKSTRA, SSSP], "three graphs or more")), said


def _coarsened_over_not(evidence, graphs):
    def coarsened(graph):
        rows = (fastest(evidence, [COARSENED], graph, coarsening=factor) for factor in (2, 4, 8, 16))
        return min((row for row in rows if row), key=lambda row: row["median_ms"], default=None)

    found = compared(evidence, coarsened, partial(fastest, evidence, [COARSENED], coarsening=1), graphs.names)
    return Comparison(found, absent(evidence, [COARSENED], "factor 1 and others of the same graph"))


def _lost_updates(evidence):
    """How many runs were wrong, and by how much."""
    rows = select.of(evidence.summary, [RACY])
    rows = rows[rows["status"].isin(["ok", "wrong"])]
    wrong = rows[rows["status"] == "wrong"]
    if (rows["device"] == "host").any() and wrong.empty:
        reason = "No update was lost in CPU emulation, where few threads really run at once; a GPU may tell otherwise."
        return Count("", {}, reason), ""
    graphs = sorted(set(wrong["graph"]))
    said = f"{len(wrong)} of {len(rows)} runs" + (f", on {', '.join(graphs)}" if graphs else "")
    most = f"At worst {wrong['wrong_vertices'].max():g} wrong vertices in one solve." if graphs else ""
    answers = {"all runs": bool(graphs)} if len(rows) else {}
    return Count(said, answers, absent(evidence, [RACY], "any graph")), most
