"""What an algorithm is asked after its time was taken: what nobody could know before.

A search starts from vertices that the operating system draws at that moment. Whoever kept answers by source is fast
from them the second time only; whoever had answers before is slower from them than from the sources that were known.
All pairs have no source: the algorithm is prepared again, on the graph with its weights drawn anew.

Honest solves differ from one source to the next, and by what else the machine does. A run is doubted only where times
are further apart than all that can explain.
"""

import secrets
import statistics
from dataclasses import replace
from time import perf_counter

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.base.problems import PROBLEMS
from warpath.devices import ON_GPU
from warpath.graphs import draws
from warpath.runs import judge, rehearsal
from warpath.runs.operand import Operand

SOURCES = 4
LONG_MS = 5  # from this time of a solve on, one source is asked: four would make a study half as long again
EMULATED_MS = 500  # from this time on, an emulated kernel is asked nothing more: its times say nothing about a GPU

# By so many times, and milliseconds, solves of the same may differ on a GPU, and on a CPU that has other things to do.
NOISE, NOISE_OF_CPU = (3, 0.02), (10, 0.1)

CERTAIN = 3  # sources that are enough for a doubt

SMALL_ARRAYS = 64 * 512  # bytes of dozens of arrays with a few numbers each, as a GPU's memory comes in pieces

ALIKE = 1.25  # searches are alike if one reaches so many times as far as the other, at most


def asks(spec, usual_ms):
    """How many sources to ask, by the time of a solve: none where there is no time for it."""
    if (spec.device == "host" and usual_ms >= EMULATED_MS) or 4 * usual_ms > 1000 * spec.time_limit:
        return 0
    return 1 if usual_ms >= LONG_MS else SOURCES


def search(spec, trial, checker, graph, answers, count):
    """Solve from unforeseen sources, more where all took longer the first time; return what was found from each."""
    found, taken, asked = [], [], set(answers.sources)
    while count and (chosen := draw(graph, checker.reached, count, asked)):
        if not fits(graph, PROBLEMS[spec.problem], answers.longest, chosen):
            break
        for source in chosen:
            solves = [trial.timed(source) for _ in range(2)]
            times = [measurements["solve_ms"] for measurements, _ in solves]
            first, second = (checker.digest(answer) for _, answer in solves)
            found.append({"source": source, "solve_ms": times})
            taken.append((solves[0][1], first != second))
        asked.update(chosen)
        count = CERTAIN - len(found) if all(is_slower(spec, *entry["solve_ms"]) for entry in found) else 0
    for entry, (answer, differs) in zip(found, taken, strict=True):  # after the last solve
        entry["wrong_vertices"] = differs + checker.wrong_elsewhere(entry["source"], answer)
        entry["depth"] = checker.depth(answer)
    return found


def is_slower(spec, time, other, factor=0):
    """Whether one time is longer than another by more than noise, or than this factor."""
    noise, noise_ms = NOISE if spec.device in ON_GPU else NOISE_OF_CPU
    return time > max(noise, factor) * other + noise_ms


def draw(graph, reached, count, known):
    """Draw vertices that the first known search reached, and that have arcs; fewer where the graph has no more."""
    chosen = []
    for _ in range(200 * count if reached is not None else 0):
        vertex = secrets.randbelow(graph.vertices)
        has_arcs = graph.offsets[vertex + 1] > graph.offsets[vertex]
        if has_arcs and reached[vertex] < UNREACHABLE and vertex not in chosen and vertex not in known:
            chosen.append(vertex)
        if len(chosen) == count:
            break
    return chosen


def fits(graph, problem, longest, sources):
    return (not graph.directed and 2 * longest < UNREACHABLE) or judge.bound(graph, problem, sources) < UNREACHABLE


def all_pairs(spec, device, launch, trial, checker, graph, usual_ms):
    """Prepare and solve with other weights, again where that took longer; return what was found, and the time."""
    found = []
    while not found or (len(found) < CERTAIN and is_slower(spec, found[-1]["solve_ms"][0], 2 * usual_ms)):
        other = replace(graph, weights=drawn_anew(graph), metadata={})
        rows = sorted(secrets.SystemRandom().sample(range(graph.vertices), min(SOURCES, graph.vertices)))
        prepare_ms = prepare_again(spec, device, launch, trial, checker, other)
        measurements, answer = trial.timed(None, rows)
        wrong = checker.wrong_rows(other, rows, answer)
        found.append({"source": -1, "solve_ms": [measurements["solve_ms"]], "wrong_vertices": wrong, "depth": None})
    return found, prepare_ms


def prepare_again(spec, device, launch, trial, checker, graph, **options):
    """Return the milliseconds that preparing takes when kernels are compiled and the graph is on the device.

    `options` are the operand's. The first preparation has told whether the algorithm counts so many arcs.
    """
    trial.solve = checker.last = None  # and with them the memory of the first preparation
    operand = Operand(graph, device, counted=True, placement=spec.placement, **options)
    for array in (operand.offsets, operand.targets, operand.weights):
        device.get(array[:1])
    with device.preparing():
        device.synchronize()
        begin = perf_counter() - operand.upload_s
        trial.solve = spec.described.prepare(device, operand, launch)
        device.synchronize()
    return 1e3 * (perf_counter() - begin - operand.upload_s)


def has_table(graph, memory):
    """Whether preparing took memory by the square of the vertices: what is in it may be the answers."""
    usual = SMALL_ARRAYS + rehearsal.A_VERTEX * graph.vertices + rehearsal.AN_ARC * graph.arcs
    return memory > usual + graph.vertices**2


def drawn_anew(graph):
    """Weights of the same distribution for each edge, the same in both of its directions."""
    tails = np.repeat(np.arange(graph.vertices, dtype=np.uint64), np.diff(graph.offsets))
    heads = graph.targets.astype(np.uint64)
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    drawn = draws.at(secrets.randbits(64), low * np.uint64(graph.vertices) + high)
    return graph.weights[drawn % np.uint64(graph.arcs)]


def doubts(spec, known, found, cold, usual_ms):
    """Why times cannot be believed, with two figures; `known` has the reach and time of each known source."""
    if found[0]["source"] == -1:
        asked = min(entry["solve_ms"][0] for entry in found)
        if is_slower(spec, asked, 2 * usual_ms):
            yield f"a solve takes {usual_ms:.4g} ms, and {asked:.4g} ms on the same graph with other weights"
        return
    by_cache, times = 2 * cold["solve_ms"] / usual_ms if cold else 0, [entry["solve_ms"] for entry in found]
    if len(found) >= CERTAIN and all(is_slower(spec, first, later, by_cache) for first, later in times):
        first, later = map(statistics.median, zip(*times, strict=True))
        yield f"the first solve from an unforeseen source takes {first:.4g} ms, a second one from there {later:.4g} ms"
    faster, compared = [], 0
    for reach, time in known:
        near = (entry for entry in found if reach <= ALIKE * entry["depth"] and entry["depth"] <= ALIKE * reach)
        alike = [min(entry["solve_ms"]) for entry in near]
        compared += bool(alike)
        spread = max(alike) / min(alike) if len(alike) > 2 else 2
        if alike and is_slower(spec, min(alike), spread * time):
            faster.append((time, min(alike)))
    if faster and 2 * len(faster) >= compared:
        usual, asked = (f"{time:.4g} ms" for time in faster[0])
        yield f"a solve takes {usual} from a known source, and {asked} or more from unforeseen ones that reach as far"
