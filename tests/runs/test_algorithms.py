"""Descriptions of algorithms, their launches, and their discovery."""

import pytest

from warpath.algorithms import discovery
from warpath.algorithms.launches import AXES, Launch
from warpath.base.errors import UserError


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def kernel(folder, id, body="launches=sweep(block=[64, 128])"):
    name = id.split("/")[1]
    text = (
        f"from warpath.algorithms import algorithm, sweep\n\n@algorithm({body})\ndef {name}(device, graph, launch):\n"
    )
    return write(folder, f"{id}.py", text + f'    """What {name} is."""\n')


def test_a_new_pair_of_files_is_discovered_without_registration_and_read_again_when_edited(tmp_path):
    kernel(tmp_path, "bfs/mine")
    (found,) = discovery.find(tmp_path).values()
    assert (found.id, found.prepare.__doc__) == ("bfs/mine", "What mine is.")
    assert [launch.label for launch in found.launches] == ["b64", "b128"]
    file = tmp_path / "bfs" / "mine.py"
    file.write_text(file.read_text().replace("What mine is.", "What it has become."))
    assert discovery.named("bfs/mine", tmp_path).prepare.__doc__ == "What it has become."


def test_a_parameter_of_an_algorithms_own_is_labelled_by_its_full_name():
    assert Launch({"radius": 3}).label == "radius3"


def test_an_unknown_axis_lists_the_known_ones():
    with pytest.raises(AttributeError, match=r"no axis 'grid', only \['block'\]"):
        _ = Launch({"block": 64}).grid


def test_an_unknown_launch_lists_the_known_ones(tmp_path):
    kernel(tmp_path, "bfs/mine")
    with pytest.raises(UserError, match="bfs/mine has no launch 'b65'; it has b64, b128"):
        discovery.find(tmp_path)["bfs/mine"].launch("b65")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "needs a function named 'other'"),
        ("import nowhere\n", "cannot be imported: .*nowhere"),
        (
            "from warpath.algorithms import algorithm\n\n@algorithm(papr='x')\ndef other():\n    pass\n",
            "cannot be imported: .*papr",
        ),
    ],
)
def test_a_file_without_an_algorithm_of_its_name_is_reported(tmp_path, text, message):
    path = write(tmp_path, "bfs/other.py", text)
    with pytest.raises(UserError, match=f"{path}: {message}"):
        discovery.find(tmp_path)


def test_the_code_files_of_an_algorithm_are_its_pair_and_the_headers_that_it_reaches(tmp_path):
    kernel(tmp_path, "bfs/mine")
    write(tmp_path, "bfs/mine.cu", '#include "shared.cuh"\n#include <vector>\n')
    write(tmp_path, "bfs/other.cu", '#include "unused.cuh"\n')
    write(tmp_path, "include/shared.cuh", '#  include "deeper.cuh"\n')
    write(tmp_path, "include/deeper.cuh", '#include "shared.cuh"\n')
    write(tmp_path, "include/unused.cuh", "")
    names = {path.name for path in discovery.code_files(discovery.find(tmp_path)["bfs/mine"], tmp_path)}
    assert names == {"mine.py", "mine.cu", "shared.cuh", "deeper.cuh"}


def test_every_launch_is_on_known_axes_with_values_of_their_type():
    ours = [described for described in discovery.find().values() if not described.program]
    points = [launch.parameters for described in ours for launch in described.launches]
    assert all(isinstance(value, AXES[name].type) for point in points for name, value in point.items())
