"""The rule numbers in a text: those of a part and of all that stands in it."""

from __future__ import annotations

from collections.abc import Iterator

from golpae.syntax.tree import Word

PARTS = (
    *("clauses", "given", "provided", "fields", "defines", "patterns", "brings"),
    *("deltas", "properties", "groups", "zones", "vars"),
)


def anchors(node: object) -> Iterator[Word]:
    """The words in `[ ]` of a declaration or clause, in reading order of its parts."""
    yield from getattr(node, "ids", ())
    for field in PARTS:
        for part in getattr(node, field, ()):
            yield from anchors(part)
    withdrawn = getattr(node, "withdrawn", None)
    if withdrawn is not None:
        yield from anchors(withdrawn)
