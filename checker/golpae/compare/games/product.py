"""Two rule sets taken through the same events side by side, by a solver.

In: two `Side`s, tables of two rule sets with the same places and tiles. Out: whether every event that is legal in the
one is legal in the other too, whatever game led there that both allow; and whether both pay the same.

Both games begin alike, and as long as both allow the same events, what they do to the table is the same where it is
written alike. What is written otherwise may lead apart: such states are looked at in both, and where a solver cannot
say that they stay the same, they may differ from then on (`apart`). Conditions are then compared one by one, with all
that always holds of either game to start from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from golpae.compare.games.alignment import Rewritten, speaks_alike
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, PROVED, UNKNOWN, Answer
from golpae.elaborate.constant import constant_int
from golpae.ir import expr as ir
from golpae.ir.dependencies import written_by
from golpae.ir.ruleset import Action, Condition, VarDecl
from golpae.ir.traverse import exprs_of, flat, names_in
from golpae.prove.encoding.evaluate import OPAQUE
from golpae.prove.encoding.step import Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import Candidate
from golpae.prove.solving.solver import SAT, UNSAT, Session
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import (
    Bag,
    Truth,
    Unsupported,
    Value,
    all_of,
    any_of,
    bags_same,
    equal,
    implies,
    negate,
    same,
)
from golpae.prove.symbolic.zones import Zone
from golpae.verify.analysis import Analysis

ALIKE = "its conditions are written alike, and what they depend on"
PAID_ALIKE = "payments are written alike, and so is all that they depend on"


class RefinementChecker:
    """Compares `a` with `b`; `rewritten` knows what is written otherwise."""

    def __init__(self, a: Analysis, b: Analysis, rewritten: Rewritten) -> None:
        self.a, self.b = a, b
        self.rewritten = rewritten
        self.diverged = self._diverged_at_start()
        self._session: Session | None = None
        self._tables: dict[Analysis, SymbolicState] = {}
        self._settled = False
        self._failing: list[tuple[Action, Action, Condition]] = []  # of the last question

    # ------------------------------------------------------------------ what is asked

    def by_syntax(self) -> dict[str, Answer]:
        """The answers that need no solver, by question."""
        settled = self.diverged
        self.diverged = self._diverged_at_start()
        while more := self._all_possibly_diverging() - self.diverged:
            self.diverged |= more
        out = {}
        if not self._anything_to_ask(self.a, self.b):
            out[A_IN_B] = Answer(PROVED, ALIKE)
        if not self._anything_to_ask(self.b, self.a):
            out[B_IN_A] = Answer(PROVED, ALIKE)
        if "total" not in self.diverged:
            out[PAID] = Answer(PROVED, PAID_ALIKE)
        self.diverged = settled
        return out

    def _all_possibly_diverging(self) -> set[str]:
        rules, others = self.a.instance.rule_set, self.b.instance.rule_set
        pairs = [(action, others.action(action.name)) for action in rules.actions]
        return set().union(
            *(self._possibly_diverging(one, other) for one, other in pairs if other is not None)
        )

    def _anything_to_ask(self, ours: Analysis, theirs: Analysis) -> bool:
        """Whether something of `theirs` has to be asked where an event is legal in `ours`."""
        for action in ours.instance.rule_set.actions:
            other = theirs.instance.rule_set.action(action.name)
            if other is None or any(self._to_ask(c, action) for c in other.conditions):
                return True
            if action.kind == "deal" and not self.dealt_alike(action, other):
                return True
            if not self._done_alike(action, other):
                return True
        return False

    def all_legal(self, ours: Analysis, theirs: Analysis) -> Answer:
        """Whether every game of `ours` is one of `theirs`."""
        try:
            return self._all_legal(ours, theirs)
        except Unsupported as fault:
            return Answer(UNKNOWN, f"the prover cannot say {fault}")

    def _all_legal(self, ours: Analysis, theirs: Analysis) -> Answer:
        self._settle()
        self._failing = []
        compared, failed = 0, ""
        for action in ours.instance.rule_set.actions:
            other = theirs.instance.rule_set.action(action.name)
            if other is None:
                return Answer(UNKNOWN, f"{theirs.instance.rule_set.rules} has no `{action.name}`")
            if action.kind == "deal" and not self.dealt_alike(action, other):
                return Answer(UNKNOWN, "what is dealt is not the same")
            asked = [c for c in other.conditions if self._to_ask(c, action)]
            moved = not self._done_alike(action, other)
            if not asked and not moved:
                continue
            wrong: dict[str, str] = {}
            for step in self._steps(ours, action):
                for name, truths in self._wrong(step, ours, theirs, other, asked, moved):
                    compared += 1
                    if name not in wrong:
                        why = self._cannot_be(f"{action.name}.{name}", [*step.path_condition, *truths])
                        if why is not None:
                            wrong[name] = f"not proved of `{action.name}.{name}`{why}"
            failed = failed or next(iter(wrong.values()), "")
            self._failing += [(action, other, c) for c in asked if c.name in wrong]
        if failed:
            return Answer(UNKNOWN, failed)
        return Answer(
            PROVED,
            ALIKE if not compared else f"compared at {compared} kinds of events, with what always holds",
        )

    def try_as_invariant(self, ours: Analysis, theirs: Analysis, most: int | None = None) -> bool:
        """Try whether that which could not be proved last is so in every state, as an invariant by itself.

        Whether there may be more known than before. Nothing is tried where it is about more than `most` kinds of
        events.
        """
        if self.diverged or not self._failing:
            return False
        names = {action.name for action, _, _ in self._failing}
        many = sum(step.action.name in names for step in ours.induction.steps)
        if most is not None and many > most:
            return False
        begin = len(ours.induction.invariants)
        ours.induction.add_invariants(
            [self._as_invariant(ours, theirs, *failing) for failing in self._failing]
        )
        self._session = None
        return len(ours.induction.invariants) > begin

    def _as_invariant(
        self, ours: Analysis, theirs: Analysis, action: Action, other: Action, condition: Condition
    ) -> Candidate:
        """That whoever may do something in the one may, as far as one condition goes, in the other."""

        def ask(table: SymbolicState) -> Truth:
            mine, rules = ours.induction.rules, theirs.induction.rules
            same_table = table.copy()
            begin, out = len(rules.symbols.facts), []
            for seat in range(mine.players) if action.by is not None else [0]:
                for names in mine.instances(action, table, seat):
                    may = all_of(mine.condition(action, c.expr, table, names) for c in action.conditions)
                    if may is not False:
                        said = self._said(names, mine, action, other)
                        out.append(implies(may, rules.condition(other, condition.expr, same_table, said)))
            if len(rules.symbols.facts) > begin:
                raise Unsupported(f"what `{condition.name}` asks, as something that always holds")
            return all_of(out)

        return Candidate(f"{action.name} as in {theirs.instance.rule_set.rules}: {condition.name}", ask)

    def paid_alike(self) -> Answer:
        """Whether every hand that both allow is paid the same in both."""
        try:
            self._settle()
        except Unsupported as fault:
            return Answer(UNKNOWN, f"the prover cannot say {fault}")
        if "total" in self.diverged:
            return Answer(
                UNKNOWN, "what is paid is written otherwise, or depends on what may not be the same"
            )
        return Answer(PROVED, PAID_ALIKE)

    # ------------------------------------------------------------------ what is written alike

    def _diverged_at_start(self) -> set[str]:
        """States that the two do not share, or that begin otherwise."""
        ours, theirs = ({v.name: v for v in side.instance.rule_set.vars} for side in (self.a, self.b))
        out = set(ours.keys() ^ theirs.keys())
        for name in ours.keys() & theirs.keys():
            if not self._begins_alike(ours[name].initial, theirs[name].initial):
                out.add(name)
        if [n for n in ours if n in theirs] != [n for n in theirs if n in ours]:
            # one begins after the other, and what it begins with may ask for that
            out |= {n for n in ours.keys() & theirs.keys() if self._read_at_first(ours[n])}
        return out

    def _read_at_first(self, state: VarDecl) -> frozenset[str]:
        return frozenset() if state.initial is None else self.rewritten.reads(state.initial)

    def _begins_alike(self, one: ir.Expr | None, other: ir.Expr | None) -> bool:
        if one is None or other is None:
            return one is other
        return self.rewritten.same(one, other)

    def _to_ask(self, condition: Condition, action: Action) -> bool:
        """Whether a condition has to be asked where an action of the other rule set is legal."""
        match condition.expr:
            case ir.Implicit(kind=kind):
                return (kind == "open" and "over" in self.diverged) or (
                    kind == "winner" and "winner" in self.diverged
                )
        return bool(self.rewritten.reads(condition.expr) & self.diverged) or self.is_rewritten(
            condition, action
        )

    def is_rewritten(self, condition: Condition, action: Action) -> bool:
        """Whether a condition has to be asked of an event that an action allows in the same state."""
        if isinstance(condition.expr, ir.Implicit):
            return False
        if not self._speaks_alike(action):
            return True
        return not any(self.rewritten.same(c.expr, condition.expr) for c in action.conditions)

    @property
    def begins_differently(self) -> bool:
        """Whether the two do not begin alike."""
        return bool(self._diverged_at_start())

    def does_alike(self, action: Action, other: Action) -> bool:
        """Whether an event does the same in both, at sight, from the same state."""
        ours, theirs = (_effects(x) for x in (action, other))
        if action.kind == "deal" and not self.dealt_alike(action, other):
            return False
        if action.kind == "end" and not self.rewritten.effects_same(*self._pays()):
            return False
        return self._speaks_alike(action) and self.rewritten.effects_same(ours, theirs)

    def _done_alike(self, action: Action, other: Action) -> bool:
        """Whether an event does the same in both, at sight, wherever a game may have got to."""
        ours, theirs = (_effects(x) for x in (action, other))
        alike = self._speaks_alike(action) and self.rewritten.effects_same(ours, theirs)
        return alike and not self._read_by(ours) & self.diverged

    def _speaks_alike(self, action: Action) -> bool:
        """Whether both rule sets call the tiles of an event by the same names."""
        one, two = (side.instance.rule_set.action(action.name) for side in (self.a, self.b))
        return one is None or two is None or speaks_alike(one, two)

    def _pays(self) -> list[list[ir.Effect]]:
        return [[e for c in side.instance.rule_set.payout for e in c.effects] for side in (self.a, self.b)]

    def _read_by(self, effects: list[ir.Effect]) -> frozenset[str]:
        reads: set[str] = set()
        for effect in flat(effects):
            for expr in exprs_of(effect):
                reads |= self.rewritten.reads(expr)
            if isinstance(effect, ir.Move | ir.PassOn | ir.Shuffle | ir.Arrange):
                reads |= written_by([effect])  # what is moved has to lie there
        return frozenset(reads)

    def dealt_alike(self, action: Action, other: Action) -> bool:
        """Whether as many tiles of the same set are dealt to the same places."""
        if self.rewritten.withdrawn or action.dealing is None or other.dealing is None:
            return False
        one, two = action.dealing, other.dealing
        counts = [
            [constant_int(e, side.instance.static) for e in (d.first, d.others)]
            for side, d in ((self.a, one), (self.b, two))
        ]
        return (one.zone, one.hand, counts[0]) == (two.zone, two.hand, counts[1])

    # ------------------------------------------------------------------ what may come apart

    def _settle(self) -> None:
        """Find out what may come to differ in a game that both allow."""
        while not self._settled:
            more = self._coming_apart() - self.diverged
            self._settled = not more
            if more:
                self.diverged |= more
                self._session = None
                self._tables = {}

    def _coming_apart(self) -> set[str]:
        out: set[str] = set()
        for action in self.a.instance.rule_set.actions:
            other = self.b.instance.rule_set.action(action.name)
            if other is None:
                continue
            possible = self._possibly_diverging(action, other) - self.diverged - out
            if possible:
                out |= self._differing(action, possible)
        return out

    def _possibly_diverging(self, action: Action, other: Action) -> set[str]:
        """What an event may leave otherwise in the one than in the other."""
        ours, theirs = (_effects(x) for x in (action, other))
        odd = [e for e in ours if not any(self.rewritten.effects_same([e], [f]) for f in theirs)]
        odd += [e for e in theirs if not any(self.rewritten.effects_same([f], [e]) for f in ours)]
        out = written_by(odd)
        if action.kind == "deal" and not self.dealt_alike(action, other):
            assert action.dealing is not None
            out |= {action.dealing.zone, action.dealing.hand}
        if [e for e in ours if e in theirs] != [e for e in theirs if e in ours] or not self._speaks_alike(
            action
        ):
            out |= written_by([*ours, *theirs])  # done in another order, or to other tiles
        while True:
            tainted = out | self.diverged
            more = set().union(*(written_by([e]) for e in (*ours, *theirs) if self._read_by([e]) & tainted))
            if action.kind == "deal":
                more |= self._begun_from(tainted)
            if more <= out:
                break
            out |= more
        if action.kind == "end":
            pays = self._pays()
            if not self.rewritten.effects_same(*pays) or self._read_by(pays[0]) & self.diverged:
                out.add("total")
        return out

    def _begun_from(self, tainted: set[str]) -> set[str]:
        """The states that a deal gives a value which depends on these."""
        states = (v for side in (self.a, self.b) for v in side.instance.rule_set.vars if v.scope == "hand")
        return {v.name for v in states if self._read_at_first(v) & tainted}

    def _differing(self, action: Action, possible: set[str]) -> set[str]:
        """Those that a solver cannot say to be the same after an event that both allow."""
        theirs = self._table(self.b)
        other = self.b.instance.rule_set.action(action.name)
        assert other is not None
        out: set[str] = set()
        if action.kind == "deal":
            return possible
        for step in self._steps(self.a, action):
            rules = self.b.induction.rules
            names = self.names(step, self.a.induction.rules, other)
            agreed = same(names["winner"], theirs.winner) if action.kind == "end" else True
            for their_step in rules.paths(other, names, theirs):
                for name in sorted(possible - out):
                    odd = _differ(name, step.after, their_step.after)
                    if odd is None or (
                        odd is not False
                        and self._cannot_be(
                            f"{action.name} leaves {name}",
                            [*step.path_condition, *their_step.path_condition, agreed, odd],
                        )
                        is not None
                    ):
                        out.add(name)
        return out

    # ------------------------------------------------------------------ questions

    def _steps(self, side: Analysis, action: Action) -> Iterator[Step]:
        """The steps of an action from the unknown table, as a rule set sees it."""
        mine, other = (d.induction.rules for d in (side, self.b if side is self.a else self.a))
        theirs = other.rules.action(action.name)
        known = mine.instantiation.is_order_sensitive(action)
        told_apart = known or (theirs is not None and other.instantiation.is_order_sensitive(theirs))
        if side is self.a and told_apart is known:
            yield from (s for s in side.induction.steps if s.action.name == action.name)
            return
        mine.instantiation.order_sensitive[action.name] = told_apart
        try:
            yield from mine.steps(action, self._table(side))
        finally:
            mine.instantiation.order_sensitive[action.name] = known

    def _wrong(
        self, step: Step, ours: Analysis, theirs: Analysis, other: Action, asked: list[Condition], moved: bool
    ) -> Iterator[tuple[str, list[Truth]]]:
        """For each condition to ask, by name, what holds where it fails at a step of `ours`."""
        rules = theirs.induction.rules
        table = self._table(theirs)
        names = self.names(step, ours.induction.rules, other)
        for condition in asked:
            if any(names.get(n) is OPAQUE for n in names_in(condition.expr)):
                raise Unsupported(f"what `{other.name}.{condition.name}` asks of an event")
            begin = len(rules.symbols.facts)
            truth = self.holds(theirs, other, condition, table, names)
            yield condition.name, [*rules.symbols.facts[begin:], negate(truth)]
        if moved:
            for stuck in self.stuck(theirs, other, names, table):
                yield "then", stuck

    def holds(
        self,
        side: Analysis,
        action: Action,
        condition: Condition,
        table: SymbolicState,
        names: Mapping[str, Value],
    ) -> Truth:
        """Whether a condition of one side holds of an event that the other one has."""
        if condition.expr == ir.Implicit("winner", condition.expr.type):
            return same(names["winner"], table.winner)
        return side.induction.rules.condition(action, condition.expr, table, dict(names))

    def stuck(
        self, side: Analysis, action: Action, names: Mapping[str, Value], table: SymbolicState
    ) -> Iterator[list[Truth]]:
        """For each way that effects go, what holds where a tile does not lie where they take it from."""
        if action.kind == "deal":
            if any(isinstance(e, ir.Move | ir.Arrange) for e in flat(_effects(action))):
                raise Unsupported("what a deal goes on to move")
            return
        for step in side.induction.rules.paths(action, names, table, stuck=True):
            moves = [truth for name, truth in step.guards if name == "moves"]
            whens = [truth for name, truth in step.guards if name == "when"]
            yield [*step.facts, *step.definitions, *whens, any_of(map(negate, moves))]

    def names(self, step: Step, rules: TransitionSystem, other: Action) -> dict[str, Value]:
        """The names of an event in the words of the other rule set."""
        return self._said(step.names, rules, step.action, other)

    def _said(
        self, found: Mapping[str, Value], rules: TransitionSystem, mine: Action, other: Action
    ) -> dict[str, Value]:
        names = dict(found)
        rules.settle([*names], names)
        out = {p.name: names[p.name] for p in other.params if p.name in names}
        if mine.by is not None and other.by is not None:
            out[other.by] = names[mine.by]
        by_name = {p.name: p for p in mine.params}
        for param in other.params:
            for part, known in zip(param.parts, by_name[param.name].parts, strict=True):
                out[part] = names[known]
        return out

    def _cannot_be(self, about: str, truths: list[Truth]) -> str | None:
        """None where these truths cannot hold together; otherwise why that is not shown."""
        reply = self._known().check(about, truths)
        exactly = [*self.a.induction.rules.evaluator.axioms, *self.b.induction.rules.evaluator.axioms]
        if reply.status == SAT and exactly:
            said = [t for side in (self.a, self.b) for t in side.induction.rules.evaluator.exact_axioms()[0]]
            reply = self._known().check(about, [*truths, *said])
        if reply.status == UNSAT:
            return None
        return f": {reply.reason}" if reply.reason else ""

    def _known(self) -> Session:
        """Questions that start from all that is certain of both tables."""
        if self._session is None:
            mine, other = self.a.induction, self.b.induction
            known = list(mine.premises)
            table = self._table(self.b)
            rules = other.rules
            begin = len(rules.symbols.facts)
            known += other.quick_facts
            known += [c.predicate(table) for c in other.invariants]
            known += [
                equal(rules.states.count_copies(table, k), c) for k, c in rules.evaluator.copies.items()
            ]
            known += self._nowhere(table)
            known += rules.symbols.facts[begin:]
            self._session = self.a.solver.session(known)
        return self._session

    def strengthen(self) -> bool:
        """Find more that always holds of either game. Whether there may be more than before."""
        more = [side.strengthen() for side in (self.a, self.b)]
        if not any(more):
            return False
        self._session = None
        self.diverged = self._diverged_at_start()
        self._tables, self._settled = {}, False
        return True

    def _table(self, side: Analysis) -> SymbolicState:
        """The unknown table as a rule set sees it. What may differ is unknown in the other one by itself."""
        mine = self.a.induction.state
        if side is self.a:
            return mine
        if side not in self._tables:
            own = side.induction.state
            table = mine.copy()
            table.vars = {n: mine.vars[n] if n not in self.diverged else v for n, v in own.vars.items()}
            for name in self.diverged & mine.zones.keys():
                table.zones[name] = own.zones[name]
            if "over" in self.diverged:
                table.at = own.at
            if "winner" in self.diverged:
                table.winner = own.winner
            if "total" in self.diverged:
                table.total = list(own.total)
            self._tables[side] = table
        return self._tables[side]

    def _nowhere(self, table: SymbolicState) -> Iterator[Truth]:
        """Melds that one of the two can never make do not lie where both got to."""
        for name, groups in self.b.induction.rules.states.groups.items():
            if name in self.diverged:
                continue
            found = table.zones[name]
            for zone in found if isinstance(found, list) else [found]:
                for key, count in zone.bag.items():
                    if key not in groups:
                        yield equal(count, 0)


def _effects(action: Action) -> list[ir.Effect]:
    return [e for c in action.effects for e in c.effects]


def _differ(name: str, one: SymbolicState, other: SymbolicState) -> Truth | None:
    """Whether something differs between two tables; None where there is no telling."""
    match name:
        case "over":
            return negate(same(one.at, other.at))
        case "winner":
            return negate(same(one.winner, other.winner))
        case "total":
            return any_of(negate(equal(a, b)) for a, b in zip(one.total, other.total, strict=True))
        case _ if name in one.vars and name in other.vars:
            return _any_differs(one.vars[name], other.vars[name])
        case _ if name in one.zones:
            return _any_differs(one.zones[name], other.zones[name])
        case _:
            return None


def _any_differs(one: Any, other: Any) -> Truth | None:
    ones, others = (x if isinstance(x, list) else [x] for x in (one, other))
    found = [_value_differs(a, b) for a, b in zip(ones, others, strict=True)]
    return None if any(f is None for f in found) else any_of(found)


def _value_differs(one: Any, other: Any) -> Truth | None:
    if one is other:
        return False
    match one, other:
        case Zone(row=None), Zone(row=None):
            return negate(bags_same(one.bag, other.bag))
        case Zone(), Zone():
            return None  # its order may differ
        case Bag(), Bag():
            return negate(bags_same(one, other))
        case _:
            return negate(same(one, other))
