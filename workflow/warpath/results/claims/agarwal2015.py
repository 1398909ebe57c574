"""What Agarwal and Dutta concluded on a GeForce GTS 450 and a Tesla C2075."""

from warpath.results import select
from warpath.results.evidence import Graphs, ask, at_least, over

BASIC, TWO_FLAGS = "sssp/bellman_ford", "sssp/two_flags"


def claims(evidence):
    printed = select.printed(evidence.published, "agarwal2015")
    times = printed.pivot(index=["graph", "device"], columns="algorithm", values="value")
    then = times[BASIC] / times[TWO_FLAGS]
    yield ask(
        "two-flags-faster",
        "section 5, tables 1 and 2",
        "Relaxing only edges whose source changed, by two flags, is 2 to 6 times faster at every size.",
        "sssp/bellman_ford over sssp/two_flags on the Gnutella networks, fastest launch; holds from 2.",
        over(evidence, [BASIC], [TWO_FLAGS], Graphs("the Gnutella networks", list(printed["graph"].unique()))),
        at_least(2),
        f"The paper's own tables give {then.min():.1f}× to {then.max():.1f}×.",
    )
