"""The texts of the repository, and how the tests of syntax read a text."""

from __future__ import annotations

import re

import pytest

from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.syntax import tree as t
from golpae.syntax.format import WIDTH
from golpae.syntax.parse import parse
from tests.committed import TOP

PATHS = sorted([*(TOP / "spec").glob("*.golpae"), *(TOP / "tests" / "games").glob("*.golpae")])
TEXTS = [path.read_text(encoding="utf-8") for path in PATHS]


def read(source: str) -> t.RuleText:
    return parse(Text.of("test", source))


def fault(source: str) -> tuple[Diagnostic, str]:
    """Return the one diagnostic of a text, and the words it underlines."""
    with pytest.raises(SpecError) as caught:
        read(source)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.span is not None
    return diagnostic, diagnostic.span.words


def too_wide(text: str) -> list[str]:
    """Return the lines of a text that are too wide for more than one word: texts, comments and notes aside."""
    margin = re.compile(r"\s*(\[[A-Za-z0-9 ]*\])?\s*(#[^\"]*)?$")
    lines = (margin.sub("", line) for line in text.split("\n") if not line.lstrip().startswith("#"))
    return [line for line in lines if len(line) > WIDTH and not re.fullmatch(r'.*"[^"]*"', line)]
