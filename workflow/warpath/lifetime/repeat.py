"""The command lines by which a user does something again: with the settings that it had, quoted for a shell."""

import argparse
import contextlib
import json
import os
import shlex
from pathlib import Path

import yaml

from warpath.foundation import settings
from warpath.foundation.files import write_json

OPTION = "--workflow-profile"
UNKNOWN = "<profile>"  # a gap to fill in: a command for this machine would start on a login node what was for the nodes
CLUSTER = Path(".snakemake/warpath-cluster.json")


def remember_cluster(arguments, here):
    """By which profile a workflow submits its jobs, and on what they run: later commands are about the same, on a
    machine that may have no GPU itself. Nothing, where they run `here`."""
    if here:
        CLUSTER.unlink(missing_ok=True)
        return
    write_json(CLUSTER, {"profile": _profile(arguments), "device": os.environ["WARPATH_DEVICE"]})


def _profile(arguments):
    """The workflow profile, in any way that Snakemake reads it; None where other options submit the jobs."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(OPTION)
    profile = parser.parse_known_args(arguments)[0].workflow_profile
    return None if profile == "none" else profile


def cluster():
    """What was remembered of the last workflow here; nothing where its jobs ran on this machine."""
    with contextlib.suppress(OSError, ValueError):
        return json.loads(CLUSTER.read_text())
    return {}


def workflow(used, *targets, base=None):
    """Snakemake's, for the settings `used` where config/config.yaml says `base`; without, what it says here."""
    changed = _changed(used, base or settings.read())
    words = [f"{key}={_as_given(value)}" for key, value in changed.items()]
    return shlex.join(["snakemake", *targets, *how_jobs_run(), "--config", *words])


def how_jobs_run():
    """The options that say where jobs run: as in the last workflow here."""
    there = cluster()
    return [OPTION, there["profile"] or UNKNOWN] if there else ["--cores", "1", "--resources", "gpu=1"]


def step(name, used, base=None):
    """That of a sub-command of ours, likewise."""
    chosen = ["--study", used["study"]]
    if _changed(used, base or settings.read()).keys() != {"study"}:
        chosen = ["--settings", json.dumps(_changed(used, settings.defaults()))]
    return shlex.join([".venv/bin/python", "-m", "warpath", name, *chosen])


def _changed(used, base):
    """What differs, and the study by all means."""
    changed = {key: _differing(value, base[key]) for key, value in used.items() if value != base[key]}
    return {"study": used["study"]} | changed


def _differing(value, base):
    return {key: item for key, item in value.items() if item != base.get(key)} if isinstance(value, dict) else value


def _as_given(value):
    """Snakemake strips quotes, then tries numbers and YAML: text that would change is JSON between blanks."""
    with contextlib.suppress(yaml.YAMLError):
        if isinstance(value, str) and yaml.safe_load(value) == value == value.strip("'\""):
            return value
    quoted = json.dumps(value)
    return f" {quoted} " if isinstance(value, str) else quoted
