"""bfs/level, except that each run takes the seconds in the file `seconds` and records its GPU, times and array task."""

import json
import os
import time
from pathlib import Path

from warpath.algorithms import algorithm, discovery, sweep


@algorithm(launches=sweep(block=[64, 128, 256, 512]))
def spy(device, graph, launch):
    """Sleep, then prepare bfs/level."""
    begin = time.time()
    time.sleep(float(Path("seconds").read_text()))
    place = os.environ.get("CUDA_VISIBLE_DEVICES"), begin, time.time(), os.environ.get("SLURM_ARRAY_TASK_ID")
    with open("places.jsonl", "a") as file:
        file.write(json.dumps(place) + "\n")
    return discovery.named("bfs/level").prepare(device, graph, launch)
