"""Read YAML files that users write, check them against workflow/schemas and fill in the defaults given there."""

import functools
import json
import operator
from pathlib import Path

import jsonschema_rs
import yaml

from warpath.base.errors import UserError, did_you_mean
from warpath.base.places import WORKFLOW

SCHEMAS = WORKFLOW / "schemas"

HINTS = {  # what to do about common mistakes in YAML
    "found character that cannot start any token": "; indent by spaces, not tabs, and quote what begins with @ or `",
    "mapping values are not allowed in this context": "; quote text that has a colon",
}


def read(path, schema):
    """Return the content of the YAML file at `path`, checked and completed by `schema` (a name in workflow/schemas)."""
    return check(content(path), schema, path)


def content(path):
    try:
        return parse(Path(path).read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    except (yaml.YAMLError, ValueError) as error:  # or a number that YAML's grammar allows and Python does not
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
        line = f", line {mark.line + 1}" if mark else ""
        raise UserError(f"{path}{line}: not valid YAML ({problem}{HINTS.get(problem, '')})") from None


def check(value, schema, place):
    """Return `value` completed with defaults; an error names `place`, the key, its value and what is allowed."""
    if problem := problem_of(value, schema):
        raise UserError(f"{place}: {problem}")
    return complete(value, load(schema))


def problem_of(value, schema):
    """Describe the outermost violation in one line: the key, its value and what is allowed; None if there is none."""

    def order(error):  # a misspelt key before the one that is missing for it
        return len(error.instance_path), error.kind.name != "additionalProperties"

    try:
        error = min(_validator(schema).iter_errors(value), key=order, default=None)
    except ValueError as error:  # what JSON does not have, such as a set, or lists in lists in lists
        return str(error)
    if error is None:
        return None
    key = ".".join(map(str, error.instance_path))
    found = functools.reduce(operator.getitem, error.instance_path, value)  # error.instance has null for infinity
    if error.kind.name == "propertyNames":
        error = error.kind.error
        found = error.instance
    rules = functools.reduce(operator.getitem, error.schema_path[:-1], load(schema))
    return f"{key}: " * bool(key) + _wording(error, rules, found)


@functools.cache
def _validator(schema):
    return jsonschema_rs.Draft202012Validator(load(schema), mask="it")


@functools.cache
def load(schema):
    return parse((SCHEMAS / f"{schema}.schema.yaml").read_text())


KEY_TAGS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")


class _StrictSafeLoader(yaml.CSafeLoader):
    """Refuses duplicate keys and keys that are not strings; libyaml is ten times as fast as PyYAML's own."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.tag not in KEY_TAGS:
                    raise _refused(f"key '{key.value}' is not a string; quote it", key)
                if key.value in seen:
                    raise _refused(f"duplicate key '{key.value}'", key)
                seen |= {key.value} - {"<<"}
        return super().construct_mapping(node, deep)


def _refused(problem, node):
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


# JSON has no dates: they are text.
_StrictSafeLoader.add_constructor("tag:yaml.org,2002:timestamp", _StrictSafeLoader.construct_yaml_str)


def parse(text):
    return yaml.load(text, Loader=_StrictSafeLoader)


def _wording(error, schema, found):
    keyword, allowed = error.schema_path[-1], list(schema.get("properties", {}))
    description = schema.get("description", "").strip().split("\n")[0]
    match keyword:
        case "additionalProperties":
            unknown = next(name for name in found if name not in allowed)
            return f"unknown key '{unknown}'.{did_you_mean(unknown, allowed)} Allowed are {', '.join(allowed)}"
        case "required":
            return f"lacks {', '.join(name for name in schema[keyword] if name not in found)}"
        case "enum":
            violation = f"allowed are {', '.join(map(str, schema['enum']))}"
        case "anyOf":
            options = [name for option in schema["anyOf"] for name in option.get("required", [])]
            violation = f"it needs one of {', '.join(options)}"
        case "pattern" if description:
            violation = "it does not fit"
        case _:
            violation = error.message
    shown = json.dumps(found, default=str)
    shown = shown if len(shown) < 80 else shown[:77] + "..."
    return f"found {shown}, but {violation}" + f" ({description})" * bool(description)


def complete(value, schema):
    """Return a copy with the schema's defaults at every depth, and integers as such."""
    if isinstance(value, list):
        return [complete(item, schema.get("items", {})) for item in value]
    if not isinstance(value, dict):  # JSON's integers include 3.0
        return int(value) if isinstance(value, float) and "integer" in schema.get("type", "") else value
    rules = schema.get("properties", {})
    missing = {name: rule["default"] for name, rule in rules.items() if name not in value and "default" in rule}
    return {name: complete(part, rules.get(name, {})) for name, part in (value | missing).items()}
