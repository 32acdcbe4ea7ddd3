"""Mutants of real rule texts, those of `spec/` and of the pages, with one small change, and of small texts in `found`.

Input: a seed. Output: rule texts. Small texts have one or two changes.
Guarantee: the base rules of each elaborate without faults; the same seed gives the same mutants in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

from golpae.bundled import spec_dir
from golpae.diagnostics import SpecError
from golpae.elaborate.load import Loaded, games_in, load
from golpae.mutate.mutants import mutants
from golpae.syntax import tree as t
from golpae.syntax.format import format_text
from tests.differential.texts import RuleText

FOUND = Path(__file__).parent / "found"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def real_texts() -> Iterator[tuple[str, Loaded]]:
    """Yield every real text, with the texts that it includes."""
    for folder in (spec_dir(), EXAMPLES):
        for name in games_in(folder):
            yield name, load(name, [folder])


def random_mutants(seed: int) -> Iterator[RuleText]:
    """Yield mutants of real texts without end, one text after the other."""
    rng = random.Random(seed)
    texts = [(name, [m.loaded for m in mutants(loaded)]) for name, loaded in real_texts()]
    for number in count(seed):
        name, mutated = texts[number % len(texts)]
        made = as_text(name, rng.choice(mutated), number)
        if _elaborates(made):
            yield made


@cache
def _found() -> tuple[RuleText, ...]:
    """Return the texts on which golpae was wrong once."""
    return tuple(
        RuleText(file.stem, file.read_text(encoding="utf-8")) for file in sorted(FOUND.glob("*.golpae"))
    )


def mutant_of_found(seed: int) -> RuleText:
    """Return one of the texts on which golpae was wrong once, with a change or two."""
    rng = random.Random(seed)
    while True:
        text = rng.choice(_found())
        for _ in range(rng.choice((1, 1, 2))):
            if not text.faults():  # a change can leave an action without a line
                changed = rng.choice([m.loaded for m in mutants(text.loaded)])
                text = as_text(text.name, changed, seed)
        if not text.faults():
            return text


def _elaborates(text: RuleText) -> bool:
    try:
        text.rule_set()
    except SpecError:
        return False
    return True


def as_text(name: str, loaded: Loaded, seed: int) -> RuleText:
    """Return loaded declarations as one text."""
    decls = [d for d in loaded.decls if not isinstance(d, t.Game | t.Include)]
    return RuleText(name, format_text(t.RuleText((loaded.game, *decls))), seed)
