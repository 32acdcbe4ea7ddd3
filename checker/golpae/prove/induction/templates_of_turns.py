"""Candidates for invariants of games in which players act in turn, one like the other.

Input: a rule set and a number of players. Output: claims, as an expression of the language and a predicate: that all
players have as many tiles in two zones together, as in a trick; that the player in a seat has no value yet in a state
that each player has, as in a round of bids. Guarantee: as for all templates, induction shows whether a claim holds.

    every p in players: every q in players:
      size of p's hand + size of p's played = size of q's hand + size of q's played
    mover's bid is none
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from golpae.ir.ruleset import RuleSet
from golpae.ir.types import Opt, Seat
from golpae.prove.induction.candidate import Predicate
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, all_of, equal, implies, plus, same, size


def claims_of_turns(rules: RuleSet, players: int, names: Sequence[str]) -> Iterator[tuple[str, Predicate]]:
    """Yield the claims of a rule set. `names` stand for any players."""
    zones = [z.name for z in rules.zones if z.each_player and z.kind != "melds"]
    if len(names) > 1 and players > 1:
        p, q = names[:2]
        for one, other in combinations(zones, 2):
            sizes = (f"size of {who}'s {one} + size of {who}'s {other}" for who in (p, q))
            yield (
                f"every {p} in players: every {q} in players: {' = '.join(sizes)}",
                _as_many(one, other, players),
            )
    seats = [v.name for v in rules.vars if not v.each_player and isinstance(v.type, Seat)]
    for var in rules.vars:
        if var.each_player and isinstance(var.type, Opt):
            for seat in seats:
                yield f"{seat}'s {var.name} is none", _has_none(seat, var.name, players)


def _as_many(one: str, other: str, players: int) -> Predicate:
    def as_many(state: SymbolicState) -> Truth:
        sizes = [plus(size(state.zones[one][p].bag), size(state.zones[other][p].bag)) for p in range(players)]
        return all_of(equal(sizes[0], number) for number in sizes[1:])

    return as_many


def _has_none(seat: str, name: str, players: int) -> Predicate:
    def has_none(state: SymbolicState) -> Truth:
        where = state.vars[seat]
        return all_of(implies(same(where, p), same(state.vars[name][p], None)) for p in range(players))

    return has_none
