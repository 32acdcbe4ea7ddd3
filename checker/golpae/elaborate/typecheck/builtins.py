"""The words that every game has.

Input: none. Output: each word with its type and meaning; the language reference is made from this list.
"""

from __future__ import annotations

from dataclasses import dataclass

from golpae.ir.expr import WordName
from golpae.ir.types import INT, SEAT, SEATS, TILES, Opt, Type


@dataclass(frozen=True, slots=True)
class Word:
    """A word of every game: its type, whether it belongs to a player (`p's right`), and its meaning."""

    name: WordName
    type: Type
    of_player: bool
    text: str


def _word(name: WordName, type_: Type, of_player: bool, text: str) -> tuple[str, Word]:
    return name, Word(name, type_, of_player, text)


BUILTINS: dict[str, Word] = dict(
    [
        _word("players", SEATS, False, "all players of the game, in order of play"),
        _word("tiles", TILES, False, "all tiles in play, each copy"),
        _word("kinds", TILES, False, "all kinds of tiles in play, each once"),
        _word("stake", INT, False, "the stake in the header of the trace, 1 if it has none"),
        _word("winner", Opt(SEAT), False, "who has won the hand, or none"),
        _word("hands-played", INT, False, "how many hands have ended in this match"),
        _word("right", SEAT, True, "the player who acts after this one"),
        _word("left", SEAT, True, "the player who acts before this one"),
        _word("total", INT, True, "what the player has gained over the hands that have ended"),
    ]
)

EARLIER = "earlier"  # `earlier(x)`: what x was before the event that a property speaks of

TRUTHS: dict[str, str] = {"over": "whether the hand is over, won or not; then only `end` can follow"}
