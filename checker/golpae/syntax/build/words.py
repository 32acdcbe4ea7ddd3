"""From the parser's tree to lines that put other words for players in the place of those of a text.

Input: `replace aim "..."`, `add draw note "..."` and the like, as the parser has them.
Output: `Reword` nodes.
Guarantee: the span of the words is that of the text in quotes.
"""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from golpae.syntax import tree as t
from golpae.syntax.build.spans import SpanBuilder, text_of


@v_args(meta=True)
class WordsBuilder(SpanBuilder):
    """Builds lines with other words."""

    def _said(self, token: Token) -> t.Word:
        return t.Word(self._word(token).span, text_of(token))

    def replace_aim(self, meta: Meta, c: list[Any]) -> t.Reword:
        return t.Reword(self._span(meta), "replace", (), "aim", self._said(c[1]), c[2])

    def add_aim(self, meta: Meta, c: list[Any]) -> t.Reword:
        return t.Reword(self._span(meta), "add", (), "aim", self._said(c[1]), c[2])

    def replace_note(self, meta: Meta, c: list[Any]) -> t.Reword:
        return t.Reword(self._span(meta), "replace", c[0], "note", self._said(c[2]), c[3])

    def add_note(self, meta: Meta, c: list[Any]) -> t.Reword:
        return t.Reword(self._span(meta), "add", c[0], "note", self._said(c[2]), c[3])

    def replace_told(self, meta: Meta, c: list[Any]) -> t.Reword:
        return t.Reword(self._span(meta), "replace", c[0], "told", self._said(c[2]), ())

    def replace_words(self, meta: Meta, c: list[Any]) -> t.Reword:
        return t.Reword(self._span(meta), "replace", c[0], "words", self._said(c[1]), ())
