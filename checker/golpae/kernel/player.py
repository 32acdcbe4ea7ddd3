"""Games by chance on the compiled path.

Input: an instance, a seed, the numbers of games. Output: what came of each hand, or the events of a game.
Guarantee: the same games as `docs/semantics.md` (11) describes for the policy `random`; one that is not compiled is
given as None, or raises `Referred`, and is for the reference to play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple, assert_never

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import Action
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
from golpae.kernel.emit.playing.chance import BROKEN_OFF, DEAD_END, ENDED, ROOM, Asking
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.language.host import Referred
from golpae.kernel.language.limits import WHERE, WHY, why
from golpae.kernel.layout import BITS, NONE, WORD, Arg, is_scalar, none_of
from golpae.kernel.module import ModuleRequest
from golpae.kernel.start import signed, started
from golpae.kernel.unsupported import NotCompiled

__all__ = ["BROKEN_OFF", "DEAD_END", "ENDED", "Hand", "Player", "Referred"]
OF_THE_GAME = "a reason of the game"
_FIRST_GAMES, _MOST_GAMES = 16, 1_000  # that are played at once; which says nothing about them
_LONG = 0.25  # seconds in which no signal is heard: after more, fewer games are played at once
_MOST_KNOWN = 10_000  # games of one hand that are told by the same object, as long as it is known


class Hand(NamedTuple):
    """A hand: how it ended (`ENDED`, `DEAD_END`, `BROKEN_OFF`), its events, who won, what each player was paid, the
    answers to what is asked.
    """

    ending: int
    events: int
    winner: int | None
    pay: tuple[int, ...]
    asked: tuple[bool, ...]


class Player:
    """One instance, compiled to play: at random, or by `aims`. With `counted`, an event whose loops have
    very many rounds is referred. `asking` says what is asked of each hand. With `located`, `reasons` name clauses.

    Raises `NotCompiled` if it cannot be compiled, and `MemoryError`.
    """

    def __init__(
        self,
        instance: Instance,
        rules: str,
        counted: bool,
        aims: Aims | None = None,
        asking: Asking | None = None,
        located: bool = False,
    ) -> None:
        made, self._host = started(
            instance,
            ModuleRequest(rules, counted, plays=True, aims=aims, asking=asking, located=located),
        )
        self.clauses = made.clauses
        self._places = made.places
        self._asking = Asking() if asking is None else asking
        assert made.plays is not None
        self.refused = made.refused
        self.reasons = Counter[
            tuple[str, str]
        ]()  # at which clause, if that is noted, and why games were referred
        self._table: dict[str, bool] = {}  # states of the table that have a value
        self._told = made.plays.told
        self._shuffled = made.plays.shuffled
        self._layout = made.layout
        self._actions = instance.rule_set.actions
        self._deals = next(n for n, a in enumerate(self._actions) if a.kind == "deal")
        self._players = instance.players
        self._batch = _FIRST_GAMES
        self._known: dict[bytes, tuple[Hand, ...]] = {}  # games of one hand, by what was written of them
        names = ("games", "begin", "new_game", "deal", "play")
        self._games, self._begin, self._new_game, self._deal, self._play = map(self._host.function, names)

    def set_table(self, values: Mapping[str, bool]) -> None:
        """Give states of the table these values: all games are played with them from now on."""
        for name, value in values.items():
            if self._table.get(name) is not value:
                self._write(self._layout.var(name), int(value))
                self._table[name] = value

    def games(self, seed: int, first: int, many: int, hands: int) -> Iterator[tuple[Hand, ...] | None]:
        """Yield the hands of so many games of up to `hands` hands, from the number `first` on; None for one that is
        referred.
        """
        size = 1 + hands * (4 + self._players)
        if size > ROOM:
            yield from (None for _ in range(many))
            return
        self._write(self._told.hands, hands)
        while many > 0:
            batch = min(many, ROOM // size, self._batch)
            self._write(WHY, 0)
            begin = perf_counter()
            try:
                self._games(signed(seed), signed(first), batch)
                referred = 0
            except Referred:
                referred = 1
                self.reasons[self._where(), self._why() or OF_THE_GAME] += 1
            is_slow = perf_counter() - begin > _LONG
            self._batch = max(1, batch // 2) if is_slow else min(_MOST_GAMES, 2 * self._batch)
            (played,) = self._words(self._told.played, 1)
            yield from self._read(played, hands)
            yield from (None for _ in range(referred))
            first, many = first + played + referred, many - played - referred

    def events(self, seed: int, game: int, hands: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield the events of a game: each as the name of its action and its arguments, as replay has them, the acting
        seat first. Raises `Referred`, and `NotCompiled` if an argument cannot be read.
        """
        self._begin(signed(seed), signed(game))
        self._new_game(1)
        for _ in range(hands):
            dealt = False
            for _ in range(self._asking.longest):
                deal_outcome = 0 if dealt else self._deal()
                if deal_outcome < 0:
                    return
                number = self._deals if deal_outcome else self._play()
                if number < 0:
                    return
                dealt |= bool(deal_outcome)
                action = self._actions[number]
                yield action.name, self._arguments(action, bool(deal_outcome))
                if action.kind == "end":
                    break
            else:
                return

    def _arguments(self, action: Action, is_deal: bool) -> tuple[Any, ...]:
        out: list[Any] = [] if action.by is None else self._words(self._layout.by, 1)
        for arg in self._layout.args(action):
            if arg.parts:
                out.append(self._words(arg.address, arg.parts))
            elif is_deal and arg.key == "hands":
                out.append(self._hands(arg))
            elif is_deal and arg.key == "reserve":
                size = len(self._layout.whole)
                dealt = sum(map(len, out[-1]))
                out.append(self._words(self._shuffled, size)[dealt:])
            else:
                out.append(self._argument(arg))
        return tuple(out)

    def _hands(self, arg: Arg) -> list[list[int]]:
        """Return the hands of a deal, each in the order in which it was dealt."""
        tiles = self._words(self._shuffled, len(self._layout.whole))
        hands, start = [], 0
        for hand in self._argument(arg):
            hands.append(tiles[start : start + len(hand)])
            start += len(hand)
        return hands

    def _argument(self, arg: Arg) -> Any:
        if is_scalar(arg.kind):
            (word,) = self._words(arg.address, 1)
            kept = Opt(arg.kind) if arg.optional or arg.nullable else arg.kind
            return None if word == none_of(kept) else _scalar(arg.kind, word)
        address = arg.address
        if arg.optional or arg.nullable:
            (present,) = self._words(address, 1)
            if not present:
                return None
            address += WORD
        if arg.listed:  # in the order that matters
            (many,) = self._words(arg.listed, 1)
            return memoryview(self._host.read(arg.listed + WORD, 2 * many)).cast("H").tolist()
        return self._value(arg.kind, address)

    def _value(self, kind: Type, address: int) -> Any:
        layout = self._layout
        match kind:
            case Bag(Tile() | Seat() | Choice() | Bool() as item):
                planes, words = layout.planes(item), layout.words(item)
                held = self._words(address, planes * words)
                members = [
                    place * BITS + bit
                    for number, word in enumerate(held)
                    for place in (number % words,)
                    for bit in range(BITS)
                    if word >> bit & 1
                ]
                return [_scalar(item, member) for member in sorted(members)]
            case Bag(Bag(Tile()) as item):
                (many,) = self._words(address, 1)
                size = layout.slots(item) * WORD
                return [self._value(item, address + WORD + at * size) for at in range(many)]
            case Each(Int() as item):
                return [_scalar(item, word) for word in self._words(address, self._players)]
            case (
                Bool()
                | Int()
                | Seat()
                | Tile()
                | Choice()
                | NoneType()
                | Points()
                | Patterns()
                | Bag()
                | Each()
                | Meld()
                | Opt()
            ):
                raise NotCompiled("a key that is a meld or a list of numbers, shown of a game by chance")
            case _:
                assert_never(kind)

    def _read(self, played: int, hands: int) -> Iterator[tuple[Hand, ...]]:
        (end,) = self._words(self._told.next, 1)
        written = self._host.read(self._told.first, end - self._told.first)
        hand = (4 + self._players) * WORD
        single = WORD + hand
        if hands == 1 and len(written) == played * single:  # each has a hand; many are told alike
            known = self._known
            for at in range(0, len(written), single):
                words = written[at : at + single]
                game = known.get(words)
                if game is None:
                    if len(known) >= _MOST_KNOWN:
                        known.clear()
                    game = known[words] = self._game(words)
                yield game
            return
        at = 0
        for _ in range(played):
            size = WORD + int.from_bytes(written[at : at + WORD], "little") * hand
            yield self._game(written[at : at + size])
            at += size

    def _game(self, told: bytes) -> tuple[Hand, ...]:
        """Return the hands of a game, from what was written of it."""
        words = memoryview(told).cast("q").tolist()
        size, many = 4 + self._players, len(self._asking.asked)
        return tuple(_hand(words, at, at + size, many) for at in range(1, len(words), size))

    def _where(self) -> str:
        (number,) = self._words(WHERE, 1)
        return self._places[number - 1] if number else ""

    def _why(self) -> str | None:
        (number,) = self._words(WHY, 1)
        return why(number, self.refused)

    def _words(self, address: int, many: int) -> list[int]:
        return memoryview(self._host.read(address, many * WORD)).cast("q").tolist()

    def _write(self, address: int, word: int) -> None:
        self._host.write(address, word.to_bytes(WORD, "little"))


def _hand(words: Sequence[int], start: int, end: int, asked: int) -> Hand:
    winner, answers = words[start + 2], words[end - 1]
    holds = tuple(bool(answers >> number & 1) for number in range(asked)) if asked else ()
    pay = tuple(words[start + 3 : end - 1])
    return Hand(words[start], words[start + 1], None if winner == NONE else winner, pay, holds)


def _scalar(kind: Type, word: int) -> Any:
    """Return a value of replay that is one number here."""
    if isinstance(kind, Choice):
        return kind.words[word]
    return bool(word) if isinstance(kind, Bool) else word
