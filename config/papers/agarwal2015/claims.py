"""Agarwal and Dutta (2015): their two versions of Bellman-Ford, sequential ones, and what a launch costs."""

from warpath.results import select

BASIC, TWO_FLAGS = "sssp/bellman_ford", "sssp/two_flags"
SERIAL, EARLY_EXIT = "sssp/cpu_all_rounds", "sssp/cpu_bellman_ford"  # V rounds as in the paper, and until none changes

MOST_OF_A_LAUNCH = 10  # µs: a launch that takes longer is not the cost of launching
NEAR = 1.5  # up to this factor above the cheapest launch of a study, a launch costs as much as launching alone


def launches(summary):
    """For each graph that both versions are right on: the time of a launch of each, in µs, and the times compared."""
    best = select.sound(select.best(select.runs(summary, [BASIC, TWO_FLAGS])))
    best = best.assign(
        graph=[select.label(row) for row in best.to_dict("records")],
        launch_us=1000 * best["median_ms"] / best["kernel_launches"],
    )
    table = best.pivot(index="graph", columns="algorithm", values="launch_us").reindex(columns=[BASIC, TWO_FLAGS])
    arcs = best.groupby("graph")[["vertices", "arcs"]].max()
    table = table.rename(columns={BASIC: "basic_us", TWO_FLAGS: "two_flags_us"}).join(arcs).dropna()
    cheapest = min(table[["basic_us", "two_flags_us"]].min(axis=None), MOST_OF_A_LAUNCH / NEAR) if len(table) else 0
    alone = table[["basic_us", "two_flags_us"]].max(axis=1) <= NEAR * cheapest
    return table.assign(launch_us=cheapest, launches_alone=alone).reset_index()


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
