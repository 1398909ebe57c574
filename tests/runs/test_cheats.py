"""Algorithms that only seem to be fast: each is a few lines that anybody could write, and none of them ends ok."""

import textwrap

import numpy as np
import pytest
from small_graphs import from_edges

from warpath.runs import unforeseen

HONEST = """
import threading, time
import numpy as np
from warpath.algorithms import UNREACHABLE, Solution, algorithm

KEPT = []

def search(offsets, targets, weights, source):
    distance = np.full(len(offsets) - 1, UNREACHABLE, "uint32")
    distance[source], changed = 0, [source]
    while changed:
        lower = []
        for vertex in changed:
            for arc in range(offsets[vertex], offsets[vertex + 1]):
                if distance[vertex] + weights[arc] < distance[targets[arc]]:
                    distance[targets[arc]] = distance[vertex] + weights[arc]
                    lower.append(targets[arc])
        changed = lower
    return distance

@algorithm()
def cheat(device, graph, launch):
    xp, known, before, csr = device.xp, {}, [], graph.on_host

    def honest(source):
        return device.put(search(csr.offsets, csr.targets, csr.weights, source))

    def all_pairs():
        return device.put(np.stack([honest(row) for row in range(graph.vertices)]))

"""
CHEATS = {  # what the solve does, how the run ends, and a word of why
    "nothing but its work": ("return Solution(honest(source), 1)", "ok", None),
    "keeps answers by source": (
        """
        if source not in known:
            known[source] = honest(source)
        return Solution(known[source].copy(), 1)
        """,
        "suspect",
        "the first solve from an unforeseen source takes",
    ),
    "returns the array of its first solve": (
        """
        before[:] = before or [honest(source)]
        return Solution(before[0], 1)
        """,
        "wrong",
        "wrong vertices",
    ),
    "has a clock of its own": (
        "return Solution(honest(source), 1, milliseconds=lambda: 1e-6)",
        "failed",
        "milliseconds",
    ),
    "leaves its work to a thread": (
        """
        answer = xp.zeros(graph.vertices, "uint32")
        def write():
            time.sleep(0.01)
            answer[:] = honest(source)
        threading.Thread(target=write).start()
        return Solution(answer, 1)
        """,
        "wrong",
        "wrong vertices",
    ),
    "computes its answer when it is looked at": (
        """
        class Lazy:
            shape, dtype = (graph.vertices,), np.dtype("uint32")
            def __array__(self, *arguments, **options):
                return search(csr.offsets, csr.targets, csr.weights, source)
        return Solution(Lazy(), 1)
        """,
        "failed",
        "a solve returned a Lazy",
    ),
    "replaces the clock": (
        """
        began = time.perf_counter()
        time.perf_counter = lambda: began
        return Solution(honest(source), 1)
        """,
        "suspect",
        "time.perf_counter was replaced",
    ),
    "replaces the timer": (
        """
        type(device.timer()).milliseconds = lambda timer: 1e-6
        return Solution(honest(source), 1)
        """,
        "suspect",
        "Timer.milliseconds was replaced",
    ),
    "reads the file of right answers": (
        """
        from warpath.runs import oracle
        right = before[0] if before else oracle.read("resources/oracles/cheated/bfs.parquet")
        before[:] = [right]
        if source in right.sources:
            return Solution(device.put(right.distance[right.sources.index(source)].astype("uint32")), 1)
        return Solution(honest(source), 1)
        """,
        "suspect",
        "from a known source",
    ),
}
ON_A_STREAM_OF_ITS_OWN = """
right, answer = honest(source), xp.zeros(graph.vertices, "uint32")
before[:] = before or [xp.zeros(1 << 28, "float32")]
with xp.cuda.Stream(non_blocking=True):
    for _ in range(100):
        xp.add(before[0], 1, out=before[0])
    answer[:] = right
return Solution(answer, 1)
"""


@pytest.fixture
def cheated(prepared):
    """A graph of 1,500 vertices whose searches take some milliseconds in Python, with the answers from four sources."""
    prepared(
        from_edges("cheated", np.arange(1, 1500) // 2, np.arange(1, 1500), directed=False), "bfs", "--sources", "4"
    )


@pytest.fixture
def cheat(workplace, measured):
    """Return the record of the algorithm with this solve."""

    def run(solve, problem="bfs", device="host"):
        (workplace / "kernels" / problem).mkdir(parents=True)
        body = textwrap.indent(textwrap.dedent(solve).strip(), 8 * " ")
        code = f"{HONEST}    def solve(source):\n{body}\n    return solve\n"
        (workplace / "kernels" / problem / "cheat.py").write_text(code)
        options = "--kernels", "kernels", "--device", device
        return measured("cheated", f"{problem}/cheat", "default", *options, status=None)

    return run


@pytest.mark.parametrize("device", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_ends_ok(cheated, cheat, name, device):
    body, status, why = CHEATS[name]
    record = cheat(body, device=device)
    assert (record["status"], why is None or why in record["error"]) == (status, True), record["error"]


@pytest.mark.gpu
def test_work_on_a_stream_that_nobody_waits_for_is_found(cheated, cheat):
    record = cheat(ON_A_STREAM_OF_ITS_OWN, device="cuda")
    assert record["status"] == "suspect" and "the device was busy" in record["error"]


ALL_PAIRS = {
    "nothing but its work": ("return Solution(all_pairs(), 1)", "ok", None),
    "keeps the matrix": (
        """
        before[:] = before or [all_pairs()]
        return Solution(before[0].copy(), 1)
        """,
        "suspect",
        "with other weights",
    ),
    "does nothing the second time": (
        """
        before[:] = before or [all_pairs()]
        return Solution(before[0], 1)
        """,
        "wrong",
        "wrong vertices",
    ),
    "keeps the matrix for the next preparation": (
        """
        KEPT[:] = KEPT or [all_pairs()]
        return Solution(KEPT[0].copy(), 1)
        """,
        "wrong",
        "wrong vertices",
    ),
}


@pytest.mark.parametrize("name", ALL_PAIRS)
def test_no_cheat_with_all_pairs_ends_ok(prepared, cheat, name):
    body, status, why = ALL_PAIRS[name]
    tails = np.arange(1, 60)
    prepared(from_edges("cheated", tails // 2, tails, weights=1 + tails % 7), "apsp")
    record = cheat(body, problem="apsp")
    assert (record["status"], why is None or why in record["error"]) == (status, True), record["error"]


def test_a_table_of_answers_is_told_from_what_a_search_takes():
    graph = from_edges("path", np.arange(3000), np.arange(1, 3001))
    assert unforeseen.has_table(graph, 4 * graph.vertices**2)
    assert not unforeseen.has_table(graph, 200 * graph.vertices + 60 * graph.arcs)
    assert not unforeseen.has_table(from_edges("tiny", [0, 1], [1, 2]), 30 * 512)
