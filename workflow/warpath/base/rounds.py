"""Rounds of Snakemake's scheduler, which are only needed when a job ends.

For its limit on the rate of jobs, each round starts a timer that asks for another round after the limit's time span,
and that round starts one, too: after 3,000 jobs thousands of threads ask for a round each second. Our profiles name a
time span of a day, which is no limit, and these timers are ended here. Those of a user's own limit stay.
"""

import threading

NEVER = 86400  # seconds: the time span of max-jobs-per-timespan in the profiles


def watch():
    """End such timers once a second, and those that would keep a process alive that has finished."""
    threading.Thread(target=_end_timers, daemon=True).start()


def _end_timers():
    while True:
        threading.main_thread().join(timeout=1)
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer) and thread.interval >= NEVER:
                thread.cancel()
