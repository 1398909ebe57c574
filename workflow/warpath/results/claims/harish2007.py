"""What Harish and Narayanan concluded on a GeForce 8800 GTX."""

from warpath.results.evidence import (
    Found,
    absent,
    at_least,
    at_most,
    compare,
    fastest,
    gains,
    preferred,
    subjects,
    timed,
    unpaired,
)
from warpath.results.figures import harish2007_degree

SSSP = ["sssp/racy", "sssp/two_kernel"]  # the paper's own where it answers right, else the one without the race
ROADS = ("USA-road-d.",)


def claims(evidence):
    randoms = [name for name in subjects(evidence, "random-") if name.endswith("-d6")]
    yield timed(
        _about(
            "bfs-speedup",
            "section 4",
            "BFS on a GPU is 20 to 50 times faster than on a CPU, on random graphs of average degree 6.",
            "bfs/cpu_queue over bfs/frontier, fastest launch; holds where it is 20 or more.",
        ),
        gains(evidence, ["bfs/cpu_queue"], ["bfs/frontier"], randoms),
        at_least(20),
        absent(evidence, ["bfs/cpu_queue", "bfs/frontier"], "random graphs"),
    )
    yield timed(
        _about(
            "sssp-speedup",
            "section 4",
            "SSSP on a GPU is about 70 times faster than on a CPU, on random graphs of average degree 6.",
            "sssp/cpu_dijkstra over sssp/racy, or over sssp/two_kernel where that answers wrong; holds from 35, "
            "half of it.",
        ),
        _sssp_gains(evidence, randoms),
        at_least(35),
        absent(evidence, ["sssp/cpu_dijkstra", *SSSP], "random graphs"),
    )
    yield timed(
        _about(
            "scale-free-slower",
            "sections 1 and 4",
            "Scale-free graphs take about twice as long as random ones of the same size.",
            "Time on the scale-free graph over that on the random one of as many vertices; holds from 1.5.",
        ),
        list(_scale_free_over_random(evidence)),
        at_least(1.5),
        absent(evidence, ["bfs/frontier"], "scale-free and random graphs of the same size"),
    )
    yield timed(
        _about(
            "repeated-sssp-beats-floyd-warshall",
            "section 3.4",
            "On a GPU all pairs by repeated SSSP are faster than by Floyd-Warshall.",
            "apsp/fw_pair over apsp/repeated_sssp on random graphs; holds above 1.",
        ),
        gains(evidence, ["apsp/fw_pair"], ["apsp/repeated_sssp"], randoms),
        at_least(1),
        absent(evidence, ["apsp/fw_pair", "apsp/repeated_sssp"], "random graphs"),
    )
    yield timed(
        _about(
            "thread-per-vertex-slower",
            "section 3.4",
            "Floyd-Warshall with a looping thread a vertex is far slower, about 9 times, than with a thread a pair.",
            "apsp/fw_vertex over apsp/fw_pair on random graphs; holds from 3, a third of it.",
        ),
        gains(evidence, ["apsp/fw_vertex"], ["apsp/fw_pair"], randoms),
        at_least(3),
        absent(evidence, ["apsp/fw_vertex", "apsp/fw_pair"], "random graphs"),
    )
    roads = subjects(evidence, *ROADS)
    yield timed(
        _about(
            "no-gain-on-roads",
            "section 4, table 1",
            "On road networks the GPU is no faster than the CPU: their degree is too low and their diameter too long.",
            "CPU over GPU, BFS and SSSP, on the DIMACS roads; holds where it is at most 1.1.",
        ),
        [
            *gains(evidence, ["bfs/cpu_queue"], ["bfs/frontier"], roads),
            *_sssp_gains(evidence, roads),
        ],
        at_most(1.1),
        absent(evidence, ["bfs/cpu_queue", "bfs/frontier"], "road networks"),
    )
    yield timed(
        _about(
            "linear-in-degree",
            "section 4, figure 7",
            "At 100,000 vertices the time of BFS and SSSP grows almost in proportion to the degree.",
            "Exponent of the power law that fits time over degree best; holds between 0.8 and 1.2.",
        ),
        list(_exponents(evidence)),
        lambda found: 0.8 <= found.value <= 1.2,
        absent(evidence, ["bfs/frontier"], "graphs of growing degree"),
    )


def _about(name, place, gist, how):
    return {"paper": "harish2007", "name": name, "place": place, "gist": gist, "how": how}


def _sssp_gains(evidence, graphs):
    found = (
        compare(evidence, fastest(evidence, ["sssp/cpu_dijkstra"], graph), preferred(evidence, SSSP, graph))
        for graph in graphs
    )
    return [one for one in found if one]


def _scale_free_over_random(evidence):
    for graph in subjects(evidence, "scale-free-"):
        size = graph.removeprefix("scale-free-")
        for algorithms in (["bfs/frontier"], SSSP):
            pair = [preferred(evidence, algorithms, name) for name in (graph, f"random-{size}-d6")]
            found = unpaired(evidence, *pair, f"{size} vertices ({algorithms[0].split('/')[0].upper()})")
            if found:
                yield found


def _exponents(evidence):
    table = harish2007_degree.by_degree(evidence.summary)
    devices = table.drop_duplicates("algorithm").set_index("algorithm")["device"]
    for algorithm, exponent in harish2007_degree.exponents(table).items():
        if "/cpu_" not in algorithm:
            yield Found(algorithm, exponent, exponent, exponent, (devices[algorithm],), wording="{:.2f}".format)
