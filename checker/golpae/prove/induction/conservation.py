"""Whether each event conserves the tiles.

Input: the `Induction` of one table. Output: None if each event leaves as many tiles of each kind, else a `Failure`.
Guarantee: None means that no event creates or destroys a tile, in any state of the unknown table.
"""

from __future__ import annotations

from golpae.prove.encoding.step import MOVES, Step
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.houdini import QUICK
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import UNSAT
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, Truth, any_of, conj, equal, joined, negate, tiles_of

TOGETHER = 12  # steps that one question is about


def check_conservation(induction: Induction) -> Failure | None:
    """Check that each event leaves as many tiles of each kind as there were. Return None if so."""
    session, alone = induction.session(), induction.solver.session(())
    # a deal gathers all tiles first, and deals them
    steps = [(step, _violation(induction, step)) for step in induction.steps if step.action.kind != "deal"]
    needy: set[str] = set()  # actions of which some step needs what is known of the state
    for begin in range(0, len(steps), TOGETHER):
        left = steps[begin : begin + TOGETHER]
        about = f"{left[0][0].action.name} keeps the tiles"
        if needy.isdisjoint(step.action.name for step, _ in left):
            either = [any_of(v for _, v in left)]
            if alone.check(about, either, QUICK, is_first_try=True).status == UNSAT:
                continue
            needy.update(step.action.name for step, _ in left)
        ways = any_of(conj(*step.path_condition, violation) for step, violation in left)
        if session.check(about, [ways], QUICK, is_first_try=True).status == UNSAT:
            continue
        for step, violation in left:  # perhaps it was too much at once
            about = f"{step.action.name} keeps the tiles"
            reply = session.check(about, [*step.path_condition, violation])
            if reply.status != UNSAT:
                return Failure(step.action.name, reply.reason)
    return None


def _violation(induction: Induction, step: Step) -> Truth:
    """Return the formula that a step can be carried out, and leaves more or fewer tiles of some kind."""
    old, new = changed_tiles(induction.state, step.after)
    kinds = dict.fromkeys([*old.counts, *new.counts])
    differs = any_of(negate(equal(old.count(k), new.count(k))) for k in kinds)
    return conj(dict(step.guards)[MOVES], *step.definitions, differs)


def changed_tiles(before: SymbolicState, after: SymbolicState) -> tuple[Bag, Bag]:
    """Return the tiles of all zones that a step changed, before and after it. Kinds whose number stays are left out."""
    old: list[Bag] = []
    new: list[Bag] = []
    for name, here in before.zones.items():
        there = after.zones[name]
        pairs = zip(here, there, strict=True) if isinstance(here, list) else [(here, there)]
        for one, other in pairs:
            if one is other:
                continue
            keys = dict.fromkeys([*one.bag.counts, *other.bag.counts])
            moved = [k for k in keys if equal(one.bag.count(k), other.bag.count(k)) is not True]
            old.append(tiles_of(Bag({k: one.bag.count(k) for k in moved})))
            new.append(tiles_of(Bag({k: other.bag.count(k) for k in moved})))
    return joined(*old), joined(*new)
