"""What hands with their points say about scoring that is not in the text.

Input: a loaded text, a rule set, and hands with their points.
Output: how many hands have their points by the text, the best edits as variants, and those that the hands cannot tell
from the best.
Guarantee: each variant was put to the text as a reader would put it, and the hands were scored by the result.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import path_of, resolve
from golpae.learn.answer import AS_GOOD, fresh_name, read_again
from golpae.learn.edits import difference
from golpae.learn.hands.search import HandSearch, ScoredBy, worth_of
from golpae.learn.text import flat
from golpae.learn.variants import variant_of, written
from golpae.mutate.recorded import Hand, Worth
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.syntax import tree as t

MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class PointsExplained:
    """An edit. `variant` is the edit in the language, None if it cannot be written so;
    `said` in words, a part for each place.

    `wrong`: the numbers of the hands that have other points with it, each with these.
    """

    said: tuple[tuple[str, str], ...]
    variant: str | None
    wrong: tuple[tuple[int, Worth], ...]


@dataclass(frozen=True, slots=True)
class PointsLearned:
    """The answer about some hands. `wrong`: those with other points by the text, each with these."""

    rules: str
    hands: int
    wrong: tuple[tuple[int, Worth], ...]
    best: PointsExplained | None
    others: tuple[PointsExplained, ...]
    tried: int


def points_learned(
    loaded: Loaded, rules: str, hands: Sequence[Hand], progress: Progress | None = None
) -> PointsLearned:
    """Look for the smallest edit of a rule set by which hands have their points. Raises `SpecError`."""
    search = HandSearch(flat(loaded, rules), hands, progress)
    found = search.best()
    start = next(one for one in found if not one.edits)
    better = [one for one in found if one.edits and one.bits < start.bits]
    alike: dict[Hashable, ScoredBy] = {}
    for one in better:
        if len(alike) > MOST_NAMED or one.bits > better[0].bits + AS_GOOD:
            break
        if one.worths == better[0].worths and len(one.edits) <= len(better[0].edits):
            needed = search.pruned(one)
            alike.setdefault(difference(search.loaded, needed.loaded), needed)
    explained = [_explained(loaded, rules, search, one) for one in alike.values()]
    return PointsLearned(
        rules,
        len(hands),
        _wrong(start),
        explained[0] if explained else None,
        tuple(explained[1:]),
        search.tried,
    )


def _wrong(one: ScoredBy) -> tuple[tuple[int, Worth], ...]:
    return tuple((number, one.worths[number]) for number in one.wrong)


def _explained(loaded: Loaded, rules: str, search: HandSearch, one: ScoredBy) -> PointsExplained:
    variant = variant_of(search.loaded, one.loaded, fresh_name(loaded), "")
    variant = None if variant is None else replace(variant, gist=_gist(variant))
    words = None if variant is None else written(variant)
    if (
        variant is None
        or words is None
        or not _says(loaded, f"{rules}+{variant.name.text}", words, search, one)
    ):
        words = None
    return PointsExplained(tuple((e.place, e.said) for e in one.edits), words, _wrong(one))


def _gist(variant: t.Variant) -> str:
    """Return the line that says what a variant changes: each place once."""
    kinds: dict[str, set[str]] = {}
    for delta in variant.deltas:
        kinds.setdefault(path_of(delta), set()).add(delta.kind)
    without = [place for place, one in kinds.items() if one == {"drop"}]
    changed = [place for place, one in kinds.items() if one != {"drop"}]
    said = [f"without {' and '.join(without)}"] if without else []
    if changed:
        said.append(f"{' and '.join(changed)} as recorded hands have {'it' if len(changed) == 1 else 'them'}")
    return ", ".join(said)


def _says(loaded: Loaded, rules: str, words: str, search: HandSearch, one: ScoredBy) -> bool:
    """Return whether hands have the points of an edit by the text with its variant."""
    try:
        put = replace(loaded, decls=(*loaded.decls, read_again(words)))
        rule_set = check(resolve(rules, put))
    except SpecError:
        return False
    library = Library(lambda _: rule_set)
    return all(worth_of(h.given, library) == w for h, w in zip(search.hands, one.worths, strict=True))
