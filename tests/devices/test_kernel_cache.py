"""A kernel is compiled once, and again when anything that it is made of changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from warpath import devices
from warpath.base import cache, compiler, places
from warpath.devices import code, host

KERNEL = '#include "offset.cuh"\nextern "C" __global__ void shift(int* values) { values[threadIdx.x] += OFFSET; }\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """A cache that has nothing but the runtime of all kernels, which takes long to compile."""
    (tmp_path / "cache").mkdir()
    for runtime in cache.folder().glob("runtime-*.so"):
        shutil.copy(runtime, tmp_path / "cache")
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def file(write):
    write("#define OFFSET 5\n", "offset.cuh")
    return write(KERNEL)


def shifted(file, **defines):
    (shift,) = devices.open("host").kernels(file, "shift", **defines)
    values = np.zeros(4, np.int32)
    shift[1, 4](values)
    return values.tolist()


def test_any_change_in_what_a_kernel_is_compiled_from_recompiles_it(file, write, tmp_path, monkeypatch):
    assert shifted(file) == [5] * 4
    write("#define OFFSET 6\n", "offset.cuh")
    assert shifted(file) == [6] * 4

    def compile_to(output, *_):
        names.append(output.name.partition("-")[0])
        output.touch()

    def compiled(**defines):
        names.clear()
        host.compiled(file, ("shift",), defines)
        return names

    names = []
    monkeypatch.setattr(compiler, "compile_to", compile_to)
    assert compiled() == []
    assert compiled(unused=1) == [".kernel"]
    shutil.copytree(host.HOST, tmp_path / "host")
    with (tmp_path / "host/dpx.hpp").open("a") as header:
        header.write("\n")
    monkeypatch.setattr(host, "HOST", tmp_path / "host")
    assert compiled() == [".runtime", ".kernel"]


def test_a_cache_that_was_moved_still_works_for_a_copy_of_the_code(file, tmp_path):
    shifted(file)
    moved, copies = (tmp_path / "cache").rename(tmp_path / "moved"), tmp_path / "copies"
    copies.mkdir()
    copy, _ = (shutil.copy(each, copies) for each in (file, file.with_name("offset.cuh")))
    program = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_kernel_cache import shifted\n"
    program += f"assert shifted({str(copy)!r}) == [5] * 4\n"
    before = sorted(moved.iterdir())
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | {"WARPATH_CACHE": str(moved)})
    assert sorted(moved.iterdir()) == before


def test_kernels_of_another_folder_have_headers_of_their_own(tmp_path):
    """As of another commit: a header of that name is in this checkout, too."""
    for name, content in (("bfs/mine.cu", '#include "adjacency.cuh"'), ("include/adjacency.cuh", "")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    assert (places.KERNELS / "include/adjacency.cuh").exists()
    assert code.files(tmp_path / "bfs/mine", ".cu") == [tmp_path / "bfs/mine.cu", tmp_path / "include/adjacency.cuh"]
