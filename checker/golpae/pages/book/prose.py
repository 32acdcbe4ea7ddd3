"""The chapters of a rule book as markup, and what switches change in them.

Input: the chapters of the rules without a switch and with each of them.
Output: markup.
Guarantee: a line that a switch leaves out is marked with it, and one that it adds is shown only with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from golpae.pages.book.exact import ExactText
from golpae.pages.document import escaped
from golpae.spoken.chapters import Chapter, Line

Numbers = Callable[[Iterable[str]], str]


class ChangingLine(NamedTuple):
    """A line; `without` are the switches that leave it out, `only` the one that adds it."""

    line: Line
    without: tuple[str, ...] = ()
    only: str | None = None


class Prose:
    """Chapters of a rule set, and of the same with each switch."""

    def __init__(
        self,
        base: Mapping[str, Chapter],
        switched: Mapping[str, Mapping[str, Chapter]],
        exact: ExactText,
        numbers: Numbers,
    ) -> None:
        self._base, self._switched = base, switched
        self._exact, self._numbers = exact, numbers

    def says(self, chapter: str, about: str = "") -> str:
        """Return what a chapter says, all of it or about one action, and what is not allowed."""
        lines = self._lines(chapter, about)
        said = [line for line in lines if line.line.kind != "refusal"]
        refused = [line for line in lines if line.line.kind == "refusal"]
        out = self._list(said, "says") if said else ""
        if refused:
            only = [line.only for line in refused]
            hidden = self._exact.only(only[0]) if only[0] is not None and len(set(only)) == 1 else ""
            out += f'<div class="refused"{hidden}><h4>Not allowed</h4>{self._list(refused, "says")}</div>'
        return out

    def _lines(self, chapter: str, about: str) -> list[ChangingLine]:
        own = self._own(self._base, chapter, about)
        keys = {_key(line) for line in self._base[chapter].lines}
        keys_of = {
            switch: {_key(line) for line in found[chapter].lines} for switch, found in self._switched.items()
        }
        out = [
            ChangingLine(line, tuple(switch for switch, of in keys_of.items() if _key(line) not in of))
            for line in own
        ]
        for switch, found in self._switched.items():
            added = [line for line in self._own(found, chapter, about) if _key(line) not in keys]
            out += [ChangingLine(line, only=switch) for line in added]
        return out

    def _own(self, chapters: Mapping[str, Chapter], chapter: str, about: str) -> list[Line]:
        return [line for line in chapters[chapter].lines if not about or line.about == about]

    def _list(self, lines: Iterable[ChangingLine], kind: str) -> str:
        return f'<ul class="{kind}">{"".join(map(self._item, lines))}</ul>'

    def _item(self, item: ChangingLine) -> str:
        about = self._exact.only(item.only) if item.only is not None else self._exact.changed(item.without)
        label = f' <span class="with">with {escaped(item.only)}</span>' if item.only is not None else ""
        ids = self._numbers(item.line.ids) if item.line.kind != "refusal" else ""
        return f"<li{about}>{escaped(item.line.text)} {ids}{label}</li>"


def _key(line: Line) -> tuple[str, str]:
    return (line.text, line.about if line.kind == "refusal" else "")
