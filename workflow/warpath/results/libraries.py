"""Compare warpath's own kernels with libraries: those run here, and those with published times on the same GPU.

Published times (`config/papers/frontier/numbers.csv`) are geometric means over sources of the median per source; in
that comparison warpath's times are too. They are compared only with runs on a device of the same name, and give way to
times of the same program that were measured here.
"""

import pandas as pd

from warpath.devices import PEERS
from warpath.results import select, statistics

OURS = {"bfs": "bfs/persistent", "sssp": "sssp/near_far", "apsp": "apsp/batched"}
PAPER = "libraries"
PUBLISHED = "published"
ON_GPU = (PUBLISHED, "peer_gpu")
GPU_CODE = "GPU library or paper's code"


def against(timings, summary, published):
    """One row per graph and library: the speed-up of warpath's fastest launch over it, with its interval."""
    best = select.sound(select.best(summary))
    measured = best[best["device"].isin(PEERS)]
    printed = select.by(select.printed(published, PAPER), "graph", "problem", "device")
    measured = select.by(measured, "graph", "problem")
    rows = []
    for own in best[best["algorithm"].isin(OURS.values())].to_dict("records"):
        about, samples = (own["graph"], own["problem"]), select.samples(timings, own)
        if theirs := printed.get((*about, own["device_name"]), []):
            mean, low, high = statistics.geometric_mean_interval(list(samples.values()))
        here = {library["algorithm"] for library in measured.get(about, [])}
        for library in [each for each in theirs if each["algorithm"] not in here]:
            speedup = tuple(library["value"] / time for time in (mean, high, low))
            rows.append(_row(own, library["algorithm"], PUBLISHED, library["value"], speedup))
        for library in measured.get(about, []):
            speedup = select.ratio(timings, library, own)
            rows.append(_row(own, library["algorithm"], library["device"], library["median_ms"], speedup))
    return pd.DataFrame(rows)


def _row(own, library, device, milliseconds, speedup):
    return {
        **{key: own[key] for key in ("problem", "graph", "stand_in_for", "arcs", "device_name", "flags", "status")},
        **{"own": own["algorithm"], "own_launch": own["launch"], "own_device": own["device"]},
        **{"own_ms": own["median_ms"], "algorithm": library, "device": device, "library_ms": milliseconds},
        **dict(zip(("speedup", "speedup_low", "speedup_high"), speedup, strict=True)),
        "first_speedup": milliseconds / own["first_ms"],  # as if the library prepared nothing
    }


def runs(summary, compared):
    return summary[summary["algorithm"].isin([*compared["own"], *compared["algorithm"]])]


def best_of(table):
    fastest = table.groupby(["problem", "graph"])["library_ms"].idxmin()
    return table.loc[fastest].reset_index(drop=True)


def closest(table):
    """The rows of the fastest library on each graph of a problem: of those on a GPU, where any was timed.

    Graphs with a single GPU library are left out if others have several: it need not be the fastest that there is.
    """
    on_gpu = table[table["device"].isin(ON_GPU)]
    several = on_gpu.groupby("graph")["algorithm"].transform("nunique") > 1
    return best_of(next(choice for choice in (on_gpu[several], on_gpu, table) if len(choice)))
