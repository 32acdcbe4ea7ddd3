"""Whether a hand that is stated, without a game, can be.

Input: a score, and the values of its parameters, perhaps without the tile that completes the hand.
Output: why the hand cannot be, in words; None if it can be.
Guarantee: a hand can be if `docs/semantics.md` (8.12) says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import Condition, ScoreDecl
from golpae.ir.scoring import counted_beside
from golpae.ir.traverse import free
from golpae.ir.types import TILE, Bag, Each, Meld, Opt, Tile, Type
from golpae.replay import runtime
from golpae.replay.machine import Machine
from golpae.replay.speaker import Speaker
from golpae.trace import Header


def reason_against(
    machine: Machine, score: ScoreDecl, names: Mapping[str, Any], counts: Counter[int]
) -> str | None:
    """Return why a hand with so many of each tile cannot be: a meld, its tiles, or what is given together."""
    beyond = _beyond(machine, counts) or _too_often(machine, score, names)
    return _mislabelled(machine, names) or beyond or broken(machine, score, names)


def tiles_of(
    machine: Machine, score: ScoreDecl, names: Mapping[str, Any], without: str | None = None
) -> Counter[int]:
    """Return how often the set has to have each face: for all that is given together, and for each bag by itself.

    A hand `without` the value of a parameter lacks this tile, which completes it.
    """
    state, faces = machine.first_state, machine.instance.faces
    if without is not None:
        names = {**names, without: 0}
    counts: Counter[int] = Counter(machine.value(score.hand, state, names))
    if without is not None:
        counts -= Counter([faces[0]])
    for meld in () if score.fixed is None else machine.value(score.fixed, state, names):
        counts.update(meld)
    beside = counted_beside(score)
    alone: Counter[int] = Counter()
    for param in score.params:
        for tiles in _bags_in(names.get(param.name), param.type):
            alone |= Counter(faces[tile] for tile in tiles)
            if param.name in beside:
                counts.update(faces[tile] for tile in tiles)
    return counts | alone


def _bags_in(value: Any, kind: Type) -> Iterator[Sequence[int]]:
    """Yield the bags of tiles in a value: itself, its melds, those of each player."""
    match kind:
        case Opt(item):
            yield from () if value is None else _bags_in(value, item)
        case Bag(Tile()) | Meld():
            yield () if value is None else value
        case Bag(item) | Each(item):
            for member in value or ():
                yield from _bags_in(member, item)
        case _:
            pass


def _beyond(machine: Machine, counts: Counter[int]) -> str | None:
    """Return whether a hand has more of a tile than the set, in words."""
    most = machine.instance.by_face()
    for number, count in sorted(counts.items()):
        if count > most[number]:
            return f"the hand has {count} of {machine.tile(number)}, but the set in play has {most[number]}"
    return None


def _too_often(machine: Machine, score: ScoreDecl, names: Mapping[str, Any]) -> str | None:
    """Return whether a bag has more of a tile than the set, although not more of its face, in words."""
    if not machine.instance.has_likes:
        return None
    for param in score.params:
        for tiles in _bags_in(names.get(param.name), param.type):
            for number, count in sorted(Counter(tiles).items()):
                kind = machine.instance.kinds[number]
                if count > kind.copies:
                    return f"`{param.name}` has {count} of {kind.name}, but the set in play has {kind.copies}"
    return None


# ------------------------------------------------------------------ melds


def _mislabelled(machine: Machine, names: Mapping[str, Any]) -> str | None:
    """Return whether the tiles of a meld are not what its label says, in words."""
    for meld in (meld for value in names.values() for meld in _melds_in(value)):
        if not meld:
            return "a meld has at least one tile"
        if meld.label in machine.shapes.shapes and not machine.shapes.is_group(tuple(meld), meld.label):
            return f"{' '.join(map(machine.tile, meld))} is no {meld.label}"
    return None


def _melds_in(value: Any) -> Iterator[runtime.Meld]:
    """Yield the melds of a value that is given."""
    if isinstance(value, runtime.Meld):
        yield value
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _melds_in(member)


# ------------------------------------------------------------------ what is given together


def broken(machine: Machine, score: ScoreDecl, names: Mapping[str, Any]) -> str | None:
    """Return the message of the first condition on what is given together that fails.

    A condition on a name that is left out is skipped.
    """
    state = machine.first_state
    whole = len(names) == len(score.params)
    for condition in score.provided:
        values = [part for part in condition.message if not isinstance(part, str)]
        known = whole or free(condition.expr).union(*map(free, values)) <= set(names)
        if known and not machine.value(condition.expr, state, names):
            return _said(machine, condition, names)
    return None


def _said(machine: Machine, condition: Condition, names: Mapping[str, Any]) -> str:
    """Return the message of a condition that fails. If it names no value, the members that break it come first."""
    rules, state = machine.rules, machine.first_state
    header = Header(rules.rules, rules.game, (), ("",) * machine.instance.players, 1, {}, None)
    speaker = Speaker(machine, header)
    words = [
        part if isinstance(part, str) else speaker.say(machine.value(part, state, names), part.type)
        for part in condition.message
    ]
    breaking = _breaking(machine, condition.expr, names) if len(words) == 1 else ()
    said = dict.fromkeys(speaker.say(member, kind) for member, kind in breaking)
    return "".join([", ".join(said), ": " if said else "", *words])


def _breaking(machine: Machine, test: ir.Expr, names: Mapping[str, Any]) -> Iterator[tuple[Any, Type]]:
    """Yield the members for which `every x in ...: ...` does not hold, or for which `no x in ...: ...` should not."""
    if not isinstance(test, ir.Quant) or test.kind == "some" or test.size is not None or len(test.names) != 1:
        return
    item = test.domain.type.item if isinstance(test.domain.type, Bag) else TILE
    for member in machine.value(test.domain, machine.first_state, names):
        holds = bool(machine.value(test.body, machine.first_state, {**names, test.names[0]: member}))
        if holds == (test.kind == "no"):
            yield member, item
