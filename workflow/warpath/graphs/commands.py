"""The sub-commands of this layer: download, prepare and graphs."""

import argparse
import json
import os
import sys
from pathlib import Path

from warpath.foundation.errors import Damaged, Unusable, UserError, did_you_mean
from warpath.graphs import catalogue


def add_to(subparsers):
    told = json.loads(os.environ.get("WARPATH_GRAPHS", "{}"))  # by the workflow that this is a job of
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--catalogue",
        action="append",
        default=told.get("catalogue"),
        help=f"YAML of graphs; may be repeated ({catalogue.DEFAULT})",
    )

    download = subparsers.add_parser("download", parents=[shared], help="fetch one file of a graph")
    download.add_argument("graph")
    download.add_argument("file", nargs="?", help="which of the graph's files (default: all)")
    download.add_argument("--folder", help="where to put it (default resources/downloads/<graph>)")
    download.add_argument(
        "--mirror", action="append", default=told.get("mirror", []), help="a base URL or a folder to look in first"
    )
    download.set_defaults(command=_download)

    prepare = subparsers.add_parser("prepare", parents=[shared], help="read, clean and store a graph as Parquet CSR")
    prepare.add_argument("graph")
    prepare.add_argument("inputs", nargs="*", help="the files to read (default: where download puts them)")
    prepare.add_argument("--output", help="the folder to write to (default resources/graphs/<graph>)")
    prepare.add_argument("--threads", type=int, help="default: as many as this process may use cores")
    prepare.set_defaults(command=_prepare)

    listed = subparsers.add_parser("graphs", parents=[shared], help="list the graphs of the catalogue")
    listed.add_argument("pattern", nargs="?", default="*", help="only these, for example 'p2p-*'")
    listed.set_defaults(command=_graphs)


def _entries(arguments):
    return catalogue.load(*(arguments.catalogue or [catalogue.DEFAULT]))


def _entry(arguments):
    entries = _entries(arguments)
    if arguments.graph not in entries:
        raise UserError(f"no catalogue has a graph '{arguments.graph}'.{did_you_mean(arguments.graph, entries)}")
    return entries[arguments.graph]


def _download(arguments):
    from warpath.graphs import download

    entry = _entry(arguments)
    if arguments.file and arguments.file not in entry.files:
        files = ", ".join(entry.files) or "none to fetch"
        raise UserError(f"{entry.name} has no file '{arguments.file}'; it has {files}")
    folder = Path(arguments.folder or f"resources/downloads/{entry.folder}")
    for file in [arguments.file] if arguments.file else entry.files:
        download.fetch(entry, file, folder / file, arguments.mirror)


def _prepare(arguments):
    from warpath.foundation import processor
    from warpath.graphs.prepare import prepare, summary

    entry = _entry(arguments)
    if arguments.threads:
        processor.limit(arguments.threads)
    inputs = arguments.inputs or entry.inputs()
    for path in inputs:
        if not Path(path).is_file():
            hint = "" if entry.kind == "local" else f"; fetch it by `warpath download {entry.name}`"
            raise UserError(f"{path}: no such file{hint}")
    folder = arguments.output or f"resources/graphs/{entry.name}"
    try:
        described = prepare(entry, inputs, folder, as_catalogued=not arguments.inputs)
    except UserError as error:
        raise error if arguments.inputs else _blamed(error, entry, inputs) from None
    print(summary(described))


def _blamed(error, entry, inputs):
    """What is wrong, with the download put aside that is not what the catalogue means; never somebody's own file."""
    from warpath.foundation.files import sha256

    for source, path in zip(entry.sources, inputs, strict=True):
        meant = source.is_meant(sha256(path)) if source.url else True
        if meant is False:
            return Damaged(path, f"not whole or another file: its SHA-256 is not the one that {entry.place} says")
        if meant is None and isinstance(error, Unusable) and str(error.path) == str(path):
            return Damaged(path, error.reason)
    return error


def _graphs(arguments):
    import fnmatch

    entries = _entries(arguments)
    rows = [("graph", "source", "|V|", "|E|", "state")]
    for name in fnmatch.filter(entries, arguments.pattern):
        entry = entries[name]
        edges = entry.published.get("edges", entry.expected.get("edges"))
        rows.append((name, entry.source, _count(entry.vertices), _count(edges), _state(entry)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, source, vertices, edges, state in rows:
        line = f"{name:{widths[0]}}  {source:{widths[1]}}  {vertices:>{widths[2]}}  {edges:>{widths[3]}}  {state}"
        sys.stdout.write(line.rstrip() + "\n")


def _count(number):
    return "" if number is None else f"{number:,}"


def _state(entry):
    if Path(f"resources/graphs/{entry.name}/vertices.parquet").exists():
        return "prepared"
    if entry.kind == "generated":
        return "made here"
    return "here" if all(Path(path).exists() for path in entry.inputs()) else "to download"
