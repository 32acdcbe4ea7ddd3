"""The rule sets of a text that games come nearest to.

Input: a game, with switches that are on in any case, and recorded games.
Output: the rule sets that make the most games legal with the fewest switches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from golpae.attribute.corpus import Corpus
from golpae.attribute.traces import Attribution
from golpae.ir.ruleset import RuleSet
from golpae.learn.reading import as_lines
from golpae.mutate.recorded import Trace


def nearest(rules: str, load: Callable[[str], RuleSet], games: Sequence[Trace]) -> list[str]:
    """Return the rule sets that games come nearest to. Raises `SpecError`."""
    base = rules.partition("+")[0]
    attribution = Attribution(load, rules)
    family = attribution.family(base)
    if isinstance(family, str):
        return [rules]
    corpus = Corpus(family)
    for result in attribution.results(as_lines(games), ""):
        if result.fault is None and result.family is not None:
            corpus.add(result)
    if corpus.traces == 0:
        return [rules]
    return [family.called(bits) for bits in corpus.answer().smallest]
