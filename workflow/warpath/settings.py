"""What config/config.yaml says, checked and complete, with `auto` resolved to the device of this machine."""

import contextlib
import os
from pathlib import Path

from warpath import schemas
from warpath.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "config" / "config.yaml"
GRAPHS = ROOT / "config" / "graphs.yaml"


def read(path=CONFIG):
    return schemas.read(path, "config")


def defaults():
    return check({})


def check(config):
    """Settings from a mapping such as Snakemake's `config`."""
    return schemas.check(_numbers(dict(config), schemas.load("config")), "config", _shown(CONFIG))


def _numbers(value, schema):
    """Snakemake leaves numbers as text in `--config timing='{repetitions: 9}'`; here they are numbers again."""
    if isinstance(value, dict):
        rules = schema.get("properties", {})
        return {key: _numbers(item, rules.get(key, {})) for key, item in value.items()}
    if isinstance(value, str) and schema.get("type") in ("integer", "number"):
        with contextlib.suppress(ValueError):
            return int(value) if schema["type"] == "integer" else float(value)
    return value


def expect_gpus_elsewhere(device):
    """On a cluster nothing follows from what the machine has that submits the jobs: the nodes have GPUs, unless the
    settings say host. The jobs inherit what is decided here."""
    os.environ.setdefault("WARPATH_DEVICE", "host" if device == "host" else "cuda")


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
    return [str(_shown(GRAPHS)), *settings["catalogues"]]  # a checkout that is moved stays as it is done


def _shown(path):
    path = Path(path)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
