"""The rule set of a text that games come nearest to.

Input: a game, with switches that are on in any case, and files of recorded games.
Output: the rule sets that make the most games legal with the fewest switches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from golpae.attribute.corpus import Corpus
from golpae.attribute.traces import Attribution
from golpae.ir.ruleset import RuleSet
from golpae.trace import Source


def nearest(rules: str, load: Callable[[str], RuleSet], files: Sequence[Source]) -> list[str]:
    """Return the rule sets that games come nearest to. Raises OSError and `SpecError`."""
    base = rules.partition("+")[0]
    attribution = Attribution(load, rules)
    family = attribution.family(base)
    if isinstance(family, str):
        return [rules]
    corpus = Corpus(family)
    for source in files:
        with source.open() as stream:
            for result in attribution.traces(stream, source.name):
                if result.fault is None and result.family is not None:
                    corpus.add(result)
    if corpus.traces == 0:
        return [rules]
    return [family.called(bits) for bits in corpus.answer().smallest]
