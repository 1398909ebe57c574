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
    begun, solves = None, 0
    while True:
        read_at = time.perf_counter() + READ_EVERY
        while True:
            for source in sources:
                solve(source)
                device.synchronize()
            solves += len(sources)
            if time.perf_counter() >= read_at:
                break
        joules, now = device.joules(), time.perf_counter()
        if joules == last:
            continue
        if begun is None:
            begun, solves = (joules, now), 0
        elif now - begun[1] >= seconds:
            return {"joules": joules - begun[0], "solves": solves, "seconds": now - begun[1]}
        last = joules
