"""The numbers that papers print: `config/published/*.csv`, one row per number.

Columns: paper, place, problem, graph, algorithm, block, grid, coarsening, order, device, quantity, unit, value,
qualifier (about, from, to, up to), printed (the text in the paper), note. A cell is empty where the paper does not say.
"""

from pathlib import Path

from warpath.base.places import CONFIG

FOLDER = CONFIG / "published"


def read(folder=FOLDER):
    """All published numbers in one table."""
    import pandas as pd

    tables = [pd.read_csv(file, dtype={"value": float}) for file in sorted(Path(folder).glob("*.csv"))]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["paper", "quantity", "value"])
