"""Groups: runs that share a Slurm job, one after the other. Each succeeds or fails by itself.

When a group's job fails, Snakemake marks all members as failed and deletes what they wrote. Here, a member with a new
record has succeeded, one without has failed if its log shows that it began, and the others are submitted again.
"""

import contextlib
from pathlib import Path

from warpath.base import places

# What a group requests at most: most runs take a small part of what they request.
MOST_MINUTES = 240


@contextlib.contextmanager
def ending_one_by_one(scheduler):
    """Within this block, report the members of a group to the scheduler one by one."""
    groups = _Groups(scheduler)
    scheduler.finish_callback, scheduler.error_callback = groups.succeed, groups.fail
    scheduler._executor.print_job_error = groups.report
    try:
        yield
    finally:
        groups.keep_interrupted()


def request_resources_of_one_run():
    """Let a group of runs request the most that any of them does, and their times added up, within a limit.

    Slurm may grant less time, but enough for one run: a partition has limits, too, and less may be free earlier. Runs
    that the job then has no time for are submitted again.
    """
    from snakemake.resources import GroupResources

    side_by_side = GroupResources.basic_layered

    def one_after_the_other(toposorted_jobs, *arguments, **options):
        jobs = [job for level in toposorted_jobs for job in level]
        if not _are_runs(jobs):
            return side_by_side(toposorted_jobs, *arguments, **options)
        requested = side_by_side([[job] for job in jobs], *arguments, **options)
        one = max(job.resources.runtime for job in jobs)
        return requested | {
            "runtime": min(requested["runtime"], max(one, MOST_MINUTES)),
            "slurm_extra": f"{requested.get('slurm_extra', '')} --time-min={one}",
        }

    GroupResources.basic_layered = one_after_the_other


def _are_runs(jobs):
    return all(places.is_record(file) for job in jobs for file in job.output)


def _is_ours(job):
    return job.is_group() and _are_runs(job)


class _Groups:
    def __init__(self, scheduler):
        self.scheduler, self.dag = scheduler, scheduler.workflow.dag
        self._succeed, self._fail = scheduler.finish_callback, scheduler.error_callback
        self._report = scheduler._executor.print_job_error
        self._before = {file: _state(file) for job in self.dag._group for file in (*job.output, *job.log)}

    def succeed(self, job):
        """Report that a job has ended well; Snakemake then looks for each member's record."""
        for member in self._parted(job, again=[]) if _is_ours(job) else [job]:
            self._succeed(member)

    def fail(self, job):
        if not _is_ours(job):
            return self._fail(job)
        for folder in {Path(file).parent for member in job for file in (*member.output, *member.log)}:
            with contextlib.suppress(OSError):
                list(folder.iterdir())  # on a network file system this shows files that are new
        measured, begun = set(filter(self._is_measured, job)), set(filter(self._has_begun, job))
        never_began = set(job) - measured - begun
        for member in self._parted(job, again=never_began if measured or begun else []):
            if member in measured:
                self._succeed(member)
            else:
                member.log_error()
                self._fail(member)

    def report(self, job_info, message=None, **details):
        """Print one line about a group's job, where Snakemake would describe every member."""
        if not _is_ours(job_info.job):
            return self._report(job_info, message, **details)
        output = (job_info.aux or {}).get("slurm_logfile", "none")
        _log(f"{message or 'A job ended with an error.'} Group {job_info.job.groupid}; its output: {output}")

    def keep_interrupted(self):
        """Let Snakemake know of what was measured in groups that were cancelled with the workflow."""
        workflow = self.scheduler.workflow
        for job in filter(_is_ours, self.scheduler.running):
            for member in filter(self._is_measured, job):
                workflow.async_run(workflow.persistence.finished(member))

    def _is_measured(self, member):
        return all(map(self._is_new, member.output))

    def _has_begun(self, member):
        return any(map(self._is_new, member.log))

    def _is_new(self, file):
        return _state(file) not in (None, self._before.get(file))

    def _parted(self, group, again):
        """Count members as running instead of their group, but for those that are to be submitted `again`."""
        scheduler, members = self.scheduler, [member for member in group if member not in again]
        with scheduler._lock:
            scheduler.running.remove(group)
            scheduler.running.update(members)
            scheduler._free_resources(group)
            scheduler.update_available_resources(members)
            self.dag._running.remove(group)
            self.dag._running.update(members)
            if again:
                self._submit_again(group, again)
        return members

    def _submit_again(self, group, members):
        _log(f"warpath: {len(members)} runs of a job that ended early had not begun, and are submitted again")
        rest = self.dag.group_job_factory.new(group.groupid, members, group.global_resources)
        rest.finalize()
        self.dag._group.update(dict.fromkeys(members, rest))
        self.dag._ready_jobs.add(rest)


def _state(file):
    with contextlib.suppress(OSError):
        status = Path(file).stat()
        return status.st_ino, status.st_mtime_ns
    return None


def _log(line):
    from snakemake.logging import logger

    logger.error(line)
