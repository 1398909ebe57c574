"""Programs in a workflow: a folder that a study names, those of others that are fetched, and what an edit makes due."""

import shutil

import pytest
from checkouts import ROOT, TABLE

OTHERS = """
title: Theirs
licence: MIT
repository: https://example.invalid/theirs
commit: 0123456789012345678901234567890123456789
device: cpu
problems: [bfs]
build: "true"
"""
STUDY = """
title: Programs
runs: [{graphs: [tiny-path], algorithms: [./queue_in_c, bfs/theirs, bfs/cpu_queue]}]
"""


@pytest.mark.slow
def test_programs_are_built_and_measured_and_what_cannot_be_built_stops_nothing_else(checkout):
    shutil.copytree(ROOT / "docs/programs/queue_in_c", checkout.folder / "queue_in_c")
    (checkout.folder / "kernels/programs/theirs").mkdir()
    checkout.write("kernels/programs/theirs/program.yaml", OTHERS)
    checkout.write("programs.yaml", STUDY)
    config = ["--config", "study=programs.yaml"]

    output = checkout.snakemake(TABLE, *config).stdout
    assert (
        "skipped bfs/theirs: Theirs (https://example.invalid/theirs at 012345678901, licence MIT) is not built"
        in output
    )
    assert checkout.statuses() == {"bfs/queue_in_c": {"ok"}, "bfs/cpu_queue": {"ok"}}

    output = checkout.snakemake(TABLE, *config, "programs=fetch").stdout
    assert "\ntheirs is not built: https://example.invalid/theirs: commit" in output
    rows = checkout.summary().set_index("algorithm")
    assert rows["status"].to_dict() == {"bfs/queue_in_c": "ok", "bfs/cpu_queue": "ok", "bfs/theirs": "unsupported"}
    assert "--source names a local clone or archive" in rows["error"]["bfs/theirs"]

    checkout.append("queue_in_c/queue.c", "int an_edit;\n")
    assert checkout.jobs(TABLE, *config) == {"build_program": 1, "measure_baseline": 1, "gather_results": 1}

    about = checkout.folder / "queue_in_c/program.yaml"
    about.write_text(about.read_text().replace("build: cc", f"build: {checkout.folder}/to_come"))  # in no cache
    checkout.snakemake(TABLE, *config)
    assert checkout.statuses()["bfs/queue_in_c"] == {"unsupported"}
    (checkout.folder / "to_come").symlink_to(shutil.which("cc"))
    checkout.warpath("programs", "build", "queue_in_c")
    checkout.snakemake(TABLE, *config)
    assert checkout.statuses()["bfs/queue_in_c"] == {"ok"}
