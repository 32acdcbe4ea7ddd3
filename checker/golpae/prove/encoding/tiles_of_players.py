"""How many tiles a player can have in zones that nothing else feeds.

Input: all rules of a table. Output: for each zone of melds that each player has, the most tiles that can lie in it.
Guarantee: no player has more there at any position. A zone of which the text alone says nothing is left out.

If a player's tiles only go from hand to melds and back, no meld is larger than the hand that was dealt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import written_by
from golpae.ir.ruleset import Action, Dealing, RuleSet, effects_of
from golpae.ir.traverse import flat, nodes
from golpae.prove.evaluation.evaluator import Evaluator


class _Place(NamedTuple):
    """A zone, and whose it is."""

    zone: str
    seat: ir.Expr | None


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
    effects = [e for action in rules.actions for e in flat(effects_of(action.effects))]
    zones, waiting = {zone}, [zone]
    while waiting:
        target = waiting.pop()
        for effect in effects:
            source = _source_of(effect, target)
            if source is None:
                continue
            if source.zone not in own:
                return None
            if source.zone not in zones:
                zones.add(source.zone)
                waiting.append(source.zone)
    return zones


def _source_of(effect: ir.Effect, target: str) -> _Place | None:
    """Return from where an effect brings tiles to a zone, None if it brings none; of nobody, if that is not known."""
    unknown = _Place("", None)
    match effect:
        case (
            ir.When(test=_, effects=_)
            | ir.ForEach(name=_, domain=_, effects=_)
            | ir.Shuffle(zone=_)
            | ir.Arrange(zone=_, tiles=_)
        ):
            return None  # what is in them is looked at by itself
        case ir.Move(what=_, label=_):
            to, source = _place(effect.target), _place(effect.source)
            if to is None:
                return unknown
            if to.zone != target:
                return None
            is_same = source is not None and isinstance(to.seat, ir.Local) and to.seat == source.seat
            return source if is_same else unknown
        case (
            ir.SetState(name=_, seat=_, value=_)
            | ir.Win(seat=_)
            | ir.Pay(payer=_, payee=_, amount=_)
            | ir.Gain(seat=_, amount=_)
            | ir.PassOn(zone=_, side=_)
        ):
            return unknown if target in written_by([effect]) else None
        case _:
            assert_never(effect)


def _place(place: ir.Place | ir.MeldPlace) -> _Place | None:
    """Return the zone of a place; None if a meld is chosen from something else."""
    if isinstance(place, ir.Place):
        return _Place(place.zone, place.seat)
    domain = place.meld.domain if isinstance(place.meld, ir.Fold) else None
    return _Place(domain.name, domain.seat) if isinstance(domain, ir.ZoneRead) else None


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
