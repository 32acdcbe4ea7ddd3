"""Explain to the players why an event was refused.

Input: a `Refusal`.
Output: an `Explanation`: what is wrong, what mattered (hands, melds, rows), the rule with its source, and what was
legal there.
Guarantee: the state of the refusal stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, assert_never

from golpae.elaborate.instance import Kind
from golpae.ir import expr as ir
from golpae.ir.dependencies import other_owners
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import DEALT_PLAYER, Action, EffectClause, paths_of
from golpae.ir.types import Bag, Bool, Choice, Seat, Type, words_in
from golpae.replay.citing import changes, cited, effects_tell_hidden, not_open, shared_zones, tells_hidden
from golpae.replay.decode import shown
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.report import NOT_POSSIBLE, NOT_THERE, Explanation, Refusal, Report
from golpae.replay.runtime import HIDDEN, NoCut, NoMeld, NoOrder, Row, Unmet, minus, rounds
from golpae.replay.speaker import Speaker, spoken
from golpae.replay.state_layout import winners_in, zone_in

SHOWN = 8  # values listed before they are only counted
OFTEN = {0: "never", 1: "once", 2: "twice"}


def explain(refusal: Refusal) -> Explanation:
    """Return everything that a player needs to know about a refused event."""
    return _Explainer(refusal).explanation()


def explained(report: Report) -> Explanation | None:
    """Return the explanation of the refusal that a report has, if it has one."""
    if report.explanation is not None or report.refusal is None:
        return report.explanation
    return explain(report.refusal)


def reason(refusal: Refusal) -> str:
    """Return the message why an event is refused, without facts and rules."""
    return _Explainer(refusal).message()


def one_line(explanation: Explanation) -> str:
    """Return a whole explanation on one line."""
    parts = [explanation.message]
    parts.extend(f"{what}: {value}" for what, value in explanation.facts)
    if explanation.rules:
        parts.append("rule " + ", ".join(explanation.rules))
    if explanation.legal:
        parts.append("legal here: " + ", ".join(explanation.legal))
    return "; ".join(parts)


def names_of(action: Action, given: Sequence[object]) -> dict[str, Any]:
    """Return the values that the names in conditions have: who acts, the keys, the tiles of lists with names."""
    names: dict[str, Any] = {}
    args: list[Any] = list(given)
    if action.by is not None:
        names[action.by] = args.pop(0)
    for param, value in zip(action.params, args, strict=True):
        names[param.name] = value
        if param.parts and isinstance(value, list) and len(value) == len(param.parts):
            names.update(zip(param.parts, value, strict=True))
    return names


class _Explainer:
    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.machine = refusal.machine
        self.state: State = refusal.state
        self.speaker = Speaker(refusal.machine, refusal.header)
        self.names = names_of(refusal.action, refusal.args)

    def explanation(self) -> Explanation:
        message = self.message()
        parts = tuple(self._facts()), tuple(self._rules()), self._legal(), self._ids()
        return Explanation(message, *parts, self._to_player(message))

    def _to_player(self, message: str) -> str:
        """Return the message without what the seat that acts cannot see."""
        condition, action = self.refusal.condition, self.refusal.action
        if condition is None:
            return NOT_POSSIBLE if effects_tell_hidden(self.machine.rules, action) else message
        if not tells_hidden(self.machine.rules, action, condition):
            return message
        return f"`{condition.name}` of `{action.name}` does not hold; why, you cannot see"

    def _impossible(self) -> str:
        """Return why the effects cannot be carried out. Raises `TooManySteps`."""
        after = self.machine.copy(self.state)
        try:
            self.machine.apply(self.refusal.action.name, after, tuple(self.refusal.args))
        except NoMeld as fault:
            zone = self._zone_of(after, fault.melds)
            if fault.fits:
                return f"{fault.fits} different melds of {zone} fit, and this event needs just one"
            return f"no meld of {zone} fits, and this event needs one"
        except Unmet as fault:
            exprs = self._asked_by(fault.path)
            assert exprs is not None
            return self._said(exprs[1].message, after)
        except NoOrder as fault:
            return f"these tiles cannot be the order of {self._zone_of(after, fault.row)}"
        except NoCut as fault:
            has = "1 tile" if len(fault.row.slots) == 1 else f"{len(fault.row.slots)} tiles"
            return f"{self._zone_of(after, fault.row)} has {has}, so it cannot be cut at {fault.number}"
        except ValueError:
            pass
        return NOT_THERE

    def _zone_of(self, state: State, lying: object) -> str:
        """Return the name of the zone that holds just this object in a state."""
        for zone in self.machine.rules.zones:
            holds = zone_in(state, zone.name)
            if holds is lying:
                return f"`{zone.name}`"
            if zone.each_player:
                for seat, own in enumerate(holds):
                    if own is lying:
                        return f"{self.speaker.names[seat]}'s `{zone.name}`"
        raise ValueError("no zone holds this")

    # ------------------------------------------------------------------ message

    def message(self) -> str:
        try:
            return self._message()
        except TooManySteps as long:
            return f"why cannot be said here: {long}"

    def _message(self) -> str:
        condition = self.refusal.condition
        if condition is None:
            return self._impossible()
        if condition.of_game is not None:
            return self._of_game(condition.of_game)
        words = self._said(condition.message, self.state)
        for param in self.refusal.action.params:
            if param.parts and param.name == condition.name:
                return f"{words}, not {len(self.names[param.name])}"
        return words

    def _said(self, message: Sequence[str | ir.Expr], state: State) -> str:
        """Return a message with the values that it has in a state."""
        words = []
        for part in message:
            if isinstance(part, str):
                words.append(part)
            else:
                value = self.machine.value(part, state, self.names)
                words.append(self.speaker.say(_in_order(value, part.type), part.type))
        return "".join(words)

    def _asked_by(self, path: str) -> tuple[EffectClause, ir.Ensure] | None:
        """Return the clause of a path that asks something of the state after the effects, and what it asks."""
        action = self.refusal.action
        paths = paths_of(action.name, [clause.name for clause in action.effects])
        at_path = (clause for clause, own in zip(action.effects, paths, strict=True) if own == path)
        return next(((c, e) for c in at_path for e in c.effects if isinstance(e, ir.Ensure)), None)

    def _value(self, expr: ir.Expr) -> Any:
        return self.machine.value(expr, self.state, self.names)

    def _of_game(self, kind: ir.ImplicitKind) -> str:
        say = self.speaker
        match kind:
            case "open":
                return not_open(self.refusal.action, self.machine.stage(self.state))
            case "hands":
                return self._wrong_hands()
            case "set":
                return self._beyond_the_set()
            case "rest":
                return self._wrong_reserve()
            case "winner":
                return self._wrong_winner()
            case "pay":
                pay = self.machine.payout(self.state)
                return f"`pay` should be {pay} ({say.pay(pay)}), not {shown(self.names['pay'])}"
            case "totals":
                total = self.machine.totals_left(self.state)
                return f"`totals` should be {total} ({say.pay(total)}), not {shown(self.names['totals'])}"
            case "winners":
                totals = self.machine.totals_left(self.state)
                most = max(totals)
                winners = [p for p, total in enumerate(totals) if total == most]
                who = ", ".join(say.names[p] for p in winners)
                return f"`winners` should be {winners} ({who}), not {shown(self.names['winners'])}"
            case _:
                assert_never(kind)

    def _wrong_reserve(self) -> str:
        dealt = [t for hand in self.names["hands"] for t in hand]
        rest = minus(list(self.machine.instance.whole), dealt)
        lacks, more = minus(rest, self.names["reserve"]), minus(self.names["reserve"], rest)
        words = [f"lacks {self.speaker.tiles(lacks)}"] if lacks else []
        words += [f"has {self.speaker.tiles(more)} too many"] if more else []
        return f"`reserve` is not the rest of the set: it {' and '.join(words)}"

    def _wrong_winner(self) -> str:
        names = self.speaker.names
        recorded = "nobody" if self.names["winner"] is None else names[self.names["winner"]]
        has_won = winners_in(self.state, self.machine.rules)
        if len(has_won) > 1:
            who = [names[seat] for seat in has_won]
            several = f"{', '.join(who[:-1])} and {who[-1]}"
            return f"{several} have won this hand, so `winner` should be `null`, not {recorded}"
        if self.state.winner is None:
            return f"nobody has won this hand, but `winner` names {recorded}"
        return f"{names[self.state.winner]} has won this hand, not {recorded}"

    def _wrong_hands(self) -> str:
        hands, n = self.names["hands"], self.machine.instance.players
        if len(hands) != n:
            dealt = "1 hand is" if len(hands) == 1 else f"{len(hands)} hands are"
            return f"{dealt} dealt to {n} players"
        dealing = self.refusal.action.dealing
        assert dealing is not None
        for seat, hand in enumerate(hands):
            expected = dealing.first if seat == self.names["first"] else dealing.others
            size = self.machine.value(expected, self.state, {**self.names, DEALT_PLAYER: seat})
            if len(hand) != size:
                return f"{self.speaker.names[seat]} should be dealt {size} tiles, not {len(hand)}"
        return "the hands have the wrong size"

    def _beyond_the_set(self) -> str:
        excess = self._dealt_too_often()
        if excess is None:
            return "more tiles were dealt than the set has"
        kind, count = excess
        if kind.withdrawn and not kind.copies:
            return f"{kind.name} is withdrawn at this table"
        often = OFTEN.get(count, f"{count} times")
        return f"{kind.name} is dealt {often}, but the set has {kind.copies} of it"

    def _dealt_too_often(self) -> tuple[Kind, int] | None:
        """Return the first kind of which more tiles are dealt than are in play, and how many are."""
        dealt = Counter(t for hand in self.names["hands"] for t in hand)
        kinds = self.machine.instance.kinds
        return next(
            ((kinds[n], count) for n, count in sorted(dealt.items()) if count > kinds[n].copies), None
        )

    # ------------------------------------------------------------------ facts

    def _facts(self) -> Iterator[tuple[str, str]]:
        """Yield the zones of the actor, those of others that the condition asks of, and shared ones that it reads."""
        condition, action = self.refusal.condition, self.refusal.action
        if condition is None:
            return
        if self.machine.stage(self.state) not in ("playing", "over") or action.kind in (
            "deal",
            "end",
            "finish",
        ):
            return
        if action.by is not None:
            actor = self.names[action.by]
            owners = [(zone.name, actor) for zone in self.machine.rules.zones if zone.each_player]
            owners += [(name, self._value(seat)) for name, seat in other_owners(action, condition)]
            for name, owner in dict.fromkeys(owners):
                tiles = self._zone(name)[owner]
                if tiles:
                    kind = self.machine.rules.zone(name).kind
                    yield f"{self.speaker.names[owner]}'s {name}", self._lying(tiles, kind)
        for name in shared_zones(self.machine.rules, condition):
            yield name, self._lying(self._zone(name), self.machine.rules.zone(name).kind)

    def _zone(self, name: str) -> Any:
        return zone_in(self.state, name)

    def _lying(self, tiles: Any, kind: str) -> str:
        if kind == "melds":
            return ", ".join("/".join(self.machine.tile(t) for t in meld) for meld in tiles) or "none"
        if kind == "row":
            return self._row(tiles)
        return self.speaker.tiles(tiles)

    def _row(self, row: Row) -> str:
        if not row.slots:
            return "empty"
        if HIDDEN in row.slots:
            return f"{len(row.slots)} tiles"
        shown = [self.machine.tile(t) for t in row.slots]
        return " ".join(shown if len(shown) <= SHOWN else ["...", *shown[-SHOWN:]])

    # ------------------------------------------------------------------ rules and what would be legal

    def _rules(self) -> Iterator[str]:
        rules, condition = self.machine.rules, self.refusal.condition
        yield from cited(rules, self._ids())
        if condition is not None:
            yield from changes(rules, self.refusal.action, condition)

    def _ids(self) -> tuple[str, ...]:
        """Return the numbers of the broken rules: of the set, if tiles are dealt that it does not have."""
        condition = self.refusal.condition
        if condition is None:
            exprs = self._asked_by(self.refusal.clause.partition(".")[2])
            return self.refusal.action.ids if exprs is None else exprs[0].ids
        if condition.of_game == "set":
            excess, tiles = self._dealt_too_often(), self.machine.rules.tiles
            of_set = tiles.withdrawn_ids if excess is not None and excess[0].withdrawn else tiles.ids
            return of_set or condition.ids
        return condition.ids

    def _legal(self) -> tuple[str, ...] | None:
        """Return the legal events in words; None if a deal is wrong and only another deal can follow."""
        first = self.names["first"] if self.refusal.action.kind == "deal" else None
        return tuple(legal_here(self.machine, self.speaker, self.state, first)) or (
            None if first is not None else ()
        )


def legal_here(
    machine: Machine, speaker: Speaker, state: State, dealt_first: int | None = None
) -> Iterator[str]:
    """Yield the events that can follow, those of one action together.

    `dealt_first` is who is first in a deal that was refused: if that is right, no deal is named. Last come the actions
    whose events cannot be listed, because that takes too many steps.
    """
    following = _legal_of(machine).can_follow(state)
    events_of: dict[tuple[str, int | None], list[Event]] = {}
    for event in following.events:
        action = machine.actions[event.action]
        by = event.args[0] if action.by is not None else None
        events_of.setdefault((event.action, by), []).append(event)
    for (name, by), events in events_of.items():
        who = "" if by is None else f"{speaker.names[by]}: "
        words, name = [speaker.event(e) for e in events], spoken(name)
        if len(words) == 1:
            yield who + words[0]
        elif len(words) <= SHOWN:
            alone = [f"{name} | "] if name in words else []
            others = [w[len(name) + 1 :] for w in words if w != name]
            yield f"{who}{''.join(alone)}{name} {' | '.join(others)}"
        else:
            yield f"{who}{name} any of {len(words)}"
    for name in following.unlisted:
        if all(name != listed for listed, _ in events_of):
            yield f"perhaps {spoken(name)}"
    seats = following.seats
    if dealt_first is None or dealt_first not in seats:
        if len(seats) == machine.instance.players:
            yield "deal"
        elif seats:
            yield f"deal with {' or '.join(speaker.names[p] for p in seats)} first"
    for name, long in following.endless.items():
        yield f"perhaps {spoken(name)} ({long})"


@lru_cache(maxsize=16)
def _legal_of(machine: Machine) -> Legal:
    """Return one `Legal` for all refusals of a machine, which plans its search only once."""
    return Legal(machine)


def _in_order(value: Any, kind: Type) -> Any:
    """Return a value with players, truths and words of a bag in their order: the expression's order means nothing."""
    match kind:
        case Bag(Seat() | Bool() | Choice()):
            return rounds(value, words_in(kind))
        case _:
            return value
