"""Clauses of a rule text that the compiled path leaves to the reference, so that large files of games take longer, and
actions whose events take long to list.

Input: a `Loaded` text without faults.
Output: a note for each reason, with the clauses that it is about, in reading order.
Guarantee: the base is looked at with the usual options, and each variant, each reading and each end of an option
together with those that go with it (`lint.tables.together`), with the fewest and the most players. So are scores of
which hands alone can be scored. Games by chance are played of the base. No note changes what a text means, or whether
it has faults. What was found for a text is cached.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from golpae import cache
from golpae.diagnostics import Diagnostic, Label, Span, SpecError
from golpae.elaborate.blocks import clause_spans
from golpae.elaborate.check import check
from golpae.elaborate.constant import NotConstant
from golpae.elaborate.expand.expand import placed
from golpae.elaborate.instance import (
    Instance,
    TableFault,
    bounds,
    instantiate,
    options_of,
    undealable,
)
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import Resolved, resolve
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.hands_module import reads_game
from golpae.kernel.language.host import available
from golpae.kernel.language.limits import ENOUGH
from golpae.kernel.module import ModuleRequest, compiled
from golpae.kernel.player import Player
from golpae.kernel.scan.hand_lines import Saying
from golpae.kernel.scorer import Scorer
from golpae.kernel.start import started
from golpae.kernel.unsupported import NotCompiled
from golpae.lint.tables.together import Item, Splitting, groups, options_given, rules_of
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import DeadEnd, play
from golpae.syntax import tree as t

NOT_COMPILED, SLOW = "not compiled", "slow to list"
ADVICE = {
    NOT_COMPILED: "nothing is wrong: where a game comes here, the slower reference decides, with the same verdicts",
    SLOW: "`legal`, `simulate` and `prove` take longer; say in a condition before it what the keys can be",
}
CODE = ("diagnostics", "syntax", "elaborate", "ir", "trace", "replay", "kernel", "lint")  # what takes part
MOST_SHOWN = 4  # further places of one reason
SEED = 1
GAMES = 200  # by chance, as far as their steps go
LONGEST = 500  # events of a game
LISTED = 30  # positions whose events are listed
MOST_STEPS = 3_000_000  # of all these
LONG = 20_000  # steps that it takes to list the events of an action in one position
_Note = tuple[Span, str]  # a clause, and why it is not compiled
_Place = tuple[int, int, str]  # where a clause begins and ends, and why it is not compiled


def uncompiled(loaded: Loaded) -> list[Diagnostic]:
    """Return a note for each reason why clauses of a text are not compiled."""
    text = loaded.game.span.text
    name = cache.fingerprint("uncompiled", loaded.spec_hash, available(), code=CODE, packages=("wasmtime",))
    cached = cache.load_as(name, list[_Place])
    if cached is None:
        cached = _left_out_of(loaded)
        cache.store_as(name, cached)
    places: dict[str, list[Span]] = {}
    for start, end, reason in cached:
        places.setdefault(reason, []).append(Span(text, start, end))
    return [_note(reason, *spans) for reason, spans in places.items()]


def _left_out_of(loaded: Loaded) -> list[_Place]:
    """Return the clauses of a text itself, without its includes, that are not compiled, in reading order."""
    looks = _Looks(loaded)
    notes = looks.base()
    parts = Splitting(looks.at, notes)
    places = dict.fromkeys(
        [*notes, *(note for group in groups(loaded, looks.rule_set) for note in parts.notes(group))]
    )
    own = [(span, reason) for span, reason in places if span.text == loaded.game.span.text]
    return [(span.start, span.end, reason) for span, reason in sorted(own, key=lambda place: place[0].start)]


class _Looks:
    """Looks at rule sets of a text."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._resolved = resolve(loaded.game.name.text, loaded)
        self.rule_set = check(self._resolved)
        self._scored: list[tuple[object, ...]] = []

    def base(self) -> list[_Note]:
        """Return the notes on the base at its usual tables, with those on games by chance."""
        instances = _instances(self.rule_set, {})
        noted = [note for instance in instances for note in _left_out(instance, plays=True)]
        steps: dict[str, int] = {}
        for action, most in (slow for instance in instances for slow in slow_actions(instance)):
            steps[action] = max(most, steps.get(action, 0))
        words = f"{SLOW}: {{:,}} steps or more in one position of a game by chance"
        noted += [(action, words.format(most)) for action, most in steps.items()]
        return self._placed(self._resolved, [*noted, *self._of_scores(instances[-1])])

    def at(self, items: Sequence[Item]) -> list[_Note] | None:
        """Return the notes on a rule set with some switches and ends of options; None if there is no such table."""
        try:
            resolved = resolve(rules_of(self._loaded, items), self._loaded)
            rule_set = check(resolved)
            instances = _instances(rule_set, options_given(items))
        except (SpecError, TableFault, NotConstant):
            return None
        if any(undealable(instance) is not None for instance in instances):
            return None
        if not resolved.active:  # the base has been looked at with the fewest players
            instances = instances[-1:]
        noted = [note for instance in instances for note in _left_out(instance, plays=False)]
        return self._placed(resolved, [*noted, *self._of_scores(instances[-1])])

    def _of_scores(self, instance: Instance) -> Iterator[tuple[str, str]]:
        """Yield the notes on hands to score, if they are not known from another rule set."""
        rules = instance.rule_set
        parts = (rules.scores, rules.shapes, rules.arrangements, rules.definitions)
        if parts not in self._scored:  # a variant may change what a score needs
            self._scored.append(parts)
            yield from _of_scores(instance)

    def _placed(self, resolved: Resolved, noted: Iterable[tuple[str, str]]) -> list[_Note]:
        """Return notes with their places instead of the paths of clauses, each once."""
        spans = clause_spans(placed(resolved.decls)) | _spans_of_keys(resolved.decls)
        here = self._loaded.game.span
        return [*dict.fromkeys((_span(clause, spans, here), reason) for clause, reason in noted)]


def _instances(rule_set: RuleSet, given: dict[str, int]) -> list[Instance]:
    """Return the tables with the fewest and the most players. Raises `TableFault` and `NotConstant`."""
    ends = bounds(rule_set, options_of(rule_set, given))
    return [instantiate(rule_set, players, given) for players in dict.fromkeys(ends)]


def _left_out(instance: Instance, plays: bool) -> Iterator[tuple[str, str]]:
    """Yield the path of each clause of a table that is not compiled, and why; the path is empty if it is not known. If
    it `plays`, what games by chance come to counts, too.
    """
    rules = instance.rule_set.rules
    try:
        if not available():
            reasons = iter(compiled(instance, ModuleRequest(rules, counted=True)).clauses)
        elif plays:
            reasons = referred_games(instance)
        else:  # the module says which of its lists it cannot fill
            reasons = iter(started(instance, ModuleRequest(rules, counted=True, plays=True))[0].clauses)
        yield from ((clause, f"{NOT_COMPILED}: {reason}") for clause, reason in reasons)
    except NotCompiled as refused:
        yield refused.clause or "", f"{NOT_COMPILED}: {refused}"


def _of_scores(instance: Instance) -> Iterator[tuple[str, str]]:
    """Yield each score whose hands `golpae score` leaves to the reference, and why."""
    said = Saying("rules", instance.rule_set.rules, required=False)
    for score in instance.rule_set.scores if available() else ():
        if reads_game(instance, score.name):
            continue  # no hand can be stated for it
        try:
            Scorer(instance, score.name, said, None, True)
        except NotCompiled as refused:
            path = refused.clause or f"score {score.name}"
            yield path, f"{NOT_COMPILED}: {refused}, in hands to score"


def _spans_of_keys(decls: Iterable[t.Decl]) -> dict[str, Span]:
    """Return the span of each key of an action, and of each score, by its path: `put(tile)`, `score worth`."""
    out: dict[str, Span] = {}
    for decl in decls:
        if isinstance(decl, t.Action):
            out |= {f"{decl.name.text}({param.name})": param.span for param in decl.params}
        elif isinstance(decl, t.Score):
            out[f"score {decl.name.text}"] = decl.name.span
    return out


def _span(clause: str, spans: dict[str, Span], otherwise: Span) -> Span:
    """Return where a clause or a key stands; conditions and keys of every game stand where the action does, the rest at
    the game.
    """
    return spans.get(clause) or spans.get(re.split(r"[.(]", clause)[0]) or otherwise


def _note(reason: str, first: Span, *others: Span) -> Diagnostic:
    labels = tuple(Label(span, "here too") for span in others[:MOST_SHOWN])
    return Diagnostic("W008", reason, first, ADVICE[reason.partition(":")[0]], labels)


# ---------------------------------------------------------------- games by chance


def referred_games(instance: Instance) -> Iterator[tuple[str, str]]:
    """Yield the path of each clause at which games by chance are referred, and why. Raises `NotCompiled`, and
    `MemoryError`.
    """
    asking = Asking(LONGEST)
    player = Player(instance, instance.rule_set.rules, True, asking=asking, located=True)
    placed = {reason for clause, reason in player.clauses if clause}
    yield from ((clause, reason) for clause, reason in player.clauses if clause or reason not in placed)
    for _ in player.games(SEED, 0, GAMES, 1):
        pass
    played = GAMES - sum(many for (_, reason), many in player.reasons.items() if reason == ENOUGH)
    for (clause, reason), many in player.reasons.items():
        if reason not in (ENOUGH, *player.refused):  # the latter have been named
            yield clause, f"{reason}, in {many} of {played} games by chance"


def slow_actions(instance: Instance) -> Iterator[tuple[str, int]]:
    """Yield each action whose events take long to list in a position of a game by chance, and how many steps."""
    machine = Machine(instance, counting=True)
    machine.limit_steps(MOST_STEPS)
    steps = Counter[str]()

    def listing(legal: Legal, state: State, rng: random.Random) -> Event | None:
        """Choose an event, and note the most steps that an action takes in one position."""
        events: list[Event] = []
        for action, events_of_action in legal.by_action(state):
            before = machine.steps_taken
            try:
                events += events_of_action
            finally:
                steps[action] = max(steps[action], machine.steps_taken - before)
        events = [event for event in events if machine.actions[event.action].kind != "finish"]
        return rng.choice(events) if events else None

    with suppress(TooManySteps, DeadEnd):
        for _ in play(machine, machine.new_state(1), random.Random(SEED), 1, listing, LISTED):
            pass
    for action, most in steps.items():
        if most >= LONG:
            yield action, most
