"""Switches and ends of options that are looked at together, so that there are few rule sets to look at.

Input: a `Loaded` text without faults, its base rule set, and what finds notes on a rule set.
Output: groups of switches and ends of options, and the notes on a group.
Guarantee: each switch is in one group, and so is each end of an option that is not its usual value. The switches of a
group can be on together. If a group has a note that the base does not have, or there is no such table, its halves are
looked at, and so on; what only the whole group shows is a note, too. `MOST_SPLIT` groups of a text are split because of
notes; for the others it is not known which of them the note is about.

    variants a, b and c, of which a and c change one clause; option top: 1 to 4, normally 1
                                                two groups: a, b, top 4; c
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from golpae.diagnostics import SpecError
from golpae.elaborate.instance import options_of, values_of
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.syntax import tree as t

MOST_TRIED = 8  # groups in which there may be room for a switch
MOST_SPLIT = 40
Item = str | tuple[str, int]  # a switch, or an option with one of its ends
Note = TypeVar("Note", bound=Hashable)


def groups(loaded: Loaded, base: RuleSet) -> list[list[Item]]:
    """Return all switches and ends of options, in groups of those that go together."""
    out: list[list[Item]] = []
    switches = [d.name.text for d in loaded.decls if isinstance(d, t.Variant)]
    for item in (*switches, *_ends(base)):
        group = next((group for group in out[-MOST_TRIED:] if _has_room(loaded, group, item)), None)
        if group is None:
            out.append([item])
        else:
            group.append(item)
    return out


def rules_of(loaded: Loaded, items: Iterable[Item]) -> str:
    """Return the name of a rule set with some switches."""
    return "+".join((loaded.game.name.text, *(item for item in items if isinstance(item, str))))


def options_given(items: Iterable[Item]) -> dict[str, int]:
    """Return the values of the options among some items."""
    return dict(item for item in items if not isinstance(item, str))


def _ends(base: RuleSet) -> Iterator[Item]:
    """Yield each option with each of its ends, if that is not its usual value."""
    usual = options_of(base, {})
    for name, value in usual.items():
        values = values_of(base, name)
        yield from ((name, end) for end in dict.fromkeys((values[0], values[-1])) if end != value)


def _has_room(loaded: Loaded, group: Sequence[Item], item: Item) -> bool:
    """Return whether an item goes together with those of a group."""
    if not isinstance(item, str):
        return item[0] not in options_given(group)
    try:
        resolve(rules_of(loaded, [*group, item]), loaded)
    except SpecError:
        return False
    return True


class Splitting(Generic[Note]):
    """Looks at groups, and at parts of those that have notes. `look` returns the notes on a rule set with some switches
    and options, or None if there is no such table; `known` are those that the base has.
    """

    def __init__(
        self, look: Callable[[Sequence[Item]], Collection[Note] | None], notes: Collection[Note]
    ) -> None:
        self._look = look
        self._known = notes
        self._left = MOST_SPLIT

    def notes(self, items: Sequence[Item]) -> list[Note]:
        """Return the notes on a group that the base does not have: first those on its parts."""
        looked = self._look(items)
        new = [] if looked is None else [note for note in looked if note not in self._known]
        if len(items) == 1 or (looked is not None and not new):
            return new
        if looked is not None:
            if not self._left:
                return new
            self._left -= 1
        middle = len(items) // 2
        parts = [note for half in (items[:middle], items[middle:]) for note in self.notes(half)]
        return [*dict.fromkeys((*parts, *new))]
