"""A kernel that never ends."""

from warpath.algorithms import algorithm


@algorithm(launches=[{"block": 64}])
def endless(device, graph, launch):
    """Launch a kernel that spins."""
    (spin,) = device.kernels(__file__, "spin")
    return lambda source: spin[1, launch.block]()
