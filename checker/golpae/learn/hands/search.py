"""Search for the smallest edit under which hands have the points that are recorded.

Input: a text without switches, and hands with their points.
Output: edits, the best first, each with the hands that have their points.
Guarantee: the same answer on any machine: effort is counted, in edits that are tried.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.bits import REFUSED
from golpae.learn.edits import Edit, difference
from golpae.learn.hands.candidates import edits
from golpae.learn.hands.pruned import pruned
from golpae.learn.hands.slices import scoring
from golpae.learn.hands.together import Together, together
from golpae.learn.hands.vain import Differs
from golpae.learn.superposed import EDIT
from golpae.mutate.judge import silent
from golpae.mutate.recorded import REFUSED as NOBODY
from golpae.mutate.recorded import Hand, Worth
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand

MOST_EDITS = 3
BEAM = 2
MOST_ALONE = 500
"""Edits that no text can have beside others, of one text."""

BEHIND = 2 * REFUSED
"""Bits that an edit may be behind the best; more hands are not scored by it then."""

CHUNK = 200
"""Edits after which it is asked whether one of them explains all hands."""

FEW = 8
"""Hands whose points differ, with which an edit is tried first."""


@dataclass(frozen=True, slots=True)
class ScoredBy:
    """A text with edits, and the points of all hands by it."""

    loaded: Loaded
    rules: RuleSet
    edits: tuple[Edit, ...]
    worths: tuple[Worth, ...]
    wrong: tuple[int, ...]

    @property
    def cost(self) -> float:
        return sum(edit.cost for edit in self.edits)

    @property
    def bits(self) -> float:
        return self.cost + REFUSED * len(self.wrong)


class HandSearch:
    """Looks for edits of what hands are worth."""

    def __init__(self, whole: Loaded, hands: Sequence[Hand], progress: Progress | None = None) -> None:
        self.loaded = silent(scoring(whole))
        self._game = whole.game.name.text
        self.hands = [replace(hand, given={**hand.given, "rules": self._game}) for hand in hands]
        self._progress = progress
        self.tried = 0
        self._seen: set[Hashable] = set()

    def best(self) -> list[ScoredBy]:
        """Return the text as it is and edited texts, the best first."""
        start = self._scored(self.loaded, ())
        assert start is not None
        found = [start]
        beam = [start]
        for _ in range(MOST_EDITS):
            more = [one for text in beam if text.wrong for one in self._edited(text)]
            more.sort(key=lambda one: (one.bits, one.cost))
            if not more or more[0].bits >= min(one.bits for one in found):
                break
            found += more
            beam = more[:BEAM]
        return sorted(found, key=lambda one: (one.bits, one.cost))

    def pruned(self, text: ScoredBy) -> ScoredBy:
        """Return a text without the edits that change no points."""
        if len(text.edits) < 2:
            return text

        rules = text.rules

        def same(loaded: Loaded) -> bool:
            nonlocal rules
            other = self._scored(loaded, ())
            if other is None or other.worths != text.worths:
                return False
            rules = other.rules
            return True

        made, loaded = pruned(self.loaded, text.edits, same)
        return replace(text, loaded=loaded, rules=rules, edits=made)

    def _edited(self, text: ScoredBy) -> list[ScoredBy]:
        kinds = self._kinds(text.rules)
        found: list[ScoredBy] = []
        enough: float | None = None
        tried_alone = 0
        most = text.bits
        every = sorted(edits(text.loaded, self._differing(text), kinds), key=lambda one: one.cost)
        for start in range(0, len(every), CHUNK):
            chunk = [edit for edit in every[start : start + CHUNK] if enough is None or edit.cost <= enough]
            if not chunk:
                break
            texts, alone = together(text.loaded, chunk)
            alone = alone[: max(0, MOST_ALONE - tried_alone)]
            tried_alone += len(alone)
            helpful = [edit for one in texts for edit in self._helpful(one, text)]
            for edit in sorted([*helpful, *alone], key=lambda one: one.cost):
                if enough is not None and edit.cost > enough:
                    break
                key = difference(self.loaded, edit.loaded)
                if key in self._seen:
                    continue
                self._seen.add(key)
                one = self._scored(edit.loaded, (*text.edits, edit), text, most)
                if one is not None:
                    most = min(most, one.bits + BEHIND)
                    found.append(one)
                    if not one.wrong and enough is None:
                        enough = edit.cost
        return found

    def _helpful(self, texts: Together, before: ScoredBy) -> list[Edit]:
        """Return the edits with which some of a few hands have their points."""
        library = Library(lambda _: texts.rules)
        found = []
        first = self._first(before)
        for number, edit in texts.numbered.items():
            self.tried += 1
            if any(
                self._worth(library, hand, number) == self.hands[hand].worth for hand in first[: FEW // 2]
            ):
                found.append(edit)
        return found

    def _first(self, text: ScoredBy) -> tuple[int, ...]:
        return text.wrong[:: -(-len(text.wrong) // FEW)]

    def _scored(
        self,
        loaded: Loaded,
        made: tuple[Edit, ...],
        before: ScoredBy | None = None,
        most: float | None = None,
    ) -> ScoredBy | None:
        """Return the points by a text; None if it has faults, no more hands have their points than before, or it
        and the hands that have other points take more than so many bits.
        """
        self.tried += 1
        if self._progress is not None:
            self._progress.done = self.tried
        rules = self._rules(loaded)
        if rules is None:
            return None
        library = Library(lambda _: rules)
        known: dict[int, Worth] = {}
        if before is not None:
            known = {number: self._worth(library, number) for number in self._first(before)}
            if not any(worth == self.hands[number].worth for number, worth in known.items()):
                return None
        left = None if most is None else most - sum(edit.cost for edit in made)
        first = () if before is None else before.wrong
        bad = 0
        for number in dict.fromkeys((*first, *range(len(self.hands)))):
            if number not in known:
                known[number] = self._worth(library, number)
            bad += known[number] != self.hands[number].worth
            if left is not None and REFUSED * bad > left:
                return None
        worths = tuple(known[number] for number in range(len(self.hands)))
        wrong = tuple(n for n, worth in enumerate(worths) if worth != self.hands[n].worth)
        if before is not None and len(wrong) >= len(before.wrong):
            return None
        return ScoredBy(loaded, rules, made, worths, wrong)

    def _worth(self, library: Library, number: int, edit: int = 0) -> Worth:
        """Return the points of a hand; `edit` is the number of the edit that holds, of a text that has several."""
        given = self.hands[number].given
        return worth_of({**given, EDIT: edit} if edit else given, library)

    def _differing(self, text: ScoredBy) -> list[Differs]:
        """Return what is known of the hands whose points differ."""
        library = Library(lambda _: text.rules)
        found = []
        for number in text.wrong:
            scored = score_hand(self.hands[number].given, library)
            worth, recorded = text.worths[number], self.hands[number].worth
            if isinstance(scored, Scored):
                patterns = tuple(scored.ways[0].patterns) if scored.ways else ()
                if not scored.ways and scored.below is not None:
                    patterns = tuple(scored.below.patterns)
                found.append(Differs(_number(worth), _number(recorded), patterns))
        return found

    def _kinds(self, rules: RuleSet) -> list[str]:
        library = Library(lambda _: rules)
        machine = library.machine(self._game, library.most_players(self._game, {}), {})
        return [] if isinstance(machine, str) else [kind.name for kind in machine.instance.kinds]

    def _rules(self, loaded: Loaded) -> RuleSet | None:
        try:
            return check(resolve(self._game, loaded))
        except SpecError:
            return None


def _number(worth: Worth) -> int | None:
    return worth if isinstance(worth, int) else None


def worth_of(given: Mapping[str, Any], library: Library) -> Worth:
    """Return the points of a hand."""
    try:
        found = score_hand(given, library)
    except (TypeError, ValueError, IndexError):
        return NOBODY
    return found.points if isinstance(found, Scored) else NOBODY
