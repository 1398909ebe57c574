"""What is said of arguments that cannot be."""

import pytest

from warpath import cli


@pytest.mark.parametrize(
    "record", ["x.json", "bfs/level/b64.json", "some/no_problem/level/b64.json", "a/bfs/level/b64"]
)
def test_a_path_that_is_no_records_is_one_line(capsys, record):
    assert cli.main(["run", record]) == 2
    said = capsys.readouterr().err
    assert said == f"warpath: {record}: a record is called results/runs/<graph>/<problem>/<algorithm>/<launch>.json\n"
