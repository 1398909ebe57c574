"""What a workflow does before and after its jobs, whether it runs by itself or as a module of another."""

import contextlib
import gc
import json
import subprocess
import sys

from warpath.foundation import errors, places
from warpath.foundation.settings import catalogues
from warpath.lifetime import folder, groups, previous, processes, repeat, slurm
from warpath.runs import provenance, wrong

# A plan of 5,000 runs is some million objects that live to the end. With Python's default of 700, collections take a
# quarter of the time to make it.
OBJECTS_BETWEEN_COLLECTIONS = 50_000

# Snakemake's default for --max-jobs-per-timespan.
DEFAULT_JOBS_PER_SECOND = 100


def supervise(workflow, settings):
    """Give jobs their environment, prepare the folder before the first job, and salvage results after a failure.

    To be called while Snakemake reads the rules. A dry run, or a command that runs no jobs, changes nothing.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    processes.prepare_jobs(str(places.WORKFLOW), catalogues(settings), settings)
    _wrap_scheduler(workflow, lambda: _begin(workflow), lambda: _salvage(workflow, settings))
    if workflow.is_main_process:
        groups.request_resources_of_one_run()
        _wrap_execution(workflow)


def _wrap_scheduler(workflow, begin, salvage):
    """Wrap the function that runs all jobs: Snakemake ignores the onstart and onerror handlers of a module."""
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
        begin()
        gc.freeze()  # the plan, which no collection needs to look at again
        with previous.keeping(workflow), _submitting(scheduler):
            provenance.end_planning(workflow.dag.needrun_jobs(), workflow.persistence)
            success = schedule(scheduler)
        if not success:
            salvage()
        return success

    JobScheduler.schedule = supervised


def _submitting(scheduler):
    """Adapt how jobs are submitted to a cluster, where the workflow does that."""
    if scheduler.workflow.local_exec:
        return contextlib.nullcontext()
    slurm.run_without_nesting(scheduler._executor)
    return groups.ending_one_by_one(scheduler)


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
        result = execute(*arguments, **options)
        if not workflow.dryrun and not workflow.touch:
            records = [record for job in workflow.dag.jobs for record in job.output if places.is_record(record)]
            if named := wrong.named(records):
                raise WorkflowError(f"WRONG ANSWERS of algorithms that should be exact: {named}")
        return result

    workflow.execute = checked


def _begin(workflow):
    with errors.one_line():
        folder.lock()
        processes.defer_sigterm()
        folder.repair_dates(places.CONFIG, places.WORKFLOW, places.ROOT / "kernels", "resources", places.RESULTS)
        slurm.check(workflow)
        slurm.cancel_leftovers(workflow)
        repeat.remember_cluster(sys.argv, here=workflow.local_exec)


def _salvage(workflow, settings):
    """Build tables, figures and report from the runs that succeeded. A rerun builds them again."""
    from snakemake.io import IOFile

    subprocess.run([sys.executable, "-m", "warpath", "salvage", "--settings", json.dumps(settings)], check=False)
    for table in (places.TIMINGS, places.SUMMARY):
        workflow.persistence.cleanup_metadata(IOFile(table))
