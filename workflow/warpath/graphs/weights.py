"""The weights policy: the file's own weights, unit ones, or integers hashed from the unordered pair of vertices.

The hash is the same on every machine and symmetric, so that both directions of an edge weigh the same, and does not
depend on the order of the edges. With `1..255 seed 7` it gives the weights that the peers' timings were taken with.
"""

DEFAULT = "1..10 seed 7"


def resolve(policy, in_file):
    """The policy without `auto` and with its seed spelt out, as it goes into the metadata."""
    if policy == "auto":
        return "file" if in_file else DEFAULT
    if ".." in policy:
        low, high, seed = bounds(policy)
        return f"{low}..{high} seed {seed}"
    return policy


def bounds(policy):
    """low, high and seed of a policy such as `1..255 seed 7`."""
    interval, _, seed = policy.partition(" seed ")
    low, _, high = interval.partition("..")
    return int(low), int(high), int(seed or 7)


def of_pairs(policy, sources, targets):
    """The hashed weights of arrays of pairs, in plain NumPy: what the native builder is held against."""
    import numpy as np

    low, high, seed = bounds(policy)
    smaller, larger = np.minimum(sources, targets).astype(np.uint64), np.maximum(sources, targets).astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = (smaller * np.uint64(0x9E3779B97F4A7C15)) ^ (larger * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(seed))
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    return (mixed % np.uint64(high - low + 1)).astype(np.int32) + np.int32(low)
