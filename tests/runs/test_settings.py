"""Settings come from a file or from Snakemake's command line, and mean the same."""

import pytest

from warpath import devices
from warpath.base import settings
from warpath.base.errors import UserError


def test_the_settings_in_the_repository_are_valid_and_complete():
    config = settings.read()
    assert config["study"] == "quickstart"
    assert config["timing"]["seed"] == 1


def test_numbers_of_the_command_line_are_numbers():
    timing = settings.check({"timing": {"sources": "2", "budget": "1.5"}})["timing"]
    assert (timing["sources"], timing["budget"]) == (2, 1.5)


@pytest.mark.parametrize("value", ["many", "2.5", ""])
def test_other_text_than_numbers_is_an_error(value):
    with pytest.raises(UserError, match=r"timing\.sources: found"):
        settings.check({"timing": {"sources": value}})


def test_a_missing_gpu_is_reported_in_one_line(monkeypatch):
    monkeypatch.setattr("warpath.devices.detect", lambda: "host")
    monkeypatch.delenv("WARPATH_DEVICE", raising=False)
    assert devices.resolve("auto") == "host"
    with pytest.raises(UserError, match="device is cuda, but this machine has no usable NVIDIA GPU"):
        devices.resolve("cuda")


def test_on_a_login_node_the_environment_names_the_device_of_the_nodes(monkeypatch):
    monkeypatch.setenv("WARPATH_DEVICE", "cuda")
    assert devices.resolve("auto") == "cuda"
