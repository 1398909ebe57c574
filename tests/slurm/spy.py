"""bfs/level, except that files tell runs how many seconds to take and which block fails, and each run leaves a line."""

import json
import os
import time
from pathlib import Path

from warpath.algorithms import algorithm, discovery, sweep
from warpath.warm import address


@algorithm(launches=sweep(block=[64, 128, 256, 512]))
def spy(device, graph, launch):
    """Sleep, note the Slurm job, its step, the server, the GPU and the times, and prepare bfs/level."""
    begin = time.time()
    time.sleep(float(Path("seconds").read_text()))
    if Path("broken").exists() and launch.block == int(Path("broken").read_text()):
        raise RuntimeError("broken for a test")
    names = "SLURM_JOB_ID", "SLURM_STEP_ID", address.WORKFLOW, "CUDA_VISIBLE_DEVICES"
    with open("places.jsonl", "a") as file:
        file.write(json.dumps([*map(os.environ.get, names), begin, time.time()]) + "\n")
    return discovery.named("bfs/level").prepare(device, graph, launch)
