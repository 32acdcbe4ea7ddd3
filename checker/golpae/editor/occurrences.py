"""Where names stand in one rule text, and what each stands for.

Input: the surface tree of a text. Output: `Occurrence`s.
Guarantee: a name that a part binds itself (a key, `some x in ...`, a name of `where`) is a symbol of that part alone;
all others are names of the game. What a name means is not decided here: a name that nothing declares occurs, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from golpae.diagnostics import Span, SpecError, Text
from golpae.syntax import tree as t
from golpae.syntax.bound_names import OUTSIDE, bound_by
from golpae.syntax.messages import values_in
from golpae.syntax.parse import parse_expression

Space = Literal["name", "clause", "pattern", "text", "switch", "rule"]
"""What a name names: a part of a game, a clause of such a part, a pattern of a score, a text, a variant or reading, a
rule of a source."""

_MESSAGE = re.compile(r'"[^"\n]*"|#[^\n]*')


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name stands for. A name that a part binds has that part in `scope`: its name, or else its place."""

    space: Space
    name: str
    scope: int | str | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a name stands; `declared` by this node, if it is a declaration. Within a change of a variant,
    or a property after an action, it may be a name that the changed part or the action binds: `within`.
    """

    span: Span
    symbol: Symbol
    declared: t.Node | None = None
    within: str | None = None


def occurrences(text: Text, decls: Sequence[t.Decl]) -> list[Occurrence]:
    """Return where names stand in a text, in order."""
    walk = _Walk(text)
    for decl in decls:
        walk.node(decl, {})
    return sorted(walk.found, key=lambda one: (one.span.start, one.span.end))


_Scope = Mapping[str, int | str]  # names that parts around a place have bound, each with that part

# What a word in this field of a node names, where that is not a name of the game.
_SPACES: dict[tuple[type[t.Node], str], Space] = {
    (t.Game, "name"): "text",
    (t.Include, "name"): "text",
    (t.Variant, "name"): "switch",
    (t.Rule, "name"): "rule",
    (t.Source, "number"): "rule",
    (t.Pattern, "name"): "pattern",
    (t.Brings, "pattern"): "pattern",
    (t.Brings, "brought"): "pattern",
    (t.Counts, "names"): "pattern",
    (t.Pattern, "number"): "pattern",
}
_DECLARES = (
    t.Game, t.Variant, t.Rule, t.Source, t.Pattern, t.Option, t.Kind, t.Order, t.TileGroup, t.Range, t.Zone,
    t.RowSlice, t.StateVar, t.Define, t.Group, t.Shape, t.Arrangement, t.ScoreDefine, t.GivenParam, t.Score,
    t.Action, t.Property, t.Where, t.Value,
)  # fmt: skip
_WORDS_OF_THE_LANGUAGE = {
    (t.Zone, "kind"),
    (t.Is, "word"),
    (t.Share, "policy"),
    (t.ScoreField, "name"),
    (t.PassOn, "side"),
}
_BLOCKS = (t.Action, t.Define, t.Group, t.Score)  # what variants change by its name
SIDES = ("right", "left")  # of a player: no name of a text
UNNAMED = "then"  # stands before effects that have no name
_BUILT_IN = ("deal", "end", "finish", "payout")  # names of actions that the language has


class _Walk:
    """One walk over a text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._within: str | None = None
        self.found: list[Occurrence] = []

    def node(self, node: t.Node, scope: _Scope) -> None:
        """Note the names in a node, and in all within."""
        match node:
            case t.Name(name=name):
                self._note(Span(self._text, node.span.start, node.span.start + len(name)), name, scope)
            case t.Call(name=name, args=args):
                self._note(Span(self._text, node.span.start, node.span.start + len(name)), name, scope)
                self._all(args, scope)
            case t.Possessive(owner=owner, name=name):
                self.node(owner, scope)
                if name not in SIDES:
                    self._note(Span(self._text, node.span.end - len(name), node.span.end), name, scope)
            case t.TypeName(name=name):
                self._note(Span(self._text, node.span.start, node.span.start + len(name)), name, {})
            case t.NextTo(item=item, order=name) | t.PlaceOf(item=item, order=name):
                self.node(item, scope)
                self._last(node.span, name, {})
            case t.Delta():
                self._delta(node, scope)
            case t.Property(after=t.Word(text=action)):
                outer, self._within = self._within, action
                self._parts(node, scope)
                self._within = outer
            case t.Include(name=word):
                self._add(word.span, Symbol("text", word.text))
            case _:
                self._parts(node, scope)

    def _parts(self, node: t.Node, scope: _Scope, block: str | None = None) -> None:
        """Note the names in the fields of a node. Names that it binds have a meaning in some of these."""
        part = node.name.text if isinstance(node, _BLOCKS) else node.span.start
        bound = {word.text: part for word in _bound(node)}
        inner = {**scope, **bound}
        if isinstance(node, _BLOCKS):
            block = node.name.text
        for field in fields(node):
            value = getattr(node, field.name)
            if value is None or isinstance(value, str | bool):  # no names
                continue
            if field.name in ("span", "remarks") or (type(node), field.name) in _WORDS_OF_THE_LANGUAGE:
                continue
            if field.name == "ids":
                for word in value:
                    self._add(word.span, Symbol("rule", word.text))
            elif isinstance(value, t.Word):
                self._word(node, field.name, value, inner, block)
            elif field.name == "params" and isinstance(value, tuple):
                for param in value:
                    self._param(param, inner)
            else:
                self._value(node, field.name, value, scope if field.name in OUTSIDE else inner, block)
        if isinstance(node, t.Clause | t.Property | t.Pattern | t.Told):
            self._messages(node.span, inner)

    def _value(self, node: t.Node, field: str, value: Any, scope: _Scope, block: str | None) -> None:
        if isinstance(value, t.Word):
            self._word(node, field, value, scope, block)
        elif isinstance(value, t.Clause | t.Where | t.Condition | t.Effects | t.Given | t.Pattern | t.Brings):
            self._parts(value, scope, block)
        elif isinstance(value, t.Node):
            self.node(value, scope)
        elif isinstance(value, tuple):
            for item in value:
                self._value(node, field, item, scope, block)

    def _word(self, node: t.Node, field: str, word: t.Word, scope: _Scope, block: str | None) -> None:
        """Note a word that is the value of a field."""
        if isinstance(node, t.Action) and field == "name" and word.text in _BUILT_IN:
            return
        if isinstance(node, t.Clause) and field == "name":
            group = isinstance(node.body, t.Requires)
            if block is not None and not group and word.text not in (block, UNNAMED):
                self._add(word.span, Symbol("clause", f"{block}.{word.text}"), node)
            return
        declares: t.Node | None = (
            node if isinstance(node, _DECLARES) and field in ("name", "number") else None
        )
        if isinstance(node, t.TypeChoice) or (
            isinstance(node, t.Shape | t.Param) and field in ("names", "parts")
        ):
            declares = node
        if field in ("names", "name", "by", "each") and word in _bound(node):
            declares = node
        space = _SPACES.get((type(node), field))
        if space is not None:
            name = f"{block}.{word.text}" if space == "pattern" and block is not None else word.text
            self._add(word.span, Symbol(space, name), declares)
        else:
            self._note(word.span, word.text, scope, declares)

    def _param(self, param: t.Param, scope: _Scope) -> None:
        if param.parts is None:
            match = re.search(rf"(?<![\w-]){re.escape(param.name)}(?![\w-])", param.span.words)
            if match is not None:
                start = param.span.start + match.start()
                span = Span(self._text, start, start + len(param.name))
                self._note(span, param.name, scope, param)
        for part in param.parts or ():
            self._note(part.span, part.text, scope, param)
        if param.type is not None:
            self.node(param.type, scope)

    def _delta(self, delta: t.Delta, scope: _Scope) -> None:
        """Note the names of a change that a variant makes."""
        first = delta.path[0]
        if first.text not in _BUILT_IN:
            self._note(first.span, first.text, {})
        self._within = first.text
        if len(delta.path) > 1:
            last = delta.path[1]
            declared = delta if delta.kind == "add" else None
            space: Space = "clause" if delta.pattern is None else "pattern"
            self._add(last.span, Symbol(space, f"{first.text}.{last.text}"), declared)
        for word in delta.ids:
            self._add(word.span, Symbol("rule", word.text))
        if delta.body is not None:
            self._parts(delta.body, scope, first.text)
        if delta.pattern is not None:
            self.node(delta.pattern.value, scope)
            self.node(delta.pattern.test, scope)
        self._messages(delta.span, scope)
        self._within = None

    def _messages(self, span: Span, scope: _Scope) -> None:
        """Note the names in the braces of messages."""
        for message in _MESSAGE.finditer(self._text.content, span.start, span.end):
            if message[0].startswith("#"):
                continue
            for start, end in values_in(message[0]):
                if end is None:
                    continue
                inside = Span(self._text, message.start() + start, message.start() + end)
                try:
                    self.node(parse_expression(self._text, inside), scope)
                except SpecError:
                    continue

    # ------------------------------------------------------------------ notes

    def _all(self, nodes: Sequence[t.Node], scope: _Scope) -> None:
        for node in nodes:
            self.node(node, scope)

    def _last(self, span: Span, name: str, scope: _Scope) -> None:
        """Note a name that a node has as a text, at the last place where it stands."""
        start = span.words.rfind(name)
        if start >= 0:
            self._note(Span(self._text, span.start + start, span.start + start + len(name)), name, scope)

    def _note(self, span: Span, name: str, scope: _Scope, declared: t.Node | None = None) -> None:
        self._add(span, Symbol("name", name, scope.get(name)), declared)

    def _add(self, span: Span, symbol: Symbol, declared: t.Node | None = None) -> None:
        if (
            span.words == symbol.name.rpartition(".")[2]
        ):  # a name that the reader of texts made stands nowhere
            self.found.append(Occurrence(span, symbol, declared, self._within))


def _bound(node: t.Node) -> Iterator[t.Word]:
    """Yield the names that a node binds in its own parts."""
    yield from bound_by(node)
    match node:
        case t.Action(params=params, wheres=wheres, by=by):
            yield from _named(params)
            yield from (where.name for where in wheres)
            if by is not None:
                yield by
        case t.Define(params=params, wheres=wheres) | t.ScoreDefine(params=params, wheres=wheres):
            yield from _named(params)
            yield from (where.name for where in wheres)
        case t.Group(params=params):
            yield from _named(params)
        case t.Shape(names=names):
            yield from names
        case t.Score(params=params, given=given, defines=defines):
            yield from _named(params)
            yield from (one.name for one in given)
            yield from (one.name for one in defines)
        case t.Condition(values=values):
            yield from (value.name for value in values)
        case _:
            return


def _named(params: Sequence[t.Param]) -> Iterator[t.Word]:
    for param in params:
        if param.parts is None:
            yield t.Word(param.span, param.name)
        yield from param.parts or ()
