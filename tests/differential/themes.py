"""What a random text is about: constructs that are rare by themselves come together.

Input: a random generator. Output: the names of a text's themes, and what each asks for.
Guarantee: some texts have no theme. A theme makes what it names more frequent, and leaves nothing else out.

A fault often needs several constructs at once, such as two rows that are shuffled and a variant that moves other tiles
to them. Texts in which every construct is as rare as in all others have them together too seldom.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

FACTOR = 6.0  # how much more frequent what a theme names is
MOST_CHANCE = 0.6
WITHOUT = 0.35  # share of the texts that have no theme


@dataclass(frozen=True)
class Theme:
    """What the texts of a theme have: zones and states by name, a form of definition, and frequent effects."""

    zones: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    define: str = ""
    effects: tuple[str, ...] = ()


THEMES = {
    "values that change": Theme(states=("bid", "told", "wish"), define="state", effects=("asked again",)),
    "rounds": Theme(states=("hits", "marked"), effects=("passed along", "handed along", "last decides")),
    "taken twice": Theme(effects=("taken twice",)),
    "places that change": Theme(zones=("lot",), define="owner", effects=("place that changes",)),
    "hidden rows": Theme(zones=("line", "well"), effects=("seen and hidden", "laid apart")),
    "melds": Theme(zones=("shown", "table"), effects=("grown",)),
    "names": Theme(states=("marked", "taken"), effects=("hidden and used", "hiding")),
    "divisions": Theme(states=("bid", "hits"), effects=("division",)),
    "marked groups": Theme(zones=("shown",), effects=("marked group",)),
    "variants": Theme(effects=("variant",)),
    "ends of rows": Theme(zones=("line",), effects=("emptied",)),
    "totals": Theme(effects=("totals",)),
    "before the deal": Theme(effects=("match state",)),
}


def draw(rng: random.Random) -> frozenset[str]:
    """Return the themes of a text."""
    if rng.random() < WITHOUT:
        return frozenset()
    chosen = rng.sample(list(THEMES), rng.choice((1, 1, 2)))
    if "hidden rows" in chosen and rng.random() < 0.5:  # what is hidden shows only in what comes later
        chosen.append("variants")
    return frozenset(chosen)
