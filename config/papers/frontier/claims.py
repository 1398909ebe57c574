"""Our searches beside libraries, by published times or times of this study."""

from warpath.results import libraries
from warpath.results.claims.sides import Comparison, Estimate, weaknesses


def over_libraries(evidence, row):
    """Our search over the fastest GPU library on each graph; the subject names the library."""
    (problem,) = row["of"]
    summary = evidence.summary[evidence.summary["problem"] == problem]
    table = libraries.against(evidence.timings, summary, evidence.published)
    if len(table):
        graphs = set(table[table["device"] == libraries.PUBLISHED]["graph"])
        table = table[table["device"].isin(libraries.ON_GPU) & table["graph"].isin(graphs)]
    estimates = [
        Estimate(
            f"{row['graph']} ({row['algorithm'].split('/')[1].removeprefix('peer_')})",
            *(row[column] for column in ("speedup", "speedup_low", "speedup_high")),
            devices=(row["own_device"],),
            weaknesses=weaknesses(row),
        )
        for row in (libraries.best_of(table).to_dict("records") if len(table) else [])
    ]
    own = libraries.OURS[problem]
    return Comparison(estimates, f"The published times are from an NVIDIA H200, where {own} has no sound run here.", {})
