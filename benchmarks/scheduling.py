"""Measure Snakemake's own cost: planning a study of thousands of runs, and scheduling each job.

    python benchmarks/scheduling.py --runs 5000

In a copy of the workflow, each run is replaced by an `echo`, so only Snakemake and a shell are measured. CPU times of
Snakemake and its jobs are comparable between busy machines, where elapsed times are not.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import checkouts

from warpath.base import places

SNAKEFILE = """
include: "workflow/Snakefile"


rule nothing:
    output:
        "nothing",
    shell:
        "echo > {output:q}"


nothing, measuring = workflow.get_rule("nothing"), workflow.get_rule("measure_run")
measuring.shellcmd, measuring.run_func = nothing.shellcmd, nothing.run_func
"""
EMPTY = ["all", "--snakefile", "empty.smk"]
LAUNCHES = 4  # of bfs/level; the number of graphs follows


def seconds(call):
    """Elapsed seconds of a call, and CPU seconds of the processes that it ran."""
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    call()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def study(folder, runs):
    """Return a checkout with a study of that many runs, each replaced by an `echo`."""
    checkout = checkouts.make(folder)
    names = [f"path-{number}" for number in range(runs // LAUNCHES)]
    entries = [f"{name}: {{generator: {{kind: path, vertices: 9}}}}" for name in names]
    checkout.write("tiny-graphs.yaml", "\n".join(entries))
    blocks = "{block: [64, 128, 256, 512]}"
    checkout.write(
        "tiny.yaml",
        f"title: Many\nruns:\n  - {{graphs: [{', '.join(names)}], algorithms: [bfs/level], launches: {blocks}}}\n",
    )
    checkout.write("empty.smk", SNAKEFILE)
    return checkout


def fake_inputs(checkout, names):
    """Create empty files in place of graphs and oracles."""
    for name in names:
        for file in (places.prepared(name), places.oracle(name, "bfs")):
            path = checkout.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def until(checkout, words):
    """Start the workflow and kill it once it prints these words."""
    workflow = checkout.start(*EMPTY, "--dry-run", "--cores", "1", "--resources", "gpu=1")
    next(line for line in workflow.stdout if words in line)
    workflow.kill()
    workflow.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5000)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        checkout = study(Path(folder, "checkout"), runs)
        fake_inputs(checkout, [f"path-{number}" for number in range(runs // LAUNCHES)])
        planned = seconds(lambda: until(checkout, "Job stats:"))
        report("planning by Snakemake", planned)
        executed = seconds(lambda: checkout.snakemake(*EMPTY, "--until", "measure_run", "--quiet", "all"))
        count = len(list(checkout.folder.glob("results/runs/*/*/*/*.json")))
        shells = seconds(lambda: [subprocess.run(["bash", "-c", ":"], check=True) for _ in range(50)])
        report(
            f"each of {count} empty jobs beyond planning",
            [(whole - plan) / count for whole, plan in zip(executed, planned, strict=True)],
        )
        report("of which the shell", [shell / 50 for shell in shells])


def report(what, times):
    elapsed, cpu = (f"{time:.1f} s" if time > 0.1 else f"{1e3 * time:.1f} ms" for time in times)
    print(f"{what}: {elapsed}, {cpu} of CPU time", flush=True)


if __name__ == "__main__":
    main()
