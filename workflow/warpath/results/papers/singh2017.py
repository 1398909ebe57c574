"""Singh (2017): the graphs, the algorithms and the launch of the paper."""

GRAPHS = ["singh-5", "singh-10", "singh-22", "singh-64"]
TIMED = GRAPHS[1:]  # no times are printed for the first
GPU, CPU = "bfs/frontier_struct", "bfs/cpu_queue"
BLOCK = 512  # threads
