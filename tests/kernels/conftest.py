import pytest


@pytest.fixture(autouse=True)
def _quick(compiled_once):
    """Prepare thousands of times without reading code files."""


@pytest.fixture
def configure(monkeypatch):
    """Give constants and functions of an algorithm's module other values, for one test."""

    def set_all(described, **settings):
        for name, value in settings.items():
            monkeypatch.setitem(described.prepare.__globals__, name, value)

    return set_all
