"""What the rows of Agarwal and Dutta's claims cannot say: where launches alone were compared."""

from warpath.results.papers.agarwal2015 import launches


def launches_alone(evidence, row):
    """Say where a round's kernel costs no more than its launch, so that numbers of launches are compared."""
    table = launches(evidence.summary)
    table = table[table["graph"].isin([name + kind for name in row["graphs"].names for kind in ("", " (stand-in)")])]
    alone = table[table["launches_alone"]]
    if alone.empty:
        return ""
    costs = alone[["basic_us", "two_flags_us"]]
    least, most = costs.min(axis=None), costs.max(axis=None)
    return (
        f"On {len(alone)} of {len(table)} graphs launches were compared, one a round against two, and not relaxations: "
        f"there a round's kernel takes no longer than its launch ({least:.1f} to {most:.1f} µs on both sides)."
    )
