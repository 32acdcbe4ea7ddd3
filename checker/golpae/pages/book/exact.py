"""The exact text of a rule book: the blocks of a rule set as they are written, and what switches change in them.

Input: the blocks of a rule set, what each switch changes, the switches that are on.
Output: markup, folded.
Guarantee: the lines are those that `golpae format` writes, with their messages and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from golpae.pages.book.blocks import Change, Part, Row
from golpae.pages.book.highlighted import highlighted
from golpae.pages.document import escaped
from golpae.spoken.sentences import spaced

Numbers = Callable[[Iterable[str]], str]


class ExactText:
    """The blocks of a rule set, with what switches change; `numbers` makes links to rules."""

    def __init__(
        self,
        parts: Iterable[Part],
        by_switch: Mapping[str, Sequence[Change]],
        active: Sequence[str],
        numbers: Numbers,
    ) -> None:
        self._by_path = {part.path: part for part in parts}
        self.told: set[str] = set()  # the blocks that stand in some chapter
        self._anchored: set[str] = set()  # what links find in the page
        self._active, self._numbers = active, numbers
        self._changes: dict[tuple[str, str], list[Change]] = {}
        self.added: dict[str, list[Part]] = {}  # by the switch that adds them
        for switch, found in by_switch.items():
            for change in found:
                if isinstance(change.new, Part):
                    self.added.setdefault(switch, []).append(change.new)
                    continue
                place = change.after if change.kind == "add" else change.row
                self._changes.setdefault((change.path, place), []).append(change)

    def block(self, path: str) -> str:
        """Return a block of the rule set, folded, for a chapter; nothing if there is no such block."""
        part = self._by_path.get(path)
        if part is None:
            return ""
        self.told.add(path)
        return self.folded(part)

    def folded(self, part: Part, summary: str = "exact text", switch: str = "") -> str:
        """Return a block that opens on demand; `switch` is one that adds it. Links find it, or what it stands in."""
        rows = self._lines(part.path, "", part.head)
        rows += "".join(self._rows_added(part.path, ""))
        rows += "".join(self._lines(part.path, row.key, row, inner=True) for row in part.rows)
        rows += "".join(f'<p class="remarked"># {escaped(remark)}</p>' for remark in part.below)
        return (
            f'<details class="exact no-print"{self.found_as(part.path, switch)}><summary>{summary}</summary>'
            f'<div class="code">{rows}</div></details>'
        )

    def found_as(self, path: str, switch: str = "") -> str:
        """Return the attribute by which links find a block; nothing if they find it already, further out or before."""
        if self.is_found(path, switch):
            return ""
        self._anchored.add(anchor(path, switch))
        return f' id="{anchor(path, switch)}"'

    def is_found(self, path: str, switch: str = "") -> bool:
        """Return whether links find a block."""
        return anchor(path, switch) in self._anchored

    def switches_of(self, path: str) -> list[str]:
        """Return the switches that change a block."""
        found = (c.switch for (block, _), changes in self._changes.items() if block == path for c in changes)
        return list(dict.fromkeys(found))

    def only(self, switch: str) -> str:
        """Return the attributes of what is shown only with a switch."""
        return f' data-only="{escaped(switch)}"{"" if switch in self._active else " hidden"}'

    def changed(self, switches: Iterable[str], kind: str = "") -> str:
        """Return the attributes of what some switches leave out."""
        names = list(switches)
        struck = " struck" if any(name in self._active for name in names) else ""
        words = f"{kind}{struck}".strip()
        about = f' data-changed="{escaped(" ".join(names))}"' if names else ""
        return f"{f' class={chr(34)}{words}{chr(34)}' if words else ''}{about}"

    def _lines(self, path: str, key: str, row: Row, inner: bool = False) -> str:
        """Return a row as it is, and as switches change it."""
        changed = [change for change in self._changes.get((path, key), []) if change.kind != "add"]
        names = list(dict.fromkeys(change.switch for change in changed))
        out = [self._line(row, self.changed(names, "row"), "".join(map(chip, names)), inner)]
        out += (self._line_with(change, inner) for change in changed)
        return "".join(out) + ("".join(self._rows_added(path, key)) if key else "")

    def _rows_added(self, path: str, key: str) -> Iterator[str]:
        for change in self._changes.get((path, key), []):
            if change.kind == "add":
                yield self._line_with(change, True)

    def _line_with(self, change: Change, inner: bool) -> str:
        """Return a row as it is with a switch; nothing if the switch drops it."""
        if not isinstance(change.new, Row):
            return ""
        return self._line(change.new, f' class="row"{self.only(change.switch)}', with_(change.switch), inner)

    def _line(self, row: Row, about: str, more: str, inner: bool) -> str:
        code = row.code if row.words is None else f'{row.code} "{row.words}"'
        if inner:
            code = "\n".join(f"  {line}" for line in code.split("\n"))
        remarks = "".join(f'<p class="remarked"># {escaped(remark)}</p>' for remark in row.remarks)
        ids = self._numbers(row.ids)
        return f"<div{about}>{remarks}<pre>{highlighted(code)} {ids}</pre>{more}</div>"


def chip(switch: str) -> str:
    """Return the button that turns a switch on and off."""
    name = escaped(switch)
    return f'<button type="button" class="chip no-print" data-toggle="{name}" title="{name}">{spaced(name)}</button>'


def anchor(path: str, switch: str = "") -> str:
    """Return the name by which links find a block; `switch` is one that adds it."""
    words = f"{path} with {switch}" if switch else path
    return escaped(words.replace(" ", "-"))


def with_(switch: str) -> str:
    """Return the mark of what is so with a switch."""
    return f' <span class="with">with {escaped(spaced(switch))}</span>'
