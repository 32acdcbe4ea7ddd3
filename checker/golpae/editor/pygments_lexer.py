"""Rule texts in the colours of Pygments, for pages that Sphinx, MkDocs or `pygmentize` make.

Input: a rule text. Output: its tokens. Guarantee: the tokens together are the text. Pygments finds the class by the
entry point `pygments.lexers`; golpae itself never imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments import token
from pygments.lexer import Lexer

from golpae.syntax.highlighting import Kind, pieces

TOKENS: dict[Kind, Any] = {
    "comment": token.Comment.Single,
    "text": token.String,
    "value": token.String.Interpol,
    "citation": token.Name.Decorator,
    "beginning": token.Keyword.Declaration,
    "keyword": token.Keyword,
    "declared": token.Name.Function,
    "clause": token.Name.Label,
    "number": token.Number,
    "operator": token.Operator,
    "punctuation": token.Punctuation,
    "name": token.Name,
    "blank": token.Whitespace,
    "error": token.Error,
}


class GolpaeLexer(Lexer):  # type: ignore[misc]  # Pygments says nothing of types
    """The lexer of rule texts."""

    name = "golpae"
    aliases: ClassVar = ["golpae"]
    filenames: ClassVar = ["*.golpae"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yield the place of each token, what it is, and its characters."""
        for piece in pieces(text):
            yield piece.start, TOKENS[piece.kind], piece.characters
