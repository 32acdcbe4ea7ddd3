"""What has to hold of golpae on any text, without a second meaning to compare it with.

Input: a rule text. Output: what is wrong, as `Finding`s, and counts of what was looked at.
Guarantee: a check that falls over is a finding; the checks after it still happen.
"""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from golpae.diagnostics import SpecError, Text
from golpae.elaborate.instance import bounds, instantiate, options_of, values_of
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.traverse import asks_earlier, exprs_in, flat, nodes
from golpae.ir.types import Bag, Opt
from golpae.ir.wellformed import wellformed
from golpae.prove.answer import BOUNDED, PROVED, REFUTED
from golpae.replay.codegen.expressions import EARLIER
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.search import witness
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.differential.texts import RuleText
from tests.differential.walk import Line, Position, Walk, candidates, frozen, guessed, step, tiles_of, walk

MOST_CANDIDATES = 500  # events of one action that are all tried at a position
POSITIONS_TRIED = 60
ORDERED = {
    "reserve",
    "hands",
    "pay",
    "totals",
}  # keys of every game in which the order of a list means something
SETTINGS = Settings(milliseconds=2_000, megabytes=1_000, games=20)


@dataclass(frozen=True)
class Finding:
    """Something that is wrong. `kind` is the check that fails; `trace` is a game that shows it."""

    kind: str
    rules: str
    players: int
    detail: str
    trace: tuple[dict[str, Any], ...] = ()


@dataclass
class Report:
    """What the checks of a text found."""

    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Limits:
    """How far the checks go."""

    positions: int = 1_500
    proofs: bool = False
    tables: int = 100  # tables of a text, numbers of players, options and switches together
    settings: Settings = SETTINGS


def check_text(text: RuleText, limits: Limits) -> Report:
    """Run every check on a text."""
    report = Report()
    _guarded(report, "exception-format", text.name, 0, partial(_formats, text, report))
    for switches in ((), *((s,) for s in text.switches)):
        name = "+".join((text.name, *switches))
        _guarded(report, "exception", name, 0, partial(_check_switches, text, switches, limits, report))
    return report


def _guarded(report: Report, kind: str, rules: str, players: int, check: Callable[[], None]) -> None:
    """Run a check; if it falls over, that is a finding."""
    try:
        check()
    except Exception as fault:
        last = traceback.extract_tb(fault.__traceback__)[-3:]
        places = " < ".join(f"{f.filename.split('/')[-1]}:{f.lineno} {f.name}" for f in last[::-1])
        report.findings.append(
            Finding(f"{kind}-{type(fault).__name__}", rules, players, f"{fault!r} at {places}")
        )


# ---------------------------------------------------------------------- syntax


def _formats(text: RuleText, report: Report) -> None:
    """The formatter never changes what a text means, and formats its own text as it is."""
    first = parse(Text.of("a", text.source))
    formatted = format_text(first)
    report.counts["formatted"] += 1
    try:
        second = parse(Text.of("b", formatted))
    except SpecError as fault:
        report.findings.append(Finding("format-unreadable", text.name, 0, fault.diagnostics[0].message))
        return
    if first.decls != second.decls:
        report.findings.append(Finding("format-changes", text.name, 0, "another tree after formatting"))
    if format_text(second) != formatted:
        report.findings.append(Finding("format-again", text.name, 0, "formatting again changes the text"))


# ---------------------------------------------------------------------- games


def _check_switches(text: RuleText, switches: tuple[str, ...], limits: Limits, report: Report) -> None:
    _check_rules(text.rule_set(*switches), limits, report)


def _check_rules(rules: RuleSet, limits: Limits, report: Report) -> None:
    for message in wellformed(rules):
        report.findings.append(Finding("wellformed", rules.rules, 0, message))
    low, high = bounds(rules, options_of(rules, {}))
    for players in range(low, high + 1):
        for options in _options(rules):
            if report.counts["tables"] >= limits.tables:
                return
            check = partial(_check_table, rules, players, options, limits, report)
            _guarded(report, "exception", rules.rules, players, check)


def _options(rules: RuleSet) -> Iterator[dict[str, int]]:
    """Yield the usual values of the options, and for the first option its last value."""
    yield {}
    for option in rules.options[:1]:
        values = values_of(rules, option.name)
        if options_of(rules, {})[option.name] != values[-1]:
            yield {option.name: values[-1]}


def _check_table(
    rules: RuleSet, players: int, options: dict[str, int], limits: Limits, report: Report
) -> None:
    machine = Machine(instantiate(rules, players, options))
    name = rules.rules + "".join(f" {o}={v}" for o, v in options.items())
    report.counts["tables"] += 1
    games = walk(machine, limits.positions)
    report.counts["positions"] += len(games.positions)
    report.counts["events"] += len(games.steps)
    report.counts["ended"] += games.ended
    report.counts["tables gone through"] += games.whole
    for at, line, reason in games.refused[:3]:
        trace = (*games.trace(games.positions[at]), line.line)
        kind = "legal-but-" + reason.split(":")[0]
        report.findings.append(Finding(kind, name, players, f"{json.dumps(line.line)}: {reason}", trace))
    say = _Say(report, name, players)
    for check in (_conserved, _brute_force, _order_free):
        kind = f"exception-{check.__name__.strip('_')}"
        _guarded(report, kind, name, players, partial(check, games, say))
    results: dict[str, PropertyResult] = {}
    if limits.proofs:
        verifier = Verifier(machine.instance, limits.settings)
        for prop in properties_of(rules):
            check_one = partial(_verify, verifier, prop, results)
            _guarded(report, f"prove-crash-{prop.kind}", name, players, check_one)
        report.counts["proofs"] += len(results)
        report.counts.update(f"verdict {r.verdict}" for r in results.values())
        for result in results.values():
            if "crash" in result.story or "internal" in result.story:
                say("prove-crash-story", f"{result.name}: {result.story}")
    for prop in properties_of(rules):
        check_property = partial(_check_property, games, prop, results.get(prop.name), say)
        _guarded(report, f"exception-property-{prop.kind}", name, players, check_property)


def _verify(verifier: Verifier, prop: PropertyDecl, results: dict[str, PropertyResult]) -> None:
    results[prop.name] = verifier.verify(prop)


@dataclass
class _Say:
    """Enters findings of one table, at most three of a kind."""

    report: Report
    rules: str
    players: int
    seen: Counter[str] = field(default_factory=Counter)

    def __call__(self, kind: str, detail: str, trace: list[dict[str, Any]] | None = None) -> None:
        self.seen[kind] += 1
        if self.seen[kind] <= 2:
            self.report.findings.append(Finding(kind, self.rules, self.players, detail, tuple(trace or ())))


def _conserved(games: Walk, say: _Say) -> None:
    """At every position the zones together hold the set."""
    whole = Counter(games.machine.instance.whole)
    for position in games.positions:
        if tiles_of(games.machine, position.state) != whole:
            say("tiles-lost", "the zones do not hold the set", games.trace(position))


def _brute_force(games: Walk, say: _Say) -> None:
    """Of all events of small key spaces, exactly those are accepted that `legal` lists."""
    machine = games.machine
    spaced = games.positions[:: max(1, len(games.positions) // POSITIONS_TRIED)]
    for action in machine.rules.actions:
        if action.kind not in ("play", "before"):
            continue
        lines = candidates(machine, action, MOST_CANDIDATES)
        if lines is None:
            continue
        ordered = _ordered_keys(machine.rules, action.name)
        for position in spaced:
            if position.number >= len(games.listed):
                continue
            if action.name in _unlisted(machine, position):
                continue
            listed = {
                _plain(e.line, ordered)
                for e in games.listed[position.number]
                if e.event.action == action.name
            }
            accepted = set()
            for line in lines:
                if step(machine, machine.copy(position.state), line) is None:
                    accepted.add(_plain(line, ordered))
                say.report.counts["events tried"] += 1
            if accepted - listed:
                missing = min(accepted - listed)
                say("legal-misses", f"{missing}", [*games.trace(position), json.loads(missing)])


def _unlisted(machine: Machine, position: Position) -> list[str]:
    return Legal(machine).unlisted(position.state)


def _ordered_keys(rules: RuleSet, name: str) -> set[str]:
    """Return the keys of an action whose order means something."""
    action = rules.action(name)
    assert action is not None
    effects = [e for clause in action.effects for e in flat(clause.effects)]
    asked = [n for c in action.conditions for n in nodes(c.expr)]
    asked += [n for e in exprs_in(effects) for n in nodes(e)]
    keys = {n.tiles.name for n in asked if isinstance(n, ir.FitsOrder) and isinstance(n.tiles, ir.Local)}
    return keys | {
        e.tiles.name for e in effects if isinstance(e, ir.Arrange) and isinstance(e.tiles, ir.Local)
    }


def _plain(line: dict[str, Any], ordered: set[str]) -> str:
    """Return an event in one way to write it."""
    return json.dumps(
        {k: sorted(v, key=repr) if isinstance(v, list) and k not in ordered else v for k, v in line.items()},
        sort_keys=True,
    )


def _order_free(games: Walk, say: _Say) -> None:
    """A list that is written in another order is the same event, with the same result."""
    machine = games.machine
    for at, line, to in games.steps[:: max(1, len(games.steps) // 200)]:
        action = machine.actions[line.event.action]
        ordered = _ordered_keys(machine.rules, action.name)
        turned = dict(line.line)
        for param in action.params:
            bare = param.type.item if isinstance(param.type, Opt) else param.type
            value = turned.get(param.name)
            if isinstance(bare, Bag) and isinstance(value, list) and param.name not in {*ordered, *ORDERED}:
                turned[param.name] = value[::-1]
        if turned == line.line:
            continue
        state = machine.copy(games.positions[at].state)
        reason = step(machine, state, turned)
        trace = [*games.trace(games.positions[at]), turned]
        if reason is not None:
            say("order-refused", f"{json.dumps(turned)}: {reason}", trace)
        elif frozen(machine.rules, state) != frozen(machine.rules, games.positions[to].state):
            say("order-matters", json.dumps(turned), trace)


# ---------------------------------------------------------------------- properties


def _check_property(games: Walk, prop: PropertyDecl, result: PropertyResult | None, say: _Say) -> None:
    """Compare a verdict with all positions and events of the walk."""
    machine, rules = games.machine, games.machine.rules
    verdict = None if result is None else result.verdict
    if prop.name.endswith("-brings"):
        return
    if prop.name == CONSERVATION:
        if verdict == REFUTED:
            say("refuted-tiles-are-kept", str(result and result.story))
        return
    if prop.name == DEADLOCK_FREEDOM:
        if verdict == REFUTED and result is not None:
            _check_stuck(games, result, say)
        if verdict == PROVED:
            for position in games.positions[: len(games.listed)]:
                playing = machine.stage(position.state) == "playing"
                if playing and not games.listed[position.number] and not _unlisted(machine, position):
                    say("proved-but-stuck", "no event is legal", games.trace(position))
                    return
        return
    definitions = {d.name: d for d in rules.definitions}
    through = list(nodes_through(prop.expr, definitions))
    if any(isinstance(node, ir.Ways) for node in through):
        return
    if prop.kind == "ends":
        if verdict == REFUTED and games.whole:
            say("ends-refuted", f"{prop.name}: every hand ends after a few events: {result and result.story}")
        if verdict == PROVED:
            _check_ends(games, prop, say)
        return
    moving = [n for n in through if n.STRUCTURE.reads is not None and not _fixed(n)]
    if prop.kind in ("theorem", "claim") and not moving:
        value = bool(machine.value(prop.expr, games.positions[0].state, {}))
        if (verdict == PROVED and not value) or (verdict == REFUTED and value):
            say(f"{verdict}-theorem", f"{prop.name} is {value}: {result and result.story}")
        return
    bad = next(_violations(games, prop, through), None)
    says_some = prop.kind == "reachable"
    if result is None:
        return
    if verdict == PROVED and not says_some and bad is not None:
        say(f"proved-{prop.kind}", f"{prop.name}: {result.story}", games.trace(bad))
    elif verdict == REFUTED and says_some and bad is not None:
        say("refuted-reachable", f"{prop.name}: {result.story}", games.trace(bad))
    elif verdict == BOUNDED and not says_some and bad is not None and result.bound is not None:
        if bad.depth <= result.bound:
            say("bounded-wrong", f"{prop.name} up to {result.bound}: {result.story}", games.trace(bad))
    shows = PROVED if says_some else REFUTED
    if verdict == shows:
        _check_witness(games, prop, result, says_some, say)


def _check_stuck(games: Walk, result: PropertyResult, say: _Say) -> None:
    """After the game that a refutation shows, the hand is played and no event is legal."""
    machine = games.machine
    lines = [dict(line) for line in (result.witness.events if result.witness is not None else ())]
    done = witness.replays(machine, {"stake": 1}, lines)
    if not lines or not done.accepted:
        say("witness-refused", f"{DEADLOCK_FREEDOM}: event {done.events + 1}: {done.refused}", lines)
        return
    legal = Legal(machine)
    events = list(legal.events(done.state))
    guesses = [g for name in machine.actions for g in guessed(machine, name, done.state)]
    accepted = [g.line for g in guesses if step(machine, machine.copy(done.state), g.line) is None]
    if machine.stage(done.state) not in ("playing", "over") or events or accepted:
        say("refuted-but-not-stuck", f"{[e.action for e in events]} {accepted[:2]}", lines)


def _fixed(node: ir.Expr) -> bool:
    """Return whether a node means the same throughout a game."""
    return isinstance(node, ir.Builtin) and not ir.WORDS[node.name].changes


def _violations(games: Walk, prop: PropertyDecl, through: list[ir.Expr]) -> Iterator[Position]:
    """Yield positions at which a property does not hold; for `reachable`, at which it does."""
    machine = games.machine
    wanted = prop.kind in ("never", "reachable")
    if prop.after is not None:
        action = machine.actions[prop.after]
        holds = machine.function(prop.expr, witness.names_of(action))
        compares = asks_earlier(prop.expr)
        for at, line, to in games.steps:
            if line.event.action == prop.after:
                args = witness.bound(action, _args(machine, line))
                before = {EARLIER: games.positions[at].state} if compares else {}
                if bool(holds(games.positions[to].state, *args, **before)) is wanted:
                    target = games.positions[to]
                    yield Position(target.number, target.state, games.positions[at].depth + 1, at, line)
        return
    unset = {
        v.name
        for v in machine.rules.vars
        if v.scope == "hand" and v.initial is None and not isinstance(v.type, Opt)
    }
    reads_unset = any(isinstance(n, ir.StateRead) and n.name in unset for n in through)
    holds = machine.function(prop.expr, ())
    for position in games.positions:
        if reads_unset and machine.stage(position.state) == "before":
            continue
        if bool(holds(position.state)) is wanted:
            yield position


def _args(machine: Machine, line: Line) -> tuple[Any, ...]:
    args = machine.read(line.event.action, line.line)
    assert isinstance(args, tuple)
    return args


def _check_ends(games: Walk, prop: PropertyDecl, say: _Say) -> None:
    """A number that is proved to fall does fall, and is not negative while a hand is played."""
    machine = games.machine
    if prop.after is not None and machine.actions[prop.after].params:
        return
    number = machine.function(prop.expr, ()) if prop.after is None else None
    if number is None:
        return
    for at, line, to in games.steps:
        if machine.actions[line.event.action].kind != "play":
            continue
        before, after = games.positions[at].state, games.positions[to].state
        if number(before) < 0 or (machine.stage(after) == "playing" and number(after) >= number(before)):
            trace = [*games.trace(games.positions[at]), line.line]
            say("proved-ends", f"{prop.name}: {number(before)} then {number(after)}", trace)
            return


def _check_witness(games: Walk, prop: PropertyDecl, result: PropertyResult, wanted: bool, say: _Say) -> None:
    """A witness replays, and shows what it is for."""
    machine = games.machine
    if result.witness is None:
        say("no-witness", f"{prop.name}: {result.verdict}: {result.story}")
        return
    lines = [dict(line) for line in result.witness.events]
    done = witness.replays(machine, {"stake": 1}, lines)
    if not done.accepted:
        say("witness-refused", f"{prop.name}: event {done.events + 1}: {done.refused}", lines)
        return
    wanted = prop.kind in ("never", "reachable")
    names: dict[str, Any] = {}
    before = machine.new_state()
    if lines:
        before = witness.replays(machine, {"stake": 1}, lines[:-1]).state
    if prop.after is not None:
        args = machine.read(prop.after, lines[-1]) if lines and lines[-1]["do"] == prop.after else None
        if not isinstance(args, tuple):
            say("witness-shows-nothing", f"{prop.name}: the last event is no `{prop.after}`", lines)
            return
        action = machine.actions[prop.after]
        names = dict(zip(witness.names_of(action), witness.bound(action, args), strict=True))
    if bool(machine.value(prop.expr, done.state, names, before)) is not wanted:
        say("witness-shows-nothing", f"{prop.name}: {result.verdict}", lines)
