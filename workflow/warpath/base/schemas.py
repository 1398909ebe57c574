"""Read YAML files that users write, check them against workflow/schemas and fill in the defaults given there."""

import copy
import functools
import json
import math
from pathlib import Path

import yaml

from warpath.base import fast_schema
from warpath.base.errors import UserError, did_you_mean
from warpath.base.places import WORKFLOW

SCHEMAS = WORKFLOW / "schemas"


def read(path, schema):
    """Return the content of the YAML file at `path`, checked and completed by `schema` (a name in workflow/schemas)."""
    try:
        return check(parse(Path(path).read_text()), schema, path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path}{_yaml_problem(error)}") from None
    except ValueError as error:  # a date or a number that YAML's grammar allows and Python does not
        raise UserError(f"{path}: not valid YAML ({error})") from None
    except RecursionError:
        raise UserError(f"{path}: not valid YAML (nested too deeply, or within itself)") from None


HINTS = {
    "found character that cannot start any token": "; indent by spaces, not tabs, and quote what begins with @ or `",
    "mapping values are not allowed in this context": "; quote text that has a colon",
}


def _yaml_problem(error):
    """The line, what is wrong there, and what to do about common mistakes."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error)
    place = f", line {mark.line + 1}" if mark else ""
    return f"{place}: not valid YAML ({problem}{HINTS.get(problem, '')})"


def check(value, schema, place):
    """Return `value` completed with defaults; an error names `place`, the key, its value and what is allowed."""
    if _compiled(schema)(value):  # jsonschema, which is slow, only words the error
        errors = sorted(_validator()(load(schema)).iter_errors(value), key=lambda error: len(error.path))
        if errors:
            raise UserError(f"{place}: {explain(errors[0])}")
    return complete(value, load(schema))


@functools.cache
def _compiled(schema):
    return fast_schema.compiled(load(schema))


@functools.cache
def _validator():
    """The JSON Schema validator with finite numbers only: YAML's .inf and .nan are no valid time or size."""
    from jsonschema import Draft202012Validator, validators

    def finite(_, value):
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf

    types = Draft202012Validator.TYPE_CHECKER.redefine("number", finite)
    return validators.extend(Draft202012Validator, type_checker=types)


@functools.cache
def load(schema):
    return parse((SCHEMAS / f"{schema}.schema.yaml").read_text())


MOST_VALUES = 10**6
KEY_TAGS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")


class _StrictSafeLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Refuses keys that are not strings, and duplicate keys, of which YAML would silently take the last.

    libyaml, where installed, reads a long catalogue in 20 ms instead of 200.
    """

    def construct_document(self, node):
        if _values(node, {}) > MOST_VALUES:
            problem = f"aliases repeat values more than {MOST_VALUES:,} times"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        return super().construct_document(node)

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            problem = None
            if name is not None and key.tag not in KEY_TAGS:
                problem = f"key '{name}' is not a string; quote it"
            elif name in seen:
                problem = f"duplicate key '{name}'"
            if problem:
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen |= {name} - {None, "<<"}
        return super().construct_mapping(node, deep)


def _values(node, known):
    """The number of values once aliases are written out."""
    if id(node) not in known:
        known[id(node)] = 0  # a node within itself
        parts = node.value if isinstance(node, yaml.CollectionNode) else []
        inner = [part for pair in parts for part in pair] if isinstance(node, yaml.MappingNode) else parts
        known[id(node)] = 1 + sum(_values(part, known) for part in inner)
    return known[id(node)]


def parse(text):
    return yaml.load(text, Loader=_StrictSafeLoader)


def explain(error):
    """Describe one violation in one line: the key, its value and what is allowed."""
    key = f"{'.'.join(map(str, error.path))}: " if error.path else ""
    if error.validator == "additionalProperties":
        allowed = list(error.schema.get("properties", {}))
        unknown = next(name for name in error.instance if name not in allowed)
        return f"{key}unknown key '{unknown}'.{did_you_mean(unknown, allowed)} Allowed are {', '.join(allowed)}"
    if error.validator == "required":
        missing = ", ".join(name for name in error.validator_value if name not in error.instance)
        return f"{key}lacks {missing}"
    value = json.dumps(error.instance, default=str)
    value = value if len(value) < 80 else value[:77] + "..."
    return f"{key}found {value}, but {_requirement(error)}"


def _requirement(error):
    rule = error.validator_value
    wording = {
        "enum": lambda: f"allowed are {', '.join(map(str, rule))}",
        "type": lambda: f"it must be {_type_names(rule)}",
        "minimum": lambda: f"it must be at least {rule}",
        "exclusiveMinimum": lambda: f"it must be greater than {rule}",
        "maximum": lambda: f"it must be at most {rule}",
        "anyOf": lambda: f"it needs one of {', '.join(name for option in rule for name in option.get('required', []))}",
        "minItems": lambda: f"it needs at least {rule} entries",
        "pattern": lambda: "it does not fit" if description else f"it must match {rule}",
    }
    description = error.schema.get("description", "").strip().split("\n")[0]
    requirement = wording.get(error.validator, lambda: error.message)()
    return f"{requirement} ({description})" if description else requirement


TYPES = {"object": "keys with values", "array": "a list", "boolean": "true or false", "string": "text"}
TYPES |= {"number": "a finite number", "integer": "an integer"}


def _type_names(rule):
    return " or ".join(TYPES.get(name, name) for name in ([rule] if isinstance(rule, str) else rule))


def complete(value, schema):
    """Fill in the schema's defaults at every depth."""
    if isinstance(value, list):
        return [complete(item, schema.get("items", {})) for item in value]
    if not isinstance(value, dict):
        return value
    value = copy.deepcopy(value)
    for name, rule in schema.get("properties", {}).items():
        if name not in value and "default" in rule:
            value[name] = copy.deepcopy(rule["default"])
        if name in value:
            value[name] = complete(value[name], rule)
    return value
