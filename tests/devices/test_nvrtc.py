"""Every kernel compiles to machine code without a GPU, so errors that only NVIDIA's compiler reports show up here."""

import functools
import itertools
import re
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from small_graphs import from_edges

from warpath.algorithms import discovery
from warpath.base.errors import UserError
from warpath.devices import code, cuda, host, nvrtc
from warpath.devices.errors import UnsupportedLaunch
from warpath.runs.operand import Operand
from warpath.runs.rehearsal import Sizes

KERNELS = sorted(id for id, found in discovery.find().items() if found.device == "kernel")
HERE = Path(__file__).parent
ALONE = sorted([*discovery.KERNELS.glob("*.cu"), *HERE.glob("*.cu")])  # belong to no algorithm
ARCHITECTURES = [90, *(pytest.param(number, marks=pytest.mark.slow) for number in (70, 80, 100))]


@functools.cache
def asked_by(id, architecture):
    """Return each code file with the defines of every launch of the algorithm, and the kernels that it asks for."""
    gpu, described, asked = host.Device(), discovery.find()[id], {}
    gpu.architecture, gpu.multiprocessors = architecture, 132
    device = Sizes(gpu)
    device.xp, device.put = np, np.array  # it runs nothing, but has the graph
    ends = np.array([0, 1, 2]), np.array([1, 2, 0])
    graphs = [from_edges("triangle", *ends, np.array(weights), 3) for weights in ([1, 1, 1], [1, 2, 3])]
    for launch, graph in itertools.product(described.launches, graphs):
        described.prepare(device, Operand(graph, device), launch)
    for stem, names, defines in device.builds:
        asked.setdefault((code.files(stem, ".cu")[0], defines), set()).update(names)
    return [(path, dict(defines), names) for (path, defines), names in asked.items()]


def check(toolkit, architecture, path, defines, names):
    try:
        with mock.patch.object(cuda, "_toolkit", lambda: toolkit):
            cubin = cuda.compiled(path, tuple(names), defines, architecture)
    except UnsupportedLaunch as too_old:  # fine if the code file itself requires a later architecture
        assert int(re.search(r"needs sm_(\d+) or later", str(too_old))[1]) > architecture
        return
    except UserError as error:
        if "--gpu-architecture" not in str(error):
            raise
        pytest.skip(f"{toolkit.library.name} does not know sm_{architecture}")
    assert cubin.startswith(b"\x7fELF")
    for name in names:
        assert f".text.{name}\0".encode() in cubin


@pytest.fixture(scope="module")
def toolkit():
    return nvrtc.newest()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("id", KERNELS)
def test_every_launch_of_an_algorithm_compiles_to_machine_code(toolkit, id, architecture):
    """Without headers of the toolkit: a driver and NVRTC are enough to run it."""
    asked = asked_by(id, architecture)
    assert asked
    for path, defines, names in asked:
        check(toolkit._replace(headers=()), architecture, path, defines, names)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.stem)
def test_other_kernels_compile_to_machine_code(toolkit, path, architecture):
    names = re.findall(r"__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(", path.read_text())
    check(toolkit, architecture, path, {"relaxations": 8} if path.stem == "probe" else {}, names)


def test_a_kernel_for_newer_gpus_is_unsupported_on_older_ones(toolkit):
    path = HERE / "warp_reduce.cu"
    with pytest.raises(UnsupportedLaunch, match=r"warp_reduce\.cu: needs sm_80 or later"):
        nvrtc.compile_cubin(toolkit, path, 75, code.options({}))
    assert nvrtc.compile_cubin(toolkit, path, 80, code.options({}))


def test_an_error_names_its_place(toolkit, write):
    file = write('extern "C" __global__ void wrong(int* out) {\n    out[0] = missing;\n    also(1);\n}\n')
    with pytest.raises(UserError) as caught:
        nvrtc.compile_cubin(toolkit, file, 90)
    assert str(caught.value) == f'{file}:2: identifier "missing" is undefined (and 1 more errors)'


def test_an_error_that_only_the_gpu_compiler_reports(toolkit, write):
    """More static shared memory than any GPU has, which g++ accepts."""
    read = "buffer[threadIdx.x] = *out; __syncthreads(); out[1] = buffer[threadIdx.x + 1];"
    file = write(f'extern "C" __global__ void large(int* out) {{ __shared__ int buffer[60000]; {read} }}\n')
    with pytest.raises(UserError, match=r"kernel\.cu.*shared"):
        nvrtc.compile_cubin(toolkit, file, 90)


def test_the_newest_toolkit_that_a_driver_supports(monkeypatch):
    installed = tuple(nvrtc.Toolkit(Path(f"libnvrtc.so.{major}"), major) for major in (13, 12))
    monkeypatch.setattr(nvrtc, "toolkits", lambda: installed)
    assert nvrtc.newest().major == 13
    assert nvrtc.newest(cuda=13).major == 13
    assert nvrtc.newest(cuda=12).major == 12
    with pytest.raises(UserError, match=r"NVRTC for CUDA 11 not found.*run make again"):
        nvrtc.newest(cuda=11)


def test_a_kernel_is_read_and_compiled_once_and_again_when_a_file_of_it_changes(toolkit, write, monkeypatch):
    header = write("#define OFFSET 5\n", "offset.cuh")
    file = write('#include "offset.cuh"\nextern "C" __global__ void shift(int* x) { *x += OFFSET; }\n')
    monkeypatch.setattr(cuda, "_toolkit", lambda: toolkit)
    reads, contents = [], code.contents
    monkeypatch.setattr(code, "contents", lambda *asked: reads.append(asked) or contents(*asked))

    def compiled(**defines):
        return cuda.compiled(file, ("shift",), defines, 90)

    first = compiled()
    assert compiled() is first and len(reads) == 1
    write("#define OFFSET 65\n", "offset.cuh")
    assert compiled() != first and len(reads) == 2
    write("#define OFFSET 5\n", "offset.cuh")
    assert compiled() == first and len(reads) == 3
    assert compiled(unused=1) == first and len(reads) == 4
    header.unlink()
    with pytest.raises(UserError, match=r"offset\.cuh"):
        compiled()


def test_an_algorithm_prepares_without_the_slow_compilations_of_cub():
    chosen = [["cub"]]
    core = SimpleNamespace(get_reduction_accelerators=lambda: chosen[-1], set_reduction_accelerators=chosen.append)
    device = cuda.Device.__new__(cuda.Device)
    device.xp = SimpleNamespace(_core=core)
    with device.preparing():
        assert chosen[-1] == []
    assert chosen[-1] == ["cub"]
