import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
os.environ["PYTHONPATH"] = str(ROOT / "workflow")  # for the processes that tests start


@pytest.fixture(scope="session")
def shared():
    """The folder of real files that developers have beside the checkout; the product never needs it."""
    folder = ROOT.parent / "shared"
    if not (folder / "mirror" / "MANIFEST.tsv").exists():
        pytest.skip("needs the mirror of real graph files in ../shared, which is not here")
    return folder
