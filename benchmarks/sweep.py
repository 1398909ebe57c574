"""Every algorithm with every launch on the given graphs, in one process: a quick look where a study would be a proof.

    .venv/bin/python benchmarks/sweep.py --device cuda --output sweep.csv rome99 email-Eu-core

A study gives each run a process, a record and a fresh context, which costs over half a second a run on a GPU. Here the
runs of a graph share one, until a run takes longer than the limit: it is recorded as timed out and its process killed.
Every answer is checked all the same. Graphs must be prepared (`warpath prepare NAME`).
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
from warpath.devices import errors
from warpath.graphs import csr
from warpath.runs import check, exact, oracle
from warpath.runs.operand import Operand

COLUMNS = ["graph", "vertices", "arcs", "algorithm", "launch", "status", "median_ms", "samples", "wrong_share", "error"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--device", choices=["cuda", "host"], default="host")
    parser.add_argument("--algorithms", nargs="*", default=[""], help="beginnings of ids")
    parser.add_argument("--sources", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="no further repetition of a run after so long")
    parser.add_argument("--all-pairs", type=int, default=4096, help="most vertices for all-pairs problems")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for preparing and doing a run")
    parser.add_argument("--output", required=True)
    asked = parser.parse_args()
    with open(asked.output, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for name in asked.graphs:
            for row in sweep(name, asked):
                table.writerow(row)
                file.flush()


def sweep(name, asked):
    """The rows of a graph. A process does one run after the other; if one has to be killed, the next goes on."""
    graph = csr.read(f"resources/graphs/{name}")
    begin, runs, done = time.perf_counter(), selected(graph, asked), 0
    processes = multiprocessing.get_context("spawn")
    while done < len(runs):
        ours, theirs = processes.Pipe()
        process = processes.Process(target=do, args=(name, runs[done:], asked, theirs), daemon=True)
        process.start()
        theirs.close()
        while done < len(runs):
            id, label = runs[done]
            found = next_outcome(ours, asked.time_limit)
            done += 1
            yield {
                "graph": name,
                "vertices": graph.vertices,
                "arcs": graph.arcs,
                "algorithm": id,
                "launch": label,
                **found,
            }
            if found["status"] in ("timeout", "failed"):  # a fault spoils the device for this process
                break
        process.kill()
        process.join()
    print(f"{name}: {len(runs)} runs in {time.perf_counter() - begin:.1f} s", flush=True)


def selected(graph, asked):
    return [
        (id, launch.label)
        for id, described in discovery.find().items()
        if id.startswith(tuple(asked.algorithms)) and described.device == "kernel"
        if described.problem != "apsp" or graph.vertices <= asked.all_pairs
        for launch in described.launches
    ]


def next_outcome(pipe, limit):
    """What the other process says of its next run, whose time is counted from the moment that it is ready to begin."""
    try:
        pipe.recv()
        if pipe.poll(limit):
            return pipe.recv()
    except EOFError:
        return {"status": "failed", "error": "its process ended"}
    return {"status": "timeout", "error": f"not finished after {limit:g} s"}


def do(name, runs, asked, pipe):
    graph, device = csr.read(f"resources/graphs/{name}"), devices.open(asked.device)
    operand, known, answers = Operand(graph, device), discovery.find(), {}
    for id, label in runs:
        problem = known[id].problem
        if problem not in answers:
            computed = oracle.compute(graph, problem, asked.sources, 1)
            answers[problem] = oracle.Oracle(*computed[:2], oracle.digest(graph), computed[2])
        pipe.send("ready")
        pipe.send(outcome(known[id], known[id].launch(label), device, graph, operand, answers[problem], asked))


def outcome(described, launch, device, graph, operand, answers, asked):
    """What became of one run: its status, and the median over its samples."""
    times, wrong, checked = [], 0, 0
    try:
        exact.require(graph, answers, described.problem)
        solve = described.prepare(device, operand, launch)
        for number, solution, solve_ms in samples(solve, device, described.problem, answers, asked):
            times.append(solve_ms)
            wrong += check.wrong_vertices(solution, device, graph, answers, described.problem, number)
            checked += answers.distance.size if described.problem == "apsp" else graph.vertices
    except (errors.UnsupportedLaunch, exact.NotExact) as error:
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


def samples(solve, device, problem, answers, asked):
    """(number of the source, solution, milliseconds) of each solve but the first from each source, which warms up.

    Where that took longer than `asked.seconds` there is no other, and the first is all there is.
    """
    timer, begin = device.timer(), time.perf_counter()
    for repetition in range(asked.repetitions + 1):
        for number, source in enumerate([None] if problem == "apsp" else answers.sources):
            timer.start()
            solution = solve(source)
            timer.stop()
            solve_ms = timer.milliseconds()
            late = time.perf_counter() - begin > asked.seconds
            if repetition or late:
                yield number, solution, solve_ms
            if late:
                return


if __name__ == "__main__":
    main()
