"""GraphML and GML, which NetworkX or igraph reads."""

import io
import tempfile
from pathlib import Path

import numpy as np

from warpath.foundation.errors import UserError
from warpath.foundation.text import escaped
from warpath.graphs.readers import columns


def read(name, path, opened, use, given=None):
    content = opened.file.read()
    library = next((read for read in (_networkx, _igraph) if read.available()), None)
    if not library:
        raise UserError(f"{path}: {name} is read by NetworkX or igraph; install one of them (make peers)")
    try:
        ends, attributes, directed = library(name, content)
    except UserError:
        raise
    except Exception as error:  # the libraries raise whatever their parsers raise
        reason = escaped(str(error).partition("\n")[0] or type(error).__name__)
        raise UserError(f"{path}: not {name} that can be read ({reason})") from None
    if not ends:
        raise UserError(f"{path}: no edge found (read as {name})")
    weight, notes = _weights(path, attributes)
    return columns.edges(path, *_columns(ends), weight, use, directed=directed, notes=notes)


def _columns(ends):
    import pyarrow as pa

    return (pa.chunked_array([pa.array([str(edge[end]) for edge in ends], pa.string())]) for end in (0, 1))


def _weights(path, attributes):
    """Return the attribute of edges that is the weight, and a note."""
    names = sorted({name for attribute in attributes[:1000] for name in attribute})
    fitting = [name for name in names if name.lower() in columns.NAMES["weight"]]
    if len(fitting) > 1:
        raise UserError(f"{path}: {' and '.join(fitting)} could each be the weight; remove one of the attributes")
    if not fitting:
        return None, [f"no weight among the attributes {', '.join(map(escaped, names))}"] if names else []
    values = [attribute.get(fitting[0]) for attribute in attributes]
    if any(not isinstance(value, int | float) for value in values):
        raise UserError(f"{path}: an edge has no number as its {fitting[0]}")
    return np.array(values), [f"weight from {fitting[0]}"]


def _networkx(name, content):
    import networkx

    if name == "graphml":
        graph = networkx.read_graphml(io.BytesIO(content))
    else:
        lines = content.decode("utf-8-sig").splitlines()
        try:
            graph = networkx.parse_gml(lines)
        except networkx.NetworkXError:
            graph = networkx.parse_gml(lines, label="id")
    listed = list(graph.edges(data=True))
    return [edge[:2] for edge in listed], [edge[2] for edge in listed], graph.is_directed()


def _igraph(name, content):
    import igraph

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph"
        file.write_bytes(content)
        read = igraph.Graph.Read_GraphML if name == "graphml" else igraph.Graph.Read_GML
        graph = read(str(file))
    key = next((key for key in ("label", "id", "name") if key in graph.vs.attributes()), None)
    names = graph.vs[key] if key else range(graph.vcount())
    names = [int(name) if isinstance(name, float) else name for name in names]
    ends = [(names[source], names[target]) for source, target in graph.get_edgelist()]
    return ends, [edge.attributes() for edge in graph.es], graph.is_directed()


def _installed(module):
    import importlib.util
    import sys

    return lambda: sys.modules.get(module, True) is not None and importlib.util.find_spec(module) is not None


_networkx.available = _installed("networkx")
_igraph.available = _installed("igraph")
