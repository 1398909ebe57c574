"""How a run can end and what can weaken its measurement: the words for each, and which runs have times."""

from typing import NamedTuple


class Status(NamedTuple):
    """The words of a status for sentences and for narrow cells, and its meaning."""

    word: str
    short: str
    meaning: str


SOUND, WRONG, SUSPECT, UNCHECKED = "ok", "wrong", "suspect", "unchecked"
TIMEOUT, FAILED, MISSING = "timeout", "failed", "missing"
STATUSES = {
    SOUND: Status("ok", "ok", "finished with right answers"),
    WRONG: Status("wrong answer", "wrong", "finished, but an answer differs from the oracle's; never compared"),
    SUSPECT: Status("suspect", "suspect", "right answers, but in a time that cannot be believed; never compared"),
    UNCHECKED: Status("unchecked", "?", "the program gives no answer that could be checked; never compared"),
    TIMEOUT: Status("timed out", "timeout", "ended by the time limit"),
    "out_of_memory": Status("out of memory", "mem", "did not fit into memory"),
    "unsupported": Status("unsupported", "n/a", "the device or the algorithm cannot do this launch or this graph"),
    FAILED: Status("failed", "fail", "ended by an unexpected error; the next workflow tries these runs again"),
    MISSING: Status("no result", "–", "planned, but without a usable record"),  # in tables alone
}
WORDS = {name: status.word for name, status in STATUSES.items()}
UNSOUND = sorted(STATUSES.keys() - {SOUND}, key=[FAILED, MISSING, *STATUSES].index)  # the worst first
FAILING = (FAILED, SUSPECT)  # a workflow ends non-zero; a wrong answer does so unless it is the algorithm's point
TIMED = (SOUND, WRONG, SUSPECT, UNCHECKED)  # of runs that finished, whose times were sampled

SHORTENED = "shortened"  # the flag of runs that have fewer samples and nothing else against them
WEAK = {SHORTENED: "◐", None: "○"}  # the marks of times with this flag alone, and with any other


def weakness(flags):
    """The mark of a time with these flags, given as in tables; empty without any."""
    return WEAK.get(flags, WEAK[None]) if flags else ""
