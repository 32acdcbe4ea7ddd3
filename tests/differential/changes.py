"""Random changes of rule texts, for comparisons.

Input: a text, a random generator. Output: the changed text, with the kind of the change.
Guarantee: the changed text has no faults. A change of a kind in `NOTHING` changes no game and no payment.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from golpae.diagnostics import SpecError, Text
from golpae.mutate.mutants import Mutant, mutants
from golpae.syntax import tree as t
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.differential.texts import RuleText

NOTHING = frozenset(
    {"conditions in another order", "conditions renamed", "states in another order", "sides swapped"}
)
OFTEN = {"mutant": 8}  # the others once
TRIES = 12  # changes that are tried before one has no faults


def changed(
    text: RuleText, rng: random.Random, often: Mapping[str, int] = OFTEN
) -> tuple[str, RuleText] | None:
    """Return a random change of a text, or None if none was found. `often` says which kinds are made how often."""
    decls = tuple(d for d in text.loaded.decls if not isinstance(d, t.Variant))
    for _ in range(TRIES):
        kinds = [*CHANGES, "mutant"]
        kind = rng.choices(kinds, [often.get(kind, 1) for kind in kinds])[0]
        if kind == "mutant":
            found = mutants(replace(text.loaded, decls=decls))
            if not found:
                continue
            mutant = _of_some_block(found, rng)
            kind, new = f"mutant: {mutant.change}", mutant.loaded.decls
        else:
            new = tuple(CHANGES[kind](decls, rng))
        if new == decls:
            continue
        made = RuleText(text.name, format_text(t.RuleText(tuple(new))), text.seed)
        try:
            made.rule_set()
        except SpecError:
            continue
        return kind, made
    return None


def _of_some_block(found: list[Mutant], rng: random.Random) -> Mutant:
    """Return a mutant of some block: long blocks have many more, and differ no more than short ones."""
    blocks: dict[str, list[Mutant]] = {}
    for mutant in found:
        blocks.setdefault(mutant.place.split(".")[0], []).append(mutant)
    return rng.choice(rng.choice([*blocks.values()]))


Decls = tuple[t.Decl, ...]
Change = Callable[[Decls, random.Random], Iterator[t.Decl]]


def _each(kind: type, change: Callable[[Any, random.Random], Any]) -> Change:
    """Return a change of one declaration of a class."""

    def apply(decls: Decls, rng: random.Random) -> Iterator[t.Decl]:
        places = [at for at, decl in enumerate(decls) if isinstance(decl, kind)]
        chosen = rng.choice(places) if places else None
        for at, decl in enumerate(decls):
            yield change(decl, rng) if at == chosen else decl

    return apply


def _mixed(items: tuple[Any, ...], rng: random.Random) -> tuple[Any, ...]:
    return tuple(rng.sample(items, len(items)))


def _effects_swapped(action: t.Action, rng: random.Random) -> t.Action:
    clauses = list(action.clauses)
    pairs = [
        at
        for at in range(len(clauses) - 1)
        if all(isinstance(c.body, t.Effects) for c in clauses[at : at + 2])
    ]
    if pairs:
        at = rng.choice(pairs)
        clauses[at], clauses[at + 1] = clauses[at + 1], clauses[at]
    return replace(action, clauses=tuple(clauses))


def _clause_dropped(action: t.Action, rng: random.Random) -> t.Action:
    left = list(action.clauses)
    if len(left) > 1:
        left.pop(rng.randrange(len(left)))
    return replace(action, clauses=tuple(left))


def _conditions_mixed(action: t.Action, rng: random.Random) -> t.Action:
    asked = [c for c in action.clauses if isinstance(c.body, t.Condition)]
    rest = [c for c in action.clauses if not isinstance(c.body, t.Condition)]
    hands = [c for c in rest if not isinstance(c.body, t.Effects)]
    done = [c for c in rest if isinstance(c.body, t.Effects)]
    return replace(action, clauses=(*hands, *rng.sample(asked, len(asked)), *done))


def _conditions_renamed(action: t.Action, rng: random.Random) -> t.Action:
    return replace(
        action,
        clauses=tuple(
            replace(c, name=t.Word(c.name.span, f"{c.name.text}-too"))
            if isinstance(c.body, t.Condition)
            else c
            for c in action.clauses
        ),
    )


def _sides_swapped(action: t.Action, rng: random.Random) -> t.Action:
    def turned(clause: t.Clause) -> t.Clause:
        body = clause.body
        if isinstance(body, t.Condition) and isinstance(body.expr, t.Binary) and body.expr.op in ("=", "/="):
            return replace(
                clause,
                body=replace(body, expr=replace(body.expr, left=body.expr.right, right=body.expr.left)),
            )
        return clause

    return replace(action, clauses=tuple(map(turned, action.clauses)))


def _kinds_mixed(tiles: t.Tiles, rng: random.Random) -> t.Tiles:
    groups = tuple(
        g if isinstance(g.tiles, t.Template) else replace(g, tiles=_mixed(g.tiles, rng)) for g in tiles.groups
    )
    return replace(tiles, groups=groups)


def _withdrawn_changed(tiles: t.Tiles, rng: random.Random) -> t.Tiles:
    if tiles.withdrawn is not None and rng.random() < 0.3:
        return replace(tiles, withdrawn=None)
    kinds = [kind for group in tiles.groups for kind in _kinds(group.tiles)]
    if not kinds:
        return tiles
    gone = rng.choice(kinds)
    text = f"tiles\n  gone: one of each {gone}\n  withdrawn: {{{gone}}}\n"
    (made,) = parse(Text.of("withdrawn.golpae", text)).decls
    assert isinstance(made, t.Tiles)
    return replace(tiles, withdrawn=made.withdrawn)


def _kinds(tiles: t.Template | tuple[t.SpokenTile, ...]) -> list[str]:
    """Return kinds of a group; of a pattern, its first one, if that is written with numbers."""
    if not isinstance(tiles, t.Template):
        return [tile.name for tile in tiles]
    kind = tiles.pattern
    for of in tiles.ranges:
        first = of.parts[0]
        if isinstance(first.low, t.Number) or (isinstance(first.low, t.Name) and first.high is None):
            words = first.low.span.words if first.written is None else first.written
            kind = kind.replace(f"{{{of.name.text}}}", words)
    return [] if "{" in kind else [kind]


def _moved(number: t.Expr, rng: random.Random) -> t.Expr:
    if isinstance(number, t.Number):
        return replace(number, value=max(0, number.value + rng.choice((-1, 1))))
    return number


def _option_changed(option: t.Option, rng: random.Random) -> t.Option:
    match rng.randrange(3):
        case 0:
            return replace(option, low=_moved(option.low, rng))
        case 1:
            return replace(option, high=_moved(option.high, rng))
        case _:
            usual = option.low if option.normally is None else option.normally
            return replace(option, normally=_moved(usual, rng))


def _players_changed(players: t.Players, rng: random.Random) -> t.Players:
    if rng.random() < 0.5:
        return replace(players, low=_moved(players.low, rng))
    return replace(players, high=_moved(players.high, rng))


CHANGES: dict[str, Change] = {
    "clause dropped": _each(t.Action, _clause_dropped),
    "effects swapped": _each(t.Action, _effects_swapped),
    "conditions in another order": _each(t.Action, _conditions_mixed),
    "conditions renamed": _each(t.Action, _conditions_renamed),
    "sides swapped": _each(t.Action, _sides_swapped),
    "states in another order": _each(t.State, lambda d, rng: replace(d, vars=_mixed(d.vars, rng))),
    "tiles in another order": _each(t.Tiles, _kinds_mixed),
    "withdrawn changed": _each(t.Tiles, _withdrawn_changed),
    "groups in another order": _each(t.Tiles, lambda d, rng: replace(d, groups=_mixed(d.groups, rng))),
    "patterns in another order": _each(t.Score, lambda d, rng: replace(d, patterns=_mixed(d.patterns, rng))),
    "an option changed": _each(t.Option, _option_changed),
    "players changed": _each(t.Players, _players_changed),
}
