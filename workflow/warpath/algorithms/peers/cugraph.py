"""Common parts of cuGraph's two algorithms: its graph, its errors, and its answer in the order of our vertices."""

import functools

import pylibcugraph

from warpath.algorithms import UNREACHABLE
from warpath.algorithms.peers import answers
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch

POOL_BYTES = 2**28  # initial size; the pool grows during the warm-up, so that timed solves do not wait for it


@functools.cache
def share_pool():
    """Have the library and CuPy take memory from one pool."""
    import cupy
    import rmm
    from rmm.allocators.cupy import rmm_cupy_allocator

    pool = rmm.mr.PoolMemoryResource(rmm.mr.CudaMemoryResource(), initial_pool_size=POOL_BYTES)
    rmm.mr.set_current_device_resource(pool)
    cupy.cuda.set_allocator(rmm_cupy_allocator)


def built(graph, renumber, weights=None):
    """Return a handle and cuGraph's graph over our arrays on the device."""
    share_pool()
    handle = pylibcugraph.ResourceHandle()
    properties = pylibcugraph.GraphProperties(is_symmetric=not graph.directed, is_multigraph=False)
    converted = pylibcugraph.SGGraph(
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
    return handle, converted


def call(function, *arguments):
    """Call a function of cuGraph. All its errors are RuntimeErrors; text alone tells that memory ran out."""
    try:
        return function(*arguments)
    except RuntimeError as error:
        if any(text in str(error) for text in ("bad_alloc", "out_of_memory", "out of memory")):
            raise OutOfMemory(str(error)) from error
        raise


def distances(device, vertices, values):
    """Return uint32 distances by vertex, from pairs in any order; the largest number of a type stands for no path."""
    limits = device.xp.iinfo if values.dtype.kind == "i" else device.xp.finfo
    # Floats hold every integer below a limit, and rounding never takes a larger sum below it: answers below are exact.
    exact = answers.EXACT if values.dtype == "float32" else UNREACHABLE
    reached = values < limits(values.dtype).max
    longest = int(values[reached].max())
    if longest >= exact:
        raise UnsupportedLaunch(f"cuGraph: a distance is about {longest}, and {values.dtype} is exact below {exact}")
    answer = device.xp.full(len(values), UNREACHABLE, "uint32")
    answer[vertices[reached]] = values[reached].astype("uint32")
    return answer
