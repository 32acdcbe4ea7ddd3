"""Candidates are checked action by action, and rule sets share the answers about actions that are the same in both."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.hand_questions import asks_about_hands
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.replay.machine import Machine
from golpae.verify import analysis
from golpae.verify.analysis import Analysis, new_system
from golpae.verify.deciders.always import holds_after
from golpae.verify.deciders.any_game import conservation_failure, deadlock_failure
from golpae.verify.kept_proofs import KeptTable
from golpae.verify.options import Settings
from golpae.verify.sharing.slices import between
from golpae.verify.sharing.steps import has_long_steps
from tests.verify.shared import BEADS, names_of_answers, questions

# Each variant changes another part of the text: a condition, what ends a hand, a payment.
TEXT = (
    BEADS
    + """
always one-more: every p in players: size of p's hand <= 5
always counted: lead-lost >= 0

variant free "a full player may draw"
  replace draw.turn: p = mover

variant shorter "a hand ends when somebody has won"
  replace end.due: over

variant dearer "a hand counts twice"
  replace payout.won: when winner is not none: for each q in players - winner: q pays winner stake * 2
"""
)
# As if these had been found; one does not hold by itself.
KEPT = KeptTable("", ("counted", "one-more", "playing: winner is none"), (), (), ())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beads")
    (folder / "beads.golpae").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    # without scores it is slower, and as right
    monkeypatch.setattr(analysis, "pays", lambda rules: True)
    monkeypatch.setattr(analysis, "has_long_steps", lambda system: True)


def checked(
    place: Path, variant: str = "", cached: bool = True, kept: KeptTable | None = KEPT
) -> dict[str, Any]:
    """Return what comes of checking the text or a variant, and how many questions it took. None is `kept` to search."""
    rules = elaborate(f"beads+{variant}" if variant else "beads", [place])
    made = Analysis(instantiate(rules, 2, {}), Settings(kept=kept, cached=cached))
    induction = made.induction
    return {
        "invariants": [c.name for c in induction.invariants],
        "failures": sorted(induction.failures),
        "groups": induction.system.states.groups,
        "conserved": conservation_failure(made),
        "stuck": deadlock_failure(made, set()) is not None,
        "questions": made.solver.queries,
    }


def asked(place: Path, variant: str, kept: KeptTable | None = KEPT) -> list[str]:
    """Return the actions whose events the solver is asked about."""
    with questions() as put:
        checked(place, variant, kept=kept)
    end = " keeps what always holds"
    return sorted({words.removesuffix(end) for words in put if words.endswith(end)})


def test_the_solver_is_asked_only_about_actions_that_differ(place: Path) -> None:
    assert {"draw", "end"} <= {*asked(place, "")}
    assert asked(place, "dearer") == ["end"]
    assert asked(place, "free") == ["draw"]
    assert asked(place, "free") == []


def test_what_is_shared_says_the_same_as_what_is_asked_anew(place: Path) -> None:
    for variant in ("", "free", "shorter"):
        shared, alone = checked(place, variant), checked(place, variant, cached=False)
        assert shared == alone, variant
        assert shared["invariants"] == ["counted", "playing: winner is none"]


def test_rule_sets_share_what_is_asked_without_anything_kept(place: Path) -> None:
    assert {"draw", "end"} <= {*asked(place, "", None)}
    assert asked(place, "dearer", None) == ["end"]
    assert asked(place, "dearer", None) == []


def test_action_by_action_the_same_is_found_as_for_all_at_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variant in ("", "free", "shorter", "dearer"):
        found = {}
        for by_action in (True, False):
            monkeypatch.setattr(analysis, "has_long_steps", lambda system, by_action=by_action: by_action)
            found[by_action] = checked(place, variant, kept=None)
            del found[by_action]["questions"]
        assert found[True] == found[False], variant
        assert found[True]["invariants"]
        assert "one-more" in found[True]["failures"], variant


def test_a_second_opinion_takes_less_effort_and_shares_nothing_with_the_first(place: Path) -> None:
    first = Analysis(instantiate(elaborate("beads", [place]), 2, {}), Settings(cached=True))
    keys = []
    for made in (first.second, first):
        assert made.induction.invariants
        assert made.by_action is not None
        keys.append({asked.key for asked in made.by_action._made.values()})
    assert keys[0]
    assert keys[0].isdisjoint(keys[1])


def test_counting_groups_changes_nothing_of_a_search(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "has_long_steps", has_long_steps)
    told = []
    for counts in (True, False):
        monkeypatch.setattr(analysis, "pays", lambda rules, counts=counts: counts)
        made = Analysis(instantiate(elaborate("beads", [place]), 2, {}), Settings())
        told.append([str(step.guard) for step in made.induction.steps])
        assert made.by_action is None
        assert made.induction.system.states.groups
    assert told[0] == told[1]


def test_a_hundred_groups_are_many(place: Path) -> None:
    system = new_system(Analysis(instantiate(elaborate("beads", [place]), 2, {}), Settings()))
    system.states.groups = {"pile": list(range(60)), "row": list(range(39))}
    assert not has_long_steps(system)
    system.states.groups["row"].append(39)
    assert has_long_steps(system)


def test_what_was_found_for_one_system_completes_another(place: Path) -> None:
    """Also which states nothing is said of."""
    text = place / "noted.golpae"
    assert TEXT.count("\ndeal") == 1
    noted = TEXT.replace("game beads", "game noted").replace(
        "\ndeal", "\nstate of the match\n  note: each player's number or none = none\n\ndeal"
    )
    text.write_text(noted, encoding="utf-8")
    made = Analysis(instantiate(elaborate("noted", [place]), 2, {}), Settings())
    completed, alone = new_system(made), new_system(made)
    assert made.induction.invariants
    assert made.by_action is not None
    made.by_action.complete(completed)
    find_reachable_melds(alone)
    found = completed.states
    assert found.groups_complete
    assert found.groups.keys() == alone.states.groups.keys()
    for name, groups in found.groups.items():
        assert sorted(map(repr, groups)) == sorted(map(repr, alone.states.groups[name])), name
    assert found.blank == alone.states.blank == {"note"}


def test_answers_of_one_name_are_answers_to_the_same_questions(place: Path) -> None:
    """A name stands for all that its answer depends on: if it is the same, so are the formulas, letter by letter."""
    with names_of_answers() as (again, differing):
        for variant in ("free", "", "dearer"):
            checked(place, variant)
    assert len(again) > 10
    assert not differing


# Variants differ in what a hand is, or in whether it stops an event: only the last two need that.
HANDS = """
game hands "Hands"

players 2 to 2

tiles 8 of 4 kinds
  beads: two of each "{n}b" for n in 1 to 4

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  taken: number = 0

shape twins(a, b): a = b
arrangement done: 1 twins

define wide: no

deal from heap
  hands: 1 for everyone
  then mover := first

action take(tile, optional other: tile) by p "take"
  turn: p = mover "no"
  undone: not p's hand is done "no"
  other: other is none or wide "no"
  there: tile in heap "no"
  then move tile from heap to p's hand
  then taken := taken + 1

action stop by p "stop"
  turn: p = mover "no"
  done: p's hand is done "no"
  then p wins

end
  due: over "no"

payout
  none: for each q in players: q scores 0

finish

always held: taken >= 0
always keeps-others after take: every q in players - p: own-size(q) = earlier(own-size(q))
always still after take: not earlier(p's hand is done)

define own-size(q: seat): size of q's hand

variant alike "twins are next to each other"
  replace twins: a's n = b's n + 1

variant on "nothing stops anybody"
  drop take.undone

variant broad "another may be named"
  replace wide: yes
"""


def test_rule_sets_that_differ_in_hands_share_what_needs_none(tmp_path: Path) -> None:
    (tmp_path / "hands.golpae").write_text(HANDS, encoding="utf-8")
    asked: dict[
        str, tuple[bool, ...]
    ] = {}  # whether the solver was: about the invariant, and about each property
    for variant in ("", "alike", "on", "broad"):
        rules = elaborate(f"hands+{variant}" if variant else "hands", [tmp_path])
        kept = KeptTable("", ("held",), (), (), ())
        made = Analysis(instantiate(rules, 2, {}), Settings(kept=kept, cached=True))
        after = {prop.name: prop for prop in rules.properties if prop.after is not None}
        with questions() as of_steps:
            assert [c.name for c in made.induction.invariants] == ["held"]
        with questions() as of_others:
            assert holds_after(made, after["keeps-others"])
        with questions() as of_hands:
            assert holds_after(made, after["still"]) is (variant != "on")
        asked[variant] = any("take" in words for words in of_steps), bool(of_others), bool(of_hands)
    assert asked[""] == (True, True, True)
    assert asked["alike"] == (False, False, True)
    assert asked["on"] == (False, False, True)
    assert asked["broad"] == (True, True, True)  # no other condition is left out


def test_what_asks_about_hands_is_first_shown_without_them(tmp_path: Path) -> None:
    """No hand is looked at for `of-hands`, nor for `won` after a tile is taken: nobody has won before it."""
    stated = """
always of-hands: every p in players: taken >= 0 or p's hand is done
always won: winner is none or (some p in players: p's hand is done)
"""
    (tmp_path / "hands.golpae").write_text(HANDS + stated, encoding="utf-8")
    asked: dict[str, set[str]] = {}
    for variant in ("", "alike"):
        rules = elaborate(f"hands+{variant}" if variant else "hands", [tmp_path])
        kept = KeptTable("", ("held", "of-hands", "won", "playing: winner is none"), (), (), ())
        made = Analysis(instantiate(rules, 2, {}), Settings(kept=kept, cached=True))
        with questions() as put:
            assert {c.name for c in made.induction.invariants} >= {"held", "of-hands", "won"}
        asked[variant] = {words for words in put if words.endswith(" keeps what always holds")}
    assert {"take keeps what always holds", "stop keeps what always holds"} <= asked[""]
    assert asked["alike"] == {"stop keeps what always holds"}


def test_between_two_truths_about_other_things_lies_each_that_asks_about_hands(tmp_path: Path) -> None:
    """In any state that one player can reach or not, the stronger one implies it, and it implies the weaker one."""
    stated = {
        "and": "p's hand is done and taken > 0",
        "or": "taken = 1 or not p's hand is done",
        "implies": "(p's hand is done implies taken = 2) implies taken > 1",
        "no": "no q in players: q's hand is done and taken = 1",
        "if": "if taken > 1 then p's hand is done else taken = 0",
        "never": "p's hand is done and taken > 1",
    }
    props = "\n".join(
        f"{'never' if name == 'never' else 'always'} x-{name}: "
        + (f"some p in players: {expr}" if name == "never" else f"every p in players: {expr}")
        for name, expr in stated.items()
    )
    (tmp_path / "hands.golpae").write_text(f"{HANDS}\n{props}\n", encoding="utf-8")
    rules = elaborate("hands", [tmp_path])
    machine = Machine(instantiate(rules, 2, {}))
    asks = asks_about_hands(rules)
    pairs = {p.name: (p, two) for p in rules.properties if (two := between(p, rules, asks)) is not None}
    assert {*pairs} >= {f"x-{name}" for name in stated}
    seen = {name: set[tuple[bool, ...]]() for name in pairs}
    for number, hands in product(range(-1, 4), product(((), (0,), (0, 0), (0, 1)), repeat=2)):
        state = machine.new_state()
        state.v_taken = number
        for hand, tiles in zip(state.z_hand, hands, strict=True):
            hand.extend(tiles)
        for name, (prop, (stronger, weaker)) in pairs.items():
            assert not any(asks(p.expr) for p in (stronger, weaker))
            says = [bool(machine.function(p.expr, ())(state)) for p in (stronger, prop, weaker)]
            if prop.kind == "never":
                says = [not says_so for says_so in says]
            assert says == sorted(says), (name, number, hands)
            seen[name].add(tuple(says))
    assert all((False, False, True) in said and (False, True, True) in said for said in seen.values())
