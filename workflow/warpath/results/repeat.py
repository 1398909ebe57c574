"""Commands that repeat something with the settings of a workflow, quoted for a shell, without credentials in URLs."""

import contextlib
import json
import os
import shlex
from pathlib import Path

import yaml

from warpath.base import options, places, settings
from warpath.base.files import read_json, write_json
from warpath.base.text import without_credentials

OPTION = "--workflow-profile"
UNKNOWN = "<profile>"  # for the user to fill in: without a profile, jobs for compute nodes would run on a login node


def remember():
    """Write down the command of the workflow that this process belongs to, for later commands in this folder."""
    if begun := settings.workflow():
        used, device = settings.handed(), os.environ.get("WARPATH_DEVICE")
        state = begun | {"prefix": places.entered, "settings": used, "device": device}
        write_json(places.WORKFLOW_STATE, json.loads(without_credentials(json.dumps(state))))


def cluster():
    """How the last workflow in this folder submitted its jobs; empty where they ran on this machine.

    `profile` is the workflow profile on its command line; None where jobs are submitted by other options.
    """
    last = read_json(places.WORKFLOW_STATE)
    if not last.get("submits"):
        return {}
    profile = options.given(last["arguments"]).get("workflow-profile")
    return {"profile": None if profile == "none" else profile, "device": last["device"]}


def outer():
    """What is known of the last workflow that works in this folder as a module; empty where none does."""
    last = read_json(places.WORKFLOW_STATE)
    return last if last.get("as_module") else {}


def workflow(used, *targets, base=None):
    """The Snakemake command for the settings `used`. It names those that differ from `base` (default: the file).

    For a module it is the last command of the workflow that uses it, from where that was given.
    """
    if base is None and (using := outer()):
        away = "" if using["home"] == str(Path.cwd()) else f"cd {shlex.quote(using['home'])} && "
        own = [f"{using['prefix']}{target}" for target in targets]
        return away + shlex.join(["snakemake", *own, *using["arguments"]])
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
    return without_credentials(shlex.join([*_results(base), *_program(base), name, *chosen]))


def failures(prefix, used):
    """The command that lists the failures of a workflow; a module's settings are written down in its folder."""
    if not settings.workflow().get("as_module"):
        return step("failures", used)
    away = f"cd {shlex.quote(prefix)} && " if prefix else ""
    return away + shlex.join([*_results(None), *_program(None), "failures"])


def _program(base):
    """The command `warpath`, which also finds the Python of an environment that is active."""
    return [".venv/bin/warpath" if base or Path.cwd() == places.ROOT else str(places.WORKFLOW / "bin/warpath")]


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
