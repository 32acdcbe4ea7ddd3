"""Check and type a whole resolved text.

Input: a `Resolved` text. Output: a `RuleSet`. Raises `SpecError` with every fault of the text.
Guarantee: faults come in reading order, each once; a rule set that is returned is well-formed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from golpae.diagnostics import Diagnostic, Label, Span, SpecError
from golpae.elaborate.actions import check_action, check_payout
from golpae.elaborate.completeness import check_citations, effects_are_faulty, require_parts
from golpae.elaborate.constant import StaticValues, constant_or_none
from golpae.elaborate.dead_actions import never_happens
from golpae.elaborate.declare import declare, notes_of, texts, tile_set
from golpae.elaborate.dependence import (
    refuse_cycles,
    refuse_large_definitions,
    refuse_reads_of_games,
    without_usual_of_games,
)
from golpae.elaborate.expand.expand import expanded
from golpae.elaborate.lifecycle import cite_payments, default_finish
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.properties import check_property, check_share, share_of
from golpae.elaborate.resolve import Resolved, path_of, resolve, split
from golpae.elaborate.states import (
    check_states,
    in_dependency_order,
    require_first_values,
    require_set_before_read,
)
from golpae.elaborate.switches.added import names_added
from golpae.elaborate.typecheck.choices.sequences import check_order
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.scoring import check_arrangement, check_score, check_shape
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir import expr as ir
from golpae.ir.dependencies import DeclaredParts, Dependencies
from golpae.ir.distinct_names import with_distinct_names
from golpae.ir.ruleset import (
    AS_IT_LIES,
    Action,
    ArrangementDecl,
    EffectClause,
    OptionDecl,
    PropertyDecl,
    RuleSet,
    ScoreDecl,
    ShapeDecl,
    ShareDecl,
    SourceRule,
    SwitchDecl,
    VarDecl,
)
from golpae.ir.types import INT
from golpae.syntax import tree as t

MOST_CHECKED = 50  # rule sets of a text that `check_text` holds


def elaborate(rules: str, spec_path: Sequence[Path] = ()) -> RuleSet:
    """Return the rule set `base+switch+...`. Raises `SpecError`."""
    return elaborate_loaded(rules, lambda: load(split(rules)[0], spec_path))


def elaborate_loaded(rules: str, loaded: Callable[[], Loaded]) -> RuleSet:
    """Return the rule set `base+switch+...` of a text that is loaded now. Raises `SpecError`."""
    try:
        return check(resolve(rules, loaded()))
    except SpecError as fault:
        raise SpecError(_repeats_joined(fault.diagnostics)) from None


def check_text(loaded: Loaded, checked: dict[str, RuleSet] | None = None) -> list[Diagnostic]:
    """Return every fault of a text, in reading order: of its base rules, and of each of its switches alone. The first
    `MOST_CHECKED` rule sets without faults are put into `checked`, by their names.
    """
    checked = {} if checked is None else checked
    base = loaded.game.name.text
    diagnostics = _faults(base, loaded, checked)
    known = set(diagnostics)
    for variant in (d for d in loaded.decls if isinstance(d, t.Variant)):
        for diagnostic in _faults(f"{base}+{variant.name.text}", loaded, checked):
            if diagnostic not in known:
                diagnostics.append(_with_switch(diagnostic, variant))
                known.add(diagnostics[-1])
    return _repeats_joined(diagnostics)


def _faults(rules: str, loaded: Loaded, checked: dict[str, RuleSet]) -> list[Diagnostic]:
    """Return the faults of one rule set: of its deltas, and of the text without the faulty ones."""
    diagnostics: list[Diagnostic] = []
    try:
        rule_set = check(resolve(rules, loaded, diagnostics))
        if not diagnostics and len(checked) < MOST_CHECKED:
            checked[rules] = rule_set
    except SpecError as fault:
        diagnostics.extend(fault.diagnostics)
    return diagnostics


def _with_switch(diagnostic: Diagnostic, variant: t.Variant) -> Diagnostic:
    """Return a fault that only this switch causes. If it is outside the switch, a label points to the switch."""
    span, own = diagnostic.span, variant.span
    if span is None or (span.text == own.text and own.start <= span.start < own.end):
        return diagnostic
    label = Label(variant.name.span, f"only if `{variant.name.text}` is on")
    return replace(diagnostic, labels=(*diagnostic.labels, label))


def check(resolved: Resolved) -> RuleSet:
    """Return a resolved text, typed, in which no name hides another one. Raises `SpecError`."""
    try:
        return with_distinct_names(check_as_written(resolved))
    except RecursionError:
        message = f"`{resolved.game.name.text}` is nested too deeply"
        advice = "shorten its longest lines, and write definitions above those that use them"
        raise SpecError([Diagnostic("S006", message, resolved.game.name.span, advice)]) from None


def check_as_written(resolved: Resolved) -> RuleSet:
    """Return a resolved text, typed, with its names as they are written. Raises `SpecError`."""
    return check_expanded(expanded(resolved))


def check_expanded(resolved: Resolved) -> RuleSet:
    """Return a text in which all words are written out, typed. Raises `SpecError`."""
    symbols = SymbolTable()
    declare(symbols, resolved.decls)
    checker = Checker(symbols)
    check_citations(symbols, resolved)
    options = tuple(_option(checker, d) for d in resolved.decls if isinstance(d, t.Option))
    tiles = tile_set(checker, next((d for d in resolved.decls if isinstance(d, t.Tiles)), None), options)
    for order in (d for d in resolved.decls if isinstance(d, t.Order)):
        check_order(checker, order)
    low, high = _number_of_players(checker, resolved)
    states = check_states(checker, resolved)
    for name in symbols.defines:
        checker.definition(name)
    refuse_large_definitions(symbols)
    states, shapes, arrangements, scores = _counted_parts(checker, states)
    nodes = [d for d in resolved.decls if isinstance(d, t.Action) and d.kind != "payout"]
    payouts = [d for d in resolved.decls if isinstance(d, t.Action) and d.kind == "payout"]
    checked, payout = _actions(checker, nodes, payouts)
    present = {node.kind for node in (*nodes, *payouts)}
    actions = checked if "finish" in present else [*checked, default_finish()]
    if any(AS_IT_LIES in score.arrangements for score in scores):
        arrangements += (ArrangementDecl(AS_IT_LIES, (), (), ()),)
    shares, properties = _properties(checker, resolved)
    require_parts(symbols, resolved, present)
    if not effects_are_faulty(symbols, (*nodes, *payouts)):
        _require_values(symbols, states, actions, nodes)
    if symbols.diagnostics:
        raise SpecError(_in_order(_without_followers(symbols.diagnostics)))
    rule_set = RuleSet(
        rules=resolved.rules,
        game=resolved.game.name.text,
        title=resolved.game.title,
        ids=texts(resolved.game.ids),
        low=low,
        high=high,
        options=options,
        tiles=tiles,
        zones=tuple(symbols.zones.values()),
        vars=states,
        definitions=tuple(symbols.definitions.values()),
        shapes=shapes,
        arrangements=arrangements,
        scores=scores,
        actions=tuple(actions),
        payout=payout,
        properties=properties,
        **_provenance(resolved),
        shares=shares,
        aim=notes_of(resolved.game.aim),
        payout_notes=notes_of(note for node in payouts for note in node.notes),
    )
    from golpae.elaborate.table_checks import check_sizes

    faults = check_sizes(rule_set, resolved)
    if faults:
        raise SpecError(faults)
    return rule_set


def _properties(
    checker: Checker, resolved: Resolved
) -> tuple[tuple[ShareDecl, ...], tuple[PropertyDecl, ...]]:
    """Return the claims that state a share of hands, and all other properties."""
    nodes = [d for d in resolved.decls if isinstance(d, t.Property)]
    share_nodes = [(d, share) for d in nodes if (share := share_of(d)) is not None]
    shares = tuple(check_share(checker, node, share) for node, share in share_nodes)
    properties = tuple(check_property(checker, d) for d in nodes if share_of(d) is None)
    checker.symbols.once_each((d.name for d in nodes), "there are two properties", "rename one of them")
    return shares, properties


def _number_of_players(checker: Checker, resolved: Resolved) -> tuple[ir.Expr, ir.Expr]:
    """Return the lowest and the highest number of players, and enter the highest one if it is known."""
    symbols = checker.symbols
    players = next((d for d in resolved.decls if isinstance(d, t.Players)), None)
    if players is None:
        two = ir.Const(2, INT)
        return two, two
    low, high = (checker.expect(end, INT, Scope({})) for end in (players.low, players.high))
    symbols.most_players = constant_or_none(high, StaticValues(None, {}, (), symbols.definitions))
    return low, high


_CountedParts = tuple[
    tuple[VarDecl, ...], tuple[ShapeDecl, ...], tuple[ArrangementDecl, ...], tuple[ScoreDecl, ...]
]


def _counted_parts(checker: Checker, states: tuple[VarDecl, ...]) -> _CountedParts:
    """Return the states, each behind those that it reads, and the shapes, arrangements and scores."""
    symbols = checker.symbols
    shapes = tuple(check_shape(checker, d) for d in symbols.shapes.values())
    arrangements = tuple(check_arrangement(checker, d) for d in symbols.arrangements.values())
    scores = tuple(check_score(checker, d) for d in symbols.scores.values())
    refuse_cycles(symbols, shapes, arrangements, scores, states)
    parts = DeclaredParts(tuple(symbols.definitions.values()), shapes, arrangements, scores)
    scores = without_usual_of_games(scores, Dependencies(parts))
    symbols.dependencies = Dependencies(parts._replace(scores=scores))
    refuse_reads_of_games(symbols, symbols.dependencies, shapes, scores)
    return in_dependency_order(states, symbols.dependencies), shapes, arrangements, scores


def _actions(
    checker: Checker, nodes: Sequence[t.Action], payouts: Sequence[t.Action]
) -> tuple[list[Action], tuple[EffectClause, ...]]:
    """Return the actions, of which `end` cites the rules of the payments, and the clauses of the payments."""
    actions = [check_action(checker, node) for node in nodes]
    payout = tuple(clause for node in payouts for clause in check_payout(checker, node))
    payment_ids = [i for clause in payout for i in clause.ids]
    return [cite_payments(a, payment_ids) if a.kind == "end" else a for a in actions], payout


def _require_values(
    symbols: SymbolTable,
    states: tuple[VarDecl, ...],
    actions: Sequence[Action],
    nodes: Sequence[t.Action],
) -> None:
    """Refuse states that are read before they have a value, and actions that can never happen."""
    require_first_values(symbols, states, actions)
    require_set_before_read(symbols, states, zip(actions, nodes, strict=False))
    for action, node in zip(actions, nodes, strict=False):
        for name, value, span in never_happens(action, actions, states, node):
            message = f"`{action.name}` can never happen: nothing sets `{name}` to `{value}`"
            advice = f"write `then {name} := {value}` in the action before it"
            symbols.fault("G003", message, span, advice)


class _Provenance(TypedDict):
    """The fields of a `RuleSet` that say which text it comes from."""

    sources: tuple[tuple[str, str], ...]
    rules_by_id: tuple[SourceRule, ...]
    switches: tuple[SwitchDecl, ...]
    active: tuple[str, ...]
    spec_hash: str


def _provenance(resolved: Resolved) -> _Provenance:
    """Return the sources and the switches of a text, and which of these are on."""
    sources = [d for d in resolved.decls if isinstance(d, t.Source)]
    return {
        "sources": tuple((d.number.text, d.title) for d in sources),
        "rules_by_id": tuple(
            SourceRule(r.name.text, d.number.text, r.section, r.gist) for d in sources for r in d.rules
        ),
        "switches": tuple(
            SwitchDecl(
                v.kind,
                v.name.text,
                v.gist,
                texts(v.ids),
                (*(path_of(d) for d in v.deltas), *names_added(v)),
            )
            for v in resolved.variants
        ),
        "active": resolved.active,
        "spec_hash": resolved.spec_hash,
    }


def _without_followers(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the faults but those of lines that use a name which was refused: it may mean something else there."""
    refused = {d.span.words for d in diagnostics if d.code == "N002" and d.span is not None}
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span is None or diagnostic.code not in ("N001", "T001", "T002", "T004"):
            yield diagnostic
            continue
        line = span.text.line(span.text.position(span.start)[0])
        if refused.isdisjoint(re.findall(r"[A-Za-z][\w-]*", line)):
            yield diagnostic


def _in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the faults in reading order, each once."""
    return sorted(
        dict.fromkeys(diagnostics), key=lambda d: (d.span.text.name, d.span.start) if d.span else ("", 0)
    )


def _repeats_joined(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the faults in reading order; an unknown word is reported once, with a label at its second place."""
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


def _option(checker: Checker, node: t.Option) -> OptionDecl:
    low, high = (checker.expect(end, INT, Scope({})) for end in (node.low, node.high))
    normally = low if node.normally is None else checker.expect(node.normally, INT, Scope({}))
    return OptionDecl(node.name.text, low, high, normally)


__all__ = ["check", "check_as_written", "check_expanded", "check_text", "elaborate"]
