"""Steps specialized by the stage and the mover: every event is one of them, with replay's next state."""

from __future__ import annotations

import random

import pytest

from golpae.ir.lifecycle import PLAYING
from golpae.prove.encoding.step import Step
from golpae.prove.symbolic.values import Truth
from golpae.replay_bridge import symbolic_state
from tests.prove.play import taken
from tests.prove.shared import Both, both, differences, names_of, possible, replayed, turned, turned_event

RULES = (("jjak", 3), ("ho-hpai", 4), ("three-dozen", 2))


def specialized_steps(pair: Both, name: str) -> list[Step]:
    return list(pair.system.specialized_steps(pair.machine.actions[name], pair.unknown.state))


def may_be(step: Step, names: dict[str, object]) -> bool:
    """Return whether a step may be of an event with these values, without the solver."""
    return all(not isinstance(v, int) or names.get(n, v) == v for n, v in step.names.items())


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_an_event_is_a_specialized_step(rules: str, players: int) -> None:
    pair, rng = both(rules, players), random.Random(3)
    steps = {a.name: specialized_steps(pair, a.name) for a in pair.machine.rules.actions}
    tried = 0
    for state, event in taken(pair.machine, rng, hands=1, most=60):
        action = pair.machine.actions[event.action]
        if action.by is None or rng.random() < 0.5:
            continue
        after = replayed(pair.machine, state, event)
        assert not isinstance(after, str)
        by = -event.args[0]
        state, after, event = (
            turned(pair.machine, state, by),
            turned(pair.machine, after, by),
            turned_event(pair.machine, event, by),
        )
        before = [
            *pair.unknown.facts,
            *(t for _, t in differences(pair, pair.unknown.state, symbolic_state(pair.machine, state))),
        ]
        real = symbolic_state(pair.machine, after)
        names = dict(names_of(action, event.args))

        def leads_there(step: Step, given: list[Truth] = before, there: object = real) -> bool:
            reached = [t for _, t in differences(pair, step.after, there)]  # type: ignore[arg-type]
            return possible([*given, *step.path_condition, *reached])

        assert any(leads_there(s) for s in steps[event.action] if may_be(s, names)), event
        tried += 1
    assert tried > 5


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_a_specialized_step_is_impossible_at_other_stages_and_movers(rules: str, players: int) -> None:
    """Check that the step is impossible from a state with another stage or mover."""
    pair = both(rules, players)
    for name in ("lay", "exchange", "draw"):
        action = pair.machine.actions.get(name)
        if action is None:
            continue
        step = next(pair.system.specialized_steps(action, pair.unknown.state))
        assert (step.before.at, step.before.vars["mover"]) == (PLAYING, 0)
        guards = [truth for place, truth in step.guards if place == "where"]
        assert len(guards) >= 2  # and one for each state that its conditions know
        for table_at, seat in ((PLAYING, 1), ("over", 0)):
            elsewhere = pair.system.unknown_state()
            elsewhere.at, elsewhere.vars["mover"] = table_at, seat
            assert not any(s.guard is not False for s in pair.system.specialized_steps(action, elsewhere))
