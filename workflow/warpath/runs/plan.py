"""The runs of a study: every algorithm × graph × launch. No graph is read: thousands take a second."""

import fnmatch
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from warpath import devices
from warpath.algorithms import discovery, peers
from warpath.algorithms.launches import AXES
from warpath.algorithms.programs import build
from warpath.base import places, schemas, settings
from warpath.base.errors import UserError, did_you_mean
from warpath.graphs import catalogue

STUDIES = places.CONFIG / "studies"
OF_PAPER = "study.yaml"  # in the folder of a paper
LONG_EMULATION = 4  # hours


@dataclass(frozen=True)
class Run:
    """One job and one record; of several processes that measure the same, each is a Run with its number."""

    graph: str
    problem: str
    algorithm: str  # its name within the problem
    launch: str  # its label
    device: str
    sources: int | tuple | str
    placement: str = "device"  # of arcs
    downloads: tuple = ()  # the files that the graph is prepared from, as (folder, file); graphs of one base share them
    process: int = 1
    program: str = ""  # its folder, if it is one that the study names by its path

    @property
    def id(self):
        return f"{self.problem}/{self.algorithm}"

    @property
    def part(self):
        return places.part(self.launch, self.process)

    @property
    def record(self):
        return places.record(self.graph, self.problem, self.algorithm, self.part)

    @property
    def described(self):
        return discovery.named(self.id, program=self.program)

    @property
    def library(self):
        """The module of the library that a peer calls, or "program"; None for kernels and baselines."""
        return "program" if self.described.program else self.described.library

    @property
    def uses_gpu(self):
        return self.device in devices.ON_GPU


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
    skipped: tuple = ()  # (algorithm, reason) of those that cannot run here, because a library is absent

    @cached_property
    def _by_key(self):
        return {(run.graph, run.problem, run.algorithm, run.part): run for run in self.runs}

    @cached_property
    def programs(self):
        """The programs that runs call, by the ids of their algorithms."""
        peers = {run.id: run.described.program for run in self.runs if run.device in devices.PEERS}
        return {id: program for id, program in peers.items() if program}

    def run(self, graph, problem, algorithm, part):
        try:
            return self._by_key[graph, problem, algorithm, part]
        except KeyError:
            raise UserError(f"study {self.name} plans no run {graph}/{problem}/{algorithm}/{part}") from None

    def warnings(self, time_limit):
        """Say which algorithms are skipped, and whether emulating this study without a GPU may take hours."""
        reasons = {}
        for id, reason in self.skipped:
            reasons.setdefault(reason, []).append(id)
        lines = [f"warpath: skipped {', '.join(ids)}: {reason}" for reason, ids in reasons.items()]
        emulated = sum(run.device == "host" for run in self.runs)
        if (hours := emulated * time_limit / 3600) >= LONG_EMULATION:
            lines.append(
                f"warpath: no GPU: {emulated} runs will be emulated on the CPU, each for at most {time_limit:g} s, "
                f"{hours:.0f} h in all; the study quickstart takes a minute"
            )
        return lines

    def sources_flag(self, graph, problem):
        """Return the sources of a graph's oracle as an option: `4`, `0,` for the vertex labelled 0, or `gap:64`."""
        return _sources_flag(next(run.sources for run in self.runs if (run.graph, run.problem) == (graph, problem)))

    @property
    def graphs(self):
        return sorted({run.graph for run in self.runs})


def study(
    name, entries, device, default_sources, scale="study", offline=catalogue.Entry.offline, kernels=discovery.KERNELS
):
    """Plan the study of that name or YAML file; `offline(entry)` tells whether a graph needs no network."""
    known = discovery.find(kernels)
    files = _with_included(study_file(name))
    main, texts = files[0]
    runs, first, skipped = {}, {}, {}
    for file, described in files:
        for block in described["runs"]:
            graph_scale = described["scale"] if scale == "study" else scale
            graphs = [_graph(graph, entries, graph_scale, offline, file) for graph in block["graphs"]]
            algorithms = list(_algorithms(block["algorithms"], known, file))
            reasons = {each.id: peers.why_skipped(each, device) for each in algorithms}
            skipped |= {id: why for id, why in reasons.items() if why}
            _check_axes(block["launches"], known, file)
            for planned in _runs_of_block(block, graphs, algorithms, device, default_sources, file):
                processes = max(described["processes"], block["processes"])
                for process in range(1, processes + 1) if planned.id not in skipped else ():
                    run = replace(planned, process=process)
                    _check_with(first.setdefault((run.graph, run.problem), run), run, file)
                    _check_with(runs.setdefault(run.record, run), run, file)
    if not runs and skipped:
        reasons = "; ".join(f"{id}: {reason}" for id, reason in skipped.items())
        raise UserError(f"{main}: none of its algorithms can run here ({reasons})")
    if not runs:
        raise UserError(f"{main}: plans no run; name graphs and algorithms under runs, or studies under include")
    return Study(
        name=name_of(main),
        **{key: texts[key] for key in ("title", "description", "paper")},
        runs=tuple(sorted(runs.values(), key=lambda run: run.process)),
        figures=_union(described["figures"] for _, described in files),
        claims=_union(_claims(*described) for described in files),
        device=device,
        skipped=tuple(skipped.items()),
    )


def load(config, entries=None, downloads=places.DOWNLOADS):
    """Return the study that the settings name, for the device that they resolve to here."""
    entries = catalogue.load(*settings.catalogues(config)) if entries is None else entries
    device = devices.resolve(config["device"])
    mirrors = settings.mirrors(config["mirrors"])
    sources, scale = config["timing"]["sources"], config["scale"]
    planned = study(config["study"], entries, device, sources, scale, lambda entry: entry.offline(mirrors, downloads))
    if config["programs"] != "fetch":
        planned = _without_absent(planned)
    return replace(planned, figures=_union([planned.figures, ["energy"]])) if config["timing"]["energy"] else planned


def _without_absent(study):
    """Leave out programs of others that are not built: nobody has asked for that."""
    absent = {id: why for id, program in study.programs.items() if (why := build.why_absent(program))}
    if absent.keys() >= {run.id for run in study.runs}:
        raise UserError(f"study {study.name}: {'; '.join(sorted(set(absent.values())))}")
    runs = tuple(run for run in study.runs if run.id not in absent)
    return replace(study, runs=runs, skipped=(*study.skipped, *absent.items()))


def _sources_flag(sources):
    return ",".join(map(str, sources)) + "," if isinstance(sources, tuple) else f"{sources}"


def study_file(name):
    """Return the YAML file of a study in config/studies or of a paper; a path of a file or folder is the user's own."""
    if name.endswith((".yaml", ".yml")):
        return Path(places.configured(name))
    file, of_paper = Path(places.configured(f"config/studies/{name}.yaml")), places.of_paper(name, OF_PAPER)
    if not file.exists() and not of_paper.exists():
        told = did_you_mean(name, names())
        raise UserError(f"no study '{name}' in config/studies or config/papers.{told} Studies: {', '.join(names())}")
    return file if file.exists() else of_paper


def names():
    """The studies of the repository, and the user's papers."""
    return sorted([*(path.stem for path in STUDIES.glob("*.yaml")), *places.papers(OF_PAPER)])


def name_of(file):
    """The name of a study: that of its file, or of a paper's folder."""
    return Path(file).absolute().parent.name if Path(file).name == OF_PAPER else Path(file).stem


def _claims(file, described):
    """The papers whose claims are judged; a folder of the user's is named by its path."""
    paper = name_of(file) if file.name == OF_PAPER and file.with_name("claims.yaml").exists() else None
    is_own = paper and paper not in places.papers(OF_PAPER)
    return [f"{file.parent}/" if is_own and name == paper else name for name in described["claims"]]


def _with_included(file, above=(), processes=1):
    """Return (file, content) of a study and of all that it includes, whose runs have as many processes or more."""
    if file in above:
        raise UserError(f"{file}: includes itself")
    described = schemas.read(file, "study")
    described |= {"processes": max(processes, described["processes"])}
    files = [(file, described)]
    for name in described["include"]:
        files += _with_included(study_file(name), (*above, file), described["processes"])
    return files


def _graph(name, entries, scale, offline, file):
    """Return the entry of the graph, or of what `scale` puts in its place; add a collection's to `entries`."""
    entry = catalogue.find(name, entries, f"{file}: ")
    replaced = scale == "stand-in" or (scale == "offline" and not offline(entry))
    if replaced and entry.replaced_by:
        return _graph(entry.replaced_by, entries, scale, offline, file)
    return entries.get(name + catalogue.STAND_IN, entry) if replaced else entry


def _algorithms(patterns, known, file):
    for pattern in patterns:
        if (own := Path(places.own(pattern), "program.yaml")).is_file():
            for described in discovery.of_program(own):
                if known.setdefault(described.id, described) != described:
                    raise UserError(f"{own}: there is another {described.id}; give the folder another name")
                yield described
            continue
        matches = fnmatch.filter(known, pattern)
        if not matches:
            raise UserError(f"{file}: no algorithm '{pattern}' under kernels/.{did_you_mean(pattern, known)}")
        yield from (known[name] for name in matches)


def _check_axes(launches, known, file):
    """Refuse axes that no algorithm has, and values of another type than their axis."""
    axes = {axis for described in known.values() for launch in described.launches for axis in launch.parameters}
    for name, values in launches.items():
        if name not in axes:
            raise UserError(f"{file}: no launch of any algorithm has a '{name}'.{did_you_mean(name, sorted(axes))}")
        for value in _listed(values) if name in AXES else ():
            if not isinstance(value, AXES[name].type):
                kind = "an integer" if AXES[name].type is int else "a word"
                raise UserError(f"{file}: launches.{name}: found {value!r}, but it must be {kind}")


def _listed(value):
    return value if isinstance(value, list) else [value]


def _runs_of_block(block, graphs, algorithms, device, default_sources, file):
    sources = block.get("sources", default_sources)
    sources = tuple(sources) if isinstance(sources, list) else sources
    for entry in graphs:
        downloads = ((entry.folder, entry.origin.file),) if entry.kind == "download" else ()
        for described in algorithms:
            own = described.device == "kernel"
            runs_on, placement = (device, block["placement"]) if own else (described.device, "device")
            for launch in _launches(described, block["launches"], file):
                names = described.problem, described.name, launch.label
                program = described.program.place if described.program else ""
                yield Run(entry.name, *names, runs_on, sources, placement, downloads, program=program)


def _launches(described, chosen, file):
    """Return the algorithm's launches with the chosen values on those axes that it has."""
    chosen = {axis: _listed(values) for axis, values in chosen.items()}

    def fits(launch):
        return all(value in chosen.get(axis, [value]) for axis, value in launch.parameters.items())

    launches = list(filter(fits, described.launches))
    if not launches:
        labels = ", ".join(launch.label for launch in described.launches)
        raise UserError(f"{file}: no launch of {described.id} matches {chosen}; it has {labels}")
    return launches


def _check_with(earlier, run, file):
    """Require the same sources in all runs of a problem on a graph: they share an oracle. A run has one placement."""
    if earlier.sources != run.sources:
        raise UserError(
            f"{file}: {run.problem} on {run.graph} has sources {_sources_flag(earlier.sources)} "
            f"({earlier.id}) and {_sources_flag(run.sources)} ({run.id}); give both the same"
        )
    if earlier.record == run.record and earlier.placement != run.placement:
        raise UserError(f"{file}: {run.id} on {run.graph} has placement device and placement host; choose one")


def _union(lists):
    return tuple(dict.fromkeys(item for items in lists for item in items))
