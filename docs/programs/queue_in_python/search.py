import json
import sys
import time
from array import array
from pathlib import Path

folder, sources, answers, _launch = sys.argv[1:]
graph = json.loads(Path(folder, "graph.json").read_text())


def numbers(name):
    read = array({"int64": "q", "int32": "i"}[graph[name]["type"]])
    read.frombytes(Path(folder, graph[name]["file"]).read_bytes())
    return read


offsets, targets = numbers("offsets"), numbers("targets")
with open(answers, "wb") as file:
    for source in map(int, Path(sources).read_text().split()):
        begin = time.perf_counter()
        levels = array("i", [-1]) * graph["vertices"]
        levels[source], queue = 0, [source]
        for vertex in queue:
            for target in targets[offsets[vertex] : offsets[vertex + 1]]:
                if levels[target] < 0:
                    levels[target] = levels[vertex] + 1
                    queue.append(target)
        print(json.dumps({"source": source, "solve_ms": 1000 * (time.perf_counter() - begin)}))
        levels.tofile(file)
