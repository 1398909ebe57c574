"""On PYTHONPATH, this makes oracles start helper processes even for tiny graphs, and take half a second a row."""

import sys
import time
from importlib.machinery import PathFinder


def slow_down(oracle):
    answer, _ = oracle._answer, oracle.ARCS_PER_PROCESS

    def answer_slowly(*arguments):
        time.sleep(0.5)
        return answer(*arguments)

    oracle._answer, oracle.ARCS_PER_PROCESS = answer_slowly, 1


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
