"""What every game does by itself: the start of a match, the deal, the payments (section 5).

Input: a table, a state, the values of an event. Output: the state at the start, the state after the tiles were dealt,
what each player is paid.
Guarantee: at the start the set lies in the zone that holds it, and after a deal in the zone that is dealt from and in
the hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Dealing, VarDecl
from golpae.ir.traverse import flat
from golpae.ir.types import Opt
from tests.judge import words
from tests.judge.effects import Unordered, arrive, perform_clauses, without_tile
from tests.judge.evaluate import Scene, evaluate, kept, limited
from tests.judge.faults import CannotHappen, Refused, Unclear, Unset
from tests.judge.rows import Row, hidden_row, known_row, tiles_of
from tests.judge.state import Content, Slot, State
from tests.judge.table import NO_LIMIT, Table
from tests.judge.values import Bag, Map, Value, in_turn, item_of, members, number, truth, used_as


def start(instance: Instance, stake: int = 1, most: int = NO_LIMIT) -> tuple[Table, State]:
    """Return the table and the state at the start of a match (5.2). `most` is the limit of the table."""
    table = Table(instance, stake, most=most)
    holder = next(zone.name for zone in table.rules.zones if zone.holds_set)
    state = State("before", _set_in(table, holder), Map.of({}), Bag(), (0,) * instance.players, 0)
    return table, with_first_values(table.rules.vars, Scene(table, state))


def _set_in(table: Table, holder: str) -> Map[Slot, Content]:
    """Return all zones, empty but for the one in which the whole set lies, hidden if that is a row."""
    zones: dict[Slot, Content] = {}
    for zone in table.rules.zones:
        for owner in table.owners(zone.each_player):
            tiles = table.whole if zone.name == holder else Bag()
            zones[zone.name, owner] = hidden_row(tiles) if zone.kind == "row" else tiles
    return Map.of(zones)


def with_first_values(variables: Sequence[VarDecl], scene: Scene) -> State:
    """Return the state in which these states of the text have their first values, or none at all.

    One that reads another one comes after it (5.2); one that may be none is none without a first value (5.3).
    """
    waiting = [v for v in variables if v.initial is not None]
    slots = [(v.name, owner) for v in variables for owner in scene.table.owners(v.each_player)]
    state = replace(scene.state, vars=scene.state.vars.without(slots))
    for var in variables:
        if var.initial is None and isinstance(var.type, Opt):
            for owner in scene.table.owners(var.each_player):
                state = state.with_var((var.name, owner), None)
    while waiting:
        later: list[VarDecl] = []
        for var in waiting:
            assert var.initial is not None
            try:
                value = used_as(kept(evaluate(var.initial, scene.at(state))), var.type)
            except Unset:
                later.append(var)
                continue
            for owner in scene.table.owners(var.each_player):
                state = state.with_var((var.name, owner), value)
        if len(later) == len(waiting):
            raise Unclear("first values that read states without a value")
        waiting = later
    return state


def hand_size(dealing: Dealing, seat: int, first: int, scene: Scene) -> int:
    """Return how many tiles a player is dealt."""
    size = dealing.first if seat == first else dealing.others
    return number(evaluate(size, scene.having({"it": seat})))  # 6.11


def dealt(dealing: Dealing, hands: Sequence[Bag], reserve: Sequence[Value] | None, scene: Scene) -> State:
    """Return the state after the tiles were dealt, before the effects of the text (5.4)."""
    table = scene.table
    zones = _set_in(table, dealing.zone)
    state = replace(scene.state, stage="playing", winners=Bag(), zones=zones, gains=())
    state = with_first_values([v for v in table.rules.vars if v.scope == "hand"], scene.only({}).at(state))
    for seat, hand in enumerate(hands):
        for tile in hand:
            state = without_tile(state, (dealing.zone, None), tile, None)
        state = arrive(Unordered(hand), (dealing.hand, seat), None, None, scene.at(state))
    rest = state.content((dealing.zone, None))
    if isinstance(rest, Row):
        left = hidden_row(tiles_of(rest)) if reserve is None else known_row(reserve)
        state = state.with_content((dealing.zone, None), left)
    return state


def dealt_to_zone(dealing: Dealing, zone: str, tiles: Bag, scene: Scene) -> State:
    """Return the state after tiles went on to a zone that they are dealt to (5.8). Raises `Refused`."""
    state = scene.state
    try:
        for tile in tiles:
            state = without_tile(state, (dealing.zone, None), tile, None)
    except CannotHappen:
        raise Refused("then") from None
    return arrive(Unordered(tiles), (zone, None), None, None, scene.at(state))


def payments(action: Action, scene: Scene) -> tuple[int, ...]:
    """Return what `end` pays each player: gains, what `payout` gives, what its effects pay (5.13)."""
    return tuple(map(limited, paid_ahead(action, scene, of_payout(scene))))


def totals_left(action: Action, scene: Scene) -> tuple[int, ...]:
    """Return the totals after a `finish`, with what its effects pay (5.13)."""
    paid = paid_ahead(action, scene, (0,) * scene.table.instance.players)
    return tuple(limited(total + more) for total, more in zip(scene.state.totals, paid, strict=True))


def holds_payments(action: Action) -> bool:
    """Return whether effects of an action pay."""
    return any(
        isinstance(effect, ir.Pay | ir.Gain)
        or (isinstance(effect, ir.ForEach) and effect.name in (words.PAYS, words.SCORES))
        for clause in action.effects
        for effect in flat(clause.effects)
    )


def paid_ahead(action: Action, scene: Scene, before: tuple[int, ...]) -> tuple[int, ...]:
    """Return the gains after the effects of an action; those from before if one of them cannot be carried out."""
    if not holds_payments(action):
        return before
    try:
        inner = replace(scene.at(replace(scene.state, gains=before)), start=scene.state)
        return perform_clauses(action.effects, inner).gains
    except Refused:
        return before


def of_payout(scene: Scene) -> tuple[int, ...]:
    """Return the gains of the hand with what `payout` gives (5.6)."""
    gains = [*(scene.state.gains or [0] * scene.table.instance.players)]
    for clause in scene.table.rules.payout:
        _pay(clause.effects, scene.only({}), gains)
    return tuple(gains)


def _pay(effects: Iterable[ir.Effect], scene: Scene, gains: list[int]) -> None:
    for effect in effects:
        match effect:
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                paid = number(evaluate(amount, scene))
                gains[number(evaluate(payer, scene))] -= paid
                gains[number(evaluate(payee, scene))] += paid
            case ir.Gain(seat=seat, amount=amount):
                gains[number(evaluate(seat, scene))] += number(evaluate(amount, scene))
            case ir.When(test=test, effects=inner, otherwise=otherwise):
                _pay(inner if truth(evaluate(test, scene)) else otherwise, scene, gains)
            case ir.ForEach(name=words.TIMES | words.UNTIL | words.WHILE):
                loop = words.repeated(effect)
                for _ in range(number(evaluate(loop.times, scene))):
                    if loop.before is not None and not truth(evaluate(loop.before, scene)):
                        break
                    _pay(loop.effects, scene, gains)
                    if loop.after is not None and truth(evaluate(loop.after, scene)):
                        break
            case ir.ForEach(name=name, domain=domain, effects=inner):
                for member in in_turn(members(evaluate(domain, scene)), item_of(domain.type)):
                    _pay(inner, scene.having({name: member}), gains)
            case (
                ir.Move()
                | ir.SetState()
                | ir.Win()
                | ir.Shuffle()
                | ir.Cut()
                | ir.Arrange()
                | ir.PassOn()
                | ir.Ensure()
            ):
                raise Unclear("an effect in payout that is no payment")
            case _:
                assert_never(effect)
