"""How many tiles a player can have in zones that nothing else feeds.

Input: all rules of a table. Output: for each zone of melds that each player has, the most tiles that can lie in it.
Guarantee: no player has more there at any position. A zone of which the text alone says nothing is left out.

If a player's tiles only go from hand to melds and back, no meld is larger than the hand that was dealt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Dealing, RuleSet
from golpae.ir.traverse import nodes
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import Transfer, flat, transfers
from golpae.prove.evaluation.evaluator import Evaluator


def most_tiles(evaluator: Evaluator) -> dict[str, int]:
    """Return the most tiles that can lie in each player's zones of melds, for those of which it is known.

    The evaluator has to be about all rules of the game, not about some of its actions.
    """
    rules = evaluator.rules
    most: dict[str, int] = {}
    for zone in rules.zones:
        if zone.each_player and zone.kind == "melds":
            zones = _feeding(zone.name, rules)
            dealt = None if zones is None else _dealt(zones, rules, evaluator)
            if dealt is not None:
                most[zone.name] = dealt
    return most


def _feeding(zone: str, rules: RuleSet) -> set[str] | None:
    """Return zones whose tiles, of one player, come from these zones of the same player alone; None if there are none.

    The zone is among them. A deal may put hands into them.
    """
    own = {z.name for z in rules.zones if z.each_player and not z.holds_set}
    statements = [s for action in rules.actions for s in statements_of(rules, action)]
    brought = list(transfers(statements))
    passed = {s.zone for s in flat(statements) if isinstance(s, st.Rotate)}
    zones, waiting = {zone}, [zone]
    while waiting:
        target = waiting.pop()
        if target in passed:
            return None
        for source in _sources_of(target, brought):
            if source is None or source not in own:
                return None
            if source not in zones:
                zones.add(source)
                waiting.append(source)
    return zones


def _sources_of(zone: str, brought: Iterable[Transfer]) -> Iterator[str | None]:
    """Yield from which zone of the same player each move brings tiles to a zone; None if that is not known."""
    for moved in brought:
        source, target = moved.source, moved.target
        if _name(target) == zone:
            is_same = isinstance(target.seat, ir.Local) and target.seat == source.seat
            yield _name(source) if is_same else None


def _name(place: ir.Place | ir.ZoneRead) -> str:
    return place.zone if isinstance(place, ir.Place) else place.name


def _dealt(zones: set[str], rules: RuleSet, evaluator: Evaluator) -> int | None:
    """Return the most tiles that a deal puts into these zones of one player, None if the text alone does not say."""
    most = 0
    for dealing in _deals(rules):
        if dealing.hand not in zones:
            continue
        for number in (dealing.first, dealing.others):
            if not all(isinstance(node, ir.Const | ir.OptionRead | ir.Op) for node in nodes(number)):
                return None
            value = evaluator.number(number, None, {})
            if not isinstance(value, int):
                return None
            most = max(most, value)
    return most


def _deals(rules: RuleSet) -> Iterator[Dealing]:
    actions: tuple[Action, ...] = rules.actions
    yield from (action.dealing for action in actions if action.dealing is not None)
