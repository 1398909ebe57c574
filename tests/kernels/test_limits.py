"""Graphs with more arcs or tiles than kernels can count are refused before anything is allocated."""

import importlib.util
from types import SimpleNamespace

import pytest

from warpath.algorithms.discovery import KERNELS
from warpath.devices.errors import UnsupportedLaunch


def host_side(name):
    spec = importlib.util.spec_from_file_location(name, KERNELS / f"apsp/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def device():
    """A device that can neither allocate nor compile."""
    return SimpleNamespace(xp=SimpleNamespace(empty=None, zeros=None))


def test_sweeps_over_more_arcs_than_an_int_counts():
    graph = SimpleNamespace(vertices=60_000, arcs=2**31 - 1, max_weight=9, offsets=None, targets=None, weights=None)
    with pytest.raises(UnsupportedLaunch, match="2,147,483,647 arcs"):
        host_side("batched").in_sweeps(device(), graph, graph, 60_000, SimpleNamespace(block=512, coarsening=1))


def test_more_tiles_than_there_are_tickets():
    graph = SimpleNamespace(vertices=166_000, arcs=1, max_weight=9)
    with pytest.raises(UnsupportedLaunch, match="166,000 vertices in steps of 64"):
        host_side("fw_tiled").Closure(device(), graph, 32, 64)


def test_tickets_suffice_where_steps_are_longer():
    graph = SimpleNamespace(vertices=166_000, arcs=1, max_weight=9)
    with pytest.raises(TypeError):  # the device cannot allocate
        host_side("fw_tiled").Closure(device(), graph, 32, 128)
