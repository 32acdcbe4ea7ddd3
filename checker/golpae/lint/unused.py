"""Definitions, shapes and arrangements that nothing in their text uses.

Input: a `Loaded` text.
Output: a `Note` for each.
Guarantee: what any word of the text may name is not noted; included texts are not noted either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from golpae.diagnostics import Span
from golpae.elaborate.load import Loaded
from golpae.lint.notes import Note
from golpae.syntax import tree as t

KINDS = {t.Define: "definition", t.Shape: "shape", t.Arrangement: "arrangement"}


def unused(loaded: Loaded) -> Iterator[Note]:
    """Yield a note for each definition, shape and arrangement of the text itself that nothing in it uses."""
    own = loaded.game.name.span.text
    used = [(decl, set(_words(decl))) for decl in loaded.decls if not isinstance(decl, t.Source)]
    for decl, _ in used:
        if isinstance(decl, t.Define | t.Shape | t.Arrangement) and decl.name.span.text == own:
            name = decl.name
            forms = {name.text, f"{name.text}s"} if isinstance(decl, t.Shape) else {name.text}  # `2 pairs`
            if not any(forms & words for other, words in used if other is not decl):
                yield Note(name.text, f"`{name.text}`: nothing uses this {KINDS[type(decl)]}", name.span)


def _words(part: object) -> Iterator[str]:
    """Yield all words in a part of a text that may name another part."""
    if isinstance(part, tuple):
        for item in part:
            yield from _words(item)
    elif isinstance(part, str):
        yield part
    elif isinstance(part, t.Delta):  # a change is no use of what it changes
        yield from _words(part.body)
    elif isinstance(part, t.Variant):
        yield from _words((part.deltas, part.properties))
    elif is_dataclass(part) and not isinstance(part, t.Remarks | Span):
        for each in fields(part):
            value = getattr(part, each.name)
            if each.name in ("message", "title", "gist", "spoken"):
                for words in re.findall(r"\{([^{}]*)\}", value) if isinstance(value, str) else ():
                    yield from re.findall(r"[\w-]+", words)
            else:
                yield from _words(value)
