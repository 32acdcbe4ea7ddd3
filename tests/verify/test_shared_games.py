"""A kept proof about games is checked once for all rule sets that differ only in what scores count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.verify.kept_proofs import KeptTable, table_of
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.sharing.slices import Slices, loosened
from golpae.verify.verifier import verify
from tests.verify.shared import questions

# Beads are taken from a heap, and a pair of sixes opens it; what a pair counts, and for how much, depends on variants.
TEXT = """
game heap "Heap"

players 2 to 2

tiles 24 of 12 kinds
  beads: two of each "{n}b" for n in 1 to 12

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

shape twins(a, b): a's n = b's n
arrangement pair-of-beads: 1 twins

define high(t: tile): t's n > 6
define bonus: 3
define Most_held: 40

score worth(pair: tiles)
  hand: pair
  as: pair-of-beads
  total: sum
  pattern plain 2: yes
  pattern lofty (bonus): every t in pair: high(t)

deal from heap
  hands: 3 for everyone
  then mover := first

action take(tile) by p "take"
  turn: p = mover "no"
  room: size of p's hand < (worth({6b, 6b}) otherwise 0) + 6 "no"
  there: tile in heap "no"
  then move tile from heap to p's hand
  then mover := p's right

end
  due: every q in players: size of q's hand >= (worth({6b, 6b}) otherwise 0) + 6 "no"

payout
  none: for each q in players: q scores 0

finish

always held: every p in players: size of p's hand <= 9
always between: some p in players: size of p's hand >= 0
claim pays-two: worth({1b, 1b}) = 2

variant richer "lofty pairs count more"
  replace bonus: 9

variant higher "beads are high from 8 on"
  replace high: t's n > 7

variant dearer "every pair counts more"
  replace worth.lofty: yes

variant scarcer "fewer can be held, which no clause asks"
  replace Most_held: 1

variant quicker "a player keeps the turn"
  replace take.turn: p = mover or size of p's hand < 2
"""
SHARED = Settings(cached=True)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heap")
    (folder / "heap.golpae").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def kept(place: Path) -> KeptTable:
    rules = elaborate("heap", [place])
    found = verify(rules, 2, {}, Settings())
    return replace(table_of(rules, found, None), places=(place,))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))


def asked(place: Path, rules: str, kept: KeptTable, name: str) -> tuple[bool, PropertyResult]:
    """Return whether the solver is asked about a property, and the result."""
    with questions() as put:
        (found,) = verify(elaborate(rules, [place]), 2, {}, replace(SHARED, kept=kept), name)
    return bool(put), found


def alone(place: Path, rules: str, kept: KeptTable, name: str) -> PropertyResult:
    """Return the result of a property if nothing is shared."""
    (found,) = verify(elaborate(rules, [place]), 2, {}, Settings(kept=kept), name)
    return found


@pytest.mark.parametrize("other", ["heap+richer", "heap+higher"])
def test_what_only_a_score_refers_to_is_no_reason_to_check_again(
    place: Path, kept: KeptTable, other: str
) -> None:
    assert asked(place, "heap", kept, "held")[0]
    again, found = asked(place, other, kept, "held")
    assert not again
    assert replace(found, seconds=0) == replace(alone(place, other, kept, "held"), seconds=0)
    assert (found.rules, found.verdict, found.rechecked) == (other, "proved", True)


def test_a_score_that_counts_otherwise_where_the_prover_asks_is_checked_again(
    place: Path, kept: KeptTable
) -> None:
    assert asked(place, "heap", kept, "held")[0]
    again, found = asked(place, "heap+dearer", kept, "held")
    assert (again, found.verdict) == (True, "refuted")


def test_other_events_are_checked_again(place: Path, kept: KeptTable) -> None:
    assert asked(place, "heap", kept, "held")[0]
    assert asked(place, "heap+quicker", kept, "held")[0]


def test_another_table_of_what_is_kept_is_checked_again(place: Path, kept: KeptTable) -> None:
    assert asked(place, "heap", kept, "held")[0]
    less = replace(kept, stated=tuple(name for name in kept.stated if name != "between"))
    assert asked(place, "heap+richer", less, "held")[0]


def test_what_a_kept_lemma_refers_to_is_checked_again(place: Path, kept: KeptTable) -> None:
    more = replace(kept, lemmas=(*kept.lemmas, "in a hand: every p in players: size of p's hand < Most_held"))
    assert asked(place, "heap", more, "held")[0]
    assert not asked(place, "heap+richer", more, "held")[0]
    assert asked(place, "heap+scarcer", more, "held")[0]


def test_without_the_cache_nothing_is_shared(place: Path, kept: KeptTable) -> None:
    alone(place, "heap", kept, "held")
    assert asked(place, "heap+richer", kept, "held")[0]


# ------------------------------------------------------------------ slices


@pytest.mark.parametrize(
    ("switch", "differ"),
    [
        ("richer", set()),  # the patterns of a score are not in a slice
        ("higher", set()),
        ("dearer", set()),
        ("scarcer", set()),
        ("quicker", {"take"}),
    ],
)
def test_a_clause_is_in_the_slices_of_the_actions_that_it_changes(
    place: Path, switch: str, differ: set[str]
) -> None:
    base, other = elaborate("heap", [place]), elaborate(f"heap+{switch}", [place])
    names = [action.name for action in base.actions]
    assert {n for n in names if Slices(base).of([n], ["held"]) != Slices(other).of([n], ["held"])} == differ


def test_what_is_needed_through_other_parts_is_there(place: Path) -> None:
    rules = elaborate("heap", [place])
    made = Slices(rules).of(["take"], ["held"])
    assert [a.name for a in made.actions] == ["take"]
    assert [p.name for p in made.properties] == ["held"]
    assert [s.name for s in made.scores] == ["worth"]
    assert [a.name for a in made.arrangements] == ["pair-of-beads"]
    assert [s.name for s in made.shapes] == ["twins"]
    assert (made.definitions, made.payout) == ((), ())
    assert (made.zones, made.vars, made.tiles) == (rules.zones, rules.vars, rules.tiles)


def test_loosened_no_condition_needs_one(place: Path) -> None:
    made = loosened(Slices(elaborate("heap", [place])).of(["take"], []), [])
    assert "room" not in {c.name for c in made.actions[0].conditions}
    assert {"turn", "there"} <= {c.name for c in made.actions[0].conditions}
    assert (made.scores, made.arrangements, made.shapes) == ((), (), ())
