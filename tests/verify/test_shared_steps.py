"""What is kept is checked action by action, and rule sets share the answers about actions that are the same in both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from golpae import cache
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.verify import analysis
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.any_game import conservation_failure, deadlock_failure
from golpae.verify.kept_proofs import KeptTable
from golpae.verify.options import Settings
from golpae.verify.sharing.steps import StepProofs
from tests.verify.shared import BEADS, questions

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
    monkeypatch.setattr(analysis, "pays", lambda rules: True)  # without scores it is slower, and as right


def checked(place: Path, variant: str = "", cached: bool = True) -> dict[str, Any]:
    """Return what comes of checking what is kept, of the text or of a variant, and how many questions it took."""
    rules = elaborate(f"beads+{variant}" if variant else "beads", [place])
    made = Analysis(instantiate(rules, 2, {}), Settings(kept=KEPT, cached=cached))
    induction = made.induction
    return {
        "invariants": [c.name for c in induction.invariants],
        "failures": sorted(induction.failures),
        "steps": induction.number_of_steps,
        "groups": induction.system.states.groups,
        "conserved": conservation_failure(made),
        "stuck": deadlock_failure(made, set()) is not None,
        "questions": made.solver.queries,
    }


def asked(place: Path, variant: str) -> list[str]:
    """Return the actions whose events the solver is asked about."""
    with questions() as put:
        checked(place, variant)
    end = " keeps what always holds"
    return sorted({words.removesuffix(end) for words in put if words.endswith(end)})


def test_the_solver_is_asked_only_about_actions_that_differ(place: Path) -> None:
    assert {"deal", "draw", "end"} <= {*asked(place, "")}
    assert asked(place, "dearer") == ["end"]
    assert asked(place, "free") == ["draw"]
    assert asked(place, "free") == []


def test_what_is_shared_says_the_same_as_what_is_asked_anew(place: Path) -> None:
    for variant in ("", "free", "shorter"):
        shared, alone = checked(place, variant), checked(place, variant, cached=False)
        assert shared == alone, variant
        assert shared["invariants"] == ["counted", "playing: winner is none"]


def test_answers_of_one_name_are_answers_to_the_same_questions(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name stands for all that its answer depends on: if it is the same, so are the formulas, letter by letter."""
    known: dict[str, str] = {}
    again = 0
    usual = StepProofs._ask

    def noted(proofs: StepProofs, *given: Any, **more: Any) -> Any:
        nonlocal again
        names: list[str] = []
        proofs.solver.answered = []
        with monkeypatch.context() as patch:
            patch.setattr(cache, "store_as", lambda name, _: names.append(name))
            answer = usual(proofs, *given, **more)
        text = repr((answer, [[str(f) for f in q.formulas] for q in proofs.solver.answered]))
        again += names[0] in known
        assert known.setdefault(names[0], text) == text
        return answer

    monkeypatch.setattr(StepProofs, "_ask", noted)
    for variant in ("free", "", "dearer"):
        checked(place, variant)
    assert again > 10
