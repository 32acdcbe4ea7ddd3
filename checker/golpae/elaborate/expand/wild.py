"""Give the number of wild tiles a name in shapes.

Input: the declarations of a text. Output: the same; in shapes, the number of wild tiles in `it` is one name.
Guarantee: no text can write this name. Nothing changes where nothing is wild, or where `wild` is a name of the text.

    shape set of 3 or more: ... and (number of t in it: t in wild) <= 3          -> wild tiles of it <= 3
                                and (number of t in it: t not in wild) >= 2      -> size of it - wild tiles of it >= 2
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from golpae.elaborate.expand.rewrite import rewritten
from golpae.ir.scoring import WILD
from golpae.syntax import tree as t


def wild_in_shapes(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with the number of wild tiles as a name in each shape."""
    if all(decl.wild is None for decl in decls if isinstance(decl, t.Tiles)):
        return decls
    if any(isinstance(decl, t.Define) and decl.name.text == "wild" for decl in decls):
        return decls
    return tuple(
        replace(decl, body=rewritten(decl.body, _named)) if isinstance(decl, t.Shape) else decl
        for decl in decls
    )


def _named(node: Any) -> Any:
    match node:
        case t.Fold(
            kind="number of",
            names=(own,),
            domain=t.Name(name="it"),
            item=None,
            size=None,
            test=t.Binary(op="in" | "not in" as op, left=t.Name(name=asked), right=t.Name(name="wild")),
        ) if asked == own.text:
            number = t.Name(node.span, WILD)
            if op == "in":
                return number
            return t.Binary(node.span, "-", t.Unary(node.span, "size of", node.domain), number)
        case _:
            return node
