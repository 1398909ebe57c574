"""Programs in any language: each is measured and judged like our own, and none harms what runs beside it."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import small_graphs
import yaml

from warpath import cli, devices
from warpath.algorithms import discovery
from warpath.algorithms.programs import build, description
from warpath.base import places, processor
from warpath.base.errors import UserError
from warpath.devices.errors import UnsupportedLaunch
from warpath.runs import operand

EXAMPLES = places.ROOT / "docs" / "programs"
ABOUT = {"title": "Mine", "licence": "MIT", "device": "cpu", "problems": ["bfs"]}
BUILD = 'cc -O1 -shared -fPIC -I"$INCLUDE" mine.c -o "$OUTPUT"'

# A search that turns to BODY before it writes its answer.
SEARCH = """
#define _GNU_SOURCE
#include "warpath.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const struct warpath_graph *graph;
static int32_t *kept;

static void search(int64_t source, int32_t *levels) {
    memset(levels, -1, graph->vertices * sizeof *levels);
    levels[source] = 0;
    for (int changed = 1, level = 0; changed; level++) {
        changed = 0;
        for (int64_t v = 0; v < graph->vertices; v++)
            for (int64_t arc = graph->host.offsets[v]; levels[v] == level && arc < graph->host.offsets[v + 1]; arc++)
                if (levels[graph->host.targets[arc]] < 0) {
                    levels[graph->host.targets[arc]] = level + 1;
                    changed = 1;
                }
    }
}
const char *prepare(const struct warpath_graph *given, const char *launch, void **handle) {
    graph = given;
    return NULL;
}
const char *solve(void *handle, int64_t source, void *answer) {
    int32_t *levels = answer;
    BODY
    search(source, levels);
    return NULL;
}
const char *release(void *handle) { return NULL; }
"""
HONEST = SEARCH.replace("BODY", "")
TRIVIAL = SEARCH.replace("BODY", "BODY return NULL;")  # which searches nothing
HOSTILE = {  # what a solve does, how the run ends, and a word of why
    "nothing but its work": ("", "ok", None),
    "crashes": ("*(volatile int *)8 = 1;", "failed", "was ended by SIGSEGV"),
    "aborts": ("abort();", "failed", "was ended by SIGABRT"),
    "exits as if all were well": ("_exit(0);", "failed", "ended from within, with status 0"),
    "hangs": ("for (;;) pause();", "timeout", "not finished after 2 s"),
    "says why not": ('return "no luck today";', "failed", "no luck today"),
    "says that it cannot": ('return "unsupported: odd sources";', "unsupported", "odd sources"),
    "says that memory ran out": ('return "out of memory: 3 TB";', "out_of_memory", "3 TB"),
    "writes beyond its answer": ("levels[graph->vertices + 3] = 0;", "failed", "wrote beyond its answer"),
    "writes before its answer": ("levels[-2] = 0;", "failed", "wrote beyond its answer"),
    "writes nothing": ("return NULL;", "wrong", "wrong vertices"),
    "is wrong": ("search(source, levels); levels[graph->vertices - 1] += 1; return NULL;", "wrong", "wrong vertices"),
    "writes into the graph": (
        "((int32_t *)graph->host.targets)[0] += 1; search(source, levels); return NULL;",
        "failed",
        "memory that is not its own",
    ),
    "answers from a cache": (
        """
        static int64_t known = -1;
        if (!kept) kept = malloc(graph->vertices * sizeof *kept);
        if (known != source) search(source, kept), usleep(20000), known = source;
        memcpy(levels, kept, graph->vertices * sizeof *levels);
        return NULL;
        """,
        "suspect",
        "the first solve from an unforeseen source",
    ),
    "takes memory": ("for (;;) memset(malloc(1 << 24), 1, 1 << 24), usleep(1000);", "out_of_memory", "GB of memory"),
    "fills the disk": (
        """
        char name[4096];
        snprintf(name, sizeof name, "%s/much", getenv("TMPDIR"));
        FILE *file = fopen(name, "w");
        for (;;) fwrite(name, sizeof name, 1, file), usleep(10);
        """,
        "failed",
        "GB of disk",
    ),
}


@pytest.fixture
def graph(prepared):
    """A graph of 1,500 vertices with right answers from four sources."""
    edges = np.arange(1, 1500) // 2, np.arange(1, 1500)
    made = small_graphs.from_edges("given", *edges, directed=False)
    prepared(made, "bfs", "--sources", "4")
    prepared(made, "sssp", "--sources", "2")
    return made


@pytest.fixture
def program(workplace):
    """Write the folder of a program and build it; return its folder."""

    def write(code=HONEST, name="mine", making=True, **about):
        folder = Path(name)
        folder.mkdir(exist_ok=True)
        Path(folder, "mine.c").write_text(code)
        Path(folder, "program.yaml").write_text(yaml.safe_dump(ABOUT | {"build": BUILD} | about))
        if making:
            build = [sys.executable, "-m", "warpath", "programs", "build", name]
            on_gpu = about.get("device") == "gpu"  # where CUDA may not be used by this process
            assert (subprocess.run(build, check=False).returncode if on_gpu else cli.main(build[3:])) == 0
        return folder

    return write


@pytest.fixture
def run(measured):
    """Return the record of a program on the graph."""

    def measure(folder, problem="bfs", launch="default", *options):
        options = "--program", str(Path(folder).absolute()), "--device", "peer", "--time-limit", "60", *options
        return measured("given", f"{problem}/{Path(folder).name}", launch, *options, status=None)

    return measure


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_a_row_with_its_reason(graph, program, run, name, monkeypatch):
    body, status, why = HOSTILE[name]
    monkeypatch.setattr(processor, "free_bytes", lambda: 600 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(1 << 30, 0, 20 << 20))
    limit = "2" if status == "timeout" else "60"
    record = run(program(SEARCH.replace("BODY", body)), "bfs", "default", "--time-limit", limit)
    assert (record["status"], why is None or why in record["error"]) == (status, True), record["error"]


LEAVING = """
if (!fork()) {
    if (setsid() > 0 && !fork()) {
        FILE *left = fopen("left", "a");
        fprintf(left, "%d ", getpid()), fclose(left), alarm(60);
        for (;;) pause();
    }
    return NULL;  // as if it were the one that was called
}
"""


def test_what_a_program_leaves_running_ends_with_it(graph, program, run):
    record = run(program(SEARCH.replace("BODY", LEAVING)))
    left = Path("left").read_text().split()
    assert (record["status"], bool(left)) == ("ok", True), record["error"]
    assert not any(Path("/proc", process).exists() for process in left)


@pytest.mark.parametrize(("again", "ending"), [("", ("ok", None)), ('return "not twice";', ("failed", "not twice"))])
def test_short_preparing_is_measured_again_after_release(graph, program, run, again, ending):
    begin = f"if (graph) abort(); if (kept) {{ {again} }} else usleep(60000); graph = given;"
    end = "*handle) { kept = (int32_t *)graph; graph = NULL; return NULL; }"
    record = run(program(HONEST.replace("graph = given;", begin).replace("*handle) { return NULL; }", end)))
    assert (record["status"], record["error"]) == ending
    assert (0 < record["preparing"]["ms"] < 50) == (not again)


@pytest.mark.parametrize(
    ("name", "problem", "launch"),
    [("queue_in_c", "bfs", "default"), ("queue_in_python", "bfs", "default"), ("buckets_in_rust", "sssp", "d64")],
)
def test_the_examples_of_the_documentation_are_right(graph, run, name, problem, launch):
    if name.endswith("rust") and subprocess.call("rustc --version", shell=True):
        pytest.skip("no rustc")
    assert cli.main(["programs", "build", str(EXAMPLES / name)]) == 0
    record = run(EXAMPLES / name, problem, launch, "--repetitions", "1")
    assert (record["status"], record["error"]) == ("ok", None)
    assert ("reported" in record["flags"]) == (name == "queue_in_python")
    assert len(record["unforeseen"]) >= 1


@pytest.mark.parametrize(
    ("answer", "body", "right"),
    [
        ("distances", "int32_t *a = answer; a[0] = 0; a[1] = 7; a[2] = -1;", [0, 7, 2**31 - 1]),
        ("floats", "float *a = answer; a[0] = 0; a[1] = 7; a[2] = 1.0f / 0;", [0, 7, 2**31 - 1]),
        ("floats", "float *a = answer; a[0] = 0; a[1] = 7.5; a[2] = -3;", [0, -2, -2]),
        ("parents", "int32_t *a = answer; a[0] = -1; a[1] = 0; a[2] = 1;", [0, 1, 2]),
        ("parents", "int32_t *a = answer; a[0] = 0; a[1] = -1; a[2] = 99;", [0, 2**31 - 1, 2**31 - 1]),
        ("parents", "int32_t *a = answer; a[0] = 0; a[1] = 2; a[2] = 1;", None),  # a circle, which ends
        ("distances", "int32_t *a = answer; a[0] = 0; a[2] = -1;", [0, -0x5A5A5A5B, 2**31 - 1]),  # not written
    ],
)
def test_every_form_of_an_answer(program, answer, body, right):
    folder = program(TRIVIAL.replace("BODY", body), answer={"bfs": answer})
    graph = small_graphs.from_edges("three", [0, 1], [1, 2], directed=True)
    (described,) = discovery.of_program(folder / "program.yaml")
    device = devices.open("peer")
    solve = described.prepare(device, operand.Operand(graph, device), described.launches[0])
    found = solve(0).distance()
    if answer == "parents":
        found, parents = found
        assert len(parents) == 3
    assert right is None or np.asarray(found).astype("int64").tolist() == [value % 2**32 for value in right]


@pytest.mark.parametrize("body", ["", 'if (!graph->host.narrow_offsets) return "unsupported: wide";'])
def test_a_graph_of_2_to_31_arcs_has_wide_offsets_alone(program, monkeypatch, body):
    folder = program(SEARCH.replace("BODY", body))
    monkeypatch.setattr(operand, "MOST_NARROW_ARCS", -1)
    graph, device = small_graphs.from_edges("three", [0, 1], [1, 2], directed=True), devices.open("peer")
    (described,) = discovery.of_program(folder / "program.yaml")
    solve = described.prepare(device, operand.Operand(graph, device), described.launches[0])
    with pytest.raises(UnsupportedLaunch) if body else contextlib.nullcontext():
        assert solve(0).distance().tolist() == [0, 1, 2]


def test_a_program_without_answers_is_unchecked(graph, program, run):
    record = run(program(TRIVIAL.replace("BODY", ""), answer={"bfs": "none"}))
    assert (record["status"], record["error"], record["samples"][0]["wrong_vertices"]) == ("unchecked", None, None)


@pytest.mark.parametrize(
    ("shell", "status", "why"),
    [
        ('echo \'{"error": "unsupported: no"}\'', "unsupported", "no"),
        ("echo hello", "failed", "Mine ended with 0, and solve_ms is None"),
        ("echo '{\"solve_ms\": 1}'; exit 3", "failed", "Mine ended with 3, and solve_ms is 1"),
        ("echo '{\"solve_ms\": -1}'", "failed", "Mine ended with 0, and solve_ms is -1"),
        ("echo '{\"solve_ms\": 1}'", "failed", "wrote 0 numbers as its answer, not 1,500"),
    ],
)
def test_a_command_that_does_not_do_its_part_is_a_row(graph, program, run, shell, status, why):
    script = f"cat > $OUTPUT <<'END'\n#!/bin/sh\n{shell}\nexit\nEND\nchmod +x $OUTPUT"
    record = run(program(build=script, command=True))
    assert (record["status"], why in record["error"]) == (status, True), record["error"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": None}, "program.yaml: title: found null"),
        ({"device": "tpu"}, 'program.yaml: device: found "tpu", but allowed are cpu, gpu'),
        ({"problems": []}, "program.yaml: problems: found []"),
        ({"deltas": 3}, "program.yaml: unknown key 'deltas'"),
        ({"launches": {"apsp": {"delta": [1]}}}, "program.yaml: launches: 'apsp' is not among its problems"),
        ({"launches": {"bfs": {"delta": 1}}}, "program.yaml: launches.bfs.delta: found 1"),
        (
            {"problems": ["sssp"], "answer": {"sssp": "parents"}},
            "program.yaml: answer: parents are an answer of bfs alone",
        ),
        ({"repository": "https://example.org/x"}, "commit"),
        ({"repository": "file:///etc", "commit": "0" * 40}, "program.yaml: repository: found"),
    ],
)
def test_mistakes_are_one_line_while_planning(program, changes, message):
    folder = program(making=False, **changes)
    with pytest.raises(UserError) as error:
        discovery.of_program(folder / "program.yaml")
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_missing_function_is_said_when_it_is_built(program, capsys):
    folder = program(SEARCH.replace("BODY", "").replace("*release(", "*let_go("), making=False)
    assert cli.main(["programs", "build", str(folder)]) == 2
    assert "undefined symbol: release" in capsys.readouterr().err


def test_a_missing_tool_is_said_when_it_is_built_and_when_it_is_run(graph, program, run, capsys):
    folder = program(build="no-such-compiler mine.c -o $OUTPUT", making=False)
    path = places.program("mine")
    assert cli.main(["--outcome", path, "programs", "build", str(folder)]) == 0
    assert "no-such-compiler: command not found" in capsys.readouterr().err
    record = run(folder)
    assert record["status"] == "unsupported" and "no-such-compiler: command not found" in record["error"]


@pytest.fixture
def repository(workplace):
    """A repository whose second commit breaks what the first one has; return its path and the first commit."""
    git = ["git", "-C", "theirs", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "init", "-q", "theirs"], check=True)
    Path("theirs/level.h").write_text("#define FIRST 0\n")
    for text in ("#define FIRST 5\n", "#error broken\n"):
        Path("theirs/level.h").write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
    return "theirs", subprocess.check_output([*git, "rev-parse", "HEAD~1"], text=True).strip()


@pytest.fixture
def others(repository, program):
    """The folder of a program that is made from the first commit with an edit, which makes it right."""
    code = SEARCH.replace('#include "warpath.h"', '#include "warpath.h"\n#include "level.h"').replace(
        "= 0;\n    for", "= FIRST;\n    for"
    )
    folder = program(
        code.replace("BODY", ""),
        making=False,
        repository="https://example.org/theirs",
        commit=repository[1],
        edits="edits.sh",
        build=BUILD.replace("mine.c", '-I"$SOURCE" mine.c'),
    )
    Path(folder, "edits.sh").write_text("sed -i s/5/0/ level.h\n")
    return folder


def test_a_repository_is_built_at_its_commit_with_our_edits(graph, others, repository, run, capsys):
    (described,) = discovery.of_program(others / "program.yaml")
    absent = build.why_absent(described.program)
    assert "https://example.org/theirs" in absent and "licence MIT" in absent and "programs: fetch" in absent
    assert cli.main(["programs", "build", str(others), "--source", repository[0]]) == 0
    record = run(others)
    assert record["status"] == "ok" and record["environment"]["packages"]["Mine"] == repository[1]
    assert build.why_absent(described.program) is None


@pytest.fixture
def cache(workplace, monkeypatch):
    """A cache in which nothing is built yet."""
    monkeypatch.setenv("WARPATH_CACHE", str(workplace / "cache"))


def test_an_archive_is_checked_for_its_commit(others, repository, cache, capsys):
    for commit, name in (("HEAD~1", "right.tar.gz"), ("HEAD", "other.tar.gz")):
        archive = ["git", "-C", repository[0], "archive", "--prefix=theirs/", "-o", str(Path(name).absolute()), commit]
        subprocess.run(archive, check=True)
    assert cli.main(["programs", "build", str(others), "--source", "other.tar.gz"]) == 2
    assert "not of commit" in capsys.readouterr().err
    assert cli.main(["programs", "build", str(others), "--source", "right.tar.gz"]) == 0


def test_without_a_network_the_message_says_what_helps(others, cache, capsys, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "none")
    assert cli.main(["programs", "build", str(others)]) == 2
    error = capsys.readouterr().err
    assert "cannot be fetched" in error and "--source names a local clone or archive" in error
    file = others / "program.yaml"
    file.write_text(file.read_text().replace("MIT", "none"))
    assert cli.main(["programs", "build", str(others)]) == 2
    assert "git clone https://example.org/theirs theirs" in capsys.readouterr().err
    assert cli.main(["programs", "build", str(others), "--source", "nowhere"]) == 2
    assert "nowhere: no such clone or archive" in capsys.readouterr().err


def test_programs_of_this_repository_are_complete():
    found = [described for described in discovery.find().values() if described.program]
    assert found and all(described.launches for described in found)
    for program in {described.program.name: described.program for described in found}.values():
        adapter = [file for file in program.files if file.parent == program.folder and file.name != program.edits]
        assert sum(len(file.read_text().splitlines()) for file in adapter) <= 120, program.name
        assert program.repository and program.citation


def test_the_interface_fits_a_page():
    assert len(description.HEADER.read_text().splitlines()) <= 60


ON_A_CARD = """
#include "warpath.h"
static const struct warpath_graph *graph;
static int *changed;
static cudaStream_t own;

__global__ void level(
    int32_t vertices, const int32_t *offsets, const int32_t *targets, int32_t *levels, int now, int *changed) {
    int32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || levels[vertex] != now) return;
    for (int32_t arc = offsets[vertex]; arc < offsets[vertex + 1]; arc++)
        if (levels[targets[arc]] < 0) levels[targets[arc]] = now + 1, *changed = 1;
}
__global__ void wait(int *written) {
    for (int i = 0; i < 20000; i++) __nanosleep(1000);
    *written = 0;
}
static void search(int64_t source, int32_t *levels) {
    int32_t zero = 0;
    cudaMemset(levels, -1, graph->vertices * sizeof *levels);
    cudaMemcpy(levels + source, &zero, sizeof zero, cudaMemcpyHostToDevice);
    for (int now = 0, go_on = 1; go_on; now++) {
        cudaMemset(changed, 0, sizeof *changed);
        level<<<graph->vertices / 256 + 1, 256>>>(
            graph->vertices, graph->card.narrow_offsets, graph->card.targets, levels, now, changed);
        cudaMemcpy(&go_on, changed, sizeof go_on, cudaMemcpyDeviceToHost);
    }
}
extern "C" const char *prepare(const struct warpath_graph *given, const char *launch, void **handle) {
    graph = given;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    return cudaMalloc(&changed, 64 << 20) ? "out of memory" : NULL;
}
extern "C" const char *solve(void *handle, int64_t source, void *answer) {
    int32_t *levels = (int32_t *)answer;
    BODY
    return cudaDeviceSynchronize() ? "failed on the card" : NULL;
}
extern "C" const char *release(void *handle) { return cudaFree(changed) ? "not freed" : NULL; }
"""
NVCC = '$NVCC -O2 -arch=$ARCH -Xcompiler -fPIC -shared -cudart static -I"$INCLUDE" -x cu mine.c -o "$OUTPUT"'


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ("search(source, levels);", "ok", None),
        ("search(source, levels); cudaMemset(levels + graph->vertices, 0, 4);", "failed", "wrote beyond its answer"),
        ("*(int *)8 = 1;", "failed", "SIGSEGV"),
        ("search(source, levels); wait<<<1, 1, 0, own>>>(changed + 1); return NULL;", "suspect", "the device was busy"),
        (
            "cudaMemset((void *)graph->card.targets, 0, 4); search(source, levels);",
            "failed",
            "memory that is not its own",
        ),
        ("wait<<<1, 1>>>((int *)8);", "failed", "failed on the card"),
    ],
)
def test_a_program_on_a_card_is_judged_as_ours_are(graph, program, measured, body, status, why):
    folder = program(ON_A_CARD.replace("BODY", body), device="gpu", build=NVCC)
    options = "--program", str(folder.absolute()), "--device", "peer_gpu", "--time-limit", "20"
    record = measured("given", "bfs/mine", "default", *options, status=None)
    assert (record["status"], why is None or why in record["error"]) == (status, True), record["error"]
    assert status != "ok" or 64 << 20 <= record["memory_bytes"] < 128 << 20


SOLVES = """
import sys
import time
import numpy as np
import small_graphs
from pathlib import Path
from warpath import devices
from warpath.algorithms import discovery
from warpath.runs.operand import Operand

(described,) = discovery.of_program(Path("mine/program.yaml"))
device, graph = devices.open(sys.argv[1]), small_graphs.from_edges("one", [0], [1], directed=True)
solve = described.prepare(device, Operand(graph, device), described.launches[0])
times = []
for _ in range(1000):
    begin = time.perf_counter()
    solve(0)
    times.append(time.perf_counter() - begin)
print(1e6 * np.median(times))
"""


@pytest.mark.parametrize(
    ("device", "code", "about", "most"),
    [
        ("peer", TRIVIAL, {}, 20),  # 1.5 on a quiet core
        pytest.param("peer_gpu", ON_A_CARD, {"device": "gpu", "build": NVCC}, 5, marks=pytest.mark.gpu),
    ],
)
def test_calling_a_program_takes_microseconds(program, device, code, about, most):
    program(code.replace("BODY", ""), **about)
    python = [sys.executable, "-c", SOLVES, device]
    environment = os.environ | {"PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{Path(__file__).parents[1]}"}
    assert float(subprocess.check_output(python, env=environment)) < most
