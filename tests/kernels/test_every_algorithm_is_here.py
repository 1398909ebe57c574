"""The algorithms that must exist, how each must describe itself, and the template in kernels/README.md for more."""

import re

import pytest
import tiny_graphs
from trial import ALGORITHMS, check_from

from warpath.algorithms import discovery
from warpath.base import settings
from warpath.base.problems import PROBLEMS
from warpath.runs import plan

BLOCKS = [f"b{block}" for block in (64, 128, 256, 512, 1024)]
REJAUD = ["b256-g8", "b384-g5", "b512-g4", "b768-g2", "b1024-g2"]
BOTH_ORDERS = [f"{shape}-{order}" for shape in REJAUD for order in ("source", "target")]
COARSENED = [f"{block}-c{factor}" for block in BLOCKS for factor in (1, 2, 4, 8, 16)]

# The paper of each algorithm and all of its launches.
PUBLISHED = {
    "bfs/one_frontier": ("harish2007", BLOCKS),
    "bfs/frontier": ("harish2007", BLOCKS),
    "bfs/one_frontier_struct": ("singh2017", ["default"]),
    "bfs/frontier_struct": ("singh2017", ["default", *BLOCKS]),
    "bfs/level": ("pathak2021", BLOCKS),
    "bfs/queue": ("pathak2021", BLOCKS),
    "bfs/scan": ("pathak2021", BLOCKS),
    "sssp/racy": ("harish2007", BLOCKS),
    "sssp/bugged": ("pathak2021", BLOCKS),
    "sssp/two_kernel": ("pathak2021", BLOCKS),
    "sssp/coarsened_strided": ("pathak2021", COARSENED),
    "sssp/coarsened": ("pathak2021", COARSENED),
    "sssp/bellman_ford": ("agarwal2015", BLOCKS),
    "sssp/two_flags": ("agarwal2015", BLOCKS),
    "sssp/bmf_outcore": ("rejaud", BOTH_ORDERS),
    "sssp/bmf_shared": ("rejaud", [*REJAUD, *(f"{shape}-source" for shape in REJAUD)]),
    "sssp/bmf_incore": ("rejaud", BOTH_ORDERS),
    "sssp/tpe_outcore": ("rejaud", BOTH_ORDERS),
    "sssp/tpe_incore": ("rejaud", BOTH_ORDERS),
    "sssp/tpe_outcore_one_scan": ("rejaud", BOTH_ORDERS),
    "sssp/tpe_incore_one_scan": ("rejaud", BOTH_ORDERS),
    "apsp/repeated_sssp": ("harish2007", BLOCKS),
    "apsp/repeated_racy": ("harish2007", BLOCKS),
    "apsp/fw_vertex": ("harish2007", BLOCKS),
    "apsp/fw_pair": ("pathak2021", BLOCKS),
    "apsp/fw_blocked": ("pathak2021", ["t8", "t16", "t32", "t64"]),
}
BASELINES = [
    "bfs/cpu_queue",
    "sssp/cpu_dijkstra",
    "sssp/cpu_bellman_ford",
    "sssp/cpu_all_rounds",
    "apsp/cpu_repeated_dijkstra",
    "apsp/cpu_floyd_warshall",
]


@pytest.mark.parametrize("id", PUBLISHED)
def test_every_published_algorithm_is_there_with_all_of_its_launches(id):
    described = ALGORITHMS[id]
    assert (described.paper, [launch.label for launch in described.launches]) == PUBLISHED[id]


def test_one_study_has_every_launch_of_them_all():
    planned = plan.load(settings.read() | {"study": "algorithms", "device": "host"}).runs
    required = {(id, label) for id, (_, labels) in PUBLISHED.items() for label in labels}
    required |= {(id, launch.label) for id in BASELINES for launch in ALGORITHMS[id].launches}
    assert {ALGORITHMS[id].device for id in BASELINES} == {"cpu"}
    assert required <= {(run.id, run.launch) for run in planned}


def test_every_library_is_there():
    found = {(each.problem, each.library, each.device) for each in ALGORITHMS.values() if each.library}
    libraries = ("scipy", "networkx", "igraph", "networkit", "graphblas")
    on_gpu = {(problem, "pylibcugraph", "peer_gpu") for problem in ("bfs", "sssp")}
    assert found >= on_gpu | {(problem, library, "peer") for problem in PROBLEMS for library in libraries}


def test_only_those_that_are_kept_as_printed_may_be_wrong():
    inexact = [id for id, described in ALGORITHMS.items() if not described.exact]
    searches = ["bfs/one_frontier", "bfs/one_frontier_struct", "sssp/bugged", "sssp/racy"]
    assert inexact == [*searches, "apsp/repeated_racy"]


def test_parents_where_the_paper_has_them():
    assert {id for id in PUBLISHED if ALGORITHMS[id].parents} == {"bfs/queue", "bfs/scan"}


@pytest.mark.parametrize("described", ALGORITHMS.values(), ids=ALGORITHMS)
def test_describes_itself(described):
    labels = [launch.label for launch in described.launches]
    assert len(set(labels)) == len(labels)
    assert described.prepare.__doc__.partition("\n")[0].endswith(".")


@pytest.mark.parametrize("id", PUBLISHED)
def test_header_names_answer_launches_and_section_of_the_paper(id):
    code = (discovery.KERNELS / id).with_suffix(".cu").read_text()
    header = code[: re.search(r"^#include", code, re.MULTILINE).start()]
    assert all(line.startswith("//") or not line for line in header.splitlines())
    for pattern in ("// Returns ", "// Launches: |// Kernel calls", r"section|algorithm \d"):
        assert re.search(pattern, header), pattern


def test_the_template_is_a_working_algorithm(tmp_path):
    readme = (discovery.KERNELS / "README.md").read_text()
    python, of_a_library = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (cuda,) = re.findall(r"```cpp\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "sssp").mkdir()
    (tmp_path / "sssp" / "my_sssp.py").write_text(python)
    (tmp_path / "sssp" / "my_sssp.cu").write_text(cuda)

    algorithms = discovery.find(tmp_path)
    assert list(algorithms) == ["sssp/my_sssp"]
    for graph in tiny_graphs.GRAPHS.values():
        check_from([0], algorithms["sssp/my_sssp"], graph)
    assert of_a_library in (discovery.KERNELS / "sssp" / "peer_igraph.py").read_text()


def test_every_launch_axis_is_explained():
    readme = (discovery.KERNELS / "README.md").read_text()
    launches = [launch for each in ALGORITHMS.values() if not each.program for launch in each.launches]
    used = {axis for launch in launches for axis in launch.parameters}
    assert [axis for axis in sorted(used) if f"| `{axis}`" not in readme] == []
