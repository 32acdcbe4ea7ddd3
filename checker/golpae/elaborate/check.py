"""The whole of a resolved text, checked and typed.

In: a `Resolved` text. Out: a `RuleSet`. Raises `SpecError` with every fault found, in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, near, quoted
from golpae.elaborate.cycles import refuse_circles
from golpae.elaborate.dead_actions import never_happens
from golpae.elaborate.declare import declare, tile_set
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import Resolved, resolve, split
from golpae.elaborate.typecheck.effects import check_effects, zone_value
from golpae.elaborate.typecheck.expressions import Checker, named
from golpae.elaborate.typecheck.messages import check_message
from golpae.elaborate.typecheck.scope import Scope, SymbolTable
from golpae.elaborate.typecheck.scoring import check_arrangement, check_score, check_shape
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.lifecycle import ACTION_KINDS, ActionKind
from golpae.ir.ruleset import (
    PROPERTY_KINDS,
    Action,
    Condition,
    Dealing,
    Definition,
    EffectClause,
    OptionDecl,
    ParamDecl,
    PropertyDecl,
    RuleSet,
    SourceRule,
    SwitchDecl,
    VarDecl,
)
from golpae.ir.traverse import exprs_in
from golpae.ir.types import BOOL, INT, SEAT, TILES, Bag, Bool, Choice, Each, Int, Opt, Type
from golpae.syntax import tree as t
from golpae.syntax.citations import anchors

REQUIRED = {
    "players": "write `players 2 to 4`",
    "tiles": "write `tiles`, and under it lines such as `low: two of each 1-1 2-1`",
    "zones": "write `zones`, and under it lines such as `pool: row seen by nobody, holds the set`",
    "deal": "write `deal from pool`, and under it `hands: 6 for first, 5 for the others`",
    "end": "write `end`, and under it when the hand is over: `due: over`",
}
KEYS = ("do", "by", "note", "time")  # of every event of a trace
PAYMENTS = (t.Pays, t.Scores)
# The trace's own keys: what `deal`, `end` and `finish` hold in every game.
LIFECYCLE_PARAMS: dict[str, tuple[ParamDecl, ...]] = {
    "deal": (
        ParamDecl("first", SEAT),
        ParamDecl("hands", Bag(TILES)),
        ParamDecl("reserve", Opt(TILES), optional=True),
    ),
    "end": (ParamDecl("winner", Opt(SEAT)), ParamDecl("pay", Bag(INT))),
    "finish": (ParamDecl("totals", Bag(INT)), ParamDecl("winners", Bag(SEAT))),
}
# Conditions that the trace contract sets for every game: name and what is said, first and last to be asked.
IMPLICIT_BEFORE: dict[str, tuple[tuple[ir.ImplicitKind, str], ...]] = {
    "action": (("open", "{by} cannot act here"),),
    "deal": (("open", "no hand can be dealt here"),),
    "end": (("open", "there is no hand to end"),),
    "finish": (("open", "the match cannot finish here"),),
}
IMPLICIT_AFTER: dict[str, tuple[tuple[ir.ImplicitKind, str], ...]] = {
    "deal": (
        ("hands", "the hands dealt are of the wrong size"),
        ("set", "more tiles were dealt than the set has"),
        ("rest", "`reserve` is not the rest of the set"),
    ),
    "end": (("winner", "the winner is another"), ("pay", "the payments are others")),
    "finish": (("totals", "the totals are others"), ("winners", "the winners are others")),
}


def elaborate(rules: str, spec_path: Sequence[Path] = ()) -> RuleSet:
    """The rule set `base+switch+...`. Raises `SpecError`."""
    base, _ = split(rules)
    try:
        return check(resolve(rules, load(base, spec_path)))
    except SpecError as fault:
        raise SpecError(_together(fault.diagnostics)) from None


def check_text(loaded: Loaded) -> list[Diagnostic]:
    """Every fault of a text, in reading order: of its base rules, and of each of its switches by itself."""
    base = loaded.game.name.text
    found = _faults(base, loaded)
    for variant in (d for d in loaded.decls if isinstance(d, t.Variant)):
        for diagnostic in _faults(f"{base}+{variant.name.text}", loaded):
            if diagnostic not in found:
                found.append(_with_switch(diagnostic, variant))
    return _together(found)


def _faults(rules: str, loaded: Loaded) -> list[Diagnostic]:
    """The faults of one rule set: of its deltas, and of what the text is without the faulty ones."""
    found: list[Diagnostic] = []
    try:
        check(resolve(rules, loaded, found))
    except SpecError as fault:
        found.extend(fault.diagnostics)
    return found


def _with_switch(diagnostic: Diagnostic, variant: t.Variant) -> Diagnostic:
    """A fault that only this switch brings. Where it lies outside the switch, the switch is pointed to."""
    span, own = diagnostic.span, variant.span
    if span is None or (span.text == own.text and own.start <= span.start < own.end):
        return diagnostic
    label = Label(variant.name.span, f"only with `{variant.name.text}` on")
    return replace(diagnostic, labels=(*diagnostic.labels, label))


def check(resolved: Resolved) -> RuleSet:
    """A resolved text, typed. Raises `SpecError`."""
    try:
        return _check(resolved)
    except RecursionError:
        message = f"`{resolved.game.name.text}` is nested too deep"
        advice = "shorten its longest lines, and write definitions above those that use them"
        raise SpecError([Diagnostic("S006", message, resolved.game.name.span, advice)]) from None


def _check(resolved: Resolved) -> RuleSet:
    symbols = SymbolTable()
    declare(symbols, resolved.decls)
    checker = Checker(symbols)
    _check_ids(symbols, resolved)
    options = tuple(_option(checker, d) for d in resolved.decls if isinstance(d, t.Option))
    tiles = tile_set(checker, next((d for d in resolved.decls if isinstance(d, t.Tiles)), None), options)
    players = next((d for d in resolved.decls if isinstance(d, t.Players)), None)
    empty = Scope({})
    low: ir.Expr = ir.Const(2, INT)
    high = low
    if players is not None:
        low = _int(checker, players.low, empty)
        high = _int(checker, players.high, empty)
    vars_ = _vars(checker, resolved)
    for name in symbols.defines:
        checker.definition(name)
    vars_ = _states_in_order(vars_, symbols.definitions)
    nodes = [d for d in resolved.decls if isinstance(d, t.Action)]
    actions = [_action(checker, node) for node in nodes if node.kind != "payout"]
    payout = [c for node in nodes if node.kind == "payout" for c in _payout(checker, node)]
    actions = [_citing(action, payout) for action in actions]
    present = {node.kind for node in nodes}
    if "finish" not in present:
        actions.append(_bare_finish())
    shapes = tuple(check_shape(checker, d) for d in symbols.shapes.values())
    arrangements = tuple(check_arrangement(checker, d) for d in symbols.arrangements.values())
    scores = tuple(check_score(checker, d) for d in symbols.scores.values())
    refuse_circles(symbols, shapes, arrangements, scores, vars_)
    properties = tuple(_property(checker, d) for d in resolved.decls if isinstance(d, t.Property))
    names = (d.name for d in resolved.decls if isinstance(d, t.Property))
    symbols.once_each(names, "there are two properties", "give one another name")
    _require(symbols, resolved, present)
    if not _faulty_effects(symbols, nodes):
        _unset(symbols, vars_, actions)
        for action, node in zip(actions, (n for n in nodes if n.kind != "payout"), strict=False):
            for name, value, span in never_happens(action, actions, vars_, node):
                message = f"`{action.name}` can never happen: nothing sets `{name}` to `{value}`"
                advice = f"write `then {name} := {value}` in the action before it"
                symbols.fault("G003", message, span, advice)
    if symbols.diagnostics:
        raise SpecError(_in_order(symbols.diagnostics))
    rule_set = RuleSet(
        rules=resolved.rules,
        game=resolved.game.name.text,
        title=resolved.game.title,
        ids=_texts(resolved.game.ids),
        low=low,
        high=high,
        options=options,
        tiles=tiles,
        zones=tuple(symbols.zones.values()),
        vars=vars_,
        definitions=tuple(symbols.definitions.values()),
        shapes=shapes,
        arrangements=arrangements,
        scores=scores,
        actions=tuple(actions),
        payout=tuple(payout),
        properties=properties,
        sources=tuple((d.number.text, d.title) for d in resolved.decls if isinstance(d, t.Source)),
        rules_by_id=tuple(
            SourceRule(r.name.text, d.number.text, r.section, r.gist)
            for d in resolved.decls
            if isinstance(d, t.Source)
            for r in d.rules
        ),
        switches=tuple(
            SwitchDecl(
                v.kind,
                v.name.text,
                v.gist,
                _texts(v.ids),
                tuple(".".join(w.text for w in d.path) for d in v.deltas),
            )
            for v in resolved.variants
        ),
        active=resolved.active,
        spec_hash=resolved.spec_hash,
    )
    from golpae.elaborate.table_checks import check_sizes

    faults = check_sizes(rule_set, resolved)
    if faults:
        raise SpecError(faults)
    return rule_set


def _in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    seen: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if diagnostic not in seen:
            seen.append(diagnostic)
    return sorted(seen, key=lambda d: (d.span.text.name, d.span.start) if d.span else ("", 0))


def _together(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The faults in reading order, an unknown word once, however often it stands there."""
    out: list[Diagnostic] = []
    again: dict[str, list[Span]] = {}
    for diagnostic in _in_order(diagnostics):
        if diagnostic.code in ("N001", "T004") and diagnostic.span is not None:
            places = again.setdefault(diagnostic.message, [])
            places.append(diagnostic.span)
            if len(places) > 1:
                continue
        out.append(diagnostic)
    for i, diagnostic in enumerate(out):
        _, *others = again.get(diagnostic.message, [diagnostic.span])
        if others and others[0] is not None:
            more = f", and in {len(others) - 1} more place{'s' * (len(others) > 2)}" if others[1:] else ""
            label = Label(others[0], f"here too{more}")
            out[i] = replace(diagnostic, labels=(*diagnostic.labels, label))
    return out


def _texts(words: tuple[t.Word, ...]) -> tuple[str, ...]:
    return tuple(w.text for w in words)


def _int(checker: Checker, node: t.Expr, scope: Scope) -> ir.Expr:
    return checker.expect(node, INT, scope)


# ---------------------------------------------------------------- parts


def _option(checker: Checker, node: t.Option) -> OptionDecl:
    empty = Scope({})
    low = _int(checker, node.low, empty)
    normally = low if node.normally is None else _int(checker, node.normally, empty)
    return OptionDecl(node.name.text, low, _int(checker, node.high, empty), normally)


def _vars(checker: Checker, resolved: Resolved) -> tuple[VarDecl, ...]:
    """States with their first values, which may speak of one another and so are checked after all are
    known.
    """
    symbols = checker.symbols
    for state in (d for d in resolved.decls if isinstance(d, t.State)):
        for node in state.vars:
            if symbols.var_spans.get(node.name.text) != node.name.span:
                continue  # a second state of this name
            old = symbols.vars[node.name.text]
            kind = old.type
            initial = None if node.initial is None else checker.expect(node.initial, kind, Scope({}))
            low = high = None
            if isinstance(node.type, t.TypeRange):
                low, high = _int(checker, node.type.low, Scope({})), _int(checker, node.type.high, Scope({}))
            if initial is None and state.scope == "match":
                advice = f"write `= {_first_value(kind)}` behind it: a match starts with no deal before it"
                symbols.fault("G005", f"`{old.name}` has no first value", node.name.span, advice)
            symbols.vars[node.name.text] = VarDecl(
                old.name, old.each_player, kind, initial, state.scope, low, high
            )
    return tuple(symbols.vars.values())


def _states_in_order(vars_: Iterable[VarDecl], definitions: Mapping[str, Definition]) -> tuple[VarDecl, ...]:
    """States in the order of the text, but each behind those that its first value asks for."""
    by_name = {var.name: var for var in vars_}
    placed: dict[str, VarDecl] = {}
    begun: set[str] = set()

    def place(var: VarDecl) -> None:
        if var.name in begun:  # placed already, or in a circle, which is a fault of its own
            return
        begun.add(var.name)
        for node in () if var.initial is None else nodes_through(var.initial, definitions):
            if isinstance(node, ir.StateRead) and node.name in by_name:
                place(by_name[node.name])
        placed[var.name] = var

    for var in by_name.values():
        place(var)
    return tuple(placed.values())


def _action(checker: Checker, node: t.Action) -> Action:
    symbols = checker.symbols
    own = checker.parameters(node.params)
    params = LIFECYCLE_PARAMS.get(node.kind, ()) + own
    scope = Scope({})
    if node.by is not None:
        scope = scope.with_local(node.by.text, SEAT)
    for param, written in zip(own, node.params, strict=True):
        if param.name in KEYS or param.name in (p.name for p in LIFECYCLE_PARAMS.get(node.kind, ())):
            said = f"`{param.name}` is told of every `{node.kind}` already"
            symbols.fault("N002", said, named(written)[0].span, "choose another name")
        for word in named(written):
            name, here = word.text, word.span
            if node.by is not None and name == node.by.text:
                said = f"`{name}` is the player who acts already"
                symbols.twice(said, here, "choose another name", node.by.span, "here")
            if isinstance(param.type, Each) and (name in symbols.vars or name in symbols.zones):
                said = f"`p's {name}` could be what each player has, or what `{node.name.text}` is told"
                symbols.fault("N002", said, here, "choose another name")
        if not param.parts:
            scope = scope.with_local(param.name, param.type)
        for part in param.parts:
            scope = scope.with_local(part, TILES.item)
    if node.kind == "deal":
        scope = scope.with_local("first", SEAT)
    conditions: list[Condition] = [
        Condition(name, ir.Implicit(name, BOOL), (message,), ())
        for name, message in IMPLICIT_BEFORE[node.kind]
    ]
    for param in own:
        if param.parts:
            wrong = ir.Op(
                "eq",
                (ir.Op("size", (ir.Local(param.name, TILES),), INT), ir.Const(len(param.parts), INT)),
                BOOL,
            )
            words = f"`{param.name}` should hold {len(param.parts)} tiles"
            conditions.append(Condition(param.name, wrong, (words,), _texts(node.ids)))
    conditions += list(_within_bounds(checker, node))
    effects: list[EffectClause] = []
    dealing: Dealing | None = None
    hands_ids: tuple[str, ...] = ()
    dealt: Span | None = None
    named_clauses = (c.name for c in node.clauses if c.name.text != "then")
    symbols.once_each(named_clauses, f"`{node.name.text}` has two clauses", "give one another name")
    for clause in (c for c in node.clauses if not isinstance(c.body, t.Effects)):
        ids = _texts(clause.ids) or _texts(node.ids)
        match clause.body:
            case t.Condition() as body:
                expr, scope, fails = checker.asked(body.expr, scope)
                _no_hidden_place(symbols, (expr,), body.expr.span)
                # the message is for where the condition fails
                message = check_message(checker, body, fails)
                conditions.append(
                    Condition(
                        clause.name.text, expr, message or (f"`{clause.name.text}` does not hold",), ids
                    )
                )
            case t.Hands() as body:
                if node.kind != "deal":
                    advice = "write a condition, or `then move ... to p's hand`"
                    symbols.fault("R005", "only `deal` hands out tiles", clause.body.span, advice)
                    continue
                dealing = _dealing(checker, node, body, scope)
                hands_ids = ids
                if dealt is not None:
                    said = "`deal` says a second time how many tiles each hand gets"
                    symbols.twice(said, clause.name.span, "keep one of the two", dealt)
                dealt = clause.name.span
            case t.Effects():
                pass
    for clause in node.clauses:
        if isinstance(clause.body, t.Effects):
            for effect in _single(clause.body.effects):
                if isinstance(effect, PAYMENTS):
                    said = f"`{node.name.text}` pays nobody: payments stand in `payout`"
                    symbols.fault("R005", said, effect.span, "write it under `payout`")
            done, scope = check_effects(checker, clause.body.effects, scope)
            _no_hidden_place(symbols, exprs_in(done), clause.body.span)
            effects.append(EffectClause(clause.name.text, done, _texts(clause.ids) or _texts(node.ids)))
    for name, words in IMPLICIT_AFTER.get(node.kind, ()):
        conditions.append(Condition(name, ir.Implicit(name, BOOL), (words,), hands_ids or _texts(node.ids)))
    if node.kind == "deal" and not any(isinstance(c.body, t.Hands) for c in node.clauses):
        advice = "write `hands: 6 for first, 5 for the others` under it"
        symbols.fault("G004", "`deal` does not say how many tiles each hand gets", node.name.span, advice)
    played: ActionKind = "before" if node.before_deal else "play"
    kind = ACTION_KINDS.get(node.kind, played)
    # what is known of a state may not outlast the hand
    symbols.after[node.name.text] = scope if node.kind == "action" else Scope(scope.locals)
    return Action(
        kind,
        node.name.text,
        params,
        None if node.by is None else node.by.text,
        node.title,
        tuple(conditions),
        tuple(effects),
        _texts(node.ids),
        dealing,
    )


def _no_hidden_place(symbols: SymbolTable, exprs: Iterable[ir.Expr], span: Span) -> None:
    """A fault where an action asks, itself or by definitions, for a place of a row whose order may be known to nobody.

    It would be none there, and the game another one by what is recorded. Properties may ask.
    """
    for expr in exprs:
        for node in nodes_through(expr, symbols.definitions):
            if isinstance(node, ir.ZonePlace) and symbols.zones[node.name].seen_by != "everyone":
                message = f"what lies at a place of `{node.name}` may be known to nobody"
                advice = "ask in a property, or at an end whether a tile can be there: `t fits front of ...`"
                symbols.fault("T006", message, span, advice)
                return


def _within_bounds(checker: Checker, node: t.Action) -> Iterator[Condition]:
    """A condition for each parameter that is a number from one bound to another, named after it."""
    for param in node.params:
        kind = param.type.item if isinstance(param.type, t.TypeOrNone) else param.type
        if isinstance(kind, t.TypeRange):
            low, high = _int(checker, kind.low, Scope({})), _int(checker, kind.high, Scope({}))
            value = ir.Local(param.name, INT)
            inside = (ir.Op("le", (low, value), BOOL), ir.Op("le", (value, high), BOOL))
            expr: ir.Expr = ir.Op("and", inside, BOOL)
            if param.optional or isinstance(param.type, t.TypeOrNone):
                none = ir.Op("is_none", (ir.Local(param.name, Opt(INT)),), BOOL)
                expr = ir.Op("or", (none, expr), BOOL)
            words: tuple[str | ir.Expr, ...] = (f"`{param.name}` is a number from ", low, " to ", high)
            yield Condition(param.name, expr, words, _texts(node.ids))


def _dealing(checker: Checker, node: t.Action, body: t.Hands, scope: Scope) -> Dealing | None:
    symbols = checker.symbols
    assert node.zone is not None
    first, others = _int(checker, body.first, scope), _int(checker, body.others, scope)
    if zone_value(checker, node.zone.text, node.zone.span) is None:
        return None
    hand = symbols.zones.get("hand")
    if hand is None or not hand.each_player or hand.kind != "tiles":
        symbols.fault(
            "G004",
            "there is no zone to deal hands into",
            body.span,
            "write `each player's hand: tiles seen by its owner` under `zones`",
        )
        return None
    return Dealing(node.zone.text, "hand", first, others)


def _payout(checker: Checker, node: t.Action) -> list[EffectClause]:
    out = []
    for clause in node.clauses:
        others = [clause.body.span]
        if isinstance(clause.body, t.Effects):
            others = [e.span for e in _single(clause.body.effects) if not isinstance(e, PAYMENTS)]
            done, _ = check_effects(checker, clause.body.effects, Scope({}))
            _no_hidden_place(checker.symbols, exprs_in(done), clause.body.span)
            out.append(EffectClause(clause.name.text, done, _texts(clause.ids) or _texts(node.ids)))
        for span in others:
            advice = "write `when ...: p pays q 1`, or `p scores 1`"
            checker.symbols.fault("R005", "`payout` says who pays, and this is no payment", span, advice)
    return out


def _single(effects: Iterable[t.Effect]) -> Iterator[t.Effect]:
    """The effects inside `when` and `for each`, and those that are neither."""
    for effect in effects:
        if isinstance(effect, t.When | t.ForEach):
            yield from _single(effect.effects)
        else:
            yield effect


def _citing(action: Action, payout: Iterable[EffectClause]) -> Action:
    """`end` with the rules of the payments behind its check of them."""
    ids = tuple(dict.fromkeys(i for clause in payout for i in clause.ids))
    if action.kind != "end" or not ids:
        return action
    is_pay = ir.Implicit("pay", BOOL)
    conditions = tuple(replace(c, ids=ids) if c.expr == is_pay else c for c in action.conditions)
    return replace(action, conditions=conditions)


def _bare_finish() -> Action:
    conditions = tuple(
        Condition(name, ir.Implicit(name, BOOL), (message,), ())
        for name, message in (*IMPLICIT_BEFORE["finish"], *IMPLICIT_AFTER["finish"])
    )
    return Action("finish", "finish", LIFECYCLE_PARAMS["finish"], None, None, conditions, (), ())


def _property(checker: Checker, node: t.Property) -> PropertyDecl:
    wanted = INT if node.kind == "ends" else BOOL
    of_no_game = node.kind in ("theorem", "claim")
    if node.after is not None and of_no_game:
        advice = "write `always`, `never`, `reachable` or `ends`, or leave `after` out"
        checker.symbols.fault("R005", f"a `{node.kind}` is about no event", node.after.span, advice)
    scope = Scope({}) if node.after is None else _after(checker, node.after)
    checker.ways = of_no_game
    # without the action nothing is known of what its names are
    if scope is None:
        expr: ir.Expr = ir.Const(False, wanted)
    else:
        # what is left to do is compared with before in any case
        event = node.after is not None and node.kind != "ends"
        expr = checker.expect(node.expr, wanted, replace(scope, event=event))
    checker.ways = False
    after = None if node.after is None else node.after.text
    kind = PROPERTY_KINDS[node.kind]
    return PropertyDecl(kind, node.name.text, expr, node.expected, node.within, _texts(node.ids), after)


def _after(checker: Checker, word: t.Word) -> Scope | None:
    """The names that may be spoken of right after an action's events; None where there is no such action."""
    known = checker.symbols.after
    if word.text not in known:
        advice = near(word.text, known) or f"the actions are {quoted(known)}"
        checker.symbols.fault("N001", f"there is no action `{word.text}`", word.span, advice)
    return known.get(word.text)


# ---------------------------------------------------------------- whole-text faults


def _require(symbols: SymbolTable, resolved: Resolved, kinds: set[str]) -> None:
    have = kinds | {type(decl).__name__.lower() for decl in resolved.decls}
    if not {"tiles", "zones"} <= have:
        # words that the missing part would have brought
        symbols.diagnostics = [d for d in symbols.diagnostics if d.code not in ("N001", "T004")]
    for part, advice in REQUIRED.items():
        if part not in have:
            symbols.fault(
                "G004", f"`{resolved.game.name.text}` has no `{part}`", resolved.game.name.span, advice
            )
    holding = [z.name for z in symbols.zones.values() if z.holds_set]
    for zone in symbols.zones.values():
        if zone.holds_set and (zone.each_player or zone.kind == "melds"):
            what = "is a zone of each player" if zone.each_player else "holds melds"
            message = f"`{zone.name}` {what}, and the set is one bag of tiles"
            advice = "let a zone of all hold it: `pool: tiles seen by nobody, holds the set`"
            symbols.fault("G004", message, symbols.zone_spans[zone.name], advice)
        if zone.seen_by == "its owner" and not zone.each_player:
            message = f"`{zone.name}` has no owner, for it is a zone of all"
            advice = f"write `each player's {zone.name}`, or `seen by everyone`"
            symbols.fault("G004", message, symbols.zone_spans[zone.name], advice)
    if "zones" in have and not holding:
        zones = next(d for d in resolved.decls if isinstance(d, t.Zones))
        advice = "write `, holds the set` behind the zone that tiles are dealt from"
        symbols.fault("G004", "no zone holds the set", _head(zones.span, "zones"), advice)
    for name in holding[1:]:
        message = f"`{holding[0]}` holds the set, and `{name}` cannot hold it too"
        advice = "take `, holds the set` away from one of them"
        first = Label(symbols.zone_spans[holding[0]], "the first one")
        symbols.diagnostics.append(Diagnostic("G004", message, symbols.zone_spans[name], advice, (first,)))


def _head(span: Span, word: str) -> Span:
    return Span(span.text, span.start, span.start + len(word))


def _faulty_effects(symbols: SymbolTable, nodes: Iterable[t.Action]) -> bool:
    """Whether a fault hides what some action sets."""
    spans = [c.span for node in nodes for c in node.clauses if isinstance(c.body, t.Effects)]
    places = [d.span for d in symbols.diagnostics if d.span is not None]
    return any(s.start <= p.start < s.end and s.text is p.text for s in spans for p in places)


def _first_value(kind: Type) -> str:
    match kind:
        case Bool():
            return "no"
        case Int():
            return "0"
        case Choice(words) if words:
            return words[0]
        case Bag():
            return "{}"
        case _:
            return "..."


def _unset(symbols: SymbolTable, vars_: tuple[VarDecl, ...], actions: list[Action]) -> None:
    """A state without a first value is one that `deal` sets in every case."""
    set_by_deal = {
        effect.name
        for action in actions
        if action.kind == "deal"
        for clause in action.effects
        for effect in clause.effects
        if isinstance(effect, ir.SetState)
    }
    for var in vars_:
        if (
            var.initial is None
            and var.scope == "hand"
            and var.name not in set_by_deal
            and not isinstance(var.type, Opt)
        ):
            first = "first" if var.type == SEAT else _first_value(var.type)
            advice = f"write `then {var.name} := {first}` under `deal`"
            if var.type != SEAT:
                advice = f"write `= {first}` behind it, or `then {var.name} := {first}` under `deal`"
            symbols.fault("G005", f"`{var.name}` has no first value", symbols.var_spans[var.name], advice)


def _check_ids(symbols: SymbolTable, resolved: Resolved) -> None:
    """Rule numbers in brackets are those of the source blocks, where a text has any."""
    sources = [d for d in resolved.decls if isinstance(d, t.Source)]
    if not sources:
        return
    known = {s.number.text for s in sources} | {r.name.text for s in sources for r in s.rules}
    symbols.once_each((s.number for s in sources), "there are two sources", "give one another number")
    seen: dict[str, t.Rule] = {}
    for source in sources:
        for rule in source.rules:
            first = seen.setdefault(rule.name.text, rule)
            if first is not rule:
                symbols.twice(
                    f"rule `{rule.name.text}` is listed twice",
                    rule.name.span,
                    "give each its own number",
                    first.name.span,
                )
    for word in (w for part in (resolved.game, *resolved.decls, *resolved.variants) for w in anchors(part)):
        if word.text not in known:
            advice = near(word.text, known) or f'write `{word.text}: "what it says"` under its `source`'
            symbols.fault("N003", f"no source lists a rule `{word.text}`", word.span, advice)


__all__ = ["check", "check_text", "elaborate"]
