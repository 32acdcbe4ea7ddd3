"""A text whose parts are parsed alone has the tree, places included, that the whole text has."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from golpae.bundled import spec_dir
from golpae.diagnostics import Span, SpecError, Text
from golpae.syntax import parse as parsing
from golpae.syntax.layout import lay_out
from golpae.syntax.parse import parse

TEXTS = sorted(spec_dir().glob("*.golpae"))
ODD = [
    "",
    "\n\n",
    "# alone\n",
    "game a\n  # below\n# rest",
    "game a # behind\n\n  # deep\ninclude b\n",
    "game a\ngame a",
]


def whole(text: Text) -> Any:
    return parsing._parsed(text, lay_out(text))


def with_places(value: Any) -> Any:
    """Return a tree with the places of all its nodes, which equality leaves out."""
    if isinstance(value, Span):
        return value.text, value.start, value.end
    if isinstance(value, tuple):
        return tuple(map(with_places, value))
    if is_dataclass(value):
        return type(value), *(with_places(getattr(value, field.name)) for field in fields(value))
    return value


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_the_tree_is_that_of_the_whole_text(file: Path) -> None:
    content = file.read_text("utf-8")
    for changed in (content, f"# one line more\n\n{content}", content.rstrip() + "  # behind"):
        text = Text.of(file.name, changed)
        assert with_places(parse(text)) == with_places(whole(text))


@pytest.mark.parametrize("content", [one.replace("game a", 'game a "a"') for one in ODD])
def test_the_tree_of_an_odd_text_is_that_of_the_whole(content: str) -> None:
    text = Text.of("odd", content)
    assert with_places(parse(text)) == with_places(whole(text))


def test_a_keystroke_parses_one_part() -> None:
    content = (spec_dir() / "jjak.golpae").read_text("utf-8")
    parse(Text.of("jjak", content))
    before = parsing._parsed_part.cache_info().misses
    parse(Text.of("jjak", content.replace('"', '"x', 1)))
    assert parsing._parsed_part.cache_info().misses == before + 1


def test_a_fault_has_its_place_in_the_whole_text() -> None:
    text = Text.of("pond", 'game pond "a pond"\n\ndefine deep: 3\ndefine wide: 3 +\n')
    with pytest.raises(SpecError) as caught:
        parse(text)
    [fault] = caught.value.diagnostics
    assert fault.span is not None
    assert fault.span.text is text
    assert text.position(fault.span.start)[0] == 4
