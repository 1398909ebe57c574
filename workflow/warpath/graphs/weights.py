"""Weights policies: the weights in the file, weight 1, or integers hashed from the unordered pair of vertices.

`scale N` multiplies the file's weights by N and rounds them; `round` is `scale 1`. `gap` are those of the GAP Benchmark
Suite.

`heavy 1..1000000` has a heavy tail: a weight is at least x times the lower bound with the probability 1/x.

A hashed weight is the same on every machine, in both directions of an edge and in any order of the edges. The policy
`1..255 seed 7` gives the weights with which the public libraries were timed.
"""

from typing import NamedTuple

DEFAULT = "1..10 seed 7"
HEAVY = "heavy "
QUANTILES = "quantiles "
GAP = "gap"  # the policy: weights by the place of an edge, as the GAP Benchmark Suite draws them


class FileWeights(NamedTuple):
    """How a reader treats the weights in the file."""

    used: bool = True
    negative: str = "refuse"  # or absolute, or keep
    scale: float = 0  # 0 leaves fractions as they are
    required: bool = False  # the policy names them, so that a third column that could be a time is a weight


IGNORED = FileWeights(used=False, negative="keep")


def from_file(policy):
    return policy in ("file", "absolute", "round") or policy.startswith("scale ")


def of_file(policy):
    if not (policy == "auto" or from_file(policy)):
        return IGNORED
    scale = 1 if policy == "round" else float(policy.removeprefix("scale ")) if policy.startswith("scale ") else 0
    return FileWeights(True, "absolute" if policy == "absolute" else "refuse", scale, policy != "auto")


def resolve(policy, in_file):
    """Replace `auto` and spell out the seed, as the metadata has it; `in_file`: whether the file has weights."""
    if policy == "auto":
        return "file" if in_file else DEFAULT
    if ".." in policy:
        low, high, seed, heavy = drawn(policy)
        return f"{HEAVY * heavy}{low}..{high} seed {seed}"
    return policy


def in_words(policy):
    """The policy that a mapping of the catalogue is: `scale 10`, `quantiles 169 279`."""
    return " ".join(f"{kind} {str(value).strip('[]').replace(',', '')}" for kind, value in policy.items())


def drawn(policy):
    """Return low, high and seed of a policy such as `1..255 seed 7`, and whether it has a heavy tail."""
    if policy.startswith(QUANTILES):
        return 0, 2**31 - 1, 7, False
    interval, _, seed = policy.removeprefix(HEAVY).partition(" seed ")
    low, _, high = interval.partition("..")
    return int(low), int(high), int(seed or 7), policy.startswith(HEAVY)
