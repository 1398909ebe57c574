"""A workflow that is interrupted, and interrupted again."""

import subprocess
import sys

from warpath.foundation import places


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
