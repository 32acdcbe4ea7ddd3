"""Examples for the playground, each of which opens in a state that shows something.

Input: none. Output: the examples, in the order of a menu. The recorded games lie beside this module, as `NAME.jsonl`.
Guarantee: each is a text that comes with golpae, or one of the small games to begin with, perhaps with a part added or
a word changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from golpae.assets.beginnings import small_game
from golpae.bundled import spec_dir

OWN, TITLE = "parlour", "Parlour"  # the name of the game in small texts
HOW = "Faults are marked while you type. Beside the text you can play it, and see what you have changed."
PROOF = "`Prove`, beside the text,"
HOUSE_RULE = """
# A house rule: whoever can play has to.
variant must-play "nobody takes a tile who can play one"
  add draw.needed: no t in p's hand: top of pile is none or alike(t, top of pile)
    "{p} can play a tile, and has to"
"""
PROMISE = """
# Is it true that nobody ever holds more than seven tiles? Prove it, and see.
always seven-at-most: every p in players: size of p's hand <= 7
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A state of the playground: a text with what is added to it, a part of the page, and what is chosen there.

    `base` is a text that comes with golpae, or with `-` in front one of the small games to begin with. With `runs`, the
    part of the page does at once what its button does.
    """

    name: str
    words: str
    base: str
    tab: str
    runs: bool = False
    more: str = ""
    change: tuple[str, str] | None = None
    has_game: bool = False
    choices: tuple[tuple[str, str | int], ...] = ()

    def text(self) -> str:
        """Return the rule text. Raises OSError."""
        if not self.base.startswith("-"):
            return (spec_dir() / f"{self.base}.golpae").read_text(encoding="utf-8")
        text = small_game(self.base[1:], OWN, TITLE, HOW, PROOF) + self.more
        return text if self.change is None else text.replace(*self.change)

    def game(self) -> str | None:
        """Return the recorded game, if there is one. Raises OSError."""
        return files(__name__).joinpath(f"{self.name}.jsonl").read_text("utf-8") if self.has_game else None


SEEN, BEGUN = "Look at", "Begin with"
EXAMPLES: dict[str, tuple[Example, ...]] = {
    SEEN: (
        Example("play", "a game to play at once: jjak", "jjak", "play", runs=True),
        Example("refused", "a recorded game that breaks a rule", "jjak", "trace", has_game=True),
        Example(
            "fault", "a text with a misspelt word", "-shed-tiles", "trace", change=("p = mover", "p = mvoer")
        ),
        Example(
            "proved",
            "a proof: every hand comes to its end",
            "-shed-tiles",
            "prove",
            runs=True,
            choices=(("property", "every-hand"),),
        ),
        Example(
            "refuted",
            "a promise that does not hold, and a game that shows it",
            "-shed-tiles",
            "prove",
            runs=True,
            more=PROMISE,
            choices=(("property", "seven-at-most"),),
        ),
        Example(
            "compared",
            "what a house rule changes, and a game that it forbids",
            "-shed-tiles",
            "compare",
            runs=True,
            more=HOUSE_RULE,
            choices=(("right", "must-play"),),
        ),
        Example("hidden", "a game of which only one hand was seen", "-shed-tiles", "trace", has_game=True),
    ),
    BEGUN: (
        Example("shed-tiles", "get rid of all tiles", "-shed-tiles", "trace"),
        Example("shed-cards", "get rid of all cards", "-shed-cards", "trace"),
        Example(
            "discard-tiles", "draw and discard tiles until a hand goes together", "-discard-tiles", "trace"
        ),
        Example(
            "discard-cards", "draw and discard cards until a hand goes together", "-discard-cards", "trace"
        ),
        Example("tricks-cards", "follow suit, and take tricks", "-tricks-cards", "trace"),
        Example("line-dominoes", "put dominoes at the ends of a line", "-line-dominoes", "trace"),
    ),
}
