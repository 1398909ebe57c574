"""Weights policies: the weights in the file, weight 1, or integers hashed from the unordered pair of vertices.

A hashed weight is the same on every machine, in both directions of an edge and in any order of the edges. The policy
`1..255 seed 7` gives the weights with which the public libraries were timed.
"""

DEFAULT = "1..10 seed 7"


def resolve(policy, in_file):
    """Replace `auto` and spell out the seed, as the metadata has it; `in_file`: whether the file has weights."""
    if policy == "auto":
        return "file" if in_file else DEFAULT
    if ".." in policy:
        low, high, seed = bounds(policy)
        return f"{low}..{high} seed {seed}"
    return policy


def bounds(policy):
    """Return low, high and seed of a policy such as `1..255 seed 7`."""
    interval, _, seed = policy.partition(" seed ")
    low, _, high = interval.partition("..")
    return int(low), int(high), int(seed or 7)
