"""Counts as JSON, and back: what a run found, for programs and for the next run.

Input: counts, or JSON that an earlier run wrote.
Output: JSON objects; counts with those of the earlier run added.
Guarantee: counts of a clause are added only if the clause still says the same. What is written is what is read:
`docs/coverage.schema.json` describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from golpae import __version__
from golpae.coverage.clauses import Clause
from golpae.coverage.ledger import Entry, Ledger
from golpae.coverage.measure import Coverage
from golpae.coverage.tally import Count, GameTally, Share, whole_share
from golpae.diagnostics import SpecError
from golpae.elaborate.resolve import split
from golpae.schemas import schema_of
from golpae.trace import quoted

FORMAT = 1


class UselessCounts(Exception):
    """The words say why a file of counts cannot be added."""


# ------------------------------------------------------------------ the format


class Covered(msgspec.Struct, frozen=True):
    """How many sides of clauses are covered, of how many, and the share in percent."""

    covered: int
    of: int
    percent: float


class SideCounts(msgspec.Struct, frozen=True):
    """In how many games something came of a clause, in how many events (0 where events are not counted), and the places
    of up to three of the games.
    """

    games: int
    events: int
    examples: list[str]


class MutantCounts(msgspec.Struct, frozen=True):
    """How many mutants of a clause something notices, and the names of those that nothing does."""

    noticed: int
    unnoticed: list[str]


class ClauseCounts(msgspec.Struct, frozen=True):
    """A clause: no other has its `name`; `switch` is the variant or reading that wrote it, null for the text itself;
    `digest` differs if the text of the clause does; `stated` is false of what golpae asks of every game. The last three
    are there if a ledger was asked for: the properties about the clause, those that depend on it, and its mutants.
    """

    name: str
    path: str
    kind: str
    switch: str | None
    ids: list[str]
    file: str
    line: int
    text: str
    digest: str
    stated: bool
    sides: dict[str, SideCounts]
    about: list[str] | UnsetType = UNSET
    properties: list[str] | UnsetType = UNSET
    mutants: MutantCounts | UnsetType = UNSET


class MissingSide(msgspec.Struct, frozen=True):
    """What no game shows of a clause, and why none can, if that is known."""

    clause: str
    side: str
    why: str | None


class RuleCounts(msgspec.Struct, frozen=True):
    """A numbered rule of the sources, the clauses that cite it, and how many games use and break it."""

    id: str
    gist: str
    clauses: list[str]
    used: int
    broken: int


class GameCounts(msgspec.Struct, frozen=True):
    """The counts of a game: how many traces had each verdict, rule set and number of players, and its clauses in
    reading order.
    """

    game: str
    title: str
    traces: dict[str, int]
    rule_sets: dict[str, int]
    players: dict[str, int]
    share: Covered
    clauses: list[ClauseCounts]
    missing: list[MissingSide]
    rules: list[RuleCounts]


class CountsFile(msgspec.Struct, frozen=True):
    """All counts of a run. `unplayed` is how many traces have no rules that can be played."""

    format: int
    golpae: str
    share: Covered
    unplayed: int
    games: list[GameCounts]


def schema() -> dict[str, Any]:
    """Return the JSON schema of the format."""
    return schema_of(CountsFile)


# ------------------------------------------------------------------ to JSON


def to_json(coverage: Coverage, ledgers: Sequence[Ledger] = ()) -> dict[str, Any]:
    """Return all counts as one object; with ledgers, also what they add to each clause."""
    tallies = sorted_games(coverage)
    of_game = {one.tally.book.game: one for one in ledgers}
    games = [_game(tally, of_game.get(tally.book.game)) for tally in tallies]
    file = CountsFile(FORMAT, __version__, _share(whole_share(tallies)), coverage.unplayed, games)
    written: dict[str, Any] = msgspec.to_builtins(file)
    return written


def sorted_games(coverage: Coverage) -> list[GameTally]:
    return [coverage.games[game] for game in sorted(coverage.games)]


def _share(share: Share) -> Covered:
    return Covered(share.covered, share.of, round(share.percent, 2))


def _game(tally: GameTally, ledger: Ledger | None) -> GameCounts:
    book = tally.book
    entries = {} if ledger is None else {entry.clause.name: entry for entry in ledger.entries}
    nobody = {"used": 0, "broken": 0}
    return GameCounts(
        game=book.game,
        title=book.title,
        traces=dict(sorted(tally.verdicts.items())),
        rule_sets=dict(sorted(tally.rule_sets.items())),
        players={str(n): tally.players[n] for n in sorted(tally.players)},
        share=_share(tally.share()),
        clauses=[_clause(tally, clause, entries.get(clause.name)) for clause in book.clauses],
        missing=[MissingSide(m.clause.name, m.side, m.why) for m in tally.missing()],
        rules=[
            RuleCounts(
                id=number,
                gist=book.gist(number),
                clauses=[clause.name for clause in clauses],
                **tally.numbers.get(number, nobody),
            )
            for number, clauses in tally.cited().items()
        ],
    )


def _clause(tally: GameTally, clause: Clause, entry: Entry | None) -> ClauseCounts:
    counts = {side: tally.counts.get((clause.name, side), Count()) for side in clause.sides}
    mutants = None if entry is None else entry.mutants
    return ClauseCounts(
        name=clause.name,
        path=clause.path,
        kind=clause.kind,
        switch=clause.switch,
        ids=[*clause.ids],
        file=clause.file,
        line=clause.line,
        text=clause.words,
        digest=clause.digest,
        stated=clause.stated,
        sides={side: SideCounts(c.games, c.events, c.examples) for side, c in counts.items()},
        about=UNSET if entry is None else [*entry.about],
        properties=UNSET if entry is None else [*entry.properties],
        mutants=UNSET if mutants is None else MutantCounts(mutants.noticed, mutants.unnoticed),
    )


# ------------------------------------------------------------------ from JSON


@dataclass(frozen=True, slots=True)
class Added:
    """How many games were added, and the clauses whose counts were left out because they say something else."""

    games: int
    changed: Sequence[str]


def add(coverage: Coverage, content: bytes) -> Added:
    """Add the counts of an earlier run. Raises `UselessCounts`."""
    try:
        stored = msgspec.json.decode(content, type=CountsFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise UselessCounts(f"it is not what `golpae coverage --format json` writes: {fault}") from None
    if stored.format != FORMAT:
        raise UselessCounts(f"its format is {stored.format}, and this golpae reads format {FORMAT}")
    try:
        tallies = [(coverage.game(game.game), game) for game in stored.games]
    except SpecError as fault:
        raise UselessCounts(fault.diagnostics[0].message) from None
    coverage.unplayed += stored.unplayed
    changed: list[str] = []
    for tally, game in tallies:
        changed += _add_game(tally, game)
    return Added(sum(sum(game.traces.values()) for game in stored.games), changed)


def _add_game(tally: GameTally, game: GameCounts) -> Iterable[str]:
    """Add the counts of a game. Yield the clauses that say something else now, or are gone."""
    tally.verdicts.update(game.traces)
    tally.rule_sets.update(game.rule_sets)
    for rules in game.rule_sets:
        if split(rules)[0] == game.game:
            tally.book.of(rules)  # which may have clauses that no single switch has
    clauses = {clause.name: clause for clause in tally.book.clauses}
    try:
        tally.players.update({int(number): games for number, games in game.players.items()})
    except ValueError:
        raise UselessCounts(f"`players` of {quoted(game.game)} are not numbers") from None
    for rule in game.rules:
        numbers = tally.numbers.setdefault(rule.id, {"used": 0, "broken": 0})
        numbers["used"] += rule.used
        numbers["broken"] += rule.broken
    for one in game.clauses:
        clause = clauses.get(one.name)
        if clause is None or clause.digest != one.digest:
            if any(count.games for count in one.sides.values()):
                yield one.name
            continue
        for side, count in one.sides.items():
            if side in clause.sides and count.games:
                tally.count(clause, side).add(count.games, count.events, count.examples)
