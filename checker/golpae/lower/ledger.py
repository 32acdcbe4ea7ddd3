"""Whether statements put down what they take, by their form alone.

Input: a rule set. Output: the clauses in which this cannot be read from the statements.
Guarantee: if there is none, no event loses or makes a tile: each statement that takes something is followed in its
block by those that put just this down. What takes tiles refuses the event if they do not lie there (7.3), and what
changes an order, or passes zones on, keeps what lies in them.

    take tile from p's hand; put tile at the back of line     in order
    take tile from p's hand; put other at the back of line    not in order
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.ir.traverse import names_in
from golpae.ir.types import TILES
from golpae.lower import statements as st
from golpae.lower.effects import PAYOUT, lowered


def unbalanced(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Yield each action, or `payout`, with the path of a clause that does not plainly put down what it takes."""
    blocks = [(action.name, action.effects) for action in rules.actions]
    for block, clauses in (*blocks, (PAYOUT, rules.payout)):
        for clause in lowered(rules, block, clauses):
            if not is_balanced(clause.statements):
                yield block, clause.path


def is_balanced(statements: Iterable[st.Statement]) -> bool:
    """Return whether all that statements take from zones is put down by those that follow it in the same block."""
    counts: Counter[ir.Expr] = Counter()
    for statement in statements:
        match statement:
            case (
                st.Take(what=what, place=_)
                | st.TakeMeld(meld=what, place=_)
                | st.TakeFromMeld(tiles=what, meld=_, zone=_)
            ):
                parts = _parts(what)
                if parts is None:
                    return False
                counts.update(parts)
            case st.TakeAll(name=name, place=_):
                if _is_held(name, counts):
                    return False
                counts.update([_tiles_named(name)])
            case (
                st.Put(what=what, place=_)
                | st.NewMeld(tiles=what, label=_, place=_)
                | st.PutMeld(meld=what, label=_, place=_)
                | st.AddToMeld(tiles=what, meld=_, label=_, zone=_)
            ):
                parts = _parts(what)
                if parts is None or any(counts[part] < number for part, number in Counter(parts).items()):
                    return False
                counts.subtract(parts)
            case st.Branch(yes=yes, no=no, path=_, test=_):
                if not (is_balanced(yes) and is_balanced(no)):
                    return False
            case st.Loop(name=name, body=body, domain=_):
                if _is_held(name, counts) or not is_balanced(body):
                    return False
            case st.Let(name=name, value=_):
                if _is_held(name, counts):
                    return False
            case (
                st.MoveRow(source=_, target=_)
                | st.MoveMelds(source=_, label=_, target=_)
                | st.Set(name=_, seat=_, value=_)
                | st.Credit(seat=_, amount=_)
                | st.Over(winner=_)
                | st.Shuffle(place=_)
                | st.Cut(place=_, number=_)
                | st.Arrange(tiles=_, place=_)
                | st.Rotate(zone=_, side=_)
                | st.Ensure(path=_, test=_)
            ):
                pass
            case _:
                assert_never(statement)
    return not any(counts.values())


def _parts(what: ir.Expr) -> list[ir.Expr] | None:
    """Return the tiles and bags that an expression has, each as a name or as it is written; None if a later statement
    may find other values.
    """
    if isinstance(what, ir.Op) and what.op == "tiles":
        [inner] = what.args
        return _parts(inner)
    if isinstance(what, ir.BagOf):
        parts = [_parts(item) for item in what.items]
        return [one for part in parts if part is not None for one in part] if None not in parts else None
    return [_plain(what)] if isinstance(what, ir.Local | ir.Const) else None


def _plain(what: ir.Local | ir.Const) -> ir.Expr:
    """Return a name as `TakeAll` gives it, whatever it stands for; a value as it is written."""
    return _tiles_named(what.name) if isinstance(what, ir.Local) else what


def _tiles_named(name: str) -> ir.Local:
    return ir.Local(name, TILES)


def _is_held(name: str, counts: Counter[ir.Expr]) -> bool:
    """Return whether something of this name was taken, so that the name must not get another value."""
    return any(number and name in names_in(what) for what, number in counts.items())
