"""Compare two rule sets, clause by clause and game by game.

Input: rules A and rules B.
Output: `Compared`: what B changes against A.
Guarantee: the answers are those of `golpae compare`.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from golpae.compare.comparison import MEANING, TEXT, Amount, Comparison, settled_by_text
from golpae.compare.games.verdict import AtTable, Meaning, QuestionResult
from golpae.compare.options import CompareOptions
from golpae.compare.text.diff import Difference as Inner
from golpae.compare.text.diff import compare_texts
from golpae.elaborate.instance import bounds, options_of, wrong_number
from golpae.elaborate.names import find, own_folders
from golpae.library.answers.playing import Share
from golpae.library.errors import TableError, translated
from golpae.library.values import FrozenDict, ShortRepr, written
from golpae.progress import Progress
from golpae.workers import OuterLimits

if TYPE_CHECKING:
    from golpae.library.rules import Rules

SECONDS, MEGABYTES = 1_800, 2_000  # outer limits: for one table, and for one process


@dataclass(frozen=True, slots=True)
class Limits:
    """What a comparison is about, and what it may cost."""

    games: bool
    sizes: bool
    processes: int
    effort: float
    seed: int
    cached: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A clause that two texts do not share.

    Attributes:
        clause: its path: `claim.turn`.
        kind: `added`, `dropped`, `replaced`, `reordered`, `renamed`, `reworded`, `recited` or `expected`.
        before: its text in A; None if it is added.
        after: its text in B; None if it is dropped.
        sources: the numbers of the rules that it stands for.
        counts: whether it can change a game.
    """

    clause: str
    kind: str
    before: str | None
    after: str | None
    sources: tuple[str, ...]
    counts: bool


@dataclass(frozen=True, slots=True, repr=False)
class Answer(ShortRepr):
    """The answer to one question about the games of two rule sets.

    Attributes:
        verdict: `proved`, `refuted`, `bounded` or `unknown`.
        detail: how it was reached, or why it was not.
        trace: the lines of a game that refutes it, header first.
        refused_by: the rules that refuse the last event of this game.
        clause: the clause that refuses it.
        message: why.
    """

    verdict: str
    detail: str
    trace: tuple[str, ...] = ()
    refused_by: str | None = None
    clause: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """The answers at one table.

    Attributes:
        players: how many play.
        options: the values of options.
        a_in_b: is every game of A one of B?
        b_in_a: is every game of B one of A?
        paid: are games that both allow paid alike?
    """

    players: int
    options: FrozenDict[str, int]
    a_in_b: Answer
    b_in_a: Answer
    paid: Answer


@dataclass(frozen=True, slots=True)
class Size:
    """How much one difference matters.

    Attributes:
        what: what was counted.
        share: how many of them, and of how many; without bounds if all were counted.
    """

    what: str
    share: Share


@dataclass(frozen=True, slots=True, repr=False)
class Compared(ShortRepr):
    """Rules B against rules A.

    Attributes:
        a: the name of A.
        b: the name of B.
        games: what B allows, compared with A: `same`, `narrower`, `wider`, `different`; None if undecided.
        paid: whether games that both allow are paid alike; None if undecided.
        differences: the clauses that they do not share, in reading order.
        tables: the answers at each table.
        incomparable: why their games cannot be compared, if they cannot.
        sizes: how much they differ, if that was asked.
        hands: whether hands count alike by the scores that were compared; None if undecided or not asked.
    """

    a: str
    b: str
    games: str | None
    paid: bool | None
    differences: tuple[Difference, ...]
    tables: tuple[ComparedTable, ...] = ()
    incomparable: str | None = None
    sizes: tuple[Size, ...] = ()
    hands: bool | None = None


def compared(
    a: Rules, b: Rules | str, players: int | None, options: Mapping[str, int], limits: Limits
) -> Compared:
    """Return B against A. Raises `RulesError` and `TableError`."""
    other = other_of(a, b)
    for rules in (a, other) if limits.games or limits.sizes else ():
        with translated():
            low, high = bounds(rules.rule_set, options_of(rules.rule_set, options))
        if players is not None and not low <= players <= high:
            raise TableError(wrong_number(rules.name, low, high, players))
    outer = OuterLimits(SECONDS, MEGABYTES)
    chosen = CompareOptions(
        players, options, limits.processes, limits.effort, limits.seed, limits.cached, outer
    )
    sizes: tuple[Size, ...] = ()
    with translated():
        text = compare_texts(a.origin.resolved(a.name), other.origin.resolved(other.name))
        layers: tuple[str, ...] = (TEXT,)
        meaning, why = None, None
        if limits.games:
            from golpae.compare.games.compare import compare_games

            [comparison] = compare_games([(a.rule_set, other.rule_set)], chosen, Progress())
            layers = (TEXT, MEANING)
            if isinstance(comparison, Meaning):
                meaning = settled_by_text(comparison, text)
            else:
                why = comparison
        if limits.sizes:
            from golpae.compare.size.compare import compare_sizes

            left_out: list[str] = []
            amounts = compare_sizes(a.rule_set, other.rule_set, chosen, tell=left_out.append)
            sizes = tuple(_size(one, a, other) for one in amounts)
            for words in left_out:
                warnings.warn(f"{a.name} and {other.name}: {words}", RuntimeWarning, stacklevel=3)
    whole = Comparison(a.name, other.name, layers, text, meaning, why)
    tables = () if meaning is None else tuple(map(_table, meaning.tables))
    differences = tuple(map(_difference, text.differences))
    return Compared(
        a.name,
        other.name,
        whole.games,
        whole.paid,
        differences,
        tables,
        why,
        sizes,
        whole.hands if limits.games else None,
    )


def other_of(a: Rules, word: Rules | str) -> Rules:
    """Return the rules that are compared with some, or those of a word: a variant of the first rules, or other rules.

    Raises `TypeError` and `RulesError`.
    """
    from golpae.library.front import load

    if isinstance(word, type(a)):
        return word
    if not isinstance(word, str):
        raise TypeError(f"rules are compared with `Rules` or a name, not with {type(word).__name__}")
    names = {switch.name for switch in a.rule_set.switches}
    switches = word.removeprefix("+").split("+")
    if word.startswith("+") or (set(switches) <= names and find(switches[0], a.origin.places) is None):
        return type(a)(a.origin.loaded("+".join((a.game, *switches))), a.origin)
    return load(word, (*a.origin.places, *own_folders()))


def _difference(inner: Inner) -> Difference:
    before = None if inner.old is None else inner.old.words
    after = None if inner.new is None else inner.new.words
    return Difference(inner.path, inner.kind, before, after, inner.ids, inner.counts)


def _size(amount: Amount, a: Rules, b: Rules) -> Size:
    words = amount.what.format(a=a.name, b=b.name)
    return Size(words, Share(amount.count, amount.of, amount.low, amount.high))


def _table(table: AtTable) -> ComparedTable:
    answers = (_answer(one) for one in (table.a_in_b, table.b_in_a, table.paid))
    return ComparedTable(table.players, FrozenDict(table.options), *answers)


def _answer(result: QuestionResult) -> Answer:
    game = result.game
    if game is None:
        return Answer(result.verdict, result.detail)
    lines = tuple(map(written, game.lines))
    return Answer(result.verdict, result.detail, lines, game.refused_by, game.clause, game.message)
