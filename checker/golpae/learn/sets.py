"""Other sets of tiles: those that recorded games were played with.

Input: a text, its replays, games.
Output: an edit that withdraws from the set all tiles that no deal has, for each number of players that the games have.
Guarantee: it is made only if the deals of a number of players list the same tiles, whole sets; other numbers of
players keep their set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from golpae.elaborate.instance import Instance, bounds, options_of
from golpae.elaborate.load import Loaded
from golpae.learn.asked import parsed
from golpae.learn.bits import WORD
from golpae.learn.edits import BETWEEN, Edit
from golpae.learn.replays import Replays
from golpae.learn.superposed import with_decl
from golpae.learn.terms import words_in
from golpae.mutate.recorded import Trace
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression

FEW = 3
"""Deals of a number of players that say which tiles there are, at least."""

OF_PLAYERS = "size of players = "

Names = tuple[str, ...]
Dealt = frozenset[tuple[int, int]]
"""How many tiles of each kind a deal lists."""


def played_with(loaded: Loaded, replays: Replays, games: Sequence[Trace]) -> list[Edit]:
    """Return an edit of what is withdrawn, if the games have another set; else none."""
    dealt: dict[int, set[Dealt]] = {}
    deals: Counter[int] = Counter()
    instances: dict[int, Instance] = {}
    for game in games:
        machine = replays.machine(game)
        if machine is None or game.header.options:
            continue
        players = len(game.header.players)
        instances[players] = machine.instance
        for tiles in _deals(machine.instance, game):
            dealt.setdefault(players, set()).add(frozenset(tiles.items()))
            deals[players] += 1
    left_out: dict[int, Names] = {}
    for players, every in dealt.items():
        if len(every) == 1 and deals[players] >= FEW:
            (one,) = every
            names = _left_out(instances[players], dict(one))
            if names is not None and Counter(names) != _withdrawn(instances[players]):
                left_out[players] = names
    edit = _edit(loaded, dict(sorted(left_out.items())), instances) if left_out else None
    return [] if edit is None else [edit]


def _deals(instance: Instance, game: Trace) -> Iterator[Counter[int]]:
    """Yield how many tiles of each kind each deal of a game lists, hands and all else."""
    numbers = instance.numbers()
    for event in game.events:
        if event is not None and event.get("do") == "deal":
            yield Counter(numbers[name] for name in _words(event) if name in numbers)


def _words(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from _words(one)
        case dict():
            for one in value.values():
                yield from _words(one)


def _withdrawn(instance: Instance) -> Counter[str]:
    return Counter(kind.name for kind in instance.kinds for _ in range(kind.withdrawn))


def _left_out(instance: Instance, dealt: Mapping[int, int]) -> Names | None:
    """Return the tiles of the whole set that a deal does not have; None if it has others."""
    names: list[str] = []
    for number, kind in enumerate(instance.kinds):
        missing = kind.copies + kind.withdrawn - dealt.get(number, 0)
        if missing < 0:
            return None
        names += [kind.name] * missing
    return tuple(names)


def _edit(loaded: Loaded, left_out: Mapping[int, Names], instances: Mapping[int, Instance]) -> Edit | None:
    """Return the edit; None if the language cannot write it, or if what is withdrawn depends on options, of which these
    games say nothing.
    """
    at, tiles = next((at, decl) for at, decl in enumerate(loaded.decls) if isinstance(decl, t.Tiles))
    old = (
        tiles.withdrawn.body.expr
        if tiles.withdrawn and isinstance(tiles.withdrawn.body, t.Condition)
        else None
    )
    rules = next(iter(instances.values())).rule_set
    if old is not None and words_in(old) & {option.name for option in rules.options}:
        return None
    texts = {players: _text(instances[players], names) for players, names in left_out.items()}
    one = next(iter(texts.values()))
    least, most = bounds(rules, options_of(rules, {}))
    if len(set(texts.values())) == 1 and texts.keys() >= {*range(least, most + 1)}:
        words = one
    else:
        words = "{}" if old is None else format_expression(_of_others(old, {*texts}))
        for players, names in texts.items():
            words = f"if {OF_PLAYERS}{players} then {names} else {words}"
    expr = parsed(words)
    if expr is None:
        return None
    clause = t.Clause(expr.span, t.Word(expr.span, "withdrawn"), t.Condition(expr.span, expr, None), ())
    if tiles.withdrawn is not None:
        clause = replace(tiles.withdrawn, body=clause.body)
    changed = with_decl(loaded, at, replace(tiles, withdrawn=clause))
    return Edit(changed, "tiles.withdrawn", words, BETWEEN + WORD * len(words.replace(",", " ").split()))


def _of_others(expr: t.Expr, players: set[int]) -> t.Expr:
    """Return what is withdrawn with other numbers of players."""
    match expr:
        case t.If(test=test, no=no) if format_expression(test) in {f"{OF_PLAYERS}{n}" for n in players}:
            return _of_others(no, players)
        case t.If(no=no):
            return replace(expr, no=_of_others(no, players))
        case _:
            return expr


def _text(instance: Instance, names: Names) -> str:
    """Return tiles in the language: a group that they are, or one by one."""
    for group in {kind.line: None for kind in instance.kinds}:
        whole = [k.name for k in instance.kinds if k.is_in(group) for _ in range(k.copies + k.withdrawn)]
        if names and Counter(whole) == Counter(names):
            return group
    return "{" + ", ".join(names) + "}"
