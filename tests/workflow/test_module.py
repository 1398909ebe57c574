"""The workflow as a module of another: what must happen around its jobs does not rely on Snakemake's handlers."""

import checkouts
import pandas as pd
import pytest

from warpath.lifetime import folder

OUTER = """
module warpath:
    snakefile: "../checkout/workflow/Snakefile"
    config: {"study": "tiny.yaml", "device": "host", "catalogues": ["tiny-graphs.yaml"]}

use rule * from warpath as warpath_*
"""
STUDY = "title: A tiny study\nruns: [{graphs: [tiny-path], algorithms: [bfs/level], launches: {block: 64}}]\n"


@pytest.fixture
def outer(checkout):
    """A folder beside the checkout whose Snakefile uses the checkout's."""
    place = checkout.folder.parent / "outer"
    place.mkdir()
    using = checkouts.Checkout(place, WARPATH_CACHE=checkout.environment["WARPATH_CACHE"])
    using.write("Snakefile", OUTER)
    using.write("tiny.yaml", STUDY)
    using.write("tiny-graphs.yaml", checkouts.GRAPHS)
    yield using
    using.end()


def test_a_module_locks_the_folder_and_salvages_results_after_a_failure(checkout, outer):
    kernel = checkout.read("kernels/bfs/level.cu")
    checkout.write("kernels/bfs/level.cu", "this is not CUDA\n" + kernel)
    assert outer.snakemake("warpath_all", "--dry-run").returncode == 0
    assert not (outer.folder / folder.LOCK).exists()

    failed = outer.snakemake("--keep-going", check=False)
    assert failed.returncode != 0
    assert outer.read(folder.LOCK).startswith("process "), failed.stdout
    assert list(pd.read_csv(outer.folder / "results/summary.csv")["status"]) == ["failed"]
    assert (outer.folder / "results/report.html").exists()

    checkout.write("kernels/bfs/level.cu", kernel)
    jobs = dict.fromkeys(["measure_run", "gather_results", "write_report", "all"], 1)
    assert outer.jobs() == {f"warpath_{rule}": count for rule, count in jobs.items()}
