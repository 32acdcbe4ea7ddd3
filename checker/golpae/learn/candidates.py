"""Edits that may explain recorded games.

Input: a text with the outcomes of all games, and its rule set.
Output: edits of conditions that refuse games, slips of an author turned round, other words put in a place, and
conditions that all games keep.
Guarantee: the same edits on any machine: effort is counted, in edits that are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.asked import asked, clause
from golpae.learn.bits import AFTER, REFUSED, WORD, saved
from golpae.learn.chances import Followed, follow
from golpae.learn.conditions import KEPT, Conditions, Kept
from golpae.learn.edits import Edit, always, other_numbers, put, slips, used
from golpae.learn.replays import NO_TABLE, Outcome, Replays
from golpae.learn.superposed import Alternative, Superposed, edited, superposed
from golpae.learn.terms import scope_of_action, words_in
from golpae.learn.text import with_action, with_clauses, without
from golpae.learn.vocabulary import Vocabulary
from golpae.mutate.recorded import Trace
from golpae.progress import Progress
from golpae.syntax import tree as t

FEW_ILLEGAL = 14
"""Games that are refused, with which an edit is tried first."""

FEW_LEGAL = 16
FEW_MOMENTS = 60

MOST_PUT = 1500
"""Other words that are tried at one time."""

FEW_PUT = 400
"""Other words that are tried if another edit has explained the games."""

MOST_NARROWER = 200
"""Slips that refuse what was not done, of which it is asked whether all games keep them."""

BEST = 40
"""Edits that are tried with all games."""

NARROWED = 160
"""Edits of which it is asked how much else they leave legal, if more than `BEST` help."""

FEW_FOLLOWED, ASKED = 6, 240
"""Refused games in which that is asked, and moments of them."""

LATELY = 40
"""Texts whose machines are held."""

MOMENTS = 400
"""Moments at which it is asked what is legal."""

NOISE = 0.03
"""The share of games that may stay illegal because they were recorded wrongly."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """An edit by which `helped` games get further, the last of them a part; its `number` in a text that has several."""

    helped: float
    alternative: Alternative
    replays: Replays
    number: int

    @property
    def cost(self) -> float:
        return self.alternative.cost


@dataclass(frozen=True, slots=True)
class Tried:
    """A text with edits: which they are, the outcomes of all games, the number of events behind refused ones, and the
    bits of an event, if they were counted.
    """

    loaded: Loaded
    edits: tuple[Edit, ...]
    outcomes: tuple[Outcome, ...]
    after: int
    per_event: float | None = None

    @property
    def illegal(self) -> list[int]:
        return [number for number, outcome in enumerate(self.outcomes) if not outcome.legal]

    @property
    def cost(self) -> float:
        return sum(edit.cost for edit in self.edits)

    def bits(self, events: int) -> float:
        """Return the bits that the edits and the games take together."""
        return self._of_edits + (self.per_event or 0.0) * events

    @property
    def _of_edits(self) -> float:
        return self.cost + REFUSED * len(self.illegal) + AFTER * self.after

    @property
    def key(self) -> tuple[float, float]:
        return self._of_edits, self.cost


class Candidates:
    """Finds edits of one text."""

    def __init__(self, loaded: Loaded, games: Sequence[Trace], progress: Progress | None = None) -> None:
        self.loaded, self.games = loaded, games
        self._game = loaded.game.name.text
        self._events = sum(len(game.events) for game in games)
        self._progress = progress
        self._tried = 0
        self._meaningless: dict[str, set[str]] = {}
        self._last: list[tuple[Loaded, Replays]] = []

    @property
    def tried(self) -> int:
        """The number of edits that were tried."""
        return self._tried

    @tried.setter
    def tried(self, number: int) -> None:
        self._tried = number
        if self._progress is not None:
            self._progress.done = number

    def _rules(self, loaded: Loaded) -> RuleSet | None:
        try:
            return check(resolve(self._game, loaded))
        except SpecError:
            return None

    def _replays(self, loaded: Loaded) -> Replays | None:
        """Return what replays games by a text, with the machines that it made if the text was asked for lately; None if
        it has faults.
        """
        for text, replays in self._last:
            if text is loaded:
                return replays
        rules = self._rules(loaded)
        if rules is None:
            return None
        self._last = [*self._last[-LATELY:], (loaded, Replays(rules))]
        return self._last[-1][1]

    def _follow(
        self,
        loaded: Loaded,
        moments: int,
        counted_only: bool = False,
        games: Sequence[Trace] | None = None,
    ) -> Followed:
        replays = self._replays(loaded)
        assert replays is not None
        return follow(replays, self.games if games is None else games, moments, counted_only)

    def _loosened(self, tried: Tried, rules: RuleSet, action: str, name: str) -> list[Edit]:
        """Return edits of a condition that refuses games: dropped, or another one in its place."""
        decl = next(
            (d for d in tried.loaded.decls if isinstance(d, t.Action) and d.name.text == action), None
        )
        if decl is None or not any(
            c.name.text == name and isinstance(c.body, t.Condition) for c in decl.clauses
        ):
            return []
        dropped = without(tried.loaded, action, name)
        if self._rules(dropped) is None:
            return []
        place = f"{action}.{name}"
        edits = [Edit(dropped, place, "dropped", 2 * WORD)]
        followed = self._follow(dropped, MOMENTS * 3)
        for kept in self._conditions(tried.loaded, dropped, rules, action, followed):
            loaded = _replaced(tried.loaded, action, name, kept)
            edits.append(Edit(loaded, place, kept.words, kept.cost, kept.may_break))
        return edits

    def _restricting(self, tried: Tried, rules: RuleSet) -> list[Edit]:
        """Return conditions that all games keep, though what they refuse could have happened."""
        followed = self._follow(tried.loaded, MOMENTS * 3)
        edits = []
        for action in rules.actions:
            chances = followed.of_action.get(action.name)
            if action.kind in ("play", "before", "deal") and chances is not None and chances.moments:
                for kept in self._conditions(tried.loaded, tried.loaded, rules, action.name, followed):
                    new = clause(_fresh(tried.loaded, action.name), _expr(kept))
                    loaded = with_clauses(tried.loaded, action.name, [new])
                    place = f"{action.name}.{new.name.text}"
                    may_break = kept.may_break if kept.is_single else 0  # joined ones fit habits too well
                    edits.append(Edit(loaded, place, kept.words, kept.cost, may_break, True))
        return [*edits, *self._narrower(tried, rules, followed)]

    def _narrower(self, tried: Tried, rules: RuleSet, followed: Followed) -> list[Edit]:
        """Return slips that all games keep, turned round, though what they refuse could have happened."""
        alternatives = [one for one in slips(tried.loaded)[0] if not _is_effect(tried.loaded, one)]
        alternatives += always(tried.loaded, rules)
        alternatives += (one for one in other_numbers(tried.loaded) if not _is_effect(tried.loaded, one))
        legal = [number for number, outcome in enumerate(tried.outcomes) if outcome.legal]
        step = max(1, len(legal) // FEW_LEGAL)
        games = [self.games[number] for number in legal[::step]]
        above = used(tried.loaded)
        scored: list[tuple[float, Superposed, int, Replays]] = []
        for text in superposed(tried.loaded, alternatives):
            replays = Replays(text.rules)
            bits = dict.fromkeys(text.numbered, 0.0)
            self.tried += len(bits)
            for action, chances in followed.of_action.items():
                concerned = {action, *above.get(action, ())}
                numbers = [n for n, one in text.numbered.items() if _block(one.place) in concerned]
                moments = chances.moments[:: max(1, len(chances.moments) // FEW_MOMENTS)]
                if not numbers or not moments:
                    continue
                share = len(chances.moments) / len(moments)
                refused = replays.refuses(moments, self.games, action)
                for number in numbers:
                    counts = zip(moments, refused(number), strict=True)
                    bits[number] += share * sum(
                        m.weight * saved(m.legal, count) for m, count in counts if count
                    )
            scored += [
                (amount, text, n, replays) for n, amount in bits.items() if amount > text.numbered[n].cost
            ]
        scored.sort(key=lambda one: (-one[0], one[2]))
        edits: list[Edit] = []
        for _, text, number, replays in scored[:MOST_NARROWER]:
            if all(replays.outcome(game, number).legal for game in games):
                one = text.numbered[number]
                edits.append(Edit(edited(tried.loaded, one), one.place, one.said, one.cost))
            if len(edits) == KEPT:
                break
        return edits

    def _conditions(
        self, named: Loaded, loaded: Loaded, rules: RuleSet, action: str, followed: Followed
    ) -> list[Kept]:
        if action not in followed.of_action:
            return []
        declared = next(a for a in rules.actions if a.name == action)
        scope = scope_of_action(declared)
        words = Vocabulary(named, rules).conditions(scope)
        conditions = asked(loaded, action, words, self._meaningless.setdefault(action, set()))
        self.tried += len(conditions)
        few = int(NOISE * len(self.games))
        looked = Conditions(followed.of_action[action], followed.machines, tuple(scope), few)
        return [kept for kept in looked.kept(conditions) if kept.worth > 0]

    def _slips(self, tried: Tried, rules: RuleSet, clauses: Sequence[str]) -> list[Edit]:
        """Return slips of an author that, turned round, let refused games get further."""
        concerned = self._concerned(tried.loaded, clauses)
        alternatives, others = slips(tried.loaded)
        near = [
            one for one in alternatives if _block(one.place) in concerned or _is_effect(tried.loaded, one)
        ]
        constant = [one for one in always(tried.loaded, rules) if _block(one.place) in concerned]
        edits = self._further(tried, [*near, *constant, *other_numbers(tried.loaded, concerned)])
        games, before = self._refused(tried)
        for edit in others:
            self.tried += 1
            changed = self._rules(edit.loaded)
            if changed is not None and self._helps(Replays(changed), None, games, before) > 0:
                edits.append(edit)
        return edits

    def _put(self, tried: Tried, rules: RuleSet, clauses: Sequence[str], explained: bool) -> list[Edit]:
        """Return edits that put other words of the text in a place, under which refused games get further; only in
        effects, and fewer of them, if another edit has explained the games.
        """
        concerned = self._concerned(tried.loaded, clauses)
        blocks, within = _with_effects(tried.loaded, concerned)
        effects = blocks | within
        named = [
            one
            for one in put(tried.loaded, rules, effects if explained else concerned | effects)
            if not explained or _is_effect(tried.loaded, one) or _block(one.place) in within
        ]
        named.sort(key=lambda one: one.cost)
        return self._further(tried, named[: FEW_PUT if explained else MOST_PUT])

    def _refused(self, tried: Tried) -> tuple[list[Trace], list[int]]:
        """Return the shortest refused games, with how many events of each are legal."""
        numbers = sorted(tried.illegal, key=lambda number: (tried.outcomes[number].events, number))[
            :FEW_ILLEGAL
        ]
        return [self.games[n] for n in numbers], [tried.outcomes[n].events for n in numbers]

    def _further(self, tried: Tried, alternatives: Sequence[Alternative]) -> list[Edit]:
        games, before = self._refused(tried)
        scored: list[_Scored] = []
        for text in superposed(tried.loaded, alternatives):
            scored += self._scored(text, games, before)
        scored.sort(key=lambda one: (-one.helped + one.cost / REFUSED, one.cost))
        if len(scored) > BEST:  # of those that help as much, the ones that leave little else legal
            few = games[:FEW_FOLLOWED]
            scored = sorted(scored[:NARROWED], key=lambda one: (-one.helped, self._bits(one, few)))
        found = (one.alternative for one in scored[:BEST])
        return [Edit(edited(tried.loaded, one), one.place, one.said, one.cost) for one in found]

    def _scored(self, text: Superposed, games: Sequence[Trace], before: Sequence[int]) -> Iterable[_Scored]:
        replays = Replays(text.rules)
        for number, one in text.numbered.items():
            self.tried += 1
            helped = self._helps(replays, number, games, before)
            if helped > 0:
                yield _Scored(helped, one, replays, number)

    def _bits(self, scored: _Scored, games: Sequence[Trace]) -> float:
        """Return the bits of an edit and of all events, if they are as open as those of some games."""
        followed = follow(scored.replays, games, ASKED, True, scored.number)
        return scored.cost + followed.per_event * self._events

    def _helps(
        self, replays: Replays, edit: int | None, games: Sequence[Trace], before: Sequence[int]
    ) -> float:
        """Return how many games become legal, and a little for those that get further."""
        helped = 0.0
        for at, (game, events) in enumerate(zip(games, before, strict=True)):
            if at == len(games) // 2 and helped == 0:
                return 0.0
            outcome = replays.outcome(game, edit)
            if outcome.action == NO_TABLE:
                return 0.0
            helped += (
                1.0
                if outcome.legal
                else 0.3
                if outcome.events > events
                else 0.0
                if outcome.events == events
                else -0.5
            )
        return helped

    def _concerned(self, loaded: Loaded, clauses: Iterable[str]) -> set[str]:
        """Return the blocks whose words decide clauses: their actions, and all that these clauses use."""
        above = used(loaded)
        found: set[str] = set()
        for name in clauses:
            action, part = name.split(".", 1)
            found.add(action)
            if action in ("end", "finish"):
                found.add("payout")
            for decl in loaded.decls:
                if isinstance(decl, t.Action) and (
                    decl.name.text == action or (decl.kind == "payout" and action in ("end", "finish"))
                ):
                    found.add(decl.name.text)
                    for one in decl.clauses:
                        if one.name.text == part or decl.kind == "payout":
                            for word in words_in(one):
                                found |= {word, *above.get(word, ())}
        return found


def _with_effects(loaded: Loaded, concerned: set[str]) -> tuple[set[str], set[str]]:
    """Return the actions that give values to the states that are concerned, and the definitions that these effects use
    and conditions do not.
    """
    blocks: set[str] = set()
    words: set[str] = set()
    for decl in loaded.decls:
        if isinstance(decl, t.Action):
            for clause in decl.clauses:
                if isinstance(clause.body, t.Effects) and words_in(clause.body) & concerned:
                    blocks.add(decl.name.text)
                    words |= words_in(clause.body)
    defined = {decl.name.text for decl in loaded.decls if isinstance(decl, t.Define)}
    return blocks, (words & defined) - concerned


def _block(place: str) -> str:
    return place.split(".", maxsplit=1)[0]


def _is_effect(loaded: Loaded, one: Alternative) -> bool:
    decl = loaded.decls[one.decl]
    assert isinstance(decl, t.Define | t.Action | t.Group)
    return one.clause < len(decl.clauses) and isinstance(decl.clauses[one.clause].body, t.Effects)


def _expr(kept: Kept) -> t.Expr:
    whole: t.Expr | None = None
    for part in kept.parts:
        some: t.Expr | None = None
        for one in part:
            some = one.tree if some is None else t.Binary(one.tree.span, "or", some, one.tree)
        assert some is not None
        whole = some if whole is None else t.Binary(some.span, "and", whole, some)
    assert whole is not None
    return whole


def _replaced(loaded: Loaded, action: str, name: str, kept: Kept) -> Loaded:
    def changed(one: t.Clause) -> t.Clause:
        if one.name.text != name or not isinstance(one.body, t.Condition):
            return one
        return replace(one, body=replace(one.body, expr=_expr(kept)))

    return with_action(loaded, action, lambda clauses: map(changed, clauses))


def _fresh(loaded: Loaded, action: str) -> str:
    taken = {
        c.name.text
        for d in loaded.decls
        if isinstance(d, t.Action) and d.name.text == action
        for c in d.clauses
    }
    return next(name for name in ("learned", *(f"learned-{n}" for n in range(2, 99))) if name not in taken)
