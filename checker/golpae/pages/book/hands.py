"""Hands for the patterns of a rule book that no recorded game shows: the solver finds them.

Input: a table, and the hands that games show.
Output: an example for each further pattern.
Guarantee: what is found is kept in the cache, so that a book with the same rules has the same hands at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from golpae import cache
from golpae.elaborate.instance import Instance
from golpae.ir.codec import encode
from golpae.pages.book.pictures import Example, example_of
from golpae.progress import Progress

CODE = ("elaborate", "ir", "prove", "replay", "verify")  # what takes part in finding hands
_Found = list[tuple[str, dict[str, Any] | None, list[tuple[str, str]]]]


def examples_by_proof(
    instance: Instance, shown: Collection[str], progress: Progress, only: Collection[str] | None = None
) -> Iterator[tuple[str, Example]]:
    """Yield hands for patterns under the names that `examples_of` gives them, except those that are `shown`; `only`
    names the patterns to look for.
    """
    wanted = {
        score.name: [
            pattern.name
            for pattern in score.patterns
            if f"pattern {pattern.name}" not in shown and (only is None or pattern.name in only)
        ]
        for score in instance.rule_set.scores
    }
    if not any(wanted.values()):
        return
    for pattern, score, given in _hands(instance, wanted, progress):
        rules = instance.rule_set.rules
        none = Example((), "no hand has this pattern", 0, rules=rules)
        example = none if score is None else example_of(score, rules, given)
        yield f"pattern {pattern}", example
        if score is not None and f"arrangement {score['arrangement']}" not in shown:
            yield f"arrangement {score['arrangement']}", example


def _hands(instance: Instance, wanted: dict[str, list[str]], progress: Progress) -> _Found:
    """Return the hands that were found, from the cache if they are in it."""
    rules = cache.digest(encode(instance.rule_set))
    table = instance.players, sorted(instance.options.items())
    name = cache.fingerprint(
        "hands", rules, *table, sorted(wanted.items()), code=CODE, packages=("z3-solver",)
    )
    found = cache.load_as(name, _Found)
    if found is None:
        from golpae.verify.pattern_hands import pattern_hands

        def note() -> None:
            progress.done += 1

        progress.begin(
            f"looking for hands of {instance.rule_set.rules}", sum(map(len, wanted.values())), "patterns"
        )
        hands = pattern_hands(instance, wanted, note)
        found = [(hand.pattern, hand.score, [*hand.given]) for hand in hands]
        cache.store_as(name, found)
    return found
