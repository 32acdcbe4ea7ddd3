"""Effects on the order of a row: it is shuffled, cut, or becomes known.

Input: the parts of such an effect. Output: its node.
Guarantee: nothing is looked up: whether it is a row is asked where the text is typed.
"""

from __future__ import annotations

from typing import Any

from lark import v_args
from lark.tree import Meta

from golpae.syntax import tree as t
from golpae.syntax.build.spans import SpanBuilder


@v_args(meta=True)
class RowBuilder(SpanBuilder):
    """Builds effects on rows."""

    def shuffle(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Shuffle(self._span(meta), c[0])

    def cut(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Cut(self._span(meta), c[0], c[2])

    def arrange(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Arrange(self._span(meta), c[0], c[1])
