"""Random texts that only count hands: scores that no action asks for, melds that no action gives.

Input: a seed. Output: a rule text with a variant that changes its score.
Guarantee: the same seed gives the same text. The set is so small that the judge goes through all that can be given.
"""

from __future__ import annotations

import random

from tests.differential.texts import RuleText

VARIANT = "other"
SETS = (
    ("coins: two of each 1c 2c", ("1c", "2c")),
    ("coins: two of each 1c 2c\n  single: one of each 3d", ("1c", "2c", "3d")),
    ('coins: one of each "{rank}c" for rank in 1 to 4', ("1c", "2c", "3c", "4c")),
    ("coins: three of each 1c\n  single: one of each 2d 3d", ("1c", "2d", "3d")),
)
SHAPES = {
    "twin": "shape twin(a, b): a = b",
    "pair": "shape pair(a, b): a = b",
    "mixed": "shape mixed(a, b): a /= b",
    "lone": "shape lone(a): a in coins",
    "low": "shape low of 2: 1c in it",
    "trio": "shape trio(a, b, c): a = b",
    "first": "shape first: {1c}",
}
UNIONS = {"couple": ("twin", "mixed"), "one": ("lone", "first"), "any": ("couple", "lone")}


class _Calculator:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"calculator {seed}")
        self.name = f"counter-{seed % 10_000_000}"
        self.tiles: str
        self.kinds: tuple[str, ...]
        self.tiles, self.kinds = self.rng.choice(SETS)
        self.given: list[str] = []
        self.melds: list[str] = []  # the parameters that are melds
        self.names: list[str] = []  # of groups and bags of groups
        self.patterns = ["basic", "fine", "rare"][: self.rng.randint(1, 3)]
        self.marks = False
        own = random.Random(f"numbers {seed}")  # so that all others stay as they were
        self.numbers = ["wide", "deep"] if own.random() < 0.3 else []
        totals = ("wide + deep", "wide - deep", "2 * wide + deep", "wide * 2 ^ deep", "size of hand", "sum")
        self.formula = own.choice((*totals, "if basic then wide else deep", "deep rounded up to 2"))

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # ------------------------------------------------------------------ what a score asks

    def test(self, depth: int = 1) -> str:
        """Return a truth about a way."""
        if depth and self.chance(0.35):
            left, right = self.test(0), self.test(0)
            return self.rng.choice(
                (f"{left} and {right}", f"{left} or {right}", f"not ({left})", f"{left} implies {right}")
            )
        return self.rng.choice([*self._of_given(), *self._of_melds(), *self._of_groups()])

    def _of_given(self) -> list[str]:
        kind, number = self.rng.choice(self.kinds), self.rng.randint(0, 3)
        tests = [f"{kind} in hand", f"size of hand = {number}", f"(number of t in hand: t = {kind}) > 1"]
        tests += [f"arrangement is {name}" for name in self.arrangements]
        if "drawn" in self.given:
            tests += ["drawn", "not drawn"]
        if "last" in self.given:
            tests += [f"last = {kind}", "last in hand"]
        if "beside" in self.given:
            tests += ["beside is empty", f"{kind} in beside", "some t in beside: t in hand"]
        if "mood" in self.given:
            tests += ["mood is none", "mood = early", "mood /= late"]
        return tests

    def _of_melds(self) -> list[str]:
        tests = []
        for name in self.melds:
            shape = self.rng.choice(self.shapes)
            tests += [f"{name} is empty", f"size of {name} = {self.rng.randint(0, 2)}"]
            tests += [f"{self.rng.choice(('some', 'every', 'no'))} m in {name}: m is {shape}"]
            if len(self.melds) > 1:
                tests.append(f"some m in {name}: m in {self.rng.choice(self.melds)}")
        return tests

    def _of_groups(self) -> list[str]:
        tests = []
        for name in [*self.names, *(["done"] if self.marks else [])]:
            shape = self.rng.choice(self.shapes)
            if name.endswith("s"):
                tests.append(f"{self.rng.choice(('some', 'every', 'no'))} s in {name}: s is {shape}")
                tests += [f"some s in {name}: s in {m}" for m in self.melds]
            else:
                tests.append(f"{name} is {shape}")
                tests += [f"{name} in {m}" for m in self.melds]
        return tests

    def keep(self) -> str:
        forms = ["yes", "points > 0", "points >= 2", "eligible > 0", self.patterns[0], self.test()]
        if self.numbers:
            forms += ["wide > 0", "deep > 0 and wide < 3"]
        return self.rng.choice(forms)

    def points(self) -> str:
        return self.rng.choice(("1", "2", "3", "size of hand", *(f"size of {m}" for m in self.melds)))

    # ------------------------------------------------------------------ the text

    def text(self) -> str:
        lines = [
            f'game {self.name} "What hands are worth"',
            "",
            "players 2 to 2",
            "",
            f"tiles\n  {self.tiles}",
        ]
        lines += ["", "zones", "  wall: tiles seen by nobody, holds the set"]
        lines += [
            "  each player's hand: tiles seen by its owner",
            "",
            *self._shapes(),
            "",
            *self._score(),
            "",
        ]
        lines += ["deal from wall", "  hands: 1 for everyone", "", 'action stop by p "stop"']
        lines += ["  then nobody wins", "", "end", "  due: over", ""]
        for number in range(3):
            word, tail = self.rng.choice(("every", "some", "no")), self.test()
            if self.chance(0.6):
                tail = (
                    f"{self.rng.choice(('kept', 'points = 1', 'points > 2', *self.patterns))} implies {tail}"
                )
            if self.numbers and number == 0:
                tail = f"{self.numbers[-1]} = 1 implies {tail}"
            lines.append(f"claim claim-{number}: {word} way of worth: {tail}")
        lines += ["", f'variant {VARIANT} "as others count"', f"  {self._change()}"]
        return "\n".join(lines) + "\n"

    def _shapes(self) -> list[str]:
        rng = self.rng
        plain = rng.sample(list(SHAPES), rng.randint(2, 4))
        unions = {name: [m for m in members if m in plain or m in UNIONS] for name, members in UNIONS.items()}
        self.shapes = list(plain)
        lines = [SHAPES[name] for name in plain]
        for name, members in unions.items():
            known = [m for m in members if m in self.shapes]
            if len(known) > 1 and self.chance(0.7):
                self.shapes.append(name)
                lines.append(f"shape {name}: {' or '.join(known)}")
        self.arrangements = ["whole", "bunch"][: rng.choice((0, 1, 2, 2, 2))]
        for name in self.arrangements:
            parts = rng.sample(self.shapes, rng.choice((1, 1, 2)))
            said = []
            for part in parts:
                count = rng.choice((1, 1, 2))
                different = "different " if count > 1 and self.chance(0.3) else ""
                said.append(f"{count} {different}{part}{'s' if count > 1 else ''}")
                self.names.append(f"{part}s" if count > 1 else part)
            lines.append(f"arrangement {name}: {' and '.join(said)}")
        self.names = list(dict.fromkeys(self.names))
        return lines

    def _score(self) -> list[str]:
        rng = self.rng
        form = rng.choice(("none", "fixed", "fixed", "fixed", "two", "beside"))
        self.melds = {"none": [], "fixed": ["open"], "two": ["open", "closed"], "beside": ["theirs"]}[form]
        fixed = {"fixed": "open", "two": "open + closed"}.get(form)
        given = ["hand: tiles", *(f"{name}: melds = {{}}" for name in self.melds)]
        last = self.chance(0.35)
        small = form in ("none", "fixed")
        if last:
            self.given.append("last")
            given.append("last: tile")
        if self.chance(0.3):
            self.given.append("drawn")
            given.append("drawn: yes or no = no")
        if small and self.chance(0.2):
            self.given.append("beside")
            given.append("beside: tiles = {}")
        if small and self.chance(0.2):
            self.given.append("mood")
            given.append("mood: one of early, late or none = none")
        lines = ["score worth", "  given", *(f"    {line}" for line in given)]
        marks = last and self.chance(0.6)
        names, self.names = self.names, []
        arrangements, self.arrangements = self.arrangements, []
        if self.chance(0.4):
            self.provides = True
            lines += ["  provided", f'    fit: {self.test()} "this cannot be"']
        else:
            self.provides = False
        self.names, self.arrangements, self.marks = names, arrangements, marks
        if not self.arrangements:  # nothing is laid out
            fixed, marks, self.marks = None, False, False
        else:
            lines.append(f"  hand: {'hand + last' if last and self.chance(0.7) else 'hand'}")
        lines += [f"  fixed: {fixed}"] if fixed else []
        lines += [f"  as: {' or '.join(self.arrangements)}"] if self.arrangements else []
        lines += ["  marking: last as done"] if marks else []
        self.keeps = self.chance(0.7)
        lines += [f"  keep: {self.keep()}"] if self.keeps else []
        total = rng.choice(("sum", "sum", "highest", "unimplied"))
        if self.numbers:
            lines.append(f"  counts: {', '.join(self.numbers)}")
            total = total if total == "unimplied" else self.formula
        lines.append(f"  total: {total}")
        for place, name in enumerate(self.patterns):
            each = ""
            if self.names and self.chance(0.2):
                bags = [n for n in (*self.names, *self.melds) if n.endswith("s") or n in self.melds]
                each = f" for each e in {rng.choice(bags)}" if bags else ""
            extra = ", extra" if self.chance(0.15) else ""
            if total != "highest" and self.chance(0.1):
                extra = ", alone"
            test = self.test()
            if place and self.chance(0.25):
                above = rng.choice(self.patterns[:place])
                test = rng.choice(
                    (above, f"not {above}", f"not {above} and ({test})", f"{above} or ({test})")
                )
            unit = f" {self.numbers[place % 2]}" if self.numbers else ""
            lines.append(f"  pattern {name} {self.points()}{unit}{each}{extra}: {test}")
        if len(self.patterns) > 1 and self.chance(0.3):
            lines.append(f"  {self.patterns[0]} brings {self.patterns[1]}")
        return lines

    def _change(self) -> str:
        pattern = self.rng.choice(self.patterns)
        forms = [f"replace worth.{pattern}: {self.test()}"] * 3
        if len(self.patterns) > 1:
            forms.append(f"drop worth.{self.patterns[-1]}")
        if self.keeps:
            forms += [f"replace worth.keep: {self.keep()}"] * 2
        if self.provides:
            names, self.names = self.names, []
            arrangements, self.arrangements, marks, self.marks = self.arrangements, [], self.marks, False
            forms += [f"replace worth.fit: {self.test()}"] * 2
            self.names, self.arrangements, self.marks = names, arrangements, marks
        return self.rng.choice(forms)


def calculator(seed: int) -> RuleText | None:
    """Return a text that only counts hands; None if it has faults."""
    made = _Calculator(seed)
    text = RuleText(made.name, made.text(), seed)
    return None if text.faults() else text
