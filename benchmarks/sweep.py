"""Run every algorithm with every launch on the given graphs, in one process: faster than a study, but less careful.

    .venv/bin/python benchmarks/sweep.py --device cuda --output sweep.csv rome99 email-Eu-core

A study gives each run a job and a record, and proves that it left what others use as it was: some 0.05 s per run on a
GPU. Here all runs on a graph share a process, until one fails or exceeds the time limit; a new process then continues
with the next run. Every answer is checked. Graphs must be prepared (`warpath prepare NAME`).
"""

import argparse
import csv
import multiprocessing
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath import devices
from warpath.algorithms import discovery
from warpath.base import places
from warpath.base.problems import PROBLEMS
from warpath.devices import errors
from warpath.graphs import csr
from warpath.runs import check, oracle
from warpath.runs.operand import Operand

COLUMNS = ["graph", "vertices", "arcs", "algorithm", "launch", "status", "median_ms", "samples", "wrong_share", "error"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--device", choices=["cuda", "host"], default="host")
    parser.add_argument("--algorithms", nargs="*", default=[""], help="prefixes of ids, such as sssp/ (default: all)")
    parser.add_argument("--sources", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="time after which a run is not repeated")
    parser.add_argument("--all-pairs", type=int, default=4096, help="most vertices for all-pairs problems")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds to prepare and measure a run")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    with open(options.output, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for name in options.graphs:
            for row in sweep(name, options):
                table.writerow(row)
                file.flush()


def sweep(name, options):
    """Yield the rows of a graph."""
    graph = csr.read(places.graph(name))
    begin, runs, done = time.perf_counter(), selected(graph, options), 0
    processes = multiprocessing.get_context("spawn")
    while done < len(runs):
        ours, theirs = processes.Pipe()
        process = processes.Process(target=measure_runs, args=(name, runs[done:], options, theirs), daemon=True)
        process.start()
        theirs.close()
        while done < len(runs):
            id, label = runs[done]
            result = next_outcome(ours, options.time_limit)
            done += 1
            size = {"vertices": graph.vertices, "arcs": graph.arcs}
            yield {"graph": name, **size, "algorithm": id, "launch": label, **result}
            if result["status"] in ("timeout", "failed"):  # the device may be unusable in this process
                break
        process.kill()
        process.join()
    print(f"{name}: {len(runs)} runs in {time.perf_counter() - begin:.1f} s", flush=True)


def selected(graph, options):
    """The runs to measure, each (id of the algorithm, label of the launch)."""
    return [
        (id, launch.label)
        for id, described in discovery.find().items()
        if id.startswith(tuple(options.algorithms)) and described.device == "kernel"
        if not PROBLEMS[described.problem].all_pairs or graph.vertices <= options.all_pairs
        for launch in described.launches
    ]


def next_outcome(pipe, limit):
    """Receive the outcome of the next run. Its time starts when the other process is ready to begin it."""
    try:
        pipe.recv()
        if pipe.poll(limit):
            return pipe.recv()
    except EOFError:
        return {"status": "failed", "error": "the process of the run ended"}
    return {"status": "timeout", "error": f"not finished after {limit:g} s"}


def measure_runs(name, runs, options, pipe):
    """Measure these runs and send the outcome of each through the pipe."""
    graph, device = csr.read(places.graph(name)), devices.open(options.device)
    operand, algorithms, answers = Operand(graph, device), discovery.find(), {}
    for id, label in runs:
        problem = algorithms[id].problem
        if problem not in answers:
            computed = oracle.compute(graph, problem, options.sources, 1)
            answers[problem] = oracle.Oracle(*computed[:2], graph.metadata["digest"], computed[2], right={})
        pipe.send("ready")
        launch = algorithms[id].launch(label)
        pipe.send(outcome(algorithms[id], launch, device, graph, operand, answers[problem], options))


def outcome(described, launch, device, graph, operand, answers, options):
    """Measure one run; return its status and the median of its samples."""
    times, wrong, checked = [], 0, 0
    try:
        oracle.require_exact(graph, answers, described.problem)
        checker = check.Checker(device, operand, graph, answers, described.problem)
        solve = described.prepare(device, operand, launch)
        for number, solution, solve_ms in samples(solve, device, described.problem, answers, options):
            times.append(solve_ms)
            wrong += checker.wrong_vertices(number, solution)
            checked += answers.distance.size if PROBLEMS[described.problem].all_pairs else graph.vertices
    except errors.UnsupportedLaunch as error:
        return {"status": "unsupported", "error": str(error)}
    except (errors.OutOfMemory, MemoryError) as error:
        return {"status": "out_of_memory", "error": str(error)}
    except Exception as error:
        return {"status": "failed", "error": f"{type(error).__name__}: {error}"}
    status = "wrong" if wrong else "ok"
    return {
        "status": status,
        "median_ms": f"{statistics.median(times):.4f}",
        "samples": len(times),
        "wrong_share": f"{wrong / checked:.2e}" if wrong else 0,
    }


def samples(solve, device, problem, answers, options):
    """Yield (number of the source, solution, milliseconds) of each solve.

    The first solve from each source is a warm-up, and not a sample unless it used up `options.seconds`.
    """
    timer, begin = device.timer(), time.perf_counter()
    for repetition in range(options.repetitions + 1):
        for number, source in enumerate([None] if PROBLEMS[problem].all_pairs else answers.sources):
            timer.start()
            solution = solve(source)
            timer.stop()
            solve_ms = timer.milliseconds()
            late = time.perf_counter() - begin > options.seconds
            if repetition or late:
                yield number, solution, solve_ms
            if late:
                return


if __name__ == "__main__":
    main()
