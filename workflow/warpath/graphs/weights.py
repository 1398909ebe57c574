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
