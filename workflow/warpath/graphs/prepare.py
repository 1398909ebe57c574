"""One graph from its files, or its generator, to Parquet CSR: read, clean, check the counts, write."""

from warpath.foundation.errors import UserError
from warpath.foundation.files import sha256
from warpath.graphs import csr
from warpath.graphs.clean import clean


def prepare(entry, inputs, folder, as_catalogued=True):
    """Returns what the metadata of the written files say. Downloads that are not `as_catalogued` may be any files."""
    if entry.generator:
        from warpath.graphs import generators

        edges = generators.generate(entry.generator)
    else:
        from warpath.graphs import readers

        edges = readers.read(entry, inputs)
    read = {"vertices": _vertices(edges), "edges": edges.edges}
    if entry.header == "check":
        _compare(f"{entry.name}: {_first(inputs)}", "its header", edges.stated, read)
    _compare(f"{entry.name}: {_first(inputs)}", "the catalogue's key published", entry.published, read)
    cleaned = clean(edges, entry.clean, entry.directed, entry.weights, entry.name)
    left = {"vertices": len(cleaned.labels), "arcs": len(cleaned.targets)}
    left["edges"] = left["arcs"] if entry.directed else left["arcs"] // 2
    _compare(f"{entry.name}, cleaned", "the catalogue's key expected", entry.expected, left)
    metadata = {
        "read": read,
        "format": edges.format,
        "weights": cleaned.policy,
        "cleaning": [{"step": step, "count": count} for step, count in cleaned.steps],
        "source": entry.source,
        "url": entry.url,
        "generator": entry.generator,
        "stand_in_for": entry.stand_in_for,
    }
    arrays = cleaned.offsets, cleaned.targets, cleaned.weights, cleaned.labels
    graph = csr.Graph(entry.name, *arrays, entry.directed, metadata, cleaned.columns)
    return csr.write(graph, folder, lambda: {"files": _sums(entry, inputs, as_catalogued)})


def _sums(entry, inputs, as_catalogued):
    """SHA-256 of the files read. Downloads may have come by hand: all are compared with what the catalogue says."""
    found = {}
    for source, path in zip(entry.sources, inputs, strict=True):
        found[source.file] = sha256(path)
        if source.is_meant(found[source.file]) is False and (as_catalogued or source.path):
            raise UserError(
                f"{path}: another file, its SHA-256 is {found[source.file]}, and {entry.place} says {source.sha256}"
            )
    return found


def summary(described):
    """What happened, in one line."""
    steps = "; ".join(f"{step['count']:,} {step['step']}" for step in described["cleaning"][:-1] if step["count"])
    return (
        f"{described['name']}: read {described['read']['edges']:,} edges ({described['format']}); "
        f"{steps or 'nothing to clean'}; {described['vertices']:,} vertices, {described['arcs']:,} arcs; "
        f"weights {described['weights']}"
    )


def _first(inputs):
    return inputs[0] if inputs else "generated"


def _vertices(edges):
    import numpy as np

    return edges.ids if edges.all_ids else int(np.bitwise_count(edges.seen).sum())


def _compare(where, authority, wanted, found):
    for key, count in wanted.items():
        if found.get(key, count) != count:
            raise UserError(f"{where}: {found[key]:,} {key}, but {authority} says {count:,}")
