"""The JSON of tenhou.net/6: for each round what the players drew and discarded, in columns.

Input: the text of a log. Output: its match.
Guarantee: who acts after a discard is not written down. It is whoever may call it as the columns say; where a call
could also be of an equal discard later on, the match is read in each way.

    [[round, counters, sticks], scores, indicators, those under them, (hand, draws, discards) * 4, result]
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from golpae.logs.adapter import Adapter, Game, Log, LogFault, Ways
from golpae.logs.riichi import STICK, Match, RiichiTable, check_places, limit_of, passed_on
from golpae.trace.log_text import Place

_OPEN = "which of two equal discards was called"
_CALL = re.compile(r"(?P<before>\d*)(?P<kind>[cpmka])(?P<tile>\d\d)(?P<after>\d*)")
_DISCARDED_DRAWN, _NO_DISCARD = 60, 0
_RIICHI = "r"
_SEATS = 4  # also of a table for three, where nobody sits on the last one
_NORTH, _SET_ASIDE = "N", "f44"
_POINTS = re.compile(
    r"(?:(?P<fu>\d+)符)?(?:(?P<han>\d+)飜)?(?P<limit>\D*?)(?P<points>\d+)(?:-(?P<dealer>\d+))?点(?P<all>∀)?"
)
_LIMITS = {
    "満貫": "mangan",
    "跳満": "haneman",
    "倍満": "baiman",
    "三倍満": "sanbaiman",
    "役満": "yakuman",
    "数え役満": "yakuman",
}
_YAKU = re.compile(r"(?P<name>.+)\((?:(?P<han>\d+)飜|役満)\)")
YAKU = {
    "門前清自摸和": "self-drawn",
    "立直": "riichi",
    "一発": "ippatsu",
    "槍槓": "robbing-a-kan",
    "嶺上開花": "after-a-kan",
    "海底摸月": "last-draw",
    "河底撈魚": "last-discard",
    "平和": "pinfu",
    "断幺九": "all-simples",
    "一盃口": "twin-runs",
    "自風": "own-wind",
    "場風": "round-wind",
    "役牌 白": "white-dragon",
    "役牌 發": "green-dragon",
    "役牌 中": "red-dragon",
    "両立直": "double-riichi",
    "七対子": "seven-pairs",
    "混全帯幺九": "mixed-outside",
    "一気通貫": "straight",
    "三色同順": "three-colour-runs",
    "三色同刻": "three-colour-triplets",
    "三槓子": "three-kans",
    "対々和": "all-triplets",
    "三暗刻": "three-concealed-triplets",
    "小三元": "little-three-dragons",
    "混老頭": "terminals-and-honors",
    "二盃口": "double-twin-runs",
    "純全帯幺九": "pure-outside",
    "混一色": "half-flush",
    "清一色": "full-flush",
    "天和": "heavenly",
    "地和": "earthly",
    "大三元": "big-three-dragons",
    "四暗刻": "four-concealed-triplets",
    "四暗刻単騎": "four-concealed-triplets-single",
    "字一色": "all-honors",
    "緑一色": "all-green",
    "清老頭": "all-terminals",
    "九蓮宝燈": "nine-gates",
    "純正九蓮宝燈": "nine-gates-pure",
    "国士無双": "thirteen-orphans",
    "国士無双１３面": "thirteen-orphans-pure",
    "大四喜": "big-four-winds",
    "小四喜": "little-four-winds",
    "四槓子": "four-kans",
    "ドラ": "dora",
    "裏ドラ": "ura",
    "赤ドラ": "reds",
}
_WON, _WALL_EMPTY, _NAGASHI, _NINE_KINDS = "和了", "流局", "流し満貫", "九種九牌"
_ALL_WAIT, _NOBODY_WAITS = "全員聴牌", "全員不聴"
_ABORTED, _THREE_WIN = ("四家立直", "四風連打", "四開槓"), "三家和了"


class Tenhou6(Adapter):
    """Reads the JSON of tenhou.net/6."""

    name = "tenhou6"
    what = "matches and rounds of riichi in the JSON of tenhou.net/6"
    shared_endings = (".json",)

    def recognises(self, start: bytes) -> bool:
        flat = start.replace(b" ", b"").replace(b"\n", b"")
        return flat.startswith(b"{") and b'"log":[[[' in flat

    def games(self, log: Log) -> Iterator[Game | Ways]:
        place = Place(1)
        try:
            document = json.loads(log.text())
            rounds, names = document["log"], document.get("name", [f"P{seat}" for seat in range(_SEATS)])
            seats = 3 if _has_three(document.get("rule"), rounds) else 4
            players = [str(name) or f"P{seat}" for seat, name in enumerate(names)][:seats]
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            raise LogFault("this is no JSON with rounds in `log` and players in `name`", place) from None
        if not isinstance(rounds, list) or len(players) != seats:
            raise LogFault("a match has three or four players, and its rounds are a list", place)
        table, places = _table(document.get("rule"), seats), _places(log, rounds)
        final = document.get("sc")

        def told(way: Sequence[Sequence[_Step]]) -> Game:
            match = Match(players, place, table)
            for one, steps, begin in zip(read, way, places, strict=True):
                try:
                    one.tell(match, steps, begin, _Turns(one.hands, players, marked))
                except LogFault as fault:
                    match.game.spoil(fault.message, begin)
                    return match.game
            if isinstance(final, list) and len(final) == 2 * _SEATS:
                scores, worth = ([*map(float, final[at : 2 * seats : 2])] for at in (0, 1))
                match.finish(places[-1], [*map(int, scores)])
                try:
                    check_places([*map(int, scores)], worth, "`sc`", places[-1])
                except LogFault as fault:
                    match.game.spoil(fault.message, places[-1])
            return match.game

        read: list[_Round] = []
        try:
            read.extend(_Round(one, seats) for one in rounds)  # those before a faulty one stay
            marked = any(one.marks_drawn for one in read)
            readings = [*islice(_every_way(read), 2)]
            if not readings:
                raise LogFault("the draws and discards of the players do not fit together", place)
            game = told(readings[0])
        except (ValueError, KeyError, TypeError, IndexError, OverflowError):
            which, at = "a round", place
            if len(read) < len(rounds):  # this one could not be read
                which, at = f"round {len(read) + 1} of {len(rounds)}", places[len(read)]
            raise LogFault(f"{which} lacks something, or has something of another kind", at) from None
        yield (
            Ways(game, lambda: map(told, islice(_every_way(read), 1, None)), _OPEN) if readings[1:] else game
        )


def _has_three(rule: object, rounds: Any) -> bool:
    """Return whether three play: the rule says so, or the last seat is dealt nothing."""
    told = isinstance(rule, dict) and str(rule.get("disp", "")).startswith("三")
    return told or (isinstance(rounds, list) and bool(rounds) and not rounds[0][13])


def _table(rule: object, seats: int) -> RiichiTable:
    """Return the table that its words describe. Where they are missing, it is as usual."""
    words = str(rule.get("disp", "")) if isinstance(rule, dict) else ""
    return RiichiTable(
        seats=seats,
        reds=_has_reds(rule),
        open_simples=not words or "喰" in words,
        east_only="東" in words and "南" not in words,
    )


def _has_reds(rule: object) -> bool:
    """Return whether red fives are played, which each kind of log says in its own way."""
    if not isinstance(rule, dict):
        return True
    own = [rule.get(key) for key in ("aka", "aka51", "aka52", "aka53")]
    return any(own) or "赤" in str(rule.get("disp", "")) or all(one is None for one in own)


def _places(log: Log, rounds: Sequence[object]) -> list[Place]:
    """Return where the rounds begin, as far as the text shows it."""
    starts = [match.start() for match in re.finditer(rb"\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]", log.data)]
    places = [log.place_of(at) for at in starts[: len(rounds)]]
    return places + [places[-1] if places else Place(1)] * (len(rounds) - len(places))


def _tile(number: object) -> str:
    """Return the name of a tile. Raises ValueError."""
    if type(number) is not int:
        raise ValueError
    suit, rank = divmod(number, 10)
    if suit == 5 and 1 <= rank <= 3:
        return f"5{'mps'[rank - 1]}r"
    if suit == 4 and 1 <= rank <= 7:
        return "ESWNPFC"[rank - 1]
    if 1 <= suit <= 3 and 1 <= rank <= 9:
        return f"{rank}{'mps'[suit - 1]}"
    raise ValueError


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a column: which tile, with which others, from whom (counted to the right), if from anybody."""

    kind: str
    tile: str
    own: tuple[str, ...]
    giver: int


def _call(word: object) -> _Call:
    """Return the call that a word means. Raises ValueError."""
    match = _CALL.fullmatch(word) if isinstance(word, str) else None
    if match is None:
        raise ValueError
    others = match["before"] + match["after"]
    own = tuple(_tile(int(others[at : at + 2])) for at in range(0, len(others), 2))
    # before all others: from the left; behind the first: from across; behind the rest: from the right
    giver = {0: 3, 2: 2}.get(len(match["before"]), 1)
    return _Call(match["kind"], _tile(int(match["tile"])), own, giver)


@dataclass(frozen=True, slots=True)
class _Step:
    """What happens: `do` by a seat with a tile, and a call if it is one."""

    do: str
    seat: int
    tile: str = ""
    call: _Call | None = None
    drawn: bool | None = None
    """Whether a discard is told as the tile just drawn."""


@dataclass(frozen=True, slots=True)
class _At:
    """How far a round has been read: how much of each column, and what happened."""

    draws: tuple[int, ...] = (0,) * _SEATS
    discards: tuple[int, ...] = (0,) * _SEATS
    steps: tuple[_Step, ...] = ()

    def drew(self, seat: int, *steps: _Step) -> _At:
        return replace(self, draws=_one_more(self.draws, seat), steps=(*self.steps, *steps))

    def discarded(self, seat: int, *steps: _Step) -> _At:
        return replace(self, discards=_one_more(self.discards, seat), steps=(*self.steps, *steps))


def _one_more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])


def _every_way(rounds: Sequence[_Round]) -> Iterator[tuple[tuple[_Step, ...], ...]]:
    """Yield the steps of all rounds, in every way in which they fit the columns."""
    if not rounds:
        yield ()
        return
    for steps in rounds[0].ways():
        for others in _every_way(rounds[1:]):
            yield (steps, *others)


class _Turns:
    """The hands of a round while it is told: whether discards are the tiles just drawn, as far as columns say it."""

    def __init__(self, hands: Sequence[Sequence[str]], names: Sequence[str], marked: bool) -> None:
        self._hands = [Counter(hand) for hand in hands]
        self._names, self._marked = names, marked
        self._drawn = ""  # by whoever has to discard; nothing after a call

    def follow(self, step: _Step) -> None:
        """Follow a step. Raises `LogFault` if a discard cannot be what its column says."""
        hand = self._hands[step.seat]
        match step.do:
            case "draw":
                hand[step.tile] += 1
                self._drawn = step.tile
            case "discard":
                self._check(step, hand)
                hand[step.tile] -= 1
                self._drawn = ""
            case "north" | "add_kan":
                hand[step.tile] -= 1
                self._drawn = ""
            case _ if step.call is not None:
                hand.subtract(step.call.own)
                if step.do == "concealed_kan":
                    hand[step.tile] -= 1
                self._drawn = ""
            case _:
                pass

    def _check(self, step: _Step, hand: Counter[str]) -> None:
        name = self._names[step.seat]
        if step.drawn and not self._drawn:
            words = (
                f"`{_DISCARDED_DRAWN}` says that {name} discards the tile just drawn, but {name} drew nothing"
            )
            raise LogFault(words)
        if self._marked and not step.drawn and step.tile == self._drawn and hand[step.tile] == 1:
            words = f"{name} discards the {step.tile} just drawn, which is written `{_DISCARDED_DRAWN}`"
            raise LogFault(f"{words}: {name} has no other one")


class _Round:
    """One round. What it lacks raises `KeyError` and the like."""

    def __init__(self, held: Any, seats: int) -> None:
        self._seats = seats
        (self._passed, self._counters, self._sticks), self._scores = held[0], held[1]
        self._indicators, self._under = [_tile(one) for one in held[2]], [_tile(one) for one in held[3]]
        self.hands = [[_tile(one) for one in held[4 + 3 * seat]] for seat in range(_SEATS)]
        self._draws = [held[5 + 3 * seat] for seat in range(_SEATS)]
        self._discards = [held[6 + 3 * seat] for seat in range(_SEATS)]
        self._result = held[16] if len(held) > 16 else None
        self._dealer = int(self._passed) % _SEATS

    @property
    def marks_drawn(self) -> bool:
        """Whether some discard is told as the tile just drawn."""
        marks = (_DISCARDED_DRAWN, f"{_RIICHI}{_DISCARDED_DRAWN}")
        return any(word in marks for column in self._discards for word in column)

    # ------------------------------------------------------------------ the order of play

    def ways(self) -> Iterator[tuple[_Step, ...]]:
        """Yield the steps of the round in every way that uses up all columns."""
        waiting = [(_At(), self._dealer)]
        while waiting:
            at, seat = waiting.pop()
            if all(
                at.draws[s] == len(self._draws[s]) and at.discards[s] == len(self._discards[s])
                for s in range(4)
            ):
                yield at.steps
                continue
            if at.draws[seat] == len(self._draws[seat]):
                continue
            drawn = self._draws[seat][at.draws[seat]]
            if isinstance(drawn, str):
                continue  # a call, for which nobody has given the tile
            tile = _tile(drawn)
            waiting += [*self._acts(at.drew(seat, _Step("draw", seat, tile)), seat, tile)][::-1]

    def _acts(self, at: _At, seat: int, drawn: str) -> Iterator[tuple[_At, int]]:
        """Yield each continuation after a player has drawn or called: the place that is reached, and the seat that
        draws next.
        """
        if at.discards[seat] == len(self._discards[seat]):
            yield at, seat  # the round is over, or the columns do not fit
            return
        word = self._discards[seat][at.discards[seat]]
        if word == _SET_ASIDE:
            yield at.discarded(seat, _Step("north", seat, _NORTH)), seat
            return
        if isinstance(word, str) and not word.startswith(_RIICHI):
            call = _call(word)
            do = {"k": "add_kan", "a": "concealed_kan"}[call.kind]
            yield at.discarded(seat, _Step(do, seat, call.tile, call)), seat
            return
        riichi = isinstance(word, str)
        number = int(word[1:]) if isinstance(word, str) else word
        if number == _NO_DISCARD:
            yield at.discarded(seat), seat
            return
        is_drawn = number == _DISCARDED_DRAWN
        tile = drawn if is_drawn else _tile(number)
        steps = [_Step("riichi", seat)] if riichi else []
        after = at.discarded(seat, *steps, _Step("discard", seat, tile, drawn=is_drawn))
        stick = [_Step("stick", seat)] if riichi else []
        callers = sorted(self._callers(after, seat, tile), key=lambda c: c[1].kind == "c")
        for caller, call in callers:
            called = after.drew(caller, *stick, _Step(_DO[call.kind], caller, tile, call))
            if call.kind == "m":  # its discard is written as nothing
                yield called.discarded(caller) if self._has_nothing(called, caller) else called, caller
            else:
                yield from self._acts(called, caller, "")
        yield replace(after, steps=(*after.steps, *stick)), (seat + 1) % self._seats

    def _has_nothing(self, at: _At, seat: int) -> bool:
        column = self._discards[seat]
        return at.discards[seat] < len(column) and column[at.discards[seat]] == _NO_DISCARD

    def _callers(self, at: _At, giver: int, tile: str) -> Iterator[tuple[int, _Call]]:
        """Yield who may call a discard by what comes next in his column."""
        for seat in range(_SEATS):
            if seat == giver or at.draws[seat] == len(self._draws[seat]):
                continue
            word = self._draws[seat][at.draws[seat]]
            if isinstance(word, str):
                call = _call(word)
                if call.tile == tile and (seat + call.giver) % _SEATS == giver:
                    yield seat, call

    # ------------------------------------------------------------------ telling it

    def tell(self, match: Match, steps: Sequence[_Step], place: Place, turns: _Turns) -> None:
        """Tell the round, in one of its ways."""
        match.deal(
            place,
            self.hands[: self._seats],
            self._indicators[0],
            dealer=self._dealer,
            passed=passed_on(int(self._passed), self._seats),
            counters=int(self._counters),
            sticks=int(self._sticks),
            scores=[int(score) for score in self._scores][: self._seats],
        )
        flips = iter(self._indicators[1:])
        pending, sticks, last = 0, [0] * self._seats, ""
        won_on_last = self._is_won_on_discard()

        def flip() -> None:
            nonlocal pending
            while pending:
                pending -= 1
                indicator = next(flips, None)
                if indicator is not None:
                    match.flip(place, indicator)

        for number, step in enumerate(steps):
            turns.follow(step)
            if step.do == "draw":
                match.draw(place, step.seat, step.tile)
            elif step.do == "discard":
                flip()
                match.discard(place, step.seat, step.tile)
            elif step.do == "riichi":
                match.riichi(place, step.seat)
            elif step.do == "north":
                match.north(place, step.seat)
            elif step.do == "stick":
                if number == len(steps) - 1 and won_on_last:
                    continue  # the discard was won on
                match.stick(place, step.seat)
                sticks[step.seat] += STICK
            else:
                assert step.call is not None
                match.call(place, step.do, step.seat, step.tile, step.call.own)
                if step.do.endswith("kan"):
                    pending += 1
                    if step.do == "concealed_kan":
                        flip()
            last = step.tile or last
        if self._result is not None:
            self._end(match, place, last, sticks)

    def _is_won_on_discard(self) -> bool:
        ending = self._result
        if ending is None or ending[0] != _WON:
            return ending is not None and ending[0] == _THREE_WIN
        return bool(ending[2][0] != ending[2][1])

    def _end(self, match: Match, place: Place, last: str, sticks: Sequence[int]) -> None:
        assert self._result is not None
        word, *told = self._result
        if word == _WON:
            self._won(match, place, told, last, sticks)
            return
        gains = [int(gain) for gain in told[0]][: self._seats] if told else [0] * self._seats
        after = [gain - stick for gain, stick in zip(gains, sticks, strict=True)]
        if word == _NINE_KINDS:
            match.nine_kinds(place)
            match.end(place, None, after)
        elif word == _NAGASHI:
            match.end(place, None, after, nagashi=True)
        elif word in _ABORTED or word == _THREE_WIN:
            if word == _THREE_WIN:
                match.all_others_win(place)
            match.end(place, None, after)
        elif word in (_WALL_EMPTY, _ALL_WAIT, _NOBODY_WAITS):
            waiting = [seat for seat in range(self._seats) if gains[seat] > 0 or word == _ALL_WAIT]
            match.end(place, None, after, tenpai=waiting)
        else:
            raise LogFault(f"`{word}` is no end of a round", place)

    def _won(self, match: Match, place: Place, told: Sequence[Any], last: str, sticks: Sequence[int]) -> None:
        wins = [told[at + 1] for at in range(0, len(told) - 1, 2)]
        gains = [sum(int(told[at][seat]) for at in range(0, len(told), 2)) for seat in range(self._seats)]
        for win in wins:
            who, giver, liable = (int(seat) for seat in (*win[:2], win[2] if len(win) > 2 else win[0]))
            match.wins(place, who, giver, last, None if liable == who else liable)
        match.under(place, self._under)
        for win in wins:
            self._check_limit(win, place)
            match.count(place, int(win[0]), last, **_stated(win, self._seats))
        alone = int(wins[0][0]) if len(wins) == 1 else None
        match.end(place, alone, [gain - stick for gain, stick in zip(gains, sticks, strict=True)])

    def _check_limit(self, win: Sequence[Any], place: Place) -> None:
        """Check that the points of a win are those of the limit that it names. Raises `LogFault`."""
        match = _POINTS.search(str(win[3])) if len(win) > 3 else None
        stated = _LIMITS.get(match["limit"]) if match else None
        if match is None or stated is None:
            return
        dealer, points = int(win[0]) == self._dealer, _points(match, self._seats)
        own = limit_of(points, dealer=dealer, drawn=win[0] == win[1], seats=self._seats)
        if own not in (None, stated):
            words = f"`{match['limit']}` is a {stated}, but {points} points are "
            raise LogFault(words + (own if own == "no limit" else f"a {own}"), place)


_DO = {"c": "chi", "p": "pon", "m": "kan"}


def _stated(win: Sequence[Any], seats: int) -> dict[str, object]:
    """Return the facts that a win states: points, han, fu, patterns."""
    match = _POINTS.search(str(win[3])) if len(win) > 3 else None
    if match is None:
        return {}
    stated: dict[str, object] = {"points": _points(match, seats)}
    patterns: dict[str, int] = {}
    for word in win[4:]:
        yaku = _YAKU.fullmatch(str(word))
        if yaku is None:
            continue
        name = next((own for word, own in YAKU.items() if yaku["name"].split(" ")[0] == word), None)
        patterns[YAKU.get(yaku["name"], name or yaku["name"])] = int(yaku["han"] or 1)
    if patterns:
        stated["patterns"] = patterns
    if match["fu"] and match["han"]:
        stated |= {"fu": int(match["fu"]), "han": int(match["han"])}
    return stated


def _points(match: re.Match[str], seats: int) -> int:
    """Return the points that all players together pay."""
    points = int(match["points"])
    if match["dealer"]:
        return (seats - 2) * points + int(match["dealer"])
    return (seats - 1) * points if match["all"] else points
