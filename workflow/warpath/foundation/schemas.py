"""YAML files that users write: read, checked against workflow/schemas, completed with the defaults given there."""

import copy
import functools
import json
import math
from pathlib import Path

import yaml

from warpath.foundation.errors import UserError, did_you_mean
from warpath.foundation.places import WORKFLOW

SCHEMAS = WORKFLOW / "schemas"


def read(path, schema):
    """The mapping in the YAML file at `path`, valid and complete by `schema` (a name in workflow/schemas)."""
    try:
        return check(parse(Path(path).read_text()), schema, path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark else ""
        raise UserError(f"{path}{place}: not valid YAML ({getattr(error, 'problem', error)})") from None
    except ValueError as error:  # a date or a number that YAML's grammar allows and Python does not
        raise UserError(f"{path}: not valid YAML ({error})") from None
    except RecursionError:
        raise UserError(f"{path}: not valid YAML (nested too deep, or in itself)") from None


def check(value, schema, place):
    """`value` completed with defaults; an error names `place`, the key, what was found and what is allowed."""
    schema = load(schema)
    errors = sorted(_validator()(schema).iter_errors(value), key=lambda error: len(error.path))
    if errors:
        raise UserError(f"{place}: {explain(errors[0])}")
    return complete(value, schema)


@functools.cache
def _validator():
    """JSON's own, except that numbers are finite: YAML has .inf and .nan, which no time or size can be."""
    from jsonschema import Draft202012Validator, validators

    def finite(_, value):
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf

    kinds = Draft202012Validator.TYPE_CHECKER.redefine("number", finite)
    return validators.extend(Draft202012Validator, type_checker=kinds)


@functools.cache
def load(schema):
    return parse((SCHEMAS / f"{schema}.schema.yaml").read_text())


KEYS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")


class _StrictSafeLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """By libyaml where it is there: a long catalogue takes 20 ms instead of 200. Of two equal keys, YAML would silently
    take the last."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            word = key.value if isinstance(key, yaml.ScalarNode) else None
            if word is not None and key.tag not in KEYS:
                raise yaml.constructor.ConstructorError(None, None, f"'{word}' is no text; quote it", key.start_mark)
            if word in seen:
                raise yaml.constructor.ConstructorError(None, None, f"'{word}' is there twice", key.start_mark)
            seen |= {word} - {None, "<<"}
        return super().construct_mapping(node, deep)


def parse(text):
    return yaml.load(text, Loader=_StrictSafeLoader)


def explain(error):
    """One line for one violation: the key, what was found, what is allowed."""
    key = ".".join(map(str, error.path)) or "the file"
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(name for name in error.instance if name not in known)
        return f"{key}: unknown key '{unknown}'.{did_you_mean(unknown, known)} Allowed are {', '.join(known)}"
    found = json.dumps(error.instance, default=str)
    found = found if len(found) < 80 else found[:77] + "..."
    return f"{key}: found {found}, but {_allowed(error)}"


def _allowed(error):
    rule = error.validator_value
    wording = {
        "enum": lambda: f"allowed are {', '.join(map(str, rule))}",
        "type": lambda: f"it must be {_kinds(rule)}",
        "minimum": lambda: f"it must be at least {rule}",
        "exclusiveMinimum": lambda: f"it must be greater than {rule}",
        "maximum": lambda: f"it must be at most {rule}",
        "required": lambda: f"it needs {', '.join(name for name in rule if name not in error.instance)}",
        "anyOf": lambda: f"it needs one of {', '.join(name for option in rule for name in option.get('required', []))}",
        "minItems": lambda: f"it needs at least {rule} entries",
        "pattern": lambda: f"it must match {rule}",
    }
    explained = wording.get(error.validator, lambda: error.message)()
    about = error.schema.get("description", "").strip().split("\n")[0]
    return f"{explained} ({about})" if about else explained


def _kinds(rule):
    return " or ".join([rule] if isinstance(rule, str) else rule).replace("number", "finite number")


def complete(value, schema):
    """Fill in the defaults that the schema states, at every depth."""
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
