"""Commands that repeat something with the settings of a workflow, quoted for a shell, without credentials in URLs."""

import argparse
import contextlib
import json
import os
import shlex
import sys
from pathlib import Path

import yaml

from warpath.base import places, settings
from warpath.base.files import write_json
from warpath.base.text import without_credentials

OPTION = "--workflow-profile"
UNKNOWN = "<profile>"  # for the user to fill in: without a profile, jobs for compute nodes would run on a login node
CLUSTER = Path(".snakemake/warpath-cluster.json")
MODULE = Path(".snakemake/warpath-module.json")


def remember_cluster(arguments, here, folder="."):
    """Write down how this workflow submits its jobs and the device they run on, for later commands in this folder.

    Jobs that run `here`, on this machine, need no such file; remove it.
    """
    if here:
        Path(folder, CLUSTER).unlink(missing_ok=True)
        return
    write_json(Path(folder, CLUSTER), {"profile": _profile(arguments), "device": os.environ["WARPATH_DEVICE"]})


def _profile(arguments):
    """The workflow profile on Snakemake's command line; None where jobs are submitted by other options."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(OPTION)
    profile = parser.parse_known_args(arguments)[0].workflow_profile
    return None if profile == "none" else profile


def remember_module(use, used, arguments, targets):
    """Write down, for later commands in the folder of a module, its settings and the command of the workflow."""
    file = Path(use.folder, MODULE)
    if use.is_main:
        file.unlink(missing_ok=True)
        return
    options = [word for word in arguments[1:] if word not in targets]
    content = {"home": str(Path.cwd()), "prefix": use.prefix, "targets": sorted(targets), "options": options}
    content["settings"] = used
    write_json(file, json.loads(without_credentials(json.dumps(content))))


def cluster():
    """How the last workflow in this folder submitted its jobs; empty where they ran on this machine."""
    return _read(CLUSTER)


def outer():
    """The settings of the module that works in this folder, and the command that uses it; empty where none does."""
    return _read(MODULE)


def _read(file):
    with contextlib.suppress(OSError, ValueError):
        return json.loads(file.read_text())
    return {}


def workflow(used, *targets, base=None):
    """The Snakemake command for the settings `used`. It names those that differ from `base` (default: the file).

    For a module it is the last command of the workflow that uses it, from where that was given.
    """
    if base is None and (using := outer()):
        away = "" if using["home"] == str(Path.cwd()) else f"cd {shlex.quote(using['home'])} && "
        wanted = [f"{using['prefix']}{target}" for target in targets] or using["targets"]
        return away + shlex.join(["snakemake", *wanted, *using["options"]])
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
    python = [".venv/bin/python"] if base or Path.cwd() == places.ROOT else _python()
    return without_credentials(shlex.join([*_results(base), *python, "-m", "warpath", name, *chosen]))


def failures(use, used):
    """The command that lists the failures of a workflow; a module's settings are written down in its folder."""
    if use.is_main:
        return step("failures", used)
    away = f"cd {shlex.quote(use.folder)} && " if use.prefix else ""
    return away + shlex.join([*_results(None), *_python(), "-m", "warpath", "failures"])


def _python():
    """The interpreter with the package, outside the repository."""
    return ["env", f"PYTHONPATH={places.WORKFLOW}", sys.executable]


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
