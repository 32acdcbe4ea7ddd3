"""Replay confirms what induction has proved, and contradicts what it proved wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.induction.candidate import Candidate
from golpae.verify.analysis import Analysis
from golpae.verify.confirmation import FalseInvariant, confirm
from golpae.verify.options import Settings
from golpae.verify.sample_states import PlayedGames
from golpae.verify.verifier import Verifier
from tests.verify.shells import SHELLS

pytestmark = pytest.mark.solver


def analysis_of(folder: Path, stated: str) -> Analysis:
    file = folder / "shells.golpae"
    file.write_text(f"{SHELLS}\n{stated}\n", encoding="utf-8")
    return Analysis(instantiate(elaborate("shells", [file]), 2, {}), Settings())


def test_what_holds_is_confirmed(tmp_path: Path) -> None:
    analysis = analysis_of(tmp_path, "always counted: not over implies thrown <= 4")
    confirm(PlayedGames(analysis.machine, 1), analysis.induction)


@pytest.mark.parametrize("stated", ["always few: thrown < 3", "never lit-now: lit"])
def test_a_stated_invariant_that_a_game_breaks_is_a_fault(tmp_path: Path, stated: str) -> None:
    analysis = analysis_of(tmp_path, stated)
    prop = analysis.instance.rule_set.properties[-1]
    analysis.induction.invariants.append(Candidate(prop.name, lambda state: True, prop))
    with pytest.raises(FalseInvariant, match=f"`{prop.name}`"):
        confirm(PlayedGames(analysis.machine, 1), analysis.induction)


def test_an_invariant_that_a_game_breaks_is_a_fault(tmp_path: Path) -> None:
    analysis = analysis_of(tmp_path, "always here: size of tiles = 4")
    analysis.induction.invariants.append(Candidate("never lit", lambda state: state.vars["lit"] is False))
    with pytest.raises(FalseInvariant, match="`never lit` does not hold in a game"):
        confirm(PlayedGames(analysis.machine, 1), analysis.induction)


def test_a_step_from_a_state_that_no_game_reaches_is_tried(tmp_path: Path) -> None:
    """Throws alternate in every game. It is the wrong player's throw from a changed state that breaks the property."""
    even = "thrown = 2 implies size of thrower's hand = size of thrower's right's hand"
    analysis = analysis_of(tmp_path, f"always even: {even}")
    prop = analysis.instance.rule_set.properties[-1]
    analysis.induction.invariants[:] = [Candidate(prop.name, lambda state: True, prop)]

    def confirm_often() -> None:
        for seed in range(40):  # a few changed states each
            confirm(PlayedGames(analysis.machine, seed), analysis.induction)

    with pytest.raises(FalseInvariant, match="`even`, which induction proves, does not hold after `throw`"):
        confirm_often()


def test_a_fault_in_a_decider_costs_one_property(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analysis_of(tmp_path, "always first: thrown < 9\nalways last: thrown < 8")
    first, last = analysis.instance.rule_set.properties[-2:]
    verifier = Verifier(analysis.instance, Settings())
    decide = verifier._answer

    def faulty(prop: object) -> object:
        if prop is first:
            raise KeyError("lamp")
        return decide(prop)  # type: ignore[arg-type]

    monkeypatch.setattr(verifier, "_answer", faulty)
    found, other = verifier.verify(first), verifier.verify(last)
    assert found.verdict == "unknown"
    assert found.fault is not None
    assert found.fault.startswith("KeyError (test_confirmation.py:")
    assert found.story == f"a fault in golpae itself: {found.fault}"
    assert (other.verdict, other.fault) == ("proved", None)
