"""Road networks (table 1 of harish2007).

Time of BFS and SSSP on road networks, fastest launch of each algorithm. Diamonds are the times that the paper prints
for the algorithm in that row. Names that begin with pace16 are the same roads with drawn lengths. The paper finds
that its GPU gains nothing on roads.
"""

import pandas as pd

from warpath.results import charts, select
from warpath.results.papers.harish2007.claims import PANELS, ROADS


def draw(tables):
    roads = tables.summary[select.subjects(tables.summary).str.startswith(ROADS)]
    published = select.printed(tables.published, "harish2007")
    same_roads = published["graph"].str.replace(r"USA-road-d\.(.*)", r"pace16-USA-road-\1", regex=True)
    named = [published["graph"], same_roads, same_roads + "-lengths"]
    published = pd.concat([published.assign(graph=names) for names in named])
    panels = {title: select.runs(roads, names) for title, names in PANELS.items()}
    return charts.time_by_graph(__doc__, panels, published)
