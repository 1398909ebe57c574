"""Slurm as it is found: asked when a workflow begins, and about jobs that cannot begin or are lost."""

import contextlib
import functools
import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from warpath.base import options, places
from warpath.base.errors import UserError
from warpath.base.text import escaped

JOBS = "warpath_"  # begins the names of jobs, by profiles/slurm
QUEUE = "squeue --me --noheader --format=%F|%j|%T|%r|%k|%Z"
PAST = "sacct -nXP --starttime=now-7days --format=JobID,JobName,State,Reason,Comment,WorkDir"
QUESTIONS = "sinfo --noheader --format=%R|%G", "scontrol show partition --oneliner", "sacctmgr --noheader list cluster"

# Beginnings of reasons for which a job waits until somebody changes the job, its account or its partition.
ENDLESS = (
    *("PartitionTimeLimit", "PartitionNodeLimit", "PartitionDown", "PartitionInactive", "ReqNodeNotAvail", "AssocGrp"),
    *("AssocMaxWall", "QOSMaxWall", "BadConstraints", "InvalidAccount", "InvalidQOS", "AccountNotAllowed", "JobHeld"),
)

ALIVE = "PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "COMPLETED"  # states that lose no record


class Cluster(NamedTuple):
    given: dict  # the options
    limits: dict  # minutes that a partition allows, infinite without a limit; empty where Slurm does not answer
    gpus: dict  # what the nodes of a partition have
    default: str  # partition
    accounting: bool
    silent: list

    def resource(self, rule, name, default=True):
        """What the options set, for a rule of a module too, whose name has something before it."""
        own, common = self.given.get("set-resources"), options.pairs(self.given.get("default-resources"))
        if isinstance(own, dict):
            own = {f"{rule}:{name}": value for rule, values in own.items() for name, value in values.items()}
        values = [value for key, value in options.pairs(own).items() if f"_{key}".endswith(f"_{rule}:{name}")]
        return str([*values, common.get(name, "") if default else ""][0]).strip("'\"")

    def partitions(self, rule):
        return (self.resource(rule, "slurm_partition") or self.default).split(",")

    def minutes(self, rule, wanted, least=0):
        """Fit what a job asks for into its partition; a run asks for `least` at least, and several share a job."""
        names, asked = self.partitions(rule), self.resource(rule, "runtime", default=False)
        if not self.limits or (asked and not asked.isdigit()):
            return wanted
        if unknown := set(names) - self.limits.keys():
            known = ", ".join(self.limits)
            self.refuse(f"slurm_partition of {rule}", f"no partition '{min(unknown)}'; there are {known}")
        runs = max([1, *map(int, options.pairs(self.given.get("group-components")).values())]) if least else 1
        limit, least = max(self.limits[name] for name in names), int(asked or least)
        if least * runs > limit:
            key = f"runtime of {rule}" if asked else "group-components" if least <= limit else "timing.time_limit"
            self.refuse(key, f"a job asks for {runs} × {least} minutes, but partition {','.join(names)} allows {limit}")
        return min(wanted, int(min(limit, 1e9)) // runs)

    def refuse(self, key, reason):
        place = "config/config.yaml" if key == "timing.time_limit" else self.given.get("place", "the command line")
        raise UserError(f"{reason}; set {key} in {place}")

    def check(self, uses_gpu):
        """Refuse what Slurm would never begin or never tell the end of; return lines that say what is asked."""
        names, model = self.partitions("measure_run"), self.resource("measure_run", "gpu_model")
        wanted = f"gpu:{model}" if model else self.resource("measure_run", "gres").rpartition(":")[0] or "gpu"
        gpus = " ".join(self.gpus.get(name, "") for name in names).strip()
        if uses_gpu and self.gpus and f"{wanted}:" not in gpus:
            reason = f"runs ask for {wanted}, but nodes of partition {','.join(names)} have {gpus or 'nothing known'}"
            self.refuse("slurm_partition, gpu_model or gres of measure_run", reason)
        states = self.given.get("slurm-status-command") or ("sacct" if shutil.which("sacct") else "squeue")
        if states == "sacct" and not (self.accounting or "sacctmgr" in self.silent):
            self.refuse("slurm-status-command: squeue", "Slurm has no accounting, so sacct would never tell what ended")
        unchecked = f"; no answer within 1 s, so not checked: {', '.join(self.silent)}" if self.silent else ""
        return f"warpath: Slurm: runs go to partition {','.join(names)}, {states} tells what ended{unchecked}"


def ask():
    """Ask Slurm side by side, one second each; None where jobs go elsewhere."""
    given = options.given()
    if given.get("executor") != "slurm":
        return None
    with ThreadPoolExecutor() as pool:
        nodes, partitions, accounting = [*pool.map(_answer, QUESTIONS)]
    gpus = {}
    for name, has in (line.split("|", 1) for line in (nodes or "").splitlines()):
        gpus[name] = f"{gpus.get(name, '')} {has}"
    fields = [dict(re.findall(r"(\w+)=(\S+)", line)) for line in (partitions or "").splitlines()]
    limits = {each["PartitionName"]: _minutes(each["MaxTime"]) for each in fields}
    default = next((each["PartitionName"] for each in fields if each["Default"] == "YES"), "")
    answered = nodes, partitions, accounting is not None  # without accounting, sacctmgr fails
    silent = [question.split()[0] for question, said in zip(QUESTIONS, answered, strict=True) if not said]
    return Cluster(given, limits, gpus, default, bool(accounting), silent)


def _answer(command, seconds=1):
    """What a command of Slurm writes, nothing where it fails; None where it is absent or takes longer."""
    with contextlib.suppress(OSError, subprocess.SubprocessError, UnicodeError):
        done = subprocess.run(command.split(), capture_output=True, text=True, timeout=seconds, check=False)
        return "" if done.returncode else done.stdout


def _minutes(text):
    """The minutes of a time such as 1-12:00:00."""
    found = re.fullmatch(r"(?:(\d+)-)?(\d+):(\d+):\d+", text)
    return (int(found[1] or 0) * 24 + int(found[2])) * 60 + int(found[3]) if found else float("inf")


def jobs(*commands):
    """The number, state, reason and comment of jobs that workflows in this folder have submitted."""
    listed = (line.split("|", 5) for command in commands for line in (_answer(command, 10) or "").splitlines())
    here = str(places.home or Path.cwd())
    return [(number, *row) for number, name, *row, place in listed if name.startswith(JOBS) and place == here]


def watch():
    """Tell once, within 30 s, of each reason for which jobs may wait for ever."""
    threading.Thread(target=_watch, daemon=True).start()


def _watch():
    told = set()
    while threading.main_thread().is_alive():
        threading.main_thread().join(timeout=30)
        for job, state, reason, _ in jobs(QUEUE):
            kind = re.split("[,(]", reason)[0]
            if state == "PENDING" and kind.startswith(ENDLESS) and kind not in told:
                told.add(kind)
                why = f"warpath: Slurm may never begin job {job}: {reason}; what it asks for: scontrol show job {job}"
                print(escaped(why), file=sys.stderr, flush=True)


past_jobs = functools.cache(lambda: jobs(f"{QUEUE} --states=all", PAST))


def fate(run):
    """What became of the job of a run that left no record, and its log; None where there is no such job."""
    rule = "measure_baseline" if run.device == "cpu" and not run.uses_gpu else "measure_run"
    group, alone = f"s-{run.graph}-{run.problem}_{rule}", f"_{run.graph}_{run.problem}_{run.algorithm}_{run.part}"
    ours = [job for job in past_jobs() if job[-1].endswith((group, alone)) and job[1] not in ALIVE]
    logs = Path(places.home or "", ".snakemake/slurm_logs")
    files = sorted([*logs.glob(f"group_*{group}/*.log"), *logs.glob(f"rule_{rule}/{alone[1:]}/*.log")])
    log = str(files[-1]) if files else ""
    if ours:
        job, state, reason, _ = max(ours, key=lambda job: int(job[0].partition("_")[0]))
        return f"Slurm job {job}: {state}" + (f" ({reason})" if reason not in ("None", "") else ""), log
    return (f"its Slurm job was cancelled or lost: see {log}", log) if log else None
