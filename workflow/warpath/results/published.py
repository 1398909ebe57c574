"""What the papers print, number for number: `config/published/*.csv`, one row a number.

Columns: paper, place, problem, graph, algorithm, block, grid, coarsening, order, device, quantity, unit, value,
qualifier (about, from, to, up to), printed (the text as it stands there), note. An empty cell is something that the
paper does not say.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "config" / "published"


def read(folder=FOLDER):
    """All of the papers' numbers in one table."""
    import pandas as pd

    tables = [pd.read_csv(file, dtype={"value": float}) for file in sorted(Path(folder).glob("*.csv"))]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["paper", "quantity", "value"])
