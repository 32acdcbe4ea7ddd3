"""Random rule texts.

Input: a seed. Output: a rule text, and its faults.
Guarantee: the same seed gives the same text, in any process. Every hand of its games is over after a few events.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.elaborate.blocks import with_uses
from golpae.elaborate.check import check, check_text
from golpae.elaborate.load import Loaded, digest
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.syntax import tree as t
from golpae.syntax.parse import parse
from tests.differential.actions import Actions
from tests.differential.declarations import Declarations
from tests.differential.expressions import Expressions
from tests.differential.properties import Properties
from tests.differential.themes import draw
from tests.differential.vocabulary import CannotMake, World
from tests.judge.words import as_judged

TRIES = 20  # texts that are made before one has no faults


@dataclass(frozen=True)
class RuleText:
    """A rule text; `name` is the name of its game."""

    name: str
    source: str
    seed: int = 0

    def __reduce__(self) -> tuple[type[RuleText], tuple[str, str, int]]:
        """Leave out what can be made anew, which is large."""
        return RuleText, (self.name, self.source, self.seed)

    @cached_property
    def _rule_sets(self) -> dict[tuple[str, ...], RuleSet]:
        return {}

    @cached_property
    def _as_written(self) -> dict[tuple[str, ...], RuleSet]:
        return {}

    @cached_property
    def loaded(self) -> Loaded:
        """The declarations of the text. Raises `SpecError`."""
        decls = with_uses(tuple(parse(Text.of(f"{self.name}.golpae", self.source)).decls))
        game = next(d for d in decls if isinstance(d, t.Game))
        return Loaded(decls, game, ((f"{self.name}.golpae", digest(self.source.encode())),))

    @property
    def switches(self) -> list[str]:
        return [d.name.text for d in self.loaded.decls if isinstance(d, t.Variant)]

    def rule_set(self, *switches: str) -> RuleSet:
        """Return the rules of the text with these switches. Raises `SpecError`."""
        if switches not in self._rule_sets:
            self._rule_sets[switches] = check(resolve("+".join((self.name, *switches)), self.loaded))
        return self._rule_sets[switches]

    def as_written(self, *switches: str) -> RuleSet:
        """Return the rules as the judge reads them, with the names that the text writes. Raises `SpecError`."""
        if switches not in self._as_written:
            self._as_written[switches] = as_judged(resolve("+".join((self.name, *switches)), self.loaded))
        return self._as_written[switches]

    def faults(self) -> list[Diagnostic]:
        """Return what is wrong with the text and its variants."""
        try:
            return check_text(self.loaded)
        except SpecError as fault:
            return list(fault.diagnostics)


def draft(seed: int, small: bool = False, switches: int | None = None) -> RuleText | None:
    """Return a text, which may have faults; None if it could not be made. A `small` one has few positions. It has at
    most so many `switches`, or those that chance gives it.
    """
    rng = random.Random(seed)
    world = World(rng, small, themes=draw(rng))
    world.newer = world.chance(0.5)
    if small:
        world.stuck, world.raises = world.chance(0.2), world.chance(0.35)
    make = Expressions(world)
    name = f"game-{seed % 10_000_000}"
    cited = world.chance(0.15)
    try:
        declared = Declarations(world, make)
        lines = [f'game {name} "A game made by chance"' + (" [900]" if cited else ""), ""]
        if cited:
            lines += ['source 900 "a book"', '  G1 in "The set": "what it is"', ""]
        lines += declared.table() + make.newer.orders() + declared.zones() + declared.states()
        lines += declared.shapes() + declared.scores() + declared.defines() + make.newer.cases()
        actions = Actions(world, make, declared)
        lines += actions.all()
        properties = Properties(world, make, actions)
        lines += [*properties.all(), "", *properties.variants(switches)]
    except CannotMake:
        return None
    return RuleText(name, "\n".join(lines).strip() + "\n", seed)


def random_text(seed: int, small: bool = False, switches: int | None = None) -> RuleText:
    """Return a text without faults, as `draft` makes it."""
    for number in range(TRIES):
        made = draft(seed + number * 10_000_000, small, switches)
        if made is not None and not made.faults():
            return made if made.seed == seed else RuleText(made.name, made.source, seed)
    raise AssertionError(f"no text without faults in {TRIES} tries from seed {seed}")
