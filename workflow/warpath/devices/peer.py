"""The device of libraries for the CPU: they may use every core; what they return is made ours outside of the time."""

import os

from warpath.devices import host
from warpath.foundation import processor


class Device(host.Device):
    kind = "peer"

    def __init__(self):
        super().__init__()
        # OpenMP reads it when the first library that uses it is loaded; Snakemake has put the job's share there.
        os.environ["OMP_NUM_THREADS"] = str(processor.cores())

    def get(self, answer):
        """An answer may be a function: the conversion of what a library returned, which is not its own work."""
        return answer() if callable(answer) else super().get(answer)

    def environment(self):
        return {**processor.environment(), "threads": processor.cores()}
