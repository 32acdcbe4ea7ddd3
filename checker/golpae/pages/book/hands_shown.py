"""What hands count, in a rule book: each pattern with its worth, what it is, and a hand that has it.

Input: the scores of a rule set and of the same with each switch; hands by `pattern NAME`.
Output: markup.
Guarantee: a pattern that a switch leaves out or changes is marked with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import PatternDecl, RuleSet
from golpae.pages.book.exact import ExactText, with_
from golpae.pages.book.pictures import BookPictures, Example
from golpae.pages.document import escaped
from golpae.spoken.chapters import as_sentence, worth_of
from golpae.spoken.sentences import spaced


class Hands:
    """The patterns of a rule set."""

    def __init__(
        self,
        rules: RuleSet,
        switched: Mapping[str, RuleSet],
        instance: Instance,
        pictures: BookPictures,
        exact: ExactText,
        examples: Mapping[str, Example],
        examples_with: Mapping[str, Mapping[str, Example]],
    ) -> None:
        self._instance, self._pictures, self._exact = instance, pictures, exact
        self._examples, self._with = examples, examples_with
        self._base = {score.name: score.patterns for score in rules.scores}
        self._switched = {
            switch: {score.name: score.patterns for score in other.scores}
            for switch, other in switched.items()
        }

    @property
    def number(self) -> int:
        """How many patterns the rule set has."""
        return sum(map(len, self._base.values()))

    def of(self, score: str) -> str:
        """Return the patterns of a score."""
        cards = "".join(self._cards(score))
        return f'<div class="patterns">{cards}</div>' if cards else ""

    def _cards(self, score: str) -> Iterator[str]:
        base = self._base.get(score, ())
        of_switch = {switch: found.get(score, ()) for switch, found in self._switched.items()}
        for pattern in base:
            without = [switch for switch, patterns in of_switch.items() if pattern not in patterns]
            yield self._card(pattern, self._exact.changed(without, "pattern"), "", self._examples)
            for switch in without:
                yield from self._added(switch, [p for p in of_switch[switch] if p.name == pattern.name])
        names = {pattern.name for pattern in base}
        for switch, patterns in of_switch.items():
            yield from self._added(switch, [pattern for pattern in patterns if pattern.name not in names])

    def _added(self, switch: str, patterns: Sequence[PatternDecl]) -> Iterator[str]:
        for pattern in patterns:
            about = f' class="pattern"{self._exact.only(switch)}'
            yield self._card(pattern, about, with_(switch), self._with.get(switch, {}))

    def _card(self, pattern: PatternDecl, about: str, label: str, examples: Mapping[str, Example]) -> str:
        worth = escaped(worth_of(pattern, self._instance))
        words = "" if pattern.words is None else f"<p>{escaped(as_sentence(pattern.words))}</p>"
        example = examples.get(f"pattern {pattern.name}")
        hand = "" if example is None else self._pictures.hand(example)
        name = escaped(spaced(pattern.name))
        worth = f'<span class="worth">{worth}</span>' if worth else ""
        head = f"<h4>{name} {worth}{label}</h4>"
        return f'<article{about} data-pattern="{escaped(pattern.name)}">{head}{words}{hand}</article>'
