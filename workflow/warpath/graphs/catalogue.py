"""The catalogue of graphs: YAML files, checked, merged and made into entries. Nothing here needs NumPy."""

import contextlib
import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from unicodedata import category
from urllib.parse import unquote, urlsplit

from warpath.base import places, schemas
from warpath.base.errors import UserError, did_you_mean
from warpath.base.files import sha256
from warpath.base.text import without_credentials
from warpath.graphs import collections, weights

STAND_IN = ".stand-in"
LONGEST_CHAIN = 100
OF_A_FILE = ("url", "path", "generator", "sha256", "also", "unpacked", "published", "expected")
RECIPE = ("member", "format", "directed", "weights", "clean", "header", "published", "expected", "generator", "columns")


@dataclass(frozen=True)
class Origin:
    """Where the file of a graph comes from: URLs, or a path on this machine. `file` is its name once downloaded."""

    file: str
    url: str | None = None
    path: str | None = None
    sha256: str | None = None
    also: tuple = ()

    @property
    def local(self):
        """Where the user's own file is, or one that comes with the repository."""
        return self.path and places.data(self.path)

    def addresses(self, mirrors=()):
        """Yield each address to try, mirrors first, with the SHA-256 required of its file (or None)."""
        origins = [origin for origin in (self, *self.also) if origin.url]
        for origin in origins:
            parts = urlsplit(origin.url)
            for mirror in mirrors:
                yield f"{str(mirror).rstrip('/')}/{parts.netloc}{parts.path}", origin.sha256
        yield from ((origin.url, origin.sha256) for origin in origins)

    def matches(self, sha256):
        """Whether a file with this SHA-256 is the right one; None if an address without a checksum leaves it open."""
        sums = {origin.sha256 for origin in (self, *self.also)}
        return True if sha256 in sums else None if None in sums else False


@dataclass(frozen=True)
class Entry:
    name: str
    publisher: str
    kind: str  # download, local or generated
    origin: Origin | None  # None if generated
    folder: str  # of its download, below the folder for all of them
    member: str | None
    format: str
    directed: bool | None  # None: what the file says, else undirected
    weights: str
    clean: dict
    header: str
    published: dict
    expected: dict
    generator: dict | None
    stand_in: dict | None
    stand_in_for: str | None = None
    replaced_by: str | None = None  # the name of another graph
    unpacked: int | None = None  # bytes of the largest file, unpacked
    columns: dict | list | None = None  # of a table: the names of its columns by role, or the role of each column
    place: str = field(default="", compare=False)  # file and name, for messages
    problem: str | None = None  # what is wrong with the entry: to prepare the graph fails

    @property
    def url(self):
        return self.origin and self.origin.url

    @property
    def vertices(self):
        return self.expected.get("vertices", self.published.get("vertices"))

    @property
    def recipe(self):
        """Everything that decides the prepared files, as JSON. Snakemake prepares a graph again when it changes."""
        keys = {name: value for name in RECIPE if (value := getattr(self, name)) is not None}
        return without_credentials(json.dumps({"origins": [self.origin] if self.origin else []} | keys, default=vars))

    def offline(self, mirrors=(), downloads=places.DOWNLOADS):
        """Whether the graph needs no network: generated, or its file is the user's own, downloaded or mirrored."""
        if not self.origin:
            return True
        mirrored = [address for address, _ in self.origin.addresses(mirrors) if "://" not in address]
        return any(Path(place).expanduser().is_file() for place in (self.path(downloads), *mirrored))

    def path(self, downloads=places.DOWNLOADS):
        """The file that `prepare` reads, the user's own or the download; None if the graph is generated."""
        return self.origin and (self.origin.local or f"{downloads}/{self.folder}/{self.origin.file}")

    def has_another_file(self, folder, outcome):
        """Whether the user's own file has other content than when the graph in `folder` was prepared, by `outcome`.

        `cp -p`, `mv`, `tar` and `wget` leave an older date, and Snakemake, which compares dates, would keep the graph.
        """
        if self.kind != "local":
            return False
        path = Path(self.origin.local)
        with contextlib.suppress(OSError, UserError):  # what is absent or damaged is reported by the job that reads it
            placed = max(path.stat().st_ctime, path.lstat().st_ctime)  # or a link to it: no program can set these
            if path.stat().st_mtime <= Path(outcome).stat().st_mtime < placed:
                from warpath.graphs import csr

                return sha256(path) != csr.metadata(folder)["files"].get(self.origin.file)
        return False


def load(*paths):
    """Return all entries by name. Where two catalogues have a graph of the same name, the later one counts.

    An entry that is wrong has a `problem`: it stops only the runs that need its graph.
    """
    definitions = {name: (keys, str(path)) for path in paths for name, keys in _read(path).items()}
    entries, stand_ins = {}, {}
    for name, (_, file) in definitions.items():
        try:
            keys = _inherited(name, definitions)
            _check(name, keys, f"{file}: {name}")
            other, place = keys.get("replaced_by"), f"{file}: {name}.replaced_by"
            if other and other not in definitions:
                raise UserError(f"{place}: there is no graph '{other}'.{did_you_mean(other, definitions)}")
            if other and "replaced_by" in _inherited(other, definitions):
                raise UserError(f"{place}: '{other}' is replaced by another graph itself; name that one")
            entries[name] = _entry(name, keys, file)
            if "stand_in" in keys:
                stand_ins[name + STAND_IN] = _stand_in(name, keys, file)
        except UserError as error:
            entry = _entry(name, {"folder": name, "generator": {"kind": "path", "vertices": 1}}, file)
            entries[name] = replace(entry, problem=str(error))
    return entries | stand_ins


def find(name, entries, by=""):
    """Return the entry called `name`, added to `entries` if it is a graph of a collection; `by` begins an error."""
    if name in entries:
        if entries[name].problem and not re.fullmatch(schemas.load("graphs")["propertyNames"]["pattern"], name):
            raise UserError(f"{by}{entries[name].problem}")
        return entries[name]
    if keys := collections.keys(name):
        return entries.setdefault(keys["folder"], _entry(keys["folder"], keys, "collections"))
    raise UserError(f"{by}no catalogue has a graph '{name}'.{did_you_mean(name, entries)}")


def problems(entries):
    """A line for each entry that is wrong."""
    found = dict.fromkeys(entry.problem for entry in entries.values() if entry.problem)
    return [f"warpath: {problem}; runs on this graph fail" for problem in found]


def _read(path):
    """The keys of each graph in one file, or the error in their place; one with the key sizes is one for each size."""
    content, graphs = schemas.content(path), {}
    for name, keys in (content if isinstance(content, dict) else schemas.check(content, "graphs", path)).items():
        try:
            checked = schemas.check({name: keys}, "graphs", path)
            sizes = checked[name].pop("sizes", None)
            if sizes is not None:
                if "generator" not in (common := checked.pop(name)):
                    raise UserError(f"{path}: {name}.sizes: only a graph with a generator may have them")
                sizes = {size: {"generator": common["generator"] | parameters} for size, parameters in sizes.items()}
                checked = schemas.check({f"{name}-{size}": common | own for size, own in sizes.items()}, "graphs", path)
            graphs |= checked
        except UserError as error:
            graphs[name] = error
    return graphs


def _check(name, keys, place):
    """Check what the schema cannot express."""
    if name.endswith(STAND_IN):
        raise UserError(f"{place}: names ending in {STAND_IN} are reserved for the key stand_in; choose another name")
    exclusive = [key for key in ("url", "path", "generator") if key in keys]
    if len(exclusive) > 1:
        raise UserError(f"{place}: found {' and '.join(exclusive)}; a graph has only one of url, path and generator")
    policy = keys.get("weights", "auto")
    if ".." in policy:
        low, high, _, heavy = weights.drawn(policy)
        if not low <= high < 2**31:
            raise UserError(f"{place}.weights: found {policy}, but the bounds must ascend and be below 2^31")
        if heavy and not low:
            raise UserError(f"{place}.weights: found {policy}, but a heavy tail begins at 1 or more")
    for origin in (keys, *keys.get("also", ())):
        try:
            urlsplit(origin.get("url", ""))
        except ValueError as error:
            raise UserError(f"{place}: {origin['url']}: not a URL ({error})") from None


def _inherited(name, definitions, derived=()):
    """The keys of a graph, completed with those of the graph that it is based on."""
    own, place = definitions[name]
    if isinstance(own, UserError):
        raise own
    base = own.get("based_on")
    if len(derived) > LONGEST_CHAIN:
        raise UserError(f"{place}: {derived[0]}.based_on: more than {LONGEST_CHAIN} graphs, each based on the next")
    if base is None:
        return {"folder": name, **own}
    if base not in definitions and (keys := collections.keys(base)):
        definitions = definitions | {base: (keys, place)}
    if base not in definitions:
        raise UserError(f"{place}: {name}.based_on: there is no graph '{base}'.{did_you_mean(base, definitions)}")
    if base in derived or base == name:
        raise UserError(f"{place}: {name}.based_on: '{base}' is based on '{name}' in turn")
    inherited = _inherited(base, definitions, (*derived, name))
    dropped = {"expected", "stand_in", "replaced_by"}
    if own.keys() & {"url", "path", "generator"}:  # another file, with another checksum and other counts
        dropped |= {*OF_A_FILE}
        own = {"folder": name, **own}
    return {key: value for key, value in inherited.items() if key not in dropped} | own


def _entry(name, keys, file):
    keys = schemas.complete(keys, schemas.load("graphs")["$defs"]["graph"])
    generated, place, policy = "generator" in keys, f"{file}: {name}", keys["weights"]
    kind = "generated" if generated else "local" if "path" in keys else "download"
    host = urlsplit(keys.get("url", "")).netloc.rpartition("@")[2]
    return Entry(
        name=name,
        publisher=keys["source"] or {"download": host}.get(kind, kind),
        kind=kind,
        origin=None if generated else _checked_origin(keys, place),
        directed=keys.get("directed", False if generated else None),
        weights=policy if isinstance(policy, str) else weights.in_words(policy),
        published=keys.get("published", {}),
        expected=keys.get("expected", {}),
        generator=_complete_generator(keys.get("generator")),
        stand_in=_complete_generator(keys.get("stand_in")),
        place=place,
        **{key: keys[key] for key in ("folder", "format", "clean", "header")},
        **{key: keys.get(key) for key in ("member", "replaced_by", "unpacked", "columns")},
    )


def _checked_origin(keys, place):
    """The origin of a graph; its name must be one that an input of a Snakemake rule can have."""
    origin = _origin(keys, tuple(_origin(other) for other in keys["also"]))
    file, place = origin.path or origin.file, f"{place}: {(origin.path or origin.url)[:80]!r}"
    if places.longest_name(file) > places.LONGEST_NAME:
        raise UserError(f"{place}: has a name of more than {places.LONGEST_NAME} bytes")
    if Path(file).name in ("", ".."):
        raise UserError(f"{place}: does not end in a file name")
    if set(file) & set("{}") or any(category(letter) in ("Cc", "Cs") for letter in file):
        raise UserError(f"{place}: has braces (Snakemake's wildcards) or control characters; rename the file")
    return origin


def _origin(keys, also=()):
    url, path = keys.get("url"), keys.get("path")
    file = PurePosixPath(unquote(urlsplit(url).path)).name if url else Path(path).name
    return Origin(file, url, path, keys.get("sha256"), also)


def _complete_generator(generator):
    """A generator with the defaults of its kind; None if there is none."""
    rules = [rule["then"] for rule in schemas.load("graphs")["$defs"]["generator"]["allOf"]]
    kinds = [(rule, rule["properties"]["kind"]) for rule in rules]
    fitting = (rule for rule, kind in kinds if generator["kind"] in kind.get("enum", [kind.get("const")]))
    return generator and schemas.complete(generator, next(fitting))


def _stand_in(name, keys, file):
    """The generated graph that can replace another one, weighted in the same way.

    It is connected, as the networks nearly are; a generator such as rmat leaves many vertices without an edge.
    """
    policy = keys.get("weights", "auto")
    changed = {
        "source": "generated",
        "generator": keys["stand_in"],
        "weights": policy if isinstance(policy, str) and not weights.from_file(policy) else "auto",
    }
    own = {key: value for key, value in keys.items() if key not in (*OF_A_FILE, "stand_in", "replaced_by", "columns")}
    entry = _entry(name + STAND_IN, own | changed, file)
    clean = entry.clean | {"largest_component": True}
    return replace(entry, clean=clean, stand_in_for=name, place=f"{file}: {name}")
