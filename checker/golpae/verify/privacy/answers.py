"""What one player is offered, refused and told in a position.

Input: a machine, a seat, a state.
Output: the events that the player may choose from; what comes of each event that the player could try.
Guarantee: an event stands without the tiles that the player cannot see when it is chosen, as in live games. What is
tried depends only on what the player sees. A refusal counts by its clause and by the words of its message.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, product
from typing import Any, assert_never

from golpae.elaborate.instance import likely_bounds
from golpae.hidden.hiding import OFF_THE_RULES
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import ParamDecl
from golpae.ir.traverse import free
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay import simulate
from golpae.replay.explain import reason
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.replay.report import Refusal
from golpae.simulate.sight import Sight
from golpae.trace import Header
from golpae.verify.privacy.view import Eyes

MOST_TRIES = 40  # of one action in one position
MOST_NUMBERS = 4  # that are tried for a key
LEGAL, OPEN = "", "?"  # what comes of an event that is legal, or that turns on tiles that nobody saw


@dataclass(frozen=True, slots=True)
class RefusalShown:
    """What comes of a try: the clause that refuses the event, and its message."""

    clause: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a player is offered or told in one position, and not in another one that looks the same.

    `clauses` are the conditions that refuse it: in the first position, and in the other.
    """

    action: str
    words: str
    clauses: tuple[str, ...] = ()


class Questions:
    """What can be asked about one player's choices at a machine's table; only of some actions, if these are named."""

    def __init__(
        self, machine: Machine, sight: Sight, legal: Legal, seat: int, only: Collection[str] | None = None
    ) -> None:
        self.machine, self.seat, self.eyes = machine, seat, Eyes(machine, seat)
        self._sight, self._legal = sight, legal
        names = tuple(f"P{number}" for number in range(machine.instance.players))
        self._header = Header(machine.rules.rules, machine.rules.game, (), names, 1, {}, None)
        self._own = {
            action.name: action
            for action in machine.rules.actions
            if action.by is not None and (only is None or action.name in only)
        }

    # ------------------------------------------------------------------ offers

    def offered(self, state: State) -> dict[Hashable, Event]:
        """Return the choices of the player, each with one of the events that it stands for."""
        out: dict[Hashable, Event] = {}
        for name, events in self._legal.by_action(state):
            if name in self._own:
                for event in events:
                    if event.args[0] == self.seat:
                        out.setdefault(self._sight.known(event), event)
        return out

    # ------------------------------------------------------------------ tries

    def tries(self, state: State) -> Iterator[Event]:
        """Yield events that the player could try, by what the player sees."""
        kinds = self.eyes.kinds(state)
        for action in self._own.values():
            values = [self._values(param, param.type, kinds) for param in action.params]
            many = 1
            for some in values:
                many *= len(some)
            step = -(-many // MOST_TRIES) or 1
            for args in islice(product(*values), 0, None, step):
                yield Event(action.name, (self.seat, *args))

    def _values(self, param: ParamDecl, kind: Type, kinds: Sequence[int]) -> list[Any]:
        match kind:
            case Tile():
                return [*kinds]
            case Seat():
                return [*range(self.machine.instance.players)]
            case Bool():
                return [False, True]
            case Choice(words):
                return [*words]
            case Int():
                low, high = likely_bounds(self.machine.instance, param)
                return [*range(low, max(low, high) + 1)][:MOST_NUMBERS]
            case Opt(item):
                return [None, *self._values(param, item, kinds)]
            case Bag(Tile()):
                sizes = (len(param.parts),) if param.parts else (0, 1, 2, 3)
                return [[*tiles] for size in sizes for tiles in islice(combinations(kinds, size), MOST_TRIES)]
            case Bag() | Each() | Meld() | NoneType() | Points() | Patterns():
                return []
            case _:
                assert_never(kind)

    def told(self, state: State, event: Event) -> RefusalShown | None:
        """Return the answer that the player is shown to a try; None if that takes too long to say, or if the event is
        malformed. The state stays as it is.
        """
        line = simulate.written(self.machine, event)
        try:
            refused = happen(self.machine, self._header, self.machine.copy(state), line)
            if isinstance(refused, Refusal):
                turns = self._turns_on(refused)
                return RefusalShown(OPEN) if turns else RefusalShown(refused.clause, reason(refused))
        except (TooManySteps, *OFF_THE_RULES):
            return None
        if refused is not None:
            return None
        return RefusalShown(OPEN if self._sight.unseen_keys(event.action) else LEGAL)

    def _turns_on(self, refused: Refusal) -> bool:
        """Return whether a refusal depends on tiles that are drawn unseen: a condition that reads these refuses the
        event, or a condition behind it.
        """
        action, unseen = refused.action, set[str]()
        for key in self._sight.unseen_keys(action.name):
            param = next(p for p in action.params if p.name == key.name)
            unseen.update((param.name, *param.parts))
        for condition in action.conditions:
            if not unseen.isdisjoint(free(condition.expr)):
                return True
            if condition is refused.condition:
                return False
        return bool(unseen)

    # ------------------------------------------------------------------ two positions

    def asked(self, state: State) -> PlayerAnswers:
        """Return the answers in a state, each found when it is first needed."""
        return PlayerAnswers(self, state)

    def difference(self, one: PlayerAnswers, other: State) -> Difference | None:
        """Return the first difference of two positions that look the same: a choice that only one offers, or a try that
        they answer differently. None if there is none.

        Raises `TooManySteps`.
        """
        first, second = one.offered, self.offered(other)
        for known in (*first, *second):
            if known not in first or known not in second:
                event = (first if known in first else second)[known]
                return self._offer(one.state, other, event, known in first)
        for event, outcome in one.told:
            also = self.told(other, event)
            if outcome is not None and also is not None and outcome != also:
                return self._refusal(event, outcome, also)
        return None

    def _offer(self, one: State, other: State, event: Event, is_first: bool) -> Difference:
        where = "the first" if is_first else "the second"
        words = f"P{self.seat} may choose {self.said(event)} only in {where}"
        refusal_shown = self.told(other if is_first else one, event)
        return Difference(
            event.action,
            words,
            () if refusal_shown is None or refusal_shown.clause in (LEGAL, OPEN) else (refusal_shown.clause,),
        )

    def _refusal(self, event: Event, one: RefusalShown, other: RefusalShown) -> Difference:
        said = f"P{self.seat} tries {self.said(event)}"
        clauses = tuple(dict.fromkeys(t.clause for t in (one, other) if t.clause not in (LEGAL, OPEN)))
        if one.clause == other.clause:
            words = (
                f'{said}: `{one.clause}` says "{one.message}" in the first, "{other.message}" in the second'
            )
        else:
            words = f"{said}: {_comes_of(one)} in the first, {_comes_of(other)} in the second"
        return Difference(event.action, words, clauses)

    def said(self, event: Event) -> str:
        """Return an event as the player knows it, in words."""
        line = self._sight.line(event, self.seat)
        keys = [f"{value}" for key, value in line.items() if key not in ("do", "by")]
        return " ".join([f"`{event.action}`", *keys])


class PlayerAnswers:
    """What a player is offered and told in one state."""

    def __init__(self, questions: Questions, state: State) -> None:
        self._questions, self.state = questions, state

    @cached_property
    def offered(self) -> dict[Hashable, Event]:
        """What the player may choose from."""
        return self._questions.offered(self.state)

    @cached_property
    def told(self) -> list[tuple[Event, RefusalShown | None]]:
        """What the player could try, and what comes of it."""
        return [
            (event, self._questions.told(self.state, event)) for event in self._questions.tries(self.state)
        ]


def _comes_of(refusal_shown: RefusalShown) -> str:
    if refusal_shown.clause == LEGAL:
        return "it is legal"
    return (
        "it turns on what is drawn"
        if refusal_shown.clause == OPEN
        else f"`{refusal_shown.clause}` refuses it"
    )
