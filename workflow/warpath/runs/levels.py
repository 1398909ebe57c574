"""Time by level of a search, from builds that are made for this and never timed otherwise (devices/traced.py)."""

from typing import NamedTuple

import numpy as np

from warpath import devices
from warpath.algorithms import discovery
from warpath.base.errors import UserError
from warpath.base.problems import PROBLEMS
from warpath.devices import traced
from warpath.runs import lease
from warpath.runs.operand import Operand
from warpath.runs.sources import choose_sources

SOLVES = 7  # of which the one with the median time is taken


class Trace(NamedTuple):
    """A traced solve: its rounds, its time, and the median time of solves without a trace."""

    algorithm: str
    launch: str
    device: str
    device_name: str
    source: int
    rounds: list
    traced_ms: float
    untraced_ms: float


def traces(kind, graph, names, label=None):
    """Trace one algorithm, or two of one problem, on a device of this kind, from the vertex with this label.

    A name may end in `:` and a launch; else it is the first launch. Without a label the vertex has the most arcs.
    """
    if len(names) > 2 or len({name.partition("/")[0] for name in names}) > 1:
        raise UserError(f"{' '.join(names)}: name one algorithm, or two of one problem")
    source = int(np.diff(graph.offsets).argmax()) if label is None else int(choose_sources(graph, [label], 0)[0])
    number, _locks = lease.device(kind)
    return [_trace(kind, number, graph, name, source) for name in names]


def _trace(kind, number, graph, name, source):
    id, _, label = name.partition(":")
    described = discovery.named(id)
    if described.device != "kernel" or PROBLEMS[described.problem].all_pairs:
        raise UserError(f"{id}: only kernels that search from one source can be traced")
    launch = described.launch(label) if label else described.launches[0]
    plain, device = devices.open(kind, number), traced.Device(devices.open(kind, number))
    right, untraced = _solves(described, plain, graph, launch, source)
    try:
        answer, solves = _solves(described, device, graph, launch, source)
    except UserError as error:
        raise UserError(f"{id}: {error}") from None
    if not np.array_equal(answer, right):
        raise UserError(f"{id}: the traced build gives another answer than the plain one")
    milliseconds, rounds = sorted(solves, key=lambda solve: solve[0])[len(solves) // 2]
    median = float(np.median([solve[0] for solve in untraced]))
    return Trace(id, launch.label, kind, plain.environment()["device_name"], source, rounds, milliseconds, median)


def _solves(described, device, graph, launch, source):
    """The distances, and of each solve but the first its time and its rounds, if these are traced."""
    is_traced = isinstance(device, traced.Device)
    solve = described.prepare(device, Operand(graph, device), launch)
    timer, solves = device.timer(), []
    for _ in range(SOLVES + 1):
        if is_traced:
            device.clear()
        device.synchronize()
        timer.start()
        solution = solve(source)
        timer.stop()
        solves.append((timer.milliseconds(), device.rounds() if is_traced else None))
    return device.get(solution.distance), solves[1:]


def by_level(rounds, levels):
    """Time, waiting and least waiting of each of so many levels, as columns of milliseconds.

    Rounds within a level belong to it. Where a kernel does several levels before it says how many, as blocks do that go
    on by themselves, these share the time evenly; so they do where it never says, each round then being some levels.
    """
    if all(each.levels is None for each in rounds):
        ends = [(number + 1) * levels / len(rounds) for number in range(len(rounds))]
    else:
        ends = [each.levels for each in rounds]
    done, sums, total = [0], [np.zeros(3)], np.zeros(3)
    for end, each in zip(ends, rounds, strict=True):
        total = total + each[1:]
        if end is not None and done[-1] < end < levels:
            done.append(end)
            sums.append(total)
    done.append(levels)
    sums.append(total)
    return np.diff([np.interp(range(levels + 1), done, column) for column in np.transpose(sums)])
