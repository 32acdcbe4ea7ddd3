"""mjlog, the records of Tenhou: a row of XML elements.

Input: the text of a log. Output: its match.
Guarantee: a document type is refused, so that no entity is expanded; an element that is none of mjlog's ends the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.parsers import expat

from golpae.logs.adapter import Adapter, Game, Log, LogFault
from golpae.logs.riichi import LIMITS, STICK, Match, RiichiTable, check_places, limit_of, passed_on
from golpae.trace.log_text import Place

_DRAWS, _DISCARDS = "TUVW", "DEFG"
_NO_REDS, _CLOSED_SIMPLES, _SOUTH_ROUND, _THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
_SEATS = 4  # also at a table for three, where nobody sits on the last one
_PASSED_OVER = frozenset(("mjloggm", "SHUFFLE", "GO", "UN", "BYE", "TAIKYOKU"))
_MOST_ELEMENTS = 1_000_000
_DEEPEST = 2  # elements within one another

YAKU = (
    "self-drawn riichi ippatsu robbing-a-kan after-a-kan last-draw last-discard pinfu all-simples twin-runs "
    "own-wind own-wind own-wind own-wind round-wind round-wind round-wind round-wind "
    "white-dragon green-dragon red-dragon double-riichi seven-pairs mixed-outside straight three-colour-runs "
    "three-colour-triplets three-kans all-triplets three-concealed-triplets little-three-dragons "
    "terminals-and-honors double-twin-runs pure-outside half-flush full-flush renhou "
    "heavenly earthly big-three-dragons four-concealed-triplets four-concealed-triplets-single all-honors all-green "
    "all-terminals nine-gates nine-gates-pure thirteen-orphans thirteen-orphans-pure big-four-winds "
    "little-four-winds four-kans dora ura reds"
).split()


@dataclass(frozen=True, slots=True)
class _Element:
    tag: str
    values: Mapping[str, str]
    place: Place

    def numbers(self, key: str) -> list[int]:
        """Return the numbers of a list with commas, none if the key is missing. Raises `LogFault`."""
        text = self.values.get(key)
        try:
            return [int(part) for part in text.split(",")] if text else []
        except ValueError:
            raise LogFault(f"`{key}` of {self.tag} is no list of numbers", self.place) from None

    def number(self, key: str) -> int:
        """Return the first number of a key. Raises `LogFault`."""
        numbers = self.numbers(key)
        if not numbers:
            raise LogFault(f"{self.tag} lacks `{key}`", self.place)
        return numbers[0]

    def seat(self, key: str) -> int:
        """Return a seat. Raises `LogFault`."""
        seat = self.number(key)
        if not 0 <= seat < _SEATS:
            raise LogFault(f"`{key}` of {self.tag} is no seat", self.place)
        return seat


class Mjlog(Adapter):
    """Reads mjlog."""

    name = "mjlog"
    what = "matches of riichi as Tenhou records them"
    endings = (".mjlog",)

    def recognises(self, start: bytes) -> bool:
        return b"<mjloggm " in start

    def games(self, log: Log) -> Iterator[Game]:
        elements, fault = _elements(log)
        kind = next(
            (e.number("type") for e in elements if e.tag == "GO" and "type" in e.values), _SOUTH_ROUND
        )
        reader = _Reader(
            RiichiTable(
                seats=3 if kind & _THREE_PLAYERS else 4,
                reds=not kind & _NO_REDS,
                open_simples=not kind & _CLOSED_SIMPLES,
                east_only=not kind & _SOUTH_ROUND,
            )
        )
        try:
            reader.read(elements)
        except LogFault as spoilt:
            fault = spoilt
        if fault is not None:
            reader.match.game.spoil(fault.message, fault.place or Place(1, 1))
        if elements or fault is not None:
            yield reader.match.game


def _elements(log: Log) -> tuple[list[_Element], LogFault | None]:
    """Return the elements of a log, as far as it is XML, and the fault that ends it."""
    elements: list[_Element] = []
    parser = expat.ParserCreate()
    depth = 0

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def begin(tag: str, values: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise LogFault("elements of mjlog do not lie within one another", here())
        if len(elements) >= _MOST_ELEMENTS:
            raise LogFault(f"a log has at most {_MOST_ELEMENTS:,} elements", here())
        elements.append(_Element(tag, values, here()))

    def here() -> Place:
        return Place(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def refuse(*_: object) -> None:
        raise LogFault("the log declares a document type, which none of mjlog does", here())

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(log.data, True)
    except expat.ExpatError as fault:
        words = expat.errors.messages.get(fault.code, "no XML")
        return elements, LogFault(f"the XML is broken here: {words}", Place(fault.lineno, fault.offset + 1))
    except LogFault as spoilt:
        return elements, spoilt
    except (ValueError, UnicodeError, LookupError) as fault:
        return elements, LogFault(f"the XML is broken here: {fault}", here())
    return elements, None


@dataclass(frozen=True, slots=True)
class Call:
    """A call, as mjlog packs it in one number: tiles by their numbers."""

    do: str
    tile: int
    own: tuple[int, ...] = ()


def call_of(packed: int) -> Call:
    """Return the call that a number means."""
    if packed & 0x4:
        place, which = divmod(packed >> 10, 3)
        suit, low = divmod(place, 7)
        tiles = [4 * (9 * suit + low + step) + (packed >> 3 + 2 * step & 3) for step in range(3)]
        return Call("chi", tiles[which], (*tiles[:which], *tiles[which + 1 :]))
    if packed & 0x18:
        kind, which = divmod(packed >> 9, 3)
        unused = packed >> 5 & 3
        if packed & 0x10:
            return Call("add_kan", 4 * kind + unused)
        tiles = [4 * kind + copy for copy in range(4) if copy != unused]
        return Call("pon", tiles[which], (*tiles[:which], *tiles[which + 1 :]))
    if packed & 0x20:
        return Call("north", packed >> 8)
    return Call("kan" if packed & 0x3 else "concealed_kan", packed >> 8)


class _Hands:
    """The hands of a table as the elements have them: tiles by their numbers, and calls as they are packed."""

    def __init__(self, dealt: Sequence[Iterable[int]]) -> None:
        self._tiles = [set(tiles) for tiles in dealt]
        self._calls: list[list[int]] = [[] for _ in dealt]

    def draws(self, seat: int, tile: int) -> None:
        self._tiles[seat].add(tile)

    def discards(self, seat: int, tile: int) -> None:
        self._tiles[seat].discard(tile)

    def calls(self, seat: int, packed: int) -> None:
        call = call_of(packed)
        kind = range(call.tile // 4 * 4, call.tile // 4 * 4 + 4)
        match call.do:
            case "chi" | "pon":
                self._tiles[seat].difference_update(call.own)
            case "kan" | "concealed_kan":
                self._tiles[seat].difference_update(kind)
            case _:
                self._tiles[seat].discard(call.tile)
        if call.do == "add_kan":
            self._calls[seat] = [one for one in self._calls[seat] if call_of(one).tile not in kind]
        if call.do != "north":
            self._calls[seat].append(packed)

    def differ(self, seat: int, tiles: Iterable[int], calls: Iterable[int] | None) -> set[int] | None:
        """Return in which tiles of a hand what is stated differs, or None if it does not. If they are the same, but
        the calls are not, there are none.
        """
        tiles = self._tiles[seat] ^ set(tiles)
        if tiles:
            return tiles
        if calls is None or sorted(one for one in calls if call_of(one).do != "north") == sorted(
            self._calls[seat]
        ):
            return None
        return set()


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


class _Reader:
    """Reads the elements of one log."""

    def __init__(self, table: RiichiTable) -> None:
        self.match = Match([f"P{seat}" for seat in range(table.seats)], Place(1, 1), table)
        self._table = table
        self._before = [0] * table.seats
        self._scores = [0] * table.seats  # with the sticks that were put down
        self._dealer = 0
        self._counters, self._sticks = 0, 0  # that lie on the table
        self._indicators: list[int] = []
        self._hands = _Hands([()] * _SEATS)

    def read(self, elements: list[_Element]) -> None:
        """Tell what the elements say. Raises `LogFault`."""
        wins: list[_Element] = []
        for element in elements:
            if wins and element.tag != "AGARI":
                self._won(wins)
                wins = []
            if element.tag == "AGARI":
                wins.append(element)
            else:
                self._told(element)
        if wins:
            self._won(wins)

    def _told(self, element: _Element) -> None:
        tag, number, match, place = element.tag[:1], element.tag[1:], self.match, element.place
        if element.tag == "INIT":
            self._deal(element)
        elif element.tag == "N":
            call, seat = call_of(element.number("m")), element.seat("who")
            self._hands.calls(seat, element.number("m"))
            if call.do == "north":
                match.north(place, seat)
                return
            own = sorted(self._tile(one, place) for one in call.own)
            match.call(place, call.do, seat, self._tile(call.tile, place), own)
        elif element.tag == "REACH":
            if element.values.get("step") == "1":
                match.riichi(place, element.seat("who"))
            else:
                self._stick(element)
        elif element.tag == "DORA":
            self._indicators.append(element.number("hai"))
            match.flip(place, self._tile(self._indicators[-1], place))
        elif element.tag == "RYUUKYOKU":
            self._unwon(element)
        elif tag and tag in _DRAWS and number.isdigit():
            self._hands.draws(_DRAWS.index(tag), int(number))
            match.draw(place, _DRAWS.index(tag), self._tile(int(number), place))
        elif tag and tag in _DISCARDS and number.isdigit():
            self._hands.discards(_DISCARDS.index(tag), int(number))
            match.discard(place, _DISCARDS.index(tag), self._tile(int(number), place))
        elif element.tag not in _PASSED_OVER:
            raise LogFault(f"mjlog has no element `{element.tag}`", place)

    def _tile(self, number: int, place: Place) -> str:
        """Return the name of a tile by its number from 0. Raises `LogFault`."""
        suit, rank = divmod(number // 4, 9)
        if not 0 <= number < 136:
            raise LogFault(f"there is no tile {number}", place)
        if suit == 3:
            return "ESWNPFC"[rank]
        if self._table.reds and rank == 4 and number % 4 == 0:
            return f"5{'mps'[suit]}r"
        return f"{rank + 1}{'mps'[suit]}"

    def _tiles(self, element: _Element, key: str) -> list[str]:
        return [self._tile(number, element.place) for number in sorted(element.numbers(key))]

    def _deal(self, element: _Element) -> None:
        seed, scores = element.numbers("seed"), element.numbers("ten")
        if len(seed) < 6 or len(scores) != _SEATS:
            raise LogFault("a deal has six numbers in `seed`, and four in `ten`", element.place)
        self._before = [100 * score for score in scores[: self._table.seats]]
        self._dealer, self._indicators = element.seat("oya"), [seed[5]]
        self._counters, self._sticks = seed[1], seed[2]
        self._hands = _Hands([element.numbers(f"hai{seat}") for seat in range(_SEATS)])
        self._scores = [*self._before]
        self.match.deal(
            element.place,
            [self._tiles(element, f"hai{seat}") for seat in range(self._table.seats)],
            self._tile(seed[5], element.place),
            dealer=self._dealer,
            passed=passed_on(seed[0], self._table.seats),
            counters=seed[1],
            sticks=seed[2],
            scores=self._before,
        )

    def _stick(self, element: _Element) -> None:
        """Tell that a stick is put down, and check the points that lie beside it. Raises `LogFault`."""
        seat = element.seat("who")
        self._sticks += 1
        self.match.stick(element.place, seat)
        if seat < len(self._scores):
            self._scores[seat] -= STICK
        stated = [100 * score for score in element.numbers("ten")[: len(self._scores)]]
        if stated and stated != self._scores:
            own = ", ".join(f"{score:,}" for score in self._scores)
            raise LogFault(
                f"`ten` is {element.values['ten']}, but the players have {own} points", element.place
            )

    # ------------------------------------------------------------------ the end of a hand

    def _won(self, wins: list[_Element]) -> None:
        first, match = wins[0], self.match
        drawn = first.seat("who") == first.seat("fromWho")
        for win in wins:
            self._check_table(win)
            self._sticks = 0  # the first winner takes them
            match.wins(
                win.place,
                win.seat("who"),
                win.seat("fromWho"),
                self._tile(win.number("machi"), win.place),
                win.seat("paoWho") if "paoWho" in win.values else None,
            )
        self._check_under(wins)
        for win in wins:
            if win.values.get("doraHaiUra"):
                under = [self._tile(number, win.place) for number in win.numbers("doraHaiUra")]
                match.under(win.place, under)
                break
        for win in wins:
            self._count(win)
        alone = first.seat("who") if len(wins) == 1 or drawn else None
        self._end(wins[-1], alone, wins)

    def _check_hands(self, ends: Sequence[_Element]) -> None:
        """Check the hands that the end of a hand lists again, once all else of it was told. Raises `LogFault`."""
        for end in ends:
            if end.tag == "AGARI":
                shown = {"hai": end.seat("who")}
            else:
                shown = {f"hai{seat}": seat for seat in range(self._table.seats)}
            for key, seat in shown.items():
                if key not in end.values:
                    continue
                stated = set(end.numbers(key))
                won = end.numbers("machi") if end.tag == "AGARI" and seat != end.seat("fromWho") else []
                differ = self._hands.differ(
                    seat, stated - {*won}, end.numbers("m") if end.tag == "AGARI" else None
                )
                if differ is not None:
                    self._refuse_hand(end, key, seat, differ, stated)

    def _refuse_hand(
        self, end: _Element, key: str, seat: int, differ: Collection[int], stated: Collection[int]
    ) -> None:
        if not differ:
            raise LogFault(f"`m` has other calls than those of P{seat}", end.place)
        more, less = (
            " ".join(self._tile(tile, end.place) for tile in sorted(differ) if (tile in stated) is there)
            for there in (True, False)
        )
        words = [f"has {more}, which P{seat} does not hold"] if more else []
        words += [f"lacks {less} of P{seat}"] if less else []
        raise LogFault(f"`{key}` {' and '.join(words)}", end.place)

    def _check_table(self, end: _Element) -> None:
        """Check what the end of a hand repeats of the table. Raises `LogFault`."""
        if "ba" in end.values and end.numbers("ba") != [self._counters, self._sticks]:
            lying = f"{_counted(self._counters, 'counter')} and {_counted(self._sticks, 'stick')}"
            raise LogFault(f"`ba` is {end.values['ba']}, but {lying} lie there", end.place)
        if "doraHai" in end.values and end.numbers("doraHai") != self._indicators:
            stated, own = (
                " ".join(self._tile(number, end.place) for number in numbers)
                for numbers in (end.numbers("doraHai"), self._indicators)
            )
            raise LogFault(f"`doraHai` has {stated}, but the indicators that lie there are {own}", end.place)

    def _check_under(self, wins: list[_Element]) -> None:
        """Check that all winners name the same tiles under the indicators. Raises `LogFault`."""
        told = {win.values["doraHaiUra"]: win for win in wins if win.values.get("doraHaiUra")}
        if len(told) > 1:
            place = [*told.values()][-1].place
            raise LogFault("`doraHaiUra` has other tiles than that of the winner before", place)

    def _check_limit(self, win: _Element, points: int, limit: int) -> None:
        """Check that the points of a win are those of its limit. Raises `LogFault`."""
        if not 0 <= limit < len(LIMITS):
            raise LogFault(f"there is no limit {limit}", win.place)
        who = win.seat("who")
        own = limit_of(
            points, dealer=who == self._dealer, drawn=who == win.seat("fromWho"), seats=self._table.seats
        )
        stated = [*LIMITS][limit]
        if own not in (None, stated):
            raise LogFault(f"`ten` has limit {limit}, {stated}, but {points} points are {own}", win.place)

    def _count(self, win: _Element) -> None:
        points = win.numbers("ten")
        if len(points) < 2:
            raise LogFault("a win has fu and points in `ten`", win.place)
        if len(points) > 2:
            self._check_limit(win, points[1], points[2])
        stated: dict[str, object] = {"points": points[1]}
        if "yakuman" in win.values:
            stated["patterns"] = {self._yaku(number, win): 1 for number in win.numbers("yakuman")}
        else:
            listed = win.numbers("yaku")
            worth = {
                self._yaku(yaku, win): han
                for yaku, han in zip(listed[::2], listed[1::2], strict=False)
                if han
            }
            stated |= {"han": sum(worth.values()), "fu": points[0], "patterns": worth}
        self.match.count(win.place, win.seat("who"), self._tile(win.number("machi"), win.place), **stated)

    def _yaku(self, number: int, win: _Element) -> str:
        if not 0 <= number < len(YAKU):
            raise LogFault(f"there is no yaku {number}", win.place)
        return YAKU[number]

    def _unwon(self, element: _Element) -> None:
        self._check_table(element)
        shown = [seat for seat in range(self._table.seats) if f"hai{seat}" in element.values]
        match element.values.get("type"):
            case "yao9":
                self.match.nine_kinds(element.place)
            case "ron3":
                self.match.all_others_win(element.place)
            case "nm":
                self._end(element, None, [element], shown, nagashi=True)
                return
            case None:
                self._end(element, None, [element], shown)
                return
            case _:
                pass
        self._end(element, None, [element])

    def _end(
        self,
        element: _Element,
        winner: int | None,
        ends: Sequence[_Element],
        tenpai: list[int] | None = None,
        *,
        nagashi: bool = False,
    ) -> None:
        scores, final = element.numbers("sc"), element.values.get("owari")
        if len(scores) != 2 * _SEATS:
            raise LogFault(f"{element.tag} has eight numbers in `sc`", element.place)
        seats = self._table.seats
        after = [100 * (score + change) for score, change in zip(scores[::2], scores[1::2], strict=True)]
        gains = [now - before for now, before in zip(after[:seats], self._before, strict=True)]
        self.match.end(element.place, winner, gains, tenpai=tenpai, nagashi=nagashi)
        self._check_hands(ends)
        if final is None:
            return
        try:
            final_scores = [float(score) for score in final.split(",")]
            totals = [100 * int(score) for score in final_scores[::2]][:seats]
        except (ValueError, OverflowError):
            final_scores, totals = [], []
        if len(totals) < seats or len(final_scores) < 2 * seats:
            raise LogFault("`owari` has a score and points for each player", element.place)
        self.match.finish(element.place, totals)
        check_places(totals, final_scores[1 : 2 * seats : 2], "`owari`", element.place)
