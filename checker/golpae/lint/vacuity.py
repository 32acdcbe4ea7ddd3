"""What in a rule text speaks of nothing: actions that can never happen, conditions that can never refuse,
properties that hold of nothing, clauses that no property depends on, and words that nothing uses.

In: a `Loaded` text without faults and the rule sets of it to look at. Out: `Note` values in reading order.

    put.even: size of p's hand >= 1          after `held: tile in p's hand`: it can never refuse

A note says what holds at every number of players, options as they normally are. It rests on the invariants that
induction finds, so nothing is noted that some game shows otherwise; what no invariant tells goes unnoticed. What
the solver has no answer to is told as unknown, and is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from itertools import product

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import clauses_of, resolve
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Condition, PropertyDecl, RuleSet
from golpae.ir.traverse import names_in, nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Tile
from golpae.lint.cone_of_influence import clauses_outside_cone
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import OPAQUE
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import SAT, UNKNOWN, UNSAT
from golpae.prove.symbolic.values import Truth, Unsupported, Value, any_of, bag_of, conj, negate
from golpae.syntax import tree as t
from golpae.verify.options import Settings
from golpae.verify.scheduler import tables
from golpae.verify.verifier import Verifier
from golpae.workers import Crash, results

LOT = 32  # events that one question asks about
MOST_EXTRA = 2_000  # events that only break a condition with tiles that nobody has, or in another order
Key = tuple[str, str]  # `action`, `condition`, `property`, or `clause` that no property depends on; its path


@dataclass(frozen=True, slots=True)
class Note:
    """Something that speaks of nothing, or (`unknown`) of which the solver could not say whether it does."""

    path: str
    message: str
    span: Span | None
    unknown: bool = False

    def __str__(self) -> str:
        said = f"{'unknown' if self.unknown else 'note'}: {self.message}"
        if self.span is None:
            return said
        line, column = self.span.text.place(self.span.start)
        return f"{self.span.text.name}:{line}:{column}: {said}"


@dataclass(slots=True)
class VacuityReport:
    """What one rule set says of nothing, each with why; and what is unknown, with the reason."""

    found: dict[Key, str] = field(default_factory=dict)
    unknown: dict[Key, str] = field(default_factory=dict)


def notes(loaded: Loaded, rule_sets: Sequence[str], settings: Settings, jobs: int = 1) -> list[Note]:
    """All that can be noted of a text without faults. Raises `SpecError` where there is no such rule set."""
    made = {rules: check(resolve(rules, loaded)) for rules in rule_sets}
    if jobs == 1 or len(made) == 1:
        seen = [examine(rule_set, settings) for rule_set in made.values()]
    else:
        reports: dict[int, VacuityReport] = {}
        for number, report in results(partial(examine, settings=settings), list(made.values()), jobs):
            if isinstance(report, Crash):
                raise report.exception or RuntimeError(report.reason)
            reports[number] = report
        seen = [reports[number] for number in range(len(made))]
    return [*_told(loaded, dict(zip(made, seen, strict=True))), *_unused(loaded)]


# ------------------------------------------------------------------ one rule set


def examine(rule_set: RuleSet, settings: Settings) -> VacuityReport:
    """What speaks of nothing at every table of a rule set."""
    out = VacuityReport()
    asked = list(_keys(rule_set))
    for players, options in tables(rule_set):
        if not asked:
            break
        desk = Verifier(instantiate(rule_set, players, options), replace(settings, games=0))
        here = _at_table(desk, asked)
        asked = [k for k in asked if k in here.found or k in here.unknown]
        for key in asked:
            if key in here.unknown:
                out.unknown.setdefault(key, here.unknown[key])
            else:
                out.found.setdefault(key, here.found[key])
    out.unknown = {k: out.unknown[k] for k in asked if k in out.unknown}
    out.found = {k: out.found[k] for k in asked if k not in out.unknown}
    out.found |= {("clause", path): why for path, why in clauses_outside_cone(rule_set).items()}
    return out


def _keys(rule_set: RuleSet) -> Iterator[Key]:
    for action in rule_set.actions:
        yield "action", action.name
        for condition in action.conditions:
            if not _unwritten(action, condition):
                yield "condition", f"{action.name}.{condition.name}"
    for prop in rule_set.properties:
        if prop.kind in ("theorem", "claim", "always", "never"):
            yield "property", prop.name


def _at_table(desk: Verifier, asked: Sequence[Key]) -> VacuityReport:
    out = VacuityReport()
    rule_set = desk.instance.rule_set
    with suppress(Unsupported):
        desk.analysis.strengthen()
    for prop in rule_set.properties:
        if ("property", prop.name) in asked:
            vacuous = _vacuous(desk, prop)
            if vacuous is not None:
                out.found["property", prop.name] = vacuous
    for action in rule_set.actions:
        mine = {k for k in asked if k[0] != "property" and k[1].partition(".")[0] == action.name}
        if not mine:
            continue
        try:
            _Asking(desk.analysis.induction, action).ask(mine, out)
        except Unsupported as fault:
            said = dict.fromkeys(mine - out.found.keys(), f"the prover cannot say {fault}")
            out.unknown = said | out.unknown
    return out


def _vacuous(desk: Verifier, prop: PropertyDecl) -> str | None:
    """Why a property that holds speaks of nothing; None where it speaks of something, or does not hold."""
    static = prop.kind in ("theorem", "claim") and prop.after is None and desk.analysis.is_static(prop.expr)
    if static and desk.analysis.theorems.vacuous(prop.expr) is None:
        return None  # whether it holds need not be worked out
    return desk.verify(prop).vacuous


@dataclass(frozen=True, slots=True)
class _Event:
    """One way to fill in an action: the truth of each of its conditions, up to one that is certainly false."""

    guards: tuple[Truth, ...]
    facts: tuple[Truth, ...]


class _Asking:
    """What the conditions of one action let through at one table."""

    def __init__(self, induction: Induction, action: Action) -> None:
        self.induction = induction
        self.rules: TransitionSystem = induction.rules
        self.action = action
        self.known = induction.premises
        self.facts: tuple[Truth, ...] = ()
        self._events: list[_Event] | None = None
        self._names: list[dict[str, Value]] = []

    def ask(self, wanted: set[Key], out: VacuityReport) -> None:
        """Put what was found into `out`: whether the action can happen, and which conditions can refuse."""
        action = self.action
        key = ("action", action.name)
        dead: str | None = None
        if key in wanted:
            ways = [conj(*s.path_condition) for s in self.induction.steps if s.action.name == action.name]
            said = self._any(f"{action.name} can happen", ways)
            if said == UNSAT:
                dead = out.found[key] = self._culprit()
            elif said == UNKNOWN:
                out.unknown[key] = "the solver had no answer"
        for number, condition in enumerate(action.conditions):
            key = ("condition", f"{action.name}.{condition.name}")
            if key not in wanted or dead is not None or self._fixes(condition):
                continue
            strange = self._strange(condition)
            if strange is not None:
                out.unknown[key] = f"it asks for `{strange}`, of which the prover knows nothing"
                continue
            said = self._refuses(number, condition)
            if said == UNSAT:
                out.found[key] = "it can never refuse: it holds wherever the conditions before it do"
            elif said == UNKNOWN:
                out.unknown[key] = "the solver had no answer"

    # ------------------------------------------------------------------ conditions

    def _fixes(self, condition: Condition) -> bool:
        """Whether a condition says what a parameter is, so that any other value of it is refused."""
        names = {p.name for p in self.action.params}
        match condition.expr:
            case ir.Op(op="eq", args=(ir.Local(name=name), _)):
                return name in names
            case expr:
                return any(isinstance(n, ir.LayOut) and names_in(n.groups) & names for n in nodes(expr))

    def _strange(self, condition: Condition) -> str | None:
        """A parameter that a condition asks for, and whose values the prover does not go through."""
        asked = names_in(condition.expr)
        grouped = {p.name for p in self.action.params if p.type == BagType(BagType(Tile()))}
        given = {"winner"} if self.action.kind == "end" else set()
        some = self.names[0] if self.names else {}
        return next((n for n in sorted(asked) if n in grouped | given or some.get(n) is OPAQUE), None)

    def _refuses(self, number: int, condition: Condition) -> str:
        """Whether a condition refuses some event that the conditions before it let through."""
        about = f"{self.action.name}.{condition.name} refuses"
        said = self._any(about, list(_stopped(self.events, number)))
        if said != UNSAT:
            return said
        extra = self._extra()
        if extra is None:
            return UNKNOWN
        said = self._any(about, list(_stopped(extra, number)))
        if said != UNSAT:
            return said
        # where nothing gets as far as this condition, it is the others that let nothing through
        reached = self._any(about, list(_passed(self.events, number)))
        return SAT if reached == UNSAT else reached if reached == UNKNOWN else UNSAT

    def _culprit(self) -> str:
        """Why an action can never happen."""
        for number, condition in enumerate(self.action.conditions):
            about = f"{self.action.name}.{condition.name} lets through"
            said = self._any(about, list(_passed(self.events, number + 1)))
            if said == UNSAT:
                return (
                    f"it can never happen: `{condition.name}` never holds where the conditions before it do"
                )
        return "it can never happen: what it does cannot be done where its conditions hold"

    # ------------------------------------------------------------------ events

    @property
    def names(self) -> list[dict[str, Value]]:
        _ = self.events
        return self._names

    @property
    def events(self) -> list[_Event]:
        """All ways to fill in the action."""
        if self._events is None:
            symbols = self.rules.symbols
            begin = len(symbols.facts)
            if self.action.kind == "deal":
                steps = self.rules.steps(replace(self.action, effects=()), self.induction.state)
                made = [(dict(s.names), tuple(g for _, g in s.guards), s.facts) for s in steps]
                self._names = [names for names, _, _ in made]
                self._events = [
                    _Event(guards[: len(self.action.conditions)], facts) for _, guards, facts in made
                ]
            else:
                self._names = [dict(n) for n in self.rules.instances(self.action, self.induction.state)]
                if not any(p.type == BagType(Tile()) and not p.parts for p in self.action.params):
                    self.facts = tuple(symbols.facts[begin:])  # an event may name more tiles than there are
                self._events = [self._event(names) for names in self._names]
        return self._events

    def _event(self, names: Mapping[str, Value]) -> _Event:
        symbols = self.rules.symbols
        begin = len(symbols.facts)
        step = self.rules.step(replace(self.action, effects=()), names, self.induction.state)
        guards = tuple(g for _, g in step.guards[: len(self.action.conditions)])
        return _Event(guards, tuple(symbols.facts[begin:]))

    def _extra(self) -> list[_Event] | None:
        """Events that name their tiles in another order, or more of a kind than there are; None: too many."""
        out: list[_Event] = []
        for param in self.action.params:
            if not param.parts:
                continue
            known = {tuple(n[p] for p in param.parts) for n in self.names}
            kinds = self.rules.evaluator.kinds
            first = {id(n[param.name]): n for n in self.names}
            others = [n for n in self.names if n[param.name] is next(iter(first.values()))[param.name]]
            if len(kinds) ** len(param.parts) * len(others) > MOST_EXTRA:
                return None
            for tiles in product(kinds, repeat=len(param.parts)):
                if tiles not in known:
                    given = {param.name: bag_of(tiles), **dict(zip(param.parts, tiles, strict=True))}
                    out += [self._event({**n, **given}) for n in others]
        return out

    # ------------------------------------------------------------------ questions

    def _any(self, about: str, ways: Sequence[Truth]) -> str:
        """Whether one of these can be, with all that is known."""
        open_ = [w for w in ways if w is not False]
        out = UNSAT
        for begin in range(0, len(open_), LOT):
            asked = [*self.known, *self.facts, any_of(open_[begin : begin + LOT])]
            solver, exactly = self.induction.solver, self.rules.evaluator.abstraction.axioms
            reply = solver.check(about, asked)
            if reply.status == SAT and exactly:
                reply = solver.check(about, [*asked, *(e() for e in exactly)])
            if reply.status == SAT:
                return SAT
            if reply.status == UNKNOWN:
                out = UNKNOWN
        return out


def _stopped(events: Sequence[_Event], number: int) -> Iterator[Truth]:
    """Events that get as far as a condition, and no further."""
    for event in events:
        if len(event.guards) > number:
            yield conj(*event.facts, *event.guards[:number], negate(event.guards[number]))


def _passed(events: Sequence[_Event], number: int) -> Iterator[Truth]:
    """Events that so many conditions let through."""
    for event in events:
        if len(event.guards) >= number:
            yield conj(*event.facts, *event.guards[:number])


def _unwritten(action: Action, condition: Condition) -> bool:
    """Whether no line of the text says it: what the trace contract asks, and that `{a, b}` are two tiles."""
    match condition.expr:
        case ir.Implicit():
            return True
        case ir.Op(op="eq", args=(ir.Op(op="size", args=(ir.Local(name=name),)), ir.Const())):
            return name == condition.name and any(p.name == name and p.parts for p in action.params)
        case _:
            return False


# ------------------------------------------------------------------ what is told


def _told(loaded: Loaded, seen: Mapping[str, VacuityReport]) -> list[Note]:
    """The notes of all rule sets, each once, with the switches that it takes."""
    out: list[tuple[int, Note]] = []
    keys: dict[Key, None] = {}
    for nothings in seen.values():
        keys |= dict.fromkeys((*nothings.found, *nothings.unknown))
    base = loaded.game.name.text
    order = {name: i for i, name in enumerate(_names_of(loaded))}
    for key in keys:
        kind, path = key
        block = path.partition(".")[0]
        for unknown in (False, True):
            why: dict[str, list[str]] = {}
            for rules, nothings in seen.items():
                said = nothings.unknown if unknown else nothings.found
                if key in said:
                    why.setdefault(said[key], []).append(rules)
            for reason, those in why.items():
                message = f"`{path}`: {reason}{_where(base, those, seen, key)}"
                note = Note(path, message, _span(loaded, those[0], kind, path), unknown)
                out.append((order.get(block, len(order)), note))
    return [note for _, note in sorted(out, key=lambda entry: entry[0])]


def _where(base: str, rules: Sequence[str], seen: Mapping[str, VacuityReport], key: Key) -> str:
    """With which switches something holds; nothing where it holds of all that was looked at."""
    if base in rules:
        without = [
            r for r in seen if r not in rules and key not in seen[r].unknown and key not in seen[r].found
        ]
        return f" (but not with {_switches(without)})" if without else ""
    return f" (with {_switches(rules)})"


def _switches(rules: Sequence[str]) -> str:
    return quoted_list(r.split("+", 1)[1] for r in rules)


def _names_of(loaded: Loaded) -> Iterator[str]:
    for decl in loaded.decls:
        if isinstance(decl, t.Action | t.Property | t.Score):
            yield decl.name.text


def _span(loaded: Loaded, rules: str, kind: str, path: str) -> Span | None:
    """Where an action, a property, or a clause of a rule set stands."""
    block, _, clause = path.partition(".")
    for decl in resolve(rules, loaded).decls:
        if kind == "property":
            if isinstance(decl, t.Property) and decl.name.text == path:
                return decl.name.span
        elif isinstance(decl, t.Action | t.Score) and decl.name.text == block:
            places = [c.name for c in clauses_of(decl) if c.name.text == clause]
            unnamed = kind == "clause" and len(places) > 1
            return places[0].span if places and not unnamed else decl.name.span
    return None


# ------------------------------------------------------------------ what nothing uses


def _unused(loaded: Loaded) -> Iterator[Note]:
    """Definitions, shapes and arrangements of the text itself that nothing in it speaks of."""
    own = loaded.game.name.span.text
    spoken = [(decl, set(_spoken(decl))) for decl in loaded.decls if not isinstance(decl, t.Source)]
    for decl, _ in spoken:
        if isinstance(decl, t.Define | t.Shape | t.Arrangement) and decl.name.span.text == own:
            name = decl.name
            several = {name.text, f"{name.text}s"} if isinstance(decl, t.Shape) else {name.text}  # `2 pairs`
            if not any(several & words for other, words in spoken if other is not decl):
                yield Note(name.text, f"`{name.text}`: nothing uses this {_KINDS[type(decl)]}", name.span)


_KINDS = {t.Define: "definition", t.Shape: "shape", t.Arrangement: "arrangement"}


def _spoken(part: object) -> Iterator[str]:
    """All words of a part of a text that may name something of it."""
    match part:
        case tuple():
            for item in part:
                yield from _spoken(item)
        case t.Remarks() | Span():
            return
        case str():
            yield part
        case t.Delta():  # what is changed is not used by that
            yield from _spoken(part.body)
        case t.Variant():
            yield from _spoken((part.deltas, part.properties))
        case _ if is_dataclass(part):
            for each in fields(part):
                value = getattr(part, each.name)
                if each.name in ("message", "title", "gist", "spoken"):
                    for words in re.findall(r"\{([^{}]*)\}", value) if isinstance(value, str) else ():
                        yield from re.findall(r"[\w-]+", words)
                else:
                    yield from _spoken(value)
        case _:
            return


__all__ = ["Note", "VacuityReport", "examine", "notes"]
