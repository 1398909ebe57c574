"""Every kernel compiles to machine code, with no GPU: what only NVIDIA's compiler refuses fails here."""

import re
from pathlib import Path

import numpy as np
import pytest

from warpath import algorithms
from warpath.devices import host, nvrtc, source
from warpath.errors import UserError
from warpath.graphs import csr
from warpath.runs.operand import Operand

KERNELS = sorted(id for id, found in algorithms.find().items() if found.device == "kernel")
ALONE = sorted([*algorithms.KERNELS.glob("*.cu"), *Path(__file__).parent.glob("*.cu")])  # of no algorithm
WANTED = (70, 80, 90, 100)
FIRST = {"warp_reduce": 80}  # the first architecture that has what these use


class Idle:
    """A kernel that does nothing, on a device that only notes what is asked of it."""

    def __getitem__(self, shape):
        return lambda *arguments: None

    @property
    def cooperative(self):
        return self

    def resident_blocks(self, block, shared=0):
        return 4


class Recorder(host.Device):
    def __init__(self):
        super().__init__()
        self.asked = {}

    def kernels(self, file, *names, **defines):
        self.asked.setdefault((source.beside(file, ".cu"), tuple(defines.items())), set()).update(names)
        return tuple(Idle() for _ in names)


def asked_by(described):
    """Every source with the definitions that any launch of the algorithm compiles it with, and the kernels wanted."""
    device = Recorder()
    graph = csr.from_edges("triangle", np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1, 2, 3]), 3)
    for launch in described.launches:
        described.prepare(device, Operand(graph, device), launch)
    return [(path, dict(defines), names) for (path, defines), names in device.asked.items()]


def check(toolkit, architecture, path, defines, names):
    if architecture not in nvrtc.architectures(toolkit):
        pytest.skip(f"{toolkit.library.name} does not know sm_{architecture}")
    cubin = nvrtc.compile_cubin(toolkit, path, architecture, source.options(defines))
    assert cubin.startswith(b"\x7fELF")
    for name in names:
        assert f".text.{name}\0".encode() in cubin


@pytest.fixture(scope="module")
def toolkit():
    return nvrtc.newest()


@pytest.mark.parametrize("architecture", WANTED)
@pytest.mark.parametrize("id", KERNELS)
def test_every_launch_of_an_algorithm_compiles_to_machine_code(toolkit, id, architecture):
    asked = asked_by(algorithms.find()[id])
    assert asked
    for path, defines, names in asked:
        check(toolkit, architecture, path, defines, names)


@pytest.mark.parametrize("architecture", WANTED)
@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.stem)
def test_other_kernels_compile_to_machine_code(toolkit, path, architecture):
    names = re.findall(r"__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(", path.read_text())
    if architecture < FIRST.get(path.stem, 0):
        with pytest.raises(UserError):
            check(toolkit, architecture, path, {}, names)
    else:
        check(toolkit, architecture, path, {}, names)


@pytest.mark.parametrize("id", KERNELS)
def test_an_algorithm_needs_no_header_of_the_toolkit(toolkit, id):
    """A driver and NVRTC are enough for a user."""
    for path, defines, names in asked_by(algorithms.find()[id]):
        check(toolkit._replace(headers=()), 90, path, defines, names)


def test_an_error_names_its_place(toolkit, tmp_path):
    source = tmp_path / "wrong.cu"
    source.write_text('extern "C" __global__ void wrong(int* out) {\n    out[0] = missing;\n    also(1);\n}\n')
    with pytest.raises(UserError) as caught:
        nvrtc.compile_cubin(toolkit, source, 90)
    assert str(caught.value) == f'{source}:2: identifier "missing" is undefined (and 1 more errors)'


def test_what_only_the_gpu_compiler_refuses(toolkit, tmp_path):
    """More static shared memory than any GPU has: g++ has no opinion on that."""
    source = tmp_path / "large.cu"
    source.write_text(
        'extern "C" __global__ void large(int* out) {\n'
        "    __shared__ int buffer[60000];\n"
        "    buffer[threadIdx.x] = out[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    out[threadIdx.x] = buffer[threadIdx.x + 1];\n"
        "}\n"
    )
    with pytest.raises(UserError, match=r"large\.cu.*shared"):
        nvrtc.compile_cubin(toolkit, source, 90)


def test_the_newest_that_a_driver_can_load(monkeypatch):
    found = tuple(nvrtc.Toolkit(Path(f"libnvrtc.so.{major}"), major) for major in (13, 12))
    monkeypatch.setattr(nvrtc, "toolkits", lambda: found)
    assert nvrtc.newest().major == 13
    assert nvrtc.newest(most=13).major == 13
    assert nvrtc.newest(most=12).major == 12
    with pytest.raises(UserError, match=r"NVRTC for CUDA 11 was not found.*run make again"):
        nvrtc.newest(most=11)
