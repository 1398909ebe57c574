"""Rejaud: the five variants of Bellman-Ford, and the report's times beside those measured here."""

import pandas as pd

from warpath.results import select

TO_PROCESS_EDGE = ["sssp/tpe_outcore", "sssp/tpe_incore"]
VARIANTS = ["sssp/bmf_outcore", "sssp/bmf_shared", "sssp/bmf_incore", *TO_PROCESS_EDGE]
POINT = ["algorithm", "graph", "block", "grid", "order"]  # what identifies a time in the report's table


def then_and_now(tables):
    """A row per variant, graph, configuration and edge order: milliseconds in the report and here."""
    published = tables.published
    printed = published[(published["paper"] == "rejaud") & published["block"].notna()]
    then = printed.assign(order=printed["order"].fillna("target")).groupby(POINT)["value"].sum().rename("then_ms")
    rows = select.runs(tables.summary, VARIANTS, set(printed["graph"]))
    rows = rows.assign(
        order=rows["order"].fillna("target"),
        graph=select.subjects(rows),
        now_ms=rows["median_ms"].where(rows["status"] == select.SOUND),
    )
    phases = [name for name in ("phase_filter_ms", "phase_compute_ms") if name in rows]
    now = rows.astype({"block": float, "grid": float}).set_index(POINT)[["now_ms", "status", "stand_in_for", *phases]]
    return pd.concat([then, now], axis=1).reset_index()
