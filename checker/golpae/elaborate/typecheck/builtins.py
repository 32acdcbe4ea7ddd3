"""The words that every game has.

Input: none. Output: each word with its type and meaning; the language reference is made from this list.
Guarantee: no declaration of a text can have one of these names.
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
        _word("tiles", TILES, False, "all tiles in play, every copy"),
        _word("kinds", TILES, False, "every kind of tile in play, once"),
        _word("stake", INT, False, "the stake from the header of the trace; 1 if the header has none"),
        _word(
            "winner", Opt(SEAT), False, "the player who has won the hand; none if nobody has, or several have"
        ),
        _word("hands-played", INT, False, "the number of hands that have ended in this match"),
        _word("right", SEAT, True, "the player who plays after `p`"),
        _word("left", SEAT, True, "the player who plays before `p`"),
        _word("total", INT, True, "what `p` has gained or lost in the hands that have ended"),
    ]
)

EARLIER = "earlier"  # `earlier(x)`: the value of x before the event that a property is about

TRUTHS: dict[str, str] = {"over": "whether the hand is over, won or not; then only `end` can follow"}

# What stands alone, without a player; `all` does in `move all from`.
STANDING_ALONE = frozenset({*(name for name, word in BUILTINS.items() if not word.of_player), *TRUTHS, "all"})
# What no event and no call can give under its name. `tiles` it can: an event may give tiles, and they are meant there.
NO_VALUES = STANDING_ALONE - {"tiles"}
