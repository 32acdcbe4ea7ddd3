"""Writes out groups: effects and conditions that several actions share.

Input: the declarations of a resolved text. Output: the same without groups, each use of one replaced by its lines.
Guarantee: an action has the conditions of a group under its own name and theirs (`play.turn`), in the place of the line
that requires them. A name in a group never means what is called so where the group is used.

    conditions playing(p: seat)                         action play by q
      turn: p = mover                                     turn: q = mover
    action play by q                            ->
      requires playing(q)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, near, quoted_list
from golpae.elaborate.expand.names import Fresh, in_place, open_in, open_names
from golpae.elaborate.typecheck.calls import definition_arguments
from golpae.elaborate.typecheck.parameters import NAMED_TYPES, names_of
from golpae.elaborate.typecheck.swallowed import missing_values
from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.ir.ruleset import ParamDecl
from golpae.ir.types import BOOL
from golpae.syntax import tree as t

MOST_LINES = 20_000  # of groups, written out in all their places


def with_groups(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with each use of a group replaced by its lines. Raises `SpecError`."""
    writing = _Writing(decls)
    out = tuple(
        writing.action(d) if isinstance(d, t.Action) else d for d in decls if not isinstance(d, t.Group)
    )
    if writing.faults:
        raise SpecError([*dict.fromkeys(writing.faults)])
    return out


def typed(params: Sequence[t.Param]) -> dict[str, t.Type]:
    """Return the kind of value of each parameter, as it is written, or as the next one's, or as its name says."""
    following: t.Type | None = None
    out: dict[str, t.Type] = {}
    for param in reversed(params):
        if param.type is not None:
            following = param.type
        elif param.name in NAMED_TYPES:
            out[param.name] = t.TypeName(param.span, param.name)
            continue
        out[param.name] = following or t.TypeName(param.span, param.name)
    return out


def arguments(call: t.Call, params: Sequence[t.Param]) -> Sequence[t.Expr]:
    """Return the value of each parameter. Raises `RefusedExpression`."""
    lacking = None if call.names else missing_values(params, len(call.args) - len(params))
    if lacking is not None:
        raise lacking
    return definition_arguments(call.name, call, call.args, [ParamDecl(p.name, BOOL) for p in params])


class _Writing:
    def __init__(self, decls: Sequence[t.Decl]) -> None:
        self.faults: list[Diagnostic] = []
        self._fresh = Fresh("g")
        self._groups: dict[str, t.Group] = {}
        self._taken = {
            d.name.text: d.name.span for d in decls if isinstance(d, t.Action | t.Define | t.Score)
        }
        for decl in decls:
            if isinstance(decl, t.Group):
                self._declare(decl)
        self._lines_written = 0  # of groups, wherever they are used
        self._inside: list[str] = []  # the groups that are being written out

    def _fault(self, code: str, message: str, span: Span, advice: str, first: Span | None = None) -> None:
        labels = () if first is None else (Label(first, "the first one"),)
        self.faults.append(Diagnostic(code, message, span, advice, labels))

    # ------------------------------------------------------------------ groups

    def _declare(self, group: t.Group) -> None:
        name, of_conditions = group.name, group.kind == "conditions"
        first = self._taken.setdefault(name.text, name.span)
        if first is not name.span:
            self._fault(
                "N002", f"the name `{name.text}` is already taken", name.span, "choose another name", first
            )
        for param in group.params:
            if param.parts is not None or param.optional:
                advice = f"write `{param.name}: tiles`"
                if param.optional:
                    kind = param.name if param.type is None else param.type.span.excerpt
                    advice = f"write `{param.name}: {kind} or none`"
                message = f"`{name.text}` takes values, and no keys of an event"
                self._fault("T001", message, names_of(param)[0].span, advice)
        self._once(word for param in group.params for word in names_of(param))
        self._once((c.name for c in group.clauses if c.name.text != "then"), f"`{name.text}` has two lines")
        for clause in group.clauses:
            if of_conditions is isinstance(clause.body, t.Condition | t.Requires):
                continue
            if of_conditions:
                advice = f"write `effects {name.text}-too(...)` for what happens"
                self._fault("R005", f"`{name.text}` holds conditions only", clause.body.span, advice)
            else:
                advice = f"write it in a group `conditions {name.text}-allowed(...)`"
                self._fault("R005", f"`{name.text}` holds effects only", clause.body.span, advice)
        self._groups.setdefault(name.text, group)

    def _once(self, words: Iterator[t.Word], message: str = "there are two values") -> None:
        first: dict[str, Span] = {}
        for word in words:
            if word.text in first:
                self._fault(
                    "N002", f"{message} `{word.text}`", word.span, "rename one of them", first[word.text]
                )
            first.setdefault(word.text, word.span)

    def _lines(self, group: t.Group) -> tuple[t.Clause, ...]:
        """Return the clauses of a group, with those of the groups that it uses, anew each time."""
        self._lines_written += len(group.clauses)
        if self._lines_written > MOST_LINES:
            message = f"the groups of this text come to more than {MOST_LINES} lines where they are used"
            raise SpecError(
                [Diagnostic("S006", message, group.name.span, "let groups use fewer other groups")]
            )
        self._inside.append(group.name.text)
        own = {p.name for p in group.params}
        lines = tuple(line for c in group.clauses for line in self._clause(c, own))
        self._inside.pop()
        return lines

    def _group(self, call: t.Call, kind: t.GroupKind) -> tuple[t.Group, Sequence[t.Expr]] | None:
        """Return the group that is used, with its values; None after a fault."""
        name = call.name
        word = Span(call.span.text, call.span.start, call.span.start + len(name))
        group = self._groups.get(name)
        if group is None:
            names = [g.name.text for g in self._groups.values() if g.kind == kind]
            advice = near(name, names) or (
                f"the groups are {quoted_list(names)}" if names else _how(kind, name)
            )
            self._fault("N001", f"there are no {kind} called `{name}`", word, advice)
            return None
        if group.kind != kind:
            advice = f"write `requires {name}`" if group.kind == "conditions" else f"write `then {name}(...)`"
            self._fault("R005", f"`{name}` is a group of {group.kind}", word, advice, None)
            return None
        if name in self._inside:
            way = self._inside[self._inside.index(name) + 1 :]
            through = f", through {quoted_list(way)}" if way else ""
            self._fault("T005", f"`{name}` uses itself{through}", word, "write its lines without it")
            return None
        try:
            return group, arguments(call, group.params)
        except RefusedExpression as fault:
            if fault.diagnostic is not None:
                self.faults.append(fault.diagnostic)
            return None

    # ------------------------------------------------------------------ what uses them

    def action(self, node: t.Action) -> t.Action:
        """Return an action without groups."""
        own = {word.text for param in node.params for word in names_of(param)}
        own |= set() if node.by is None else {node.by.text}
        own |= {w.name.text for w in node.wheres}
        clauses = tuple(line for c in node.clauses for line in self._clause(c, own))
        return replace(node, clauses=clauses)

    def _clause(self, clause: t.Clause, own: set[str]) -> Iterator[t.Clause]:
        """Yield a clause without groups; `own` are the names of values where it stands."""
        match clause.body:
            case t.Requires(group=call):
                called_group = self._group(call, "conditions")
                if called_group is not None:
                    yield from self._conditions(clause, *called_group, own)
            case t.Condition(expr=t.Call(name=name) as call) if self._is_of_conditions(name):
                advice = f"write `requires {call.span.excerpt}`, without a name before it"
                self._fault("R005", f"`{name}` is a group of conditions", call.span, advice)
            case t.Effects(effects=effects):
                yield replace(clause, body=replace(clause.body, effects=self._effects(effects, own)))
            case _:
                yield clause

    def _is_of_conditions(self, name: str) -> bool:
        return name in self._groups and self._groups[name].kind == "conditions"

    def _conditions(
        self, clause: t.Clause, group: t.Group, args: Sequence[t.Expr], own: set[str]
    ) -> Iterator[t.Clause]:
        lines = self._lines(group)
        self._closed(group, lines, own)
        types = typed(group.params)
        values = tuple(
            t.Value(arg.span, t.Word(arg.span, p.name), types[p.name], arg)
            for p, arg in zip(group.params, args, strict=True)
        )
        taken = open_in(args)
        for line in lines:
            body = line.body
            if not isinstance(body, t.Condition):
                continue
            ids = line.ids or clause.ids or group.ids
            if values:
                expr = t.With(body.expr.span, values, in_place(body.expr, {}, self._fresh, taken))
                inner = in_place(
                    body.values, {p.name: a for p, a in zip(group.params, args, strict=True)}, self._fresh
                )
                body = replace(body, expr=expr, values=inner or values)
            yield replace(line, body=body, ids=ids)

    def _effects(self, effects: tuple[t.Effect, ...], own: set[str]) -> tuple[t.Effect, ...]:
        return tuple(self._effect(effect, own) for effect in effects)

    def _effect(self, effect: t.Effect, own: set[str]) -> t.Effect:
        match effect:
            case t.Use(group=call):
                called_group = self._group(call, "effects")
                return effect if called_group is None else self._used(effect, *called_group, own)
            case t.When(effects=inner, otherwise=otherwise):
                if otherwise is not None:
                    otherwise = replace(otherwise, effects=self._effects(otherwise.effects, own))
                return replace(effect, effects=self._effects(inner, own), otherwise=otherwise)
            case t.ForEach(name=name, effects=inner):
                if name.text in self._open_in_groups(inner):
                    new = self._fresh.word(name)
                    renamed = in_place(inner, {name.text: t.Name(name.span, new.text)}, self._fresh)
                    return replace(effect, name=new, effects=self._effects(renamed, own | {new.text}))
                return replace(effect, effects=self._effects(inner, own | {name.text}))
            case t.Given(effects=inner):
                return replace(effect, effects=self._effects(inner, own))
            case _:
                return effect

    def _open_in_groups(self, effects: tuple[t.Effect, ...], seen: tuple[str, ...] = ()) -> frozenset[str]:
        """Return the names that the groups which effects use leave open, themselves or through others."""
        names: frozenset[str] = frozenset()
        for effect in _uses(effects):
            group = self._groups.get(effect.group.name)
            if group is None or group.kind != "effects" or group.name.text in seen:
                continue
            seen = (*seen, group.name.text)
            bodies = [c.body for c in group.clauses if isinstance(c.body, t.Effects)]
            names |= open_in(bodies) - {p.name for p in group.params}
            names |= self._open_in_groups(tuple(e for body in bodies for e in body.effects), seen)
        return names

    def _used(self, use: t.Use, group: t.Group, args: Sequence[t.Expr], own: set[str]) -> t.Effect:
        lines = self._lines(group)
        self._closed(group, lines, own)
        types, in_names, values = typed(group.params), {}, []
        for param, arg in zip(group.params, args, strict=True):
            word = self._fresh.word(t.Word(arg.span, param.name))
            in_names[param.name] = t.Name(word.span, word.text)
            values.append(t.Value(arg.span, word, types[param.name], arg))
        inner: list[t.Effect] = []
        for line in lines:
            if isinstance(line.body, t.Effects):
                inner += in_place(line.body.effects, in_names, self._fresh, open_in(args))
        return t.Given(use.span, tuple(values), tuple(inner))

    def _closed(self, group: t.Group, lines: Sequence[t.Clause], own: set[str]) -> None:
        """Check that a group reads no name of the action that uses it, which it could not mean."""
        params = {p.name for p in group.params}
        for line in lines:
            for name in open_names(line.body):
                if name.name in own and name.name not in params:
                    message = f"`{group.name.text}` has no value `{name.name}`"
                    advice = f"add `{name.name}` to its brackets, and give it a value where it is used"
                    fault = Diagnostic("N001", message, name.span, advice)
                    if fault not in self.faults:
                        self.faults.append(fault)


def _how(kind: t.GroupKind, name: str) -> str:
    """Return how to write a group of this name."""
    return f"write `{kind} {name}(...)` with its lines, at the left edge"


def _uses(effects: Any) -> Iterator[t.Use]:
    for effect in effects:
        if isinstance(effect, t.Use):
            yield effect
        elif isinstance(effect, t.NestingEffect):
            yield from _uses(effect.effects)
            if isinstance(effect, t.When) and effect.otherwise is not None:
                yield from _uses(effect.otherwise.effects)
