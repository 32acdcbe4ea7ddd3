"""The two rule sets of a comparison: by name, as files, or as files of a git revision.

Input: words of a call.
Output: for each its rule set, resolved and typed, and its label in a report.
Guarantee: raises `SpecError` for the faults of a text and `UsageError` for those of the call; a fault in a file of a
revision names it as git does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, Text, near
from golpae.elaborate.check import check
from golpae.elaborate.git_revision import Extracted, RevisionFault, extract, revision_of
from golpae.elaborate.instance import bounds, instantiate, options_of, undealable
from golpae.elaborate.load import load
from golpae.elaborate.names import NAME, find
from golpae.elaborate.resolve import Resolved, resolve, split
from golpae.ir.ruleset import RuleSet
from golpae.rule_names import UsageError, is_file, located, named, named_file, without_switches


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
        file, switches = without_switches(word)
        revision = revision_of(file)
        if revision is None:
            name = named(word, self.spec_path)
            return self._checked(word, name.rules, name.places)
        try:
            extracted = extract(revision, self.folder / str(len(self.extracted)))
        except RevisionFault as fault:
            raise UsageError(word, str(fault), fault.help) from None
        self.extracted.append(extracted)
        text = named_file(word, extracted.file, switches, self.spec_path)
        return self._checked(word, text.rules, text.places, extracted)

    def against(self, first: Rules, word: str) -> Rules:
        """Return the second rule set, which may be named by a switch alone."""
        switches = word.removeprefix("+").split("+")
        names = {v.name.text for v in first.resolved.variants}
        if word.startswith("+") or (set(switches) <= names and find(switches[0], first.places) is None):
            rules = "+".join((split(first.base)[0], *switches))
            label = first.label
            if first.revision is None and not is_file(without_switches(label)[0]):
                label = split(label)[0]
            else:
                label = without_switches(label)[0]
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
            diagnostics = located(fault, rules, places).diagnostics
            raise SpecError(self._as_in_git(d) for d in diagnostics) from None

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


def refuse_undealable(pair: tuple[Rules, Rules], players: int | None, given: Mapping[str, int]) -> None:
    """Raise `UsageError` if nobody can be dealt a hand at any of the chosen tables, by either rule set."""
    why = None
    for rules in pair:
        options = options_of(rules.typed, given)
        low, high = bounds(rules.typed, options)
        for number in range(low, high + 1) if players is None else (players,):
            fault = undealable(instantiate(rules.typed, number, options))
            if fault is None:
                return
            why = why or fault[1]
    if why is not None:
        message = f"no deal is possible at these tables: {why}"
        raise UsageError("--option", message, "give other options, or fewer players")
