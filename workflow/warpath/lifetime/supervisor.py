"""What a workflow does before and after its jobs, whether it runs by itself or as a module of another."""

import contextlib
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from warpath.base import errors, places
from warpath.base.settings import catalogues, check, file
from warpath.lifetime import folder, groups, module, previous, processes, repeat, slurm
from warpath.runs import overhead, provenance, wrong
from warpath.warm.address import FOLDER

# A plan of 5,000 runs is some million objects that live to the end. With Python's default of 700, collections take a
# quarter of the time to make it.
OBJECTS_BETWEEN_COLLECTIONS = 50_000

# Snakemake's default for --max-jobs-per-timespan.
DEFAULT_JOBS_PER_SECOND = 100


class Part(NamedTuple):
    """This workflow in another, which may have it several times; or by itself."""

    use: module.Use
    settings: dict
    runs: Callable  # returns the runs, which are planned later
    rules: set  # of Snakemake, which are defined later

    def jobs(self, workflow):
        """The jobs of this part that are still to be run."""
        return [job for job in workflow.dag.needrun_jobs() if job.rule in self.rules]


def supervise(workflow, use, config, runs):
    """Give jobs their environment, prepare the folder before the first job, and end with a summary and what is left.

    To be called while Snakemake reads the rules; returns the settings. A dry run, or a command that runs no jobs,
    changes nothing.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    settings = check(config, _place_of_settings(workflow, use))
    folder.require(use.path(places.RESULTS))
    processes.prepare_jobs(str(places.WORKFLOW), catalogues(settings), settings, use.prefix)
    parts = vars(workflow).setdefault("warpath_parts", [])
    if not parts:
        _wrap_scheduler(workflow, parts)
        if workflow.is_main_process:
            groups.request_resources_of_one_run()
            _wrap_execution(workflow)
    parts.append(Part(use, settings, runs, workflow.modifier.rules))
    return settings


def _place_of_settings(workflow, use):
    """Where errors say that a setting is from; None for the file alone."""
    if use.name:
        return f"config of module {use.name}"
    return f"{file()} or --config" if workflow.config_settings.overwrite_config else None


def _wrap_scheduler(workflow, parts):
    """Wrap the function that runs all jobs: Snakemake ignores the handlers of a module."""
    from snakemake.scheduling.job_scheduler import JobScheduler

    schedule = JobScheduler.schedule

    def supervised(scheduler):
        if scheduler.workflow is not workflow:
            return schedule(scheduler)
        _lift_default_rate(scheduler)
        if not workflow.is_main_process:
            return schedule(scheduler)
        for line in provenance.timing_lines():
            print(line, file=sys.stderr)
        if scheduler.dryrun or workflow.touch:
            return schedule(scheduler)
        _begin(workflow, parts)
        gc.freeze()  # the plan, which no collection needs to look at again
        used = [part for part in parts if part.jobs(workflow)]
        _fail_jobs_whose_input_is_damaged(scheduler)
        with previous.keeping(workflow), _submitting(scheduler):
            provenance.end_planning(workflow.dag.needrun_jobs(), workflow.persistence)
            success = schedule(scheduler)
        for part in used:
            failed = not success and part.jobs(workflow)
            if failed:
                _salvage(workflow, part)
            print(*_last_lines(workflow, part, failed), sep="\n", flush=True)
        return success

    JobScheduler.schedule = supervised


def _submitting(scheduler):
    """Adapt how jobs are submitted to a cluster, where the workflow does that."""
    if scheduler.workflow.local_exec:
        return contextlib.nullcontext()
    slurm.run_without_nesting(scheduler._executor)
    return groups.ending_one_by_one(scheduler)


def _fail_jobs_whose_input_is_damaged(scheduler):
    """Fail each job whose input an earlier job put aside as damaged, for which Snakemake would end the workflow."""
    run = scheduler.run

    def run_others(jobs, executor=None):
        others = []
        for job in jobs:
            aside = next((file for file in job.input if _is_put_aside(file)), None)
            if aside is None:
                others.append(job)
            else:
                print(f"warpath: {aside} was damaged and put aside: no job that reads it is run", file=sys.stderr)
                scheduler.error_callback(job)
        run(others, executor)

    scheduler.run = run_others


def _is_put_aside(file):
    return not Path(file).exists() and Path(f"{file}.damaged").exists()


def _lift_default_rate(scheduler):
    """Remove Snakemake's limit on the rate of jobs, unless a user has set a lower one.

    With any limit, each round of the scheduler starts a thread that asks for one more round a second later. The rounds
    add up until one follows another, each as costly as a job, and the last thread delays the workflow's end by 1 s.
    """
    limiter = scheduler.job_rate_limiter
    if limiter and limiter.max_jobs >= DEFAULT_JOBS_PER_SECOND * limiter.timespan:
        scheduler.job_rate_limiter = None


def _wrap_execution(workflow):
    """End with an error if answers are wrong, also where nothing is to be done."""
    from snakemake.exceptions import WorkflowError

    execute = workflow.execute

    def checked(*arguments, **options):
        with _ending_at_once_when_interrupted_again():
            result = execute(*arguments, **options)
        if not workflow.dryrun and not workflow.touch:
            records = [record for job in workflow.dag.jobs for record in job.output if places.is_record(record)]
            if named := wrong.named(records):
                raise WorkflowError(f"WRONG ANSWERS of algorithms that should be exact: {named}")
        return result

    workflow.execute = checked


@contextlib.contextmanager
def _ending_at_once_when_interrupted_again():
    """Snakemake expects one Ctrl-C, after which jobs are ended and tables made of what there is."""
    try:
        yield
    except KeyboardInterrupt:
        print("warpath: interrupted again: ended at once; the same command continues the workflow", file=sys.stderr)
        sys.stdout.flush()
        os._exit(130)


def _begin(workflow, parts):
    made = [part.use.path(path) for part in parts for path in ("resources", places.RESULTS)]
    with errors.one_line():
        folder.lock()
        processes.defer_sigterm()
        folder.repair_dates(places.CONFIG, places.WORKFLOW, places.ROOT / "kernels", *made)
        slurm.check(workflow)
        slurm.cancel_leftovers(workflow)
        for use, settings, *_ in parts:
            repeat.remember_cluster(sys.argv, here=workflow.local_exec, folder=use.folder)
            repeat.remember_module(use, settings, sys.argv, workflow.dag_settings.targets)


def _salvage(workflow, part):
    """Build tables, figures and report from the runs that succeeded. A rerun builds them again."""
    from snakemake.io import IOFile

    command = [sys.executable, "-m", "warpath", "salvage", "--settings", json.dumps(part.settings)]
    folder = {FOLDER: part.use.prefix} if part.use.prefix else {}
    subprocess.run(command, check=False, env=os.environ | folder)
    for table in (places.TIMINGS, places.SUMMARY):
        workflow.persistence.cleanup_metadata(IOFile(part.use.path(table)))


def _last_lines(workflow, part, failed):
    """How the runs of a part ended, and where to read on: what tells why jobs failed, or the new page."""
    records = [part.use.path(run.record) for run in part.runs()]
    name = "" if part.use.is_main else f"{part.use.name}: "
    begun, page = workflow.start_time.timestamp(), Path(part.use.path(places.REPORT))
    yield from (f"{name}{line}" for line in overhead.lines(records, since=begun))
    if failed:
        yield f"{name}What failed and how to do it again: {repeat.failures(part.use, part.settings)}"
    elif page.exists() and page.stat().st_mtime >= begun:
        yield f"{name}The report: {page}"
