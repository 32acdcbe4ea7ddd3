"""Induction is not asked whether a property is vacuous if a game shows that it is not."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from golpae.prove.induction.candidate import Candidate
from golpae.prove.symbolic.state import SymbolicState
from golpae.replay.machine import Machine
from golpae.verify.lemmas import KeptInvariants
from golpae.verify.sample_states import PlayedGames
from golpae.verify.stated import never_applies
from tests.prove.probe import rule_set

TEXT = """
action claim-all by p
  then move all from pool to p's hand

always some-hold: size of pool <= 2 implies size of tiles = 11
always none-hold: size of pool > 11 implies size of tiles = 12
"""


def holds(_: SymbolicState) -> bool:
    return True


def test_what_games_show_to_apply_is_no_candidate() -> None:
    instance = instantiate(rule_set(TEXT), 2, {})
    stated = {p.name: p for p in instance.rule_set.properties}
    vacuous = [
        never_applies(stated[name], "its premise is never true") for name in ("some-hold", "none-hold")
    ]
    candidates = [Candidate(name, holds) for name in (*vacuous, "playing: winner is none")]
    for several, expected in ((False, vacuous[1:]), (True, vacuous)):
        known = KeptInvariants(instance, PlayedGames(Machine(instance), 1), several)
        assert [c.name for c in known.possible(candidates)] == [*expected, "playing: winner is none"]
