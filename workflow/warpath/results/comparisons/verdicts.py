"""What is said of a run that was measured twice, and the exit codes of commands that say it."""

SLOWER, FASTER, SAME, UNDECIDED, BROKEN, REPAIRED = "slower", "faster", "same", "undecided", "broken", "repaired"
VERDICTS = {verdict: verdict for verdict in (BROKEN, SLOWER, FASTER, REPAIRED, UNDECIDED)}  # what matters first
VERDICTS[SAME] = "with no difference that can be seen"  # in a sentence
STEPS = (SLOWER, FASTER)
MARK = 1.05  # less than 5 % is no difference, as in claims

NOTHING_SLOWER, ONE_SLOWER, CANNOT_TELL, ONE_BROKEN = range(4)  # exit codes; that of any error is CANNOT_TELL
EXITS = "exits with 0 if no run is slower, 1 if one is, 3 if one is broken, 2 if it cannot tell"


def verdict(low, high, mark=MARK):
    """What an interval of the ratio says; where an end is None or NaN, nothing."""
    if low is None or high is None:
        return UNDECIDED
    if low > mark:
        return SLOWER
    if high < 1 / mark:
        return FASTER
    return SAME if low >= 1 / mark and high <= mark else UNDECIDED


def exit_code(verdicts, otherwise=NOTHING_SLOWER):
    found = set(verdicts)
    return ONE_BROKEN if BROKEN in found else ONE_SLOWER if SLOWER in found else otherwise


def counted(verdicts, brief=False):
    found, words = list(verdicts), dict(zip(VERDICTS, VERDICTS, strict=True)) if brief else VERDICTS
    return ", ".join(f"{found.count(verdict)} {word}" for verdict, word in words.items() if verdict in found)
