"""Ids of vertices are exact up to 2^63 - 1 in every format; larger ones are refused with their place and value."""

import re

import numpy as np
import pyarrow as pa
import pytest
from graphs.conftest import arcs
from graphs.test_formats import npy, npz, parquet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warpath.base.errors import UserError

IDS = st.builds(int.__add__, st.sampled_from([2, 2**31, 2**32, 2**53, 2**63, 2**64 - 2]), st.integers(-2, 1))
EDGES = st.lists(st.tuples(IDS, IDS), min_size=1, max_size=4)


def lines(begin="", form="{} {}\n"):
    return lambda edges: begin + "".join(form.format(*edge) for edge in edges)


def arrays(save, kind=np.uint64, names=("u", "v")):
    return lambda edges: save(dict(zip(names, np.array(edges, kind).T, strict=True)))


FORMATS = {
    "snap": ("g.txt", lines("# Directed graph\n")),
    "weights": ("g.edges", lines("", "{} {} 7\n")),
    "csv": ("g.csv", lines("", "{},{}\n")),
    "names": ("g.csv", lines("u,v,w\n", "{},{},0.5\n")),
    "quotes": ("g.csv", lines("u;v\n", '"{}";"{}"\n')),
    "konect": ("out.g", lines("% asym unweighted\n")),
    "npz": ("g.npz", arrays(lambda columns: npz(**columns))),
    "coo": ("g.npz", arrays(lambda columns: npz(**columns), names=("row", "col"))),
    "npy": ("g.npy", lambda edges: npy(np.array(edges, np.uint64))),
    "parquet": ("g.parquet", arrays(lambda columns: parquet(pa.table(columns)))),
    "text in parquet": ("g.parquet", arrays(lambda columns: parquet(pa.table(columns)), str)),
}
BOUNDED = {
    "dimacs": ("g.gr", lines("p sp 4 1\n", "a {} {} 1\n")),
    "pace": ("g.gr", lines("p tw 4 1\n")),
    "mtx": ("g.mtx", lines("%%MatrixMarket matrix coordinate pattern general\n4 4 1\n")),
    "metis": ("g.graph", lines("4 1\n")),
    "rows of dimacs": ("g.gr", lambda edges: f"p sp {edges[0][0]} 1\na 1 2 3\n"),
    "rows of mtx": ("g.mtx", lambda edges: FORMATS_MTX.format(edges[0][0])),
}
FORMATS_MTX = "%%MatrixMarket matrix coordinate pattern general\n{0} {0} 1\n1 2\n"
SOME = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("case", FORMATS)
@SOME
@given(edges=EDGES)
def test_an_id_is_exact_or_refused(convert, case, edges):
    name, written = FORMATS[case]
    wide = [str(id) for edge in edges for id in edge if id >= 2**63]
    if not wide:
        graph = convert(written(edges), name, directed=True, clean={"self_loops": "keep"})
        assert {*arcs(graph)} == {*edges}
        return
    with pytest.raises(UserError, match=r"2\^63 - 1 \(found: ") as caught:
        convert(written(edges), name, directed=True)
    assert re.search("|".join(wide), str(caught.value))
    assert case == "text in parquet" or re.search(r"line \d|row \d", str(caught.value))


@pytest.mark.parametrize("case", BOUNDED)
@SOME
@given(edges=st.lists(st.tuples(IDS.filter(lambda id: id >= 2**31), IDS), min_size=1, max_size=1))
def test_an_id_is_one_of_the_header(convert, case, edges):
    name, written = BOUNDED[case]
    shown = f"{edges[0][0]:,}" if "rows" in case else str(edges[0][0])
    with pytest.raises(UserError, match=rf"line [1-3]: .*{shown}"):
        convert(written(edges), name)
