"""Check and type actions and the payout.

Input: an action of a resolved text. Output: its IR: the parameters, conditions and effects of the text among those that
the trace contract sets for every game.
Guarantee: conditions are in the order in which replay checks them.

    action put by p               conditions: open (implicit), has (of the text)
      has: tile in p's hand       effects:    a move
      then move tile from ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from golpae.diagnostics import Span
from golpae.elaborate.declare import texts
from golpae.elaborate.lifecycle import KEYS, conditions_after, conditions_before, lifecycle_params
from golpae.elaborate.typecheck.effects import check_effects, zone_value
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.messages import check_message
from golpae.elaborate.typecheck.parameters import names_of, typed_parameters
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through, read_by
from golpae.ir.lifecycle import ACTION_KINDS, ActionKind
from golpae.ir.ruleset import Action, Condition, Dealing, EffectClause, ParamDecl
from golpae.ir.traverse import exprs_in
from golpae.ir.types import BOOL, INT, SEAT, TILE, TILES, Each, Opt
from golpae.syntax import tree as t

PAYMENTS = (t.Pays, t.Scores)


def check_action(checker: Checker, node: t.Action) -> Action:
    """Return the typed action, and enter what a property may read right after it."""
    symbols = checker.symbols
    own = typed_parameters(symbols, node.params)
    _check_parameter_names(symbols, node, own)
    scope = _parameter_scope(node, own)
    clause_names = (c.name for c in node.clauses if c.name.text != "then")
    symbols.once_each(clause_names, f"`{node.name.text}` has two clauses", "rename one of them")
    conditions, dealing, hands_ids, scope = _conditions(checker, node, scope)
    effects: list[EffectClause] = []
    for clause in node.clauses:
        if isinstance(clause.body, t.Effects):
            for effect in _leaves(clause.body.effects):
                if isinstance(effect, PAYMENTS):
                    message = f"`{node.name.text}` cannot hold a payment"
                    symbols.fault("R005", message, effect.span, "move it to `payout`")
            checked, scope = check_effects(checker, clause.body.effects, scope)
            _no_hidden_place(symbols, exprs_in(checked), clause.body.span)
            effects.append(EffectClause(clause.name.text, checked, texts(clause.ids) or texts(node.ids)))
    if node.kind == "deal" and not any(isinstance(c.body, t.Hands) for c in node.clauses):
        advice = "write `hands: 6 for first, 5 for the others` under it"
        symbols.fault("G004", "`deal` does not say how many tiles each hand gets", node.name.span, advice)
    # a state that is not none in one hand may be none in the next
    symbols.scopes_after[node.name.text] = scope if node.kind == "action" else Scope(scope.locals)
    own_kind: ActionKind = "before" if node.before_deal else "play"
    return Action(
        ACTION_KINDS.get(node.kind, own_kind),
        node.name.text,
        lifecycle_params(node.kind) + own,
        None if node.by is None else node.by.text,
        node.title,
        (
            *conditions_before(node.kind),
            *_number_of_tiles(node, own),
            *_within_bounds(checker, node),
            *conditions,
            *conditions_after(node.kind, hands_ids or texts(node.ids)),
        ),
        tuple(effects),
        texts(node.ids),
        dealing,
    )


def check_payout(checker: Checker, node: t.Action) -> list[EffectClause]:
    """Return the typed payments. Anything else in `payout` is a fault."""
    out = []
    for clause in node.clauses:
        other_spans = [clause.body.span]
        if isinstance(clause.body, t.Effects):
            other_spans = [e.span for e in _leaves(clause.body.effects) if not isinstance(e, PAYMENTS)]
            checked, _ = check_effects(checker, clause.body.effects, Scope({}))
            _no_hidden_place(checker.symbols, exprs_in(checked), clause.body.span)
            out.append(EffectClause(clause.name.text, checked, texts(clause.ids) or texts(node.ids)))
        for span in other_spans:
            advice = "write `when ...: p pays q 1`, or `p scores 1`"
            checker.symbols.fault("R005", "`payout` holds payments only, and this is not one", span, advice)
    return out


# ---------------------------------------------------------------- parameters


def _check_parameter_names(symbols: SymbolTable, node: t.Action, own: tuple[ParamDecl, ...]) -> None:
    """Check that no parameter has the name of another key of the action's events."""
    reserved = {*KEYS, *(p.name for p in lifecycle_params(node.kind))}
    for param, written in zip(own, node.params, strict=True):
        if param.name in reserved:
            message = f"every `{node.kind}` already has a `{param.name}`"
            symbols.fault("N002", message, names_of(written)[0].span, "choose another name")
        for word in names_of(written):
            name, span = word.text, word.span
            if node.by is not None and name == node.by.text:
                message = f"`{name}` is already the player who acts"
                symbols.twice(message, span, "choose another name", node.by.span, "here")
            if isinstance(param.type, Each) and (name in symbols.vars or name in symbols.zones):
                message = (
                    f"`p's {name}` has two meanings: what each player has, and a value of `{node.name.text}`"
                )
                symbols.fault("N002", message, span, "choose another name")


def _parameter_scope(node: t.Action, own: tuple[ParamDecl, ...]) -> Scope:
    """Return the scope of the action's clauses: who acts, and what an event gives."""
    scope = Scope({})
    if node.by is not None:
        scope = scope.with_local(node.by.text, SEAT)
    for param in own:
        if not param.parts:
            scope = scope.with_local(param.name, param.type)
        for part in param.parts:
            scope = scope.with_local(part, TILE)
    return scope.with_local("first", SEAT) if node.kind == "deal" else scope


def _number_of_tiles(node: t.Action, own: tuple[ParamDecl, ...]) -> Iterator[Condition]:
    """Return a condition for each parameter written `{a, b}`: it has as many tiles as there are names."""
    for param in own:
        if param.parts:
            size = ir.Op("size", (ir.Local(param.name, TILES),), INT)
            expr = ir.Op("eq", (size, ir.Const(len(param.parts), INT)), BOOL)
            message = f"`{param.name}` must have {len(param.parts)} tiles"
            yield Condition(param.name, expr, (message,), texts(node.ids))


def _within_bounds(checker: Checker, node: t.Action) -> Iterator[Condition]:
    """Return a condition, named after it, for each parameter that is a number between two bounds."""
    for param in node.params:
        kind = param.type.item if isinstance(param.type, t.TypeOrNone) else param.type
        if isinstance(kind, t.TypeRange):
            low, high = (checker.expect(end, INT, Scope({})) for end in (kind.low, kind.high))
            value = ir.Local(param.name, INT)
            inside = (ir.Op("le", (low, value), BOOL), ir.Op("le", (value, high), BOOL))
            expr: ir.Expr = ir.Op("and", inside, BOOL)
            if param.optional or isinstance(param.type, t.TypeOrNone):
                none = ir.Op("is_none", (ir.Local(param.name, Opt(INT)),), BOOL)
                expr = ir.Op("or", (none, expr), BOOL)
            message: tuple[str | ir.Expr, ...] = (f"`{param.name}` must be a number from ", low, " to ", high)
            yield Condition(param.name, expr, message, texts(node.ids))


# ---------------------------------------------------------------- clauses


def _conditions(
    checker: Checker, node: t.Action, scope: Scope
) -> tuple[list[Condition], Dealing | None, tuple[str, ...], Scope]:
    """Return the conditions of the text; what is dealt and the rules for that; the scope if all conditions are true."""
    symbols = checker.symbols
    conditions: list[Condition] = []
    dealing: Dealing | None = None
    hands_ids: tuple[str, ...] = ()
    first_hands: Span | None = None
    for clause in node.clauses:
        ids = texts(clause.ids) or texts(node.ids)
        name, body = clause.name.text, clause.body
        match body:
            case t.Condition():
                expr, scope, when_false = checker.condition(body.expr, scope)
                _no_hidden_place(symbols, (expr,), body.expr.span)
                # the message is shown if the condition is false
                message = check_message(checker, body, when_false) or (f"`{name}` does not hold",)
                conditions.append(Condition(name, expr, message, ids))
            case t.Hands():
                if node.kind != "deal":
                    advice = "write a condition, or `then move ... to p's hand`"
                    symbols.fault("R005", "only `deal` hands out tiles", body.span, advice)
                    continue
                dealing = _dealing(checker, node, body, scope)
                hands_ids = ids
                if first_hands is not None:
                    twice = "`deal` has two lines for the number of tiles in each hand"
                    symbols.twice(twice, clause.name.span, "keep one of the two", first_hands)
                first_hands = clause.name.span
            case t.Effects() | t.Parts() | t.Names():
                pass
            case _:
                assert_never(body)
    return conditions, dealing, hands_ids, scope


def _dealing(checker: Checker, node: t.Action, body: t.Hands, scope: Scope) -> Dealing | None:
    assert node.zone is not None
    first, others = (checker.expect(size, INT, scope) for size in (body.first, body.others))
    if zone_value(checker, node.zone.text, node.zone.span) is None:
        return None
    hand = checker.symbols.zones.get("hand")
    if hand is None or not hand.each_player or hand.kind != "tiles":
        checker.symbols.fault(
            "G004",
            "there is no zone to deal hands into",
            body.span,
            "write `each player's hand: tiles seen by its owner` under `zones`",
        )
        return None
    return Dealing(node.zone.text, "hand", first, others)


def _no_hidden_place(symbols: SymbolTable, exprs: Iterable[ir.Expr], span: Span) -> None:
    """Check that an action reads no place of a row whose order may be hidden, itself or through definitions.

    For replay that place is none, so a trace that leaves the order out would mean another game. Properties may read
    it.
    """
    for expr in exprs:
        for node in nodes_through(expr, symbols.definitions):
            read = read_by(node)
            if read is not None and read.part == "places" and symbols.zones[read.name].seen_by != "everyone":
                message = f"the order of `{read.name}` may be hidden"
                advice = "check whether a tile can be at an end: `t fits front of ...`; a property may read every place"
                symbols.fault("T006", message, span, advice)
                return


def _leaves(effects: Iterable[t.Effect]) -> Iterator[t.Effect]:
    """Return the effects that contain no effects, also those inside `when` and `for each`."""
    for effect in effects:
        if isinstance(effect, t.When | t.ForEach):
            yield from _leaves(effect.effects)
        else:
            yield effect
