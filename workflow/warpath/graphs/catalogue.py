"""Which graphs there are: the YAML catalogues, merged and checked. No array is touched here."""

from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from unicodedata import category
from urllib.parse import unquote, urlsplit

from warpath.foundation import schemas
from warpath.foundation.errors import UserError, did_you_mean

DEFAULT = "config/graphs.yaml"
STAND_IN = ".stand-in"


@dataclass(frozen=True)
class Source:
    """One file that a graph is made from. `file` is its name in the download folder."""

    file: str
    url: str | None = None
    path: str | None = None
    sha256: str | None = None
    also: tuple = ()

    def addresses(self, mirrors=()):
        """Where to look, in order, each with the sum that its file must have: mirrors first."""
        places = [place for place in (self, *self.also) if place.url]
        for place in places:
            parts = urlsplit(place.url)
            for mirror in mirrors:
                yield f"{str(mirror).rstrip('/')}/{parts.netloc}{parts.path}", place.sha256
        yield from ((place.url, place.sha256) for place in places)

    def is_meant(self, sha256):
        """Whether a file with this sum is the one; None where the catalogue does not say."""
        sums = {place.sha256 for place in (self, *self.also)}
        return True if sha256 in sums else None if None in sums else False


@dataclass(frozen=True)
class Entry:
    name: str
    source: str
    about: str
    kind: str  # download, local or generated
    sources: tuple  # of Source: the graph, then its coordinates; none when generated
    folder: str  # the name under which its files are downloaded
    member: str | None
    format: str
    directed: bool
    weights: str
    clean: dict
    header: str
    published: dict
    expected: dict
    generator: dict | None
    stand_in: dict | None
    stand_in_for: str | None = None
    place: str = field(default="", compare=False)

    @property
    def url(self):
        return self.sources[0].url if self.sources else None

    @property
    def vertices(self):
        return self.expected.get("vertices", self.published.get("vertices"))

    @property
    def arcs(self):
        edges = self.expected.get("edges")
        return self.expected.get("arcs", edges and edges * (1 if self.directed else 2))

    @property
    def recipe(self):
        """All that decides what `prepare` makes: when it changes, the graph is prepared anew."""
        kept = (self.sources, self.member, self.format, self.directed, self.weights, self.clean, self.header)
        return repr((*kept, self.published, self.expected, self.generator))

    @property
    def files(self):
        """Names of the files to fetch."""
        return [source.file for source in self.sources if source.url]

    def at_hand(self, mirrors=(), downloads="resources/downloads"):
        """Whether the graph can be had without a network: made, the user's own, downloaded, or in a mirror's folder."""
        places = zip(self.inputs(downloads), self.sources, strict=True)
        return all(
            any(_is_file(place) for place in (own, *(address for address, _ in source.addresses(mirrors))))
            for own, source in places
        )

    def inputs(self, downloads="resources/downloads", absent=True):
        """The paths that `prepare` reads; without `absent`, no files of this machine that are not there."""
        kept = [source for source in self.sources if absent or source.url or Path(source.path).is_file()]
        return [source.path or f"{downloads}/{self.folder}/{source.file}" for source in kept]


def _is_file(address):
    return "://" not in address and Path(address).expanduser().is_file()


def load(*paths):
    """Every graph of the catalogues by name; in two catalogues the later one's entry counts."""
    found = {}
    for path in paths:
        for name, described in _read(path).items():
            found[name] = (described, str(path))
    described = {name: _inherited(name, found) for name in found}
    entries = {name: _entry(name, described[name], found) for name in described}
    return entries | {made.name: made for made in map(_stand_in, entries.values()) if made}


def _read(path):
    described = schemas.read(path, "graphs") or {}
    graph = schemas.load("graphs")["$defs"]["graph"]
    for name, keys in described.items():
        if name.endswith(STAND_IN):
            raise UserError(f"{path}: {name}: names that end in {STAND_IN} are taken; they come from the key stand_in")
        given = [key for key in ("url", "path", "generator") if key in keys]
        if len(given) > 1:
            found = " and ".join(given)
            raise UserError(f"{path}: {name}: found {found}, but a graph has one of url, path and generator")
        _check_weights(keys.get("weights", "auto"), f"{path}: {name}")
        _check_addresses(keys, f"{path}: {name}")
    return {name: _only_known(keys, graph) for name, keys in described.items()}


def _only_known(keys, graph):
    return {key: keys[key] for key in keys if key in graph["properties"]}


def _check_weights(policy, place):
    from warpath.graphs import weights

    if ".." in policy:
        low, high, _ = weights.bounds(policy)
        if not low <= high < 2**31:
            raise UserError(f"{place}.weights: found {policy}, but it must ascend and stay below 2^31")


def _check_addresses(keys, place):
    for described in (keys, keys.get("coordinates", keys), *keys.get("also", ())):
        try:
            urlsplit(described.get("url", ""))
        except ValueError as error:
            raise UserError(f"{place}: {described['url']}: no address ({error})") from None


def _inherited(name, found, below=()):
    """The keys of `name` over those of the graph that it is based on."""
    own, place = found[name]
    base = own.get("based_on")
    if base is None:
        return {"folder": name, **own}
    if base not in found:
        raise UserError(f"{place}: {name}.based_on: there is no graph '{base}'.{did_you_mean(base, found)}")
    if base in below or base == name:
        raise UserError(f"{place}: {name}.based_on: '{base}' is based on '{name}' in turn")
    taken = _inherited(base, found, (*below, name))
    left_out = {"expected", "stand_in"}
    if own.keys() & {"url", "path", "generator"}:  # another file: nothing that is said about the base's holds
        left_out |= {"url", "path", "generator", "sha256", "also", "coordinates", "published"}
        own = {"folder": name, **own}
    return {key: value for key, value in taken.items() if key not in left_out} | own


def _entry(name, keys, found):
    defaults = schemas.load("graphs")["$defs"]["graph"]
    keys = schemas.complete(keys, defaults)
    generator = keys.get("generator")
    place = f"{found[name][1]}: {name}"
    kind = "generated" if generator else "local" if "path" in keys else "download"
    return Entry(
        name=name,
        source=keys["source"] or {"download": urlsplit(keys.get("url", "")).netloc}.get(kind, kind),
        about=keys["about"],
        kind=kind,
        sources=_sources(keys, place) if not generator else (),
        folder=keys["folder"],
        member=keys.get("member"),
        format=keys["format"],
        directed=keys["directed"],
        weights=keys["weights"],
        clean=keys["clean"],
        header=keys["header"],
        published=keys.get("published", {}),
        expected=keys.get("expected", {}),
        generator=generator and _complete_generator(generator),
        stand_in=keys.get("stand_in") and _complete_generator(keys["stand_in"]),
        place=place,
    )


def _sources(keys, place):
    graph = {key: keys[key] for key in ("url", "path", "sha256") if key in keys}
    files = [_source(graph, tuple(_source(other) for other in keys["also"]))]
    if "coordinates" in keys:
        files.append(_source(keys["coordinates"]))
    for source in files:
        _check_name(source.path or source.file, f"{place}: {(source.path or source.url)!r}")
    return tuple(files)


def _source(keys, also=()):
    url, path = keys.get("url"), keys.get("path")
    file = PurePosixPath(unquote(urlsplit(url).path)).name if url else Path(path).name
    return Source(file, url, path, keys.get("sha256"), also)


def _check_name(file, place):
    """Of what Snakemake gets as the name of an input."""
    if Path(file).name in ("", ".."):
        raise UserError(f"{place}: does not end in the name of a file")
    if set(file) & set("{}") or any(category(letter) in ("Cc", "Cs") for letter in file):
        raise UserError(f"{place}: has braces, which Snakemake takes for wildcards, or control characters; rename it")


def _complete_generator(generator):
    kinds = [rule["then"] for rule in schemas.load("graphs")["$defs"]["generator"]["allOf"]]
    matching = [rule for rule in kinds if generator["kind"] in _kinds(rule["properties"]["kind"])]
    return schemas.complete(generator, matching[0])


def _kinds(rule):
    return rule.get("enum", [rule.get("const")])


def _stand_in(entry):
    """The generated graph that may take the place of `entry`: cleaned and weighted in the same way."""
    if not entry.stand_in:
        return None
    return replace(
        entry,
        name=entry.name + STAND_IN,
        source="generated",
        about=f"A generated stand-in for {entry.name}.",
        kind="generated",
        sources=(),
        generator=entry.stand_in,
        stand_in=None,
        stand_in_for=entry.name,
        weights="auto" if entry.weights in ("file", "absolute") else entry.weights,
        published={},
        expected={},
    )
