"""The catalogue: its entries, what they inherit, their errors, and the memory that they ask for."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from warpath.base.errors import UserError
from warpath.graphs import catalogue, memory

ROOT = catalogue.schemas.SCHEMAS.parents[1]
OURS = ROOT / "config" / "graphs.yaml"


@pytest.fixture
def load(tmp_path):
    def run(*files):
        paths = []
        for number, described in enumerate(files):
            paths.append(tmp_path / f"{number}.yaml")
            paths[-1].write_text(described if isinstance(described, str) else yaml.safe_dump(described))
        return catalogue.load(*paths)

    return run


def test_one_key_is_enough(load):
    entries = load(
        "a: {url: 'https://example.org/x/a.txt.gz'}\nb: {path: b.mtx}\nc: {generator: {kind: rmat, scale: 4}}\n"
    )
    a, b, c = entries.values()
    assert (a.kind, b.kind, c.kind) == ("download", "local", "generated")
    assert (a.path(), a.path("d"), b.path(), c.path()) == (
        *("resources/downloads/a/a.txt.gz", "d/a/a.txt.gz", "b.mtx", None),
    )
    assert (a.format, a.directed, a.weights, a.publisher) == ("auto", None, "auto", "example.org")
    assert a.clean == {"self_loops": "drop", "largest_component": False, "relabel": True}
    assert c.generator == {"kind": "rmat", "scale": 4, "edge_factor": 16, "seed": 1, "a": 0.57, "b": 0.19, "c": 0.19}
    assert (a.vertices, a.stand_in) == (None, None)


def test_later_files_win(load):
    entries = load({"a": {"path": "1"}, "b": {"path": "2"}}, {"a": {"path": "3"}})
    assert [entry.path() for entry in entries.values()] == ["3", "2"]


def test_based_on_shares_the_download(load):
    keys = {"directed": True, "sha256": "0" * 64, "expected": {"arcs": 5}, "weights": "unit"}
    graphs = {"a": keys | {"url": "http://x.org/a.gz"}, "b": {"based_on": "a", "directed": False}}
    entries = load(graphs, {"c": {"based_on": "b", "url": "http://y.org/c"}})
    b, c = entries["b"], entries["c"]
    assert b.path() == entries["a"].path()
    assert (b.directed, b.weights, b.origin.sha256) == (False, "unit", "0" * 64)
    assert (c.path(), c.origin.sha256, c.weights) == ("resources/downloads/c/c", None, "unit")


def test_sizes_are_graphs_of_their_own(load):
    generator, sizes = {"kind": "path", "vertices": 4}, {"small": {}, "large": {"vertices": 9.0}}
    entries = load({"a": {"generator": generator, "sizes": sizes, "weights": "unit"}})
    assert {name: entry.generator["vertices"] for name, entry in entries.items()} == {"a-small": 4, "a-large": 9}
    assert isinstance(entries["a-large"].generator["vertices"], int)
    assert {entry.weights for entry in entries.values()} == {"unit"}


def test_stand_ins_are_graphs_of_their_own(load):
    entries = load({"a": {"url": "http://x.org/a", "directed": True, "weights": "file", "published": {"vertices": 9},
                          "stand_in": {"kind": "path", "vertices": 5}}})  # fmt: skip
    stand_in = entries["a.stand-in"]
    assert (stand_in.kind, stand_in.directed, stand_in.weights) == ("generated", True, "auto")
    assert stand_in.stand_in_for == "a"
    assert (stand_in.path(), stand_in.published, stand_in.generator) == (None, {}, {"kind": "path", "vertices": 5})
    assert stand_in.clean["largest_component"] and not entries["a"].clean["largest_component"]


CHAIN = "".join(f"g{i}: {{based_on: g{i + 1}}}\n" for i in range(200)) + "g200: {path: a}\n"
LONG = "9" * 5000
PATH = "{kind: path, vertices: 9}"
HEAVY = "{kind: edges, vertices: 2, edges: [[0, 1, 2147483648]]}"
ENDLESS = "{kind: rmat, scale: 4, edge_factor: 1.0e+308}"
WRONG = {
    "misspelt key": ("a: {url: 'http://x.org/a', wieghts: unit}", ["0.yaml", "a", "wieghts", "Did you mean weights"]),
    "no origin": ("a: {}", ["0.yaml: a: found {}", "it needs one of url, path, generator, based_on"]),
    "two origins": ("a: {url: 'http://x.org/a', path: b}", ["0.yaml", "a", "url and path"]),
    "format": ("a: {path: b, format: snapp}", ["a.format", "snapp", "allowed are", "snap, csv"]),
    "weights": ("a: {path: b, weights: heavy}", ['a.weights: found "heavy", but it does not fit (', "1..10"]),
    "weights upside down": ("a: {path: b, weights: 9..1}", ["a.weights", "9..1", "ascend"]),
    "weights with a tail from 0": ("a: {path: b, weights: heavy 0..9}", ["a.weights", "heavy 0..9", "at 1 or more"]),
    "another's numbers": ("a: {generator: {kind: star, vertices: 4, numbers: cupy}}", ["a.generator", "numbers"]),
    "sizes of a file": ("a: {path: b, sizes: {small: {}}}", ["0.yaml: a.sizes", "with a generator"]),
    "parameter of a size": ("a: {generator: " + PATH + ", sizes: {s: {sides: []}}}", ["a-s.generator", "sides"]),
    "url": ("a: {url: ftp://x.org/a}", ["a.url", "ftp://x.org/a"]),
    "heavy edge": ("a: {generator: " + HEAVY + "}", ["a.generator.edges.0.2: found 2147483648", "maximum of 2147"]),
    "parallel edges": ("a: {path: b, clean: {duplicates: keep}}", ["a.clean", "unknown key 'duplicates'"]),
    "name": ("'a/b': {path: b}", ["a/b"]),
    "replaced by nothing": ("a: {path: b, replaced_by: c}", ["a.replaced_by", "no graph 'c'"]),
    "replaced twice": ("a: {path: b, replaced_by: b}\nb: {path: b, replaced_by: a}", ["a.replaced_by", "name that"]),
    "stand-in name": ("a.stand-in: {path: b}", ["a.stand-in", "stand_in"]),
    "base": ("aaa: {path: b}\nb: {based_on: aab}", ["b.based_on", "no graph 'aab'", "Did you mean aaa"]),
    "circle": ("a: {based_on: b}\nb: {based_on: a}", ["based_on", "in turn"]),
    "a number for a name": ("1684: {path: b}", ["0.yaml, line 1", "'1684' is not a string; quote it"]),
    "a long number": ("a: {path: b, published: {vertices: " + LONG + "}}", ["0.yaml", "not valid YAML", "digits"]),
    "too many vertices": (
        "a: {path: b, published: {vertices: 2147483648}}",
        ["a.published.vertices", "maximum of 2147"],
    ),
    "no path": ("a: {path: ''}", ["a.path", "shorter than 1"]),
    "a long name": ("a: {path: " + "b" * 5000 + "}", ["0.yaml: a: 'bbb", "a name of more than 255 bytes"]),
    "a long name of a graph": ("a" * 300 + ": {path: b}", ["0.yaml", "up to 200 letters"]),
    "nested": ("a: " + "[" * 5000 + "]" * 5000, ["0.yaml", "Recursion limit reached"]),
    "in itself": ("a: &a {based_on: *a}", ["0.yaml"]),
    "a long chain": (CHAIN, ["g0.based_on: more than 100 graphs"]),
    "long bounds": ("a: {path: b, weights: 1.." + LONG + "}", ["a.weights", "found"]),
    "endless scale": ("a: {path: b, weights: {scale: .inf}}", ["a.weights.scale", "not of type"]),
    "endless factor": ("a: {generator: " + ENDLESS + "}", ["a.generator.edge_factor", "greater than the maximum"]),
    "control characters": ('a: {path: "b\\e[2J"}', ["b\\x1b[2J", "control characters"]),
    "nothing but dots in a URL": ("a: {url: 'http://x.org/%2e%2e'}", ["0.yaml: a", "file name"]),
    "collection": ("a: {based_on: 'snpa:web-Google'}", ["no collection 'snpa'", "Did you mean snap"]),
}


def problem(load):
    """What is wrong with a catalogue: with all of it, or with some of its entries."""
    try:
        return "; ".join(catalogue.problems(load()))
    except UserError as error:
        return str(error)


@pytest.mark.parametrize("case", WRONG)
def test_wrong_entries(load, case):
    text, words = WRONG[case]
    message = problem(lambda: load(text))
    assert message.isprintable()
    assert all(word in message for word in words), message


def test_an_entry_that_is_wrong_stops_no_other(load):
    text = "good: {path: a}\nbad: {path: a, wieghts: unit}\nworse: {based_on: bad}\nbetter: {based_on: good}\na b: 5\n"
    entries = load(text)
    assert [name for name, entry in entries.items() if entry.problem] == ["bad", "worse", "a b"]
    assert catalogue.find("bad", entries).recipe != load("bad: {path: a}")["bad"].recipe
    with pytest.raises(UserError, match=r'^s\.yaml: .*found "a b"'):
        catalogue.find("a b", entries, "s.yaml: ")


def test_a_home_folder_is_found(load, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert load("a: {path: ~/b.txt}")["a"].path() == "/home/me/b.txt"


@pytest.mark.parametrize(
    "name", ["a\u3000b.txt", "a\u00a0b.txt", "\u00e9.txt", "a b.txt", "\U0001f468\u200d\U0001f469.txt"]
)
def test_file_names_in_any_language(load, name):
    assert load({"a": {"path": name}})["a"].path() == name


def test_a_real_graph_may_replace_another(load):
    entries = load({"a": {"path": "a", "replaced_by": "b"}, "b": {"path": "b"}, "c": {"based_on": "a"}})
    assert (entries["a"].replaced_by, entries["c"].replaced_by) == ("b", None)


def test_our_catalogue():
    entries = catalogue.load(OURS)
    for entry in entries.values():
        assert all(count > 0 for count in memory.size(entry)), f"the size of {entry.name} is unknown"
    papers = (yaml.safe_load(file.read_text())["runs"] for file in OURS.parent.glob("papers/*/study.yaml"))
    used = {name for runs in papers for run in runs for name in run["graphs"]}
    big = [e for e in entries.values() if e.name in used or (e.published.get("vertices") or 0) > 400_000]
    assert all(e.stand_in or e.replaced_by for e in big if e.kind == "download")
    assert all(Path(e.path()).exists() for e in entries.values() if e.kind == "local")


def test_planning_needs_no_numpy():
    code = "import sys; from warpath.graphs import catalogue; catalogue.load(sys.argv[1])"
    code += "; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, OURS], check=True, env={"PYTHONPATH": str(ROOT / "workflow")})


def test_size_of_a_file_of_unknown_counts(load, tmp_path):
    edges = 300_000
    lines = "".join(f"{i % 7919} {i * 31 % 99991}\n" for i in range(edges)).encode()
    for name, content in {"g.txt": lines, "g.txt.gz": gzip.compress(lines)}.items():
        (tmp_path / name).write_bytes(content)
        vertices, guessed = memory.size(load(f"a: {{path: '{tmp_path / name}'}}")["a"])
        assert edges <= guessed < 4 * edges and 7919 < vertices <= 2**16
    counted = load(f"a: {{path: '{tmp_path / name}', published: {{vertices: 5, edges: 6}}}}")["a"]
    assert memory.size(counted) == (5, 6)


def test_a_graph_of_unknown_size_asks_for_gigabytes(load):
    unknown = load("a: {url: 'http://x.org/a'}")["a"]
    assert memory.preparing(unknown) > 4000 and memory.threads(unknown, 16) == 2
    assert 10_000 < memory.running(unknown, "apsp") < 100_000


def test_all_pairs_need_room_for_the_matrix():
    entry = catalogue.load(OURS)["p2p-Gnutella31"]
    assert memory.running(entry, "apsp") - memory.running(entry, "sssp") > 4 * 62586**2 / 1e6
    assert memory.running(entry, "sssp", "networkx") - memory.running(entry, "sssp") > 100
    assert memory.running(entry, "sssp", placement="host") > memory.running(entry, "sssp")
    assert memory.answering(entry, "apsp") > 1024 * 62586 * 4 / 1e6


def test_a_graph_of_billions_of_arcs_is_prepared_by_all_cores_in_12_bytes_an_arc():
    entry = catalogue.load(OURS)["gap-kron"]
    assert memory.threads(entry, 16) == 16 and memory.threads(entry, 1) == 2
    assert 9 < 1e6 * memory.preparing(entry) / 4_223_264_758 < 14
