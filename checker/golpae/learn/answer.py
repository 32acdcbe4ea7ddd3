"""What recorded games say about a rule that is not in the text.

Input: a loaded text, the rule set that games come nearest to, and games.
Output: the games before and after, the best edits as variants, and those that the games cannot tell from the best.
Guarantee: each variant was put to the text as a reader would put it, and the games were replayed by the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from golpae.diagnostics import SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve, split
from golpae.ir.ruleset import RuleSet
from golpae.learn.bits import WORD
from golpae.learn.candidates import Tried
from golpae.learn.edits import Edit
from golpae.learn.replays import MALFORMED, NO_TABLE, Outcome, Replays
from golpae.learn.search import Search
from golpae.learn.text import flat
from golpae.learn.variants import variant_of, written
from golpae.mutate.judge import silent
from golpae.mutate.recorded import Trace
from golpae.progress import Progress
from golpae.syntax import tree as t
from golpae.syntax.parse import parse

NAME = "learned"
"""The name of a variant that was learned; another one if the text has this."""

AS_GOOD = 6 * WORD
"""Bits that an edit may be behind the best and still be named beside it."""

MOST_NAMED = 6

MOST_GAMES = 400
"""Games with which edits are looked for, spread evenly; the answer is about all."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """An edit. `variant` is the edit in the language, None if it cannot be written so;
    `said` in words, a part for each place.

    `legal`: the games that are legal with it; `gained` of them are not without it, and `broken` others only without it.
    `first` is the number of the recorded game that shows soonest what it changes, and the event there: legal with the
    edit and not without, or None if it makes no event legal.
    `per_event`: how many bits it takes to say what happened next, where the rules leave a choice.
    `rule_set`: the rules with the edit, without messages and properties; `as_variant`: the whole text with the variant.
    """

    said: tuple[tuple[str, str], ...]
    variant: str | None
    legal: int
    illegal: tuple[tuple[int, Outcome], ...]
    gained: int
    broken: int
    first: tuple[int, int] | None
    per_event: float
    bits: float
    rule_set: RuleSet = field(repr=False, compare=False)
    as_variant: RuleSet | None = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Learned:
    """The answer about some games. `refused`: how many of them each clause refuses without an edit.
    `without`: the rules without one, and without messages and properties.
    """

    rules: str
    games: int
    legal: int
    refused: tuple[tuple[str, int], ...]
    per_event: float
    best: Explanation | None
    others: tuple[Explanation, ...]
    tried: int
    without: RuleSet = field(repr=False, compare=False)


def sound(loaded: Loaded, rules: str, games: Sequence[Trace]) -> tuple[list[Trace], dict[str, list[str]]]:
    """Return the games that the rules have a table for and whose events can be read, and for each reason the names of
    the others. Raises `SpecError`.
    """
    base, _ = split(rules)
    replays = Replays(check(resolve(base, silent(flat(loaded, rules)))))
    good: list[Trace] = []
    left_out: dict[str, list[str]] = {}
    for game in games:
        outcome = replays.outcome(game)
        if outcome.action == NO_TABLE:
            left_out.setdefault("at a table that the rules do not have", []).append(game.name)
        elif outcome.clause == MALFORMED:
            left_out.setdefault("with an event that cannot be read", []).append(game.name)
        else:
            good.append(game)
    return good, left_out


def learned(loaded: Loaded, rules: str, games: Sequence[Trace], progress: Progress | None = None) -> Learned:
    """Look for the smallest edit of a rule set that explains games. Raises `SpecError`."""
    base, _ = split(rules)
    whole = flat(loaded, rules)
    renamed = [replace(g, header=replace(g.header, rules=base)) for g in games]
    sample = renamed[:: -(-len(renamed) // MOST_GAMES)]
    search = Search(silent(whole), sample, progress)
    found = search.best()
    start = next(one for one in found if not one.edits)
    without = check(resolve(base, silent(whole)))
    before = Replays(without).outcomes(renamed)
    events = sum(len(game.events) for game in sample)
    better = [one for one in found if one.edits and one.bits(events) < start.bits(events)]
    refused = Counter(outcome.refused_by for outcome in before if not outcome.legal)
    explained: list[Explanation] = []
    for one in better:
        if len(explained) > MOST_NAMED or (explained and one.bits(events) > explained[0].bits + AS_GOOD):
            break
        if explained and (one.outcomes != better[0].outcomes or len(one.edits) > len(better[0].edits)):
            continue
        explained.append(_explanation(loaded, rules, whole, one, before, renamed, one.bits(events)))
    return Learned(
        rules,
        len(games),
        sum(outcome.legal for outcome in before),
        tuple(sorted(refused.items(), key=lambda pair: (-pair[1], pair[0]))),
        start.per_event or 0.0,
        explained[0] if explained else None,
        tuple(explained[1:]),
        search.tried,
        without,
    )


def _explanation(
    loaded: Loaded,
    rules: str,
    whole: Loaded,
    one: Tried,
    before: Sequence[Outcome],
    games: Sequence[Trace],
    bits: float,
) -> Explanation:
    base, _ = split(rules)
    edited = check(resolve(base, one.loaded))
    outcomes = Replays(edited).outcomes(games)
    variant, whole_text = None, None
    found = variant_of(silent(whole), one.loaded, fresh_name(loaded), _gist(one))
    if found is not None:
        words = written(found)
        try:
            put = replace(loaded, decls=(*loaded.decls, read_again(words)))
            whole_text = check(resolve(f"{rules}+{found.name.text}", put))
        except SpecError:
            whole_text = None
        if whole_text is not None and [_end(o) for o in Replays(whole_text).outcomes(games)] == [
            _end(o) for o in outcomes
        ]:
            variant = words
    gained = [
        (old.events + 1, number)
        for number, (old, new) in enumerate(zip(before, outcomes, strict=True))
        if not old.legal and new.events > old.events
    ]
    return Explanation(
        said=tuple((edit.place, edit.said) for edit in one.edits),
        variant=variant,
        legal=sum(outcome.legal for outcome in outcomes),
        illegal=tuple((number, outcome) for number, outcome in enumerate(outcomes) if not outcome.legal),
        gained=sum(new.legal and not old.legal for old, new in zip(before, outcomes, strict=True)),
        broken=sum(old.legal and not new.legal for old, new in zip(before, outcomes, strict=True)),
        first=None if not gained else (min(gained)[1], min(gained)[0]),
        per_event=one.per_event or 0.0,
        bits=bits,
        rule_set=edited,
        as_variant=None if variant is None else whole_text,
    )


def _end(outcome: Outcome) -> tuple[int, bool]:
    return outcome.events, outcome.legal


def read_again(variant: str) -> t.Variant:
    """Return a variant that the language wrote. Raises `SpecError`."""
    whole = parse(Text.of("learned", f'game learned "learned"\n\n{variant}'))
    return next(decl for decl in whole.decls if isinstance(decl, t.Variant))


def _gist(one: Tried) -> str:
    """Return the line of a variant that says what it does."""
    said = [_of_edit(edit) for edit in one.edits]
    return " and ".join(said)


def _of_edit(edit: Edit) -> str:
    if edit.said == "dropped":
        return f"without {edit.place}"
    if edit.added:
        return f"{edit.place.partition('.')[0]} has one more condition"
    return f"{edit.place} as recorded games have it"


def fresh_name(loaded: Loaded) -> str:
    """Return a name for a variant that the text does not have."""
    taken = {d.name.text for d in loaded.decls if isinstance(d, t.Variant | t.Define | t.Action | t.Property)}
    return next(name for name in (NAME, *(f"{NAME}-{n}" for n in range(2, 1000))) if name not in taken)
