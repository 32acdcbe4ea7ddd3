"""Walks over statements.

Input: statements. Output: those within them; what they change.
Guarantee: each class of statement is named, so that one that is forgotten fails the type check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from golpae.ir.ruleset import ZoneDecl
from golpae.lower import statements as st

OVER = ("winner", "over")  # the words that the end of a hand sets


def flat(statements: Iterable[st.Statement]) -> Iterator[st.Statement]:
    """Yield statements and all statements within them, outermost first."""
    for statement in statements:
        yield statement
        if isinstance(statement, st.Branch):
            yield from flat((*statement.yes, *statement.no))
        elif isinstance(statement, st.Loop):
            yield from flat(statement.body)


def moves_melds(statement: st.Statement, zones: Mapping[str, ZoneDecl]) -> bool:
    """Return whether a statement itself takes a meld from a zone, makes one, or changes one."""
    if isinstance(statement, st.TakeAll):
        return zones[statement.place.zone].kind == "melds"
    return isinstance(
        statement, st.NewMeld | st.TakeMeld | st.PutMeld | st.MoveMelds | st.AddToMeld | st.TakeFromMeld
    )


def written_by(statement: st.Statement) -> set[str]:
    """Return the states, zones and words that a statement changes, with all statements within it."""
    return {name for each in flat([statement]) for name in _written(each)}


def _written(statement: st.Statement) -> tuple[str, ...]:
    match statement:
        case st.Let() | st.Credit() | st.Branch() | st.Loop():
            return ()
        case (
            st.Take(place=place)
            | st.TakeAll(place=place)
            | st.Put(place=place)
            | st.NewMeld(place=place)
            | st.TakeMeld(place=place)
            | st.PutMeld(place=place)
            | st.Shuffle(place=place)
            | st.Arrange(place=place)
        ):
            return (place.zone,)
        case st.MoveRow(source=source, target=target) | st.MoveMelds(source=source, target=target):
            return source.zone, target.zone
        case st.AddToMeld(zone=zone) | st.TakeFromMeld(zone=zone):
            return (zone.name,)
        case st.Set(name=name):
            return (name,)
        case st.Rotate(zone=zone_name):
            return (zone_name,)
        case st.Over():
            return OVER
        case _:
            assert_never(statement)
