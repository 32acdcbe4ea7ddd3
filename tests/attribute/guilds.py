"""A small game whose switches change definitions, effects, tiles and payments, and two that clash; and the verdict
of plain replay, to compare with.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from golpae.ir.ruleset import RuleSet
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine

GUILDS = """\
game guilds "Guilds"

players 2 to 3

tiles 12 of 6 kinds
  plain: two of each 1-1 2-2 3-3 4-4 5-5 6-6
  written: "{high}-{low}"
  withdrawn: {}

zones
  pile: row seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  last: tile or none = none
  held-back: number = 0

define worth(t: tile): t's high
define follows(t: tile): last is none or worth(t) >= worth(last) + step
define step: 0
define next(p: seat): p's right
define price(p: seat): stake + bonus(p)
define bonus(p: seat): 0
define may-pass(p: seat): no t in p's hand: follows(t)

deal from pile
  hands: 3 for everyone
  then mover := first

action put(tile) by p "put a tile down"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  follows: follows(tile) "{tile} does not follow {last}"
  then move tile from p's hand to table
  then last := tile
  then mover := next(p)
  then when p's hand is empty: p wins

action pass(tile) by p "take a tile and miss a turn"
  turn: p = mover "it is not {p}'s turn"
  may: may-pass(p) "{p} could put a tile down"
  left: tile in pile "{tile} is not in the pile"
  then move tile from pile to p's hand
  then mover := next(p)
  then memory: held-back := 0

end
  due: over or pile is empty "the hand is not over"

payout
  won: when winner is not none: for each q in players - winner: q pays winner price(winner)

variant falling "a tile may fall by one"
  replace step: -1

variant climbing "a tile has to be worth more"
  replace step: 1

variant widdershins "to the left"
  replace next: p's left

variant counted "tiles left in the pile count"
  replace bonus: size of pile

variant free "anyone may pass"
  drop pass.may

variant wild "a six follows everything, and may be passed on"
  replace follows: last is none or tile-is-high(t) or worth(t) >= worth(last) + step
  replace may-pass: no t in p's hand: follows(t) and not tile-is-high(t)

variant short "without the ones"
  replace tiles.withdrawn: {1-1, 1-1}

variant stops "a hand may stop after ten passes"
  replace pass.memory: held-back := held-back + 1
  add end.long: over or held-back <= 10

define tile-is-high(t: tile): worth(t) = 6
"""

Judged = tuple[int, str] | None


def judge(machine: Machine, trace: Sequence[Mapping[str, Any]]) -> Judged | Bad:
    """Return the first illegal event (from 1) and its clause; None if all are legal."""
    state = machine.new_state(trace[0].get("stake", 1))
    for number, event in enumerate(trace[1:], 1):
        do = event["do"]
        args = machine.read(do, event)
        if isinstance(args, Bad):
            return args
        failed = machine.check(do, state, args)
        if failed >= 0:
            return number, f"{machine.rules.game}.{do}.{machine.actions[do].conditions[failed].name}"
        try:
            machine.apply(do, state, args)
        except ValueError:
            return number, f"{machine.rules.game}.{do}.then"
    return None


def spoilt(trace: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Return the trace with up to three events lost, doubled, moved or changed."""
    out = [dict(line) for line in trace]
    changes: tuple[Callable[[], None], ...] = (
        lambda: out.insert(rng.randrange(1, len(out) + 1), copy.deepcopy(rng.choice(out[1:]))),
        lambda: _mix(rng.choice(out[1:]), rng.choice(out[1:])),
        lambda: _other_numbers(rng.choice(out[1:]), rng),
        lambda: _swap(out, rng),
        lambda: out.remove(rng.choice(out[1:])),
    )
    for _ in range(rng.randint(1, 3)):
        if len(out) > 2:
            rng.choice(changes)()
    return out


def _mix(one: dict[str, Any], other: dict[str, Any]) -> None:
    for key in one:
        if key != "do" and key in other:
            one[key] = copy.deepcopy(other[key])


def _other_numbers(event: dict[str, Any], rng: random.Random) -> None:
    if "by" in event:
        event["by"] = rng.randrange(2)
    if "pay" in event:
        event["pay"] = [rng.choice((1, 2, 3)) * n for n in event["pay"]]


def _swap(trace: list[dict[str, Any]], rng: random.Random) -> None:
    at = rng.randrange(1, len(trace) - 1)
    trace[at], trace[at + 1] = trace[at + 1], trace[at]


def switches(rules: RuleSet) -> list[str]:
    return [s.name for s in rules.switches]
