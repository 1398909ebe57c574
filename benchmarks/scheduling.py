"""What Snakemake itself costs: planning a study of thousands of runs, and scheduling each of its jobs.

    python benchmarks/scheduling.py --runs 5000

In a copy of the workflow each run is replaced by an `echo`: what is left is Snakemake and a shell.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import checkouts

RUN = '"python -m warpath run {output:q} --device {params.device} {params.timing} > {log:q} 2>&1"'
NOTHING = '"echo > {output:q}"'
LAUNCHES = 4  # of bfs/level, with as many graphs as it takes


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def study(folder, runs):
    """A checkout whose study has so many runs, prepared as far as the runs."""
    made = checkouts.make(folder)
    names = [f"path-{number}" for number in range(runs // LAUNCHES)]
    made.write("tiny-graphs.yaml", "\n".join(f"{name}: {{generator: {{kind: path, vertices: 9}}}}" for name in names))
    blocks = "{block: [64, 128, 256, 512]}"
    made.write(
        "tiny.yaml",
        f"title: Many\nruns:\n  - {{graphs: [{', '.join(names)}], algorithms: [bfs/level], launches: {blocks}}}\n",
    )
    rules = folder / "workflow/rules/runs.smk"
    text = rules.read_text()
    assert text.count(RUN) == 1
    rules.write_text(text.replace(RUN, NOTHING))
    return made


def without_what_comes_before(made, names):
    """Files that stand for graphs and oracles, older than any run."""
    for name in names:
        for file in (f"graphs/{name}/vertices.parquet", f"graphs/{name}/edges.parquet", f"oracles/{name}/bfs.parquet"):
            path = made.folder / "resources" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def until(made, words):
    """Start the workflow and end it as soon as it says so."""
    workflow = made.start("--dry-run")
    next(line for line in workflow.stdout if words in line)
    workflow.kill()
    workflow.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5000)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        made = study(Path(folder, "checkout"), runs)
        without_what_comes_before(made, [f"path-{number}" for number in range(runs // LAUNCHES)])
        print(f"the list of {runs} runs: {seconds(lambda: made.warpath('plan')):.1f} s")
        planned = seconds(lambda: until(made, "Job stats:"))
        print(f"planned by Snakemake: {planned:.1f} s")
        target = ["--until", "measure_run", "--quiet", "all"]
        executed = seconds(lambda: made.snakemake(*target))
        count = len(list(made.folder.glob("results/runs/*/*/*/*.json")))
        each = 1e3 * (executed - planned) / count
        shell = 1e3 / 50 * seconds(lambda: [subprocess.run(["bash", "-c", ":"], check=True) for _ in range(50)])
        print(f"{count} jobs that do nothing: {each:.1f} ms each beyond planning, of which a shell {shell:.1f} ms")


if __name__ == "__main__":
    main()
