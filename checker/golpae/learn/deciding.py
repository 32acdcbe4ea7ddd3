"""A game that tells two rule sets apart.

Input: two rule sets under which the same recorded games are legal, and the tables of these games.
Output: the shortest game that was found whose last event is legal by one of the two alone.
Guarantee: the one accepts all events, the other all but the last. Games are played by chance from a fixed seed, and
tries are counted: the same rule sets and tables give the same game.

    both              deal, draw 6-1, discard 3-2, draw 5-4
    one of them       play 5-4
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.games.random_search import find_divergences
from golpae.compare.games.verdict import B_IN_A
from golpae.elaborate.instance import TableFault, instantiate
from golpae.ir.ruleset import RuleSet
from golpae.learn.replays import Replays
from golpae.mutate.recorded import Trace
from golpae.replay.machine import Machine
from golpae.search import witness

SEED = 1
GAMES = 120
TRIES = 60_000  # events of one rule set that are held against the other
MOST_TABLES = 3


@dataclass(frozen=True, slots=True)
class Deciding:
    """A game of `players`, those of the first recorded game at this table. `events` are as a trace has them; the last
    one is legal by the first rule set alone, or (`by_other`) by the other alone. `clause` refuses it.
    """

    players: tuple[str, ...]
    options: Mapping[str, int]
    events: tuple[Mapping[str, Any], ...]
    by_other: bool
    clause: str


def deciding(one: RuleSet, other: RuleSet, games: Iterable[Trace]) -> Deciding | None:
    """Find a game that only one of two rule sets allows, at the tables of some recorded games; None if chance finds
    none.
    """
    if why_incomparable(one, other) is not None:
        return None
    tables: dict[object, Trace] = {}
    for game in games:
        if len(tables) < MOST_TABLES:
            tables.setdefault(game.table, game)
    found = [game for recorded in tables.values() for game in _at_table(one, aligned(one, other), recorded)]
    return min(found, key=lambda game: len(game.events), default=None)


def _at_table(one: RuleSet, other: RuleSet, recorded: Trace) -> Iterable[Deciding]:
    """Yield games at the table of a recorded game that one of two rule sets allows whole, and the other up to the last
    event.
    """
    header = recorded.header
    try:
        machines = [Machine(instantiate(r, len(header.players), header.options)) for r in (one, other)]
    except TableFault:
        return
    divergences = find_divergences(PairedMachines(*machines), Rewritten(one, other), SEED, GAMES, TRIES)
    for question, divergence in divergences.items():
        by_other = question == B_IN_A
        _, *events = witness.as_trace(machines[by_other], divergence.events)
        trace = Trace("", header, tuple(dict(event) for event in events))
        allows, refuses = (
            Replays(rules).outcome(trace) for rules in ((other, one) if by_other else (one, other))
        )
        if allows.legal and refuses.events == len(events) - 1:
            yield Deciding(header.players, dict(header.options), tuple(events), by_other, refuses.refused_by)
