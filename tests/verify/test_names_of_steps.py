"""The name of a shared answer stands for all that its questions depend on: texts that differ in one word each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae import cache
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.solving.solver import UNSAT, Reply, Session
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.any_game import conservation_failure, deadlock_failure
from golpae.verify.kept_proofs import KeptTable
from golpae.verify.options import Settings
from golpae.verify.sharing.steps import StepProofs

# Beads are taken from a row and laid two by two, if they are dear.
TEXT = """
game stall "Stall"

option most: 1 to 3, normally 2

players 2 to 3

tiles
  beads: two of each "{n}b" for n in 1 to 5
  withdrawn: if size of players = 3 then {4b} else {}

zones
  heap: row seen by nobody, holds the set
  tray: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's laid: melds seen by everyone

state of the match
  lead: number = 0

state of the hand
  mover: seat
  last: tile or none = none
  calm: yes or no = no

shape twins(a, b): a's n = b's n
shape steps(a, b): a's n = b's n + 1
shape dear(a, b): a's n = b's n and (worth({a, b}) otherwise 0) >= 2
arrangement couple: 1 twins

define Most_held: 5 - 1
define room(p: seat): size of p's hand <= limit
define limit: Most_held
define may-lay(a, b: tile)
  alike: {a, b} is dear
  near: {a, b} is steps and calm

score worth(pair: tiles)
  hand: pair
  as: couple
  total: sum
  pattern plain 1: yes
  pattern lofty 1: every t in pair: high(t)

score other(pair: tiles)
  hand: pair
  as: couple
  total: sum
  pattern any 1: yes
  pattern big 1: some t in pair: t's n = 2

define high(t: tile): t's n > 3

deal from heap
  hands: 2 for everyone
  then mover := first

action take(tile) by p "take"
  turn: p = mover "no"
  room: room(p) "no"
  there: tile in heap "no"
  then move tile from heap to p's hand
  then last := tile
  then mover := p's right

action lay(tiles: {a, b}) by p "lay"
  turn: p = mover "no"
  held: {a, b} in p's hand "no"
  fit: may-lay(a, b) "no"
  then move {a, b} from p's hand to p's laid
  then mover := p's right

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  few: size of p's hand >= most "no"
  then move tile from p's hand to back of tray
  then calm := yes
  then mover := p's right

action rest by p "rest"
  turn: p = mover "no"
  then nobody wins

end
  due: over or (other({1b, 1b}) otherwise 0) > 2 "no"
  then lead := lead + 1

payout
  none: for each q in players: q scores 1

finish

always few-held: every p in players: size of p's hand <= 6
always lead-grows: lead >= 0
always known: last is not none implies calm or not calm
"""
KEPT = KeptTable("", ("few-held", "known", "lead-grows", "playing: winner is none"), (), (), ())
CHANGES = [  # what stands in the text, what instead
    ("5 - 1", "5 - 2"),
    ("steps(a, b): a's n = b's n + 1", "steps(a, b): a's n = b's n + 2"),
    ("arrangement couple: 1 twins", "arrangement couple: 1 steps"),
    ("lofty 1: every t in pair: high(t)", "lofty 1: yes"),
    ("t's n > 3", "t's n > 2"),
    ("any 1: yes", "any 2: yes"),
    ("is steps and calm", "is steps and not calm"),
    ("normally 2", "normally 3"),
    ("then {4b}", "then {3b}"),
    ("tray: row seen by everyone", "tray: row seen by nobody"),
    ("laid: melds", "laid: tiles"),
    ("calm: yes or no = no", "calm: yes or no = yes"),
    ("2 for everyone", "3 for everyone"),
    ("due: over", "due: calm"),
    ("lead := lead + 1", "lead := lead - 1"),
    ("hand <= 6", "hand <= 7"),
    ("back of tray", "front of tray"),
]


@pytest.fixture(autouse=True)
def no_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions matter here, and no answers."""
    monkeypatch.setattr(Session, "_ask", lambda *_: Reply(UNSAT))
    monkeypatch.setattr("golpae.verify.analysis.confirm", lambda *_: {})
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))


def named(folder: Path, text: str, patch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """Yield what is asked to check what is kept of a text: the name of each answer, and the questions for it."""
    (folder / "stall.golpae").write_text(text, encoding="utf-8")
    out: list[tuple[str, str]] = []
    usual = StepProofs._ask

    def noted(proofs: StepProofs, *given: Any) -> Any:
        stored: list[tuple[str, Any]] = []
        proofs.solver.answered = []
        with patch.context() as inner:
            inner.setattr(cache, "store_as", lambda name, value: stored.append((name, value.asked)))
            answer = usual(proofs, *given)
        questions = [f.sexpr() for q in proofs.solver.answered for f in q.formulas]
        out.append((repr(stored[0]), repr((answer, questions))))
        return answer

    with patch.context() as outer:
        outer.setattr(StepProofs, "_ask", noted)
        instance = instantiate(elaborate("stall", [folder]), 2, {})
        analysis = Analysis(instance, Settings(kept=KEPT, cached=True))
        _ = analysis.induction
        conservation_failure(analysis)
        deadlock_failure(analysis, set())
    yield from out


def test_one_name_stands_for_the_same_questions_whatever_else_a_text_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[str, str] = {}
    again: dict[str, int] = {}
    texts = [("", TEXT)]
    for old, new in CHANGES:
        assert TEXT.count(old) == 1, old
        texts.append((new, TEXT.replace(old, new)))
    for number, (new, text) in enumerate(texts):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, questions in named(folder, text, monkeypatch):
            again[new] = again.get(new, 0) + (name in known)
            assert known.setdefault(name, questions) == questions, new
    assert sum(map(bool, again.values())) > 6  # many texts have some answers in common
