"""All rule sets of one game: every valid combination of its variants and readings.

Input: a game's name, and a function that loads rule sets by name.
Output: a `Family`: the switches as numbers, what each of them changes, the region of the combinations that are rule
sets.
Guarantee: raises `SpecError` if the game's text has a fault; a switch whose text has one is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from golpae.diagnostics import SpecError
from golpae.families.footprint import Footprint, footprint_of
from golpae.families.region import Cube, Space
from golpae.ir.ruleset import RuleSet, SwitchDecl

Load = Callable[[str], RuleSet]


class Family:
    """A game with all its switches. A rule set is a number, with a bit for each switch that is on.

    `universe` are all valid rule sets. `clashes` are the pairs of switches that change one clause in
    different ways, `faulty` the switches whose text has a fault.
    """

    def __init__(self, base: str, load: Load, fixed: Sequence[str] = ()) -> None:
        """Load the game. `fixed` switches are on in every rule set of the universe. Raises `SpecError`."""
        self.base = base
        rules = load(base)
        self.switches: tuple[SwitchDecl, ...] = rules.switches
        self.names = tuple(s.name for s in self.switches)
        singles = [_loaded(load, f"{base}+{name}") for name in self.names]
        self.footprint: Footprint = footprint_of(rules, singles)
        self.faulty = tuple(n for n, s in zip(self.names, singles, strict=True) if s is None)
        self.clashes = tuple(self._clashing(load))
        self.every = (1 << len(self.names)) - 1
        self.fixed = self.bits(fixed)
        self.space = Space(len(self.names))
        self.universe = self.space.everything
        for name in self.faulty:
            self.leave_out((self.bits([name]), self.bits([name])))
        for pair in self.clashes:
            self.leave_out((self.bits(pair), self.bits(pair)))
        if fixed:
            load("+".join((base, *fixed)))
            self.universe = self.universe.restrict((self.fixed, self.fixed))

    def _clashing(self, load: Load) -> Iterator[tuple[str, str]]:
        sound = [s for s in self.switches if s.name not in self.faulty]
        for number, first in enumerate(sound):
            for second in sound[number + 1 :]:
                same = set(first.paths) & set(second.paths)
                sizes = {"players", "tiles"} & {
                    *first.paths,
                    *second.paths,
                }  # a set may be too small for more
                if (same or sizes) and _loaded(load, f"{self.base}+{first.name}+{second.name}") is None:
                    yield first.name, second.name

    def leave_out(self, cube: Cube) -> None:
        """Remove the rule sets of a cube from the universe."""
        self.universe = self.universe.subtract(cube)

    def bits(self, names: Iterable[str]) -> int:
        """Return switches by name as a number; those that the game does not have are left out."""
        return sum(1 << self.names.index(name) for name in set(names) if name in self.names)

    def on(self, switches_on: int) -> tuple[str, ...]:
        """Return the switches that are on, in the order of the text."""
        return tuple(name for number, name in enumerate(self.names) if switches_on >> number & 1)

    def called(self, switches_on: int) -> str:
        """Return the name of a rule set."""
        return "+".join((self.base, *self.on(switches_on)))

    def named(self, rules: str) -> int:
        """Return the rule set of a name that `called` gives."""
        return self.bits(rules.split("+")[1:])


def _loaded(load: Load, rules: str) -> RuleSet | None:
    try:
        return load(rules)
    except SpecError:
        return None
