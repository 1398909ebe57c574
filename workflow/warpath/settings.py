"""What config/config.yaml says, checked and complete, with `auto` resolved to the device of this machine."""

import os
from pathlib import Path

from warpath import schemas
from warpath.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "config" / "config.yaml"
GRAPHS = ROOT / "config" / "graphs.yaml"


def read(path=CONFIG):
    return check(schemas.read(path, "config"), path)


def check(config, place=CONFIG):
    """Settings from a mapping such as Snakemake's `config`."""
    return schemas.check(dict(config), "config", _shown(place))


def resolve_device(device):
    """The device that kernels run on here; asking for a GPU where there is none is an error at once.

    Where jobs run on other machines than this one (a cluster's login node), WARPATH_DEVICE says what those have.
    """
    from warpath.devices import detect

    if "WARPATH_DEVICE" in os.environ:
        return os.environ["WARPATH_DEVICE"]
    if device == "host":
        return device
    detected = detect()
    if device == "cuda" and detected != "cuda":
        raise UserError(
            f"{_shown(CONFIG)}: device is cuda, but this machine has no usable NVIDIA GPU (nvidia-smi tells more); "
            "set it to auto or host"
        )
    return detected


def catalogues(settings):
    return [str(GRAPHS), *settings["catalogues"]]


def _shown(path):
    path = Path(path)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
