"""Run in a checkout: what Snakemake would make anew after each of several edits.

Reads {name: {file: [old, new]}} as JSON from stdin and writes {name: [output, ...]} to stdout. Each edit is planned in
a child process, forked after the imports: that takes a fraction of a second and starts with empty caches.
"""

import importlib
import json
import os
import sys
from pathlib import Path

from snakemake.api import SnakemakeApi
from snakemake.settings.enums import Quietness
from snakemake.settings.types import OutputSettings, ResourceSettings

for imported in ("dpath", "git", "smart_open", "yte"):  # what Snakemake imports when it needs them
    importlib.import_module(imported)


def plan():
    outputs = []
    with SnakemakeApi(OutputSettings(dryrun=True, quiet={Quietness.ALL})) as api:
        workflow = api.workflow(resource_settings=ResourceSettings(cores=1), snakefile=Path("workflow/Snakefile"))
        workflow.dag().execute_workflow(executor="dryrun", updated_files=outputs)
    return outputs


def plan_in_child():
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "w") as answer:
            json.dump(plan(), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        outputs = json.load(answer)
    os.waitpid(child, 0)
    return outputs


def plan_edited(edit):
    """The plan after an edit, which may set a date of the file, and is then undone, dates included."""
    originals = {Path(name): (Path(name).read_text(), Path(name).stat()) for name in edit}
    for file, (old, new, *date) in edit.items():
        text, _ = originals[Path(file)]
        assert old in text, f"{file} has no {old!r}"
        Path(file).write_text(text.replace(old, new, 1))
        if date:
            os.utime(file, (*date, *date))
    try:
        return plan_in_child()
    finally:
        for file, (text, status) in originals.items():
            file.write_text(text)
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


if __name__ == "__main__":
    edits = json.load(sys.stdin)
    print(json.dumps({name: plan_edited(edit) for name, edit in edits.items()}))
