"""The sub-commands oracle, run and plan."""

import os
import shlex
import sys
import time
from pathlib import Path

from warpath.algorithms import discovery, problems
from warpath.foundation.errors import UserError


def add_to(subparsers):
    oracle = subparsers.add_parser("oracle", help="compute the right answers for a graph and problem")
    oracle.add_argument("graph_folder")
    oracle.add_argument("problem", choices=problems.PROBLEMS)
    oracle.add_argument(
        "--sources", default="4", help="how many to draw, or labels separated by commas with a final one"
    )
    oracle.add_argument("--seed", type=int, default=1)
    oracle.add_argument("--threads", type=int, default=1, help="processes that search at once (%(default)s)")
    oracle.add_argument("--output", required=True)
    oracle.set_defaults(command=_oracle)

    run = subparsers.add_parser("run", help="measure and check one algorithm on one graph with one launch")
    run.add_argument("record", help="the record to write, results/runs/<graph>/<problem>/<algorithm>/<launch>.json")
    run.add_argument("--device", choices=["cuda", "host", "cpu", "peer", "peer_gpu"], default="host")
    run.add_argument("--graph-folder", help="default resources/graphs/<graph>")
    run.add_argument("--oracle", help="default resources/oracles/<graph>/<problem>.parquet")
    run.add_argument("--warmup", type=int, default=1)
    run.add_argument("--repetitions", type=int, default=5)
    run.add_argument("--budget", type=float, default=20)
    run.add_argument("--time-limit", type=float, default=240)
    run.add_argument("--kernels", default=str(discovery.KERNELS), help="the folder of algorithms")
    run.set_defaults(command=_run, forks=True)

    probe = subparsers.add_parser("probe", help="measure the rates that bound shortest paths on this device")
    probe.add_argument("--device", choices=["cuda", "host"], default="host")
    probe.add_argument("--output", default="results/probe.json")
    probe.set_defaults(command=_probe)

    planned = subparsers.add_parser("plan", help="list the runs of the study that the settings name")
    planned.set_defaults(command=_plan)


def _oracle(arguments):
    from warpath.graphs import csr
    from warpath.runs import oracle

    graph = csr.read(arguments.graph_folder)
    sources = _sources(arguments.sources)
    rows, distance, longest = oracle.compute(graph, arguments.problem, sources, arguments.seed, arguments.threads)
    oracle.write(arguments.output, graph, arguments.problem, rows, distance, longest)
    print(f"{graph.name} {arguments.problem}: {len(rows)} rows of right answers")


def _sources(text):
    """`4` is a number of sources, `0,` or `0,7` are labels."""
    return [int(label) for label in text.split(",") if label] if "," in text else int(text)


def _run(arguments):
    from warpath.runs import job
    from warpath.runs.measure import Spec

    graph, problem, algorithm, launch = _names(arguments.record)
    spec = Spec(
        graph=graph,
        problem=problem,
        algorithm=algorithm,
        launch=launch,
        device=arguments.device,
        graph_folder=arguments.graph_folder or f"resources/graphs/{graph}",
        oracle=arguments.oracle or f"resources/oracles/{graph}/{problem}.parquet",
        warmup=arguments.warmup,
        repetitions=arguments.repetitions,
        budget=arguments.budget,
        time_limit=arguments.time_limit,
        kernels=arguments.kernels,
        command=shlex.join(["python", "-m", "warpath", *sys.argv[1:]]),
        started_s=_seconds_since_start(),
    )
    record = job.run(spec, arguments.record)
    try:
        print(_line(record), flush=True)
    except OSError:  # a full disk: the record is whole, and Snakemake would remove what a job that fails has made
        sys.stdout = None  # Python tries once more as it ends, and fails by that
    return 1 if record["status"] == "failed" else 0


def _names(record):
    """What the path of a record says: its graph, problem, algorithm and launch."""
    parts = Path(record).with_suffix("").parts[-4:]
    if len(parts) < 4 or parts[1] not in problems.PROBLEMS or not record.endswith(".json"):
        raise UserError(f"{record}: a record is called results/runs/<graph>/<problem>/<algorithm>/<launch>.json")
    return parts


def _line(record):
    """What a person wants to see of a run in the log."""
    name = f"{record['problem']}/{record['algorithm']} {record['graph']} {record['launch']} on {record['device']}"
    times = sorted(sample["solve_ms"] for sample in record["samples"])
    median = f", median {times[len(times) // 2]:.3f} ms of {len(times)}" if times else ""
    return f"{name}: {record['status']}{median}" + (f" ({record['error']})" if record["error"] else "")


def _seconds_since_start():
    """How long this process has lived: the interpreter's own start counts towards what a job costs."""
    ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))


def _probe(arguments):
    from warpath.devices import driver
    from warpath.foundation.files import write_json
    from warpath.runs import lease, probe

    if arguments.device == "cuda":
        number, _locks = lease.gpu(driver.uuids())  # held until this process ends
    else:
        number, _locks = 0, lease.machine()
    rates = probe.measure(arguments.device, number)
    write_json(arguments.output, rates)
    copied, relaxed = rates["copy_bytes_per_s"] / 1e9, rates["relaxations_per_s"] / 1e12
    print(f"{arguments.device}: copies {copied:.0f} GB/s, relaxes {relaxed:.3f} T/s")


def _plan(_arguments):
    from warpath.foundation import settings
    from warpath.runs import plan

    study = plan.load(settings.read())
    for run in study.runs:
        print(run.record)
    for line in study.skipped_lines:
        print(line, file=sys.stderr)
    print(f"{study.name}: {len(study.runs)} runs on {study.device}", file=sys.stderr)
