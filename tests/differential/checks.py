"""What has to hold of golpae on any text.

Input: a rule text. Output: what is wrong, as `Finding`s, and counts of what was looked at.
Guarantee: a check that falls over is a finding; the checks after it still happen. Without proofs, replay and what is
built on it are held against the judge in random games; with proofs, the verdicts against all games that a walk reaches.
"""

from __future__ import annotations

import json
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

from golpae.diagnostics import SpecError, Text
from golpae.elaborate.instance import TableFault, bounds, instantiate, options_of, values_of
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, reads_unset_earlier
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.traverse import asks_earlier
from golpae.ir.types import Opt
from golpae.ir.wellformed import wellformed
from golpae.prove.answer import BOUNDED, PROVED, REFUTED
from golpae.replay import simulate
from golpae.replay.codegen.expressions import EARLIER
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.search import witness
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from golpae.verify.deciders.phrases import never_happens
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.differential.against_judge import Side, replayed
from tests.differential.all_positions import check_positions
from tests.differential.caches import check_caches
from tests.differential.compiled import check_compiled, check_playing, check_shares
from tests.differential.hands import Hands
from tests.differential.mixed_states import check_mixed
from tests.differential.rankings import check_rankings
from tests.differential.recorded_games import Recorded
from tests.differential.steps import Steps
from tests.differential.texts import RuleText
from tests.differential.theorems import check_theorems
from tests.differential.walk import Line, Position, Walk, guessed, step, tiles_of, walk
from tests.judge.table import Table

HANDS = 2  # of the games that are walked
LEAST_GAMES = 3  # of the base rules; more are played while some action has not happened
FORMATTED = 10  # one text in so many is formatted
SETTINGS = Settings(most=4_000_000, megabytes=1_000, games=20)


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

    positions: int = 1_500  # of a walk, before proofs
    proofs: bool = False
    steps: bool = False  # whether single steps of the prover are compared
    caches: bool = False
    theorems: bool = False  # whether theorems are held against the judge
    shares: bool = False  # whether hands by policies are asked on both paths
    tables: int = 100  # tables of a text that are walked, numbers of players, options and switches together
    settings: Settings = SETTINGS
    judged: int = 1  # tables at which games are held against the judge
    games: int = 7  # of the base rules at most; and one with switches
    length: int = 12  # events of a game
    tries: int = 8  # events of one action that are tried in a position
    traces: int = 4
    hands: int = 10  # that are scored with each rule set
    values: int = 3  # properties whose values are compared in a position
    switches: int = 3  # of which every combination is a rule set
    by_syntax: bool = False  # whether the text is compared by syntax with changes of it
    compared: bool = False  # whether it is compared with a change of it in every way
    small: bool = False  # whether random texts are made with few positions


def of_mutants(limits: Limits) -> Limits:
    """Return the limits for mutants of real texts, whose sets and hands are large."""
    return replace(limits, tables=1, games=3, length=16, tries=3, traces=3, hands=1, values=0, switches=1)


def check_text(text: RuleText, limits: Limits) -> Report:
    """Run every check on a text."""
    report = Report()
    if text.seed % FORMATTED == 0:
        _guarded(report, "exception-format", text.name, 0, partial(_formats, text, report))
    _guarded(report, "exception-judged", text.name, 0, partial(_judged, text, limits, report))
    if limits.caches:
        report.counts["texts through the cache"] += 1
        say = _Say(report, text.name, 0)
        _guarded(report, "exception-caches", text.name, 0, partial(check_caches, text, say))
    if not limits.proofs:
        return report
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


# ---------------------------------------------------------------------- games beside the judge


def _judged(text: RuleText, limits: Limits, report: Report) -> None:
    """Play games of replay and the judge at some tables, and read them again with every switch."""
    rng = random.Random(text.seed)
    rule_sets = rule_sets_of(text, rng.sample(text.switches, min(len(text.switches), limits.switches)))
    tables = [
        (players, options)
        for options in _options(rule_sets[text.name])
        for players in _numbers_of_players(rule_sets[text.name], options)
    ]
    happened: Counter[str] = Counter()
    for players, options in rng.sample(tables, min(len(tables), limits.judged)):
        say = _Say(report, text.name + "".join(f" {o}={v}" for o, v in options.items()), players)
        written = {
            name: text.as_written(*name.split("+")[1:]) for name in rule_sets
        }  # which names hide others
        readers = Recorded(text.name, rule_sets, written, rng, say, report.counts)
        switched = list(rule_sets)[1:]
        for name in [text.name, *rng.sample(switched, min(len(switched), 1))]:
            try:
                machine = Machine(instantiate(rule_sets[name], players, options))
            except TableFault:
                continue
            table = Table(instantiate(written[name], players, options))
            side = Side(machine, table, rng, say, report.counts, limits.tries, limits.length, limits.values)
            if limits.steps:
                side.also = Steps(machine, random.Random(text.seed), say, report.counts).compare
            report.counts["tables"] += 1
            wanted = {a.name for a in machine.rules.actions if a.kind != "finish"}
            for number in range(limits.games if name == text.name else 1):
                if number < LEAST_GAMES or not side.happened.keys() >= wanted:
                    side.game()
            happened.update(side.happened)
            _made_by_chance(machine, rng, limits.length, say, report)
            if limits.small:
                check_positions(machine, rng, say, report.counts)
            check_mixed(machine, table, side.met, rng, say, report.counts)
            readers.games(players, options, side.played, limits.traces)
            check_compiled(machine, readers.library, side.played, say, report.counts)
            check_playing(machine, text.seed, say, report.counts)
            if limits.shares:
                check_shares(machine, text.seed, say, report.counts)
            hands = Hands(name, readers.library, machine, side.making, rng, say, report.counts)
            hands.some(table, limits.hands)
            if limits.theorems:
                check_theorems(machine.instance, table.instance, limits.settings, rng, say, report.counts)
    actions = {a.name for a in rule_sets[text.name].actions if a.kind != "finish"}
    report.counts["texts of which every action happened"] += happened.keys() >= actions


def _made_by_chance(machine: Machine, rng: random.Random, length: int, say: _Say, report: Report) -> None:
    """The events of a game that golpae makes by chance are legal, and lead to its state."""
    made, read = machine.new_state(), machine.new_state()
    events: list[dict[str, Any]] = []
    key = StateKey(machine.rules, (*WORD_SLOTS, "total"))
    with suppress(simulate.DeadEnd, TooManySteps):
        for event in simulate.play(machine, made, rng, longest=length):
            events.append(event)
            refused = replayed(machine, read, event)
            if refused is not None or key(made) != key(read):
                say("made-by-chance", f"{event['do']}: {refused or 'another state'}", events)
                break
    report.counts["games made by chance"] += 1


def rule_sets_of(text: RuleText, switches: Sequence[str]) -> dict[str, RuleSet]:
    """Return the rule sets of a text by name: its base rules, and each combination of these switches without faults."""
    out = {}
    for size in range(len(switches) + 1):
        for chosen in combinations([s for s in text.switches if s in switches], size):
            try:
                out["+".join((text.name, *chosen))] = text.rule_set(*chosen)
            except SpecError:
                continue
    return out


def _numbers_of_players(rules: RuleSet, options: dict[str, int]) -> range:
    low, high = bounds(rules, options_of(rules, options))
    return range(low, min(high, low + 2) + 1)


# ---------------------------------------------------------------------- games


def _check_switches(text: RuleText, switches: tuple[str, ...], limits: Limits, report: Report) -> None:
    _check_rules(text.rule_set(*switches), limits, report)


def _check_rules(rules: RuleSet, limits: Limits, report: Report) -> None:
    for message in wellformed(rules):
        report.findings.append(Finding("wellformed", rules.rules, 0, message))
    low, high = bounds(rules, options_of(rules, {}))
    for players in range(low, high + 1):
        for options in _options(rules):
            if report.counts["tables walked"] >= limits.tables:
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
    report.counts["tables walked"] += 1
    games = walk(machine, limits.positions, HANDS)
    report.counts["positions walked"] += len(games.positions)
    report.counts["events walked"] += len(games.steps)
    report.counts["tables gone through"] += games.whole
    for at, line, reason in games.refused[:3]:
        trace = (*games.trace(games.positions[at]), line.line)
        kind = "legal-but-" + reason.split(":")[0]
        report.findings.append(Finding(kind, name, players, f"{json.dumps(line.line)}: {reason}", trace))
    say = _Say(report, name, players)
    _guarded(report, "exception-conserved", name, players, partial(_conserved, games, say))
    results: dict[str, PropertyResult] = {}
    if limits.proofs:
        verifier = Verifier(machine.instance, limits.settings)
        for prop in properties_of(rules):
            check_one = partial(_verify, verifier, prop, results)
            _guarded(report, f"prove-crash-{prop.kind}", name, players, check_one)
        report.counts["proofs"] += len(results)
        report.counts.update(f"verdict {r.verdict}" for r in results.values())
        asked = random.Random(len(games.steps))
        check_numbers = partial(check_rankings, verifier.analysis, games, asked, say, report.counts)
        _guarded(report, "exception-rankings", name, players, check_numbers)
        for result in results.values():
            if result.fault is not None:
                say("prove-fault", f"{result.name}: {result.fault}")
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


def _unlisted(machine: Machine, position: Position) -> list[str]:
    return Legal(machine).unlisted(position.state)


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
                not_ended = machine.stage(position.state) in ("playing", "over")
                if not_ended and not games.listed[position.number] and not _unlisted(machine, position):
                    say("proved-but-stuck", "no event is legal", games.trace(position))
                    return
        return
    through = list(Dependencies(rules).nodes([prop.expr]))
    if any(isinstance(node, ir.Ways) for node in through):
        return
    if prop.kind == "ends":
        if result is not None:
            _check_ends(games, prop, result, say)
        return
    moving = [n for n in through if n.STRUCTURE.reads is not None and not _fixed(n)]
    if prop.kind in ("theorem", "claim") and not moving:
        value = bool(machine.value(prop.expr, games.positions[0].state, {}))
        if (verdict == PROVED and not value) or (verdict == REFUTED and value):
            say(f"{verdict}-theorem", f"{prop.name} is {value}: {result and result.story}")
        return
    try:
        bad = next(_violations(games, prop, through), None)
    except TooManySteps:  # golpae cannot go on there (7.10, 7.11)
        return
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
    if prop.after is not None and result.vacuous == never_happens(prop.after) and games.happened[prop.after]:
        say("vacuous-wrong", f"{prop.name}: {result.vacuous}")
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
        unset_earlier = reads_unset_earlier(prop.expr, machine.rules)
        for at, line, to in games.steps:
            if unset_earlier and machine.stage(games.positions[at].state) == "before":
                continue
            if line.event.action == prop.after:
                args = witness.bound(action, _args(machine, games.positions[at].state, line))
                before = {EARLIER: games.positions[at].state} if compares else {}
                if bool(holds(games.positions[to].state, *args, **before)) is wanted:
                    target = games.positions[to]
                    yield Position(target.number, target.state, games.positions[at].depth + 1, at, line)
        return
    unset = {v.name for v in machine.rules.vars if v.initial is None and not isinstance(v.type, Opt)}
    reads_unset = any(isinstance(n, ir.StateRead) and n.name in unset for n in through)
    holds = machine.function(prop.expr, ())
    for position in games.positions:
        if reads_unset and machine.stage(position.state) == "before":
            continue
        if bool(holds(position.state)) is wanted:
            yield position


def _args(machine: Machine, before: Any, line: Line) -> tuple[Any, ...]:
    """Return the values of an event, its lists in the order that their names stand for in the state before it."""
    args = machine.read(line.event.action, line.line)
    assert isinstance(args, tuple)
    return machine.first(line.event.action, before, args)[1]


def _check_ends(games: Walk, prop: PropertyDecl, result: PropertyResult, say: _Say) -> None:
    """A hand has at most as many events as a bound says; if it is refuted, a hand has more.

    Games that were not gone through may have longer hands, so that only the first can be said without them.
    """
    longest = _longest(games, prop.after)
    if result.verdict == PROVED and (
        longest is None or (result.bound is not None and longest > result.bound)
    ):
        say("proved-ends", f"{prop.name}: {longest} events, not {result.bound}")
    allowed = longest is not None and (prop.within is None or longest <= prop.within)
    if result.verdict == REFUTED and allowed and games.whole and not games.goes_on:
        say("ends-refuted", f"{prop.name}: every hand ends after {longest} events: {result.story}")


def _longest(games: Walk, after: str | None) -> int | None:
    """Return the most events of a hand that count, or None if there is no bound."""
    played = {a.name for a in games.machine.rules.actions if a.kind == "play"}
    steps = [
        (at, to, after in (None, e.event.action)) for at, e, to in games.steps if e.event.action in played
    ]
    most = [0] * len(games.positions)
    changed = True
    while changed:
        changed = False
        for at, to, counts in reversed(steps):
            if most[to] + counts > most[at]:
                most[at] = most[to] + counts
                changed = True
                if most[at] > len(games.positions):
                    return None
    return max(most)


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
        args = machine.first(prop.after, before, args)[1]
        names = dict(zip(witness.names_of(action), witness.bound(action, args), strict=True))
    if bool(machine.value(prop.expr, done.state, names, before)) is not wanted:
        say("witness-shows-nothing", f"{prop.name}: {result.verdict}", lines)
