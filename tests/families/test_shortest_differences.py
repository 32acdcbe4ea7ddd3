"""A game that is said to be the shortest which shows what a switch changes is as short as any, of all games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.verify.families.scheduler import FamilyName
from golpae.verify.options import Settings
from golpae.verify.switches.changes import changes
from golpae.verify.switches.of_switch import Changes, PartingGame
from tests.families.coins import COINS
from tests.families.loaded import load_from

pytestmark = pytest.mark.solver

HANDS = [["1c"], ["2c"]]
DEPTH = 9  # events of the games that are gone through
START = f"""game coins "Coins"

{COINS}  mark: number = 0

define rate: 1

deal from box
  hands: 1 for everyone
  then mover := first

action tick by p
  turn: p = mover "no"
  more: taken < 6 "no"
  then taken := taken + 1

action long by p
  turn: p = mover "no"
  ready: taken = 4 "no"
  then long: taken := 7

action brief by p
  turn: p = mover "no"
  ready: taken = 1 "no"
  then jump: taken := 7

end
  due: taken >= 6

payout
  then won: for each q in players - mover: q pays mover rate * stake
"""
NEVER = """
variant tight "some are never allowed"
  add long.never: taken > 9 "no"
  add brief.never: taken > 9 "no"
"""
NO_LONG = """
variant nolong "no long"
  replace long.ready: taken > 9 "no"
"""
EFFECTS = "an action whose effects differ in some games"  # the shortest that paths show is no difference
LATE, SOON = 'ready: taken = 4 "no"', 'ready: taken = 1 "no"'


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


TEXTS = {
    "one action is soon refused and one late": START + NEVER + NO_LONG,
    "the soon one comes first, and late with another switch": changed(
        START, (SOON, 'ready: taken = 3 "no"'), (LATE, 'ready: taken = 1 "no"')
    )
    + NEVER
    + changed(NO_LONG, ("taken > 9", "taken = 5")),
    "an event before the last one is refused": changed(
        START, (LATE, 'ready: taken = 5 "no"'), ("jump: taken := 7", "jump: taken := 5")
    )
    + NEVER
    + 'variant other "other"\n  replace tick.more: taken < 3 "no"\n',
    "payments and games that go on otherwise": START
    + 'variant tight "changes"\n  replace brief.jump: taken := 8\n  replace rate: 2\n'
    + NO_LONG,
    EFFECTS: changed(
        START,
        ("more: taken < 6", "more: taken < 7"),
        (LATE, 'more: taken < 7 "no"'),
        (
            "then long: taken := 7",
            "then one: taken := taken + 1\n  then two: mark := 0\n  then three: taken := taken + 1",
        ),
        (SOON, 'ready: taken = 5 "no"'),
        ("due: taken >= 6", "due: taken >= 7"),
    )
    + 'variant tight "changes"\n  replace long.two: mark := if taken = 3 then 1 else 0\n'
    + "  replace brief.jump: taken := 8\n"
    + 'variant other "other"\n  replace tick.more: taken < 8 "no"\n',
}


def after(machine: Machine, state: State, event: Event) -> State | None:
    """Return the state after an event; None if it is refused."""
    args: Any = event.args
    failed, args = machine.first(event.action, state, args)
    if failed >= 0:
        return None
    following = machine.copy(state)
    machine.apply(event.action, following, args)
    return following


def events_after(machine: Machine, state: State) -> list[Event]:
    legal = Legal(machine)
    lines = [{"do": "deal", "first": first, "hands": HANDS} for first in legal.can_deal(state)]
    deals = [Event("deal", machine.read("deal", line)) for line in lines]  # type: ignore[arg-type]
    return [*legal.events(state), *deals]


def shortest(mine: Machine, theirs: Machine) -> dict[bool, int]:
    """Return the length of the shortest games of `mine` whose last event `theirs` refuses (true), or after which they
    go on otherwise (false).
    """
    key = StateKey(mine.rules, (*WORD_SLOTS, "total"))
    level, out = [(mine.new_state(), theirs.new_state())], dict[bool, int]()
    for length in range(1, DEPTH + 1):
        following = {}
        for states in level:
            for event in events_after(mine, states[0]):
                one, other = (after(m, s, event) for m, s in zip((mine, theirs), states, strict=True))
                if one is None:
                    continue
                if other is None or key(one) != key(other):
                    out.setdefault(other is None, length)
                else:
                    following[key(one)] = one, other
        level = [*following.values()]
    return out


def asked_of(name: FamilyName, switch: str) -> Changes:
    return changes(name, switch, 2, {}, Settings(games=30))


@pytest.mark.parametrize("title", TEXTS)
def test_the_shortest_is_as_short_as_any_game(tmp_path: Path, title: str) -> None:
    load = load_from(tmp_path, "coins", TEXTS[title])
    machines: dict[str, Machine] = {}

    def truth(shown: PartingGame) -> int:
        for rules in (shown.rules, shown.other):
            machines.setdefault(rules, Machine(instantiate(load(rules), 2, {})))
        return shortest(machines[shown.rules], machines[shown.other])[shown.at == "refused"]

    shown = asked_of(FamilyName("coins", (), (), (tmp_path,)), "tight").shown
    assert shown
    assert any(one.is_shortest for one in shown) == (title != EFFECTS)
    for one in shown:
        assert len(one.events) >= truth(one)
        if one.is_shortest:
            assert len(one.events) == truth(one), one
