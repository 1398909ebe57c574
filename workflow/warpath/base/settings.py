"""The settings of config/config.yaml, checked and complete."""

import contextlib
import json
import os
from datetime import date

from warpath.base import places, schemas

# In the environment of jobs, as JSON: what is known of their workflow, and the settings of each of its modules by the
# folder that it works in.
HANDED = "WARPATH_WORKFLOW_SETTINGS"

GRAPHS = places.CONFIG / "graphs.yaml"


def file(own=True):
    """The file with the settings: `own`, in the working folder, if there is one; else that of the repository."""
    return places.configured(places.SETTINGS) if own else str(places.shown(places.ROOT / places.SETTINGS))


def read(path=None):
    return check(schemas.read(path or file(), "config"))


def defaults():
    return check({})


def check(config, place=None):
    """Return the settings in a mapping, without the catalogue that is always read; errors name `place`."""
    checked = schemas.check(_typed(dict(config), schemas.load("config")), "config", place or file())
    always = str(places.shown(GRAPHS))
    return checked | {"catalogues": [path for path in checked["catalogues"] if places.configured(path) != always]}


def _typed(value, schema):
    """Convert to numbers and strings what `--config` gives as "9" or as a date, where the schema asks for it."""
    if isinstance(value, dict):
        rules = schema.get("properties", {})
        return {key: _typed(item, rules.get(key, {})) for key, item in value.items()}
    if isinstance(value, str) and schema.get("type") in ("integer", "number"):
        with contextlib.suppress(ValueError):
            return int(value) if schema["type"] == "integer" else float(value)
    return str(value) if isinstance(value, date) else value


def hand_over(settings, prefix, **workflow):
    """Let the jobs of this process know the settings of a module, and what else is to be known of their workflow."""
    handed = json.loads(os.environ.get(HANDED, '{"settings": {}}'))
    os.environ[HANDED] = json.dumps({"settings": handed["settings"] | {prefix: settings}, "workflow": workflow})


def handed():
    """The settings that the workflow has handed to this job; by hand those of the file."""
    handed = json.loads(os.environ.get(HANDED, '{"settings": {}}'))["settings"]
    return handed[places.entered] if places.entered in handed else read()


def workflow():
    """What is known of the workflow that this process belongs to; empty by hand."""
    return json.loads(os.environ.get(HANDED, "{}")).get("workflow", {})


def catalogues(settings):
    return [str(places.shown(GRAPHS)), *map(places.configured, settings["catalogues"])]


def mirrors(addresses):
    return [address if "://" in address else places.own(address) for address in addresses]
