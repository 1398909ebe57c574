"""What the command line and profiles of the workflow say; of most of it Snakemake tells a workflow nothing."""

import argparse
import contextlib
import os
from pathlib import Path

import yaml

ONE = ["--workflow-profile"], ["--profile"], ["--executor", "-e"], ["--directory", "-d"], ["--snakefile", "-s"]
SEVERAL = "--default-resources", "--set-resources", "--group-components"


def given(arguments=None):
    """Options by Snakemake's names, and the `place` of those in a profile."""
    parser = argparse.ArgumentParser(add_help=False)
    for names in (*ONE, ["--slurm-status-command"]):
        parser.add_argument(*names)
    for name in SEVERAL:
        parser.add_argument(name, nargs="*")
    parser.add_argument("--keep-going", "-k", action="store_true", default=None)
    read = vars(parser.parse_known_args(arguments)[0])
    own = {name.replace("_", "-"): value for name, value in read.items() if value is not None}
    here = Path(os.environ.get("PWD", "") if "directory" in own else "")  # where Snakemake was started
    beside = [here / Path(own["snakefile"]).parent] if "snakefile" in own else [here, here / "workflow"]
    found = {}
    for name in (own.get("profile", "none"), own.get("workflow-profile", "default")):
        folders = [here / name, here / "profiles" / name, *(folder / "profiles" / name for folder in beside)]
        files = [file for folder in folders for file in [folder, *folder.glob("config*.yaml")] if file.is_file()]
        for file in files[:1] if name != "none" else []:
            with contextlib.suppress(OSError, ValueError, TypeError, yaml.YAMLError):
                found |= {"place": str(file), **yaml.safe_load(file.read_text(encoding="utf-8"))}
    return found | own


def pairs(entries):
    """The entries of an option: a mapping in profiles, or a list of texts `key=value`."""
    return entries if isinstance(entries, dict) else dict(entry.split("=", 1) for entry in entries or [])
