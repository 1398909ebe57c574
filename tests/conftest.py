import functools
import os
import signal
from pathlib import Path

for name in [name for name in os.environ if name.startswith("WARPATH_") and name != "WARPATH_SANITIZE"]:
    del os.environ[name]  # before the package reads them: tests know nothing of the user's settings

import checkouts  # noqa: E402
import pytest  # noqa: E402

from warpath.base import files  # noqa: E402
from warpath.devices import host  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
os.environ["PYTHONPATH"] = str(ROOT / "workflow")  # for the processes that tests start
os.environ["WARPATH_CACHE"] = str(ROOT / "results/.cache")  # code is compiled once for all tests and checkouts
# A shell makes background jobs ignore SIGINT, and the processes that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared():
    """The folder of real files that developers have beside the checkout; the product never needs it."""
    folder = ROOT.parent / "shared"
    if not (folder / "mirror" / "MANIFEST.tsv").exists():
        pytest.skip("needs the mirror of real graph files in ../shared")
    return folder


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory):
    """A temporary folder that all of pytest's worker processes share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@functools.cache
def _compiled_once(stem, names, defines, compiled=host.compiled):
    return compiled(stem, names, dict(defines))


@pytest.fixture
def compiled_once(monkeypatch):
    """Look each library of emulated kernels up once in this process, where no test edits a code file."""
    monkeypatch.setattr(host, "compiled", lambda stem, names, defines: _compiled_once(stem, names, (*defines.items(),)))


@pytest.fixture(scope="session")
def finished_study(session_folder):
    """A checkout in which the tiny study is complete: run once for all workers, to be copied and never changed."""
    folder, complete = session_folder / "finished", session_folder / "finished.complete"
    with files.locked(session_folder / "finished.lock"):
        checkout = checkouts.make(folder)
        if not complete.exists():
            checkout.snakemake()
            complete.touch()
    return checkout


@pytest.fixture
def checkout(tmp_path):
    """A copy of the repository with a tiny study that has not been run; its processes are ended."""
    copy = checkouts.make(tmp_path / "checkout")
    yield copy
    copy.end()


@pytest.fixture
def finished(tmp_path, finished_study):
    """A copy, dates included, of the checkout in which the tiny study is complete; its processes are ended."""
    copy = checkouts.copy(finished_study, tmp_path / "checkout")
    yield copy
    copy.end()
