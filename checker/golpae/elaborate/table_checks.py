"""Check that the numbers of a text fit together: the set, its stated size, the deal, the bounds.

Input: a typed rule set and the text that it comes from. Output: faults, each at its numbers.
Guarantee: without faults there is an `Instance` for every number of players, with the usual values of the options.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from golpae.diagnostics import Diagnostic, Label, Span
from golpae.diagnostics.amounts import many
from golpae.elaborate.constant import NotConstant, StaticValues, constant, constant_int
from golpae.elaborate.instance import (
    LARGER,
    Instance,
    Kind,
    TableFault,
    bounds,
    groups_of,
    instantiate,
    options_of,
    spell_out,
    undealable,
)
from golpae.elaborate.resolve import Resolved
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.syntax import tree as t

MOST_PLAYERS = 1000
LOWER_FIRST = "write the lower number first"
DIGITS = "write numbers"
FIXED = "use only numbers, options and the tiles of the set"


def check_sizes(rule_set: RuleSet, resolved: Resolved) -> list[Diagnostic]:
    """Return faults of size; empty if everything fits. What depends on a faulty number is not checked."""
    decls = resolved.decls
    tiles = next(d for d in decls if isinstance(d, t.Tiles))
    players = next(d for d in decls if isinstance(d, t.Players))
    out = list(_options(rule_set, [d for d in decls if isinstance(d, t.Option)]))
    if out:
        return out
    options = options_of(rule_set, {})
    out.extend(_ranges(rule_set, [d for d in decls if isinstance(d, t.State)], options))
    out.extend(_generated(rule_set, tiles, options) or _players(rule_set, players, options))
    if out:
        return out
    low, high = bounds(rule_set, options)
    instances: list[Instance] = []
    for number in range(low, high + 1):
        if not rule_set.tiles.bags and instances:  # the set is the same for any number of players
            static = replace(instances[0].static, players=number)
            instances.append(replace(instances[0], players=number, static=static))
            continue
        try:
            instances.append(instantiate(rule_set, number, {}))
        except NotConstant:
            return [_changing(rule_set, tiles, number)]
        except TableFault as fault:
            assert tiles.wild is not None
            advice = "leave the tiles out that count as others, or name no wild tile in `wild-as`"
            return [Diagnostic("G007", str(fault), tiles.wild.body.span, advice)]
        if tiles.withdrawn is not None and (message := too_many_withdrawn(instances[-1])):
            place = tiles.withdrawn.body.span
            return [Diagnostic("G001", message, place, "withdraw no more than the set has")]
    out += [*_set(tiles, instances[-1].kinds), *_deal(rule_set, resolved, instances)]
    return out + list(_premises(rule_set, resolved, instances))


# ---------------------------------------------------------------- bounds


def _changing(rule_set: RuleSet, tiles: t.Tiles, players: int) -> Diagnostic:
    """Return the fault of a line of the set that has no fixed tiles."""
    for line in tiles.clauses:
        own = replace(rule_set.tiles, withdrawn=None, wild=None, wild_as=None)
        field = line.name.text.replace("-", "_")
        bag: dict[str, Any] = {field: getattr(rule_set.tiles, field)}
        if field == "wild_as":
            bag["wild"] = bag[field]
        try:
            instantiate(replace(rule_set, tiles=replace(own, **bag)), players, {})
        except NotConstant:
            word = "tiles withdrawn depend" if field == "withdrawn" else "wild tiles depend"
            if field == "wild_as":
                word = "tiles that wild ones count as depend"
            message = f"the {word} on a game in progress"
            some = "if size of players = 3 then {...} else {}"
            advice = f"list them: `{line.name.text}: {{1-1, 2-2}}`, or `{some}`"
            return Diagnostic("G007", message, line.body.span, advice)
        except TableFault:
            continue
    raise AssertionError("some line of the set has no fixed tiles")


def _options(rule_set: RuleSet, nodes: list[t.Option]) -> Iterator[Diagnostic]:
    static = StaticValues(None, {}, (), {d.name: d for d in rule_set.definitions})
    for option, node in zip(rule_set.options, nodes, strict=True):
        both = node.low.span.to(node.high.span)
        low, high = _number(option.low, static), _number(option.high, static)
        normally = _number(option.normally, static)
        if low is None or high is None:
            yield Diagnostic("G007", f"the bounds of `{option.name}` are not fixed numbers", both, DIGITS)
        elif low > high:
            yield _backwards(option.name, low, high, both)
        elif node.normally is not None and normally is None:
            message = f"the usual value of `{option.name}` is not a fixed number"
            yield Diagnostic("G007", message, node.normally.span, DIGITS)
        elif node.normally is not None and normally is not None and not low <= normally <= high:
            message = f"`{option.name}` must be a number from {low} to {high}, not {normally}"
            yield Diagnostic("G007", message, node.normally.span, f"write a number from {low} to {high}")


def _ranges(rule_set: RuleSet, nodes: list[t.State], options: dict[str, int]) -> Iterator[Diagnostic]:
    """Check states that are numbers between bounds. Bounds that depend on the players are not checked."""
    static = StaticValues(None, options, (), {d.name: d for d in rule_set.definitions})
    written = {node.name.text: node for state in nodes for node in state.vars}
    for var in rule_set.vars:
        node = written[var.name]
        if var.low is None or var.high is None or not isinstance(node.type, t.TypeRange):
            continue
        low, high = _number(var.low, static), _number(var.high, static)
        first = None if var.initial is None else _number(var.initial, static)
        if low is None or high is None:
            continue
        if low > high:
            yield _backwards(var.name, low, high, node.type.low.span.to(node.type.high.span))
        elif first is not None and node.initial is not None and not low <= first <= high:
            message = f"`{var.name}` must be a number from {low} to {high}, not {first}"
            yield Diagnostic("G007", message, node.initial.span, f"write a number from {low} to {high}")


def _players(rule_set: RuleSet, node: t.Players, options: dict[str, int]) -> list[Diagnostic]:
    both = node.low.span.to(node.high.span)
    try:
        low, high = bounds(rule_set, options)
    except TableFault as fault:
        return [Diagnostic("G007", str(fault), both, FIXED)]
    if low > high:
        return [_backwards("players", low, high, both)]
    if low < 1:
        message = f"a game needs at least 1 player, not {low}"
        return [Diagnostic("G007", message, node.low.span, "write 1 or more")]
    if high > MOST_PLAYERS:
        advice = f"write {MOST_PLAYERS} or less"
        return [Diagnostic("G007", f"{high} players are too many", node.high.span, advice)]
    return []


def _backwards(name: str, low: int, high: int, span: Span) -> Diagnostic:
    return Diagnostic(
        "G007", f"the lower bound {low} of `{name}` is above the upper bound {high}", span, LOWER_FIRST
    )


def _number(expr: ir.Expr, static: StaticValues) -> int | None:
    try:
        return constant_int(expr, static)
    except NotConstant:
        return None


# ---------------------------------------------------------------- tiles


def _generated(rule_set: RuleSet, node: t.Tiles, options: dict[str, int]) -> list[Diagnostic]:
    """Return faults of groups that cannot be spelt out, and of tiles that are generated twice."""
    out: list[Diagnostic] = []
    seen: dict[str, t.TileGroup] = {}
    definitions = {d.name: d for d in rule_set.definitions}
    for group, written in zip(rule_set.tiles.groups, node.groups, strict=True):
        try:
            kinds = spell_out(
                replace(rule_set.tiles, groups=(replace(group, likes=()),)), options, definitions
            )
        except TableFault as fault:
            advice = "write smaller numbers" if "more than" in str(fault) else FIXED
            out.append(Diagnostic("G007", str(fault), _numbers_of(written), advice))
            continue
        names = [name for kind in kinds for name in (kind.name, *kind.aliases)]
        again = next((n for i, n in enumerate(names) if n in seen or n in names[:i]), None)
        if again is not None:
            other = seen.get(again, written)
            labels = () if other is written else (Label(other.name.span, "the first one"),)
            advice = "give every pattern tiles of its own"
            out.append(
                Diagnostic(
                    "G006", f"two kinds of tile are written `{again}`", written.name.span, advice, labels
                )
            )
        seen.update(dict.fromkeys(names, written))
    return out


def _numbers_of(node: t.TileGroup) -> Span:
    """Return the place of the numbers of a group: the bounds of its pattern, or else its name."""
    if isinstance(node.tiles, t.Template):
        return node.tiles.ranges[0].span.to(node.tiles.ranges[-1].span)
    return node.name.span


def too_many_withdrawn(instance: Instance, options: str = "") -> str:
    """Return which tile is withdrawn too often; empty if none is. `options` are those that the message names."""
    withdrawn = instance.rule_set.tiles.withdrawn
    if withdrawn is None:
        return ""
    whole = [k.name for k in instance.kinds for _ in range(k.copies + k.withdrawn)]
    gone = constant(withdrawn, replace(instance.static, tiles=whole, groups=groups_of(instance.kinds)))
    assert isinstance(gone, list)
    for kind in instance.kinds:
        withdrawals, copies = gone.count(kind.name), kind.copies + kind.withdrawn
        if withdrawals > copies:
            are = "is" if withdrawals == 1 else "are"
            but = " ".join(filter(None, ("but", options, f"the set has {copies}")))
            return f"{many(withdrawals, 'tile')} `{kind.name}` {are} withdrawn, {but}"
    return ""


def _set(node: t.Tiles, kinds: tuple[Kind, ...]) -> Iterator[Diagnostic]:
    head = node.span.words.split("\n")[0].split("[")[0].split("#")[0].rstrip()
    span = Span(node.span.text, node.span.start, node.span.start + len(head))
    total = sum(k.copies + k.withdrawn for k in kinds)
    if not total:
        yield Diagnostic("G001", "the set holds no tiles", span, "list some: `low: two of each 1-1 2-1`")
        return
    left = sum(k.copies for k in kinds)
    counted = {(total, len(kinds)), (left, sum(k.copies > 0 for k in kinds)), (left, len(kinds))}
    if node.count is not None and (node.count, node.kinds) not in counted:
        message = f"the set has {many(total, 'tile')} of {many(len(kinds), 'kind')}, not {node.count} of {node.kinds}"
        advice = "count the lines below, or correct this one"
        if total > left:
            without = many(sum(k.copies > 0 for k in kinds), "kind")
            message += f"; without those withdrawn, {many(left, 'tile')} of {without}"
            advice = f"write `tiles {total} of {len(kinds)} kinds`"
        yield Diagnostic("G001", message, span, advice)


def _premises(rule_set: RuleSet, resolved: Resolved, instances: list[Instance]) -> Iterator[Diagnostic]:
    """Check that what a share is about is fixed at each table."""
    written = {d.name.text: d.expr for d in resolved.decls if isinstance(d, t.Property)}
    for share in rule_set.shares:
        try:
            for instance in instances:
                constant(share.premise, instance.static)
        except NotConstant:
            node = written[share.name]
            assert isinstance(node, t.Binary)
            message = "which tables a share is about must be fixed before a game begins"
            advice = "use only the number of players, options and how many tiles there are"
            yield Diagnostic("G007", message, node.left.span, advice)


def _deal(rule_set: RuleSet, resolved: Resolved, instances: list[Instance]) -> Iterator[Diagnostic]:
    dealing = next(a for a in rule_set.actions if a.kind == "deal").dealing
    node = next(d for d in resolved.decls if isinstance(d, t.Action) and d.kind == "deal")
    clause = next((c for c in node.clauses if isinstance(c.body, t.Hands)), None)
    if dealing is None or clause is None:
        return
    for instance in instances:
        fault = undealable(instance)
        if fault is not None:
            advice = "deal fewer tiles, or allow fewer players" if fault[0] == LARGER else "write 0 or more"
            yield Diagnostic(*fault, clause.body.span, advice)
            return
