"""What Harish and Narayanan concluded on a GeForce 8800 GTX."""

import numpy as np

from warpath.results import select, statistics, style
from warpath.results.claims._sides import Comparison, Found, best, compare, first, left_out, over, run, weak
from warpath.results.claims._verdict import ask
from warpath.results.evidence import Graphs, absent, at_least, at_most, subjects
from warpath.results.figures import harish2007_degree

BFS, CPU_BFS, CPU_SSSP = "bfs/frontier", "bfs/cpu_queue", "sssp/cpu_dijkstra"
SSSP = ["sssp/racy", "sssp/two_kernel"]  # the paper's own where it answers right, else the one without the race
PAIR, VERTEX, REPEATED = "apsp/fw_pair", "apsp/fw_vertex", "apsp/repeated_sssp"
CPU_APSP = "apsp/cpu_floyd_warshall"
POINTS = 4  # graphs that a power law is fitted to, at least


def claims(evidence):
    randoms = Graphs("random graphs", [name for name in subjects(evidence, "random-") if name.endswith("-d6")])
    roads = Graphs("road networks", subjects(evidence, "USA-road-d."))
    yield ask(
        "bfs-speedup",
        "section 4",
        "BFS on a GPU is 20 to 50 times faster than on a CPU, on random graphs of average degree 6.",
        "bfs/cpu_queue over bfs/frontier, fastest launch; holds where it is 20 or more.",
        over(evidence, best(CPU_BFS), best(BFS), randoms),
        at_least(20),
    )
    yield ask(
        "sssp-speedup",
        "section 4",
        "SSSP on a GPU is about 70 times faster than on a CPU, on random graphs of average degree 6.",
        "sssp/cpu_dijkstra over sssp/racy, or over sssp/two_kernel where that answers wrong; holds from 35, "
        "half of it.",
        over(evidence, best(CPU_SSSP), first(*SSSP), randoms),
        at_least(35),
    )
    yield ask(
        "scale-free-slower",
        "sections 1 and 4",
        "Scale-free graphs take about twice as long as random ones of the same size.",
        "Time on the scale-free graph over that on the random one of as many vertices; holds from 1.5.",
        _scale_free_over_random(evidence),
        at_least(1.5),
    )
    yield ask(
        "repeated-sssp-beats-floyd-warshall",
        "section 3.4",
        "On a GPU all pairs by repeated SSSP are faster than by Floyd-Warshall.",
        "apsp/fw_pair over apsp/repeated_sssp on random graphs; holds above 1.",
        over(evidence, best(PAIR), best(REPEATED), randoms),
        at_least(1),
    )
    yield ask(
        "thread-per-vertex-slower",
        "section 3.4",
        "Floyd-Warshall with a looping thread a vertex is far slower, about 9 times, than with a thread a pair.",
        "apsp/fw_vertex over apsp/fw_pair on random graphs; holds from 3, a third of it.",
        over(evidence, best(VERTEX), best(PAIR), randoms),
        at_least(3),
    )
    for name, algorithm, mark, half in (("floyd-warshall", PAIR, 3, 1.5), ("repeated-sssp", REPEATED, 17, 8.5)):
        yield ask(
            f"{name}-speedup",
            "section 4, figure 6",
            f"All pairs by {algorithm} are on average {mark} times faster than by Floyd-Warshall on a CPU.",
            f"{CPU_APSP} over {algorithm} on random graphs; holds from {half}, half of it.",
            over(evidence, best(CPU_APSP), best(algorithm), randoms),
            at_least(half),
        )
    yield ask(
        "no-gain-on-roads",
        "section 4, table 1",
        "On road networks the GPU is no faster than the CPU: their degree is too low and their diameter too long.",
        "CPU over GPU, BFS and SSSP, on the DIMACS roads; holds where it is at most 1.1.",
        _of_both(
            BFS=over(evidence, best(CPU_BFS), best(BFS), roads),
            SSSP=over(evidence, best(CPU_SSSP), first(*SSSP), roads),
        ),
        at_most(1.1),
        _printed_on_new_york(evidence),
    )
    yield ask(
        "linear-in-degree",
        "section 4, figure 7",
        "At 100,000 vertices the time of BFS and SSSP grows almost in proportion to the degree.",
        "Exponent of the power law that fits time over degree best; holds between 0.8 and 1.2. Its interval is that "
        "of the times: the graphs are taken as they are.",
        Comparison(
            list(_exponents(evidence)), absent(evidence, [BFS], f"{POINTS} graphs or more of growing degree"), {}
        ),
        _about_one,
    )


def _of_both(**comparisons):
    """BFS and SSSP on the same graphs, told apart by name."""
    both = comparisons.items()
    found = [one._replace(on=f"{one.on} ({problem})") for problem, of_one in both for one in of_one.found]
    unmeasured = {f"{on} ({problem})": why for problem, of_one in both for on, why in of_one.unmeasured.items()}
    return Comparison(found, next(iter(comparisons.values())).missing, unmeasured)


def _printed_on_new_york(evidence):
    printed = select.printed(evidence.published, "harish2007")
    times = printed[printed["graph"] == "USA-road-d.NY"].set_index("algorithm")["value"]
    bfs, sssp = times[CPU_BFS] / times[BFS], times[CPU_SSSP] / times[SSSP[0]]
    faster = f"{style.factor(bfs)} (BFS) and {style.factor(sssp)} (SSSP)"
    return f"The paper's own table has the GPU faster by {faster} on New York's roads."


def _scale_free_over_random(evidence):
    """Each problem by the same algorithm on both graphs: the first of which both are known."""
    found, unmeasured = [], {}
    for graph in subjects(evidence, "scale-free-"):
        size = graph.removeprefix("scale-free-")
        pair = graph, f"random-{size}-d6"
        for problem, algorithms in (("BFS", [BFS]), ("SSSP", SSSP)):
            on = f"{size} vertices ({problem})"
            ratios = (compare(evidence, *(run(evidence, best(name), one) for one in pair), on) for name in algorithms)
            if ratio := next(filter(None, ratios), None):
                found.append(ratio)
                continue
            either = first(*algorithms)
            whys = left_out(evidence, [either], pair)
            if whys or all(run(evidence, either, one) for one in pair):
                unmeasured[on] = "; ".join(dict.fromkeys(whys.values())) or "no algorithm right on both"
    return Comparison(found, absent(evidence, [BFS], "scale-free and random graphs of the same size"), unmeasured)


def _exponents(evidence):
    table = select.sound(harish2007_degree.by_degree(evidence.summary))
    for algorithm, rows in table[~table["algorithm"].str.contains("/cpu_")].groupby("algorithm", sort=False):
        if rows["degree"].nunique() < POINTS:
            continue
        runs, rng = rows.to_dict("records"), np.random.default_rng(statistics.SEED)
        samples = (list(select.samples(evidence.timings, row).values()) for row in runs)
        medians = np.array([statistics.drawn_medians(groups, rng) for groups in samples])
        exponents = np.polyfit(np.log(rows["degree"].to_numpy(float)), np.log(medians), 1)[0]
        value, ends = statistics.slope(rows["degree"], rows["median_ms"]), statistics.interval(exponents)
        devices = tuple(rows["device"])
        yield Found(algorithm, value, *ends, devices, "{:.2f}".format, weak(*runs))


def _about_one(found):
    return True if found.low >= 0.8 and found.high <= 1.2 else False if found.high < 0.8 or found.low > 1.2 else None
