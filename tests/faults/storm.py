"""SIGKILL at random moments, each followed by a plain rerun that must end with the table of an undisturbed workflow.

    python tests/faults/storm.py --kills 50 --seed 1
    TEST_ISOLATION=process python tests/faults/storm.py --kills 50 --seed 1    without warm workers

The victims are Snakemake itself, the server of warm workers, the jobs that prepare a graph, compute an oracle or do a
run, and the process that measures. After each kill no process may go on, and complete records must stay as they are,
with two exceptions: when an oracle that was being computed anew is killed, the records that depend on it are measured
again; and when a job is killed between writing its record and its end, Snakemake calls the job incomplete and repeats
it.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import checkouts
from checkouts import ISOLATION, RECORDS, TABLE

VICTIMS = ("snakemake", *["server"] * (ISOLATION == "worker"), "prepare", "oracle", "run", "measuring")
MOST_MISSES = 20  # beyond chance: such a process is no longer found
STEPS = ("download", "prepare", "oracle", "probe", "run", "gather")
SLOW_ORACLE = Path(__file__).with_name("slow_oracle")
WORK = ["results/runs", "results/kept", "resources/graphs", "resources/oracles", "results/summary.csv", ".snakemake"]


class Storm:
    def __init__(self, checkout, seed):
        self.checkout, self.random = checkout, random.Random(seed)
        self.hits = collections.Counter()
        self.misses = 0  # in a row
        self.redone = 0
        self.kept = 0
        checkout.environment["PYTHONPATH"] = str(SLOW_ORACLE)
        begin = time.monotonic()
        checkout.snakemake(TABLE)
        self.seconds = time.monotonic() - begin
        self.table = checkout.table()

    def rage(self, kills):
        """Kill the victims in turn until this many kills have hit a process."""
        while self.hits.total() < kills:
            self.kill(victim := VICTIMS[self.hits.total() % len(VICTIMS)])
            assert self.misses < MOST_MISSES, f"no {victim} was found in {self.misses} workflows"

    def account(self):
        hits = ", ".join(f"{count} × {victim}" for victim, count in self.hits.items())
        return f"killed {hits}; {self.kept} complete records kept, {self.redone} measured again"

    def kill(self, victim):
        """Undo a part of the work, start the workflow, kill the victim, rerun and compare."""
        self._undo()
        workflow = self.checkout.start(TABLE, "--cores", "2", "--resources", "gpu=1")
        hit = self._strike(workflow, victim)
        if victim == "snakemake":
            workflow.kill()
        output, _ = workflow.communicate()
        before = self._records()
        answered = {record: self._answers(record).exists() for record in before}
        self.hits[victim] += hit
        self.misses = 0 if hit else self.misses + 1
        if hit:
            assert self.checkout.ended(), f"running after the kill of {victim}: {self.checkout.processes()}"

        output += self.checkout.snakemake(TABLE).stdout
        assert (self.checkout.folder / TABLE).exists(), f"after the kill of {victim}\n{output}"
        assert self.checkout.table() == self.table, f"after the kill of {victim}\n{output}"
        assert "Nothing to be done" in self.checkout.snakemake(TABLE).stdout
        after = self._records()
        redone = [record for record, started in before.items() if after[record] != started]
        assert sum(map(answered.get, redone)) <= hit, f"measured again after the kill of {victim}: {redone}\n{output}"
        self.redone, self.kept = self.redone + len(redone), self.kept + len(before) - len(redone)
        assert not self._temporary(), self._temporary()

    def _undo(self):
        """Remove everything, or what belongs to one graph, or some records, so that kills meet all kinds of jobs."""
        folder = self.checkout.folder
        choice = self.random.random()
        if choice < 0.3:
            for name in WORK:
                shutil.rmtree(folder / name, ignore_errors=True)
        elif choice < 0.7:
            graph = self.random.choice(["tiny-path", "tiny-star"])
            self._forget(folder.glob(f"results/runs/{graph}/*/*/*.json"))
            for name in ("resources/graphs", "resources/oracles"):
                shutil.rmtree(folder / name / graph, ignore_errors=True)
        else:
            self._forget(self.random.sample(sorted(folder.glob(RECORDS)), 4))
            shutil.rmtree(folder / "resources/graphs/tiny-star")
        (folder / TABLE).unlink(missing_ok=True)

    def _forget(self, records):
        """Remove these records and what is kept by their keys. Others must outlive a graph that is made anew."""
        for path in list(records):
            key = json.loads(path.read_text())["key"]
            (self.checkout.folder / "results/kept" / f"{key}.json").unlink(missing_ok=True)
            path.unlink()

    def _strike(self, workflow, victim):
        """Send SIGKILL. Returns whether the victim was there."""
        if victim == "snakemake":
            sooner = 1 + self.misses  # as less work may have been undone
            time.sleep(self.random.uniform(0.3, 0.8 * self.seconds / sooner))
            return workflow.poll() is None
        if victim == "server":
            return self._strike_while_it_writes(workflow)
        nth = self.random.randrange(2)
        seen = set()
        while workflow.poll() is None:
            for process in self._targets(victim) - seen:
                seen.add(process)
                if len(seen) > nth:
                    time.sleep(self.random.choice([0, 0.01, 0.1, 0.3]))  # some live for seconds, some for milliseconds
                    try:
                        os.kill(process, signal.SIGKILL)
                        return True
                    except ProcessLookupError:
                        nth += 1
            time.sleep(0.005)
        return False

    def _strike_while_it_writes(self, workflow):
        """Kill the server while one of its commands writes a file."""
        nth, seen = self.random.randrange(3), set()
        while workflow.poll() is None:
            seen |= set(self._temporary())
            if len(seen) > nth and (server := self._targets("server")):
                os.kill(server.pop(), signal.SIGKILL)
                return True
            time.sleep(0.002)
        return False

    def _targets(self, victim):
        """The processes that this victim may be."""
        names, parents = self._tree()
        first = {process for process in names if names.get(parents[process]) != names[process]}
        server = {process for process in first if names[process] == "server"}
        jobs = first - server
        commands = jobs | {process for process in names if parents[process] in server}
        if victim == "server":
            return server
        if victim == "measuring" and "run" in {names[job] for job in jobs}:
            return {process for process in names if parents[process] in commands}
        return {job for job in jobs if names[job] == victim}

    def _tree(self):
        """Of each of warpath's processes its step, or "server", which a fork inherits, and its parent."""
        names, parents = {}, {}
        for process in self.checkout.processes():
            try:
                arguments = Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
                parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if arguments[1:3] == ["-m", "warpath"]:
                names[process] = next((word for word in arguments[3:] if word in STEPS), "")
            elif arguments[1:3] == ["-m", "warpath.warm.server"]:
                names[process] = "server"
            parents[process] = int(parent)
        return names, parents

    def _records(self):
        """When the measurement of each complete record began, by the record's path."""
        records = {}
        for path in self.checkout.folder.glob(RECORDS):
            record = json.loads(path.read_text())
            if record["status"] != "failed":
                records[str(path)] = record["started"]
        return records

    def _answers(self, record):
        graph, problem = Path(record).parts[-4:-2]
        return self.checkout.folder / "resources/oracles" / graph / f"{problem}.parquet"

    def _temporary(self):
        folder = self.checkout.folder
        return [*folder.glob("results/**/.*.tmp"), *folder.glob("resources/**/.*.tmp")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        storm = Storm(checkouts.make(Path(folder, "checkout")), arguments.seed)
        storm.rage(arguments.kills)
        print(storm.account())


if __name__ == "__main__":
    main()
