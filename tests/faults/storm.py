"""SIGKILL at random moments, each followed by a plain rerun that must end with the table of an undisturbed workflow.

    python tests/faults/storm.py --kills 50 --seed 1

What is killed is Snakemake itself, a conversion of a graph, a search for right answers while others help it, or either
process of a run. After each kill nothing may go on, and every record that was complete before must be the same
afterwards: nothing is lost. Only where right answers were being found anew and the search for them was killed, the
records that they belong to are measured again; and so is the one whose job was killed between the record and its end,
because Snakemake calls that job incomplete.
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
from checkouts import TABLE

VICTIMS = ("snakemake", "prepare", "oracle", "run", "measuring")
WORK = ["results/runs", "resources/graphs", "resources/oracles", "results/summary.csv", ".snakemake"]


class Storm:
    def __init__(self, checkout, seed):
        self.checkout, self.random = checkout, random.Random(seed)
        self.hits = collections.Counter()
        self.redone = 0
        self.kept = 0
        self._let_searches_have_help()
        begin = time.monotonic()
        checkout.snakemake(TABLE)
        self.seconds = time.monotonic() - begin
        self.table = checkout.table()

    def rage(self, kills):
        """So many kills that hit somebody, of each kind of victim in turn."""
        while self.hits.total() < kills:
            self.kill(VICTIMS[self.hits.total() % len(VICTIMS)])

    def told(self):
        hits = ", ".join(f"{count} × {victim}" for victim, count in self.hits.items())
        return f"killed {hits}; {self.kept} complete records kept, {self.redone} measured again"

    def _let_searches_have_help(self):
        """Tiny graphs have none; and it takes a moment, or it would never be met."""
        file = "workflow/warpath/runs/oracle.py"
        source = self.checkout.read(file)
        for old, new in (
            ("= 10**7", "= 1"),
            ("(row):\n    return", "(row):\n    __import__('time').sleep(0.5)\n    return"),
        ):
            assert source.count(old) == 1
            source = source.replace(old, new)
        self.checkout.write(file, source)

    def kill(self, victim):
        """Undo a part of the work, start it again, kill the victim on the way, rerun and compare."""
        self._undo()
        workflow = self.checkout.start(TABLE, "--cores", "2", "--resources", "gpu=1")
        hit = self._strike(workflow, victim)
        if victim == "snakemake":
            workflow.kill()
        output, _ = workflow.communicate()
        before = self._records()
        answered = {record: self._answers(record).exists() for record in before}
        self.hits[victim] += hit
        if hit:
            assert self.checkout.ended(), f"after the kill of {victim} these go on: {self.checkout.processes()}"

        output += self.checkout.snakemake(TABLE).stdout
        assert (self.checkout.folder / TABLE).exists(), f"after the kill of {victim}\n{output}"
        assert self.checkout.table() == self.table, f"after the kill of {victim}\n{output}"
        assert "Nothing to be done" in self.checkout.snakemake(TABLE).stdout
        redone = [record for record, made in before.items() if self._records()[record] != made]
        assert sum(map(answered.get, redone)) <= hit, f"measured again after the kill of {victim}: {redone}\n{output}"
        self.redone, self.kept = self.redone + len(redone), self.kept + len(before) - len(redone)
        assert not self._leftovers()

    def _undo(self):
        """Everything, or one graph, or some records: kills then fall on all kinds of jobs."""
        folder = self.checkout.folder
        choice = self.random.random()
        if choice < 0.3:
            for name in WORK:
                shutil.rmtree(folder / name, ignore_errors=True)
        elif choice < 0.7:
            graph = self.random.choice(["tiny-path", "tiny-star"])
            for name in ("results/runs", "resources/graphs", "resources/oracles"):
                shutil.rmtree(folder / name / graph, ignore_errors=True)
        else:
            for record in self.random.sample(sorted(folder.glob("results/runs/*/*/*/*.json")), 4):
                record.unlink()
            shutil.rmtree(folder / "resources/graphs/tiny-star")
        (folder / TABLE).unlink(missing_ok=True)

    def _strike(self, workflow, victim):
        """Send SIGKILL; returns whether the victim was there to be hit."""
        if victim == "snakemake":
            time.sleep(self.random.uniform(0.3, 0.8 * self.seconds))
            return workflow.poll() is None
        step = "run" if victim == "measuring" else victim
        nth, wait = self.random.randrange(2), self.random.uniform(0, 0.3)
        seen = set()
        while workflow.poll() is None:
            commands = self._commands()
            for process, (parent, command) in commands.items():
                is_child = parent in commands
                if step not in command or is_child != (victim in ("oracle", "measuring")) or process in seen:
                    continue
                seen.add(process)
                if len(seen) > nth:
                    time.sleep(wait)
                    try:
                        os.kill(parent if victim == "oracle" else process, signal.SIGKILL)
                        return True
                    except ProcessLookupError:
                        nth += 1
            time.sleep(0.005)
        return False

    def _commands(self):
        """The warpath commands that run here: {process: (its parent, its arguments)}."""
        found = {}
        for process in self.checkout.processes():
            try:
                arguments = Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
                parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if arguments[1:3] == ["-m", "warpath"]:
                found[process] = int(parent), arguments[3:4]
        return found

    def _records(self):
        """When each complete record was begun: two that are equal are the same measurement."""
        records = {}
        for path in self.checkout.folder.glob("results/runs/*/*/*/*.json"):
            if not path.name.endswith(".failed.json"):
                records[str(path)] = json.loads(path.read_text())["started"]
        return records

    def _answers(self, record):
        graph, problem = Path(record).parts[-4:-2]
        return self.checkout.folder / "resources/oracles" / graph / f"{problem}.parquet"

    def _leftovers(self):
        folder = self.checkout.folder
        hidden = [*folder.glob("results/**/.*.tmp"), *folder.glob("resources/**/.*.tmp")]
        return [*hidden, *folder.glob("results/runs/**/*.failed.json")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        storm = Storm(checkouts.make(Path(folder, "checkout")), arguments.seed)
        storm.rage(arguments.kills)
        print(storm.told())


if __name__ == "__main__":
    main()
