"""The peer device: libraries for the CPU, which may use every core. Their answers are converted after timing."""

import os

from warpath.base import processor
from warpath.devices import cpu, host


class Device(host.Device):
    kind = "peer"

    def __init__(self):
        super().__init__()
        # OpenMP reads this when the first library that uses it is loaded. Snakemake has set it to the job's threads.
        os.environ["OMP_NUM_THREADS"] = str(processor.cores())

    flush = cpu.Device.flush

    def environment(self):
        return {**processor.environment(), "threads": processor.cores()}
