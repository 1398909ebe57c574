"""The sub-commands oracle, run, probe and forget."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

from warpath.algorithms import discovery
from warpath.base import outcome, places
from warpath.base.errors import UserError
from warpath.base.problems import PROBLEMS
from warpath.base.text import counted
from warpath.runs import records
from warpath.warm import processes

RECORD = places.record("<graph>", "<problem>", "<algorithm>", "<launch>")
SCHEMA = "default in workflow/schemas/config.schema.yaml"
TIMING = ("warmup", "repetitions", "budget", "time_limit", "energy")  # settings that `run` takes as options


def add_to(step):
    oracle = step("oracle", _oracle, "compute the right answers for a graph and problem")
    oracle.add_argument("graph_folder")
    oracle.add_argument("problem", choices=PROBLEMS)
    about = f"how many to draw, labels separated by commas with a final comma, or gap:64 as GAP draws them ({SCHEMA})"
    oracle.add_argument("--sources", type=sources, help=about)
    oracle.add_argument("--seed", type=int, help=f"seed of that draw ({SCHEMA})")
    oracle.add_argument("--output", required=True)

    run = step("run", _run, "measure and check one algorithm on one graph with one launch", forks=True)
    run.add_argument("record", help=f"the record to write, {RECORD}")
    run.add_argument("--device", choices=["cuda", "host", "cpu", "peer", "peer_gpu"], default="host")
    run.add_argument("--placement", choices=["device", "host"], default="device", help="where arcs are (%(default)s)")
    run.add_argument("--warmup", type=int, help=f"solves before the first sample ({SCHEMA})")
    run.add_argument("--repetitions", type=int, help=f"samples from every source ({SCHEMA})")
    run.add_argument("--budget", type=float, help=f"seconds after which no further repetition begins ({SCHEMA})")
    run.add_argument("--time-limit", type=float, help=f"seconds after which the run is killed ({SCHEMA})")
    run.add_argument("--energy", type=float, metavar="SECONDS", help="measure the energy of a solve for so long (GPU)")
    run.add_argument("--program", default="", help="the folder of a program that is none of kernels/programs")
    run.add_argument("--key", default="", help="the key as far as it is planned (default: computed)")
    run.add_argument("--again", help="what the record says of why the run was due")
    run.add_argument("--kernels", default=str(discovery.KERNELS), help="the folder of algorithms")

    probe = step("probe", _probe, "measure the rates that bound shortest paths on this device")
    probe.add_argument("--device", choices=["cuda", "host"], default="host")
    probe.add_argument("--output", default=places.PROBE)

    forget = step("forget", _forget, "remove the records of a graph, so that its runs are measured again")
    forget.add_argument("graph")
    forget.add_argument("algorithm", nargs="?", help="such as bfs/level (default: all)")


def sources(text):
    """Parse `4` as a number of sources, `0,` or `0,7` as labels; `gap:64` stays text."""
    if re.fullmatch("gap:[0-9]{1,4}", text):
        return text
    return [int(label) for label in text.split(",") if label] if "," in text else int(text)


def _oracle(arguments):
    from warpath.graphs import csr
    from warpath.runs import oracle

    graph = csr.read(arguments.graph_folder)
    rows, distance, longest = oracle.compute(graph, arguments.problem, **_chosen(arguments, ("sources", "seed")))
    oracle.write(arguments.output, graph, arguments.problem, rows, distance, longest)
    outcome.clear(arguments.output)
    made = "sources; runs prove their answers by a certificate" if distance is None else "rows of right answers"
    print(f"{graph.name} {arguments.problem}: {len(rows)} {made}")


def _run(arguments):
    from warpath.runs import job
    from warpath.runs.measure import Spec

    graph, problem, *names, process = _names(arguments.record)
    spec = Spec(
        graph,
        problem,
        *names,
        process=process,
        command="",
        started_s=processes.age(),
        again=arguments.again or outcome.FIRST,
        **{name: getattr(arguments, name) for name in ("device", "kernels", "key", "placement", "program")},
        **_chosen(arguments, TIMING),
    )
    record = job.run(replace(spec, command=_command(spec, arguments.record)), arguments.record)
    job.say(_line(record))
    by_hand = arguments.again is None
    return 1 if by_hand and record["status"] == "failed" else 0


def _chosen(arguments, names):
    """Return these settings of `timing` from parsed arguments; absent ones are the workflow's, by hand the defaults.

    How a run is measured is no part of its command in a workflow: Snakemake would repeat every run when it changes.
    """
    values = {name: getattr(arguments, name) for name in names}
    if None in values.values():
        from warpath.base import settings

        used = (settings.handed() if settings.workflow() else settings.defaults())["timing"]
        values = {name: used[name] if value is None else value for name, value in values.items()}
    return values


def _command(spec, record):
    """The command that repeats a run by hand."""
    usual = {"placement": "device", "program": "", "energy": 0}
    options = {name: getattr(spec, name) for name in ("device", "placement", "program", *TIMING)}
    given = {name.replace("_", "-"): f"{value}" for name, value in options.items() if value != usual.get(name)}
    return shlex.join(["warpath", "run", record, *(word for name in given for word in (f"--{name}", given[name]))])


def _names(record):
    """Return the graph, problem, algorithm, launch and number of the process in the path of a record."""
    parts = Path(record).with_suffix("").parts[-4:]
    if len(parts) < 4 or parts[1] not in PROBLEMS or not record.endswith(".json"):
        raise UserError(f"{record}: not the path of a record, {RECORD}")
    launch, process = re.fullmatch(r"(.+?)(?:\.p([0-9]+))?", parts[-1]).groups()
    return *parts[:-1], launch, int(process or 1)


def _line(record):
    """Return the line about a run in its log."""
    part = places.part(record["launch"], record["process"])
    name = f"{record['problem']}/{record['algorithm']} {record['graph']} {part} on {record['device']}"
    times = sorted(sample["solve_ms"] for sample in record["samples"])
    median = f", median {times[len(times) // 2]:.3f} ms of {len(times)}" if times else ""
    return f"{name}: {record['status']}{median}" + (f" ({record['error']})" if record["error"] else "")


def _probe(arguments):
    from warpath.base.files import write_json
    from warpath.runs import lease, probe

    number, _locks = lease.device(arguments.device)  # held until this process ends
    rates = probe.measure(arguments.device, number)
    write_json(arguments.output, rates)
    outcome.clear(arguments.output)
    copied, relaxed = rates["copy_bytes_per_s"] / 1e9, rates["relaxations_per_s"] / 1e12
    linked = rates["link_bytes_per_s"] / 1e9
    print(f"{arguments.device}: copies {copied:.0f} GB/s, {linked:.1f} GB/s from the host, relaxes {relaxed:.3f} T/s")


def _forget(arguments):
    removed = records.forget(arguments.graph, arguments.algorithm)
    what = " ".join(filter(None, [arguments.algorithm, "on", arguments.graph]))
    if not removed:
        raise UserError(f"{what}: no record in {places.RECORDS}")
    print(f"{what}: {counted(removed, 'record')} removed; the workflow measures what its study needs")
