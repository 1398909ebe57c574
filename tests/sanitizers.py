"""Run a Python script whose kernels are compiled with the address and undefined-behaviour sanitizers of g++."""

import os
import runpy
import subprocess
import sys


def run(script, *arguments):
    runtime = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = {
        "LD_PRELOAD": runtime.stdout.strip(),
        "WARPATH_SANITIZE": "address,undefined",
        "ASAN_OPTIONS": "detect_leaks=0",  # those of the interpreter
    }
    return subprocess.run(
        [sys.executable, __file__, script, *map(str, arguments)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    del os.environ["LD_PRELOAD"]  # from the compilers that the script starts, which it makes several times slower
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
