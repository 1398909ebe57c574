"""What comes from outside is escaped, and shows no credentials."""

from unittest import mock

import pytest

from warpath import cli
from warpath.base import text
from warpath.base.errors import UserError
from warpath.graphs import catalogue

SHOWN = {
    "graph é.txt": "graph é.txt",
    "\x1b[31mred": "\\x1b[31mred",
    "two\nlines\r": "two\\nlines\\r",
    "\x9b2J": "\\x9b2J",
    "right\u202eleft": "right\\u202eleft",
    "\udcff": "\\xff",
    b"a\xffb": "a\\xffb",
    "\u2028": "\\u2028",
}


@pytest.mark.parametrize(("raw", "shown"), SHOWN.items(), ids=map(ascii, SHOWN))
def test_what_is_not_printable_is_escaped(raw, shown):
    assert text.escaped(raw) == shown
    if isinstance(raw, str):
        assert str(UserError(raw)) == shown


def test_characters_may_be_kept():
    assert text.escaped("a\n\tb\x07", keep="\n\t") == "a\n\tb\\x07"


URLS = {
    "https://x.org/a?b=1": "https://x.org/a?b=1",
    "https://me:pass@x.org/a": "https://***@x.org/a",
    "https://token@x.org/a@b": "https://***@x.org/a@b",
    "https://a:p@ss@x.org": "https://***@x.org",
    "https://x.org/a?X-Amz-Signature=1f&part=2": "https://x.org/a?X-Amz-Signature=***&part=2",
    '["https://x.org/?api_key=1", "b@c"]': '["https://x.org/?api_key=***", "b@c"]',
}


@pytest.mark.parametrize(("url", "shown"), URLS.items())
def test_credentials_are_not_shown(url, shown):
    assert text.without_credentials(url) == shown
    assert str(UserError(url)) == shown


def test_one_thing_is_not_several():
    assert [text.counted(number, "run") for number in (0, 1, 2048)] == ["0 runs", "1 run", "2,048 runs"]


def test_ctrl_c_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr(catalogue, "load", mock.Mock(side_effect=KeyboardInterrupt))
    assert cli.main(["graphs"]) == 130
    assert capsys.readouterr().err == "warpath: interrupted\n"
