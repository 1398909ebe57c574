"""Road networks (table 1 of harish2007).

Time of BFS and SSSP on road networks of the United States, on the device and on the CPU, fastest launch of each
algorithm. Diamonds are the times that the paper prints for the algorithm in that row. The paper finds that its GPU
gains nothing on roads. A hollow marker beside "wrong answer" is the time of BFS (one_frontier) or
SSSP (racy) as printed.
"""

from warpath.results import charts, select
from warpath.results.papers.harish2007 import PANELS

GRAPHS = ["USA-road-d.NY", "USA-road-d.FLA", "USA-road-d.E", "USA-road-d.W"]


def draw(tables):
    panels = {title: select.of(tables.summary, algorithms, GRAPHS) for title, algorithms in PANELS.items()}
    published = select.printed(tables.published, "harish2007")
    return charts.time_by_graph(__doc__, panels, published)
