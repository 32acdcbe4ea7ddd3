"""Comparisons of random texts with random changes of them, held against the judge and against replay.

Input: a text, a random generator. Output: findings and counts.
Guarantee: a claim of `compare` is a finding if a game of the judge contradicts it, if the judge does not play the game
that refutes it, if a game is said to be shortest and is not, or if the answers to the same question differ: turned
round, without going through all games, and from the cache.

The judge goes through the games of both texts, a few of the deals and as far as there is time.
"""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from golpae.compare.comparison import SETTLED
from golpae.compare.games import table_comparison
from golpae.compare.games.alignment import aligned, why_incomparable, why_order_matters
from golpae.compare.games.compare import compare_games
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.headers import headers_of
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.games.verdict import (
    A_IN_B,
    B_IN_A,
    BOUNDED,
    PAID,
    PROVED,
    QUESTIONS,
    REFUTED,
    AtTable,
    Meaning,
    WitnessGame,
)
from golpae.compare.options import CompareOptions
from golpae.compare.size import paired_hands
from golpae.compare.size.paired_hands import HandsDiffer, PairedHands
from golpae.compare.text.diff import compare_texts
from golpae.elaborate.instance import Instance, bounds, instantiate, options_of, values_of
from golpae.elaborate.resolve import resolve
from golpae.ir.limits import TooManySteps
from golpae.replay.machine import Machine
from golpae.verify import analysis
from golpae.verify.options import Settings
from tests.differential.changes import NOTHING, changed
from tests.differential.checks import Finding, Report
from tests.differential.texts import RuleText
from tests.judge.comparison import with_payments
from tests.judge.events import Legal, try_event
from tests.judge.faults import Refused, Unclear, Unset
from tests.judge.legal_events import Scope, legal_events
from tests.judge.match import start
from tests.judge.state import State
from tests.judge.table import Table

TURNED = {A_IN_B: B_IN_A, B_IN_A: A_IN_B, PAID: PAID}
DECIDED = {PROVED, REFUTED}
HANDS, LONGEST = 4, 60  # by chance, at a table, and their events
POSITIONS, EVENTS = 60, 800  # that the judge goes through, for one pair at one table
TABLES = 2  # of a pair that are gone through
SCOPE = Scope(most=2, groups=1, hands=2, reserves=1)
SETTINGS = Settings(most=4_000_000, megabytes=1_000)
LIMITS: tuple[tuple[ModuleType, str, int | tuple[int, int]], ...] = (
    (table_comparison, "MOST_POSITIONS", 2_000),
    (table_comparison, "FEW", 20),
    (table_comparison, "MANY", 40),
    (table_comparison, "TRIED", 10_000),
    (table_comparison, "SOON", (60, 4_000_000)),
    (table_comparison, "SEARCHED", (120, 8_000_000)),
    (analysis, "STRENGTHENED", 12_000_000),
)
WITHOUT_GAMES = ((table_comparison, "MOST_POSITIONS", 0),)
UNJUDGED = (Unclear, Unset, Refused, RecursionError)


def check_comparison(text: RuleText, report: Report) -> None:
    """Compare a text with a change of it, and enter what is wrong."""
    rng = random.Random(text.seed)
    found = changed(text, rng)
    if found is None:
        report.counts["comparisons without a change"] += 1
        return
    kind, other = found
    note = f"{kind}\n{other.source}"
    _Pair(text, other, kind, note, report).check()


class _Pair:
    def __init__(self, one: RuleText, other: RuleText, kind: str, note: str, report: Report) -> None:
        self.one, self.other = one, other
        self.kind, self.note, self.report = kind, note, report
        self.counts: Counter[str] = report.counts
        self.a, self.b = one.rule_set(), other.rule_set()

    def say(self, kind: str, players: int, detail: str, trace: tuple[Mapping[str, Any], ...] = ()) -> None:
        lines = tuple(dict(line) for line in trace)
        self.report.findings.append(
            Finding(f"compare-{kind}", self.one.name, players, f"{detail}; {self.note}", lines)
        )

    def check(self) -> None:
        """Check the headers, then a few of the tables."""
        self.counts["comparisons"] += 1
        self.counts[f"compared: {self.kind.split(':')[0]}"] += 1
        if why_incomparable(self.a, self.b) is not None:
            self.counts["comparisons of texts alone"] += 1
            return
        headers = headers_of(self.a, self.b, CompareOptions())
        apart = bool(headers.differences)
        if apart is not self._headers_differ():
            self.say("headers", 0, f"headers {headers.differences}")
        same_text = self._same_text()
        if same_text and apart:
            self.say("text-headers", 0, "the same text, other headers")
        with _with(LIMITS):
            for players, options in headers.tables[:TABLES]:
                self._table(TablePair(self.a, self.b, players, options), same_text)

    def _same_text(self) -> bool:
        resolved = [resolve(text.name, text.loaded) for text in (self.one, self.other)]
        return compare_texts(resolved[0], resolved[1]).same

    def _headers_differ(self) -> bool:
        """Return whether some header is malformed for one of the two alone, or names another table in each."""
        options = [options_of(rules, {}) for rules in (self.a, self.b)]
        ranges = [[values_of(rules, name) for name in options[0]] for rules in (self.a, self.b)]
        if options[0] != options[1] or ranges[0] != ranges[1]:
            return True
        for name, values in zip(options[0], ranges[0], strict=True):
            for value in values:
                given = {**options[0], name: value}
                if bounds(self.a, given) != bounds(self.b, given):
                    return True
        return bounds(self.a, options[0]) != bounds(self.b, options[0])

    # ---------------------------------------------------------------- one table

    def _hands(self, pair: TablePair, answers: AtTable) -> None:
        """Play random hands on both paths. None shows a difference that the answers rule out."""
        if why_order_matters(pair.a, pair.b) is not None:
            return
        a, b = (
            Machine(instantiate(r, pair.players, pair.options)) for r in (pair.a, aligned(pair.a, pair.b))
        )
        hands = PairedHands(PairedMachines(a, b), self.one.seed, longest=LONGEST)
        with _with(((paired_hands, "CHECKED", 1),)):
            try:
                played = list(hands.play(0, HANDS))
            except HandsDiffer as fault:
                self.say("hands", pair.players, str(fault))
                return
            except TooManySteps:
                return
        self.counts["random hands of two rule sets"] += HANDS
        self.counts["of these, referred"] += sum(by_reference for _, by_reference in played)
        for side, question in enumerate((A_IN_B, B_IN_A)):
            if answers.answer(question).verdict == PROVED and any(hand.alone[side] for hand, _ in played):
                self.say("hands", pair.players, f"{question} is proved, and a random hand shows a difference")

    def _table(self, pair: TablePair, same_text: bool) -> None:
        back = TablePair(pair.b, pair.a, pair.players, pair.options)
        answers = {"played": table_comparison.at_table(pair, SETTINGS)}
        if self.one.seed % 3 == 0:
            answers["turned"] = _turned(table_comparison.at_table(back, SETTINGS))
        if self.one.seed % 3 == 1:
            with _with(WITHOUT_GAMES):
                answers["proved"] = table_comparison.at_table(pair, SETTINGS)
        self._agree(pair, answers)
        self._hands(pair, answers["played"])
        for question in QUESTIONS:
            answer = answers["played"].answer(question)
            self.counts[f"{question} {answer.verdict}"] += 1
            self.counts["decided by all games"] += answer.detail.startswith("all ")
            verdicts = {table.answer(question).verdict for table in answers.values()}
            if "proved" in answers:
                blind = answers["proved"].answer(question)
                self.counts[f"{question} {blind.verdict} without all games"] += 1
            if REFUTED in verdicts and (same_text or self.kind in NOTHING):
                self.say("change-of-nothing", pair.players, f"{question} refuted")
        shortest = self._played(pair)
        for way, table in answers.items():
            for question in QUESTIONS:
                self._true(pair, way, question, table, shortest.get(question))
        a_in_b, b_in_a = (answers["played"].answer(q).verdict == PROVED for q in (A_IN_B, B_IN_A))
        games = SETTLED[a_in_b, b_in_a]
        if all(answers["played"].answer(q).verdict in DECIDED for q in QUESTIONS):
            self.counts[f"verdict {games}"] += 1
        else:
            self.counts["verdict undecided"] += 1
        if self.one.seed % 9 == 2:
            self._cached(pair, answers["played"])

    def _agree(self, pair: TablePair, answers: Mapping[str, AtTable]) -> None:
        for question in QUESTIONS:
            verdicts = {way: table.answer(question).verdict for way, table in answers.items()}
            if set(verdicts.values()) >= DECIDED:
                self.say("contradiction", pair.players, f"{question}: {verdicts}")
            exact = {way: answers[way].answer(question) for way in ("played", "turned") if way in answers}
            if any(a.detail.startswith("all ") for a in exact.values()):
                if len({a.verdict for a in exact.values()}) > 1:
                    self.say("turned", pair.players, f"{question}: {verdicts}")

    def _true(
        self, pair: TablePair, way: str, question: str, table: AtTable, shortest: tuple[Any, ...] | None
    ) -> None:
        """Hold an answer against the judge's shortest game, and its own game against the judge."""
        answer = table.answer(question)
        said = f"{way}, {question}: {answer.verdict}, {answer.detail}"
        if shortest is not None:
            events = len(shortest) - 1
            if answer.verdict == PROVED:
                self.say("proved", pair.players, f"{said}; the judge has a game of {events}", shortest)
            if answer.verdict == BOUNDED and answer.bound is not None and events <= answer.bound:
                self.say("bounded", pair.players, f"{said}; the judge has a game of {events}", shortest)
            if answer.game is not None and answer.game.shortest and events < answer.game.events:
                self.say("shortest", pair.players, f"{said}; the judge has a game of {events}", shortest)
        if answer.game is not None:
            second = question == B_IN_A or (question == PAID and way == "turned")
            wrong = self._replayed(pair, question, answer.game, second)
            self.counts["games of comparisons replayed"] += 1
            if wrong is not None:
                self.say("game", pair.players, f"{said}: {wrong}", answer.game.lines)

    def _cached(self, pair: TablePair, fresh: AtTable) -> None:
        """Ask twice with a cache of its own; the second answer comes from it."""
        options = CompareOptions(pair.players, pair.options, effort=0.1)
        before = os.environ.get("GOLPAE_CACHE")
        with TemporaryDirectory() as folder:
            os.environ["GOLPAE_CACHE"] = folder
            try:
                found = [compare_games([(self.a, self.b)], options)[0] for _ in range(2)]
            finally:
                if before is None:
                    del os.environ["GOLPAE_CACHE"]
                else:
                    os.environ["GOLPAE_CACHE"] = before
        self.counts["comparisons from the cache"] += 1
        for meaning in found:
            assert isinstance(meaning, Meaning)
            for question in QUESTIONS:
                verdicts = {fresh.answer(question).verdict, meaning.tables[0].answer(question).verdict}
                if verdicts >= DECIDED:
                    self.say("cache", pair.players, f"{question}: {verdicts}")
        if found[0] != found[1] and all(
            found[0].tables[0].answer(q).verdict in DECIDED
            for q in QUESTIONS
            if isinstance(found[0], Meaning)
        ):
            self.say("cache", pair.players, "another answer from the cache")

    # ---------------------------------------------------------------- the judge

    def _judged(self, pair: TablePair) -> list[Instance]:
        """Return both sides of a pair, as the judge reads them."""
        written = [self.one.as_written(), self.other.as_written()]
        if pair.a is not self.a:
            written.reverse()
        return [instantiate(rules, pair.players, pair.options) for rules in written]

    def _played(self, pair: TablePair) -> dict[str, tuple[Any, ...]]:
        """Return for each question the judge's first game that refutes it, header first."""
        found: dict[str, tuple[Any, ...]] = {}
        tables = [start(instance) for instance in self._judged(pair)]
        header = {"golpae": 1, "rules": pair.a.rules, "players": ["p"] * pair.players}
        one, two = tables[0][0], tables[1][0]
        path: tuple[Any, ...] = ()
        waiting = deque([(tables[0][1], tables[1][1], path)])
        seen = {(tables[0][1], tables[1][1])}
        tried = 0
        while waiting and tried < EVENTS:
            first, second, path = waiting.popleft()
            try:
                for question, event, after in _next(one, first, two, second):
                    tried += 1
                    if question is not None:
                        found.setdefault(question, (header, *path, event))
                    if after is not None and after not in seen and len(seen) < POSITIONS:
                        seen.add(after)
                        waiting.append((*after, (*path, event)))
                    if tried >= EVENTS:
                        break
            except UNJUDGED:
                self.counts["comparisons not judged"] += 1
                break
        self.counts["positions of both judged"] += len(seen)
        return found

    def _replayed(self, pair: TablePair, question: str, game: WitnessGame, second: bool) -> str | None:
        """Return what the judge finds wrong with a game that refutes a question, or None.

        `second` is whether it is a game of the second rule set.
        """
        sides = self._judged(pair)
        if second:
            sides.reverse()
        (ours, state), (theirs, other) = (start(side, int(game.lines[0].get("stake", 1))) for side in sides)
        try:
            for number, event in enumerate(game.lines[1:], 1):
                mine = try_event(ours, state, event)
                if not isinstance(mine, Legal):
                    return f"the judge refuses event {number} itself: {mine}"
                own = with_payments(theirs, other, event)
                verdict = None if own is None else try_event(theirs, other, own)
                if number == game.events:
                    if question != PAID:
                        return "the judge allows the last event" if isinstance(verdict, Legal) else None
                    same = own is not None and own.get("pay") == event.get("pay")
                    return "the judge pays the same" if same or not isinstance(verdict, Legal) else None
                if not isinstance(verdict, Legal):
                    return f"the judge refuses event {number} on the other side: {verdict}"
                state, other = mine.state, verdict.state
        except UNJUDGED:
            self.counts["comparisons not judged"] += 1
        return None


def _next(
    one: Table, first: State, two: Table, second: State
) -> Iterator[tuple[str | None, Any, tuple[State, State] | None]]:
    """Yield the events of two positions: what each refutes, the event, and the positions after it."""
    scope = SCOPE if first.hands_played < 1 else Scope(most=2, groups=1, hands=0)
    for event, verdict in legal_events(one, first, scope):
        own = with_payments(two, second, event)
        if own is None:
            continue
        other = try_event(two, second, own)
        if not isinstance(other, Legal):
            yield A_IN_B, event, None
            continue
        yield PAID if own.get("pay") != event.get("pay") else None, event, (verdict.state, other.state)
    for event, _ in legal_events(two, second, scope):
        own = with_payments(one, first, event)
        if own is not None and not isinstance(try_event(one, first, own), Legal):
            yield B_IN_A, event, None


def _turned(table: AtTable) -> AtTable:
    return AtTable(table.players, table.options, table.b_in_a, table.a_in_b, table.paid)


@contextmanager
def _with(limits: Sequence[tuple[ModuleType, str, int | tuple[int, int]]]) -> Iterator[None]:
    """Change limits of modules for a while."""
    before = [(module, name, getattr(module, name)) for module, name, _ in limits]
    try:
        for module, name, value in limits:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
