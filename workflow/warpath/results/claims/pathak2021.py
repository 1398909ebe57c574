"""What Pathak et al. concluded on a Tesla P100."""

from warpath.results import select
from warpath.results.evidence import (
    Found,
    absent,
    at_least,
    compare,
    counted,
    fastest,
    gains,
    rank_correlation,
    subjects,
    timed,
)

LEVEL, QUEUE, SCAN = "bfs/level", "bfs/queue", "bfs/scan"
BLOCKED, PAIR, REPEATED = "apsp/fw_blocked", "apsp/fw_pair", "apsp/repeated_sssp"
CPU_APSP = ["apsp/cpu_floyd_warshall", "apsp/cpu_repeated_dijkstra"]
SSSP, COARSENED, DIJKSTRA, RACY = "sssp/two_kernel", "sssp/coarsened", "sssp/cpu_dijkstra", "sssp/racy"
DENSE = 0.02  # average degree over vertices: the paper calls 0.5, 0.05 and 0.03 dense and 0.011 and less sparse


def claims(evidence):
    graphs = subjects(evidence, "")
    density = _densities(evidence)
    yield timed(
        _about(
            "level-best",
            "section 6.3.1, figure 3",
            "The level-synchronous BFS is the best on every graph.",
            "The faster of bfs/queue and bfs/scan over bfs/level; holds above 1.",
        ),
        gains(evidence, [QUEUE, SCAN], [LEVEL], graphs) if _runs(evidence, QUEUE, SCAN) else [],
        at_least(1),
        absent(evidence, [LEVEL, QUEUE, SCAN], "the same graph"),
    )
    found = gains(evidence, [QUEUE], [SCAN], graphs)
    yield timed(
        _about(
            "scan-sparse-queue-dense",
            "section 6.3.1, figure 3",
            "Scan BFS suits sparse graphs and queue BFS dense ones.",
            f"bfs/queue over bfs/scan; true above 1 where the density (average degree over vertices) is below {DENSE}, "
            "and below 1 where it is above.",
        ),
        found,
        lambda one: _expected(one, density[one.on] < DENSE),
        absent(evidence, [QUEUE, SCAN], "the same graph"),
    )
    yield _density_claim(evidence, graphs, density)
    yield timed(
        _about(
            "coarsening-slower",
            "section 6.3.2, figure 5",
            "A thread for more vertices than one makes SSSP slower, the more the slower.",
            "sssp/coarsened with the best factor above 1 over factor 1; holds above 1, where coarsening never pays.",
        ),
        _coarsening(evidence, graphs),
        at_least(1),
        absent(evidence, [COARSENED], "factor 1 and others of the same graph"),
    )
    yield timed(
        _about(
            "blocked-beats-gpu",
            "section 6.3.3, figure 6",
            "Blocked Floyd-Warshall is at least 20 times faster than the next best GPU version.",
            "The faster of apsp/fw_pair and apsp/repeated_sssp over apsp/fw_blocked; holds from 20.",
        ),
        gains(evidence, [PAIR, REPEATED], [BLOCKED], graphs) if _runs(evidence, PAIR, REPEATED) else [],
        at_least(20),
        absent(evidence, [BLOCKED, PAIR, REPEATED], "the same graph"),
    )
    yield timed(
        _about(
            "blocked-beats-cpu",
            "section 6.3.3, figure 6",
            "Blocked Floyd-Warshall is 500 to 4000 times faster than the best CPU version.",
            "The faster of the CPU's Floyd-Warshall and repeated Dijkstra over apsp/fw_blocked; holds from 500.",
        ),
        gains(evidence, CPU_APSP, [BLOCKED], graphs),
        at_least(500),
        absent(evidence, [BLOCKED, CPU_APSP[0]], "the same graph"),
    )
    yield timed(
        _about(
            "repeated-sssp-unless-dense",
            "section 6.3.3, figure 6",
            "All pairs by repeated SSSP beat naive Floyd-Warshall unless the graph is dense.",
            f"apsp/fw_pair over apsp/repeated_sssp; true above 1 where the density is below {DENSE}, and below 1 "
            "where it is above.",
        ),
        gains(evidence, [PAIR], [REPEATED], graphs),
        lambda one: _expected(one, density[one.on] < DENSE),
        absent(evidence, [PAIR, REPEATED], "the same graph"),
    )
    yield _racy_claim(evidence)


def _about(name, place, gist, how):
    return {"paper": "pathak2021", "name": name, "place": place, "gist": gist, "how": how}


def _runs(evidence, *algorithms):
    return set(algorithms) <= set(select.sound(evidence.summary)["algorithm"])


def _densities(evidence):
    rows = evidence.summary.dropna(subset=["vertices", "arcs"]).to_dict("records")
    return {select.label(row): row["arcs"] / row["vertices"] ** 2 for row in rows}


def _expected(found, above_one):
    """Whether the ratio lies on the expected side of 1; undecided when its interval crosses."""
    if found.low < 1 < found.high:
        return None
    return (found.value > 1) == above_one


def _density_claim(evidence, graphs, density):
    found = gains(evidence, [DIJKSTRA], [SSSP], graphs)
    correlation = rank_correlation([density[one.on] for one in found], [one.value for one in found]) if found else 0
    about = _about(
        "speedup-falls-with-density",
        "section 6.3.2, figure 4",
        "The lower the density, the higher the speed-up of SSSP: 3.9× at 0.5, 94× at 0.000007.",
        "sssp/cpu_dijkstra over sssp/two_kernel on every graph; rank correlation with the density, holds from -0.6 "
        "down.",
    )
    ordered = sorted(found, key=lambda one: density[one.on])
    said = "; ".join(f"{one} (density {density[one.on]:.1g})" for one in ordered[:1] + ordered[-1:])
    devices = tuple(device for one in found for device in one.devices)
    rank = [
        Found("all graphs", correlation, correlation, correlation, devices, wording="rank correlation {:.2f}".format)
    ]
    missing = absent(evidence, [DIJKSTRA, SSSP], "three graphs or more")
    return timed(about, rank if len(found) > 2 else [], lambda one: one.value <= -0.6, missing, said)


def _coarsening(evidence, graphs):
    found = []
    for graph in graphs:
        rows = [fastest(evidence, [COARSENED], graph, coarsening=factor) for factor in (1, 2, 4, 8, 16)]
        higher = [row for row in rows[1:] if row]
        if rows[0] and higher:
            found.append(compare(evidence, min(higher, key=lambda row: row["median_ms"]), rows[0]))
    return found


def _racy_claim(evidence):
    rows = select.of(evidence.summary, [RACY])
    rows = rows[rows["status"].isin(["ok", "wrong"])]
    wrong = rows[rows["status"] == "wrong"]
    about = _about(
        "racy-wrong",
        "section 4.2",
        "SSSP that relaxes without an atomic minimum gives wrong answers.",
        "Every answer of sssp/racy is compared with the oracle's; holds where any run had a wrong one.",
    )
    emulated = (rows["device"] == "host").any()
    if emulated and wrong.empty:
        reason = "No update was lost in CPU emulation, where few threads really run at once; a GPU may tell otherwise."
        return counted(about, "", {}, reason)
    graphs = sorted(set(wrong["graph"]))
    said = f"{len(wrong)} of {len(rows)} runs" + (f", on {', '.join(graphs)}" if graphs else "")
    most = f"At worst {wrong['wrong_vertices'].max():g} wrong vertices in one solve." if graphs else ""
    return counted(
        about, said, {"all runs": bool(graphs)} if len(rows) else {}, absent(evidence, [RACY], "any graph"), most
    )
