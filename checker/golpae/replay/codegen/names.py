"""Names of the language in generated code, and values with the face of each tile.

Input: a name, or the source of a value and its type. Output: source.
Guarantee: different names of the language have different names in Python.
"""

from __future__ import annotations

from typing import assert_never

from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay.state_layout import mangled


def local(name: str) -> str:
    """Return the Python name of a parameter or a quantifier's name."""
    return f"l_{mangled(name)}"


def faces(value: str, kind: Type) -> str:
    """Return the source of a value of this type with the face of each tile."""
    match kind:
        case Tile():
            return f"FACES[{value}]"
        case Meld():
            return f"meld_by_face({value}, FACES)"
        case Bag(Tile()):
            return f"[FACES[t] for t in {value}]"
        case Bag(item) | Each(item):
            return f"[{faces('m', item)} for m in {value}]"
        case Opt(item):
            return f"(lambda v: None if v is None else {faces('v', item)})({value})"
        case Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
            return value
        case _:
            assert_never(kind)
