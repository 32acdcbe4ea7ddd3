"""Lines of a rule text in colours.

Input: code, the words of a message. Output: markup. Guarantee: the characters are those of the text, escaped.
"""

from __future__ import annotations

from golpae.pages.document import Markup, escaped
from golpae.syntax.highlighting import Kind, pieces

CLASSES: dict[Kind, str] = {
    "comment": "remarked",
    "text": "quoted",
    "value": "quoted",
    "beginning": "word",
    "keyword": "word",
    "declared": "declared",
    "clause": "declared",
    "number": "amount",
}


def highlighted(code: str) -> Markup:
    """Return code as markup."""
    out = []
    for piece in pieces(code):
        kind = CLASSES.get(piece.kind)
        lines = "\n".join(map(escaped, piece.characters.split("\n")))
        out.append(lines if kind is None else f'<span class="{kind}">{lines}</span>')
    return Markup("".join(out))
