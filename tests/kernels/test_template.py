"""The template in kernels/README.md, which people copy, works as it is."""

import re

import tiny_graphs
import trial

from warpath.algorithms import discovery


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
        trial.check_from([0], algorithms["sssp/my_sssp"], graph)
    assert of_a_library in (discovery.KERNELS / "sssp" / "peer_igraph.py").read_text()


def test_every_launch_axis_is_explained():
    readme = (discovery.KERNELS / "README.md").read_text()
    launches = [launch for described in discovery.find().values() for launch in described.launches]
    used = {axis for launch in launches for axis in launch.parameters}
    assert [axis for axis in sorted(used) if f"| `{axis}`" not in readme] == []
