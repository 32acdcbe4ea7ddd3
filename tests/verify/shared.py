"""Shared by the tests of verification: small games, conditions on a game, replayed witnesses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import z3

from golpae import cache
from golpae.bundled import spec_dir
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve, split
from golpae.ir import expr as ir
from golpae.prove.solving.solver import Reply, Session
from golpae.prove.symbolic.values import Truth
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.search import witness
from golpae.search.lasso import Lasso
from golpae.search.random_play import PlayedGame
from golpae.verify import analysis
from golpae.verify.sharing.steps import StepProofs

# Two players draw beads from a bowl and put them back or keep them. A kept bead never returns.
BEADS = """
game beads "Beads"

players 2 to 3

tiles 18 of 9 kinds
  glass: two of each "{size}g" for size in 1 to 9

zones
  bowl: row seen by nobody, holds the set
  tray: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's kept: melds seen by everyone

state of the match
  leader: seat or none = none
  lead-lost: number = 0

state of the hand
  mover: seat
  full: yes or no = no

define pair(a, b: tile): a = b

deal from bowl
  hands: 4 for everyone
  then mover := first

action draw(tile) by p "draw"
  turn: p = mover and not full "no"
  place: tile in bowl "no"
  then move tile from bowl to p's hand
  then full := yes

action keep(tiles: {a, b}) by p "keep two"
  turn: p = mover and full "no"
  held: {a, b} in p's hand "no"
  twins: pair(a, b) "no"
  then move {a, b} from p's hand to p's kept
  then when size of p's kept = 2: p wins

action discard(tile) by p "put a bead on the tray"
  turn: p = mover and full "no"
  held: tile in p's hand "no"
  then move tile from p's hand to back of tray
  then full := no
  then mover := p's right

end
  due: over or bowl is empty "no"
  then lead-lost := lead-lost + (if leader is not none and winner /= leader then 1 else 0)
  then leader := winner otherwise leader

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake

finish
"""
# ... and if the bowl is refilled, no hand has to end.
REFILLED = (
    BEADS.replace("or bowl is empty ", "")
    + """
action refill "back into the bowl"
  turn: not full "no"
  due: bowl is empty "no"
  then move all from tray to bowl
  then shuffle bowl
"""
)
# ... and if nobody refills it, a deadlock comes.
STUCK = BEADS.replace("or bowl is empty ", "")


def made(text: str, players: int, question: str = "yes", after: str | None = None) -> tuple[Machine, ir.Expr]:
    """Return the machine of a text, and the expression of a question about it."""
    with TemporaryDirectory() as folder:
        name = text.split("game ", 1)[1].split(maxsplit=1)[0]
        rules = f"{text}\nreachable asked{f' after {after}' if after else ''}: {question}\n"
        Path(folder, f"{name}.golpae").write_text(rules, encoding="utf-8")
        return _asked(name, players, Path(folder))


def about(rules: str, players: int, question: str) -> tuple[Machine, ir.Expr]:
    """Return the machine of a rule set, and the expression of a question about it."""
    with TemporaryDirectory() as folder:
        base = split(rules)[0]
        text = (spec_dir() / f"{base}.golpae").read_text(encoding="utf-8")
        Path(folder, f"{base}.golpae").write_text(f"{text}\nreachable asked: {question}\n", encoding="utf-8")
        return _asked(rules, players, Path(folder))


def _asked(rules: str, players: int, folder: Path) -> tuple[Machine, ir.Expr]:
    rule_set = check(resolve(rules, load(split(rules)[0], [folder])))
    (prop,) = [p for p in rule_set.properties if p.name == "asked"]
    return Machine(instantiate(rule_set, players, {})), prop.expr


def shown(machine: Machine, found: PlayedGame | Lasso) -> witness.Replayed:
    """Return replay's report on a game, which it has to accept as a file and step by step."""
    library = Library(lambda rules: machine.rules)
    for rules in (machine, library):
        replayed = witness.replays(rules, found.lines[0], found.events)
        assert replayed.accepted, replayed.refused
        assert replayed.events == len(found.events)
    return witness.replays(machine, found.lines[0], found.events)


@contextmanager
def questions() -> Iterator[list[str]]:
    """Note what questions to the solver within the block are about."""
    put: list[str] = []
    usual = Session.check

    def noted(session: Session, about: str, *others: Any, **more: Any) -> Reply:
        put.append(about)
        return usual(session, about, *others, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "check", noted)
        yield put


def _whole(formula: Truth) -> str:
    """Return all of a formula; `str` leaves out what is deep in it, and takes far longer."""
    return formula.sexpr() if isinstance(formula, z3.ExprRef) else str(formula)


@contextmanager
def names_of_answers() -> Iterator[tuple[list[str], list[str]]]:
    """Check within the block what is kept action by action, and store nothing.

    Note each name of an answer that comes again, and each that has had another answer, or other formulas, letter by
    letter.
    """
    known: dict[str, str] = {}
    again: list[str] = []
    differing: list[str] = []
    usual = StepProofs._ask

    def noted(proofs: StepProofs, *given: Any, **more: Any) -> Any:
        names: list[str] = []
        proofs.solver.answered = []
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(cache, "store_as", lambda name, _: names.append(name))
            answer = usual(proofs, *given, **more)
        text = repr((answer, [[_whole(f) for f in q.formulas] for q in proofs.solver.answered]))
        again.extend(name for name in names if name in known)
        differing.extend(name for name in names if known.setdefault(name, text) != text)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StepProofs, "_ask", noted)
        patch.setattr(analysis, "pays", lambda rules: True)
        yield again, differing
