"""Check and type actions and the payout.

Input: an action of a resolved text. Output: its IR: the parameters, conditions and effects of the text among those that
the trace contract sets for every game.
Guarantee: conditions are in the order in which replay checks them.

    action put by p               conditions: open (implicit), has (of the text)
      has: tile in p's hand       effects:    a move
      then move tile from ...
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import assert_never

from golpae.diagnostics import Span, near
from golpae.elaborate.declare import notes_of, texts
from golpae.elaborate.lifecycle import (
    KEYS,
    MAY_BE_LEFT_OUT,
    conditions_after,
    conditions_before,
    lifecycle_params,
)
from golpae.elaborate.typecheck.dealing import HANDS, numbers_dealt, tiles_on_the_table, to_zones
from golpae.elaborate.typecheck.effects import check_effects, zone_value
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.messages import check_message
from golpae.elaborate.typecheck.parameters import names_of, ranges, typed_parameters
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.swallowed import swallowed
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir import expr as ir
from golpae.ir.dependencies import read_by
from golpae.ir.facts import locations_of
from golpae.ir.lifecycle import ACTION_KINDS, ActionKind
from golpae.ir.ruleset import (
    DEALT_PLAYER,
    Action,
    Condition,
    Dealing,
    EffectClause,
    ParamDecl,
    without_words,
)
from golpae.ir.scoring import every_meld, is_as_labelled
from golpae.ir.traverse import exprs_in, flat, names_in
from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    SEAT,
    SEATS,
    TILE,
    TILES,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.syntax import tree as t
from golpae.syntax.traverse import leaves

PAYMENTS = (t.Pays, t.Scores)


def check_action(checker: Checker, node: t.Action) -> Action:
    """Return the typed action, and enter what a property may read right after it."""
    symbols = checker.symbols
    left_out = tuple(p.name for p in node.params if _may_be_left_out(node, p))
    node = replace(node, params=tuple(p for p in node.params if not _may_be_left_out(node, p)))
    own = tuple(_bounded(checker, node, typed_parameters(symbols, node.params)))
    _check_parameter_names(symbols, node, own)
    scope = replace(_parameter_scope(node, own), swallowed=swallowed(node.params))
    clause_names = (c.name for c in node.clauses if c.name.text != "then")
    symbols.once_each(clause_names, f"`{node.name.text}` has two clauses", "rename one of them")
    _check_told(checker, node, own)
    table = to_zones(checker, node, scope)
    conditions, dealing, hands_ids, scope = _conditions(
        checker, node, scope, {to.clause.name.text for to in table}
    )
    if dealing is not None:
        dealing = replace(dealing, table=tuple(to.dealt for to in table))
    if node.kind == "deal":  # which happens before its effects
        of_hand = (var.name for var in symbols.vars.values() if var.scope == "hand")
        scope = scope.after_change((*symbols.zones, *of_hand, "winner", "over"))
        _require_hands(symbols, node)
    effects: list[EffectClause] = [to.effects for to in table]
    closes = node.kind in ("end", "finish") and any(isinstance(e, PAYMENTS) for e in _leaves_of(node))
    first, scope = _ensured(checker, node, scope, None, first=True)
    written, scope = _effects(checker, node, scope, own if closes else None)
    effects += [*first, *written]
    effects += _ensured(checker, node, scope, own if closes else None)[0]
    # a state that is not none in one hand may be none in the next
    symbols.scopes_after[node.name.text] = (
        scope if node.kind == "action" else Scope(scope.locals, lists=scope.lists)
    )
    own_kind: ActionKind = "before" if node.before_deal else "play"
    if node.kind != "action" or node.before_deal:
        symbols.uncounted.add(node.name.text)
    return Action(
        ACTION_KINDS.get(node.kind, own_kind),
        node.name.text,
        (*lifecycle_params(node.kind, left_out), *own, *(to.param for to in table)),
        None if node.by is None else node.by.text,
        node.title,
        (
            *conditions_before(node.kind),
            *_of_each_key(own, texts(node.ids)),
            *(to.condition for to in table),
            *conditions,
            *conditions_after(node.kind, hands_ids or texts(node.ids)),
            *_in_play((*own, *(to.param for to in table)), conditions),
            *_as_labelled(symbols, own, conditions),
        ),
        tuple(effects),
        texts(node.ids),
        dealing,
        None if node.told is None else node.told.text,
        notes_of(node.notes),
    )


def _effects(
    checker: Checker, node: t.Action, scope: Scope, own: tuple[ParamDecl, ...] | None
) -> tuple[list[EffectClause], Scope]:
    """Return the typed effects of an action and the scope behind them; `own` are the parameters if it may pay out."""
    symbols = checker.symbols
    effects = []
    for clause in node.clauses:
        _not_else(symbols, clause.name)
        if isinstance(clause.body, t.Effects):
            _refuse_out_of_hand(symbols, node, clause.body)
            checked, scope = check_effects(checker, clause.body.effects, scope)
            _no_hidden_place(symbols, exprs_in(checked), clause.body.span)
            if own is not None:
                _no_key_paid(symbols, node, own, checked, clause.body.span)
            effects.append(EffectClause(clause.name.text, checked, texts(clause.ids) or texts(node.ids)))
    return effects, scope


def _refuse_out_of_hand(symbols: SymbolTable, node: t.Action, body: t.Effects) -> None:
    """Refuse a win or a payment in an action that happens while no hand is being played."""
    for effect in leaves(body.effects):
        if isinstance(effect, t.Wins) and (node.before_deal or node.kind in ("end", "finish")):
            message = f"nobody can win in `{node.name.text}`: no hand is being played"
            symbols.fault("R005", message, effect.span, "write it in the action that decides the hand")
        if isinstance(effect, PAYMENTS) and node.kind == "action":
            message = f"`{node.name.text}` cannot hold a payment"
            advice = "pay it in `deal` or in an action of the hand: no hand is being played here"
            symbols.fault("R005", message, effect.span, advice)


def _require_hands(symbols: SymbolTable, node: t.Action) -> None:
    """Refuse a deal that does not say how many tiles each hand gets."""
    if not any(isinstance(c.body, t.Hands) or c.name.text in HANDS for c in node.clauses):
        advice = "write `hands: 6 for first, 5 for the others` under it"
        symbols.fault("G004", "`deal` does not say how many tiles each hand gets", node.name.span, advice)


def _leaves_of(node: t.Action) -> Iterator[t.Effect]:
    return (e for c in node.clauses if isinstance(c.body, t.Effects) for e in leaves(c.body.effects))


def _no_key_paid(
    symbols: SymbolTable,
    node: t.Action,
    own: Iterable[ParamDecl],
    effects: Iterable[ir.Effect],
    span: Span,
) -> None:
    """Record a fault if effects among which are payments read a key: what is paid has to follow from the state."""
    keys = {name for param in (*lifecycle_params(node.kind), *own) for name in (param.name, *param.parts)}
    read = next(
        (name for expr in exprs_in([*flat(effects)]) for name in names_in(expr) if name in keys), None
    )
    if read is not None:
        message = f"`{node.name.text}` pays, so what it does and asks afterwards cannot read the key `{read}`"
        advice = "ask for it in a condition, or pay in an action of the hand; what is paid here follows from the state"
        symbols.fault("R005", message, span, advice)


def check_payout(checker: Checker, node: t.Action) -> list[EffectClause]:
    """Return the typed payments. Anything else in `payout` is a fault."""
    out = []
    for clause in node.clauses:
        other_spans = [clause.body.span]
        if isinstance(clause.body, t.Effects):
            _not_else(checker.symbols, clause.name)
            other_spans = [e.span for e in leaves(clause.body.effects) if not isinstance(e, PAYMENTS)]
            checked, _ = check_effects(checker, clause.body.effects, Scope({}))
            _no_hidden_place(checker.symbols, exprs_in(checked), clause.body.span)
            out.append(EffectClause(clause.name.text, checked, texts(clause.ids) or texts(node.ids)))
        for span in other_spans:
            advice = "write `when ...: p pays q 1`, or `p scores 1`"
            checker.symbols.fault("R005", "`payout` holds payments only, and this is not one", span, advice)
    return out


def _not_else(symbols: SymbolTable, name: t.Word) -> None:
    """Record a fault if a clause is called `else`: whoever writes so means the other case of a `when`."""
    if name.text == "else":
        advice = "write `else: ...` under its `when`, without `then`; or give the clause another name"
        symbols.fault("S001", "no `when` belongs to this `else`", name.span, advice)


# ---------------------------------------------------------------- parameters


def _may_be_left_out(node: t.Action, param: t.Param) -> bool:
    """Return whether a parameter says that traces may leave out a key of every game."""
    of_every_game = param.name in MAY_BE_LEFT_OUT.get(node.kind, ())
    return of_every_game and param.optional and param.type is None and param.parts is None


def _check_parameter_names(symbols: SymbolTable, node: t.Action, own: tuple[ParamDecl, ...]) -> None:
    """Check that no parameter has the name of another key of the action's events."""
    symbols.refuse_hiding(() if node.by is None else (node.by,))
    symbols.refuse_hiding(word for written in node.params for word in names_of(written))
    reserved = {*KEYS, *(p.name for p in lifecycle_params(node.kind))}
    for param, written in zip(own, node.params, strict=True):
        if param.name in reserved:
            message = f"every `{node.kind}` already has a `{param.name}`"
            advice = "choose another name"
            if param.name in MAY_BE_LEFT_OUT.get(node.kind, ()):
                advice = f"write `optional {param.name}`, without a kind, if traces may leave it out"
            symbols.fault("N002", message, names_of(written)[0].span, advice)
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


def _check_told(checker: Checker, node: t.Action, own: tuple[ParamDecl, ...]) -> None:
    """Check that the words of an event name its own keys."""
    names = [param.name for param in own]
    told = "" if node.told is None else node.told.text
    for hole in re.findall(r"\{(.*?)\}", told):
        if node.told is not None and hole not in names:
            advice = near(hole, names) or "in `{ }` stands a key of the event"
            checker.symbols.fault("N001", f"`{node.name.text}` has no key `{hole}`", node.told.span, advice)


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
    scope = scope.with_local("first", SEAT) if node.kind == "deal" else scope
    return replace(
        scope,
        keys=frozenset(param.name for param in own if not param.parts),
        lists={param.name: param.parts for param in own if param.parts},
    )


def _bounded(checker: Checker, node: t.Action, own: tuple[ParamDecl, ...]) -> Iterator[ParamDecl]:
    """Return the parameters, those that are numbers between two bounds with these."""
    for param, between in zip(own, ranges(checker.symbols, node.params), strict=True):
        if between is None:
            yield param
        else:
            low, high = (checker.expect(end, INT, Scope({})) for end in (between.low, between.high))
            yield replace(param, low=low, high=high)


def _of_each_key(own: tuple[ParamDecl, ...], ids: tuple[str, ...]) -> Iterator[Condition]:
    """Return the conditions on single parameters, which are named after them: key by key.

    A list `{a, b}` has as many tiles as names; a number lies between its bounds; `each player's` holds one value for
    each of them.
    """
    for param in own:
        kind = param.type.item if isinstance(param.type, Opt) else param.type
        if param.parts:
            size = ir.Op("size", (ir.Local(param.name, TILES),), INT)
            expr: ir.Expr = ir.Op("eq", (size, ir.Const(len(param.parts), INT)), BOOL)
            message = f"`{param.name}` must have {len(param.parts)} tiles"
            yield Condition(param.name, expr, (message,), ids)
        elif isinstance(kind, Each):
            players = ir.Builtin("players", None, SEATS)
            size = ir.Op("size", (ir.Local(param.name, kind),), INT)
            expr = ir.Op("eq", (size, ir.Op("size", (players,), INT)), BOOL)
            words: tuple[str | ir.Expr, ...] = (f"`{param.name}` must have one value for each player",)
            if param.low is not None and param.high is not None:
                value = ir.OwnValue(ir.Local(param.name, kind), ir.Local("It", SEAT), kind.item)
                each = ir.Quant("every", ("It",), players, _between(value, param.low, param.high), BOOL)
                expr = ir.Op("and", (expr, each), BOOL)
                words = (*words, ", each a number from ", param.low, " to ", param.high)
            yield Condition(param.name, _if_given(param, expr), words, ids if param.low is not None else ())
        elif param.low is not None and param.high is not None:
            inside = _between(ir.Local(param.name, INT), param.low, param.high)
            words = (f"`{param.name}` must be a number from ", param.low, " to ", param.high)
            yield Condition(param.name, _if_given(param, inside), words, ids)


def _between(value: ir.Expr, low: ir.Expr, high: ir.Expr) -> ir.Expr:
    """Return the condition that a number lies between two bounds."""
    inside = (ir.Op("le", (low, value), BOOL), ir.Op("le", (value, high), BOOL))
    return ir.Op("and", inside, BOOL)


def _in_play(own: tuple[ParamDecl, ...], conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Return a condition `set` for each parameter of tiles: as many are in play as it names.

    There is none if a condition of the text says in which zone the tiles lie.
    """
    located = [_names(at.what) for c in conditions for at in locations_of(c.expr)]
    for param in own:
        bare = param.type.item if isinstance(param.type, Opt) else param.type
        value: ir.Expr = ir.Local(param.name, bare)
        if param.parts:
            value = ir.BagOf(tuple(ir.Local(part, TILE) for part in param.parts), TILES)
        if any(_names(value) <= names for names in located):
            continue
        if bare == TILE:
            expr: ir.Expr = ir.Op("member", (value, ir.Builtin("kinds", None, TILES)), BOOL)
        else:
            together = _tiles_named(value, bare)
            if together is None:
                continue
            expr = ir.Op("within", (together, ir.Builtin("tiles", None, TILES)), BOOL)
        message = f"`{param.name}` names more tiles of a kind than are in play"
        yield Condition("set", _if_given(param, expr), (message,), ())


def _as_labelled(
    symbols: SymbolTable, own: tuple[ParamDecl, ...], conditions: Iterable[Condition]
) -> Iterator[Condition]:
    """Return a condition `label` for each parameter of melds: they lie on the table, or are what their labels say.

    There is none if a condition of the text says in which zone the melds lie.
    """
    located = [_names(at.what) for c in conditions for at in locations_of(c.expr)]
    for param in own:
        bare = param.type.item if isinstance(param.type, Opt) else param.type
        value = ir.Local(param.name, bare)
        expr = every_meld(value, bare, partial(_may_be, symbols))
        if expr is None or any(_names(value) <= names for names in located):
            continue
        message: tuple[str | ir.Expr, ...] = (f"`{param.name}` names a meld that is not what its label says",)
        if bare == MELD:
            message = (f"`{param.name}` names ", value, ", which is not what its label says")
        yield Condition("label", _if_given(param, expr), message, ())


def _may_be(symbols: SymbolTable, meld: ir.Expr) -> ir.Expr:
    """Return the condition that a meld lies on the table, or is what its label says."""
    may_be = is_as_labelled(meld, symbols.shapes)
    for zone in symbols.zones.values():
        if zone.kind != "melds":
            continue
        seat = ir.Local("Holder", SEAT) if zone.each_player else None  # which no text can write
        lies: ir.Expr = ir.Op("member", (meld, ir.ZoneRead(zone.name, seat, Bag(MELD))), BOOL)
        if seat is not None:
            players = ir.Builtin("players", None, SEATS)
            lies = ir.Quant("some", (seat.name,), players, lies, BOOL)
        may_be = ir.Op("or", (may_be, lies), BOOL)
    return may_be


def _tiles_named(value: ir.Expr, kind: Type, depth: int = 0) -> ir.Expr | None:
    """Return all tiles that a value of a key names, or None if it is of a kind that names none."""
    if kind == TILE:
        return ir.BagOf((value,), TILES)
    if kind in (TILES, MELD):
        return value
    name = f"It{depth or ''}"  # which no text can write
    match kind:
        case Bag(item):
            inner = _tiles_named(ir.Local(name, item), item, depth + 1)
            return None if inner is None else ir.Fold("gather", (name,), value, inner, None, TILES)
        case Each(item):
            inner = _tiles_named(ir.OwnValue(value, ir.Local(name, SEAT), item), item, depth + 1)
            players = ir.Builtin("players", None, SEATS)
            return None if inner is None else ir.Fold("gather", (name,), players, inner, None, TILES)
        case Opt(item):
            inner = _tiles_named(replace(value, type=item), item, depth)
            nothing = ir.BagOf((), TILES)
            given = ir.Op("is_none", (value,), BOOL)
            return None if inner is None else ir.If(given, nothing, inner, TILES)
        case Tile() | Meld() | Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
            return None
        case _:
            assert_never(kind)


def _names(value: ir.Expr) -> frozenset[str]:
    """Return the name that a value is, or the names that a bag lists."""
    items = value.items if isinstance(value, ir.BagOf) else (value,)
    return frozenset(item.name for item in items if isinstance(item, ir.Local))


def _if_given(param: ParamDecl, expr: ir.Expr) -> ir.Expr:
    """Return a condition on a parameter that holds as well if the event leaves the parameter out."""
    if not isinstance(param.type, Opt):
        return expr
    none = ir.Op("is_none", (ir.Local(param.name, param.type),), BOOL)
    return ir.Op("or", (none, expr), BOOL)


# ---------------------------------------------------------------- clauses


def _conditions(
    checker: Checker, node: t.Action, scope: Scope, table: Collection[str]
) -> tuple[list[Condition], Dealing | None, tuple[str, ...], Scope]:
    """Return the conditions of the text; what is dealt and the rules for that; the scope if all conditions are true.

    The clauses `table` say how many tiles other zones get.
    """
    symbols = checker.symbols
    conditions: list[Condition] = []
    dealing: Dealing | None = None
    hands_ids: tuple[str, ...] = ()
    first_hands: Span | None = None
    numbers = numbers_dealt(checker, node, scope, table)
    for clause in node.clauses:
        ids = texts(clause.ids) or texts(node.ids)
        name, body = clause.name.text, clause.body
        match body:
            case t.Condition():
                if clause in numbers or name in table or body.afterwards:
                    continue
                expr, scope, when_false = checker.condition(body.expr, scope)
                _no_hidden_place(symbols, (expr,), body.expr.span)
                # the message is shown if the condition is false
                message = check_message(checker, body, when_false) or (without_words(name),)
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
                    advice = f"keep one of the two; {tiles_on_the_table(checker, node, clause)}"
                    symbols.twice(twice, clause.name.span, advice, first_hands)
                first_hands = clause.name.span
            case t.Effects() | t.Parts() | t.Names() | t.Requires():
                pass
            case _:
                assert_never(body)
    return conditions, dealing, hands_ids, scope


def _ensured(
    checker: Checker, node: t.Action, scope: Scope, unread: Iterable[ParamDecl] | None, first: bool = False
) -> tuple[list[EffectClause], Scope]:
    """Return the conditions that are asked when all effects have happened, or `first`, before them, and the scope then.

    Keys that are `unread` cannot be in them.
    """
    out: list[EffectClause] = []
    for clause in node.clauses:
        body = clause.body
        if not isinstance(body, t.Condition) or not body.afterwards or body.first is not first:
            continue
        test, scope, when_false = checker.condition(body.expr, scope)
        words = check_message(checker, body, when_false) or (without_words(clause.name.text),)
        said, values = [""], []
        for part in words:
            if isinstance(part, str):
                said[-1] += part
            else:
                values.append(part)
                said.append("")
        ensure = ir.Ensure(test, tuple(said), tuple(values))
        _no_hidden_place(checker.symbols, (test, *values), body.span)
        if unread is not None:
            _no_key_paid(checker.symbols, node, unread, (ensure,), body.span)
        out.append(EffectClause(clause.name.text, (ensure,), texts(clause.ids) or texts(node.ids)))
    return out, scope


def _dealing(checker: Checker, node: t.Action, body: t.Hands, scope: Scope) -> Dealing | None:
    assert node.zone is not None
    scope = scope.with_local(DEALT_PLAYER, SEAT)
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
    """Check that an action reads no place of a row whose order may be hidden, itself or through definitions and
    scores.

    For replay that place is none, so a trace that leaves the order out would mean another game. Properties may read
    it.
    """
    for expr in exprs:
        for node in symbols.dependencies.nodes([expr]):
            read = read_by(node)
            if isinstance(node, ir.FitsPlace):
                continue  # the number of the place may be asked as well as an end
            if read is not None and read.part == "places" and symbols.zones[read.name].seen_by != "everyone":
                message = f"the order of `{read.name}` may be hidden"
                advice = "check if a tile can be there: `t fits front of ...`, `t fits z at 2`; a property may read it"
                symbols.fault("T006", message, span, advice)
                return
