"""Prepare a graph: read or generate its edges, clean them, check the counts, and write Parquet CSR."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from warpath.base.errors import Damaged, Unusable, UserError
from warpath.base.files import sha256
from warpath.base.text import escaped, shown_url
from warpath.graphs import csr, library
from warpath.graphs.clean import clean


def prepare(entry, path, folder, as_catalogued=True):
    """Write the graph of `entry`, read from the file `path`, into `folder`; return the metadata.

    The file has to have the checksum of the catalogue, which is computed in a thread beside all the rest. Without
    `as_catalogued`, any file may replace a download. A download that explains an error is put aside: one with another
    checksum, or an unusable one where the catalogue has no checksum.
    """
    if entry.problem:
        raise UserError(entry.problem)
    library.load_usual()
    with ThreadPoolExecutor(1) as thread:
        checksum = thread.submit(_checksum, entry, path, as_catalogued)
        try:
            return _prepared(entry, path, folder, checksum)
        except UserError as error:
            is_open = as_catalogued and entry.url and entry.origin.matches(checksum.result()) is None
            if is_open and isinstance(error, Unusable):
                raise Damaged(path, error.reason) from None
            raise


def _prepared(entry, path, folder, checksum):
    edges = read(entry, path)
    counts = {"vertices": edges.vertices, "edges": edges.edges}
    place = f"{entry.name}: {path or 'generated'}"
    if entry.header == "check":
        _compare(place, "its header", edges.header, counts)
    _compare(place, "the catalogue's key published", entry.published, counts)
    graph = clean(edges, entry.clean, _directed(entry, edges), entry.weights, entry.name)
    clean_counts = {"vertices": graph.vertices, "arcs": graph.arcs, "edges": graph.arcs // (2 - graph.directed)}
    _compare(f"{entry.name}, cleaned", "the catalogue's key expected", entry.expected, clean_counts)
    metadata = {
        "read": counts,
        "format": edges.format,
        **graph.metadata,
        "source": entry.publisher,
        "url": entry.url and shown_url(entry.url),
        "generator": entry.generator,
        "stand_in_for": entry.stand_in_for,
    }

    def files():
        return {"files": {entry.origin.file: checksum.result()} if entry.origin else {}}

    written = csr.write(replace(graph, metadata=metadata), folder, files)
    for note in edges.notes:
        print(escaped(f"{entry.name}: {note}"), file=sys.stderr)
    return written


def read(entry, path):
    if entry.generator:
        from warpath.graphs import generators, memory

        memory.require(entry)
        return generators.generate(entry.generator)
    from warpath.graphs import readers

    return readers.read(entry, path)


def summary(metadata):
    steps = "; ".join(f"{step['count']:,} {step['step']}" for step in metadata["cleaning"][:-1] if step["count"])
    return (
        f"{metadata['name']}: read {metadata['read']['edges']:,} edges ({metadata['format']}); "
        f"{steps or 'nothing to clean'}; {metadata['vertices']:,} vertices, {metadata['arcs']:,} arcs; "
        f"weights {metadata['weights']}"
    )


def _directed(entry, edges):
    """Whether the graph is directed: the entry decides, then the file; neither means undirected. Note a difference."""
    words = {True: "directed", False: "undirected"}
    if entry.directed is None and edges.directed is None:
        edges.notes.append("nothing says whether edges are directed: taken as undirected (key directed)")
    elif None not in (entry.directed, edges.directed) and entry.directed != edges.directed:
        edges.notes.append(f"the file says {words[edges.directed]}, the catalogue {words[entry.directed]}, which wins")
    return bool(edges.directed if entry.directed is None else entry.directed)


def _compare(place, authority, expected, counts):
    for key, count in expected.items():
        if counts.get(key, count) != count:
            raise UserError(f"{place}: {counts[key]:,} {key}, but {authority} says {count:,}")


def _checksum(entry, path, as_catalogued):
    """Return the SHA-256 of the file, None without one. Downloads are compared as well: they may be copied by hand."""
    if not entry.origin:
        return None
    found = sha256(path)
    if entry.origin.matches(found) is False and (as_catalogued or entry.origin.path):
        reason = f"its SHA-256 is {found}, {entry.place} says {entry.origin.sha256}"
        if entry.url:
            raise Damaged(path, f"incomplete or another file: {reason}")
        raise UserError(f"{path}: not the file of the catalogue: {reason}")
    return found
