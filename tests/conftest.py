import os
import signal
from pathlib import Path

import checkouts
import pytest

ROOT = Path(__file__).resolve().parents[1]
os.environ["PYTHONPATH"] = str(ROOT / "workflow")  # for the processes that tests start
# A shell lets what it starts in the background ignore Ctrl-C, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared():
    """The folder of real files that developers have beside the checkout; the product never needs it."""
    folder = ROOT.parent / "shared"
    if not (folder / "mirror" / "MANIFEST.tsv").exists():
        pytest.skip("needs the mirror of real graph files in ../shared, which is not here")
    return folder


@pytest.fixture(scope="session")
def kernel_cache(tmp_path_factory):
    """One cache of compiled kernels for all checkouts: what is tested there is the workflow, not the compiler."""
    return tmp_path_factory.getbasetemp().parent / "kernel-cache"


@pytest.fixture
def checkout(tmp_path, kernel_cache, monkeypatch):
    """A copy of the repository with a tiny study; nothing that runs in it is left behind."""
    monkeypatch.delenv("WARPATH_DEVICE", raising=False)
    made = checkouts.make(tmp_path / "checkout", WARPATH_CACHE=str(kernel_cache))
    yield made
    made.end()
