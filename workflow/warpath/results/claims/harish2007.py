"""What Harish and Narayanan concluded on a GeForce 8800 GTX."""

from functools import partial

from warpath.results.evidence import (
    Comparison,
    Found,
    Graphs,
    absent,
    ask,
    at_least,
    at_most,
    compared,
    fastest,
    over,
    preferred,
    subjects,
    unpaired,
)
from warpath.results.figures import harish2007_degree

BFS, CPU_BFS, CPU_SSSP = "bfs/frontier", "bfs/cpu_queue", "sssp/cpu_dijkstra"
SSSP = ["sssp/racy", "sssp/two_kernel"]  # the paper's own where it answers right, else the one without the race
PAIR, VERTEX, REPEATED = "apsp/fw_pair", "apsp/fw_vertex", "apsp/repeated_sssp"


def claims(evidence):
    randoms = Graphs("random graphs", [name for name in subjects(evidence, "random-") if name.endswith("-d6")])
    roads = Graphs("road networks", subjects(evidence, "USA-road-d."))
    yield ask(
        "bfs-speedup",
        "section 4",
        "BFS on a GPU is 20 to 50 times faster than on a CPU, on random graphs of average degree 6.",
        "bfs/cpu_queue over bfs/frontier, fastest launch; holds where it is 20 or more.",
        over(evidence, [CPU_BFS], [BFS], randoms),
        at_least(20),
    )
    yield ask(
        "sssp-speedup",
        "section 4",
        "SSSP on a GPU is about 70 times faster than on a CPU, on random graphs of average degree 6.",
        "sssp/cpu_dijkstra over sssp/racy, or over sssp/two_kernel where that answers wrong; holds from 35, "
        "half of it.",
        _sssp_over_cpu(evidence, randoms),
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
        over(evidence, [PAIR], [REPEATED], randoms),
        at_least(1),
    )
    yield ask(
        "thread-per-vertex-slower",
        "section 3.4",
        "Floyd-Warshall with a looping thread a vertex is far slower, about 9 times, than with a thread a pair.",
        "apsp/fw_vertex over apsp/fw_pair on random graphs; holds from 3, a third of it.",
        over(evidence, [VERTEX], [PAIR], randoms),
        at_least(3),
    )
    bfs = over(evidence, [CPU_BFS], [BFS], roads)
    yield ask(
        "no-gain-on-roads",
        "section 4, table 1",
        "On road networks the GPU is no faster than the CPU: their degree is too low and their diameter too long.",
        "CPU over GPU, BFS and SSSP, on the DIMACS roads; holds where it is at most 1.1.",
        Comparison(bfs.found + _sssp_over_cpu(evidence, roads).found, bfs.missing),
        at_most(1.1),
    )
    yield ask(
        "linear-in-degree",
        "section 4, figure 7",
        "At 100,000 vertices the time of BFS and SSSP grows almost in proportion to the degree.",
        "Exponent of the power law that fits time over degree best; holds between 0.8 and 1.2.",
        Comparison(list(_exponents(evidence)), absent(evidence, [BFS], "graphs of growing degree")),
        lambda found: 0.8 <= found.value <= 1.2,
    )


def _sssp_over_cpu(evidence, graphs):
    cpu, gpu = partial(fastest, evidence, [CPU_SSSP]), partial(preferred, evidence, SSSP)
    return Comparison(compared(evidence, cpu, gpu, graphs.names), absent(evidence, [CPU_SSSP, *SSSP], graphs.called))


def _scale_free_over_random(evidence):
    found = []
    for graph in subjects(evidence, "scale-free-"):
        size = graph.removeprefix("scale-free-")
        for problem, algorithms in (("BFS", [BFS]), ("SSSP", SSSP)):
            pair = [preferred(evidence, algorithms, name) for name in (graph, f"random-{size}-d6")]
            found.append(unpaired(evidence, *pair, f"{size} vertices ({problem})"))
    missing = absent(evidence, [BFS], "scale-free and random graphs of the same size")
    return Comparison([one for one in found if one], missing)


def _exponents(evidence):
    table = harish2007_degree.by_degree(evidence.summary)
    devices = table.drop_duplicates("algorithm").set_index("algorithm")["device"]
    for algorithm, exponent in harish2007_degree.exponents(table).items():
        if "/cpu_" not in algorithm:
            yield Found(algorithm, exponent, exponent, exponent, (devices[algorithm],), wording="{:.2f}".format)
