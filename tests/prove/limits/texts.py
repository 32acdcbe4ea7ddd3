"""Random expressions in words of the language.

Input: a seed, and a depth. Output: a truth or a number that reads the states `n` and `m` and uses `DEFINED`.
Guarantee: the same seed gives the same ones.
"""

from __future__ import annotations

import random

STATES = ("n", "m")
DEFINED = """
define raised(x: number, y: number): x ^ y
define doubled(x: number): 2 ^ x
"""


class Texts:
    """Random truths in words of the language."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def truth(self, depth: int, names: tuple[str, ...] = STATES) -> str:
        kind = self.rng.randrange(8 if depth else 2)
        if kind < 3:
            sign = self.rng.choice(("<", "<=", ">", "=", "/="))
            return f"({self.number(depth, names)} {sign} {self.number(depth, names)})"
        if kind < 6:
            word = self.rng.choice(("and", "or", "implies"))
            return f"({self.truth(depth - 1, names)} {word} {self.truth(depth - 1, names)})"
        word = self.rng.choice(("some", "every", "no"))
        name = f"k{depth}"
        body = self.truth(depth - 1, (*names, name))
        return f"({word} {name} in {{1, 3, {self.number(0, names)}}}: {body})"

    def number(self, depth: int, names: tuple[str, ...]) -> str:
        pick = self.rng.choice
        kind = self.rng.randrange(8 if depth else 2)
        if kind == 0:
            return str(pick((0, 1, 2, 10, 40, 900)))
        if kind == 1:
            return pick(names)
        one, other = self.number(depth - 1, names), self.number(depth - 1, names)
        if kind == 2:
            return f"({one} {pick(('+', '-', '*', 'div', 'mod'))} {other})"
        if kind == 3:
            return f"(if {self.truth(depth - 1, names)} then {one} else {other})"
        if kind == 4:
            inner = self.number(depth - 1, (*names, f"s{depth}"))
            return f"(sum of {inner} for s{depth} in {{0, 2, {self.number(0, names)}}})"
        if kind == 5:
            return pick((f"raised({one}, {other})", f"doubled({one})"))
        return f"({one} ^ {other})"
