"""A workflow that is interrupted, and interrupted again; how many jobs it may run at a time."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from warpath.base import places
from warpath.lifetime import supervisor


def test_a_second_interrupt_is_one_line(tmp_path):
    code = (
        "from types import SimpleNamespace\n"
        "from warpath.lifetime import supervisor\n"
        "def execute(): raise KeyboardInterrupt\n"
        "workflow = SimpleNamespace(execute=execute)\n"
        "supervisor._wrap_execution(workflow)\n"
        "workflow.execute()\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": str(places.WORKFLOW)},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 130
    assert finished.stderr == ("warpath: interrupted again: ended at once; the same command continues the workflow\n")


@pytest.mark.parametrize(
    ("name", "given", "place"),
    [("", {}, None), ("", {"study": "zoo"}, "config/config.yaml or --config"), ("gpu", {}, "config of module gpu")],
)
def test_an_error_in_the_settings_says_where_they_may_be_from(name, given, place):
    workflow = SimpleNamespace(config_settings=SimpleNamespace(overwrite_config=given))
    assert supervisor._place_of_settings(workflow, SimpleNamespace(name=name)) == place
