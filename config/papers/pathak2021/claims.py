"""Pathak et al. (2021): their algorithms and graphs, and the speed-ups of SSSP that they print."""

from warpath.results import select

LEVEL, QUEUE, SCAN, CPU_BFS = "bfs/level", "bfs/queue", "bfs/scan", "bfs/cpu_queue"
SSSP, CPU_SSSP = "sssp/two_kernel", "sssp/cpu_dijkstra"
BUGGED, RACY = "sssp/bugged", "sssp/racy"  # its own algorithms 10 to 12, and those of Harish and Narayanan
COARSENED, STRIDED = "sssp/coarsened", "sssp/coarsened_strided"  # a thread's vertices are neighbours, or a grid apart
BLOCKED, PAIR, REPEATED = "apsp/fw_blocked", "apsp/fw_pair", "apsp/repeated_sssp"
CPU_APSP = CPU_FW, CPU_DIJKSTRA = "apsp/cpu_floyd_warshall", "apsp/cpu_repeated_dijkstra"

SEARCHED = ["dense-2700", "bio-human-gene1", "soc-Slashdot0902", "as-skitter", "rgg_n_2_24_s0"]  # section 6.1.2
ALL_PAIRS = ["dense-2700", "facebook_combined", "bio-HS-CX", "soc-sign-bitcoinotc", "dense-7500"]  # section 6.1.1

FACTORS = (1, 2, 4, 8, 16)  # of coarsening; the paper names 16 alone, the others are assumed


def printed_speedups(published):
    """The printed speed-ups of SSSP over the CPU, by graph."""
    printed = select.printed(published, "pathak2021", "speed-up over the CPU")
    return printed[printed["algorithm"] == SSSP].set_index("graph")["value"].to_dict()
