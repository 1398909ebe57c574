"""Which runs a study stands for: every algorithm × graph × launch of its blocks.

Planning reads YAML and the headers of the algorithms, never a graph: thousands of runs are planned in a second.
"""

import fnmatch
import functools
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from warpath import devices, peers
from warpath.algorithms import description, discovery
from warpath.foundation import places, schemas, settings
from warpath.foundation.errors import UserError, did_you_mean
from warpath.foundation.places import RECORDS
from warpath.graphs import catalogue

STUDIES = places.CONFIG / "studies"
AFTERNOON = 4  # hours
TIMING = ("warmup", "repetitions", "budget", "time_limit")  # the settings that a run takes on its command line


@dataclass(frozen=True)
class Run:
    """One job, one record: `algorithm` is the name within its problem, `launch` the label within its launch space."""

    graph: str
    problem: str
    algorithm: str
    launch: str
    device: str
    sources: int | tuple
    downloads: str = ""  # the folder of its graph's files, which graphs of one base share

    @property
    def id(self):
        return f"{self.problem}/{self.algorithm}"

    @property
    def record(self):
        return f"{RECORDS}/{self.graph}/{self.problem}/{self.algorithm}/{self.launch}.json"

    @property
    def failure(self):
        """Where a run that failed unexpectedly leaves its record: a rerun finds no record and tries again."""
        return self.record.removesuffix(".json") + ".failed.json"

    @cached_property
    def kernel_files(self):
        """The algorithm's own sources: a run is repeated when these change, and only then."""
        return _kernel_files(self.id)

    @property
    def library(self):
        """The module that does the work, None for our own kernels and baselines."""
        return _described(self.id).library

    @property
    def uses_gpu(self):
        return self.device in description.ON_GPU


@dataclass(frozen=True)
class Study:
    name: str
    title: str
    description: str
    paper: str | None
    runs: tuple
    figures: tuple
    claims: tuple
    device: str
    skipped: tuple = ()  # (algorithm, why) of those that it names and that cannot run here: libraries that are absent

    @cached_property
    def _by_key(self):
        return {(run.graph, run.problem, run.algorithm, run.launch): run for run in self.runs}

    def run(self, graph, problem, algorithm, launch):
        """The planned run with these names."""
        try:
            return self._by_key[graph, problem, algorithm, launch]
        except KeyError:
            raise UserError(f"study {self.name} plans no run {graph}/{problem}/{algorithm}/{launch}") from None

    @property
    def skipped_lines(self):
        """What a person should know of the algorithms that are left out, a line each."""
        return [f"warpath: skipped {id}: {why}" for id, why in self.skipped]

    def emulation_lines(self, time_limit):
        """What it may take without a GPU, for those who ask for more than an afternoon."""
        emulated = sum(run.device == "host" for run in self.runs)
        hours = emulated * time_limit / 3600
        if hours < AFTERNOON:
            return []
        return [
            f"warpath: there is no GPU: {emulated} runs will be emulated on the CPU, each for {time_limit:g} s at "
            f"most, {hours:.0f} h in all; the study quickstart takes minutes"
        ]

    def sources_flag(self, graph, problem):
        """The sources of a graph's oracle, as the command line takes them: `4`, or `0,` for the vertex labelled 0."""
        return _sources_flag(self._sources[graph, problem])

    @cached_property
    def _sources(self):
        return {(run.graph, run.problem): run.sources for run in self.runs}

    @cached_property
    def needs(self):
        """Every graph with what is asked of it and by which library: what decides how much memory a run takes."""
        return {(run.graph, run.problem, run.library) for run in self.runs}

    @property
    def graphs(self):
        return sorted({run.graph for run in self.runs})


def study(name, entries, device, default_sources, scale="study", mirrors=(), kernels=discovery.KERNELS):
    """The study called `name` (or the YAML file at that path) on `device`, over the graphs in `entries`."""
    known = discovery.find(kernels)
    files = _with_included(study_file(name))
    skipped = _skipped(files, known, device)
    runs = {}
    for file, described in files:
        chosen = described["scale"] if scale == "study" else scale
        graph_of = functools.partial(_graph, chosen, entries, mirrors, file)
        for block in described["runs"]:
            planned = [
                run
                for run in _runs_of_block(block, graph_of, known, device, default_sources, file, entries)
                if run.id not in skipped
            ]
            _check_sources([*runs.values(), *planned], file)
            for run in planned:
                runs.setdefault(run.record, run)
    if skipped and not runs:
        reasons = "; ".join(f"{id}: {why}" for id, why in skipped.items())
        raise UserError(f"{files[0][0]}: nothing that it names can run here ({reasons})")
    if not runs:
        raise UserError(f"{files[0][0]}: plans no run; name graphs and algorithms under runs, or studies under include")
    main = files[0][1]
    return Study(
        name=files[0][0].stem,
        title=main["title"],
        description=main["description"],
        paper=main["paper"],
        runs=tuple(runs.values()),
        figures=_union(described["figures"] for _, described in files),
        claims=_union(described["claims"] for _, described in files),
        device=device,
        skipped=tuple(skipped.items()),
    )


def load(config, entries=None):
    """The study that the settings name, with everything resolved."""
    entries = catalogue.load(*settings.catalogues(config)) if entries is None else entries
    device = devices.resolve(config["device"])
    return study(config["study"], entries, device, config["timing"]["sources"], config["scale"], config["mirrors"])


@functools.cache
def _described(id):
    return discovery.find()[id]


@functools.cache
def _kernel_files(id):
    return [os.path.relpath(path) for path in discovery.sources(_described(id))]


def _sources_flag(sources):
    return f"{sources}" if isinstance(sources, int) else ",".join(map(str, sources)) + ","


def study_file(name):
    if name.endswith((".yaml", ".yml")):
        return Path(name)
    file = STUDIES / f"{name}.yaml"
    if not file.exists():
        names = sorted(path.stem for path in STUDIES.glob("*.yaml"))
        raise UserError(
            f"there is no study '{name}' in config/studies.{did_you_mean(name, names)} Studies: {', '.join(names)}"
        )
    return file


def _with_included(file, above=()):
    if file in above:
        raise UserError(f"{file}: includes itself")
    described = schemas.read(file, "study")
    files = [(file, described)]
    for name in described["include"]:
        files += _with_included(study_file(name), (*above, file))
    return files


def _skipped(files, known, device):
    """Why algorithms that the study names cannot run here, by id: the rest of it is planned without them."""
    blocks = [(block["algorithms"], file) for file, described in files for block in described["runs"]]
    named = [described for patterns, file in blocks for described in _algorithms(patterns, known, file)]
    reasons = {described.id: peers.why_skipped(described, device) for described in named}
    return {id: why for id, why in reasons.items() if why}


def _runs_of_block(block, graph_of, known, device, default_sources, file, entries):
    _check_axes(block["launches"], known, file)
    sources = block.get("sources", default_sources)
    sources = tuple(sources) if isinstance(sources, list) else sources
    for graph in block["graphs"]:
        entry = graph_of(graph)
        downloads = entries[entry].folder
        for described in _algorithms(block["algorithms"], known, file):
            runs_on = device if described.device == "kernel" else described.device
            for launch in _launches(described, block["launches"], file):
                yield Run(entry, described.problem, described.name, launch.label, runs_on, sources, downloads)


def _graph(scale, entries, mirrors, file, name):
    """The graph, or its stand-in where the scale asks for one."""
    if name not in entries:
        raise UserError(f"{file}: no catalogue has a graph '{name}'.{did_you_mean(name, entries)}")
    stand_in = f"{name}.stand-in"
    wanted = scale == "stand-in" or (scale == "offline" and not entries[name].at_hand(mirrors))
    return stand_in if wanted and stand_in in entries else name


def _algorithms(patterns, known, file):
    for pattern in patterns:
        matching = fnmatch.filter(known, pattern)
        if not matching:
            raise UserError(f"{file}: there is no algorithm '{pattern}' under kernels/.{did_you_mean(pattern, known)}")
        yield from (known[name] for name in matching)


def _check_axes(wanted, known, file):
    axes = sorted({axis for described in known.values() for launch in described.launches for axis in launch.parameters})
    for axis in wanted:
        if axis not in axes:
            raise UserError(f"{file}: no launch of any algorithm has a '{axis}'.{did_you_mean(axis, axes)}")


def _launches(described, wanted, file):
    wanted = {axis: value if isinstance(value, list) else [value] for axis, value in wanted.items()}
    kept = [
        launch
        for launch in described.launches
        if all(launch.parameters[axis] in values for axis, values in wanted.items() if axis in launch.parameters)
    ]
    if not kept:
        labels = ", ".join(launch.label for launch in described.launches)
        raise UserError(f"{file}: launches {wanted} leave nothing of {described.id}, which has {labels}")
    return kept


def _check_sources(runs, file):
    """All runs of a problem on a graph start from the same sources: they share an oracle, and are comparable."""
    seen = {}
    for run in runs:
        earlier = seen.setdefault((run.graph, run.problem), run)
        if earlier.sources != run.sources:
            raise UserError(
                f"{file}: {run.problem} on {run.graph} is asked for with sources {_sources_flag(earlier.sources)} "
                f"({earlier.id}) and {_sources_flag(run.sources)} ({run.id}); give both the same"
            )


def _union(lists):
    return tuple(dict.fromkeys(item for items in lists for item in items))
