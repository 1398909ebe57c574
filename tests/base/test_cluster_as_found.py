"""What is asked of Slurm before the first job, with answers of its commands in their place."""

import os
import re
import threading
from types import SimpleNamespace

import pytest

from warpath.base import options, slurm
from warpath.base.errors import UserError

PROFILE = """
executor: slurm
default-resources: [slurm_partition='gpu', runtime=30]
slurm-status-command: squeue
group-components: {runs: 8}
"""
ANSWERS = {
    "sinfo": "gpu|gpu:h200:8(S:0-1)\ngpu|(null)\nlong|gpu:a100:4\ncpu|(null)\n",
    "scontrol": "\n".join(
        f"PartitionName={name} Default={default} MaxTime={time} State=UP"
        for name, default, time in [
            ("gpu", "YES", "01:00:00"),
            ("long", "NO", "1-12:00:00"),
            ("cpu", "NO", "UNLIMITED"),
        ]
    ),
    "sacctmgr": "",
}


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Ask with these lines in the profile and these arguments."""
    monkeypatch.chdir(tmp_path)

    def ask(lines="", arguments=(), answers=ANSWERS, profile=PROFILE):
        (tmp_path / "config.yaml").write_text(profile + lines)
        monkeypatch.setattr("sys.argv", ["snakemake", "--workflow-profile", str(tmp_path), *arguments])
        monkeypatch.setattr(slurm, "_answer", lambda command, seconds=1: answers.get(command.split()[0]))
        return slurm.ask()

    return ask


@pytest.mark.parametrize(
    ("rule", "wanted", "least", "lines", "minutes"),
    [
        ("prepare_graph", 120, 0, "", 60),
        ("prepare_graph", 120, 0, "set-resources: {prepare_graph: {slurm_partition: \"'cpu'\"}}", 120),
        ("prepare_graph", 120, 0, "set-resources: {prepare_graph: {slurm_partition: 'long,gpu'}}", 120),
        ("measure_run", 24, 4, "", 7),  # eight of them share a job
        ("measure_run", 24, 4, "set-resources: {w_measure_run: {slurm_partition: long}}", 24),
        ("measure_run", 40, 8, "", "a job asks for 8 × 8 minutes, but partition gpu allows 60; set group-components"),
        ("measure_run", 90, 70, "", "8 × 70 minutes, but partition gpu allows 60; set timing.time_limit in config/"),
        (
            "prepare_graph",
            120,
            0,
            "set-resources: {prepare_graph: {runtime: 120}}",
            "set runtime of prepare_graph in /",
        ),
        ("prepare_graph", 120, 0, "set-resources: {prepare_graph: {slurm_partition: gpus}}", "no partition 'gpus'"),
    ],
)
def test_time_fits_into_the_partition_or_the_key_to_set_is_named(found, rule, wanted, least, lines, minutes):
    cluster = found(lines)
    if isinstance(minutes, int):
        assert cluster.minutes(rule, wanted, least) == minutes
        assert found(lines, answers={}).minutes(rule, wanted, least) == wanted
    else:
        with pytest.raises(UserError, match=minutes):
            cluster.minutes(rule, wanted, least)


@pytest.mark.parametrize(
    ("arguments", "answers", "said"),
    [
        ([], {}, "runs go to partition gpu, squeue tells what ended$"),
        (["--set-resources", "measure_run:gpu_model=h200"], {}, "partition gpu,"),
        (
            ["--set-resources", "measure_run:gpu_model=h100"],
            {},
            "runs ask for gpu:h100, but nodes .*:h200:8.*gpu_model",
        ),
        (["--set-resources", "measure_run:gres=gpu:h100:1"], {}, "runs ask for gpu:h100, but"),
        (
            ["--default-resources", "slurm_partition=cpu"],
            {},
            "runs ask for gpu, but nodes of partition cpu have .null.",
        ),
        (["--slurm-status-command", "sacct"], {}, "no accounting, .* set slurm-status-command: squeue in /"),
        (["--slurm-status-command", "sacct"], {"sacctmgr": "here"}, "sacct tells what ended$"),
        (["--slurm-status-command", "sacct"], {"sacctmgr": None}, "sacct tells what ended; no answer .*: sacctmgr$"),
        ([], dict.fromkeys(ANSWERS), "not checked: sinfo, scontrol, sacctmgr$"),
    ],
)
def test_how_states_are_followed_is_said_and_a_gpu_that_no_node_has_is_refused(found, arguments, answers, said):
    cluster = found("", arguments, ANSWERS | answers)
    try:
        line = cluster.check(uses_gpu=True)
    except UserError as error:
        line = str(error)
    assert re.search(said, line), line


def test_other_executors_are_asked_nothing(found):
    assert found(profile="executor: local\n") is None


def test_what_does_not_answer_is_not_waited_for(tmp_path, monkeypatch):
    (tmp_path / "sinfo").write_text("#!/bin/sh\nexec sleep 1000\n")
    (tmp_path / "sinfo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(slurm, "QUESTIONS", ("sinfo", "no-such-scontrol", "no-such-sacctmgr"))
    monkeypatch.setattr(options, "given", lambda: {"executor": "slurm"})
    assert len(slurm.ask().silent) == 3


def test_reasons_that_never_end_are_told_once(monkeypatch, capsys):
    rounds = iter([True, True, False])
    thread = SimpleNamespace(is_alive=lambda: next(rounds), join=lambda timeout: None)
    monkeypatch.setattr(threading, "main_thread", lambda: thread)
    waiting = [("7", "PENDING", "PartitionTimeLimit", ""), ("8", "PENDING", "PartitionTimeLimit", "")]
    others = [("9", "PENDING", "Resources", ""), ("10", "PENDING", "ReqNodeNotAvail, UnavailableNodes:n1", "")]
    monkeypatch.setattr(slurm, "jobs", lambda command: waiting + others)
    slurm._watch()
    told = capsys.readouterr().err.splitlines()
    assert [line.partition("; ")[0] for line in told] == [
        "warpath: Slurm may never begin job 7: PartitionTimeLimit",
        "warpath: Slurm may never begin job 10: ReqNodeNotAvail, UnavailableNodes:n1",
    ]


RUN = SimpleNamespace(graph="own", problem="bfs", algorithm="level", part="b64", device="host", uses_gpu=False)


@pytest.mark.parametrize(
    ("comment", "logs", "fate"),
    [
        ("rule_runs-own-bfs_measure_run", [], ("Slurm job 12: CANCELLED", "")),
        ("rule_measure_run_wildcards_own_bfs_level_b64", [], ("Slurm job 12: CANCELLED", "")),
        ("rule_runs-own-sssp_measure_run", [], None),
        ("rule_baselines-own-bfs_measure_baseline", [], None),
        ("", ["group_runs-own-bfs_measure_run/12.log"], "its Slurm job was cancelled or lost: see .*12.log"),
        ("", ["rule_measure_run/own_bfs_level_b64/9.log"], "its Slurm job was cancelled or lost: see .*9.log"),
    ],
)
def test_a_run_without_a_record_tells_what_became_of_its_job(tmp_path, monkeypatch, comment, logs, fate):
    monkeypatch.chdir(tmp_path)
    jobs = [
        ("3", "FAILED", "NonZeroExitCode", comment),
        ("12", "CANCELLED", "None", comment),
        ("13", "COMPLETED", "None", comment),
    ]
    monkeypatch.setattr(slurm, "past_jobs", lambda: jobs)
    for log in logs:
        path = tmp_path / ".snakemake/slurm_logs" / log
        path.parent.mkdir(parents=True)
        path.touch()
    told = slurm.fate(RUN)
    assert re.fullmatch(fate, told[0]) if isinstance(fate, str) else told == fate
