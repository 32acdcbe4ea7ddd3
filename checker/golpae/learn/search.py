"""Search for the smallest edit under which recorded games are legal.

Input: a text without switches, and games.
Output: edits, the best first, each with the games that it makes legal and how narrow it is.
Guarantee: the same answer on any machine: effort is counted, in edits that are tried.

An edit is good if few words say it, if it makes many games legal, and if it leaves little else legal: of two edits
that explain all games, the one is better under which what happened was the less surprising.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from golpae.elaborate.load import Loaded
from golpae.learn.bits import REFUSED
from golpae.learn.candidates import ASKED, FEW_FOLLOWED, FEW_ILLEGAL, MOMENTS, NOISE, Candidates, Tried
from golpae.learn.edits import Edit, difference, each_once
from golpae.learn.replays import Outcome, Replays
from golpae.learn.sets import played_with
from golpae.mutate.recorded import Trace

MOST_EDITS = 3
"""Edits, one after the other."""

BEAM = 2
"""Texts that are edited further."""

COUNTED = 12
"""Edits of which it is asked how much they leave legal."""


class Search(Candidates):
    """Looks for edits of one text."""

    _legal: frozenset[int] = frozenset()
    """The games that are legal without an edit: all edits together may break as few of them as recorded wrongly."""

    def best(self) -> list[Tried]:
        """Return the text as it is and edited texts, the best first."""
        start = self._counted(self._try(self.loaded))
        self._legal = frozenset(n for n, outcome in enumerate(start.outcomes) if outcome.legal)
        found = {start.edits: start}
        beam = [start]
        for _ in range(MOST_EDITS):
            more: dict[Hashable, Tried] = {}
            for tried in beam:
                for one in self._edited(tried):
                    more.setdefault(difference(self.loaded, one.loaded), one)
            if not more:
                break
            counted = [self._counted(one) for one in self._most_likely([*more.values()])[:COUNTED]]
            before = min(one.bits(self._events) for one in found.values())
            found |= {one.edits: one for one in counted}
            counted.sort(key=lambda one: one.bits(self._events))
            if counted[0].bits(self._events) >= before:
                break
            most = counted[0].bits(self._events) + REFUSED
            beam = [one for one in counted[:BEAM] if one.bits(self._events) <= most]
        return sorted(found.values(), key=lambda one: (one.bits(self._events), one.cost))

    def _most_likely(self, texts: list[Tried]) -> list[Tried]:
        """Return texts with edits in the order of what their edits and refused games take; of many, those that explain
        as many games as the first in the order of how much else they leave legal in a few games.
        """
        texts.sort(key=lambda one: one.key)
        if len(texts) <= COUNTED:
            return texts
        few = self.games[:: max(1, len(self.games) // FEW_FOLLOWED)]
        least = len(texts[0].illegal)
        alike = [one for one in texts if len(one.illegal) <= least]
        alike.sort(key=lambda one: (self._counted(one, few, ASKED).bits(self._events), one.cost))
        return [*alike, *(one for one in texts if len(one.illegal) > least)]

    def _try(self, loaded: Loaded) -> Tried:
        replays = self._replays(loaded)
        assert replays is not None
        return self._tried_text(loaded, (), tuple(replays.outcomes(self.games)))

    def _tried_text(self, loaded: Loaded, edits: tuple[Edit, ...], outcomes: tuple[Outcome, ...]) -> Tried:
        after = sum(
            len(game.events) - outcome.events
            for game, outcome in zip(self.games, outcomes, strict=True)
            if not outcome.legal
        )
        return Tried(loaded, edits, outcomes, after)

    def _counted(self, tried: Tried, games: Sequence[Trace] | None = None, moments: int = MOMENTS) -> Tried:
        """Return a text with the bits of an event by its rules, in all games or in some of them."""
        followed = self._follow(tried.loaded, moments, True, games)
        return replace(tried, per_event=followed.per_event)

    def _edited(self, tried: Tried) -> list[Tried]:
        """Return texts with one edit more that are better."""
        refused = Counter(tried.outcomes[number].refused_by for number in tried.illegal)
        few = int(NOISE * len(self.games))
        replays = self._replays(tried.loaded)
        assert replays is not None
        rules = replays.rules
        found: list[Tried] = []
        if tried.illegal:
            found += self._better(tried, played_with(tried.loaded, replays, self.games), few)
            if any(len(one.illegal) <= few for one in found):
                return found  # the deals say which tiles there are: no other edit has to be looked for
            clauses = [name for name, _ in sorted(refused.items(), key=lambda one: (-one[1], one[0]))][:3]
            for name in clauses:
                found += self._better(tried, self._loosened(tried, rules, *name.split(".", 1)), few)
            found += self._better(tried, self._slips(tried, rules, clauses), few)
            explained = any(len(one.illegal) <= few for one in found)
            found += self._better(tried, self._put(tried, rules, clauses, explained), few)
        # where an edit has made games legal, what nobody did on top of it is a habit more often than a rule
        if len(tried.illegal) <= few and all(edit.added for edit in tried.edits):
            found += self._better(tried, self._restricting(tried, rules), few)
        return found

    def _better(self, tried: Tried, edits: Iterable[Edit], few: int) -> list[Tried]:
        """Return texts with one of some edits under which more games are legal, or nearly all."""
        found: list[Tried] = []
        for edit in each_once(sorted(edits, key=lambda edit: edit.cost)):
            self.tried += 1
            replays = self._replays(edit.loaded)
            if replays is None:
                continue
            outcomes = self._outcomes(replays, tried, edit, few)
            if outcomes is not None:
                found.append(self._tried_text(edit.loaded, (*tried.edits, edit), outcomes))
        return found

    def _outcomes(self, replays: Replays, tried: Tried, edit: Edit, few: int) -> tuple[Outcome, ...] | None:
        """Return the outcomes of all games, None as soon as it is clear that the edit is not worth having: it breaks
        more games than it may, or no more games are legal or get further.
        """
        first = {number: replays.outcome(self.games[number]) for number in tried.illegal[:FEW_ILLEGAL]}
        if len(tried.illegal) > few and not any(one.legal for one in first.values()):
            further = sum(one.events > tried.outcomes[number].events for number, one in first.items())
            if 2 * further < len(first):
                return None
        found: list[Outcome] = []
        broken = lost = 0
        for number, game in enumerate(self.games):
            one = first[number] if number in first else replays.outcome(game)
            found.append(one)
            broken += tried.outcomes[number].legal and not one.legal
            lost += number in self._legal and not one.legal
            if broken > edit.may_break or lost > few:
                return None
        return tuple(found)
