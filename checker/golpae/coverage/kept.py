"""Counts as JSON, and back: what a run found, for programs and for the next run.

Input: counts, or JSON that an earlier run wrote.
Output: JSON objects; counts with those of the earlier run added.
Guarantee: counts of a clause are added only if the clause still says the same. `docs/coverage.md` states the format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from golpae import __version__
from golpae.coverage.clauses import Clause
from golpae.coverage.ledger import Entry, Ledger
from golpae.coverage.measure import Coverage
from golpae.coverage.tally import Count, GameTally, Share, whole_share
from golpae.diagnostics import SpecError
from golpae.trace import quoted

FORMAT = 1


class Useless(Exception):
    """The words say why a file of counts cannot be added."""


# ------------------------------------------------------------------ to JSON


def to_json(coverage: Coverage, ledgers: Sequence[Ledger] = ()) -> dict[str, Any]:
    """Return all counts as one object; with ledgers, also what they add to each clause."""
    tallies = sorted_games(coverage)
    of_game = {one.tally.book.game: one for one in ledgers}
    return {
        "format": FORMAT,
        "golpae": __version__,
        "share": _share(whole_share(tallies)),
        "unplayed": coverage.unplayed,
        "games": [_game(tally, of_game.get(tally.book.game)) for tally in tallies],
    }


def sorted_games(coverage: Coverage) -> list[GameTally]:
    return [coverage.games[game] for game in sorted(coverage.games)]


def _share(share: Share) -> dict[str, float]:
    return {"covered": share.covered, "of": share.of, "percent": round(share.percent, 2)}


def _game(tally: GameTally, ledger: Ledger | None) -> dict[str, Any]:
    book = tally.book
    entries = {} if ledger is None else {entry.clause.name: entry for entry in ledger.entries}
    return {
        "game": book.game,
        "title": book.title,
        "traces": dict(sorted(tally.verdicts.items())),
        "rule_sets": dict(sorted(tally.rule_sets.items())),
        "players": {str(n): tally.players[n] for n in sorted(tally.players)},
        "share": _share(tally.share()),
        "clauses": [_clause(tally, clause) | _entry(entries.get(clause.name)) for clause in book.clauses],
        "missing": [{"clause": m.clause.name, "side": m.side, "why": m.why} for m in tally.missing()],
        "rules": [
            {
                "id": number,
                "gist": book.gist(number),
                "clauses": [clause.name for clause in clauses],
                **tally.numbers.get(number, {"used": 0, "broken": 0}),
            }
            for number, clauses in tally.cited().items()
        ],
    }


def _clause(tally: GameTally, clause: Clause) -> dict[str, Any]:
    return {
        "name": clause.name,
        "path": clause.path,
        "kind": clause.kind,
        "switch": clause.switch,
        "ids": [*clause.ids],
        "file": clause.file,
        "line": clause.line,
        "text": clause.words,
        "digest": clause.digest,
        "stated": clause.stated,
        "sides": {side: _count(tally.counts.get((clause.name, side), Count())) for side in clause.sides},
    }


def _entry(entry: Entry | None) -> dict[str, Any]:
    """Return what a ledger adds to a clause."""
    if entry is None:
        return {}
    out: dict[str, Any] = {"about": [*entry.about], "properties": [*entry.properties]}
    if entry.mutants is not None:
        out["mutants"] = {"noticed": entry.mutants.noticed, "unnoticed": entry.mutants.unnoticed}
    return out


def _count(count: Count) -> dict[str, Any]:
    return {"games": count.games, "events": count.events, "examples": count.examples}


# ------------------------------------------------------------------ from JSON


class _Count(msgspec.Struct):
    games: int
    events: int
    examples: list[str]


class _Clause(msgspec.Struct):
    name: str
    digest: str
    sides: dict[str, _Count]


class _Rule(msgspec.Struct):
    id: str
    used: int
    broken: int


class _Game(msgspec.Struct):
    game: str
    traces: dict[str, int]
    rule_sets: dict[str, int]
    players: dict[str, int]
    clauses: list[_Clause]
    rules: list[_Rule]


class _File(msgspec.Struct):
    format: int
    unplayed: int
    games: list[_Game]


@dataclass(frozen=True, slots=True)
class Added:
    """How many games were added, and the clauses whose counts were left out because they say something else."""

    games: int
    changed: Sequence[str]


def add(coverage: Coverage, content: bytes) -> Added:
    """Add the counts of an earlier run. Raises `Useless`."""
    try:
        kept = msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Useless(f"it is not what `golpae coverage --format json` writes: {fault}") from None
    if kept.format != FORMAT:
        raise Useless(f"its format is {kept.format}, and this golpae reads format {FORMAT}")
    try:
        tallies = [(coverage.game(game.game), game) for game in kept.games]
    except SpecError as fault:
        raise Useless(fault.diagnostics[0].message) from None
    coverage.unplayed += kept.unplayed
    changed: list[str] = []
    for tally, game in tallies:
        changed += _add_game(tally, game)
    return Added(sum(sum(game.traces.values()) for game in kept.games), changed)


def _add_game(tally: GameTally, game: _Game) -> Iterable[str]:
    """Add the counts of a game. Yield the clauses that say something else now, or are gone."""
    clauses: Mapping[str, Clause] = {}
    tally.verdicts.update(game.traces)
    tally.rule_sets.update(game.rule_sets)
    for rules in game.rule_sets:
        tally.book.of(rules)  # which may have clauses that no single switch has
    clauses = {clause.name: clause for clause in tally.book.clauses}
    try:
        tally.players.update({int(number): games for number, games in game.players.items()})
    except ValueError:
        raise Useless(f"`players` of {quoted(game.game)} are not numbers") from None
    for rule in game.rules:
        held = tally.numbers.setdefault(rule.id, {"used": 0, "broken": 0})
        held["used"] += rule.used
        held["broken"] += rule.broken
    for kept in game.clauses:
        clause = clauses.get(kept.name)
        if clause is None or clause.digest != kept.digest:
            if any(count.games for count in kept.sides.values()):
                yield kept.name
            continue
        for side, count in kept.sides.items():
            if side in clause.sides and count.games:
                tally.count(clause, side).add(count.games, count.events, count.examples)
