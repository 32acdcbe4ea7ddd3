"""The variants and readings of a rule book.

Input: the switches of a text, and what each changes.
Output: markup.
Guarantee: the rules at a switch are those that the book has not told before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from golpae.pages.book.blocks import GAME, Change, Part
from golpae.pages.book.exact import anchor, chip
from golpae.pages.book.sources import Sources
from golpae.pages.document import escaped
from golpae.spoken.sentences import capital, spaced
from golpae.syntax import tree as t
from golpae.syntax.citations import citations


class Variants:
    """The switches of a text; `said` are the rules that chapters have told."""

    def __init__(
        self, by_switch: Mapping[str, Sequence[Change]], sources: Sources, said: Collection[str]
    ) -> None:
        self._by_switch, self._sources, self._said = by_switch, sources, said

    def one(self, variant: t.Variant) -> str:
        """Return a switch: what it is, by which rules, and what it changes."""
        name = variant.name.text
        parts: Iterable[t.Delta | t.Added] = (*variant.deltas, *variant.parts)
        cited = [word.text for part in parts if not _is_expectation(part) for word in citations(part)]
        numbers = [number for number in (*(w.text for w in variant.ids), *cited) if number not in self._said]
        changes = f'<details class="no-print"><summary>what it changes</summary><p>{self._summary(name)}</p></details>'
        return (
            f'<article class="block of-variant" id="switch-{escaped(name)}"><h3>{escaped(capital(variant.gist))} '
            f"{chip(name)}</h3>{self._sources.gists(numbers)}{changes}</article>"
        )

    def _summary(self, switch: str) -> str:
        """Return what a switch changes, with links."""
        done = {"replace": "replaces", "drop": "drops", "add": "adds"}
        said = []
        for kind, verb in done.items():
            items = []
            for change in self._by_switch[switch]:
                if change.kind == kind:
                    new = change.new if isinstance(change.new, Part) else None
                    path = change.path if new is None else new.path
                    key = change.row or ("" if new is not None else path.rpartition(" ")[2])
                    name = path.partition(" ")[2] or path
                    words = key if path == GAME else name if not key or key == name else f"{name}: {key}"
                    target = anchor(path, "" if new is None else switch)
                    items.append(f'<a href="#{target}">{escaped(spaced(words))}</a>')
            if items:
                said.append(f"{verb} {', '.join(items)}")
        return "; ".join(said) or "changes nothing here"


def _is_expectation(part: t.Delta | t.Added) -> bool:
    return isinstance(part, t.Delta) and part.kind == "expect"
