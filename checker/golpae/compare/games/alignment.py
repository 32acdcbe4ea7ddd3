"""Whether the games of two rule sets can be compared, and which of their rules are rewritten.

Input: two resolved rule sets, A and B.
Output: the reason why their games cannot be compared, if there is one; and `Rewritten`, which parts of the rules are
not the same by syntax.
Guarantee: values are matched by their names, whatever the order of a text. Two expressions that are the same by syntax
have the same meaning: they are equal, and so is every part of the rules that they refer to. Names of clauses, sources
and messages are no part of the meaning.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from golpae.ir import expr as ir
from golpae.ir.dependencies import SET, Dependencies, Part, closure, parts_in
from golpae.ir.ruleset import Action, GroupDecl, ParamDecl, RuleSet, ZoneDecl, effects_of
from golpae.ir.traverse import children, exprs_in
from golpae.ir.types import Bag, Bool, Choice, Int, Seat, Tile, Type
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import Transfer, transfers
from golpae.lower.walk import flat as flat_statements

Piece = TypeVar("Piece")  # a part of the IR, or a type


def why_incomparable(a: RuleSet, b: RuleSet) -> str | None:
    """Return why the games of two rule sets cannot be compared; None if they can."""
    if _tiles(a) != _tiles(b):
        return f"{a.rules} and {b.rules} are played with different tiles"
    ours, theirs = ({_zone(z) for z in r.zones} for r in (a, b))
    if ours != theirs:
        names = sorted({name for name, *_ in ours ^ theirs})
        return f"{a.rules} and {b.rules} have different places for tiles: {', '.join(names)}"
    vars_a, vars_b = (
        {v.name: (v.each_player, _with_words_sorted(v.type), v.scope) for v in r.vars} for r in (a, b)
    )
    for name in vars_a:
        if name in vars_b and vars_a[name] != vars_b[name]:
            return f"`{name}` is declared differently in {a.rules} and {b.rules}"
    for action in a.actions:
        other = b.action(action.name)
        if other is not None and _keys(action) != _keys(other):
            return f"`{action.name}` has different parameters in {a.rules} and {b.rules}"
    return None


def _tiles(rules: RuleSet) -> Any:
    """Return the tiles of a rule set, whatever their order."""
    groups = [
        (g.name, g.copies, sorted(_named(g)), g.pattern, sorted(map(repr, g.ranges)), sorted(_likes(g)))
        for g in rules.tiles.groups
    ]
    return sorted(map(repr, groups)), rules.tiles.written, sorted(rules.tiles.attributes)


def _named(group: GroupDecl) -> list[tuple[str, tuple[tuple[str, int], ...]]]:
    """Return each listed tile of a group by its name, with the numbers that it has."""
    numbers = group.numbers or ((),) * len(group.names)
    return [(name, own) for (name, _), own in zip(group.names, numbers, strict=True)]


def _likes(group: GroupDecl) -> list[tuple[str, str]]:
    """Return the tiles of a group that count as others, with these."""
    return [(name, face) for (name, _), face in zip(group.names, group.likes, strict=False)]


def _zone(zone: ZoneDecl) -> tuple[str, bool, str, bool]:
    return zone.name, zone.each_player, zone.kind, zone.holds_set


def _keys(action: Action) -> Any:
    return action.kind, action.by is None, sorted(map(_key, action.params))


def _key(param: ParamDecl) -> tuple[str, str, int, bool]:
    return param.name, repr(_with_words_sorted(param.type)), len(param.parts), param.optional


def aligned(a: RuleSet, b: RuleSet) -> RuleSet:
    """Return B with its tiles, the words of its choices and the keys of its events in the order of A's.

    The two must be comparable.

    It has the same meaning as B unless `why_order_matters` gives a reason.
    """
    actions = []
    for action in b.actions:
        other = a.action(action.name)
        if other is not None:
            order = [p.name for p in other.params]
            params = sorted(action.params, key=lambda p: order.index(p.name))
            action = replace(action, params=tuple(params))
        actions.append(action)
    tiles = replace(a.tiles, withdrawn=b.tiles.withdrawn, wild=b.tiles.wild, wild_as=b.tiles.wild_as)
    words = _words(a)
    b = replace(b, tiles=tiles, actions=tuple(actions))
    if all(words.get(key, choice) == choice for key, choice in _words(b).items()):
        return b
    return _with_choices(b, lambda choice: words.get(frozenset(choice.words), choice))


def _words(rules: RuleSet) -> dict[frozenset[str], Choice]:
    """Return the choices of a rule set by their words. A text lists the words of a choice in one order."""
    choices: dict[frozenset[str], Choice] = {}

    def noted(choice: Choice) -> Choice:
        return choices.setdefault(frozenset(choice.words), choice)

    _with_choices(rules, noted)
    return choices


def _with_words_sorted(kind: Type) -> Type:
    return _with_choices(kind, lambda choice: Choice(tuple(sorted(choice.words))))


def _with_choices(part: Piece, changed: Callable[[Choice], Choice]) -> Piece:
    """Return a part of the IR, or a type, with each choice changed, at any depth."""
    return cast("Piece", _choices_changed(part, changed))


def _choices_changed(part: object, changed: Callable[[Choice], Choice]) -> object:
    if isinstance(part, Choice):
        return changed(part)
    if isinstance(part, tuple):
        items = tuple(_choices_changed(item, changed) for item in part)
        return part if all(map(operator.is_, items, part)) else items
    if not is_dataclass(part) or isinstance(part, type):
        return part
    old = {field.name: getattr(part, field.name) for field in fields(part)}
    new = {name: _choices_changed(value, changed) for name, value in old.items()}
    return part if all(map(operator.is_, new.values(), old.values())) else replace(part, **new)


def why_order_matters(a: RuleSet, b: RuleSet) -> str | None:
    """Return the message that games can depend on an order of tiles, words or keys that differs between the two; else
    None.
    """
    for action in b.actions:
        other = a.action(action.name)
        lists = [[p.name for p in x.params if p.parts] for x in (action, other) if x is not None]
        if lists[0] != lists[-1]:
            return f"the lists of `{action.name}` come in another order"
    for rules in (a, b) if _words_reordered(a, b) else ():
        for one in rules.actions:
            if any(map(_goes_through_choices, flat_statements(statements_of(rules, one)))):
                return f"the words of a choice are listed in another order, which `{one.name}` can follow"
    if _order_of_set(a) == _order_of_set(b):
        return None
    for rules in (a, b):
        for one in rules.actions:
            if _follows_order_of_set(one, rules):
                return f"the tiles are listed in another order, which `{one.name}` can follow"
    return None


def _words_reordered(a: RuleSet, b: RuleSet) -> bool:
    ours, theirs = _words(a), _words(b)
    return any(ours[words] != theirs[words] for words in ours.keys() & theirs.keys())


def _goes_through_choices(statement: st.Statement) -> bool:
    """Return whether a statement is a loop whose rounds can follow the order of the words of a choice."""
    choices: list[Choice] = []

    def noted(choice: Choice) -> Choice:
        choices.append(choice)
        return choice

    if isinstance(statement, st.Loop):
        _with_choices(statement.domain.type, noted)
    return bool(choices)


def _order_of_set(rules: RuleSet) -> Any:
    return [(g.name, [n for n, _ in g.names], g.ranges) for g in rules.tiles.groups]


def _follows_order_of_set(action: Action, rules: RuleSet) -> bool:
    """Return whether the outcome of an event can depend on the order of the set.

    Loops over tiles follow it, so do the names of `{a, b}`, and tiles that go together to or from a row.
    """
    statements = statements_of(rules, action)
    for loop in flat_statements(statements):
        if isinstance(loop, st.Loop) and isinstance(loop.domain.type, Bag):
            if not isinstance(loop.domain.type.item, Seat | Int | Bool | Choice):
                return True
    return any(_is_of_several(moved, rules) for moved in transfers(statements)) or tells_orders_apart(
        action, rules
    )


def tells_orders_apart(action: Action, rules: RuleSet) -> bool:
    """Return whether the effects of an action may treat the tiles of `{a, b}` otherwise if they change their names."""
    parts = [frozenset(p.parts) for p in action.params if p.parts]
    effects = effects_of(action.effects)
    if any(_tells_apart(expr, names) for names in parts for expr in exprs_in(effects)):
        return True
    return bool(parts) and any(
        _is_of_several(moved, rules) for moved in transfers(statements_of(rules, action))
    )


def _is_of_several(moved: Transfer, rules: RuleSet) -> bool:
    """Return whether a move brings several tiles, one after the other, to or from a row."""
    if moved.what is None or isinstance(moved.what.type, Tile):
        return False
    ends = (end for end in (moved.source, moved.target) if isinstance(end, ir.Place))
    return any(rules.zone(end.zone).kind == "row" for end in ends)


def _tells_apart(expr: ir.Expr, parts: frozenset[str]) -> bool:
    """Return whether an expression may have another value if the tiles of a list change their names."""
    if isinstance(expr, ir.BagOf) and len(expr.items) == len(parts):
        if {item.name for item in expr.items if isinstance(item, ir.Local)} == parts:
            return False
    if isinstance(expr, ir.Local):
        return expr.name in parts
    return any(_tells_apart(child, parts) for child in children(expr))


class Rewritten:
    """The parts of the rules that differ between two rule sets. It is symmetric."""

    def __init__(self, a: RuleSet, b: RuleSet) -> None:
        self.a, self.b = a, b
        ours, theirs = Dependencies(a), Dependencies(b)
        parts = ours.contents.keys() | theirs.contents.keys()
        changed = {p for p in parts if _meaning(ours, p) != _meaning(theirs, p)}
        if a.tiles.bags != b.tiles.bags:
            changed.add(SET)
        used_by: dict[Part, set[Part]] = {}
        for part in parts:
            for used in ours.uses(part) | theirs.uses(part):
                used_by.setdefault(used, set()).add(part)
        for _, bag in a.tiles.bags:  # the set of tiles rests on what it withdraws, and on what is wild
            for used in parts_in(bag):
                used_by.setdefault(used, set()).add(SET)
        changed = set(closure(changed, lambda part: used_by.get(part, ())))
        self.withdrawn = SET in changed
        self.parts = frozenset(changed - {SET})
        self._changed = frozenset(changed)
        self._dependencies = [Dependencies(rules) for rules in (a, b)]

    def same(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Return whether two expressions, one of each rule set, are the same by syntax."""
        return one == other and not any(part in self._changed for part in parts_in(one))

    def effects_same(self, one: Iterable[ir.Effect], other: Iterable[ir.Effect]) -> bool:
        """Return whether effects, of each rule set, are the same by syntax."""
        one, other = list(one), list(other)
        return one == other and all(self.same(e, e) for e in exprs_in(one))

    def reads(self, expr: ir.Expr) -> frozenset[str]:
        """Return the states, zones and words of a state that an expression may read, in either rule set."""
        return frozenset().union(*(dependencies.reads([expr]) for dependencies in self._dependencies))


def _meaning(dependencies: Dependencies, part: Part) -> Any:
    content = dependencies.contents.get(part)
    return None if content is None else content.meaning


def used(rules: RuleSet) -> frozenset[Part]:
    """Return the definitions, shapes, scores and options that a game may use; what only properties use is left out."""
    clauses = [c for clauses in (*(a.effects for a in rules.actions), rules.payout) for c in clauses]
    exprs = [c.expr for action in rules.actions for c in action.conditions]
    exprs += exprs_in(effects_of(clauses))
    exprs += [e for a in rules.actions if a.dealing is not None for e in a.dealing.sizes]
    bounds = [e for v in rules.vars for e in (v.low, v.high) if e is not None]
    bounds += [e for x in rules.actions for p in x.params for e in (p.low, p.high) if e is not None]
    ranges = [e for group in rules.tiles.groups for r in group.ranges for e in (r.low, r.high)]
    exprs += [rules.low, rules.high, *bounds, *ranges]
    exprs += [bag for _, bag in rules.tiles.bags]
    exprs += [v.initial for v in rules.vars if v.initial is not None]
    return Dependencies(rules).reached_by(exprs)


def scored(rules: RuleSet) -> frozenset[Part]:
    """Return the scores of a text, whether or not a game asks for them, and what they use."""
    return Dependencies(rules).reached_through(("score", score.name) for score in rules.scores)


def same_tile_names(one: Action, other: Action) -> bool:
    """Return whether an action gives the tiles of an event the same names in both: `{a, b}` is not `{b, a}`."""
    return [p.parts for p in one.params] == [p.parts for p in other.params]


def same_games(rewritten: Rewritten) -> bool:
    """Return whether two rule sets deal, play and pay alike by syntax."""
    a, b = rewritten.a, rewritten.b
    initial = [{v.name: v.initial for v in rules.vars} for rules in (a, b)]
    if rewritten.withdrawn or initial[0].keys() != initial[1].keys():
        return False
    if [*initial[0]] != [*initial[1]] and any(
        e is not None and rewritten.reads(e) for e in initial[0].values()
    ):
        return False  # initial values are set in order, and a later one may read an earlier state
    pairs: list[tuple[ir.Expr | None, ir.Expr | None]] = [(initial[0][n], initial[1][n]) for n in initial[0]]
    done = [(effects_of(a.payout), effects_of(b.payout))]
    if {x.name for x in a.actions} != {x.name for x in b.actions}:
        return False
    for action in a.actions:
        other = b.action(action.name)
        assert other is not None
        one, two = action.dealing, other.dealing
        if not same_tile_names(action, other):
            return False
        if one is not None and two is not None:
            if (one.zone, one.hand) != (two.zone, two.hand):
                return False
            pairs += [(one.first, two.first), (one.others, two.others)]
        for some, rest in ((action, other), (other, action)):
            exprs = [c.expr for c in rest.conditions]
            if not all(any(rewritten.same(c.expr, e) for e in exprs) for c in some.conditions):
                return False
        done.append((effects_of(action.effects), effects_of(other.effects)))
    alike = all(x is y if x is None or y is None else rewritten.same(x, y) for x, y in pairs)
    return alike and all(rewritten.effects_same(x, y) for x, y in done)
