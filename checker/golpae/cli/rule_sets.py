"""The rules of recorded games: those of `--rules`, or those that the games name.

Input: the options of a call.
Output: what loads the rules of each game.
Guarantee: faults of texts that games name are printed once.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from golpae.cli.inputs import complain, complain_of, spec_path
from golpae.diagnostics import SpecError, quoted_list
from golpae.elaborate.names import ENDING
from golpae.hidden.lazily import completes
from golpae.ir.ruleset import RuleSet
from golpae.records import dataclass
from golpae.replay.machine_cache import Library
from golpae.rule_names import UsageError, loader, named, named_rule_set

MOST_NAMED = 8  # rule sets in a remark
RULES_HELP = f"a game by its name or as a file (`FILE{ENDING}`), with variants (`+variant`) or without"


@dataclass(frozen=True, slots=True)
class NewLibrary:
    """Makes the library of rule texts, in any process: texts are in `places`, games in the folders `beside`."""

    places: tuple[Path, ...]
    beside: tuple[Path, ...]

    def __call__(self) -> Library:
        return Library(loader(self.places, self.beside), completes=completes)


@dataclass(frozen=True, slots=True)
class RulesToPlay:
    """The rules of recorded games: `load` returns those that a header names. `rules`, if any, replace all of these.
    Texts are in `places`. `again` makes the library in another process.
    """

    load: Callable[[str], RuleSet]
    rules: str | None
    library: Library
    places: tuple[Path, ...]
    again: NewLibrary


def rules_to_play(args: argparse.Namespace, traces: Sequence[str] = ()) -> RulesToPlay | None:
    """Return the rules of `--spec-path` and `--rules`, or None after a complaint.

    `traces` are the files and folders of the games: advice about unknown rules names a text that lies beside them.
    """
    places = spec_path(args, traces)
    if places is None:
        return None
    beside = [path if os.path.isdir(path) else path.parent for path in map(Path, traces)]
    if args.rules is None:
        load = loader(places, beside)
        return RulesToPlay(
            load,
            None,
            Library(load, completes=completes),
            tuple(places),
            NewLibrary(tuple(places), tuple(beside)),
        )
    try:
        name = named(args.rules, places)
        first = named_rule_set(name)
    except UsageError as error:
        complain_of(error.fault)
        return None
    except SpecError as fault:
        complain(fault)
        return None
    load = loader(name.places, beside)

    def known(rules: str) -> RuleSet:
        return first if rules == name.rules else load(rules)

    again = NewLibrary(tuple(name.places), tuple(beside))
    return RulesToPlay(known, name.rules, Library(known, completes=completes), name.places, again)


class FaultyTexts:
    """What was printed about rule texts. `count` is the number of traces that have rules with faults."""

    def __init__(self) -> None:
        self.count = 0
        self._printed: set[object] = set()
        self._rules: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._printed)

    def add(self, rules: str, fault: SpecError) -> None:
        """Count a trace that has these rules, and print those faults that are new."""
        self.count += 1
        if len(self._rules) <= MOST_NAMED:
            self._rules[rules] = None
        self._print(fault)

    def add_all(self, library: Library) -> None:
        """Print the faults of all texts that could not be used and that no trace was counted for."""
        for fault in library.faults.values():
            self._print(fault)

    def _print(self, fault: SpecError) -> None:
        new = [d for d in fault.diagnostics if (d.code, d.message, d.span) not in self._printed]
        self._printed.update((d.code, d.message, d.span) for d in new)
        complain(SpecError(new))

    def remarks(self, what: str = "trace", done: str = "checked") -> list[str]:
        """Return a line that says how many traces could not be checked, or no line."""
        if not self.count:
            return []
        names = list(self._rules)[:MOST_NAMED]
        rules = quoted_list(names) + (" and others" if len(self._rules) > MOST_NAMED else "")
        if self.count == 1:
            return [f"1 {what} could not be {done}: its rules ({rules}) have the faults shown above"]
        return [
            f"{self.count} {what}s could not be {done}: their rules ({rules}) have the faults shown above"
        ]
