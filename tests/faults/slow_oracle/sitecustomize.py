"""On PYTHONPATH, this makes oracles take half a second a row."""

import sys
import time
from importlib.machinery import PathFinder


def slow_down(oracle):
    search_by_scipy = oracle.search_by_scipy

    def search_slowly(*arguments):
        search = search_by_scipy(*arguments)
        return lambda row: (time.sleep(0.5), search(row))[1]

    oracle.search_by_scipy = search_slowly


class Finder:
    def find_spec(self, name, path=None, target=None):
        if name != "warpath.runs.oracle":
            return None
        spec = PathFinder.find_spec(name, path)
        execute = spec.loader.exec_module

        def execute_and_slow_down(module):
            execute(module)
            slow_down(module)

        spec.loader.exec_module = execute_and_slow_down
        return spec


sys.meta_path.insert(0, Finder())
