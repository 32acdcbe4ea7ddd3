"""The structure of a node of the IR, stated once, as data, in the class of the node.

Input: none. Output: `Structure`, which every expression and effect carries as its class attribute `STRUCTURE`.
Guarantee: `traverse` and `dependencies` use only the structure of a node; a node without one fails the type check, and
a field that holds expressions and is missing in the structure fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from golpae.ir.types import Type

ReadKind = Literal["state", "zone", "word"]
WriteKind = Literal["state", "zone", "word", "payment"]
RowPart = Literal["order", "places", "end"]
ChildType = Type | Literal["own", "members"] | None
PartKind = Literal["definition", "shape", "score", "option", "set", "payout", "dealing"]


ADDED_LATER: Mapping[str, bool] = MappingProxyType({"added later": True})
"""The metadata of a last field that older rule sets do not have: while it is empty, it is no part of what they mean, so
that proofs that were stored before there was such a field still belong to their texts."""


class Reads(NamedTuple):
    """A node reads part of a game in progress; the fields named here hold its name and, if it has one, its seat.

    `part` is what is read of a row: the order of all its tiles, any of its places, or the end in the field `end`.
    """

    kind: ReadKind
    part: RowPart | None = None
    name: str = "name"
    seat: str = "seat"


class Writes(NamedTuple):
    """An effect changes part of a game: the one that `field` names, or the fixed `words` of every game.

    A `field` holds a name or a place. A payment changes nothing until the hand ends.
    """

    kind: WriteKind
    field: str | None = None
    words: tuple[str, ...] = ()


class Refers(NamedTuple):
    """A node refers to a part of the rule set: the one that `field` names, or (None) the only one of its kind."""

    kind: PartKind
    field: str | None = None


class Structure(NamedTuple):
    """The structure of a node, by the names of its fields.

    `children` hold expressions (one, several or none), or places, which hold expressions; each with the type that it
    must have: any (None), the type of the node itself (`own`), or that of the node's members. The fields `nested` hold
    effects; if there is a field with a `test`, it decides which of them happen: those in `unless` if it is no, the
    others if it is yes.
    `binds` holds the names that the node binds, which only the fields in `scope` know. The names in the fields
    `foreign` belong to the score that the node refers to.
    """

    children: Mapping[str, ChildType] = MappingProxyType({})
    nested: tuple[str, ...] = ()
    test: str | None = None
    unless: tuple[str, ...] = ()
    binds: str | None = None
    scope: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    reads: Reads | None = None
    writes: tuple[Writes, ...] = ()
    refers: tuple[Refers, ...] = ()
