"""The sources of a rule book: rules in their own words, links to them, and the list at the end.

Input: the declarations of a rule set.
Output: markup.
Guarantee: the list has every rule to which the page links, and no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.elaborate.resolve import Resolved
from golpae.pages.document import escaped
from golpae.spoken.chapters import as_sentence
from golpae.syntax import tree as t


class Sources:
    """The rules of the sources of a game, and which of them the page has cited."""

    def __init__(self, base: Resolved) -> None:
        self._decls = [decl for decl in base.decls if isinstance(decl, t.Source)]
        self._rules = {rule.name.text: rule for source in self._decls for rule in source.rules}
        self._cited: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._rules)

    def is_cited(self, number: str) -> bool:
        """Return whether the page has a link to a rule already."""
        return number in self._cited

    def gists(self, ids: Iterable[str]) -> str:
        """Return the rules of these numbers in their own words, each once."""
        rules = [self._rules[number] for number in dict.fromkeys(ids) if number in self._rules]
        items = (
            f"<li>{escaped(as_sentence(rule.gist))} {self.numbers([rule.name.text])}</li>" for rule in rules
        )
        return f'<ul class="says">{"".join(items)}</ul>' if rules else ""

    def numbers(self, ids: Iterable[str]) -> str:
        """Return links to rules."""
        names = list(ids)
        self._cited.update(names)
        return " ".join(
            f'<a class="number" href="#rule-{escaped(name)}">{escaped(name)}</a>' for name in names
        )

    def listed(self) -> Iterator[str]:
        """Yield the sources, each with those of its rules that are cited."""
        for source in self._decls:
            rules = "".join(
                f'<dt id="rule-{escaped(r.name.text)}">{escaped(r.name.text)}</dt>'
                f'<dd>{escaped(r.gist)} <span class="quiet">{escaped(r.section or "")}</span></dd>'
                for r in source.rules
                if r.name.text in self._cited
            )
            number = escaped(source.number.text)
            yield f'<h3 id="rule-{number}">{number} {escaped(source.title)}</h3><dl class="sources">{rules}</dl>'
