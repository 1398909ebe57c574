"""Singh (2017): the graphs, the algorithms and the launch of the paper."""

GRAPHS = ["singh-5", "singh-10", "singh-22", "singh-64"]
GPU, CPU = "bfs/frontier_struct", "bfs/cpu_queue"
LAUNCH = "default"  # one block of as many threads as vertices
