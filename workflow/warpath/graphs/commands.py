"""The sub-commands download, prepare, export and graphs."""

import argparse
import contextlib
import fnmatch
import sys
from pathlib import Path

from warpath.base import outcome, places, settings
from warpath.base.errors import UserError
from warpath.base.text import escaped, reason
from warpath.graphs import catalogue


def add_to(step):
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--catalogue", action="append", help="YAML file of graphs, repeatable (default: the settings')")

    download = step("download", _download, "download the file of a graph", shared)
    download.add_argument("graph")
    download.add_argument("--mirror", action="append", help="base URL or folder, repeatable (default: as in settings)")

    prepare = step("prepare", _prepare, "read, clean and store a graph as Parquet CSR", shared)
    prepare.add_argument("graph")
    prepare.add_argument("input", nargs="?", help="file to read (default: the graph's own or downloaded one)")
    prepare.add_argument("--output", help=f"folder to write to (default {places.GRAPHS}/<graph>)")
    prepare.add_argument("--threads", type=int, help="default: all usable cores")

    export = step("export", _export, "write a prepared graph as npz, mtx or an edge list", shared)
    export.add_argument("graph")
    export.add_argument("output", help="the file to write; .npz, .mtx or .tsv decides the format")

    listing = step("graphs", _graphs, "list the graphs of the catalogue", shared)
    listing.add_argument("pattern", nargs="?", default="*", help="only names that match, for example 'p2p-*'")


def _entries(arguments):
    chosen = arguments.catalogue or settings.catalogues(settings.handed())
    return catalogue.load(*map(places.configured, chosen))


def _entry(arguments):
    return catalogue.find(arguments.graph, _entries(arguments))


def _download(arguments):
    from warpath.graphs import download

    entry = _entry(arguments)
    if entry.kind != "download":
        raise UserError(f"{entry.name} has no file to download")
    file = Path(entry.path())
    configured = settings.handed()
    mirrors = settings.mirrors(arguments.mirror or configured["mirrors"])
    download.fetch(entry, file, mirrors, minimum_rate=configured["download_rate"])
    outcome.clear(file)


def _prepare(arguments):
    from warpath.base import processor
    from warpath.graphs import csr
    from warpath.graphs.prepare import prepare, summary

    entry = _entry(arguments)
    if arguments.threads:
        processor.limit(arguments.threads)
    path = arguments.input or entry.path()
    if path and not Path(path).is_file():
        fetch = f"; fetch it by `.venv/bin/warpath download {entry.name}`"
        raise UserError(f"{path}: not found, or not a file{'' if entry.kind == 'local' else fetch}")
    folder = arguments.output or places.graph(entry.name)
    try:
        metadata = prepare(entry, path, folder, as_catalogued=not arguments.input)
    except MemoryError as error:
        free = processor.free_bytes() / 1e9
        raise UserError(f"{entry.name}: no memory ({reason(error)}); {free:,.1f} GB are available") from None
    outcome.clear(Path(folder, csr.VERTICES))
    print(summary(metadata))


def _export(arguments):
    from warpath.graphs import csr
    from warpath.graphs.export import export

    folder = Path(places.graph(_entry(arguments).name))
    csr.require(folder, arguments.graph)
    export(folder, arguments.output)


def _graphs(arguments):
    from warpath.graphs import csr

    entries = _entries(arguments)
    for folder in Path(places.GRAPHS).glob("*"):  # prepared graphs of collections, which no catalogue has
        with contextlib.suppress(UserError):
            catalogue.find(folder.name, entries)
    names = fnmatch.filter(entries, arguments.pattern)
    rows = [("graph", "source", "|V|", "|E|", "state", "vertices", "arcs")]
    for entry in [entries[name] for name in names] or [catalogue.find(arguments.pattern, entries)]:
        counts = _count(entry.vertices), _count(entry.published.get("edges", entry.expected.get("edges")))
        state, size = _state(entry), ("", "")
        if state == "prepared":
            try:
                metadata = csr.metadata(places.graph(entry.name))
                size = _count(metadata["vertices"]), _count(metadata["arcs"])
            except UserError as error:
                print(f"warpath: {error}", file=sys.stderr)
        rows.append((entry.name, entry.publisher, *counts, state, *size))
    aligned = zip("<<>><>>", zip(*rows, strict=True), strict=True)  # numbers to the right
    columns = [[f"{cell:{side}{max(map(len, column))}}" for cell in column] for side, column in aligned]
    for cells in zip(*columns, strict=True):
        print(escaped("  ".join(cells).rstrip()))
    for line in catalogue.problems(entries):
        print(line, file=sys.stderr)


def _count(number):
    return "" if number is None else f"{number:,}"


def _state(entry):
    if entry.problem:
        return "wrong"
    if Path(places.prepared(entry.name)).exists():
        return "prepared"
    if entry.kind == "generated":
        return "to generate"
    if Path(entry.path()).exists():
        return "to prepare"
    return "missing" if entry.kind == "local" else "to download"
