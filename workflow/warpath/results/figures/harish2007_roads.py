"""Road networks (table 1 of harish2007).

Time of BFS and SSSP on road networks, on the device and on the CPU, fastest launch of each algorithm. Diamonds are
the times that the paper prints for the algorithm in that row. Names that begin with pace16 are the same roads of
DIMACS 9 with drawn lengths: 1 to 10, or as often as those of New York's roads. The paper finds that its GPU gains
nothing on roads. A hollow marker beside "wrong answer" is the time of BFS (one_frontier) or SSSP (racy) as printed.
"""

import pandas as pd

from warpath.results import charts, select
from warpath.results.papers.harish2007 import PANELS, ROADS


def draw(tables):
    names = [select.subject(row) for row in tables.summary.to_dict("records")]
    roads = tables.summary[[name.startswith(ROADS) for name in names]]
    published = select.printed(tables.published, "harish2007")
    same_roads = published["graph"].str.replace(r"USA-road-d\.(.*)", r"pace16-USA-road-\1", regex=True)
    named = [published["graph"], same_roads, same_roads + "-lengths"]
    roads = charts.with_printed(roads, pd.concat([published.assign(graph=names) for names in named]))
    return charts.time_by_graph(__doc__, {title: select.runs(roads, names) for title, names in PANELS.items()})
