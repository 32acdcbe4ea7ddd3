"""Looks for tiles that make the events of a game legal.

Input: a machine, a state of it, and lines with unknown tiles that follow. Output: a completion that replay has
accepted; or which events no tiles make legal; or nothing, if the effort does not reach.
Guarantee: nothing is found without replay, and nothing is ruled out that replay would accept. Counted effort bounds the
search, so that the answer is the same on every machine.

The solver chooses tiles that satisfy the formulas of the events, and replay plays them. Where it refuses them, a lemma
says why: what a shape or a score really is, or that the condition fails whenever all that it reads is as it is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import z3

from golpae.hidden.following import QUICK, Clause, Completed, Effort, Following, Impossible, OutOfEffort
from golpae.hidden.formulas.symbolic_game import dependencies_of
from golpae.hidden.guesses import Guesses
from golpae.hidden.layouts import Bounds
from golpae.hidden.lemmas import Lemmas, constant, each_of, same_values
from golpae.hidden.lines import HiddenLine, hand_at
from golpae.ir import expr as ir
from golpae.ir.dependencies import ordered_rows
from golpae.ir.limits import TooManySteps
from golpae.ir.traverse import exprs_in, flat
from golpae.prove.encoding.step import MOVES
from golpae.prove.solving.model import Model, read
from golpae.prove.solving.solver import SAT, UNSAT
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import (
    BLANK,
    Bag,
    Truth,
    all_of,
    any_of,
    at_least,
    bag_of,
    bags_same,
    implies,
    negate,
)
from golpae.prove.symbolic.zones import Zone
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.replay.report import Refusal
from golpae.replay_bridge import symbolic_state
from golpae.trace import Header
from golpae.trace.unseen import UNKNOWN as UNSEEN

FEW_LEMMAS = 60  # with more lemmas about an event than that, NEAR events after it are looked at
NEAR = 4
MOST_LIGHT = 10  # refusals that only rule out what was chosen, as long as guesses may help
MOST_GUESSES, MOST_TOGETHER = 12, 60  # that are given up again; that are tried together
MOST_FRUITLESS = 20  # refusals for which no guess can be
MOST_MODELS = 200  # that are looked at to see how few, and how many, tiles of each kind a place can have


class Completing(Following):
    """The search for the tiles of one stretch of a game."""

    def __init__(
        self,
        machine: Machine,
        header: Header,
        state: State,
        lines: Sequence[HiddenLine],
        effort: Effort,
        only: frozenset[Clause] | None = None,
        settles: bool = True,
        narrows: frozenset[Clause] = frozenset(),
    ) -> None:
        """With `only`, no other conditions of the text are asked, at these events. Unless it `settles`, states say
        nothing of what is certain by the events before, so that a reason for something has all its conditions: but for
        those that `narrows` names, which are taken for granted in states.
        """
        super().__init__(machine, state, lines, effort, only, settles, narrows)
        self.header = header
        self._lemmas = Lemmas(self.game.evaluator, self.game.shapes)
        self._reads, self._ordered = dependencies_of(machine), _ordered_rows(machine)
        self._guesses = Guesses(machine, header, self._lemmas, self._reads)
        self._bounds_of: dict[
            tuple[int, int], tuple[Bag, Bounds]
        ] = {}  # by the identity of bags, which are held
        self._doubtful = False  # whether tiles were ruled out of which nobody knows whether they are legal

    def upto(
        self, number: int, also: Truth = True, shows: Callable[[Completed], bool] = lambda found: True
    ) -> Completed | Impossible | OutOfEffort:
        """Return tiles that make the first so many events legal and something else true, too: what they show, as far as
        the solver knows what that is.
        """
        self._follow(number)
        if self._stuck is not None and self._stuck.event <= number:
            return OutOfEffort(self._stuck.event) if self._doubtful else self._stuck
        self._pins.clear()
        self._ask(also)
        guesses, light, fruitless = MOST_GUESSES, MOST_LIGHT, 0
        furthest = number
        status = self._check(number)
        while True:
            if self.effort.tries <= 0:
                return OutOfEffort(furthest)
            self.effort.tries -= 1
            if status != SAT and self._pins:
                self._pins.clear()
                guesses -= 1
                status = self._check(number)
            if status == UNSAT and not self._doubtful:
                return self._impossible(number)
            if status != SAT:
                return OutOfEffort(furthest)
            model = self._model()
            lines = self._filled(model, number)
            played = self._play(lines)
            if not isinstance(played, tuple):
                found = Completed(tuple(lines), played)
                if shows(found):
                    return found
                self._add(self._lemmas.about([also], model) or [self._not_shown(model, number)])
                status = self._check(number)
                continue
            event, refusal = played
            furthest = event
            if guesses > 0 and fruitless < MOST_FRUITLESS and self._can_guess(event, refusal):
                if self._guess(event, refusal, lines, number):
                    status = SAT
                    continue
                fruitless += 1
            if light > 0 and self._can_guess(event, refusal):
                # with other tiles a guess may be better, and what shapes mean takes the solver long
                light -= 1
                self._add([self._never_again(model, event, refusal)])
            else:
                self._learn(model, event, refusal, number)
            status = self._check(number)

    def reason(self, number: int, also: Truth) -> frozenset[Clause] | None:
        """Return conditions of the first so many events that rule something out: none of them can be left out, as far
        as the solver finds quickly. None if nothing rules it out.
        """
        found = self.upto(number, also)
        if not isinstance(found, Impossible):
            return None
        needed = {name for name, clause in self._named.items() if clause in found.clauses}
        for one in sorted(needed):
            if one in needed:
                fewer = {name: self._literal_of[name] for name in needed - {one}} | self._also
                if self._asked_of(fewer, QUICK) == UNSAT:
                    needed = {name for name in self._solver.core(fewer) if name in self._named}
        return frozenset(self._named[name] for name in needed)

    def _not_shown(self, model: Model, number: int) -> Truth:
        """Return that the tiles are others, if the same is asked of them."""
        own = (unknown.value for one in self.asked[:number] for unknown in one.unknowns)
        alike = all_of(same_values(value, constant(read(model, value), value)) for value in own)
        return implies(all_of(self._also.values()), negate(alike))

    def agrees(self, number: int, line: HiddenLine, seat: int | None) -> Truth | None:
        """Return that the unknown tiles of an event are as another line has them, as far as it knows them: those of a
        player's hand, or (None) the others; None if the event has no such tiles.
        """
        self._follow(number)
        alike: list[Truth] = []
        action = self.machine.actions[line.line["do"]]
        for unknown in self.asked[number - 1].unknowns:
            if hand_at(action, unknown.places[0]) != seat:
                continue
            tiles = [line.at(place) for place in unknown.places]
            known = bag_of(self.machine.reader.numbers[tile] for tile in tiles if tile != UNSEEN)
            if isinstance(unknown.value, Bag):
                exact = UNSEEN not in tiles
                alike += [bags_same(unknown.value, known)] if exact else _has(unknown.value, known)
            else:  # it is one tile
                alike += [same_values(unknown.value, tile) for tile in known.tiles()]
        return all_of(alike) if alike else None

    def _guess(
        self, event: int, refusal: Refusal | None, lines: Sequence[Mapping[str, Any]], number: int
    ) -> bool:
        """Look for other tiles in hidden places with which a refused event is legal; keep to them if they can be.
        INVARIANT: guesses can help there.
        """
        before = self.asked[event - 1].before
        assert before is not None
        assert refusal is not None
        exprs, later = self._exprs(refusal), lines[event - 1 :]
        spots = self._guesses.spots(exprs, before, refusal.state, later)
        bags = {(zone, seat): each_of(before.zones[zone])[seat or 0].bag for zone, seat in spots}
        bounds = {spot: self._bounds(bag, number) for spot, bag in bags.items()}
        guesses = self._guesses.about(exprs, refusal.state, later, bounds)
        before_it = self._pins
        while guesses:  # those with which the game goes on as far, together
            best = [guess for guess in guesses if guess.legal == guesses[0].legal][:MOST_TOGETHER]
            guesses = [guess for guess in guesses if guess.legal < best[0].legal]
            alike = [
                all_of(bags_same(bags[spot], bag_of(tiles)) for spot, tiles in guess.contents.items())
                for guess in best
            ]
            self._pinned += 1
            name = f"guess {self._pinned}"
            pin = z3.Bool(name)
            self._add([implies(pin, any_of(alike))])
            for others in dict.fromkeys((tuple(before_it), ())):
                self._pins = {**{one: before_it[one] for one in others}, name: pin}
                if self._check(number) == SAT:
                    return True
            self._pins = before_it
        return False

    def _bounds(self, bag: Bag, number: int) -> Bounds:
        """Return how often a place has each tile if the first so many events are legal: at least and at most, in models
        of the solver, until it finds no others quickly.
        """
        if (number, id(bag)) not in self._bounds_of:
            unknown = {kind: count for kind, count in bag.items() if not isinstance(count, int)}
            known = Counter({kind: count for kind, count in bag.items() if isinstance(count, int)})
            low = high = _numbers(self._model(), unknown.values())
            seen = [low]
            for is_low in (True, False):
                for _ in range(MOST_MODELS):
                    within = zip(unknown.values(), low, high, strict=True)
                    other = (negate(at_least(n, a) if is_low else at_least(b, n)) for n, a, b in within)
                    found = self._differing(number, any_of(other))
                    if not isinstance(found, Model):
                        break
                    seen.append(_numbers(found, unknown.values()))
                    low, high = [*map(min, low, seen[-1])], [*map(max, high, seen[-1])]
            lowest, highest, *each = (
                known + Counter(dict(zip(unknown, n, strict=True))) for n in (low, high, *seen)
            )
            self._bounds_of[number, id(bag)] = bag, Bounds(lowest, highest, tuple(each))
        return self._bounds_of[number, id(bag)][1]

    def _can_guess(self, event: int, refusal: Refusal | None) -> bool:
        """Return whether guesses at hidden places can help where an event is refused."""
        if refusal is None or refusal.condition is None:
            return False
        before = self.asked[event - 1].before
        return before is not None and self._guesses.can_be(self._exprs(refusal), before)

    def _exprs(self, refusal: Refusal) -> list[ir.Expr]:
        """Return the expressions that decide whether a condition holds."""
        assert refusal.condition is not None
        if refusal.condition.of_game is None:
            return [refusal.condition.expr]
        # it is compared with what the rules pay
        clauses = (*self.machine.rules.payout, *refusal.action.effects)
        return [e for clause in clauses for e in exprs_in(flat(clause.effects))]

    # ------------------------------------------------------------------ choices of tiles

    def _filled(self, model: Model, number: int) -> list[dict[str, Any]]:
        """Return the lines of the first so many events with the tiles of a model."""
        lines = []
        for asked, line in zip(self.asked[:number], self.lines, strict=False):
            tiles = self.game.tiles_in(model, asked)
            lines.append(line.filled([tiles[place] for place in line.places]))
        return lines

    def _play(self, lines: Sequence[Mapping[str, Any]]) -> State | tuple[int, Refusal | None]:
        """Return the state after some lines; or the number of the event that is refused, and why, if replay says. An
        event that takes more steps than golpae takes counts as refused, and makes it doubtful that nothing is possible.
        """
        state = self.machine.copy(self.state)
        for number, line in enumerate(lines, 1):
            try:
                refused = happen(self._machine_at(number, line), self.header, state, line)
            except TooManySteps:
                self._doubtful = True
                return number, None
            if refused is not None:
                return number, refused if isinstance(refused, Refusal) else None
        return state

    # ------------------------------------------------------------------ what a refusal teaches

    def _learn(self, model: Model, event: int, refusal: Refusal | None, number: int) -> None:
        """Add truths that rule out what replay has refused."""
        lemmas = self._about(event, model)
        if len(lemmas) > FEW_LEMMAS:  # the events after it may say more with less
            later = [self._about(n, model) for n in range(event + 1, min(number, event + NEAR) + 1)]
            lemmas = min((some for some in later if some), key=len, default=lemmas)
        self._add(lemmas or [self._never_again(model, event, refusal)])

    def _about(self, event: int, model: Model) -> list[Truth]:
        return self._lemmas.about([truth for _, truth in self.asked[event - 1].guards], model)

    def _never_again(self, model: Model, event: int, refusal: Refusal | None) -> Truth:
        """Return that an event is not refused again for the same reason: one of the values that decided it differs."""
        asked = self.asked[event - 1]
        alike = None
        if refusal is not None and refusal.condition is not None and asked.before is not None:
            alike = self._as_it_was(asked.before, refusal)
        own = asked.unknowns
        if (
            alike is None or all_of(alike) is False
        ):  # the solver did not look at all that the state depends on
            alike, own = [], tuple(u for one in self.asked[:event] for u in one.unknowns)
        name = MOVES if refusal is None or refusal.condition is None else refusal.condition.name
        values = (same_values(u.value, constant(read(model, u.value), u.value)) for u in own)
        return implies(self._literal(event, name), negate(all_of([*alike, *values])))

    def _as_it_was(self, before: SymbolicState, refusal: Refusal) -> list[Truth] | None:
        """Return that all that a condition reads of the state is as it was; None if that cannot be said."""
        assert refusal.condition is not None
        was = symbolic_state(self.machine, refusal.state)
        alike = [
            same_values(before.winner, was.winner),
            same_values(before.total, was.total),
            same_values(before.hands_played, was.hands_played),
        ]
        for name in sorted(self._reads.reads(self._exprs(refusal))):
            if name in before.zones:
                pairs = zip(each_of(before.zones[name]), each_of(was.zones[name]), strict=True)
                for here, there in pairs:
                    if not _is_comparable(here, name in self._ordered):
                        return None
                    alike.append(bags_same(here.bag, there.bag))
            elif name in before.vars:
                for here, there in zip(each_of(before.vars[name]), each_of(was.vars[name]), strict=True):
                    if here is BLANK or there is BLANK:
                        return None
                    alike.append(same_values(here, there))
            elif name not in ir.WORDS:
                return None
        return alike


def _numbers(model: Model, counts: Iterable[Any]) -> list[int]:
    """Return the values of numbers in a model."""
    return [int(value or 0) for value in model.values([*counts])]


def _has(bag: Bag, known: Bag) -> list[Truth]:
    """Return that a bag has at least these tiles."""
    return [at_least(bag.count(kind), often) for kind, often in known.items()]


@lru_cache(64)
def _ordered_rows(machine: Machine) -> frozenset[str]:
    """Return the rows of a machine whose order counts."""
    return ordered_rows(machine.rules)


def _is_comparable(zone: Zone, ordered: bool) -> bool:
    """Return whether the tiles of a zone say all there is to say of it. The rules may ask for the order of it if it is
    `ordered`.
    """
    if zone.row is None or not ordered or zone.row.free is True:
        return True
    if not zone.bag.concrete:
        return False
    many = len(zone.bag.tiles())
    return many == 0 or (
        many <= len(zone.row.places) and all(isinstance(t, int) for t in zone.row.places[:many])
    )
