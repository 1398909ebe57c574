"""What config/config.yaml says, checked and complete."""

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
    """Settings from a mapping such as Snakemake's `config`."""
    return schemas.check(_numbers(dict(config), schemas.load("config")), "config", shown(CONFIG))


def _numbers(value, schema):
    """Snakemake leaves numbers as text in `--config timing='{repetitions: 9}'`; here they are numbers again."""
    if isinstance(value, dict):
        rules = schema.get("properties", {})
        return {key: _numbers(item, rules.get(key, {})) for key, item in value.items()}
    if isinstance(value, str) and schema.get("type") in ("integer", "number"):
        with contextlib.suppress(ValueError):
            return int(value) if schema["type"] == "integer" else float(value)
    return value


def catalogues(settings):
    return [str(shown(GRAPHS)), *settings["catalogues"]]  # a checkout that is moved stays as it is done


def shown(path):
    path = Path(path)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
