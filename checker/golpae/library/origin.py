"""Where rules come from: the texts of a name, of a file, or of a string.

Input: what a caller names, and the folders in which to look.
Output: rule sets, and what replays games by them.
Guarantee: the exceptions are those of the library. What replays is made once for each thread and used by it alone.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from golpae.diagnostics import SpecError
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.names import OwnFolder, own_folders, texts_lie_in
from golpae.hidden.lazily import completes
from golpae.ir.ruleset import RuleSet
from golpae.library.errors import RulesError, translated
from golpae.library.values import several
from golpae.replay.machine_cache import Library
from golpae.rule_names import loader, named
from golpae.trace import Source

if TYPE_CHECKING:
    from golpae.elaborate.load import Loaded
    from golpae.elaborate.resolve import Resolved

PathLike = str | os.PathLike[str]
"""A path, as a text or as a `pathlib.Path`."""

MOST_LIBRARIES = 16  # of one thread


@dataclass(frozen=True, slots=True)
class Origin:
    """The places in which texts lie; or a text that lies in no file, beside these places."""

    places: tuple[Path, ...] = ()
    text: str | None = None

    def load(self, rules: str) -> RuleSet:
        """Return the rule set of a name. Raises `SpecError`."""
        if self.text is None:
            return elaborate_cached(rules, self.places) if self.places else _bundled(rules)
        from golpae.elaborate.check import elaborate_loaded

        return elaborate_loaded(rules, lambda: self._loaded(rules))

    def loaded(self, rules: str) -> RuleSet:
        """Return the rule set of a name. Raises `RulesError`."""
        with translated():
            return self.load(rules)

    def resolved(self, rules: str) -> Resolved:
        """Return the text of a name with its variants and readings. Raises `SpecError`."""
        from golpae.elaborate.resolve import resolve

        return resolve(rules, self._loaded(rules))

    def _loaded(self, rules: str) -> Loaded:
        from golpae.elaborate.load import load, load_text

        return (
            load(rules.partition("+")[0], self.places)
            if self.text is None
            else load_text(self.text, self.places)
        )


def places_of(
    spec_path: PathLike | Iterable[PathLike], traces: Iterable[Source] | None = None
) -> tuple[Path, ...]:
    """Return the folders and files of a caller in which texts lie; without them, unless `traces` is None, the current
    folder and those of the traces. Raises `RulesError` for one that does not exist.
    """
    given = several(spec_path, (str, os.PathLike), "`spec_path` is a path, or several")
    if not given and traces is not None:
        files = [source.path for source in traces if not source.is_remote]
        return tuple(OwnFolder(os.path.abspath(folder)) for folder in own_folders(files))
    places = tuple(one if isinstance(one, OwnFolder) else Path(os.path.abspath(one)) for one in given)
    for place, word in zip(places, given, strict=True):
        if not place.exists():
            raise RulesError(
                f"there is no `{os.fspath(word)}`", "`spec_path` names folders of rule texts, or texts"
            )
    return places


def found(word: PathLike, places: tuple[Path, ...]) -> tuple[RuleSet, Origin]:
    """Return the rule set that a word names, a name or a file, and where it comes from. Raises `RulesError`."""
    with translated():
        name = named(os.fspath(word), places or own_folders())
        origin = Origin(tuple(Path(os.path.abspath(place)) for place in name.places))
        try:
            return origin.load(name.rules), origin
        except SpecError as fault:
            raise _with_advice(fault) from None


def _with_advice(fault: SpecError) -> SpecError:
    """Return a fault with how to name texts elsewhere, if it is that there are no rules of this name."""
    first, *rest = fault.diagnostics
    if rest or first.code != "L001" or first.span is not None:
        return fault
    more = "`spec_path` names folders of rule texts, and a text can be named by its path"
    apart = " " if (first.help or "").endswith("?") else "; "
    return SpecError([replace(first, help=f"{first.help}{apart}{more}" if first.help else more)])


@lru_cache(maxsize=64)
def _bundled(rules: str) -> RuleSet:
    """Return a rule set of golpae's own texts, which do not change. Raises `SpecError`."""
    return elaborate_cached(rules)


@dataclass(frozen=True, slots=True)
class NewLibrary:
    """Makes what replays games: by the rules of a caller, or by those that the games name."""

    origin: Origin
    rule_set: RuleSet | None = None

    def __call__(self) -> Library:
        """Return a library that replays games, in any process."""
        if self.rule_set is None:
            return library_at(self.origin.places)
        return library_of(self.rule_set, self.origin)


class _Libraries(threading.local):
    """What replays the games of one thread."""

    def __init__(self) -> None:
        self.made: OrderedDict[object, Library] = OrderedDict()


_libraries = _Libraries()


def library_of(rule_set: RuleSet, origin: Origin) -> Library:
    """Return a library that replays games by one rule set, in this thread."""

    def load(rules: str) -> RuleSet:
        return rule_set if rules == rule_set.rules else origin.load(rules)

    return _kept((rule_set.rules, rule_set.spec_hash, origin), load)


def library_at(places: tuple[Path, ...]) -> Library:
    """Return a library that replays games by the rules that they name, in this thread. Texts that are not golpae's own
    may have changed since the last call.
    """
    if any(not isinstance(place, OwnFolder) or texts_lie_in(place) for place in places):
        return Library(loader(places), completes=completes)
    return _kept(None, loader(()))


def _kept(key: object, load: Callable[[str], RuleSet]) -> Library:
    made = _libraries.made
    if key not in made:
        made[key] = Library(load, completes=completes)
        if len(made) > MOST_LIBRARIES:
            made.popitem(last=False)
    made.move_to_end(key)
    return made[key]
