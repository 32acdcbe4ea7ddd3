"""What a player types, as an event.

Input: words such as `discard 4-2`, or an event as a trace has it; the choices of a seat.
Output: one of the choices, another legal event, or what is wrong, in the words of `golpae check`.
Guarantee: no tile that the seat cannot see is chosen by its name, or named in a refusal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.diagnostics import near
from golpae.elaborate.lifecycle import own_params
from golpae.ir.ruleset import Action, Condition, ParamDecl
from golpae.ir.types import Bag, Bool, Each, Int, Meld, Opt, Seat, Type
from golpae.replay.decode import Bad
from golpae.replay.explain import explain
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import State
from golpae.replay.report import Refusal
from golpae.replay.runtime import EFFECTS
from golpae.replay.speaker import Speaker
from golpae.simulate.policy import Choice
from golpae.simulate.sight import UNSEEN, Sight
from golpae.trace import Header, quoted

YES, NO = ("yes", "true"), ("no", "false")
PLACES_SHOWN = 8  # choices that an unclear word may mean


@dataclass(frozen=True, slots=True)
class RefusedInput:
    """Why nothing happens. `clause` is the condition that was broken, with the rules that it stands for."""

    message: str
    advice: str | None = None
    clause: str | None = None
    rules: tuple[str, ...] = ()


class Typed:
    """Reads what the players of one match type."""

    def __init__(self, legal: Legal, sight: Sight, header: Header) -> None:
        self._machine, self._legal, self._sight = legal.machine, legal, sight
        self._header = header
        self._speaker = Speaker(legal.machine, header)

    def words(self, choice: Choice) -> str:
        """Return the words of a choice; a tile that its seat cannot see is `a tile`."""
        event = choice.events[0]
        return self._speaker.event(event, [key.place for key in self._sight.unseen(event)])

    def read(
        self, typed: str, seat: int | None, choices: Sequence[Choice], state: State
    ) -> int | Event | RefusedInput:
        """Return the number of the choice that was typed, or another legal event, or why it is neither."""
        if typed.startswith("{"):
            return self._of_json(typed, seat, choices, state)
        words = typed.replace(",", " ").split()
        places = self._chosen(words, choices)
        if len(places) == 1:
            return places[0]
        if places:
            meant = "; ".join(f"{place + 1} {self.words(choices[place])}" for place in places[:PLACES_SHOWN])
            return RefusedInput(
                f"{quoted(typed)} can be several of your choices", f"choose one by its number: {meant}"
            )
        action = self._machine.actions.get(words[0]) or self._machine.actions.get(words[0].lower())
        if action is None:
            return self._unknown(words)
        line = self._line(action, words[1:])
        return line if isinstance(line, RefusedInput) else self._judged(line, seat, choices, state)

    # ------------------------------------------------------------------ choices in words

    def _chosen(self, words: Sequence[str], choices: Sequence[Choice]) -> list[int]:
        """Return the choices with these words, in any order; else those with these values, or with this action."""
        typed = Counter(map(self._plain, words))
        tokens = [[*self._tokens(choice)] for choice in choices]
        for part in (slice(None), slice(1, None), slice(0, 1)):
            places = [
                place
                for place, forms in enumerate(tokens)
                if any(Counter(form[part]) == typed for form in forms)
            ]
            if places:
                return places
        return []

    def _tokens(self, choice: Choice) -> Iterator[list[str]]:
        """Yield a choice as words: as it is said, and as a trace has it."""
        line = self._sight.line(choice.events[0], choice.events[0].args[0]) if choice.events[0].args else None
        yield [self._plain(word) for word in self.words(choice).replace(",", " ").split()]
        if line is not None:
            values = (value for key, value in line.items() if key not in ("do", "by"))
            yield [self._plain(str(line["do"])), *(self._plain(word) for word in _flat(values))]

    def _plain(self, word: str) -> str:
        """Return a word in small letters; of the names of a tile, the first."""
        number = self._machine.instance.numbers().get(word)
        return word.lower() if number is None else self._machine.tile(number)

    def _unknown(self, words: Sequence[str]) -> RefusedInput:
        """Return the fault of words that begin with no action."""
        tiles, actions = self._machine.instance.numbers(), self._machine.actions
        if all(word in tiles for word in words):
            return RefusedInput("none of your choices has just these tiles", "say what you do with them")
        word = words[0]
        advice = near(word, actions) or near(word, tiles)
        return RefusedInput(f"`{self._machine.rules.game}` has no action {quoted(word)}", advice)

    # ------------------------------------------------------------------ any event

    def _of_json(
        self, typed: str, seat: int | None, choices: Sequence[Choice], state: State
    ) -> int | Event | RefusedInput:
        try:
            line = json.loads(typed)
        except (ValueError, RecursionError):
            return RefusedInput("this is no line of a trace", 'write it as `{"do": ...}`')
        action = self._machine.actions.get(line["do"]) if isinstance(line.get("do"), str) else None
        if action is None:
            words = str(line.get("do", ""))
            return RefusedInput(
                f"`{self._machine.rules.game}` has no action {quoted(words)}",
                near(words, self._machine.actions),
            )
        return self._judged(line, seat, choices, state)

    def _line(self, action: Action, words: Sequence[str]) -> dict[str, Any] | RefusedInput:
        """Return the event of an action with these values, in the order of its keys or each after its key."""
        params = own_params(action)
        given: dict[str, list[str]] = {}
        left, current = [*params], None
        for word in words:
            named = next((param for param in left if param.name == word), None)
            if named is None and (current is None or _is_full(current, given[current.name])):
                named = next(iter(left), None)
                if named is None:
                    return RefusedInput(
                        f"`{action.name}` takes no more words: {quoted(word)} is one too many"
                    )
                given[named.name] = []
            if named is not None:
                current = named
                left.remove(named)
                if word == named.name:
                    given[named.name] = []
                    continue
            assert current is not None
            given[current.name].append(word)
        line: dict[str, Any] = {"do": action.name}
        for param in params:
            if param.name in given:
                line[param.name] = self._value(given[param.name], param.type)
            elif isinstance(param.type, Bag):
                line[param.name] = []
        return line

    def _value(self, words: Sequence[str], kind: Type) -> Any:
        """Return a value as a trace has it. What does not fit stays as it is typed, for `check` to refuse."""
        word = words[0] if words else ""
        if isinstance(kind, Opt):
            return None if word == "none" else self._value(words, kind.item)
        if isinstance(kind, Bag | Each | Meld):
            item = kind.item if isinstance(kind, Bag | Each) else None
            return [word if item is None else self._value([word], item) for word in words]
        if isinstance(kind, Seat):
            names = [name.lower() for name in self._speaker.names]
            return names.index(word.lower()) if word.lower() in names else _number(word)
        if isinstance(kind, Int):
            return _number(word)
        if isinstance(kind, Bool):
            return True if word in YES else False if word in NO else word
        return word

    def _judged(
        self, line: Mapping[str, Any], seat: int | None, choices: Sequence[Choice], state: State
    ) -> int | Event | RefusedInput:
        """Return an event if it is legal and the seat's own, or why not."""
        machine, action = self._machine, self._machine.actions[str(line["do"])]
        if action.by is None:
            if seat is not None or action.kind not in ("finish", "end"):
                return RefusedInput(f"`{action.name}` is nobody's to choose here")
        elif seat is None:
            return RefusedInput("the hand is over: only `deal` or `finish` can follow")
        elif line.get("by", seat) != seat:
            return RefusedInput(f"it is {self._speaker.names[seat]} who is asked")
        else:
            line = {**line, "by": seat}
        if unseen := self._sight.unseen_keys(action.name):
            return self._of_unseen(action, [key.name for key in unseen], line, choices)
        args = machine.read(action.name, line)
        if isinstance(args, Bad):
            return RefusedInput(args.message)
        failed, ordered = machine.first(action.name, state, args)
        event = Event(action.name, ordered)
        if failed < 0 and self._legal.can_be(event, state):
            known = self._sight.known(event)
            return next((n for n, c in enumerate(choices) if self._sight.known(c.events[0]) == known), event)
        condition = action.conditions[failed] if failed >= 0 else None
        return self._refused(action, ordered, condition, state, self._legal.broken(event, state))

    def _of_unseen(
        self, action: Action, keys: Sequence[str], line: Mapping[str, Any], choices: Sequence[Choice]
    ) -> int | RefusedInput:
        """Return the choice of an action that moves tiles that the seat cannot see, which are not to be named."""
        if any(line.get(key) not in (None, [], UNSEEN) for key in keys):
            advice = f"write `{action.name}`, or its number: golpae says which tile it is"
            return RefusedInput(f"`{action.name}` moves tiles that you cannot see", advice)
        places = [place for place, choice in enumerate(choices) if choice.events[0].action == action.name]
        if len(places) == 1:
            return places[0]
        return RefusedInput(f"`{action.name}` is {'several' if places else 'none'} of your choices")

    def _refused(
        self,
        action: Action,
        args: tuple[Any, ...],
        condition: Condition | None,
        state: State,
        effects: str = EFFECTS,
    ) -> RefusedInput:
        name = effects if condition is None else condition.name
        clause = f"{self._machine.rules.game}.{action.name}.{name}"
        explanation = explain(Refusal(self._machine, self._header, state, action, args, condition, clause))
        return RefusedInput(explanation.to_player, None, clause, explanation.rules)


def _is_full(param: ParamDecl, words: Sequence[str]) -> bool:
    """Return whether a key has all the words that its value takes."""
    kind = param.type.item if isinstance(param.type, Opt) else param.type
    return bool(words) and not isinstance(kind, Bag | Each | Meld)


def _number(word: str) -> Any:
    return int(word) if word.lstrip("-").isdecimal() and len(word) < 20 else word


def _flat(values: Any) -> Iterator[str]:
    """Yield the words of values, however deep they lie."""
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        elif not isinstance(value, dict):
            yield str(value)
