"""Whoever takes a trick of unknown cards: the next event says who it was, and states depend on no more than that."""

from __future__ import annotations

import z3

from golpae.elaborate.cache import elaborate_cached
from golpae.hidden.decide import decide
from golpae.hidden.following import Effort, Following
from golpae.hidden.lines import HiddenLine, hidden_line
from golpae.hidden.steering import clauses_of_states
from golpae.prove.solving.solver import MILLION
from golpae.prove.symbolic.rebuilding import with_certain
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, GuardedUnion
from golpae.prove.symbolic.zones import Zone
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.trace import Header, read_header

PLAYS = [
    1,
    2,
    3,
    0,
    2,
    3,
    0,
    1,
    1,
    2,
    3,
    0,
]  # who plays the cards of three tricks; the second player takes the second


def table() -> tuple[Machine, Header]:
    header = read_header({"golpae": 1, "rules": "whist", "players": ["An", "Bo", "Cy", "Di"]})
    assert isinstance(header, Header)
    machine = Library(elaborate_cached).machine("whist", 4, {})
    assert isinstance(machine, Machine)
    return machine, header


def unseen(machine: Machine) -> list[HiddenLine]:
    """Return three tricks of unknown cards."""
    events = [
        {"do": "deal", "first": 1, "hands": [13] * 4},
        {"do": "turn-up", "by": 0, "tile": "2C"},
        *({"do": "play", "by": by, "tile": "?"} for by in PLAYS),
    ]
    lines = [hidden_line(event, machine.actions[str(event["do"])]) for event in events]
    assert all(isinstance(line, HiddenLine) for line in lines)
    return [line for line in lines if isinstance(line, HiddenLine)]


def test_the_card_after_a_trick_says_who_took_it() -> None:
    machine, _ = table()
    lines = unseen(machine)
    turns = clauses_of_states(machine, lines)
    assert (7, "turn") in turns
    search = Following(machine, machine.new_state(), lines, Effort(), None, False, turns)
    after_trick, after_card = search.state_after(6), search.state_after(7)
    assert after_trick is not None
    assert isinstance(after_trick.vars["mover"], GuardedUnion)
    assert after_card is not None
    assert after_card.vars["mover"] == 3
    assert after_card.vars["tricks"] == [0, 0, 1, 0]
    assert [len(zone.bag.counts) > 0 for zone in after_card.zones["won"]] == [False, False, True, False]
    assert (7, "turn") in search.narrowed
    before_card = search.asked[6].before
    assert before_card is not None
    assert isinstance(before_card.vars["mover"], GuardedUnion)  # for what a refusal of this card teaches


def test_tricks_of_unknown_cards_are_filled_in_soon() -> None:
    machine, header = table()
    lines = [line.line for line in unseen(machine)]
    found = decide(machine, header, machine.new_state(), lines, 0, effort=Effort(20 * MILLION, 5))
    assert found.verdict == "completed"


def test_a_certain_truth_is_certain_wherever_it_stands() -> None:
    x, y = z3.Bools("x y")
    state = SymbolicState("play", 1, None, 0, [0, z3.If(x, 2, z3.If(y, 1, 0))], {}, {})
    state.vars["turn"] = GuardedUnion(((x, 0), (z3.Not(x), 1)))
    state.zones["pile"] = Zone(Bag({3: z3.If(z3.And(x, y), 1, 0), 4: z3.If(y, 1, 0)}))
    made = with_certain([(x, False)]).state(state)
    assert made.vars["turn"] == 1
    assert made.total[1].eq(z3.If(y, 1, 0))
    assert [*made.zones["pile"].bag.counts] == [4]
    assert made.zones["pile"].bag.counts[4] is state.zones["pile"].bag.counts[4]
