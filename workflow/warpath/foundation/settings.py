"""The settings of config/config.yaml, checked and complete."""

import contextlib
from pathlib import Path

from warpath.foundation import places, schemas

CONFIG = places.CONFIG / "config.yaml"
GRAPHS = places.CONFIG / "graphs.yaml"


def read(path=CONFIG):
    return schemas.read(path, "config")


def defaults():
    return check({})


def check(config):
    """Return the settings in a mapping such as Snakemake's `config`."""
    return schemas.check(_numbers(dict(config), schemas.load("config")), "config", shown(CONFIG))


def _numbers(value, schema):
    """Convert strings to numbers where the schema asks for numbers.

    Snakemake passes `--config timing='{repetitions: 9}'` with "9" as a string.
    """
    if isinstance(value, dict):
        rules = schema.get("properties", {})
        return {key: _numbers(item, rules.get(key, {})) for key, item in value.items()}
    if isinstance(value, str) and schema.get("type") in ("integer", "number"):
        with contextlib.suppress(ValueError):
            return int(value) if schema["type"] == "integer" else float(value)
    return value


def catalogues(settings):
    """The files of the catalogue. Paths are relative, so moving a checkout reruns nothing."""
    return [str(shown(GRAPHS)), *settings["catalogues"]]


def shown(path):
    """`path`, relative to the working folder if it lies in it."""
    path = Path(path)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
