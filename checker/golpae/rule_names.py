"""The rule sets that people name: by name or as files, each with variants or without.

Input: words such as `base+variant`, and the folders or files in which to look for texts.
Output: what each word names, and its rule set.
Guarantee: every verb, and the library, understand the same words. Raises `SpecError` for the faults of a text and
`UsageError` for those of a word; if there are no rules of a name, the advice says where golpae looked. Nothing that
reads texts is imported before it is needed.

    base   base+variant   base.golpae   my/base.golpae+variant
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from golpae.bundled import spec_dir
from golpae.diagnostics import SpecError, near, quoted_list
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.names import ENDING, NAME, OwnFolder, find, settled
from golpae.ir.ruleset import RuleSet
from golpae.records import dataclass
from golpae.trace import InputFault, quoted
from golpae.trace.discover import SUFFIXES
from golpae.unreadable import reason_of

MOST_LISTED = 8  # games of one folder
DOWNLOAD = "golpae reads rule texts from this machine: download it, and name the file"
UNREADABLE = {
    errno.ENAMETOOLONG: "give the file a shorter name, or go to its folder and name it from there",
    errno.EACCES: "check that you may enter its folder",
    errno.ELOOP: "its links lead to one another: name the file itself",
}
LONGEST = 1000  # characters of a name with its variants


class UsageError(Exception):
    """The call is wrong: `word` is the one at fault."""

    def __init__(
        self, word: str, message: str, advice: str | None = None, examples: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.fault = InputFault(word, message, advice, examples)


@dataclass(frozen=True, slots=True)
class Named:
    """What a word names: the rule set `rules`, whose texts are in `places`. `file` is its own text, if it was named."""

    rules: str
    places: tuple[Path, ...]
    file: Path | None = None


def named(word: str, places: Sequence[Path]) -> Named:
    """Return the rules that a word of a call names. `places` are those of `--spec-path`. Raises `UsageError` and
    `SpecError`.
    """
    file, switches = without_switches(word)
    _refuse_traces(word)
    if is_file(file):
        return named_file(word, rule_text(file), switches, places)
    _refuse(word, word)
    return Named(word, settled(word.partition("+")[0], places))


def named_file(word: str, file: Path, switches: str, places: Sequence[Path]) -> Named:
    """Return the rule set of a file and `switches` (`+variant`). Raises `UsageError`."""
    _refuse_name(file)
    rules = file.name.removesuffix(ENDING) + switches
    _refuse(word, rules)
    named = (place for place in places if not isinstance(place, OwnFolder))
    return Named(rules, (file, file.parent, *named), file)


def without_switches(word: str) -> tuple[str, str]:
    """Split `file.golpae+variant` into `file.golpae` and `+variant`."""
    file, ending, switches = word.partition(f"{ENDING}+")
    return (file + ENDING, f"+{switches}") if ending and not _is_a_file(word) else (word, "")


def is_file(word: str) -> bool:
    """Return whether a word names a file, existing or not, as opposed to rules by their name."""
    return word.endswith(ENDING) or Path(word).name != word or ":" in word


def rule_text(word: str) -> Path:
    """Return the file of a rule text that a call names. Raises `UsageError`."""
    path = existing(word)
    _refuse_name(path)
    return path


def texts_in(folder: str) -> list[Path]:
    """Return the rule texts in a folder, by name. Raises `UsageError` if there are none."""
    try:
        files = sorted(f for f in Path(folder).iterdir() if f.name.endswith(ENDING) and not f.is_dir())
    except OSError as fault:
        reason = reason_of(fault)
        raise UsageError(folder, f"{quoted(folder)} cannot be read: {reason}") from None
    if not files:
        message = f"no rule texts in folder {quoted(folder)}"
        raise UsageError(folder, message, f"their names end in `{ENDING}`")
    return files


def existing(word: str) -> Path:
    """Return the file that a call names, whatever it holds. Raises `UsageError` if there is none."""
    path = Path(word)
    _refuse_traces(word)
    if not _is_a_file(word):
        raise _no_file(word)
    return path


def named_rule_set(name: Named) -> RuleSet:
    """Return the rule set that a word names. Raises `SpecError`."""
    try:
        return elaborate_cached(name.rules, name.places)
    except SpecError as fault:
        raise located(fault, name.rules, name.places) from None


def loader(places: Sequence[Path], beside: Sequence[Path] = ()) -> Callable[[str], RuleSet]:
    """Return a function that gives the rule set of a name that a trace has. It raises `SpecError`.

    `beside` are the folders of the traces.
    """

    def load(rules: str) -> RuleSet:
        try:
            return elaborate_cached(rules, places)
        except SpecError as fault:
            raise located(fault, rules, places, True, beside) from None

    return load


def located(
    fault: SpecError,
    rules: str,
    places: Sequence[Path],
    in_trace: bool = False,
    beside: Sequence[Path] = (),
) -> SpecError:
    """Return a fault with the places where golpae looked, if the fault is that there are no rules of this name.

    `beside` are the folders of the traces that name these rules.
    """
    base, plus, switches = rules.partition("+")
    first, *rest = fault.diagnostics
    if rest or first.code != "L001" or first.span is not None or find(base, places) is not None:
        return fault
    from golpae.elaborate.load import games_in, readable_games

    file = base + ENDING
    if NAME.fullmatch(base) and _is_a_file(file):
        advice = f"there is a file `{file}` in this folder: "
        advice += "" if in_trace else f"write `{file}{plus}{switches}`, or "
        return SpecError([replace(first, help=f"{advice}add `--spec-path .`")])
    for folder in beside if NAME.fullmatch(base) else ():
        if _is_a_file(str(folder / file)):
            advice = f"there is a file `{file}` beside the games: add {_option(folder)}"
            return SpecError([replace(first, help=advice)])
    for folder in _folders() if NAME.fullmatch(base) else ():
        if _is_a_file(str(folder / file)):
            advice = f"there is a file {quoted(str(folder / file))}: add {_option(folder)}"
            return SpecError([replace(first, help=advice)])
    if not in_trace and NAME.fullmatch(rules) and os.path.isdir(rules):
        advice = f"`{rules}` is a folder: name a file in it, or write `--spec-path {rules}`"
        return SpecError([replace(first, help=advice)])
    given = [place for place in places if not isinstance(place, OwnFolder)]
    looked = [f"in {quoted(str(place))} ({_listed(games_in(place))})" for place in given]
    looked += [
        f"in {quoted(str(place))} ({_listed(games)})"
        for place in places
        if isinstance(place, OwnFolder) and (games := games_in(place))
    ]
    looked.append(f"among its own games ({_listed(games_in(spec_dir()))})")
    advice = f"golpae looked {' and '.join(looked)}"
    nearest = near(base, readable_games(places))
    if nearest:
        advice = f"{nearest} {advice}"
    elif not given:
        advice += "; `--spec-path DIR` adds a folder of rule texts"
    return SpecError([replace(first, help=advice)])


def _folders() -> list[Path]:
    """Return the folders in the working folder, but no hidden ones, by name."""
    try:
        with os.scandir() as entries:
            return sorted(Path(e.name) for e in entries if e.is_dir() and not e.name.startswith("."))
    except OSError:
        return []


def _option(folder: Path) -> str:
    return quoted(f"--spec-path {shlex.quote(str(folder))}")


def _listed(games: Sequence[str]) -> str:
    more = len(games) - MOST_LISTED
    return quoted_list(games[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


# ------------------------------------------------------------------ faults of names


def _refuse(word: str, rules: str) -> None:
    """Check that a name with its variants is one. Raises `UsageError`."""
    if len(rules) > LONGEST:
        raise UsageError(word, f"the name {quoted(rules)} is longer than {LONGEST} characters")
    base, *switches = rules.split("+")
    for name in (base, *switches):
        if not name:
            advice = "write the name of a game; for a variant, add `+` and its name"
            raise UsageError(
                word, f"{quoted(word)} lacks a name" if word else "the name of the rules is empty", advice
            )
        if not NAME.fullmatch(name):
            advice = "names consist of the letters a to z, digits, `-` and `_`"
            if name == "*":
                others = "+".join((base, *(switch for switch in switches if switch != name), name))
                advice = f"`*` stands for all combinations and comes last: {quoted(others)}"
                if rules == others:
                    advice = f"`*` stands for all combinations, and one rule set is needed here: {quoted(rules[:-2])}"
            raise UsageError(word, f"{quoted(name)} cannot be the name of rules or of a variant", advice)
    for at, name in enumerate(switches):
        if name in switches[:at]:
            raise UsageError(word, f"{quoted(word)} names the variant {quoted(name)} twice")


def _refuse_traces(word: str) -> None:
    """Check that a word is not a file of traces. Raises `UsageError`."""
    if word.endswith(SUFFIXES):
        shown = quoted(word)
        advice = f"`golpae check {shown.strip('`')}` checks them; rules are a name, or a file that ends in `{ENDING}`"
        raise UsageError(word, f"{shown} is a file of traces, not rules", advice)


def _refuse_name(path: Path) -> None:
    if not path.name.endswith(ENDING) or not NAME.fullmatch(path.name.removesuffix(ENDING)):
        advice = f"names consist of the letters a to z, digits, `-` and `_`, and end in `{ENDING}`"
        raise UsageError(path.name, f"{quoted(path.name)} cannot be the name of a rule text", advice)


def _no_file(word: str) -> UsageError:
    """Return why a word names no file that can be read."""
    shown = quoted(word)
    try:
        mode = os.stat(word).st_mode if word else 0
    except (FileNotFoundError, NotADirectoryError, ValueError):
        mode = 0
    except OSError as fault:
        reason = reason_of(fault)
        advice = UNREADABLE.get(fault.errno or 0)
        return UsageError(
            word, f"{shown} cannot be read: {reason}", advice or "check its name and its folder"
        )
    if not mode:
        return UsageError(word, f"there is no file {shown}", _advice(Path(word), word))
    what = "a folder, not a rule text" if stat.S_ISDIR(mode) else "no file: it is a pipe or a device"
    advice = _advice(Path(word), word) if stat.S_ISDIR(mode) else "write its text to a file"
    return UsageError(word, f"{shown} is {what}", advice)


def _advice(path: Path, word: str) -> str | None:
    """Return advice about a file that does not exist."""
    from golpae.elaborate.git_revision import revision_of

    base, plus, switches = path.name.partition("+")
    whole = path.with_name(base + ENDING) if base else path
    if not path.name.endswith(ENDING) and _is_a_file(str(whole)):
        return f"write {quoted(f'{whole}{plus}{switches}')}"
    if "://" in word:
        return DOWNLOAD
    if revision_of(word) is not None:
        return "only `golpae compare` takes a text as git keeps it"
    name = base.removesuffix(ENDING)
    if path.name.endswith(ENDING) and find(name, ()) is not None:
        return f"golpae's own game is called {quoted(name)}"
    return near(name, [f.name.removesuffix(ENDING) for f in path.parent.glob("*" + ENDING)], ENDING)


def _is_a_file(word: str) -> bool:
    try:
        return os.path.isfile(word)
    except (OSError, ValueError):
        return False
