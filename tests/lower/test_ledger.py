"""What statements take, they put down; a statement that is lost, doubled or changed is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from golpae.ir import expr as ir
from golpae.ir.types import BOOL, TILE, TILES
from golpae.lower import statements as st
from golpae.lower.effects import lowered
from golpae.lower.ledger import is_balanced, unbalanced
from tests.lower.effects_alone import rules_of

MOVES = """\
action act(tile, other: tile) by p
  held: tile in p's hand and other in p's hand
  then one: move tile from p's hand to back of line
  then two: move {tile, other} from p's hand to front of line
  then some: move (those t in p's hand: t /= tile) from p's hand to table
  then each: for each t in table: move t from table to p's melds as run
  then all: move all from line to table
  then rows: move all from line to back of queue
  then melds: move all from p's melds to pool
  then grows: move tile from table to (the m in pool: tile in m)
  then shrinks: move tile from (the m in pool: tile in m) to front of queue
  then loose: move all from pool to back of line
  then test: when n = 1: move tile from table to p's hand
  then order: shuffle line
"""
A, B = (ir.Local(name, TILE) for name in "ab")
TABLE, LINE = ir.Place("table", None, None), ir.Place("line", None, "back")


def clauses() -> list[tuple[str, tuple[st.Statement, ...]]]:
    rules = rules_of(MOVES)
    action = rules.action("act")
    assert action is not None
    return [(clause.path, clause.statements) for clause in lowered(rules, "act", action.effects)]


def without_one(statements: tuple[st.Statement, ...]) -> Iterator[tuple[st.Statement, ...]]:
    """Yield the statements without each one that takes or puts, also within branches and loops."""
    moved = (
        st.Take | st.TakeAll | st.TakeMeld | st.TakeFromMeld | st.Put | st.NewMeld | st.PutMeld | st.AddToMeld
    )
    for at, statement in enumerate(statements):
        before, after = statements[:at], statements[at + 1 :]
        if isinstance(statement, moved):
            yield (*before, *after)
        elif isinstance(statement, st.Loop):
            yield from ((*before, replace(statement, body=b), *after) for b in without_one(statement.body))
        elif isinstance(statement, st.Branch):
            yield from ((*before, replace(statement, yes=y), *after) for y in without_one(statement.yes))


def test_every_kind_of_move_is_balanced() -> None:
    assert [path for path, statements in clauses() if not is_balanced(statements)] == []
    assert not [*unbalanced(rules_of(MOVES))]


def test_a_lost_statement_is_noticed() -> None:
    lost = [(path, some) for path, statements in clauses() for some in without_one(statements)]
    assert len(lost) > 15
    assert [path for path, statements in lost if is_balanced(statements)] == []


@pytest.mark.parametrize(
    "statements",
    [
        (st.Take(A, TABLE), st.Put(B, LINE)),
        (st.Take(A, TABLE), st.Put(A, LINE), st.Put(A, LINE)),
        (st.Take(A, TABLE), st.Take(A, TABLE), st.Put(A, LINE)),
        (st.Put(A, LINE), st.Take(A, TABLE)),
        (st.Take(A, TABLE), st.Let("a", B), st.Put(A, LINE)),
        (st.Take(A, TABLE), st.Branch("x", ir.Const(True, BOOL), (st.Put(A, LINE),), ())),
        (st.Take(A, TABLE), st.Loop("b", ir.Builtin("tiles", None, TILES), (st.Put(A, LINE),))),
        (st.Take(A, TABLE), st.Loop("a", ir.Builtin("tiles", None, TILES), ()), st.Put(A, LINE)),
        (st.Take(ir.BagOf((A, A), TILES), TABLE), st.Put(A, LINE)),
        (st.Take(ir.StateRead("last", None, TILE), TABLE), st.Put(ir.StateRead("last", None, TILE), LINE)),
        (st.TakeAll("c", TABLE), st.TakeAll("c", LINE), st.Put(ir.Local("c", TILES), LINE)),
    ],
    ids=str,
)
def test_what_is_not_put_down_as_it_was_taken_is_noticed(statements: tuple[st.Statement, ...]) -> None:
    assert not is_balanced(statements)


def test_tiles_taken_together_may_be_put_down_one_by_one() -> None:
    together = ir.BagOf((A, B), TILES)
    assert is_balanced((st.Take(together, TABLE), st.Put(B, LINE), st.Put(A, LINE)))
    assert is_balanced((st.Take(A, TABLE), st.Take(B, TABLE), st.NewMeld(together, None, TABLE)))
