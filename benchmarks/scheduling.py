"""Measure Snakemake's own cost: planning a study of thousands of runs, and scheduling each job.

    python benchmarks/scheduling.py --runs 5000

In a copy of the workflow, each run is replaced by an `echo`, so only Snakemake and a shell are measured.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import checkouts

from warpath.foundation import places

RUN = '"python -m warpath run {output:q} --device {params.device} {params.timing} > {log:q} 2>&1"'
NOTHING = '"echo > {output:q}"'
LAUNCHES = 4  # of bfs/level; the number of graphs follows


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


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
    rules = folder / "workflow/rules/runs.smk"
    text = rules.read_text()
    assert text.count(RUN) == 1
    rules.write_text(text.replace(RUN, NOTHING))
    return checkout


def fake_inputs(checkout, names):
    """Create empty files in place of graphs and oracles."""
    for name in names:
        for file in (*places.graph_files(name), places.oracle(name, "bfs")):
            path = checkout.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def until(checkout, words):
    """Start the workflow and kill it once it prints these words."""
    workflow = checkout.start("--dry-run")
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
        print(f"list of {runs} runs: {seconds(lambda: checkout.warpath('plan')):.1f} s")
        planned = seconds(lambda: until(checkout, "Job stats:"))
        print(f"planning by Snakemake: {planned:.1f} s")
        target = ["--until", "measure_run", "--quiet", "all"]
        executed = seconds(lambda: checkout.snakemake(*target))
        count = len(list(checkout.folder.glob("results/runs/*/*/*/*.json")))
        each = 1e3 * (executed - planned) / count
        shell = 1e3 / 50 * seconds(lambda: [subprocess.run(["bash", "-c", ":"], check=True) for _ in range(50)])
        print(f"{count} empty jobs: {each:.1f} ms each beyond planning, of which the shell takes {shell:.1f} ms")


if __name__ == "__main__":
    main()
