"""What recorded games say about a rule that is not in the text.

Input: a loaded text, the rule set that games come nearest to, and games.
Output: the games before and after, the best edits as variants, and those that the games cannot tell from the best.
Guarantee: each variant was put to the text as a reader would put it, and the games were replayed by the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve, split
from golpae.learn.bits import WORD
from golpae.learn.edits import Edit
from golpae.learn.replays import Outcome, Replays
from golpae.learn.search import Search, Tried
from golpae.learn.superposed import NEW
from golpae.learn.text import flat
from golpae.learn.variants import variant_of, written
from golpae.mutate.judge import silent
from golpae.mutate.recorded import Trace
from golpae.progress import Progress
from golpae.syntax import tree as t

NAME = "learned"
"""The name of a variant that was learned; another one if the text has this."""

AS_GOOD = 6 * WORD
"""Bits that an edit may be behind the best and still be named beside it."""

MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Explanation:
    """An edit. `variant` is it in the language, None if no variant can say it; `said` in words, a part for each place.

    `legal`: the games that are legal with it. `first` is the number of the recorded game that shows soonest what it
    changes, and the event there: legal with the edit and not without, or None if it makes no game legal.
    `per_event`: how many bits it takes to say what happened next, where the rules leave a choice.
    """

    said: tuple[tuple[str, str], ...]
    variant: str | None
    legal: int
    illegal: tuple[tuple[int, Outcome], ...]
    first: tuple[int, int] | None
    per_event: float
    bits: float


@dataclass(frozen=True, slots=True)
class Learned:
    """The answer about some games. `refused`: how many of them each clause refuses without an edit."""

    rules: str
    games: int
    legal: int
    refused: tuple[tuple[str, int], ...]
    per_event: float
    best: Explanation | None
    others: tuple[Explanation, ...]
    tried: int


def learned(loaded: Loaded, rules: str, games: Sequence[Trace], progress: Progress | None = None) -> Learned:
    """Look for the smallest edit of a rule set that explains games. Raises `SpecError`."""
    base, _ = split(rules)
    whole = flat(loaded, rules)
    renamed = [replace(g, header=replace(g.header, rules=base)) for g in games]
    search = Search(silent(whole), renamed, progress)
    found = search.best()
    start = next(one for one in found if not one.edits)
    events = sum(len(game.events) for game in games)
    better = [one for one in found if one.edits and one.bits(events) < start.bits(events)]
    refused = Counter(start.outcomes[number].refused_by for number in start.illegal)
    explained: list[Explanation] = []
    for one in better:
        if len(explained) > MOST_NAMED or (explained and one.bits(events) > explained[0].bits + AS_GOOD):
            break
        if len(one.illegal) > len(better[0].illegal) or (explained and len(one.edits) > len(better[0].edits)):
            continue
        explained.append(_explanation(loaded, rules, whole, one, start, renamed, events))
    return Learned(
        rules,
        len(games),
        len(games) - len(start.illegal),
        tuple(sorted(refused.items(), key=lambda pair: (-pair[1], pair[0]))),
        start.per_event or 0.0,
        explained[0] if explained else None,
        tuple(explained[1:]),
        search.tried,
    )


def _explanation(
    loaded: Loaded, rules: str, whole: Loaded, one: Tried, start: Tried, games: Sequence[Trace], events: int
) -> Explanation:
    outcomes = one.outcomes
    variant = None
    found = variant_of(silent(whole), one.loaded, fresh_name(loaded), _gist(one))
    if found is not None:
        put = replace(loaded, decls=(*loaded.decls, found))
        try:
            rule_set = check(resolve(f"{rules}+{found.name.text}", put))
        except SpecError:
            rule_set = None
        if rule_set is not None and tuple(Replays(rule_set).outcomes(games)) == outcomes:
            variant = written(found)
    said = tuple((edit.place, edit.said) for edit in one.edits)
    illegal = tuple((number, outcomes[number]) for number in one.illegal)
    gained = [
        (start.outcomes[number].events + 1, number)
        for number in start.illegal
        if outcomes[number].events > start.outcomes[number].events
    ]
    first = None if not gained else (min(gained)[1], min(gained)[0])
    return Explanation(
        said, variant, len(games) - len(one.illegal), illegal, first, one.per_event or 0.0, one.bits(events)
    )


def _gist(one: Tried) -> str:
    """Return the line of a variant that says what it does."""
    said = [_of_edit(edit) for edit in one.edits]
    return " and ".join(said)


def _of_edit(edit: Edit) -> str:
    if edit.said == "dropped":
        return f"without {edit.place}"
    block, _, clause = edit.place.partition(".")
    return (
        f"{block} has one more condition"
        if clause.startswith(NEW)
        else f"{edit.place} as recorded games have it"
    )


def fresh_name(loaded: Loaded) -> str:
    """Return a name for a variant that the text does not have."""
    taken = {d.name.text for d in loaded.decls if isinstance(d, t.Variant | t.Define | t.Action | t.Property)}
    return next(name for name in (NAME, *(f"{NAME}-{n}" for n in range(2, 1000))) if name not in taken)
