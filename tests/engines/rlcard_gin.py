"""An adapter for the gin rummy of RLCard (`pip install rlcard`), as its version 1.2.0 has it.

    golpae conform tests/engines/rlcard-gin.golpae -- python tests/engines/rlcard_gin.py

RLCard shows both hands after a knock, and counts them in their best melds. It has no points: those of the game are
worked out here from what it counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

Line = dict[str, Any]
Melds = frozenset[frozenset[str]]


class Gin:
    """One hand after the other."""

    def __init__(self) -> None:
        package = "rlcard.games.gin_rummy"
        self.game_class = import_module(f"{package}.game").GinRummyGame
        self.round_class = import_module(f"{package}.round").GinRummyRound
        self.actions: Any = import_module(f"{package}.utils.action_event")
        self.melding: Any = import_module(f"{package}.utils.melding")
        self.utils: Any = import_module(f"{package}.utils.utils")
        self.card_class = import_module("rlcard.games.base").Card

    def card(self, name: str) -> Any:
        return self.card_class(name[-1], name[:-1].replace("10", "T"))

    def name(self, card: Any) -> str:
        return f"{card.rank.replace('T', '10')}{card.suit}"

    def new(self, header: Line) -> None:
        self.game: Any = None
        self.bonuses = header.get("options", {})

    def deal(self, deal: Line) -> None:
        game = self.game_class()
        game.settings.max_move_count = 1_000_000  # the rules have no such limit
        game.init_game()
        game.round = self.round_class(dealer_id=1 - deal["first"], np_random=game.np_random)
        for player, hand in zip(game.round.players, deal["hands"], strict=True):
            player.hand = [*map(self.card, hand)]
            player.did_populate_hand()
        game.round.dealer.stock_pile = [*map(self.card, deal["reserve"])]
        self.game = game
        self.knocker: int | None = None
        self.is_gin = self.is_over = False

    # ------------------------------------------------------------------ events

    def event(self, event: Line) -> Line:
        """Play an event, or refuse it."""
        do = event["do"]
        if do == "deal":
            self.deal(event)
        elif self.game is None or (do not in ("end", "finish") and not self._play(event)):
            return {"ok": False}
        return self._told()

    def _play(self, event: Line) -> bool:
        do, by = event["do"], event["by"]
        if self.is_over:
            return False
        if self.knocker is not None:
            return do == "answer" and by != self.knocker and self._answer(event)
        if by != self.game.round.current_player_id:
            return False
        action = self._action(event)
        if action is None or action not in self.legal_actions():
            return False
        if do == "draw":  # whichever card comes
            stock = self.game.round.dealer.stock_pile
            card = self.card(event["tile"])
            stock.remove(card)
            stock.append(card)
        self.game.step(action)
        if do == "knock":
            self.knocker, self.is_gin = by, isinstance(action, self.actions.GinAction)
        self.is_over = do == "pass"
        return True

    def _action(self, event: Line) -> Any:
        """Return RLCard's action for an event, or None."""
        do, dealer = event["do"], self.game.round.dealer
        tile = self.card(event["tile"]) if "tile" in event else None
        if do == "pass":
            return self.actions.DeclareDeadHandAction()
        if do == "draw":
            return self.actions.DrawCardAction() if tile in dealer.stock_pile else None
        if do == "take":
            fits = dealer.discard_pile and dealer.discard_pile[-1] == tile
            return self.actions.PickUpDiscardAction() if fits else None
        if do == "discard":
            return self.actions.DiscardAction(tile)
        if do != "knock" or tile not in self.hand():
            return None
        rest = [card for card in self.hand() if card != tile]
        if self._melds(event) not in self.best(rest):
            return None
        if self.actions.GinAction() in self.legal_actions():
            return self.actions.GinAction() if self.least(rest) == 0 else None
        return self.actions.KnockAction(tile)

    def _answer(self, event: Line) -> bool:
        hand = self.game.round.players[1 - (self.knocker or 0)].hand
        if self._melds(event) not in self.best(hand):
            return False
        self.game.step(self.actions.ScoreNorthPlayerAction())
        self.game.step(self.actions.ScoreSouthPlayerAction())
        self.is_over = True
        return True

    # ------------------------------------------------------------------ melds, as RLCard finds them

    def hand(self) -> list[Any]:
        hand: list[Any] = self.game.round.players[self.game.round.current_player_id].hand
        return hand

    def layouts(self, hand: Sequence[Any]) -> dict[Melds, int]:
        """Return what each way to lay melds leaves."""
        clusters = [[], *self.melding.get_meld_clusters(hand)]
        return {
            frozenset(frozenset(map(self.name, meld)) for meld in cluster): self.utils.get_deadwood_count(
                hand=hand, meld_cluster=cluster
            )
            for cluster in clusters
        }

    def least(self, hand: Sequence[Any]) -> int:
        return min(self.layouts(hand).values())

    def best(self, hand: Sequence[Any]) -> list[Melds]:
        found = self.layouts(hand)
        return [melds for melds, left in found.items() if left == min(found.values())]

    def _melds(self, event: Line) -> Melds:
        return frozenset(frozenset(meld) for meld in event["sets"])

    # ------------------------------------------------------------------ what it tells

    def legal_actions(self) -> list[Any]:
        actions: list[Any] = self.game.judge.get_legal_actions()
        return actions

    def _told(self) -> Line:
        told: Line = {"ok": True, "over": self.is_over, "legal": [] if self.is_over else [*self._legal()]}
        if self.is_over:
            told["pay"] = self._pay()
        return told

    def _legal(self) -> Iterator[Line]:
        if self.knocker is not None:
            hand = self.game.round.players[1 - self.knocker].hand
            yield from (
                {"do": "answer", "by": 1 - self.knocker, "sets": _sets(one)} for one in self.best(hand)
            )
            return
        by, hand = self.game.round.current_player_id, self.hand()
        for action in self.legal_actions():
            name = type(action).__name__
            if name == "DrawCardAction":
                stock = self.game.round.dealer.stock_pile
                yield from ({"do": "draw", "by": by, "tile": self.name(card)} for card in stock)
            elif name == "PickUpDiscardAction":
                yield {"do": "take", "by": by, "tile": self.name(self.game.round.dealer.discard_pile[-1])}
            elif name == "DeclareDeadHandAction":
                yield {"do": "pass", "by": by}
            elif name == "DiscardAction":
                yield {"do": "discard", "by": by, "tile": self.name(action.card)}
            else:
                cards = hand if name == "GinAction" else [action.card]
                for card in cards:
                    rest = [other for other in hand if other != card]
                    if name == "KnockAction" or self.least(rest) == 0:
                        told = {"do": "knock", "by": by, "tile": self.name(card)}
                        yield from ({**told, "sets": _sets(one)} for one in self.best(rest))

    def _pay(self) -> list[int]:
        if self.knocker is None:
            return [0, 0]
        left = [move.deadwood_count for move in self.game.round.move_sheet[-2:]]
        knocker, other = self.knocker, 1 - self.knocker
        pay = [0, 0]
        if self.is_gin:
            pay[knocker] = left[other] + self.bonuses.get("gin-bonus", 25)
        elif left[other] > left[knocker]:
            pay[knocker] = left[other] - left[knocker]
        else:
            pay[other] = left[knocker] - left[other] + self.bonuses.get("undercut-bonus", 25)
        return pay


def _sets(melds: Melds) -> list[list[str]]:
    return [sorted(meld) for meld in melds]


def main() -> None:
    """Answer the questions of `golpae conform`."""
    engine = Gin()
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
    main()
