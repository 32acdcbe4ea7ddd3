"""A small game of few games, and what a switch changes in all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from golpae.elaborate.instance import instantiate
from golpae.families.family import Family
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.verify.switches.of_switch import Changes
from tests.families.coins import COINS

TAKES = f"""\
game takes "Takes"

{COINS}
define large(t: tile): t = 2c
define late(t: tile): t = 2c
define most: 3
define rate: 1

deal from box
  hands: 1 for everyone
  then mover := first

action put(tile) by p
  turn: p = mover "no"
  held: tile in p's hand "no"
  fits: late(tile) or taken < 1 "no"
  then move tile from p's hand to heap
  then turn-passes: mover := p's right
  then taken := taken + 1
  then when size of heap = 2: p wins

end
  due: over or (every p in players: p's hand is empty) or taken >= most

payout
  then won: when winner is not none: for each q in players - winner: q pays winner rate * stake

variant small "small coins fit too"
  replace late: yes

variant strict "nobody begins with a large coin"
  replace put.held: tile in p's hand and (not large(tile) or taken > 0) "no"

variant dear "who wins gets more"
  replace payout.won: when winner is not none: for each q in players - winner: q pays winner rate * stake + 1

variant high "the rate grows"
  replace rate: 2 ^ taken

variant quick "a hand may end earlier"
  replace most: 1

variant slow "the turn stays"
  replace put.turn-passes: mover := if taken > most then p else p's right
"""


def parted(load: Any, one: str, other: str) -> set[str]:
    """Return how two rule sets part, by going through all games that both allow."""
    machines = [Machine(instantiate(load(rules), 2, {})) for rules in (one, other)]
    key = StateKey(machines[0].rules, (*WORD_SLOTS, "total"))
    found: set[str] = set()
    waiting = [tuple(machine.new_state() for machine in machines)]
    seen = 0
    while waiting:
        states = waiting.pop()
        seen += 1
        assert seen < 2_000
        for event, wanted in _events(machines, states):
            after = [_after(machine, state, event) for machine, state in zip(machines, states, strict=True)]
            if after == [None, None]:
                continue  # such a deal is possible under neither
            if after[0] is None or after[1] is None:
                paid = event.action == "end" and wanted
                found.add("otherwise" if paid else "less" if after[1] is None else "more")
            elif key(after[0]) != key(after[1]):
                found.add("otherwise")
            elif machines[0].stage(after[0]) != "ended":
                waiting.append((after[0], after[1]))
    return found


def told(found: Changes, family: Family, number: int) -> set[str]:
    """Return how two rule sets part as it was found."""
    regions = {"less": found.less, "more": found.more, "otherwise": found.otherwise}
    return {what for what, cubes in regions.items() if number in family.space.region(cubes)}


def _events(machines: list[Machine], states: tuple[State, ...]) -> Iterator[tuple[Event, bool]]:
    """Yield the events that either side allows, and whether both allow one of that action."""
    legal = [list(Legal(machine).events(state)) for machine, state in zip(machines, states, strict=True)]
    for machine, state in zip(machines, states, strict=True):
        for first in Legal(machine).can_deal(state):
            hands = [[["1c"], ["1c"]], [["1c"], ["2c"]], [["2c"], ["1c"]], [["2c"], ["2c"]]]
            for dealt in hands:
                args = machine.read("deal", {"do": "deal", "first": first, "hands": dealt})
                yield Event("deal", args), False  # type: ignore[arg-type]
        break
    both = {event.action for event in legal[0]} & {event.action for event in legal[1]}
    for event in (*legal[0], *legal[1]):
        yield event, event.action in both


def _after(machine: Machine, state: State, event: Event) -> State | None:
    if machine.check(event.action, state, event.args) >= 0:
        return None
    new = machine.copy(state)
    machine.apply(event.action, new, event.args)
    return new
