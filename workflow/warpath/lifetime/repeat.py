"""Commands that repeat something with the settings of a workflow, quoted for a shell, without credentials in URLs."""

import argparse
import contextlib
import json
import os
import shlex
from pathlib import Path

import yaml

from warpath.foundation import places, settings
from warpath.foundation.files import write_json
from warpath.foundation.text import without_credentials

OPTION = "--workflow-profile"
UNKNOWN = "<profile>"  # for the user to fill in: without a profile, jobs for compute nodes would run on a login node
CLUSTER = Path(".snakemake/warpath-cluster.json")


def remember_cluster(arguments, here):
    """Write down how this workflow submits its jobs and the device they run on, for later commands in this folder.

    Jobs that run `here`, on this machine, need no such file; remove it.
    """
    if here:
        CLUSTER.unlink(missing_ok=True)
        return
    write_json(CLUSTER, {"profile": _profile(arguments), "device": os.environ["WARPATH_DEVICE"]})


def _profile(arguments):
    """The workflow profile on Snakemake's command line; None where jobs are submitted by other options."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(OPTION)
    profile = parser.parse_known_args(arguments)[0].workflow_profile
    return None if profile == "none" else profile


def cluster():
    """How the last workflow in this folder submitted its jobs; empty where they ran on this machine."""
    with contextlib.suppress(OSError, ValueError):
        return json.loads(CLUSTER.read_text())
    return {}


def workflow(used, *targets, base=None):
    """The Snakemake command for the settings `used`. It names those that differ from `base` (default: the file)."""
    changed = _changed(used, base or settings.read())
    words = [f"{key}={_as_given(value)}" for key, value in changed.items()]
    return without_credentials(shlex.join([*_results(base), "snakemake", *targets, *job_options(), "--config", *words]))


def job_options():
    """The options that decide where jobs run, as in the last workflow in this folder."""
    submission = cluster()
    return [OPTION, submission["profile"] or UNKNOWN] if submission else ["--cores", "1", "--resources", "gpu=1"]


def step(name, used, base=None):
    """The warpath sub-command `name` for the settings `used`; `base` as for `workflow`."""
    chosen = ["--study", used["study"]]
    if _changed(used, base or settings.read()).keys() != {"study"}:
        chosen = ["--settings", json.dumps(_changed(used, settings.defaults()))]
    return without_credentials(shlex.join([*_results(base), ".venv/bin/python", "-m", "warpath", name, *chosen]))


def _results(base):
    """What begins a command for results in a folder of their own, unless it is for another checkout."""
    return [] if places.RESULTS == "results" or base else ["env", f"WARPATH_RESULTS={places.RESULTS}"]


def _changed(used, base):
    """The settings that differ from `base`, and always the study."""
    changed = {key: _differing(value, base[key]) for key, value in used.items() if value != base[key]}
    return {"study": used["study"]} | changed


def _differing(value, base):
    return {key: item for key, item in value.items() if item != base.get(key)} if isinstance(value, dict) else value


def _as_given(value):
    """The value as an argument of --config, from which Snakemake strips quotes and then tries numbers and YAML.

    Text that this would change becomes JSON between blanks.
    """
    with contextlib.suppress(yaml.YAMLError):
        if isinstance(value, str) and yaml.safe_load(value) == value == value.strip("'\""):
            return value
    quoted = json.dumps(value)
    return f" {quoted} " if isinstance(value, str) else quoted
