"""What a file says about itself decides: direction, columns, times, weights; the catalogue wins, and says so."""

from types import SimpleNamespace

import pytest
from graphs.conftest import arcs

from warpath.base.errors import UserError
from warpath.devices.errors import UnsupportedLaunch
from warpath.graphs.readers import text
from warpath.runs import oracle

BOTH = {(1, 2), (2, 1)}
ONE = {(1, 2)}
MTX = "%%MatrixMarket matrix coordinate pattern "
DIRECTION = {
    "snap directed": ("# Directed graph (each unordered pair of nodes is saved once): g.txt\n1 2\n", "g.txt", ONE),
    "snap undirected": ("# Undirected graph: g.txt\n1 2\n", "g.txt", BOTH),
    "snap behind a mark": ("\ufeff# Directed graph\n1 2\n", "g.txt", ONE),
    "snap after empty lines": ("\n \n# Directed graph\n1 2\n", "g.txt", ONE),
    "snap not said": ("# Directed by whom?\n1 2\n", "g.txt", BOTH),
    "mtx general": (MTX + "general\n2 2 1\n1 2\n", "g.mtx", ONE),
    "mtx symmetric": (MTX + "symmetric\n2 2 1\n2 1\n", "g.mtx", BOTH),
    "mtx upper case": ((MTX + "general\n").upper() + "2 2 1\n1 2\n", "g", ONE),
    "konect asym": ("% asym unweighted\n1 2\n", "out.g", ONE),
    "konect sym": ("% sym unweighted\n% 1 2 2\n1 2\n", "out.g", BOTH),
    "metis": ("2 1\n2\n1\n\n\n", "g.graph", BOTH),
    "dimacs": ("c hi\np sp 2 1\na 1 2 3\n", "g.gr", ONE),
    "pace": ("p tw 2 1\n1 2\n", "g.gr", BOTH),
}


@pytest.mark.parametrize("case", DIRECTION)
def test_direction_of_the_file(convert, case):
    content, name, expected = DIRECTION[case]
    assert set(arcs(convert(content, name))) == expected


@pytest.mark.parametrize(("directed", "expected"), [(False, BOTH), (True, ONE)])
def test_the_catalogue_wins_and_says_so(convert, capsys, directed, expected):
    words = ["undirected", "directed"]
    graph = convert(f"# {words[not directed].capitalize()} graph: g.txt\n1 2\n", directed=directed)
    assert (set(arcs(graph)), graph.directed) == (expected, directed)
    line = f"g: the file says {words[not directed]}, the catalogue {words[directed]}, which wins\n"
    assert capsys.readouterr().err == line
    convert(f"# {words[directed].capitalize()} graph: g.txt\n1 2\n", directed=directed)
    assert capsys.readouterr().err == ""
    assert not convert("1 2\n").directed
    assert "nothing says whether edges are directed: taken as undirected" in capsys.readouterr().err


def test_comments_that_disagree_are_both_told(convert, capsys):
    graph = convert("# Directed graph (each pair once): Email-Enron.txt\n# Enron (undirected edges)\n1 2\n", "g.txt")
    assert graph.directed
    told = capsys.readouterr().err
    assert "'# Directed graph (each pair once): Email-Enron.txt' and '# Enron (undirected edges)'" in told
    assert "the key directed decides" in told


def test_two_sides_of_a_bipartite_network(convert, capsys):
    graph = convert("% bip weighted\n% 3 2 3\n1 1 5\n1 3 6\n2 1 7\n", "out.g")
    assert graph.vertices == 4
    assert {key: weight for key, weight in arcs(graph).items() if key[0] < key[1]} == {(1, 3): 5, (1, 5): 6, (2, 3): 7}
    assert "vertices of the right side are numbered from 3" in capsys.readouterr().err


TABLES = {
    "any order": ("weight,to,from\n7,2,1\n", {}, {(1, 2): 7}),
    "plain integers": ("u,v\n01,2\n-0,1\n", {"weights": "unit"}, {(1, 2): 1, (0, 1): 1}),
    "quotes": ('"Source","Target","Cost"\n"1","2","7"\n', {}, {(1, 2): 7}),
    "quotes without names": ('"1","2","7"\n', {}, {(1, 2): 7}),
    "tabs": ("FromNodeId\tToNodeId\n1\t2\n", {"weights": "unit"}, {(1, 2): 1}),
    "blanks": ("  u   v w\n 1  2   7 \n# in between\n2 3\t8\n", {}, {(1, 2): 7, (2, 3): 8}),
    "semicolons": ("src;dst;distance\r\n1;2;7\r\n", {}, {(1, 2): 7}),
    "below a comment": ("# hi\nu v w\n1 2 7\n", {}, {(1, 2): 7}),
    "other columns": ("id,u,time,v,note\n9,1,1082040961,2,x\n", {"weights": "unit"}, {(1, 2): 1}),
    "named": ("a,b,c,weight\n1,2,3,4\n", {"columns": {"source": "b", "target": "a", "weight": "c"}}, {(2, 1): 3}),
    "listed": ("9 7 1 2\n", {"columns": ["_", "weight", "source", "target"]}, {(1, 2): 7}),
    "mark": ("\ufeffu,v,w\n1,2,7\n", {}, {(1, 2): 7}),
    "minus zero": ("u,v,w\n1,2,0.5\n1,2,-0.0\n", {}, {(1, 2): 0}),
    "fractions": ("u,v,w\n1,2,7.5\n2,3,1\n", {}, {(1, 2): 7.5, (2, 3): 1}),
    "names in a comment": ("# ToNodeId FromNodeId\n2 1\n", {"weights": "unit"}, {(1, 2): 1}),
    "whole fractions": ("u,v,w\n1,2,7.0\n", {}, {(1, 2): 7}),
    "scaled": ("u,v,w\n1,2,1.2341\n2,3,0.5001\n", {"weights": {"scale": 1000}}, {(1, 2): 1234, (2, 3): 500}),
    "names that begin with a hash": ("u,v,w\n#a,#b,7\nc,#a,8\n", {}, {(0, 1): 7, (2, 0): 8}),
}


@pytest.mark.parametrize("case", TABLES)
@pytest.mark.parametrize("name", ["g.csv", "g.txt"])
def test_columns_by_name(convert, case, name):
    content, keys, expected = TABLES[case]
    assert arcs(convert(content, name, directed=True, **keys)) == expected


def test_what_became_of_the_columns_is_said(convert, capsys):
    convert("to,id,from,km\n1,2,3,4\n", "g.csv", directed=True)
    assert capsys.readouterr().err == "g: source from from, target from to, no weight; ignored: id, km\n"


NO_EDGE, CSV = "# Directed graph\n", "u,v\n1,2\n"


@pytest.mark.parametrize(
    ("content", "columns", "words"),
    [
        (CSV, {"source": "x", "target": "v"}, "columns.source: no column 'x'"),
        (CSV, {"source": "u", "target": "u"}, "line 1: columns: .* names a column twice"),
        (CSV, ["source", "target", "weight"], "2 columns, but the key columns lists 3"),
        (CSV, ["source", "source"], "lists source 2 times"),
        (NO_EDGE, {"source": "u", "target": "v"}, r"g\.txt: no edge found"),
        (NO_EDGE, ["source", "target"], r"g\.txt: no edge found"),
        (MTX + "general\n2 2 1\n1 2\n", ["source", "target"], "mtx has no columns to choose"),
    ],
)
def test_columns_that_do_not_fit(convert, content, columns, words):
    with pytest.raises(UserError, match=words):
        convert(content, columns=columns)


TIMES = {
    "snap temporal": ("9 8 1217567877\n1 1 1217573801\n" * 6, "sx-mathoverflow.txt"),
    "milliseconds": ("9 8 1217567877000\n1 1 1217573801000\n", "g.txt"),
    "from 0 on": ("9 8 0\n1 1 5\n", "email-Eu-core-temporal.txt"),
    "by its name": ("# source target timestamp\n9 8 3\n1 1 4\n", "g.txt"),
    "konect": ("% asym positive\n9 8 1 1217567877\n1 1 1 1217567878\n", "out.g"),
}


@pytest.mark.parametrize("case", TIMES)
def test_a_time_is_not_a_weight(convert, capsys, case):
    content, name = TIMES[case]
    graph = convert(content, name, directed=True)
    assert graph.metadata["weights"] == "1..10 seed 7"
    assert "weight" in capsys.readouterr().err


def test_a_few_lines_of_what_could_be_times_are_weights(convert, capsys):
    assert arcs(convert("9 8 1217567877\n", directed=True)) == {(9, 8): 1217567877}
    assert capsys.readouterr().err == ""


ROUNDED = {  # 16777217 is the first integer that single precision lacks, 0.5 is exact and 0.1 is not
    "exact": ([16777216, 0.5], {}, "", 0),
    "beside a fraction": ([16777217, 0.5, 0.1], {}, "weights rounded to single precision", 2),
    "whole": ([16777217, 3], {}, "", 0),
    "scaled": ([1.25, 2, 0.1234], {"weights": {"scale": 100}}, "weights rounded to whole numbers", 1),
}


@pytest.mark.parametrize("case", ROUNDED)
@pytest.mark.parametrize("begin", ["", "u v w\n"])
@pytest.mark.parametrize("block", [16, 1 << 20])
def test_the_graph_says_how_many_weights_were_rounded(convert, monkeypatch, case, begin, block):
    monkeypatch.setattr(text, "BLOCK", block)
    weights, keys, step, count = ROUNDED[case]
    content = begin + "".join(f"{place} {place + 1} {weight}\n" for place, weight in enumerate(weights))
    steps = {each["step"]: each["count"] for each in convert(content, "g.edges", **keys).metadata["cleaning"]}
    assert {key: count for key, count in steps.items() if "rounded" in key} == ({step: count} if step else {})


@pytest.mark.parametrize("content", ["1 2 0.1\n", "u v w\n1 2 0.1\n"])
def test_no_weight_becomes_0_by_rounding(convert, content):
    with pytest.raises(UserError, match="becomes 0 when it is rounded"):
        convert(content, "g.edges", weights="round")


def test_the_refusal_of_fractional_weights_names_the_policy(convert):
    graph = convert("1 2 0.5\n", "g.edges")
    with pytest.raises(UnsupportedLaunch, match="scale: 1000"):
        oracle.require_exact(graph, SimpleNamespace(longest=1), "sssp")
