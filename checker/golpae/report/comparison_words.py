"""The phrases that every report on a comparison shares: its verdict, its questions, the kinds of difference.

Input: a `Comparison`.
Output: text on one line, without colour.
Guarantee: the verdict claims nothing that is undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from golpae.compare.comparison import MEANING, Amount, Comparison
from golpae.compare.games.verdict import (
    A_IN_B,
    B_IN_A,
    BOUNDED,
    DIFFERENT,
    NARROWER,
    NO_DEAL,
    PAID,
    QUESTIONS,
    SAME,
    WIDER,
    AtTable,
    Covered,
    WitnessGame,
)
from golpae.compare.scores.verdict import ScoreAnswer
from golpae.compare.text.clause_model import RULES, SOURCES
from golpae.compare.text.diff import (
    ADDED,
    DROPPED,
    EXPECTED,
    RECITED,
    RENAMED,
    REORDERED,
    REPLACED,
    REWORDED,
    Difference,
)
from golpae.diagnostics.amounts import many
from golpae.diagnostics.hidden import on_one_line
from golpae.report.proofs_rows import spans
from golpae.search.witness import value_in_words

Files = Mapping[tuple[int, str], str]  # where the game of a table and question was written to
KIND_WORDS = {
    ADDED: "added",
    DROPPED: "dropped",
    REPLACED: "replaced",
    REORDERED: "reordered",
    RENAMED: "renamed",
    REWORDED: "reworded",
    RECITED: "different rule numbers",
    EXPECTED: "different expected verdict",
}
MOST_NAMED = 8  # clauses that a changed definition reaches
LARGEST_SHARE = 0.9995


def verdict(c: Comparison) -> str:
    """Return the whole verdict as one sentence."""
    return f"{_of_games(c)}{HANDS[c.hands]}" if MEANING in c.layers else _of_games(c)


def _of_games(c: Comparison) -> str:
    """Return the verdict on the games."""
    a, b = c.a, c.b
    if c.incomparable is not None and not c.text.same:
        return on_one_line(f"{a} and {b} are compared only as texts: {c.incomparable}")
    if c.text.same and MEANING not in c.layers:
        return f"{a} and {b} have the same rules"
    if MEANING not in c.layers:
        return f"{a} and {b} differ in {many(sum(d.counts for d in c.text.differences), 'clause')}"
    at = f" ({compared_at(c)})" if compared_at(c) else ""
    match c.games:
        case "same" if c.paid:
            return f"{b} allows the same games as {a}{at}, and pays the same"
        case "same":
            words = f"{b} allows the same games as {a}{at}"
        case "wider":
            words = f"{b} allows all games of {a}{at}, and more"
        case "narrower":
            words = f"{b} allows fewer games than {a}{at}, and no others"
        case "different":
            words = f"{a} and {b} each allow games that the other does not{at}"
        case _:
            words = _undecided(c) + at
    if c.meaning is not None and not c.meaning.tables:
        return words  # no game is one of both
    if c.shares_no_deal:
        return f"{words}; {NO_DEAL}"
    return f"{words}; {PAYMENTS[c.paid]}"


def compared_at(c: Comparison) -> str:
    """Return the numbers of players and the values of options that were compared."""
    if c.meaning is None or not c.meaning.tables:
        return c.at
    players = _players_of(c.meaning.tables)
    return ", ".join((players, *map(_covered, c.meaning.options)))


def _covered(option: Covered) -> str:
    every = f"{option.low}" if option.low == option.high else f"{option.low}–{option.high}"
    if option.values is None:
        return f"{option.name} {every}"
    return f"{option.name} {_listed(option.values)} of {every}"


def headers(c: Comparison) -> Iterator[str]:
    """Yield the headers that only one of the two takes, or that name another table in each."""
    for header in () if c.meaning is None else c.meaning.headers:
        yield on_one_line(_named(header.words, c))


PAYMENTS = {
    True: "payments are the same",
    False: "payments differ",
    None: "whether payments are the same is undecided",
}


HANDS = {
    True: "",
    False: "; hands count differently",
    None: "; whether hands count the same is undecided",
}


def _undecided(c: Comparison) -> str:
    a, b = c.a, c.b
    match c.a_in_b, c.b_in_a:
        case True, None:
            return f"{b} allows all games of {a}; whether it allows more is undecided"
        case None, True:
            return f"{a} allows all games of {b}; whether it allows more is undecided"
        case False, None:
            return f"{a} allows games that {b} does not; the reverse is undecided"
        case None, False:
            return f"{b} allows games that {a} does not; the reverse is undecided"
        case _:
            return f"it is undecided whether {a} and {b} allow the same games"


def question(which: str, c: Comparison) -> str:
    """Return a question as a claim about all games."""
    return {
        A_IN_B: f"{c.b} allows all games of {c.a}",
        B_IN_A: f"{c.a} allows all games of {c.b}",
        PAID: "payments are the same in all games that both allow",
    }[which]


def shown_by(which: str, c: Comparison) -> str:
    """Return the words for a game that refutes the claim."""
    return {
        A_IN_B: f"{c.a} allows this game, {c.b} does not",
        B_IN_A: f"{c.b} allows this game, {c.a} does not",
        PAID: f"{c.a} and {c.b} pay differently for this game",
    }[which]


def refuses(which: str, c: Comparison) -> str:
    """Return which of the two refuses the last event of that game."""
    return c.a if which == B_IN_A else c.b


def answers(c: Comparison) -> Iterator[tuple[str, str, str, str]]:
    """Yield each question with its verdict, tables and detail; equal answers of several tables together."""
    for which in QUESTIONS:
        alike: dict[tuple[str, str], list[AtTable]] = {}
        for table in () if c.meaning is None else c.meaning.tables:
            answer = table.answer(which)
            bound = f" {answer.bound}" if answer.verdict == BOUNDED and answer.bound is not None else ""
            alike.setdefault((answer.verdict + bound, on_one_line(answer.detail)), []).append(table)
        for (verdict, detail), tables in alike.items():
            yield which, verdict, _tables(tables), detail


def scores(c: Comparison) -> Iterator[tuple[str, str, str, str]]:
    """Yield each score whose hands were compared with its verdict, tables and detail; equal answers together."""
    alike: dict[tuple[str, str, str], list[AtTable]] = {}
    for table in () if c.meaning is None else c.meaning.tables:
        for answer in table.scores:
            alike.setdefault((answer.score, answer.verdict, _detail(answer, c)), []).append(table)
    for (score, verdict, detail), tables in alike.items():
        yield f"hands count the same by `{score}`", verdict, _tables(tables), detail


def _detail(answer: ScoreAnswer, c: Comparison) -> str:
    """Return the hand that shows an answer about a score, in words; without a hand, the detail of the answer."""
    if answer.hand is None:
        return on_one_line(_named(answer.detail, c))
    given = ", ".join(f"{key} {value_in_words(value)}" for key, value in answer.hand.hand.items())
    ours, theirs = (_total(total) for total in answer.hand.totals)
    differing = answer.hand.differing.items()
    numbers = "".join(f"; {name} {one} in {c.a}, {other} in {c.b}" for name, (one, other) in differing)
    return on_one_line(f"{given}: {ours} in {c.a}, {theirs} in {c.b}{numbers}")


def _total(total: int | str | None) -> str:
    return "nothing" if total is None else str(total)


def _named(text: str, c: Comparison) -> str:
    """Return a text with the names of the two for `{a}` and `{b}`."""
    names = {"{a}": c.a, "{b}": c.b}
    return "".join(names.get(part, part) for part in re.split(r"(\{[ab]\})", text))


def _tables(tables: Sequence[AtTable]) -> str:
    """Return the numbers of players and the options of some tables in words."""
    at: dict[tuple[tuple[str, int], ...], list[AtTable]] = {}
    for table in tables:
        at.setdefault(tuple(table.options.items()), []).append(table)
    alike: dict[str, list[Mapping[str, int]]] = {}
    for some in at.values():
        alike.setdefault(_players_of(some), []).append(some[0].options)
    return "; ".join(", ".join((players, *_values(options))) for players, options in alike.items())


def _values(options: Sequence[Mapping[str, int]]) -> list[str]:
    """Return the values that each option has, if they come in every combination; otherwise every combination."""
    values = {name: sorted({given[name] for given in options}) for name in options[0]}
    if prod(map(len, values.values())) == len(options):
        return [f"{name} {_listed(some)}" for name, some in values.items()]
    return [" or ".join(" and ".join(f"{n} {v}" for n, v in given.items()) for given in options)]


def _players_of(tables: Sequence[AtTable]) -> str:
    numbers = _listed(sorted({table.players for table in tables}))
    return f"{numbers} player{'s' * (numbers != '1')}"


def _listed(numbers: Sequence[int]) -> str:
    return spans(list(numbers))


def table_in_words(table: AtTable) -> str:
    """Return the number of players and the options of one table in words."""
    return _tables([table])


def games(c: Comparison) -> Iterator[tuple[int, str, WitnessGame]]:
    """Yield for each question the shortest game that refutes it, and the number of its table."""
    for which in QUESTIONS:
        shown = [
            (answer.game.events, at, answer.game)
            for at, answer in enumerate(c.answers(which))
            if answer.game is not None
        ]
        if shown:
            _, at, game = min(shown, key=lambda f: f[:2])
            yield at, which, game


def event(line: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return an event in a few words: who, what, with what."""
    rest = {k: v for k, v in line.items() if k not in ("do", "by", "note", "time")}
    by = line.get("by")
    who = f"{players[by]} " if isinstance(by, int) and 0 <= by < len(players) else ""
    named = len(rest) > 1 or not who
    details = ", ".join(f"{k} {value_in_words(v)}" if named else value_in_words(v) for k, v in rest.items())
    return on_one_line(f"{who}{line.get('do')} {details}".rstrip())


def sized(row: Amount, c: Comparison) -> str:
    """Return the quantity that was counted or estimated, with the names of the two."""
    return _named(row.what, c)


FIRST_DEALS = "first deals possible only in "


def sentence(row: Amount, c: Comparison) -> str:
    """Return the quantity that was counted or estimated, with its amount: a share of deals as one sentence."""
    if row.exact and row.what.startswith(FIRST_DEALS):
        where = sized(row, c).removeprefix(FIRST_DEALS)
        counted = f"{row.count:,} of {row.of:,}"
        return f"of the first deals that either has, {percent(row.share)} are possible only in {where}: {counted}"
    return f"{sized(row, c)}: {amount(row)}"


def amount(row: Amount) -> str:
    """Return the amount, exactly or as a share with its interval."""
    counted = f"{row.count:,} of {row.of:,}"
    if row.exact:
        return f"{counted} ({percent(row.share)})"
    seed = "" if row.seed is None else f", seed {row.seed}"
    return f"{percent(row.share)}, {percent(row.low or 0.0)} to {percent(row.high or 0.0)} (n = {row.of:,}{seed})"


def percent(share: float) -> str:
    """Return a share in percent, with enough digits to distinguish it from 0% and 100%."""
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    if share < 0.0005:
        return f"{100 * share:.2g}%"
    return f"{share:.1%}" if share < LARGEST_SHARE else f"{100 * share:.4f}%"


def counted(differences: Sequence[Difference]) -> str:
    """Return how many differences there are of each kind."""
    kinds = [d.kind for d in differences]
    kind_words = {
        ADDED: "added",
        DROPPED: "dropped",
        REPLACED: "replaced",
        REORDERED: "reordered",
        RENAMED: "renamed",
        REWORDED: "reworded",
        RECITED: "with different rule numbers",
    }
    return ", ".join(f"{kinds.count(kind)} {words}" for kind, words in kind_words.items() if kind in kinds)


def about(d: Difference, with_ids: bool = True) -> str:
    """Return the kind of a difference, its switches and the clauses that it reaches."""
    words = f"{KIND_WORDS[d.kind]}: {d.path}"
    if d.kind == RENAMED and d.new is not None:
        words += f" to {d.new.path}"
    if d.kind == EXPECTED and d.old is not None and d.new is not None:
        words += f", {d.new.expected} instead of {d.old.expected}"
    if with_ids and d.ids:
        words += f" [{' '.join(d.ids)}]"
    more = []
    if d.switches[1] is not None:
        more.append(f"by {d.switches[1]}")
    if d.switches[0] is not None:
        more.append(f"without {d.switches[0]}")
    if d.reaches is not None and d.part == RULES:
        named = ", ".join(d.reaches[:MOST_NAMED])
        over = len(d.reaches) - MOST_NAMED
        named += f" and {over} more" if over > 0 else ""
        if named:
            more.append(f"used by {named}")
    return "; ".join((words, *more)) if not more else f"{words}  {'; '.join(more)}"


def in_sources(c: Comparison) -> str | None:
    """Return the differences in the sources, in a line."""
    differences = c.text.of(SOURCES)
    entries = []
    for kind, words in ((DROPPED, f"only in {c.a}"), (ADDED, f"only in {c.b}")):
        names = [d.path for d in differences if d.kind == kind]
        if names:
            entries.append(f"{', '.join(names)} {words}")
    names = [d.path for d in differences if d.kind not in (DROPPED, ADDED)]
    if names:
        entries.append(f"{', '.join(names)} reworded")
    return "; ".join(entries) or None


def off(c: Comparison) -> str | None:
    """Return the switches that are off and not the same in both texts, in a line."""
    where = {"a": f"only in {c.a}", "b": f"only in {c.b}", "both": "differs"}
    entries = [f"{name} ({where[offered]})" for name, offered in c.text.unused]
    return ", ".join(entries) or None


def source(c: Comparison, number: str) -> str:
    """Return the rule of this number: its source, its section, its gist."""
    rule = c.text.sources[number]
    if isinstance(rule, str):
        return rule
    return f"source {rule.source}{f', {rule.section}' if rule.section else ''}: {rule.gist}"


__all__ = ["DIFFERENT", "NARROWER", "SAME", "WIDER", "Files", "about", "amount", "answers", "verdict"]
