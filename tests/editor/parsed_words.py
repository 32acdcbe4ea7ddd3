"""What the parser makes of the words of a rule text: the judge of colours.

Input: a rule text. Output: each of its tokens, with its place and whether it is a word of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from golpae.diagnostics import Text
from golpae.syntax import parse
from golpae.syntax.highlighting import NO_WORDS
from golpae.syntax.layout import lay_out


@dataclass(frozen=True, slots=True)
class ParsedWord:
    """A token of a text."""

    start: int
    characters: str
    terminal: str

    @property
    def is_keyword(self) -> bool:
        """Return whether this is a word of the language here."""
        return self.terminal not in NO_WORDS and re.search("[a-z]{2}", self.characters) is not None


def parsed_words(content: str) -> Iterator[ParsedWord]:
    """Yield the tokens of a text without faults, but line ends and blocks."""
    lark, blocks = parse._parser()
    blocks.layout = layout = lay_out(Text("text", content))
    for token in lark.parse_interactive(layout.characters, start="start").iter_parse():
        if token.type not in ("_NL", "_INDENT", "_DEDENT", "$END"):
            yield ParsedWord(token.start_pos or 0, str(token), token.type)
