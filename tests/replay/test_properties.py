"""Properties in replay: theorems about the set are evaluated, invariants are checked in random games."""

from __future__ import annotations

import random

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.elaborate.load import game_names, load
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, chooses_together
from golpae.ir.ruleset import PropertyDecl
from golpae.ir.traverse import nodes
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.random_deal import random_deal
from golpae.replay.simulate import take
from golpae.syntax import tree as t

GAMES = game_names([])


def rule_sets() -> list[str]:
    out = []
    for game in GAMES:
        switches = [d.name.text for d in load(game).decls if isinstance(d, t.Variant)]
        out += [game, *(f"{game}+{s}" for s in switches)]
    return out


def machines(rules: str) -> list[Machine]:
    rule_set = elaborate(rules)
    low, high = bounds(rule_set, options_of(rule_set, {}))
    return [Machine(instantiate(rule_set, n, {})) for n in range(low, high + 1)]


def static(machine: Machine, prop: PropertyDecl) -> bool:
    """Return whether replay can evaluate a property: it reads only the set and its definitions."""
    definitions = {d.name: d for d in machine.rules.definitions}
    proved = chooses_together(prop.expr, definitions) or any(isinstance(n, ir.Ways) for n in nodes(prop.expr))
    return not proved and not Dependencies(machine.rules).reads([prop.expr])


@pytest.mark.parametrize("game", [*GAMES, "jjak+culin"])
def test_theorems_about_the_set_hold_in_replay_as_expected(game: str) -> None:
    seen = 0
    for machine in machines(game):
        for prop in machine.rules.properties:
            if prop.kind in ("theorem", "claim") and static(machine, prop):
                seen += 1
                holds = machine.value(prop.expr, machine.new_state(), {})
                assert holds is (prop.expected != "refuted"), (prop.name, machine.instance.players)
    assert seen, f"{game} states nothing of its set"


@pytest.mark.parametrize("rules", rule_sets())
def test_invariants_hold_in_random_games(rules: str) -> None:
    rng = random.Random(7)
    for machine in machines(rules):
        always = [
            p
            for p in machine.rules.properties
            if p.kind == "always" and p.after is None and p.expected != "refuted"
        ]
        legal = Legal(machine)
        for _ in range(2 if always else 0):
            state = machine.new_state()
            deals = (random_deal(machine, state, rng.choice(legal.can_deal(state)), rng) for _ in range(100))
            take(machine, state, next(deal for deal in deals if legal.can_be(deal, state)))
            for _ in range(60):
                for prop in always:
                    assert machine.value(prop.expr, state, {}), (prop.name, machine.instance.players)
                events = list(legal.events(state))
                if machine.stage(state) == "ended" or not events:
                    break
                take(machine, state, rng.choice(events))
