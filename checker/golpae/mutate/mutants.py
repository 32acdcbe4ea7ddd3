"""Rule texts changed in one small place, as an author might get it wrong.

Input: a loaded text.
Output: its mutants. Each is the text with one change: a condition, a case or an effect dropped, a comparison turned, a
number one more or less, a payment reversed, and so on. No change is specific to a game. Messages, the set, properties
and definitions that only properties use stay as they are.

    turn: stage = begin and p = mover          stage = begin
                                               p = mover
                                               stage = begin or p = mover
                                               stage = close and p = mover
                                               stage = begin and p /= mover
                                               (dropped)

Guarantee: the trees of all mutants differ from each other and from the text. Some mutants do not elaborate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Literal

from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import path_of
from golpae.syntax import format as formatting
from golpae.syntax import tree as t
from golpae.syntax.traverse import uncommented

_NUMBERED = re.compile(r" \((\d+)\)$")  # behind a clause that shares its name
# Comparisons turned, and taken one step wider or narrower.
TURNED: dict[t.BinaryOp, tuple[t.BinaryOp, ...]] = {
    "=": ("/=",),
    "/=": ("=",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "in": ("not in",),
    "not in": ("in",),
}
SWAPPED: dict[t.BinaryOp, tuple[t.BinaryOp, ...]] = {
    "and": ("or",),
    "or": ("and",),
    "implies": ("and",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "div": ("mod",),
    "mod": ("div",),
    "^": ("*",),
}
QUANTIFIERS: tuple[t.Quantifier, ...] = ("some", "every", "no")
OTHER_FOLD: dict[t.FoldKind, t.FoldKind] = {
    "most of": "least of",
    "least of": "most of",
    "the next": "the last",
    "the last": "the next",
}
OTHER_ROUNDS: dict[t.Rounds, t.Rounds] = {"until": "while", "while": "until"}
OTHER_SIDE = {"right": "left", "left": "right"}
OTHER_NEIGHBOUR: dict[t.NextSide, t.NextSide] = {"after": "before", "before": "after"}
OTHER_DIRECTION: dict[t.Direction, t.Direction] = {"up": "down", "down": "up"}
OTHER_PART: dict[Literal["first", "last"], Literal["first", "last"]] = {"first": "last", "last": "first"}
OTHER_EXTREME: dict[t.ExtremeKind, t.ExtremeKind] = {"smaller": "larger", "larger": "smaller"}
OTHER_END: dict[t.End, t.End] = {
    "front": "back",
    "back": "front",
    "top": "front",
}  # the top of a row is its back
# Places that always hold a condition.
TRUTHS = {
    (t.Quantified, "body"),
    (t.Ways, "body"),
    (t.Fold, "test"),
    (t.EachOf, "test"),
    (t.If, "test"),
    (t.When, "test"),
    (t.Repeat, "test"),
    (t.Pattern, "test"),
}
# Nodes that may lose one of their parts. Effects, too, may lose one of several.
LISTS = {
    (t.Bag, "items"),
    (t.Score, "provided"),
    (t.Score, "patterns"),
    (t.Score, "brings"),
    (t.Brings, "brought"),
    (t.Names, "words"),
    (t.Variant, "deltas"),
    (t.Cases, "rows"),
    (t.CaseRow, "keys"),
    (t.Order, "items"),
}
# Parts that are no rules: messages and types.
LEFT = {"span", "ids", "remarks", "message", "title", "gist", "type", "params", "given", "properties"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A text with one change. `place` is the clause that it is in, `switch` the variant or reading."""

    place: str
    change: str
    switch: str | None
    loaded: Loaded

    @property
    def name(self) -> str:
        """The name, which is unique among the mutants of the text."""
        return f"{self.place}: {self.change}"

    @property
    def rules(self) -> str:
        """The rule set that has the change."""
        game = self.loaded.game.name.text
        return game if self.switch is None else f"{game}+{self.switch}"

    @property
    def path(self) -> str:
        """The path of the clause, or of its block, with the switch behind it that wrote the clause, if one did."""
        place = self.place if self.switch is None else self.place.removeprefix(f"{self.switch}, ")
        path = _NUMBERED.sub(lambda result: "" if result[1] == "1" else f" {result[1]}", place)
        return path if self.switch is None else f"{path} ({self.switch})"


def mutants(loaded: Loaded) -> list[Mutant]:
    """Return all mutants of a text, in its order."""
    ruling = _ruling(loaded)
    changes = _Changes(loaded)
    made: list[Mutant] = []
    names: Counter[str] = Counter()
    seen: set[t.Decl | None] = set(loaded.decls)
    for at, decl in enumerate(loaded.decls):
        if isinstance(decl, t.Define) and decl.name.text not in ruling:
            continue
        for place, change, changed in changes.of_decl(decl):
            if changed is not None and changed in seen:
                continue
            seen.add(changed)
            after = () if changed is None else (changed,)
            decls = (*loaded.decls[:at], *after, *loaded.decls[at + 1 :])
            switch = decl.name.text if isinstance(decl, t.Variant) else None
            names[f"{place}: {change}"] += 1
            nth = names[f"{place}: {change}"]
            told = change if nth == 1 else f"{change} ({nth})"
            made.append(Mutant(place, told, switch, replace(loaded, decls=decls)))
    return [*made, *_lasting_otherwise(loaded)]


def place_of(decl: t.Define | t.Action | t.Group, at: int) -> str:
    """Return the place of a clause of a block, by its number there."""
    clause = decl.clauses[at]
    if isinstance(decl, t.Define) and not decl.cases:
        return decl.name.text
    place = f"{decl.name.text}.{clause.name.text}"
    if clause.name.text == "then":
        place += f" ({sum(c.name.text == 'then' for c in decl.clauses[: at + 1])})"
    return place


def _lasting_otherwise(loaded: Loaded) -> Iterator[Mutant]:
    """Turn state of the hand into state of the match, and the reverse."""
    states = {d.scope: d for d in loaded.decls if isinstance(d, t.State)}
    for scope, decl in states.items():
        for other in states.keys() - {scope}:
            for i, var in enumerate(decl.vars):
                less = replace(decl, vars=_put(decl.vars, i))
                more = replace(states[other], vars=(*states[other].vars, var))
                changed = (less if d is decl else more if d is states[other] else d for d in loaded.decls)
                decls = tuple(d for d in changed if d is not less or less.vars)  # no list of states is empty
                yield Mutant(f"state {var.name.text}", f"of the {other}", None, replace(loaded, decls=decls))


# ------------------------------------------------------------------ parts that belong to the rules


def _ruling(loaded: Loaded) -> set[str]:
    """Return the definitions that rules use, directly or through other definitions."""
    defines = {d.name.text: d for d in loaded.decls if isinstance(d, t.Define)}
    waiting: list[t.Node] = [d for d in loaded.decls if not isinstance(d, t.Define | t.Property)]
    ruling: set[str] = set()
    while waiting:
        for name in _words(waiting.pop()):
            if name in defines and name not in ruling:
                ruling.add(name)
                waiting.append(defines[name])
    return ruling


def _words(node: t.Node) -> Iterator[str]:
    """Yield every name that a node uses, except in properties."""
    match node:
        case t.Name(name=name) | t.Call(name=name) | t.Possessive(name=name) | t.Word(text=name):
            yield name
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name not in ("span", "remarks", "properties"):
            for part in value if isinstance(value, tuple) else (value,):
                for inner in part if isinstance(part, tuple) else (part,):
                    if isinstance(inner, t.Node):
                        yield from _words(inner)


# ------------------------------------------------------------------ changes

Change = tuple[str, Any]  # in words, and the node after it
Names = dict[str, str | None]  # the names in scope, each with its type if one word says it


class _Changes:
    """The changes of one text's nodes. `others` holds, for each name, the names that could replace it."""

    def __init__(self, loaded: Loaded) -> None:
        self.properties = {d.name.text for d in loaded.decls if isinstance(d, t.Property)}
        self.choices: dict[str, tuple[str, ...]] = {}
        self.others: dict[str, tuple[str, ...]] = {}
        self.owned: dict[str, tuple[str, ...]] = {}
        self.clauses: dict[str, t.Define | t.Action | t.Group] = {}
        tiles: dict[str, None] = {}
        kinds: dict[tuple[bool, object], list[str]] = {}
        for decl in loaded.decls:
            match decl:
                case t.State(vars=variables):
                    for var in variables:
                        self._choices_of(var.type)
                        kind = var.type.item if isinstance(var.type, t.TypeOrNone) else var.type
                        kinds.setdefault((var.each_player, kind), []).append(var.name.text)
                case t.Zones(zones=zones):
                    for zone in zones:
                        kinds.setdefault((zone.each_player, zone.kind.text), []).append(zone.name.text)
                case t.Tiles(groups=groups):
                    for group in groups:
                        if isinstance(group.tiles, tuple):
                            tiles.update((tile.name, None) for tile in group.tiles)
                case t.Define() | t.Action() | t.Group():
                    self.clauses[decl.name.text] = decl
                case t.Kind(type=kind_of_value):
                    self._choices_of(kind_of_value)
        seat = t.TypeName(loaded.game.span, "seat")
        kinds.setdefault((False, seat), []).append("winner")
        for (each, _), alike in kinds.items():
            for name in alike:
                (self.owned if each else self.others)[name] = tuple(o for o in alike if o != name)
        names = list(tiles)
        self.next_tile = dict(zip(names, [*names[1:], *names[:1]], strict=True))

    def _choices_of(self, kind: t.Type) -> None:
        match kind:
            case t.TypeChoice(words=words):
                every = [word.text for word in words]
                self.choices.update((w, tuple(o for o in every if o != w)) for w in every)
            case t.TypeOrNone(item=item) | t.TypeEach(item=item) | t.TypeList(item=item):
                self._choices_of(item)

    def of_decl(self, decl: t.Decl) -> Iterator[tuple[str, str, t.Decl | None]]:
        """Yield the changes of a declaration: the place, the change, and the changed declaration (None:
        dropped)."""
        match decl:
            case t.Players() | t.Option():
                place = "players" if isinstance(decl, t.Players) else f"option {decl.name.text}"
                yield from ((place, said, new) for said, new in self.of(decl, False, self._names_in(decl)))
            case t.Tiles():
                for clause in decl.clauses:
                    place, field = f"tiles.{clause.name.text}", clause.name.text.replace("-", "_")
                    yield place, "dropped", _with(decl, field, None)
                    for said, new in self.of(clause, False, {}):
                        yield place, said, _with(decl, field, new)
            case t.State(vars=variables):
                for i, var in enumerate(variables):
                    for said, new in self.of(var, False, {}):
                        yield f"state {var.name.text}", said, replace(decl, vars=_put(variables, i, new))
            case t.Define() | t.Action():
                yield from self._of_clauses(decl)
                for i, where in enumerate(decl.wheres):
                    for said, new in self.of(where, False, self._names_in(decl)):
                        place = f"{decl.name.text}.{where.name.text}"
                        yield place, said, replace(decl, wheres=_put(decl.wheres, i, new))
            case t.Group():
                yield from self._of_clauses(decl)
            case t.Kind(in_order=True):
                yield from ((f"kind {decl.name.text}", said, new) for said, new in _other_order(decl))
            case t.Order(circle=circle):
                place = f"order {decl.name.text}"
                yield place, "no circle" if circle else "a circle", replace(decl, circle=not circle)
                yield from ((place, said, new) for said, new in self.of(decl, False, {}))
            case t.RowSlice(end=end):
                place, other = f"part {decl.name.text}", OTHER_PART[end]
                yield place, f"{end} becomes {other}", replace(decl, end=other)
                yield from ((place, said, new) for said, new in self.of(decl, False, {}))
            case t.Score() | t.Shape() | t.Arrangement():
                yield from (
                    (decl.name.text, said, new) for said, new in self.of(decl, False, self._names_in(decl))
                )
            case t.Delta():
                yield path_of(decl), "dropped", None
                yield from (
                    (path_of(decl), said, new) for said, new in self.of(decl, False, self._names_in(decl))
                )
            case t.Variant(deltas=deltas, parts=parts):
                for i, part in enumerate(parts):
                    for place, said, new in self.of_decl(part):
                        assert isinstance(new, t.Added)
                        changed = replace(decl, parts=_put(parts, i, new))
                        yield f"{decl.name.text}, {place}", said, changed
                for i, delta in enumerate(deltas):
                    if delta.path[0].text not in self.properties:
                        for place, said, new in self.of_decl(delta):
                            left = _put(deltas, i, *(() if new is None else (new,)))
                            yield f"{decl.name.text}, {place}", said, replace(decl, deltas=left)

    def _of_clauses(self, decl: t.Define | t.Action | t.Group) -> Iterator[tuple[str, str, t.Decl]]:
        several = isinstance(decl, t.Action) or len(decl.clauses) > 1
        for i, clause in enumerate(decl.clauses):
            place = place_of(decl, i)
            if several:
                yield place, "dropped", replace(decl, clauses=_put(decl.clauses, i))
            truth = not isinstance(decl, t.Define) or decl.cases
            if truth and isinstance(clause.body, t.Condition) and not _turned_alone(clause.body.expr):
                negated = _negated(clause.body.expr)
                body = replace(clause.body, expr=negated)
                new = replace(decl, clauses=_put(decl.clauses, i, replace(clause, body=body)))
                yield place, "negated", new
            for said, changed in self.of(clause, truth, self._names_in(decl)):
                yield place, said, replace(decl, clauses=_put(decl.clauses, i, changed))

    def _names_in(self, decl: t.Decl) -> Names:
        """Return the names that a block binds: its parameters and the player who acts."""
        match decl:
            case t.Delta(path=path) if path[0].text in self.clauses:
                return self._names_in(self.clauses[path[0].text])
            case t.Define(params=params) | t.Group(params=params):
                return _kinds(params)
            case t.Action(params=params, by=by):
                parts = {w.text: "tile" for p in params for w in p.parts or ()}
                return _kinds(params) | parts | ({} if by is None else {by.text: "seat"})
            case _:
                return {}

    def of(self, node: Any, truth: bool, names: Names) -> Iterator[Change]:
        """Yield the changes of a node and of its parts. `truth`: the node is a condition; `names`: the names in
        scope.
        """
        for new in self._own(node, truth, names):
            yield _told(node, new), new
        names = _names_within(node, names)
        for field in fields(node):
            name, value = field.name, getattr(node, field.name)
            if name in LEFT:
                continue
            inner_truth = _is_truth(node, name, truth)
            if isinstance(value, t.Node):
                for said, new in self.of(value, inner_truth, names):
                    yield said, replace(node, **{name: new})
            elif isinstance(value, tuple):
                for i, item in enumerate(value):
                    if isinstance(item, t.Node):
                        is_list = isinstance(item, t.Effect) or (type(node), name) in LISTS
                        if is_list and len(value) > 1:
                            yield f"without {_text(item)}", replace(node, **{name: _put(value, i)})
                        for said, new in self.of(item, inner_truth, names):
                            yield said, replace(node, **{name: _put(value, i, new)})

    def _own(self, node: Any, truth: bool, names: Names) -> Iterator[t.Node]:
        """Yield the changes of the node itself."""
        match node:
            case t.Number(value=value):
                yield replace(node, value=value + 1)
                yield _number(node, value - 1)
            case t.Truth(value=value):
                yield replace(node, value=not value)
            case t.TileName(name=name) if name in self.next_tile:
                yield replace(node, name=self.next_tile[name])
            case t.Name(name=name):
                others = _alike(name, names)
                others += self.choices.get(name, ()) + self.others.get(name, ())
                yield from (replace(node, name=other) for other in others)
                if truth:
                    yield _negated(node)
            case t.Possessive(name=("right" | "left") as name):
                yield replace(node, name=OTHER_SIDE[name])
                yield node.owner
            case t.Possessive(name=name) if name in self.owned:
                yield from (replace(node, name=other) for other in self.owned[name])
            case t.PassOn(side=side):
                yield replace(node, side=replace(side, text=OTHER_SIDE[side.text]))
            case t.RowEnd(end=end):
                yield replace(node, end=OTHER_END[end])
            case t.Unary(op="not" | "-", arg=arg):
                yield arg
            case t.Binary(op=op, left=left, right=right):
                yield from (replace(node, op=other) for other in TURNED.get(op, ()) + SWAPPED.get(op, ()))
                if op == "implies":
                    yield right
                    yield replace(node, left=right, right=left)
                elif op in SWAPPED or op == "otherwise":
                    yield left
                    yield right
            case t.Is(negated=negated):
                yield replace(node, negated=not negated)
            case t.Quantified(kind=kind) | t.Ways(kind=kind):
                yield from (replace(node, kind=other) for other in QUANTIFIERS if other != kind)
            case t.Fold(kind=kind) if kind in OTHER_FOLD:
                yield replace(node, kind=OTHER_FOLD[kind])
            case t.Fold(test=test, kind=kind) if test is not None and kind in ("number of", "sum of"):
                yield replace(node, test=None)
            case t.If(yes=yes, no=no):
                yield replace(node, yes=no, no=yes)
                yield yes
                yield no
            case t.When(test=test, effects=_, otherwise=otherwise):
                yield replace(node, test=t.Truth(test.span, True))
                if otherwise is not None:
                    yield replace(node, otherwise=None)
            case t.Cases(rows=rows, by=None):
                for i in range(len(rows) - 1):
                    if rows[i + 1].keys:  # `otherwise` stays the last one
                        yield replace(node, rows=_swapped(rows, i))
            case t.Order(items=items):
                yield from (replace(node, items=_swapped(items, i)) for i in range(len(items) - 1))
            case t.NextTo(side=side):
                yield replace(node, side=OTHER_NEIGHBOUR[side])
            case t.Rounded(direction=direction, number=number):
                yield replace(node, direction=OTHER_DIRECTION[direction])
                yield number
            case t.Extreme(kind=kind, left=left, right=right):
                yield replace(node, kind=OTHER_EXTREME[kind])
                yield left
                yield right
            case t.Repeat(rounds=rounds) if rounds is not None:
                yield replace(node, rounds=OTHER_ROUNDS[rounds])
            case t.Move(source=source, target=target):
                yield replace(node, source=target, target=source)
            case t.Hands(first=first, others=others) if first != others:
                yield replace(node, first=others, others=first)
            case t.Wins(seat=seat) if seat is not None:
                yield replace(node, seat=None)
            case t.Pays(payer=payer, payee=payee, amount=amount):
                yield replace(node, payer=payee, payee=payer)
                yield replace(node, amount=_larger(amount))
            case t.Scores(amount=amount):
                yield replace(node, amount=_larger(amount))
            case t.Part(count=count):
                yield replace(node, count=count + 1)
                yield replace(node, count=count - 1)
            case _ if truth and isinstance(node, t.Call | t.Possessive | t.LayOut | t.Beside):
                yield _negated(node)


def _other_order(kind: t.Kind) -> Iterator[tuple[str, t.Kind]]:
    """Yield a kind of value with two neighbours in the opposite order."""
    assert isinstance(kind.type, t.TypeChoice)
    words = kind.type.words
    for i in range(len(words) - 1):
        said = f"{words[i].text}, {words[i + 1].text} -> {words[i + 1].text}, {words[i].text}"
        yield said, replace(kind, type=replace(kind.type, words=_swapped(words, i)))


def _swapped(items: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    """Return items of which one and the next have changed places."""
    return (*items[:place], items[place + 1], items[place], *items[place + 2 :])


def _names_within(node: t.Node, names: Names) -> Names:
    match node:
        case t.Quantified(names=words) | t.Fold(names=words):
            return names | {w.text: None for w in words}
        case t.EachOf(name=word) | t.ForEach(name=word):
            return names | {word.text: None}
        case t.Shape(names=words):
            return {w.text: "tile" for w in words}
        case _:
            return names


def _kinds(params: tuple[t.Param, ...]) -> Names:
    """Return parameters with their types: `a, b: tile` are two tiles, and one named `tile` is a tile."""
    out: Names = {}
    last: str | None = None
    for param in reversed(params):
        match param.type:
            case t.TypeName(name=name):
                last = name
            case None if param.parts is not None:
                last = "tiles"
            case None:
                last = last or param.name
            case _:
                last = None
        out[param.name] = last
    return out


def _alike(name: str, names: Names) -> tuple[str, ...]:
    """Return the names that may be of the type of this one."""
    if name not in names:
        return ()
    kind = names[name]
    return tuple(o for o, k in names.items() if o != name and (k is None or kind is None or k == kind))


def _is_truth(node: t.Node, field: str, truth: bool) -> bool:
    """Return whether a part of a node is a condition."""
    match node:
        case t.Binary(op="and" | "or" | "implies") | t.Unary(op="not"):
            return True
        case t.If() if field != "test":
            return truth
        case t.Cases() | t.CaseRow(keys=()):
            return truth
        case t.CaseRow() if field == "value":
            return truth
        case t.Clause() | t.Condition():
            return truth
        case _:
            return (type(node), field) in TRUTHS


def _turned_alone(expr: t.Expr) -> bool:
    """Return whether one of an expression's own changes negates it."""
    match expr:
        case t.Binary(op=op):
            return op in ("=", "/=", "<", "<=", ">", ">=", "in", "not in")
        case t.Quantified(kind=kind) | t.Ways(kind=kind):
            return kind != "every"
        case t.Is() | t.Unary(op="not") | t.Call() | t.Name() | t.Possessive() | t.LayOut() | t.Beside():
            return True
        case _:
            return False


def _negated(expr: Any) -> t.Expr:
    match expr:
        case t.Unary(op="not", arg=arg):
            return arg
        case _:
            return t.Unary(expr.span, "not", expr)


def _larger(expr: Any) -> t.Expr:
    return t.Binary(expr.span, "+", expr, t.Number(expr.span, 1))


def _number(node: t.Number, value: int) -> t.Expr:
    """Return a number as it is written, with its sign before it."""
    return replace(node, value=value) if value >= 0 else t.Unary(node.span, "-", replace(node, value=-value))


def _with(tiles: t.Tiles, field: str, clause: t.Clause | None) -> t.Tiles:
    """Return a set with another clause in this field."""
    changed: dict[str, Any] = {field: clause}
    return replace(tiles, **changed)


def _put(items: tuple[Any, ...], place: int, *item: Any) -> tuple[Any, ...]:
    return (*items[:place], *item, *items[place + 1 :])


# ------------------------------------------------------------------ changes in words


def _told(old: Any, new: Any) -> str:
    return f"{_text(old)} -> {_text(new)}"


@cache
def _text(node: Any) -> str:
    match node:
        case t.Word(text=text):
            return text
        case t.Clause(name=name) | t.Pattern(name=name) | t.Brings(pattern=name):
            return name.text
        case t.Hands():
            return formatting.format_body(node)
        case t.CaseRow(keys=keys):
            return " or ".join(_text(key) for key in keys) or "otherwise"
        case t.Cases(rows=rows):
            return ", ".join(_text(row) for row in rows)
        case t.Order(items=items):
            return ", ".join(_text(item) for item in items)
        case t.Requires(group=group) | t.Use(group=group):
            return formatting.format_expression(group)
        case t.Part(count=count, shape=shape):
            return f"{count} {shape.text}"
        case _ if isinstance(node, t.SimpleEffect):
            return formatting.format_body(t.Effects(node.span, (uncommented(node),)))
        case t.When() | t.ForEach() | t.Repeat():
            body = formatting.format_body(t.Effects(node.span, (uncommented(node),)))
            lines = "; ".join(map(str.strip, body.split("\n"))) if "\n" in body else " ".join(body.split())
            return lines.replace("; else; ", " else: ").replace("; else", " else")
        case _:
            return formatting.format_expression(node)
