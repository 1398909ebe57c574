"""What same_code.py takes as the same program and as the same machine code, and what it does not."""

import machine_code
import pytest
import python_code
import same_code

PROGRAM = '''
"""A docstring."""
from warpath.algorithms import algorithm
from warpath.algorithms.peers import graphs

@algorithm(device="peer")
def peer(device, graph):
    made = graphs.igraph(graph)  # a comment
    def solve(source):
        return made.distances(source)
    return solve
'''


@pytest.mark.parametrize(
    ("found", "instead", "verdict"),
    [
        ('"""A docstring."""', '"""Another one."""', "same"),
        ("  # a comment", "", "same"),
        ("made", "handle", "renamed"),
        ("solve", "search", "renamed"),
        ("solve", "made", None),
        ("made", "graph", None),
        ("made", "graphs", None),
        ("graphs.igraph(", "graphs.networkit(", None),
        ("import graphs", "import answers as graphs", None),
        ("def peer", "def library", None),
        ("made.distances(source)", "made.distances(graph)", None),
        ("made.distances(source)", "made.distance(source)", None),
    ],
)
def test_python(found, instead, verdict):
    assert found in PROGRAM
    assert python_code.compare(PROGRAM, PROGRAM.replace(found, instead)) == verdict


KERNEL = 'extern "C" __global__ void twice(int* number) { number[threadIdx.x] *= FACTOR; }\n'
BASELINE = 'extern "C" void twice(int* number) { *number *= FACTOR; }\n'


@pytest.mark.parametrize(("suffix", "code", "section"), [(".cu", KERNEL, ".text.twice"), (".cpp", BASELINE, ".text")])
def test_compiled(tmp_path, suffix, code, section):
    def written(name, text):
        folder = tmp_path / name / "bfs"
        folder.mkdir(parents=True)
        (folder / f"twice{suffix}").write_text(text)
        return folder / f"twice{suffix}"

    before = written("before", code)
    after = written("after", "// A comment.\n\n" + code.replace("number", "value"))
    assert machine_code.difference((before, [("FACTOR", 2)]), (after, [("FACTOR", 2)])) is None
    assert section in machine_code.difference((before, [("FACTOR", 2)]), (after, [("FACTOR", 3)]))


def test_launches_that_only_one_checkout_has_are_not_compared():
    first, second = (["b64", "a.cu", []], ["b64", "a.cu", [["TILE", 8]]])
    new = ["b128", "a.cu", [["TILE", 16]]]
    before = {"configurations": [first, second]}
    assert same_code.paired(before, {"configurations": [first, new, second]}) == [
        (("a.cu", ()), ("a.cu", ())),
        (("a.cu", (("TILE", 8),)), ("a.cu", (("TILE", 8),))),
    ]
    assert same_code.paired(before, {"configurations": [first]})[1] == (("a.cu", (("TILE", 8),)), None)
