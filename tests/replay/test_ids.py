"""Every rule of a game's sources is in its rule text, and matters to a recorded game.

The rules of a game are the numbers in its `source` blocks, except claims (`JC1`). A clause with a number matters if a
trace under `traces/` gets another verdict without it: if a condition always holds, an effect does nothing, a pattern
never counts, or a switch is off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from golpae.elaborate.check import check
from golpae.elaborate.instance import TableFault, instantiate
from golpae.elaborate.resolve import path_of, resolve
from golpae.ir import expr as ir
from golpae.ir.ruleset import (
    Action,
    CaseDecl,
    Definition,
    EffectClause,
    PatternDecl,
    RuleSet,
    ScoreDecl,
    ShapeDecl,
)
from golpae.ir.types import BOOL, INT, NONE, SEAT, TILE, Bag, Bool, Int, Opt, Seat, Tile
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.syntax import tree as t
from golpae.trace import Header, lines, read_header
from tests.committed import TOP
from tests.replay.shared import rule_set, text

pytestmark = pytest.mark.corpus

GAMES = ["ho-hpai", "jjak", "korean-mahjong", "three-dozen"]
CLAIM = re.compile(r"[A-Z]C\d+")
ALWAYS, NEVER = ir.Const(True, BOOL), ir.Const(False, BOOL)


class Recorded(NamedTuple):
    """One trace: the lines that can be read."""

    header: Header
    events: list[dict[str, Any]]

    def may_be_refused_by(self, clause: str, event: int) -> bool:
        """Return whether the action of an event is that of a clause."""
        return 0 <= event < len(self.events) and clause.startswith(f"{self.events[event].get('do')}.")


class Mutant(NamedTuple):
    """A rule set without one of its clauses, and the numbers that the clause carries."""

    clause: str
    ids: tuple[str, ...]
    rules: RuleSet


# ------------------------------------------------------------------ rule sets without a clause


def mutants(rules: RuleSet) -> Iterator[Mutant]:
    """Yield the rule set without each of its clauses that carry a number."""
    every = (*_of_set(rules), *_of_words(rules), *_of_hands(rules), *_of_actions(rules), *_of_switches(rules))
    return (mutant for mutant in every if mutant.ids)


def _ids(nodes: tuple[t.Word, ...]) -> tuple[str, ...]:
    return tuple(word.text for word in nodes)


def _of_set(rules: RuleSet) -> Iterator[Mutant]:
    """Yield changes of the players and of the set."""
    more = replace(rules.tiles, groups=tuple(replace(g, copies=g.copies + 1) for g in rules.tiles.groups))
    for decl in text(rules.game).decls:
        match decl:
            case t.Players(ids=ids):
                any_number = replace(rules, low=ir.Const(1, INT), high=ir.Const(1000, INT))
                yield Mutant("players", _ids(ids), any_number)
            case t.Option(ids=ids):
                any_option = (replace(o, low=ir.Const(0, INT), high=ir.Const(50, INT)) for o in rules.options)
                yield Mutant("option", _ids(ids), replace(rules, options=tuple(any_option)))
            case t.Tiles(ids=ids, withdrawn=withdrawn):
                yield Mutant("tiles", _ids(ids), replace(rules, tiles=more))
                if withdrawn is not None:
                    whole = replace(rules, tiles=replace(rules.tiles, withdrawn=None))
                    yield Mutant("tiles.withdrawn", _ids(withdrawn.ids), whole)


def _of_words(rules: RuleSet) -> Iterator[Mutant]:
    """Yield changes of definitions: another value, or a case that never holds."""
    for i, definition in enumerate(rules.definitions):
        for j, case in enumerate(definition.cases):
            ids = case.ids or definition.ids
            if not ids:
                continue
            cases = list(definition.cases)
            cases[j] = CaseDecl(case.name, _other(rules, definition, case.expr), case.ids)
            changed = replace(definition, cases=tuple(cases))
            name = definition.name if definition.single else f"{definition.name}.{case.name}"
            yield Mutant(name, ids, replace(rules, definitions=_with(rules.definitions, i, changed)))


def _other(rules: RuleSet, definition: Definition, expr: ir.Expr) -> ir.Expr:
    if not definition.single:
        return NEVER
    match definition.type:
        case Bool():
            return ir.Op("not", (expr,), BOOL)
        case Int():
            return ir.Op("add", (expr, ir.Const(1, INT)), INT)
        case Bag():
            return ir.BagOf((), definition.type)
        case Opt():
            return ir.Const(None, NONE)
        case Tile():
            return ir.Const(next(group.names[0][0] for group in rules.tiles.groups if group.names), TILE)
        case Seat():
            return ir.Builtin("right", expr, SEAT)
        case other:
            raise NotImplementedError(f"another value than one of {other}")


def _of_hands(rules: RuleSet) -> Iterator[Mutant]:
    """Yield changes of scores: shapes without tiles, arrangements without hands, patterns that never count."""
    for i, shape in enumerate(rules.shapes):
        none = ShapeDecl(shape.name, ("a",), NEVER, (), 1, shape.ids)
        yield Mutant(shape.name, shape.ids, replace(rules, shapes=_with(rules.shapes, i, none)))
    for i, arrangement in enumerate(rules.arrangements):
        too_many = tuple(replace(part, count=part.count + 100) for part in arrangement.parts)
        none_made = replace(arrangement, parts=too_many, union=())
        without = _with(rules.arrangements, i, none_made)
        yield Mutant(arrangement.name, arrangement.ids, replace(rules, arrangements=without))
    for i, score in enumerate(rules.scores):
        for j, pattern in enumerate(score.patterns):
            never: PatternDecl = replace(pattern, test=NEVER)
            less: ScoreDecl = replace(score, patterns=_with(score.patterns, j, never))
            name, ids = f"{score.name}.{pattern.name}", pattern.ids or score.ids
            yield Mutant(name, ids, replace(rules, scores=_with(rules.scores, i, less)))
        for j, line in enumerate(score.brings if score.total == "unimplied" else ()):
            alone = replace(score, brings=(*score.brings[:j], *score.brings[j + 1 :]))
            name = f"{score.name}.{line.pattern}-brings"
            yield Mutant(name, line.ids, replace(rules, scores=_with(rules.scores, i, alone)))


def _of_actions(rules: RuleSet) -> Iterator[Mutant]:
    """Yield changes of actions: conditions that always hold, effects that do nothing."""
    for i, action in enumerate(rules.actions):
        for j, condition in enumerate(action.conditions):
            holds = replace(condition, expr=ALWAYS)
            changed: Action = replace(action, conditions=_with(action.conditions, j, holds))
            name = f"{action.name}.{condition.name}"
            yield Mutant(name, condition.ids, replace(rules, actions=_with(rules.actions, i, changed)))
        for j, clause in enumerate(action.effects):
            changed = replace(action, effects=_with(action.effects, j, replace(clause, effects=())))
            name = f"{action.name}.{clause.name} ({j + 1})"
            yield Mutant(name, clause.ids, replace(rules, actions=_with(rules.actions, i, changed)))
    for i, clause in enumerate(rules.payout):
        nothing: EffectClause = replace(clause, effects=())
        yield Mutant(
            f"payout.{clause.name}", clause.ids, replace(rules, payout=_with(rules.payout, i, nothing))
        )


def _of_switches(rules: RuleSet) -> Iterator[Mutant]:
    """Yield the text with a switch off, or with one of its drops left out."""
    loaded = text(rules.game)
    for decl in loaded.decls:
        if isinstance(decl, t.Variant) and decl.name.text in rules.active:
            for i, delta in enumerate(decl.deltas):
                if delta.kind == "drop" and delta.ids:
                    less = replace(decl, deltas=(*decl.deltas[:i], *decl.deltas[i + 1 :]))
                    decls = tuple(less if d is decl else d for d in loaded.decls)
                    kept = check(resolve(rules.rules, replace(loaded, decls=decls)))
                    yield Mutant(f"{decl.name.text}: {path_of(delta)}", _ids(delta.ids), kept)
    for switch in rules.switches:
        if switch.name in rules.active:
            others = [name for name in rules.active if name != switch.name]
            yield Mutant(f"switch {switch.name}", switch.ids, rule_set("+".join([rules.game, *others])))


def _with(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])


# ------------------------------------------------------------------ traces judged, in short


@cache
def recorded(game: str) -> dict[str, list[Recorded]]:
    """Return the readable traces of a game, by the rule set that they are played under."""
    found: dict[str, list[Recorded]] = {}
    switches = {switch.name for switch in rule_set(game).switches}
    for path in sorted((TOP / "traces" / game).glob("*.jsonl")):
        trace: Recorded | None = None
        with path.open("rb") as stream:
            for _, line, fault in lines(stream):
                if line is not None and "golpae" in line:
                    header = None if fault else read_header(line)
                    trace = None
                    if isinstance(header, Header) and header.base == game:
                        trace = Recorded(header, [])
                        if switches.issuperset(header.variants):
                            found.setdefault(header.rules, []).append(trace)
                elif trace is not None and line is not None and fault is None:
                    trace.events.append(line)
    for traces in found.values():
        traces.sort(key=symbolic_state)  # few machines are made before a mutant differs from the rules
    return found


def symbolic_state(trace: Recorded) -> tuple[list[tuple[str, int]], int]:
    return sorted(trace.header.options.items()), len(trace.header.players)


def judge(rules: RuleSet, trace: Recorded, machines: dict[object, Machine | None]) -> tuple[int, object]:
    """Return how many events are legal, and why the next one is not. `machines` caches those of this rule set."""
    players, options = len(trace.header.players), trace.header.options
    key = players, tuple(sorted(options.items()))
    if key not in machines:
        try:
            machines[key] = Machine(instantiate(rules, players, options))
        except TableFault:
            machines[key] = None
    machine = machines[key]
    if machine is None:
        return -1, "no such table"
    state = machine.new_state(trace.header.stake)
    for number, event in enumerate(trace.events):
        step = machine.steps.get(str(event.get("do")))
        if step is None:
            return number, "no such action"
        try:
            found = step(state, event)
        except (
            ValueError,
            TypeError,
            AttributeError,
            IndexError,
        ) as fault:  # a mutant may do without anything
            return number, type(fault)
        if found is not None:
            return number, "malformed" if isinstance(found, Bad) else "illegal"
    return len(trace.events), machine.stage(state)


@cache
def judged_as_recorded(game: str, rules: str) -> list[tuple[int, object]]:
    machines: dict[object, Machine | None] = {}
    return [judge(rule_set(rules), trace, machines) for trace in recorded(game)[rules]]


def matters(game: str, rules: str, mutant: Mutant) -> bool:
    """Return whether the mutant gives another verdict on a trace that is played under these rules."""
    machines: dict[object, Machine | None] = {}
    both = list(zip(recorded(game)[rules], judged_as_recorded(game, rules), strict=True))
    both.sort(key=lambda one: not one[0].may_be_refused_by(mutant.clause, one[1][0]))
    return any(judge(mutant.rules, trace, machines) != as_it_is for trace, as_it_is in both)


# ------------------------------------------------------------------ tests


def rules_of(game: str) -> list[str]:
    """Return the numbers of the rules in a game's sources."""
    return [rule.id for rule in rule_set(game).rules_by_id if not CLAIM.fullmatch(rule.id)]


Clause = tuple[str, tuple[str, ...]]


@cache
def clauses(game: str) -> dict[Clause, list[tuple[str, Mutant]]]:
    """Return every clause with numbers, of the base rules and of switches: its rule sets and its mutants."""
    found: dict[Clause, list[tuple[str, Mutant]]] = {}
    for rules in sorted(recorded(game), key=lambda rules: (rules.count("+"), rules)):
        for mutant in mutants(rule_set(rules)):
            found.setdefault((mutant.clause, mutant.ids), []).append((rules, mutant))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_cited_by_a_clause(game: str) -> None:
    carried = {rule for _, ids in clauses(game) for rule in ids}
    assert not [rule for rule in rules_of(game) if rule not in carried]


# Clauses that no trace needs, and the reason for each.
REDUNDANT = {
    "jjak": {
        "claim.mate": "`third` asks for more",
        "draw.left": "says why, where `place` would only say that the tile is not there",
        "draw.then (4)": "only the player to act draws",
        "discard.then (3)": "what was acquired is set again before it is read",
    },
    "korean-mahjong": {
        "kong": "only melds are kongs, and a meld is what it was called",
        "concealed-kong": "the same",
        "draw.left": "says why, where `place` would only say that the tile is not there",
        "replace.left": "says why, where `place` would only say that the tile is not there",
        "ready.turn": "with no tile drawn, no discard leaves a hand that is one tile away",
        "open_ready.turn": "the same",
        "win.shape": "says why, where `minimum` would only say that the hand is not worth it",
        "win.minimum": "says why, where `points` would only say that the hand is worth nothing",
        "win.then (1)": "the hand is over, and nobody looks at what the winner holds",
        "win.then (2)": "the same",
        "dealers-wind": "a game knows who deals; only `golpae score` asks",
        "others-wind": "the same",
        "worth.all-honors-brings": "honors make all pungs or seven pairs, which bring the same",
    },
    "three-dozen": {
        "draw.left": "says why, where `place` would only say that the tile is not there",
    },
    "ho-hpai": {
        "exchange.passed": "says why, where `end` would only say that the piece is not there",
        "previous-player": "only a property asks for it",
        "show.winning": "says why, where `sets` would only say that the hand does not win so",
        "show.then (1)": "what was shown lies on the table, and nothing follows",
    },
}


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=pytest.mark.slow) if g in ("ho-hpai", "korean-mahjong") else g for g in GAMES],
)
def test_every_clause_and_every_rule_matters_to_a_trace(game: str) -> None:
    """And so does every rule."""
    useless: set[str] = set()
    rules_that_matter: set[str] = set()
    for (clause, ids), places in clauses(game).items():
        if clause not in REDUNDANT[game]:
            if any(matters(game, rules, mutant) for rules, mutant in places):
                rules_that_matter.update(ids)
            else:
                useless.add(clause)
    assert not useless
    assert not [rule for rule in rules_of(game) if rule not in rules_that_matter]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_trace_needs_a_redundant_clause(game: str) -> None:
    redundant = {key: places for key, places in clauses(game).items() if key[0] in REDUNDANT[game]}
    assert {clause for clause, _ in redundant} == set(REDUNDANT[game])
    for (clause, _), places in redundant.items():
        assert not any(matters(game, rules, mutant) for rules, mutant in places), clause


@pytest.mark.parametrize("game", GAMES)
def test_every_switch_cites_a_rule(game: str) -> None:
    found = {clause for clause, _ in clauses(game) if clause.startswith("switch ")}
    assert found == {f"switch {switch.name}" for switch in rule_set(game).switches}
