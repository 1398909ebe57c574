"""A wrong key or value names the file, the key, what was found and what is allowed."""

import pytest
import yaml

from warpath.base import schemas, settings
from warpath.base.errors import UserError


def written(folder, text):
    path = folder / "config.yaml"
    path.write_text(text)
    return path


def message(folder, text, schema="config"):
    with pytest.raises(UserError) as caught:
        schemas.read(written(folder, text), schema)
    assert str(folder / "config.yaml") in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_mapping_keeps_its_values_and_gets_the_other_defaults(tmp_path):
    given = schemas.read(written(tmp_path, "study: 2024-01-31\ntiming: {repetitions: 9}"), "config")
    timing = given["timing"]
    assert given["study"] == "2024-01-31" and given["device"] == "auto"
    assert (timing["repetitions"], timing["warmup"], timing["time_limit"]) == (9, 1, 240)
    assert schemas.read(written(tmp_path, "{}"), "config")["study"] == "quickstart"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("timing: {repetition: 3}", "timing: unknown key 'repetition'. Did you mean repetitions?"),
        ("timing: {xyz: 3}", "timing: unknown key 'xyz'. Allowed are sources,"),
        ("device: gpu", 'device: found "gpu", but allowed are auto, cuda, host'),
        ("timing: {sources: 0}", "timing.sources: found 0, but it is less than the minimum of 1"),
        ("timing: {sources: many}", 'timing.sources: found "many", but it is not of type "integer"'),
        ("timing: {time_limit: 0}", "timing.time_limit: found 0, but it is less than or equal to the minimum of 0"),
        ("timing: {time_limit: .inf}", 'timing.time_limit: found Infinity, but it is not of type "number"'),
        ("timing: {budget: .nan}", 'timing.budget: found NaN, but it is not of type "number"'),
        ("timing: {time_limit: 1.0e+307}", "timing.time_limit: found 1e+307, but it is greater than the maximum"),
        (f"timing: {{time_limit: 1{400 * '0'}}}", "timing.time_limit: found 1000"),
        ("mirrors: [1]", 'mirrors.0: found 1, but it is not of type "string"'),
        ("- a", "config.yaml: found"),
        ("null", 'config.yaml: found null, but it is not of type "object"'),
        ("catalogues: mine.yaml", 'catalogues: found "mine.yaml", but it is not of type "array"'),
        ("study: x\n  device: {\n", "line 2"),
        ("study: a\ndevice: host\nstudy: b", "line 3: not valid YAML (duplicate key 'study')"),
        ("study: !!python/object/apply:os.system ['true']", "not valid YAML"),
        ("study: !!set {a, b}", "Unsupported type: 'set'"),
        ("study:\n\t- a", "not tabs"),
        ("title: a: b", "has a colon"),
    ],
)
def test_a_wrong_key_or_value_says_what_is_allowed(tmp_path, text, expected):
    assert expected in message(tmp_path, text)


def test_numbers_of_the_command_line_are_numbers():
    timing = settings.check({"timing": {"sources": "2", "budget": "1.5"}})["timing"]
    assert (timing["sources"], timing["budget"]) == (2, 1.5)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none\.yaml: cannot be read .*No such file"):
        schemas.read(tmp_path / "none.yaml", "config")


@pytest.mark.parametrize("file", sorted(schemas.SCHEMAS.glob("*.schema.yaml")), ids=lambda path: path.name)
def test_every_key_of_every_schema_is_described(file):
    def keys(schema, path=()):
        for name, rule in schema.get("properties", {}).items():
            yield (*path, name), rule
            yield from keys(rule, (*path, name))
            yield from keys(rule.get("items", {}), (*path, name))

    undescribed = [".".join(path) for path, rule in keys(yaml.safe_load(file.read_text())) if "description" not in rule]
    assert undescribed == []
