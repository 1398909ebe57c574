"""What the README tells a newcomer to type works as it stands, in a fresh folder, without a GPU."""

import re
import shlex

import pytest
from checkouts import ROOT


def blocks(page, language):
    """The blocks of code on a page, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_an_own_graph_an_own_kernel_and_an_own_study_take_one_line_two_files_and_three_lines(checkout):
    graph, study = blocks("README.md", "yaml")
    assert (graph.count("\n"), study.count("\n")) == (1, 3)
    checkout.restore("config/config.yaml")
    checkout.append("config/graphs.yaml", graph)
    checkout.write("my-roads.gr", "p sp 4 4\na 1 2 3\na 2 3 1\na 1 3 9\na 3 4 2\n")
    checkout.write("my-study.yaml", study)
    for language, suffix in (("python", "py"), ("cpp", "cu")):
        checkout.write(f"kernels/sssp/my_sssp.{suffix}", blocks("kernels/README.md", language)[0])
    (command,) = re.findall("^snakemake (.*my-study.yaml)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    checkout.snakemake(*shlex.split(command))
    assert checkout.statuses() == {"sssp/my_sssp": {"ok"}, "sssp/near_far": {"ok"}}
