"""The numbers of our own searches that decide speed and no answer: few, each known by name, and each in the log.

A constant that is computed from others is no number of its own, and needs no place here.
"""

import ast
import re

import pytest

from warpath.base import places
from warpath.devices import code

SEARCHES = "bfs/persistent", "sssp/near_far"
MOST_TUNED = 40

# ---- tuned: another value takes another time

TUNED_OF_SSSP = {
    "sssp/near_far.py": """
        BLOCK HOPS HOP_LANES LOCAL_ARCS SLOTS LOCK_LANES SLOT_SHARE PULL PATIENCE SMALL_ARCS FEW_ARCS MANY_ARCS
        LARGE_MESH MESH_DELTA LARGE_MESH_DELTA FEW_DELTA DELTA BUCKET_DELTA FEW_READ_DELTA
    """,
    "sssp/near_far/buckets.cuh": "GROWTH",
    "include/frontier.cuh": "READ_TOGETHER",
    "include/window.cuh": "UNEVEN LOCK_TURNS WIDENING",
}
TUNED_OF_BFS = {
    "bfs/persistent.py": "BLOCK STRETCH HOP_LANES HOP_ARCS LOCAL_ARCS PIECE ARCS_OF_A_WORD",
    "bfs/persistent/arc_queue.cuh": "ALONE",
    "bfs/persistent/pull.cuh": "SAMPLE HUBS_AHEAD",
}

# ---- fixed: widths of fields, sizes that the host allots, values that stand for none

FIXED = {
    "include/warpath.cuh": "UNREACHABLE ALL_LANES",
    "include/frontier.cuh": "NO_ARC VERTEX_BITS",
    "include/bitmap.cuh": "NO_VERTEX",
    "include/lockstep.cuh": "ROUNDS",
    "sssp/near_far.py": "ITEM_BITS LIST_ARCS WIDE_LIST_ARCS",
    "sssp/near_far/classes.cuh": "CLASSES",
    "include/offering.cuh": "NOBODY",
    "bfs/persistent.py": "PROGRESS_WORDS LOCAL_VERTEX_BYTES WIDE_VERTEX_BYTES MOST_BLOCKS TARGET_BITS EXCHANGING_BYTES",
    "bfs/persistent/tally.cuh": "BLOCKS_AT LISTING_AT GIVEN_AT MOST_GIVEN",
    "bfs/persistent/level.cuh": "weight",
    "bfs/persistent/stretching.cuh": "MORE",
}


def files():
    """Return the Python file, the code file and all headers of both searches by their places among the kernels."""
    stems = [places.KERNELS / search for search in SEARCHES]
    found = {file for stem in stems for file in (stem.with_suffix(".py"), *code.files(stem, ".cu"))}
    return {file.relative_to(places.KERNELS).as_posix(): file.read_text() for file in found}


def numbers(name, text):
    """Return the value of each constant that is not computed from others."""
    named = in_python(text) if name.endswith(".py") else in_cuda(text)
    return {name: eval(value) for name, value in named if not re.search(r"[A-Z_]{2}", value)}


def in_python(text):
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Assign) or isinstance(statement.value, ast.Dict):
            continue
        (target,), value = statement.targets, statement.value
        pairs = zip(target.elts, value.elts, strict=True) if isinstance(target, ast.Tuple) else [(target, value)]
        yield from ((name.id, ast.unparse(each)) for name, each in pairs if name.id.isupper())


def in_cuda(text):
    text = re.sub(r"//.*", "", text)
    for enumerators in re.findall(r"\benum\s*(?::[\w\s]+)?\{([^}]*)\}", text):
        for enumerator in filter(str.strip, enumerators.split(",")):
            name, value = enumerator.split("=", 1)
            yield name.strip(), re.sub(r"(?<=[\da-f])u\b", "", value.strip())
    yield from re.findall(r"\bconstexpr [\w\s]+\b([A-Z][A-Z_]+) = ([^;]+);", text)
    yield from re.findall(r"^#define ([A-Z_]+) (\d.*)", text, re.MULTILINE)


SOURCES = files()


def listed(*lists):
    return {(file, name) for of_files in lists for file, names in of_files.items() for name in names.split()}


@pytest.mark.parametrize("file", sorted(SOURCES))
def test_every_number_is_listed_as_tuned_or_as_fixed(file):
    found = {(file, name) for name in numbers(file, SOURCES[file])}
    assert found == {place for place in listed(TUNED_OF_SSSP, TUNED_OF_BFS, FIXED) if place[0] == file}


def test_listed_files_are_there_and_no_number_is_listed_twice():
    lists = TUNED_OF_SSSP, TUNED_OF_BFS, FIXED
    assert {file for of_files in lists for file in of_files} <= SOURCES.keys()
    assert len(listed(*lists)) == sum(len(listed(each)) for each in lists)


def test_few_numbers_are_tuned():
    assert len(listed(TUNED_OF_SSSP, TUNED_OF_BFS)) <= MOST_TUNED


@pytest.mark.parametrize(
    ("title", "tuned"), [("Of BFS;", TUNED_OF_BFS), ("Of SSSP", TUNED_OF_SSSP)], ids=["bfs", "sssp"]
)
def test_the_log_has_each_tuned_number_with_its_value(title, tuned):
    log = (places.KERNELS.parent / "docs/laboratory.md").read_text().partition(f"\n{title}")[2].split("\n\n", 2)[1]
    rows = {
        name: int(value.replace(",", ""))
        for name, value in re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", log, re.MULTILINE)
    }
    assert rows == {name: numbers(file, SOURCES[file])[name] for file, name in listed(tuned)}
