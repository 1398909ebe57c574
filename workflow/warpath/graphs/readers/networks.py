"""GraphML and GML, which NetworkX reads.

igraph would end the process where text is not UTF-8, and merge vertices of the same label.
"""

import re
from io import BytesIO

import numpy as np
import pyarrow as pa

from warpath.base.errors import UserError
from warpath.base.text import escaped
from warpath.graphs.readers import columns, packed

MEMORY_OF_A_BYTE = 40  # bytes of NetworkX's objects, and of the parsed XML; measured


def read(name, path, opened, use, given=None):
    content = packed.content(path, opened.file, MEMORY_OF_A_BYTE)
    graphs = len(re.findall(rb"<graph[\s>]", content)) if name == "graphml" else 1
    if graphs > 1:
        raise UserError(f"{path}: it has {graphs} graphs; leave one")
    graph = _graph(name, content)
    if not graph.size():
        raise UserError(f"{path}: no edge found (read as {name})")
    tails, heads, attributes = zip(*graph.edges(data=True), strict=True)
    weight, notes = _weights(path, attributes)
    more = {"vertices": _texts(graph), "directed": graph.is_directed(), "notes": notes}
    return columns.edges(path, _texts(tails), _texts(heads), weight, use, **more)


def _graph(name, content):
    import networkx  # takes long

    if name == "graphml":
        return networkx.read_graphml(BytesIO(content))
    lines = content.decode("utf-8-sig").splitlines()
    try:
        return networkx.parse_gml(lines)
    except networkx.NetworkXError:
        return networkx.parse_gml(lines, label="id")


def _texts(values):
    return pa.chunked_array([pa.array(map(str, values), pa.string())])


def _weights(path, attributes):
    """Return the attribute of edges that is the weight, and a note."""
    names = sorted({name for attribute in attributes for name in attribute})
    fitting = [name for name in names if name.lower() in columns.NAMES["weight"]]
    if len(fitting) > 1:
        raise UserError(f"{path}: {' and '.join(fitting)} could each be the weight; remove one of the attributes")
    if not fitting:
        return None, [f"no weight among the attributes {', '.join(map(escaped, names[:20]))}"] if names else []
    values = [attribute.get(fitting[0]) for attribute in attributes]
    if any(not isinstance(value, int | float) or isinstance(value, bool) for value in values):
        raise UserError(f"{path}: an edge has no number as its {fitting[0]}")
    return np.array(values, np.float64), [f"weight from {escaped(fitting[0])}"]
