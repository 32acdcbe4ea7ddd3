"""The rule sets that a call names: by name, as files, or as files of a git revision.

Input: words of a call.
Output: for each its rule set, resolved and typed, and its label in a report.
Guarantee: raises `SpecError` for the faults of a text and `UsageError` for those of the call; a fault in a file of a
revision names it as git does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from golpae.cli.inputs import UsageError
from golpae.diagnostics import Diagnostic, Label, Span, SpecError, Text, near
from golpae.elaborate.check import check
from golpae.elaborate.git_revision import Extracted, RevisionFault, extract, revision_of
from golpae.elaborate.load import ENDING, NAME, find, load
from golpae.elaborate.resolve import Resolved, resolve, split
from golpae.ir.ruleset import RuleSet
from golpae.trace import quoted


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set, its label in the call, the name of its game, and the places of its texts.

    `revision` is the git revision that its file was extracted from, if any.
    """

    label: str
    resolved: Resolved
    typed: RuleSet
    base: str
    places: tuple[Path, ...]
    revision: Extracted | None = None


@dataclass(slots=True)
class RuleSetFinder:
    """Finds rule sets by their names in a call. Files of git revisions are extracted to `folder`."""

    spec_path: Sequence[Path]
    folder: Path
    extracted: list[Extracted] = field(default_factory=list)

    def rules(self, word: str) -> Rules:
        """Return the rule set of a word. Raises `SpecError` and `UsageError`."""
        file, switches = _without_switches(word)
        revision = None if _is_a_file(word) else revision_of(file)
        if revision is not None and _is_file(file):
            try:
                extracted = extract(revision, self.folder / str(len(self.extracted)))
            except RevisionFault as fault:
                raise UsageError(word, str(fault), fault.help) from None
            self.extracted.append(extracted)
            _refuse_name(extracted.file)
            places = (extracted.file, extracted.file.parent, *self.spec_path)
            return self._checked(word, extracted.file.name.removesuffix(ENDING) + switches, places, extracted)
        if _is_file(file):
            path = rule_text(file)
            places = (path, path.parent, *self.spec_path)
            return self._checked(word, path.name.removesuffix(ENDING) + switches, places)
        return self._checked(word, word, tuple(self.spec_path))

    def against(self, first: Rules, word: str) -> Rules:
        """Return the second rule set, which may be named by a switch alone."""
        switches = word.removeprefix("+").split("+")
        names = {v.name.text for v in first.resolved.variants}
        if word.startswith("+") or (set(switches) <= names and find(switches[0], first.places) is None):
            rules = "+".join((split(first.base)[0], *switches))
            label = first.label
            if first.revision is None and not _is_file(_without_switches(label)[0]):
                label = split(label)[0]
            else:
                label = _without_switches(label)[0]
            return self._checked("+".join((label, *switches)), rules, first.places, first.revision)
        try:
            return self.rules(word)
        except SpecError as fault:
            [only] = fault.diagnostics if len(fault.diagnostics) == 1 else (None,)
            if only is None or only.code != "L001" or only.span is not None or not NAME.fullmatch(word):
                raise
            near_one = near(word, names)
            if near_one is None:
                raise
            game = first.resolved.game.name.text
            message = f"there are no rules called `{word}`, and no variant or reading of `{game}`"
            raise SpecError([replace(only, message=message, help=near_one)]) from None

    def _checked(
        self, label: str, rules: str, places: tuple[Path, ...], revision: Extracted | None = None
    ) -> Rules:
        try:
            resolved = resolve(rules, load(split(rules)[0], places))
            return Rules(label, resolved, check(resolved), rules, places, revision)
        except SpecError as fault:
            raise SpecError(self._as_in_git(d) for d in fault.diagnostics) from None

    def shown(self, name: str) -> str:
        """Return the name of a file, as git names it if it was extracted."""
        for extracted in self.extracted:
            name = extracted.shown(name)
        return name

    def _as_in_git(self, fault: Diagnostic) -> Diagnostic:
        """Return a fault that names extracted files as git does."""
        if not self.extracted:
            return fault
        span = None if fault.span is None else self._span(fault.span)
        labels = tuple(Label(self._span(label.span), label.words) for label in fault.labels)
        words = [self.shown(word) for word in fault.message.split("`")]
        return replace(fault, message="`".join(words), span=span, labels=labels)

    def _span(self, span: Span) -> Span:
        text = Text.of(self.shown(span.text.name), span.text.content)
        return Span(text, span.start, span.end)


def _without_switches(word: str) -> tuple[str, str]:
    """Split `file.golpae+variant` into `file.golpae` and `+variant`."""
    file, ending, switches = word.partition(f"{ENDING}+")
    return (file + ENDING, f"+{switches}") if ending and not _is_a_file(word) else (word, "")


def _is_file(word: str) -> bool:
    return word.endswith(ENDING) or Path(word).name != word or ":" in word


def _is_a_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


def rule_text(word: str) -> Path:
    """Return the file of a rule text that a call names. Raises `UsageError`."""
    path = Path(word)
    if not _is_a_file(word):
        beside = [f.name for f in path.parent.glob("*" + ENDING)]
        raise UsageError(word, f"there is no file {quoted(word)}", near(path.name, beside))
    _refuse_name(path)
    return path


def _refuse_name(path: Path) -> None:
    if not path.name.endswith(ENDING) or not NAME.fullmatch(path.name.removesuffix(ENDING)):
        advice = f"names are of the letters a to z, digits, `-` and `_`, and end in `{ENDING}`"
        raise UsageError(path.name, f"{quoted(path.name)} can be no game's name", advice)
