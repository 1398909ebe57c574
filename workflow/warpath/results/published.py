"""The numbers that papers print: `config/published/*.csv`, one row per number.

Columns: paper, place, problem, graph, algorithm, block, grid, coarsening, order, device, quantity, unit, value,
qualifier (about, from, to, up to), printed (the text in the paper), note. A cell is empty where the paper does not say.
"""

import pandas as pd

from warpath.base.places import CONFIG


def read():
    """All published numbers in one table."""
    files = sorted((CONFIG / "published").glob("*.csv"))
    return pd.concat([pd.read_csv(file, dtype={"value": float}) for file in files], ignore_index=True)
