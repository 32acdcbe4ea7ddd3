"""One game of a playthrough while it is told: what all games have in common.

Input: the states and actions of a playthrough. Output: the events of its game.
Guarantee: the numbers of actions, their words and the history agree, or the game is spoilt at that place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from golpae.logs.adapter import Choice, Game
from golpae.logs.openspiel.playthrough import Action, Broken, State, Step
from golpae.trace.log_text import Place

CHANCE, OVER = -1, -4
"""Who acts, for OpenSpiel, where no player does."""


class Spoilt(Exception):
    """A playthrough cannot be told any further: why, and where if it is not at the step in hand."""

    def __init__(self, words: str, place: Place | None = None) -> None:
        super().__init__(words)
        self.words, self.place = words, place


class OpenSpielGame(ABC):
    """A game of OpenSpiel, told action by action."""

    rules: ClassVar[str]
    """The rules that OpenSpiel plays by, without what parameters change."""
    players: ClassVar[Sequence[str]]
    title: ClassVar[str]
    """The game in a few words, for people."""
    needs: ClassVar[Mapping[str, str]] = {}
    """Parameters that have to be so, because no rule text has others."""

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        self.parameters = parameters
        self._history: list[int] = []
        variants, options = self.as_rules()
        rules = "+".join((self.rules, *variants))
        self.game = Game(rules, self.players, place, options=options or None)
        for name, value in self.needs.items():
            if parameters.get(name, value) != value:
                raise Spoilt(
                    f"golpae has no rules for {self.title} with `{name}={parameters[name][:20]}`", place
                )

    # ------------------------------------------------------------------ what a game has of its own

    def as_rules(self) -> tuple[list[str], dict[str, int]]:
        """Return the variants and options that the parameters ask for. Raises `Spoilt`."""
        return [], {}

    @abstractmethod
    def words(self, number: int) -> str:
        """Return OpenSpiel's words for an action in the present state. Raises LookupError if there is none."""

    @abstractmethod
    def acting(self) -> int:
        """Return who acts in the present state: a player of OpenSpiel, or `CHANCE`."""

    @abstractmethod
    def by_chance(self) -> Sequence[int]:
        """Return the actions that chance may take in the present state."""

    @abstractmethod
    def list_legal(self, state: State, place: Place) -> None:
        """Tell what is listed as legal, if a player acts."""

    @abstractmethod
    def apply(self, number: int, place: Place) -> None:
        """Tell an action. Raises `Spoilt`."""

    @abstractmethod
    def end(self, state: State, returns: Sequence[int], place: Place) -> None:
        """Tell the end of the hand, and what each player gets."""

    def before(self, player: int, place: Place) -> None:
        """Tell what happens before a player acts that OpenSpiel does not say."""
        return

    # ------------------------------------------------------------------ what is the same for all

    def step(self, step: Step) -> None:
        """Tell a state or an action. Raises `Spoilt`."""
        match step:
            case Broken(words, place):
                raise Spoilt(words, place)
            case Action(number, words, place):
                self._apply(number, words, place)
            case State():
                self._look_at(step)

    def _apply(self, number: int, words: str | None, place: Place) -> None:
        own = self._own_words(number, place)
        if self.acting() == CHANCE and number not in self.by_chance():
            raise Spoilt(f"`{own}` cannot come by chance here", place)
        self.apply(number, place)  # first: the rules may say what is wrong with it
        if words is not None and not _is_same(words, own):
            raise Spoilt(f"the action is called `{words[:40]}`, but its number {number} means `{own}`", place)
        self._history.append(number)

    def _own_words(self, number: int, place: Place) -> str:
        try:
            if number < 0:
                raise LookupError
            return self.words(number)
        except LookupError:
            raise Spoilt(f"`{number}` is no action of {self.title} here", place) from None

    def _look_at(self, state: State) -> None:
        if state.history is not None and state.history != self._history:
            raise Spoilt(
                "the history says something else than the actions before it", state.noted or state.place
            )
        if state.is_over:
            if state.returns is None or len(state.returns) != len(self.players):
                raise Spoilt("the last state does not say what each player gets", state.place)
            self.end(state, state.returns, state.returned or state.place)
            return
        if state.listed is None or state.player is None:
            return
        if state.player >= 0:
            self.before(state.player, state.place)
        place = state.listed
        if state.player != self.acting():
            raise Spoilt(
                f"it is {self._who(self.acting())} that acts here, not {self._who(state.player)}", place
            )
        own = [self._own_words(number, place) for number in state.legal]
        if state.player != CHANCE:
            self.list_legal(state, place)
        elif sorted(state.legal) != sorted(self.by_chance()):
            raise Spoilt("what may come by chance is not what nobody has seen", place)
        else:
            self.list_chance(state, place)
        words = own if state.words is None else state.words
        if len(own) != len(words) or not all(map(_is_same, words, own)):
            raise Spoilt("the legal actions in words are others than those in numbers", place)

    def list_chance(self, state: State, place: Place) -> None:
        """Tell what is listed to come by chance, if it is for the rules to say."""
        return

    def _who(self, player: int) -> str:
        return self.players[player] if 0 <= player < len(self.players) else "chance"


def _is_same(told: str, own: str) -> bool:
    """Return whether words of a playthrough mean an action; OpenSpiel may say before who does it."""
    return told == own or told.endswith((f"Action: {own}", f"outcome: {own}"))


def quoted(words: str) -> str:
    return f"`{words}`"


def choices(listed: Mapping[str, Sequence[Mapping[str, object]]]) -> list[Choice]:
    """Return choices by their words."""
    return [Choice(quoted(words), events) for words, events in listed.items()]
