"""What cuGraph's two algorithms have in common: the graph, the call, and the answer in our order."""

import pylibcugraph

from warpath.algorithms import UNREACHABLE
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch

# Below, a type holds every integer. A sum that is rounded is rounded to no less, so an answer below is right.
EXACT = {"float32": 2**24}


def built(graph, renumber, weights=None):
    """A handle and the graph, from the arrays of ours that are on the device."""
    handle = pylibcugraph.ResourceHandle()
    properties = pylibcugraph.GraphProperties(is_symmetric=not graph.directed, is_multigraph=False)
    made = pylibcugraph.SGGraph(
        handle,
        properties,
        graph.offsets,
        graph.targets,
        weight_array=weights,
        store_transposed=False,
        renumber=renumber,
        do_expensive_check=False,
        input_array_format="CSR",
    )
    return handle, made


def call(function, *arguments):
    """Its errors are all of one type: the one that is a known outcome is told apart by its words."""
    try:
        return function(*arguments)
    except RuntimeError as error:
        if any(words in str(error) for words in ("bad_alloc", "out_of_memory", "out of memory")):
            raise OutOfMemory(str(error)) from error
        raise


def distances(device, vertices, found):
    """uint32 in the order of our vertices, from pairs in any order; the largest number of a type stands for no path."""
    limits = device.xp.iinfo if found.dtype.kind == "i" else device.xp.finfo
    reached, exact = found < limits(found.dtype).max, EXACT.get(found.dtype.name, UNREACHABLE)
    longest = int(found[reached].max())
    if longest >= exact:
        raise UnsupportedLaunch(f"cuGraph: a distance is about {longest}, and {found.dtype} is exact below {exact}")
    answer = device.xp.full(len(found), UNREACHABLE, "uint32")
    answer[vertices[reached]] = found[reached].astype("uint32")
    return answer
