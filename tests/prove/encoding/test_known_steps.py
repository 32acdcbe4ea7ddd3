"""Steps from tables of which more is known: every event is one of them, and leads where replay says."""

from __future__ import annotations

import random

import pytest

from golpae.ir.lifecycle import PLAYING
from golpae.prove.encoding.step import Step
from golpae.prove.symbolic.values import Truth
from golpae.verify.replay_bridge import symbolic_state
from tests.prove.play import taken
from tests.prove.shared import Both, both, differences, names_of, possible, replayed, turned, turned_event

RULES = (("jjak", 3), ("ho-hpai", 4), ("three-dozen", 2))


def specialized_steps(found: Both, name: str) -> list[Step]:
    return list(found.system.specialized_steps(found.machine.actions[name], found.unknown.table))


def may_be(step: Step, names: dict[str, object]) -> bool:
    """Whether a step is of an event with these values, as far as that is seen at once."""
    return all(not isinstance(v, int) or names.get(n, v) == v for n, v in step.names.items())


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_an_event_is_a_known_step(rules: str, players: int) -> None:
    found, rng = both(rules, players), random.Random(3)
    steps = {a.name: specialized_steps(found, a.name) for a in found.machine.rules.actions}
    tried = 0
    for state, event in taken(found.machine, rng, hands=1, most=60):
        action = found.machine.actions[event.action]
        if action.by is None or rng.random() < 0.5:
            continue
        after = replayed(found.machine, state, event)
        assert not isinstance(after, str)
        by = -event.args[0]
        state, after, event = (
            turned(found.machine, state, by),
            turned(found.machine, after, by),
            turned_event(found.machine, event, by),
        )
        before = [
            *found.unknown.facts,
            *(t for _, t in differences(found, found.unknown.table, symbolic_state(found.machine, state))),
        ]
        real = symbolic_state(found.machine, after)
        names = dict(names_of(action, event.args))

        def leads_there(step: Step, given: list[Truth] = before, there: object = real) -> bool:
            reached = [t for _, t in differences(found, step.after, there)]  # type: ignore[arg-type]
            return possible([*given, *step.path_condition, *reached])

        assert any(leads_there(s) for s in steps[event.action] if may_be(s, names)), event
        tried += 1
    assert tried > 5


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_what_is_known_is_part_of_the_guard(rules: str, players: int) -> None:
    """From no table where it is known to be otherwise can such a step be taken."""
    found = both(rules, players)
    for name in ("lay", "exchange", "draw"):
        action = found.machine.actions.get(name)
        if action is None:
            continue
        step = next(found.system.specialized_steps(action, found.unknown.table))
        assert (step.before.at, step.before.vars["mover"]) == (PLAYING, 0)
        guards = [truth for place, truth in step.guards if place == "where"]
        assert len(guards) == 2
        for table_at, seat in ((PLAYING, 1), ("over", 0)):
            elsewhere = found.system.unknown_state()
            elsewhere.at, elsewhere.vars["mover"] = table_at, seat
            assert not any(s.guard is not False for s in found.system.specialized_steps(action, elsewhere))
