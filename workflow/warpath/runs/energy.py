"""Energy of a solve: the GPU's own counter over many solves, after those that are timed."""

import time

READ_EVERY = 0.05  # seconds of solves between two readings: a reading takes time, in which the GPU is idle


def measure(device, solve, sources, seconds):
    """Solve from all sources in turn for so many seconds; return {joules, solves, seconds}, None without a counter.

    The counter is renewed only now and then, so the interval begins and ends with a reading that differs from the one
    before. All that the card draws meanwhile counts, also what it draws when idle.
    """
    last = device.joules()
    if last is None:
        return None
    begun = None
    while True:
        solves = _solve(device, solve, sources)
        joules, now = device.joules(), time.perf_counter()
        if begun:
            begun["solves"] += solves
        if joules == last:
            continue
        last = joules
        if begun is None:
            begun = {"joules": joules, "solves": 0, "seconds": now}
        elif now - begun["seconds"] >= seconds:
            return begun | {"joules": joules - begun["joules"], "seconds": now - begun["seconds"]}


def _solve(device, solve, sources):
    """Solve from every source, again and again until it is time for a reading; return the number of solves."""
    end, rounds = time.perf_counter() + READ_EVERY, 0
    while rounds == 0 or time.perf_counter() < end:
        for source in sources:
            solve(source)
            device.synchronize()
        rounds += 1
    return rounds * len(sources)
