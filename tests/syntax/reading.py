"""The texts of the repository, and how the tests of syntax read a text."""

from __future__ import annotations

import pytest

from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.syntax import tree as t
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
