import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from warpath import devices
from warpath.algorithms import discovery
from warpath.base import compiler
from warpath.base.errors import UserError

KERNEL = '#include "offset.cuh"\nextern "C" __global__ void shift(int* values) { values[threadIdx.x] += OFFSET; }\n'


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def compilations(monkeypatch):
    """The names of the libraries that g++ compiles."""
    names = []
    compile_to = compiler.compile_to

    def counted(output, *others):
        names.append(output.name)
        compile_to(output, *others)

    monkeypatch.setattr(compiler, "compile_to", counted)
    return names


@pytest.fixture
def file(write, tmp_path):
    (tmp_path / "offset.cuh").write_text("#define OFFSET 5\n")
    return write(KERNEL)


def shifted(file, **defines):
    (shift,) = devices.open("host").kernels(file, "shift", **defines)
    values = np.zeros(4, np.int32)
    shift[1, 4](values)
    return values.tolist()


def test_nothing_is_compiled_twice(file, compilations):
    assert shifted(file) == [5] * 4
    assert len(compilations) == 2  # the kernel and the runtime
    assert shifted(file) == [5] * 4
    assert len(compilations) == 2


def test_any_change_in_what_a_kernel_is_compiled_from_recompiles_it(file, compilations, tmp_path, monkeypatch):
    shifted(file)
    (tmp_path / "offset.cuh").write_text("#define OFFSET 6\n")
    assert shifted(file) == [6] * 4
    file.write_text(KERNEL.replace("+=", "-="))
    assert shifted(file) == [-6] * 4
    shifted(file, unused=1)
    assert len(compilations) == 5
    monkeypatch.setattr(compiler, "identity", lambda: "another compiler")
    shifted(file)
    assert len(compilations) == 7  # the runtime too
    (tmp_path / "offset.cuh").write_text("#define OFFSET 5\n")
    monkeypatch.undo()


def test_a_cache_that_was_moved_still_works(file, tmp_path, monkeypatch):
    shifted(file)
    (tmp_path / "cache").rename(tmp_path / "moved")
    program = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_kernel_cache import shifted\n"
    program += f"assert shifted({str(file)!r}) == [5] * 4\n"
    environment = {**os.environ, "WARPATH_CACHE": str(tmp_path / "moved"), "PATH": os.environ["PATH"]}
    before = sorted((tmp_path / "moved").iterdir())
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    assert sorted((tmp_path / "moved").iterdir()) == before


def test_an_error_in_a_kernel_names_its_place(write):
    file = write('extern "C" __global__ void shift(int* values) {\n    values[0] = missing;\n    also(missing);\n}\n')
    with pytest.raises(
        UserError, match=r"kernel\.cu:2:17: .missing. was not declared in this scope \(and 1 more errors\)"
    ) as caught:
        shifted(file)
    assert "\n" not in str(caught.value)


def test_a_missing_kernel_or_file(write, tmp_path):
    file = write(KERNEL.replace("OFFSET", "1").replace('#include "offset.cuh"', ""))
    with pytest.raises(UserError, match=r"kernel\.cu: has no .* function absent"):
        devices.open("host").kernels(file, "shift", "absent")
    with pytest.raises(UserError, match=r"nowhere\.cu: not found \(needed by nowhere\.py\)"):
        devices.open("host").kernels(tmp_path / "nowhere.py", "shift")


def test_a_change_in_the_host_headers_recompiles_everything(file, compilations, tmp_path, monkeypatch):
    from warpath.devices import host

    shifted(file)
    copy = tmp_path / "host"
    subprocess.run(["cp", "-r", str(discovery.KERNELS / "host"), str(copy)], check=True)
    (copy / "dpx.hpp").write_text((copy / "dpx.hpp").read_text() + "\n")
    monkeypatch.setattr(host, "HOST", copy)
    shifted(file)
    assert len(compilations) == 4
