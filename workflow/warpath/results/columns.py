"""The columns of results/timings.parquet and results/summary.csv: the same in every study, in this order.

Each is described once: columns that repeat a field of the record by the record's schema, axes of launches by
warpath.algorithms.launches, all others here. `warpath glossary` writes the descriptions into docs/data.md.
"""

from typing import NamedTuple

from warpath.algorithms.launches import AXES
from warpath.base import schemas
from warpath.results import statistics

TYPES = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}  # of JSON, and of pandas
AXIS = {int: "Int64", str: "str"}


class Column(NamedTuple):
    name: str
    type: str
    unit: str
    meaning: str
    measured: str  # how it is measured or derived
    path: tuple = ()  # of the field of the record that it repeats


def resolved(schema):
    """A part of the record's schema together with the definition that it refers to."""
    while "$ref" in schema:
        definition = schemas.load("record")["$defs"][schema["$ref"].rpartition("/")[2]]
        schema = definition | {keyword: rule for keyword, rule in schema.items() if keyword != "$ref"}
    return schema


def field(*path):
    """The schema of a field of the record, or of its samples."""
    schema = schemas.load("record")
    for name in path:
        schema = resolved(schema["properties"][name])
        schema = resolved(schema["items"]) if name == "samples" else schema
    return schema


def _copied(name, *path, type=None, meaning=None):
    """A column that repeats the field of the record at `path`, which is its name if not given."""
    path = path or (name,)
    schema = field(*path)
    kinds = schema.get("type", "string")  # an enumeration states none; null comes last
    type = type or TYPES[kinds if isinstance(kinds, str) else kinds[0]]
    measured = schema.get("measured", f"`{'.'.join(path)}` of the record.")
    return Column(name, type, schema.get("unit", ""), meaning or schema["description"], measured, path)


def _of_sample(name):
    return _copied(name, "samples", name)._replace(path=())


def _milliseconds(name, meaning, measured="Over all samples of the run."):
    return Column(name, "float64", "ms", meaning, measured)


INTERVAL = (
    f"As `interval` says. {statistics.COVERAGE:.0%}: by {statistics.RESAMPLES:,} bootstrap resamples with a fixed "
    "seed, which draw processes first, then sources, then repetitions. Range over processes: the least and the largest "
    "end of their own intervals. Range of samples: the least and the largest."
)

RUN = (
    Column("study", "str", "", "Name of the study.", "The setting `study`."),
    _copied("problem"),
    Column("algorithm", "str", "", "Problem and name of the algorithm, as in `bfs/level`.", "The record's path."),
    *map(_copied, ("paper", "graph", "stand_in_for", "vertices", "arcs", "directed", "launch")),
    *(Column(axis.name, AXIS[axis.type], "", axis.meaning, "An axis.") for axis in AXES.values()),
    *map(_copied, ("chosen", "device", "placement")),
    Column("device_label", "str", "", "The device as figures and the report name it.", "Derived from `device`."),
    _copied("device_name", "environment", "device_name"),
    _copied("device_uuid", "environment", "uuid"),
    _copied("commit", "environment", "commit"),
    _copied("started"),
    _copied("status", meaning=f"{field('status')['description'].rstrip('.')}; `missing` (no usable record)."),
    _copied("time_limit_s"),
    _copied("error", meaning="The message of a run that did not end `ok`; for `missing`, why there is no record."),
    _copied("flags", type="str", meaning=f"Separated by spaces. {field('flags')['description']}"),
)

PHASES = (
    ("phase_filter_ms", "Time in which `sssp/tpe_*` collects the edges worth relaxing."),
    ("phase_compute_ms", "Time in which `sssp/tpe_*` relaxes them."),
    ("phase_calls_ms", "Time of all kernel calls of `bfs/frontier_struct`, each until its flag was read."),
    ("phase_last_call_ms", "Time of the last kernel call of `bfs/frontier_struct`, which is what its paper prints."),
)

COUNTS = ("calls", "kernel_launches", "iterations", "arcs_visited")
SAMPLE = tuple(map(_of_sample, ("source", "repetition", "solve_ms", "wall_ms", *COUNTS, "wrong_vertices")))

TIMINGS = (
    *RUN,
    _copied("process"),
    *SAMPLE,
    *(_milliseconds(name, meaning, field("samples", "phases")["measured"]) for name, meaning in PHASES),
)

SUMMARY = (
    *RUN,
    _of_sample("wrong_vertices")._replace(meaning="Most wrong vertices in one solve."),
    Column("record", "str", "", "Path of the record; published tables lack it.", "Derived from the run."),
    Column("sources", "Int64", "", "Start vertices with samples.", "Counted; 1 for `apsp`."),
    Column("samples", "Int64", "", "Measured solves.", "Counted."),
    Column("processes", "Int64", "", "Processes that measured the run.", "Counted."),
    _milliseconds("median_ms", "Median of `solve_ms`."),
    _milliseconds("low_ms", "Lower end of the interval of `median_ms`.", INTERVAL),
    _milliseconds("high_ms", "Upper end of the interval of `median_ms`.", INTERVAL),
    Column(
        *("interval", "str", "", "What `low_ms` and `high_ms` are, such as `95 % interval within one process`."),
        f"A range where a run has 2 to {statistics.ENOUGH - 1} processes, or so few samples of one process.",
    ),
    Column(
        *("percent_between_processes", "float64", "%", "Share of the spread of times that is between processes."),
        "Components of the variance of the logarithm of `solve_ms`, source by source; empty with one process.",
    ),
    _milliseconds("q1_ms", "First quartile of `solve_ms`."),
    _milliseconds("q3_ms", "Third quartile of `solve_ms`."),
    _milliseconds("min_ms", "Least `solve_ms`."),
    _milliseconds("max_ms", "Largest `solve_ms`."),
    _milliseconds("wall_median_ms", "Median of `wall_ms`."),
    _copied(
        "cold_ms", "cold", "solve_ms", meaning="Time of a solve after the caches were overwritten; all others are warm."
    ),
    _milliseconds("prepare_ms", *(field("preparing", "ms")[key] for key in ("description", "measured"))),
    _milliseconds(
        "first_ms",
        "A first search: preparing and one solve.",
        "`prepare_ms` and `median_ms`; for all pairs the latter has it.",
    ),
    Column(
        *("unforeseen", "Int64", "", "Sources of unforeseen solves; empty where the times were not judged by such."),
        "Entries of `unforeseen` of the record.",
    ),
    Column(
        *("teps", "float64", "arcs/s", "Arcs traversed per second."),
        "Harmonic mean over the sources, each with the arcs that it visits over its median time.",
    ),
    # A median of counts may lie between two integers.
    *(_of_sample(name)._replace(type="float64", measured="Median over the samples.") for name in COUNTS),
    *(_milliseconds(name, meaning, "Median, as `median_ms`.") for name, meaning in PHASES),
    _copied("memory_bytes", type="Int64"),
    *(_copied(name, "costs", name) for name in ("total_s", "measure_s", "prepare_s")),
    Column(
        *("overhead_s", "float64", "s", "Overhead of the job: its time beyond the measured solves."),
        "`total_s` less `measure_s`, `energy_s` and the wait for the device.",
    ),
    Column(
        *("percent_of_limit", "float64", "%", "Share of the GPU's limit that the run reached."),
        "The time that the least work takes at the rate in results/probe.json, over `median_ms`. The least work is to "
        "read the graph once and write the answer once (`bfs`, `sssp`), or n³ relaxations (Floyd-Warshall). Other "
        "all-pairs algorithms have no limit. With `placement` host it is to read every arc once over the link.",
    ),
    Column(
        *("energy_j", "float64", "J", "Energy of a solve, the idle card's share in it; empty without `timing.energy`."),
        "`energy.joules` over `energy.solves` of the record: the mean over all start vertices.",
    ),
    Column(
        *("power_w", "float64", "W", "Mean power of the card while its energy was measured."),
        "`energy.joules` over `energy.seconds` of the record.",
    ),
)
