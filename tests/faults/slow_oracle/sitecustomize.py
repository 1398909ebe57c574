"""On PYTHONPATH, this makes `warpath oracle` start helper processes for the smallest graph and take half a second a row."""

import sys

if sys.orig_argv[1:4] == ["-m", "warpath", "oracle"]:
    import time

    from warpath.runs import oracle

    answer = oracle._answer

    def answer_slowly(*arguments):
        time.sleep(0.5)
        return answer(*arguments)

    oracle._answer, oracle.ARCS_A_PROCESS = answer_slowly, 1
