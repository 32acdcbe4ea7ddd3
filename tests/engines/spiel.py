"""Adapters for games of OpenSpiel (`pip install open_spiel`), as its version 2.0.2 has them.

    golpae conform hearts+any-direction+queen-breaks -- python tests/engines/spiel.py hearts

OpenSpiel's players are numbered in the order of play from the one who begins. It has no events for what happens outside
of play, such as a claim: those are judged here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar

Line = dict[str, Any]

SUITS = "CDHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
STRAINS = ("clubs", "diamonds", "hearts", "spades", "no-trump")


class Spiel:
    """One game of OpenSpiel after the other."""

    game = ""
    players = 4

    def __init__(self) -> None:
        self.spiel: Any = import_module("pyspiel")
        self.state: Any = None
        self.first = 0

    # ------------------------------------------------------------------ what a game has of its own

    def load(self, deal: Line) -> str:
        """Return the game with its parameters."""
        return self.game

    def deal(self, deal: Line) -> Iterable[int]:
        """Return the actions of chance."""
        raise NotImplementedError

    def actions(self, event: Line) -> Sequence[int] | None:
        """Return the actions of an event, or None if OpenSpiel has none that mean it."""
        raise NotImplementedError

    def legal(self) -> Iterator[Line]:
        """Yield the legal events."""
        raise NotImplementedError

    def pay(self) -> list[int]:
        """Return what each seat gets."""
        return [int(self.state.returns()[self.player(seat)]) for seat in range(self.players)]

    # ------------------------------------------------------------------ what is the same for all

    def new(self, header: Line) -> None:
        self.state = None

    def event(self, event: Line) -> Line:
        """Play an event, or refuse it."""
        if event["do"] == "deal":
            self.first = event["first"]
            self.state = self.spiel.load_game(self.load(event)).new_initial_state()
            for action in self.deal(event):
                self.state.apply_action(action)
        elif self.state is None:
            return {"ok": False}
        elif event["do"] not in ("end", "finish"):
            actions = self.actions(event)
            if actions is None or not self._apply(actions):
                return {"ok": False}
            self.played(event)
        return self._told()

    def played(self, event: Line) -> None:
        """Note an event that was played."""

    def _apply(self, actions: Sequence[int]) -> bool:
        state = self.state.clone()
        for action in actions:
            if state.is_terminal() or action not in state.legal_actions():
                return False
            state.apply_action(action)
        self.state = state
        return True

    def over(self) -> bool:
        return bool(self.state.is_terminal())

    def _told(self) -> Line:
        over = self.over()
        told: Line = {"ok": True, "over": over, "legal": [] if over else [*self.legal()]}
        if over and self.state.is_terminal():
            told["pay"] = self.pay()
        return told

    def player(self, seat: int) -> int:
        return (seat - self.first) % self.players

    def seat(self, player: int) -> int:
        return (player + self.first) % self.players

    def acts(self, event: Line) -> bool:
        """Return whether it is the turn of who acts."""
        return not self.state.is_terminal() and self.state.current_player() == self.player(event["by"])


class Tricks(Spiel):
    """A game of tricks."""

    by_rank = True
    """Whether cards are numbered rank by rank, or suit by suit."""

    def card(self, name: str) -> int:
        """Return the number of a card; -1 for a joker."""
        if name[:-1] not in RANKS:
            return -1
        suit, rank = SUITS.index(name[-1]), RANKS.index(name[:-1])
        return rank * 4 + suit if self.by_rank else suit * 13 + rank

    def name(self, card: int) -> str:
        rank, suit = divmod(card, 4) if self.by_rank else divmod(card, 13)[::-1]
        return RANKS[rank] + SUITS[suit]

    def deal(self, deal: Line) -> Iterable[int]:
        for number in range(52):
            yield self.card(deal["hands"][self.seat(number % 4)][number // 4])

    def play(self, number: int) -> Line:
        return {"do": "play", "by": self.seat(self.state.current_player()), "tile": self.name(number)}


class Spades(Tricks):
    """Spades. Who bids first is OpenSpiel's player 0."""

    game = "spades"
    by_rank = False

    def actions(self, event: Line) -> Sequence[int] | None:
        if not self.acts(event):
            return None
        if event["do"] == "bid":
            return [52 + event["tricks"]] if event["tricks"] >= 0 else None
        return [self.card(event["tile"])]

    def legal(self) -> Iterator[Line]:
        by = self.seat(self.state.current_player())
        for number in self.state.legal_actions():
            yield self.play(number) if number < 52 else {"do": "bid", "by": by, "tricks": number - 52}


class Hearts(Tricks):
    """Hearts. Cards are passed in the order of seats, whoever chooses first; nobody is first to begin with."""

    game = "hearts"
    ways = ("hold", "left", "across", "right")

    def deal(self, deal: Line) -> Iterable[int]:
        self.first, self.hands = 0, deal["hands"]
        self.given: dict[int, list[str]] = {}
        way = deal.get("passing", "left")
        self.passes = way != "hold"
        yield self.ways.index(way)
        yield from super().deal(deal)

    def actions(self, event: Line) -> Sequence[int] | None:
        by = event["by"]
        if event["do"] == "play":
            ready = not self.passes or len(self.given) == 4
            return [self.card(event["tile"])] if ready and self.acts(event) else None
        tiles = event["tiles"]
        if not self.passes or by in self.given or len({*tiles}) != 3 or not {*tiles} <= {*self.hands[by]}:
            return None
        given = {**self.given, by: tiles}
        if len(given) < 4:
            return []
        return [self.card(tile) for seat in range(4) for tile in given[seat]]

    def played(self, event: Line) -> None:
        if event["do"] == "pass":
            self.given[event["by"]] = event["tiles"]

    def _told(self) -> Line:
        told = super()._told()
        if self.passes and len(self.given) < 4:  # in OpenSpiel one seat passes after the other
            del told["legal"]
        return told

    def legal(self) -> Iterator[Line]:
        yield from map(self.play, self.state.legal_actions())

    def pay(self) -> list[int]:
        return [points - 26 for points in super().pay()]


class Bridge(Tricks):
    """Bridge without claims. OpenSpiel says no contract as an event: that is judged here."""

    game = "bridge"
    calls: ClassVar[Mapping[str, int]] = {"pass": 52, "double": 53, "redouble": 54}
    sides = ("neither", "north-south", "east-west", "both")

    def load(self, deal: Line) -> str:
        dealer, turn = deal["first"], (deal.get("board", 1) - 1) % 16
        on_board = self.sides[(turn + turn // 4) % 4] if "board" in deal else "neither"
        side = deal.get("vulnerable", on_board)
        own, other = (
            side in (self.sides[1 + dealer % 2], "both"),
            side in (self.sides[2 - dealer % 2], "both"),
        )
        words = f"dealer={dealer},dealer_vul={own},non_dealer_vul={other},use_double_dummy_result=False"
        return f"bridge({words})".replace("True", "true").replace("False", "false")

    def deal(self, deal: Line) -> Iterable[int]:
        self.first, self.said = 0, False
        self.auction: list[Line] = []
        return super().deal(deal)

    def actions(self, event: Line) -> Sequence[int] | None:
        do = event["do"]
        if do == "contract":
            return [] if self._is_contract(event) else None
        if do == "claim" or not self.acts(event):
            return None
        is_play = self.is_played()
        if do == "bid" and not is_play and 1 <= event["level"] <= 7:
            return [55 + (event["level"] - 1) * 5 + STRAINS.index(event["strain"])]
        if do in self.calls and not is_play:
            return [self.calls[do]]
        return [self.card(event["tile"])] if do == "play" and is_play else None

    def is_played(self) -> bool:
        """Return whether the auction is over."""
        return len(self.auction) >= 4 and all(call["do"] == "pass" for call in self.auction[-3:])

    def played(self, event: Line) -> None:
        if event["do"] in ("bid", *self.calls) and not self.is_played():
            self.auction.append(event)
        self.said = self.said or event["do"] == "contract"

    def _is_contract(self, event: Line) -> bool:
        if not self.is_played() or self.said or len(self.state.history()) > 52 + len(self.auction):
            return False
        bids = [call for call in self.auction if call["do"] == "bid"]
        if not bids:
            return False
        last = bids[-1]
        after = [call["do"] for call in self.auction[self.auction.index(last) :]]
        risk = "redoubled" if "redouble" in after else "doubled" if "double" in after else "undoubled"
        named = [b for b in bids if b["strain"] == last["strain"] and (b["by"] - last["by"]) % 2 == 0]
        right = {
            "level": last["level"],
            "strain": last["strain"],
            "risked": risk,
            "played-by": named[0]["by"],
        }
        return all(event.get(key, value) == value for key, value in right.items())

    def legal(self) -> Iterator[Line]:
        by = self.state.current_player()
        names = {number: do for do, number in self.calls.items()}
        for number in self.state.legal_actions():
            if number < 52:
                yield self.play(number)
            elif number in names:
                yield {"do": names[number], "by": by}
            else:
                level, strain = divmod(number - 55, 5)
                yield {"do": "bid", "by": by, "level": level + 1, "strain": STRAINS[strain]}
        if self.is_played():
            yield from self._contracts()

    def _contracts(self) -> Iterator[Line]:
        for level in range(1, 8):
            for strain in STRAINS:
                told = {"do": "contract", "level": level, "strain": strain}
                if self._is_contract(told):
                    for risk in ("undoubled", "doubled", "redoubled"):
                        for seat in range(4):
                            full = {**told, "risked": risk, "played-by": seat}
                            if self._is_contract(full):
                                yield from _without(full, ("risked", "played-by"))


def _without(line: Line, keys: Sequence[str]) -> Iterator[Line]:
    """Yield an event with and without each of some keys."""
    if not keys:
        yield line
        return
    yield from _without(line, keys[1:])
    yield from _without({key: value for key, value in line.items() if key != keys[0]}, keys[1:])


class Gin(Spiel):
    """Gin rummy. A knock and an answer are one event each, and several actions of OpenSpiel."""

    game = "gin_rummy"
    players = 2
    upcard, stock, passing, knock, melds = range(52, 57)

    def load(self, deal: Line) -> str:
        keys = {"gin-bonus": "gin_bonus", "undercut-bonus": "undercut_bonus", "knock-limit": "knock_card"}
        told = (f"{keys[key]}={value}" for key, value in self.options.items() if key in keys)
        return f"{self.game}({','.join(told)})"

    def new(self, header: Line) -> None:
        super().new(header)
        self.options = header.get("options", {})

    def deal(self, deal: Line) -> Iterable[int]:
        self.laid: list[set[int]] = []
        self.knocked = self.taken_last = False
        for seat in (self.first, 1 - self.first):
            yield from map(self.card, deal["hands"][seat])
        yield from map(self.card, deal["discards"])

    def card(self, name: str) -> int:
        rank = {"A": 0, **{other: n + 1 for n, other in enumerate(RANKS[:-1])}}[name[:-1]]
        return "SCDH".index(name[-1]) * 13 + rank

    def name(self, card: int) -> str:
        return f"{('A', *RANKS[:-1])[card % 13]}{'SCDH'[card // 13]}"

    def meld(self, number: int) -> list[int]:
        """Return the cards of a meld by OpenSpiel's number for it."""
        words = self.state.action_to_string(0, number).rpartition(" ")[2]
        return [
            self.card(words[at].replace("T", "10") + words[at + 1].upper()) for at in range(0, len(words), 2)
        ]

    def said(self, key: str) -> str:
        """Return what OpenSpiel's drawing of the state says of a key."""
        found = [line for line in str(self.state).splitlines() if f"{key}: " in line]
        return found[0].partition(f"{key}: ")[2].split()[0]

    def top(self) -> str:
        """Return the card that can be taken."""
        words = self.said("Upcard")
        return words[0].replace("T", "10") + words[1].upper()

    def hand(self) -> list[int]:
        rows = (
            str(self.state)
            .split(f"Player{self.state.current_player()}: ")[1]
            .split("+---")[1]
            .splitlines()[1:5]
        )
        cells = (row[1:27][at : at + 2] for row in rows for at in range(0, 26, 2))
        return [self.card(cell[0].replace("T", "10") + cell[1].upper()) for cell in cells if cell.strip()]

    # ------------------------------------------------------------------ events

    def actions(self, event: Line) -> Sequence[int] | None:
        if not self.acts(event):
            return None
        do, phase = event["do"], self.said("Phase")
        if self.taken_last and do != "knock":
            return None
        match do:
            case "pass":
                return [self.passing] if phase in ("FirstUpcard", "Wall") else None
            case "draw":
                return [self.stock, self.card(event["tile"])] if phase != "Wall" else None
            case "take" if phase == "Wall":
                return (
                    [] if event["tile"] == self.top() and self.knock in self.state.legal_actions() else None
                )
            case "take":
                fits = phase in ("FirstUpcard", "Draw") and event["tile"] == self.top()
                return [self.upcard] if fits else None
            case "discard":
                return [self.card(event["tile"])] if phase == "Discard" else None
            case "knock":
                if phase != "Discard" and not self.taken_last:
                    return None
                return [self.knock, self.card(event["tile"]), *self._melds(event), self.passing]
            case "lay-off":
                card, onto = self.card(event["tile"]), self.card(event["onto"])
                fits = phase == "Layoff" and any(
                    onto in meld and is_meld({*meld, card}) for meld in self.laid
                )
                return [card] if fits else None
            case "answer":
                ends = [] if self.with_gin() else [self.passing]
                return [*ends, *self._melds(event), self.passing] if phase == "Layoff" else None
        return None

    def _melds(self, event: Line) -> list[int]:
        """Return the numbers of melds; -1 for what is none."""
        by_cards = {frozenset(self.meld(number)): number for number in range(self.melds, 241)}
        return [by_cards.get(frozenset(map(self.card, meld)), -1) for meld in event["sets"]]

    def with_gin(self) -> bool:
        return (
            self.knocked
            and "Deadwood=0" in str(self.state).split(f"Player{1 - self.state.current_player()}: ")[1]
        )

    def played(self, event: Line) -> None:
        do = event["do"]
        self.taken_last = do == "take" and self.said("Phase") == "Wall"
        if do == "knock":
            self.knocked, self.laid = True, [{*map(self.card, meld)} for meld in event["sets"]]
        elif do == "lay-off":
            onto, card = self.card(event["onto"]), self.card(event["tile"])
            next(meld for meld in self.laid if onto in meld and is_meld({*meld, card})).add(card)

    # ------------------------------------------------------------------ lists

    def legal(self) -> Iterator[Line]:
        by, phase = self.seat(self.state.current_player()), self.said("Phase")
        for number in self.state.legal_actions():
            if self.taken_last and number != self.knock:
                continue
            if number == self.upcard or (number == self.knock and phase == "Wall" and not self.taken_last):
                yield {"do": "take", "by": by, "tile": self.top()}
            elif number == self.stock:
                state = self.state.clone()
                state.apply_action(number)
                yield from (
                    {"do": "draw", "by": by, "tile": self.name(card)} for card in state.legal_actions()
                )
            elif number == self.knock:
                yield from self._knocks(by)
            elif number == self.passing and phase != "Layoff":
                yield {"do": "pass", "by": by}
            elif number == self.passing:
                yield from self._answers(by)
            elif phase == "Layoff" and number < 52:
                for meld in self.laid:
                    if is_meld({*meld, number}):
                        told = {"do": "lay-off", "by": by, "tile": self.name(number)}
                        yield from ({**told, "onto": self.name(card)} for card in meld)
            elif number < 52:
                yield {"do": "discard", "by": by, "tile": self.name(number)}

    def _knocks(self, by: int) -> Iterator[Line]:
        state = self.state.clone()
        state.apply_action(self.knock)
        for card in state.legal_actions():
            after = state.clone()
            after.apply_action(card)
            for sets in self._layouts(after):
                yield {"do": "knock", "by": by, "tile": self.name(card), "sets": sets}

    def _answers(self, by: int) -> Iterator[Line]:
        state = self.state.clone()
        if not self.with_gin():
            state.apply_action(self.passing)
        yield from ({"do": "answer", "by": by, "sets": sets} for sets in self._layouts(state))

    def _layouts(self, state: Any, least: int = 0) -> Iterator[list[list[str]]]:
        """Yield all melds that can be laid before a pass, each set of them once."""
        for number in state.legal_actions():
            if number == self.passing:
                yield []
            elif number >= max(least, self.melds):
                after = state.clone()
                after.apply_action(number)
                for sets in self._layouts(after, number):
                    yield [[self.name(card) for card in self.meld(number)], *sets]

    def pay(self) -> list[int]:
        return [max(0, points) for points in super().pay()]


def is_meld(cards: set[int]) -> bool:
    """Return whether cards are a set of a rank or a run of a suit."""
    ranks, suits = {card % 13 for card in cards}, {card // 13 for card in cards}
    is_run = len(suits) == 1 and max(cards) - min(cards) == len(cards) - 1
    return len(cards) >= 3 and (len(ranks) == 1 or is_run)


class Dominoes(Spiel):
    """Block dominoes for two. OpenSpiel passes over a player who can lay nothing; the passes are judged here."""

    game = "python_block_dominoes"
    players = 2

    def __init__(self) -> None:
        super().__init__()
        self.module: Any = import_module("open_spiel.python.games.block_dominoes")

    def tile(self, name: str) -> tuple[float, ...]:
        return tuple(sorted(map(float, name.split("-"))))

    def name(self, tile: Sequence[float]) -> str:
        return f"{int(tile[1])}-{int(tile[0])}"

    def deal(self, deal: Line) -> Iterable[int]:
        self.ends: list[float] = []
        self.turn, self.passes = 0, 0
        for player in (0, 1):
            for tile in deal["hands"][self.seat(player)]:
                yield self.module._DECK.index(self.tile(tile))

    def over(self) -> bool:
        return super().over() and (self.passes == 2 or not all(map(len, self.state.hands)))

    def actions(self, event: Line) -> Sequence[int] | None:
        player = self.player(event["by"])
        if self.over() or player != self.turn:
            return None
        if event["do"] == "pass":
            return [] if self._is_passed_over() else None
        if self._is_passed_over():
            return None
        tile, side = self.tile(event["tile"]), event["side"]
        if not self.ends and side != "to-the-left":
            return None
        pips = self.ends[side == "to-the-right"] if self.ends else None
        words = f"p{player} tile:{tile} pip:{pips}"
        names: list[str] = self.module._ACTIONS_STR
        return [names.index(words)] if words in names else None

    def _is_passed_over(self) -> bool:
        """Return whether OpenSpiel does not let the player act whose turn it is."""
        return bool(self.state.is_terminal()) or self.state.current_player() != self.turn

    def played(self, event: Line) -> None:
        self.turn, self.passes = 1 - self.turn, self.passes + 1 if event["do"] == "pass" else 0
        if event["do"] == "pass":
            return
        tile, right = self.tile(event["tile"]), event["side"] == "to-the-right"
        if self.ends:
            self.ends[right] = tile[0] if tile[1] == self.ends[right] else tile[1]
        else:
            self.ends = [tile[1], tile[0]]

    def legal(self) -> Iterator[Line]:
        by = self.seat(self.turn)
        if self._is_passed_over():
            yield {"do": "pass", "by": by}
            return
        for number in self.state.legal_actions():
            action = self.module._ACTIONS[number]
            told = {"do": "play", "by": by, "tile": self.name(action.tile)}
            ends = (end == action.edge for end in self.ends) if self.ends else (True, False)
            for side, fits in zip(("to-the-left", "to-the-right"), ends, strict=True):
                if fits:
                    yield {**told, "side": side}

    def pay(self) -> list[int]:
        return [max(0, points) for points in super().pay()]


GAMES: Mapping[str, type[Spiel]] = {kind.game: kind for kind in (Spades, Hearts, Bridge, Gin, Dominoes)}


def main(name: str) -> None:
    """Answer the questions of `golpae conform`."""
    engine = GAMES[name]()
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "new":
            engine.new(question["header"])
            answer: Line = {"ok": True}
        else:
            answer = engine.event(question["event"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
