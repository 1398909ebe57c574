"""Singh (2017): the graphs, the algorithms and the launch of the paper."""

GRAPHS = ["singh-5", "singh-10", "singh-22", "singh-64"]
TIMED = GRAPHS[1:]  # no times are printed for the first
BUILT = tuple(TIMED)  # with as many levels as the paper counts kernel calls; the paper does not give its graphs
GPU, CPU = "bfs/frontier_struct", "bfs/cpu_queue"
OTHERS = {"queue": "bfs/queue_struct", "matrix": "bfs/matrix"}  # what section 7 compares with, without a measurement
LAUNCH = "default"  # one block of as many threads as vertices
