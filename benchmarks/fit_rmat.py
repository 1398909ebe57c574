"""Fit R-MAT to networks by their numbers of vertices and edges and their largest degrees.

    python benchmarks/fit_rmat.py 400727 3200440 --out 10 --in 2747
    python benchmarks/fit_rmat.py 1694616 11094209 --degree 35455

In an R-MAT of 2^k vertices the heaviest tail expects (a + b)^k of the edges and the heaviest head (a + c)^k, so the
largest degrees give both sums. Of what is left free, a is their product: the bits of both ends are independent, as they
nearly are at the usual 0.57, 0.19, 0.19. Vertices without an edge are dropped and repeated edges merged, so the scale
and the edges drawn are tried until the numbers of a cleaned graph are nearest.
"""

import argparse
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath.graphs import clean, generators

ROUNDS = 4


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("vertices", type=int)
    parser.add_argument("edges", type=int)
    parser.add_argument("--out", type=int, help="largest out-degree")
    parser.add_argument("--in", type=int, dest="into", help="largest in-degree")
    parser.add_argument("--degree", type=int, help="largest degree, if edges have no direction")
    wanted = parser.parse_args()
    lowest = math.floor(math.log2(wanted.vertices))
    fits = [fitted(wanted, scale) for scale in range(lowest, lowest + 3)]
    print(min(fits, key=lambda fit: abs(math.log(fit[0] / wanted.vertices)))[1])


def fitted(wanted, scale):
    """Return the vertices of the fit of this scale, and its parameters with what came of them."""
    directed = wanted.degree is None
    aims = [wanted.out, wanted.into] if directed else [wanted.degree / 2] * 2
    heaviest, drawn = list(aims), wanted.edges
    for _ in range(ROUNDS):
        out, into = (max(0.5, (degree / drawn) ** (1 / scale)) for degree in heaviest)
        shares = {"a": out * into, "b": out * (1 - into), "c": into * (1 - out)}
        spec = {"scale": scale, "edge_factor": round(drawn / 2**scale, 3)} | {
            k: round(float(v), 4) for k, v in shares.items()
        }
        edges, vertices, degrees = made(spec, directed)
        drawn *= wanted.edges / edges
        heaviest = [old * aim / max(found, 1) for old, aim, found in zip(heaviest, aims, degrees, strict=True)]
    found = f"{vertices:,} vertices, {edges:,} edges, largest degrees {degrees[0]:,.0f} and {degrees[1]:,.0f}"
    print(f"# {spec}: {found}", flush=True)
    return vertices, f"stand_in: {{kind: rmat, {', '.join(f'{key}: {value}' for key, value in spec.items())}}}"


def made(spec, directed):
    """Return the edges, the vertices and half of, or both, largest degrees of the cleaned graph."""
    import numpy as np

    steps = {"self_loops": "drop", "relabel": True, "largest_component": True}
    graph = clean.clean(generators.rmat(**spec), steps, directed, "unit", "trial")
    degrees = np.diff(graph.offsets)
    if not directed:
        return graph.arcs // 2, graph.vertices, [degrees.max() / 2] * 2
    return graph.arcs, graph.vertices, [degrees.max(), np.bincount(graph.targets, minlength=graph.vertices).max()]


if __name__ == "__main__":
    main()
