"""Singh (2017): the graphs, the algorithms and the launch of the paper, and its reckoning by kernel calls."""

from warpath.results import select, style
from warpath.results.evidence import Count, fastest, missing_reason

GRAPHS = ["singh-5", "singh-10", "singh-22", "singh-64"]
GPU, CPU = "bfs/frontier_struct", "bfs/cpu_queue"
LAUNCH = "default"  # one block of as many threads as vertices

TIMED = BUILT = GRAPHS[1:]  # no time of the first is printed; the others are built with as many levels as calls


def by_calls(evidence, row):
    """The speed-up over the kernel calls without resets, and by the paper's own reckoning, over the last one."""
    pairs = [(fastest(evidence, [CPU], graph), fastest(evidence, [GPU], graph, launch=LAUNCH)) for graph in TIMED]
    pairs, told = [(cpu, gpu) for cpu, gpu in pairs if cpu and gpu and gpu["device"] == "cuda"], []
    for clock, words in {"calls": "all kernel calls", "last_call": "the last one, which the paper's timer has"}.items():
        times = [(cpu["median_ms"], gpu.get(f"phase_{clock}_ms")) for cpu, gpu in pairs]
        if factors := [style.factor(of_cpu / of_gpu) for of_cpu, of_gpu in times if of_gpu and of_gpu > 0]:
            told.append(f"over {words}: {', '.join(factors)}")
    return f"Without resets, {'; '.join(told)}." if told else ""


def kernel_calls(evidence, row):
    printed, calls = select.printed(evidence.published, "singh2017", "kernel calls"), {}
    for graph, expected in zip(printed["graph"], printed["value"], strict=True):
        if run := fastest(evidence, [GPU], graph):
            count = run["kernel_launches"]
            calls[f"{count:g} on {graph} (printed: {expected:g})"] = bool(count == expected)
    built = tuple(subject for subject in calls if subject.split(" ")[2] in BUILT)
    return Count(", ".join(calls), calls, missing_reason(evidence, [GPU], row["graphs"].description), built)


def right_answers(evidence, row):
    rows = select.timed(select.runs(evidence.summary, [GPU], row["graphs"].names))
    right, missing = int((rows["status"] == select.SOUND).sum()), missing_reason(evidence, [GPU], "singh-5")
    return Count(f"{right} of {len(rows)} runs right", {"all runs": right == len(rows)} if len(rows) else {}, missing)
