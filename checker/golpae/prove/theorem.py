"""Theorems and claims: what is true of a set, of definitions, hands and scores, whatever happens in a game.

In: an expression that asks no game under way. Out: an `Answer`: proved with the clauses that the proof used, or
refuted with the tiles that show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import chooses_together
from golpae.ir.traverse import nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Int, Meld, Tile, Type
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, WORKED_OUT, Answer, Witness
from golpae.prove.encoding.evaluate import Evaluator, Shapes
from golpae.prove.encoding.transition_system import all_effects
from golpae.prove.parametric import for_all_values
from golpae.prove.scoring_ways import Way, ask_exactly, ways
from golpae.prove.solving.model import read
from golpae.prove.solving.solver import SAT, UNSAT, Solver
from golpae.prove.symbolic.multiset_count import space
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import Truth, Unsupported, Value, at_least, equal, negate, size, within

MOST_TRACED = 3_000  # pairs of kinds up to which a proof is asked for its clauses


@dataclass(frozen=True, slots=True)
class _Found:
    holds: bool
    values: tuple[tuple[str, str], ...] = ()
    reason: str = ""


class Theorems:
    """Theorems of one table."""

    def __init__(self, table: Instance, shapes: Shapes, solver: Solver) -> None:
        self.table = table
        self.shapes = shapes
        self.solver = solver
        self._ways: dict[str, tuple[Evaluator, list[Way]]] = {}

    def decide(self, name: str, expr: ir.Expr) -> Answer:
        """Whether an expression is true, and what shows it."""
        asked = self.solver.queries
        try:
            found = self._decide(name, expr)
        except Unsupported as fault:
            return Answer(UNKNOWN, f"the prover cannot say {fault}", queries=self.solver.queries - asked)
        if found is None:
            return Answer(UNKNOWN, "the solver gave no answer", queries=self.solver.queries - asked)
        clauses = self._clauses(name, expr) if found.holds else ()
        vacuous = self.vacuous(expr) if found.holds else None
        every = for_all_values(self.table, expr, self.solver) if found.holds and vacuous is None else None
        story = _story(found, clauses)
        return Answer(
            PROVED if found.holds else REFUTED,
            story,
            clauses,
            witness=Witness(found.values) if found.values else None,
            queries=self.solver.queries - asked,
            vacuous=vacuous,
            every=every,
        )

    # ------------------------------------------------------------------ the parts of a statement

    def _decide(self, name: str, expr: ir.Expr) -> _Found | None:
        match expr:
            case ir.Op(op="not", args=(inner,)) if _asks_beyond(inner):
                found = self._decide(name, inner)
                return None if found is None else _Found(not found.holds, found.values)
            case ir.Op(op="implies", args=(left, right)) if _asks_beyond(right) and not _asks_beyond(left):
                starts = self._evaluator().value(left, None, {})
                if starts is False:
                    return _Found(True)
                if starts is not True:
                    raise Unsupported("a statement that starts from what is not known")
                return self._decide(name, right)
            case ir.Op(op="and", args=args) if _asks_beyond(expr):
                for arg in args:
                    found = self._decide(name, arg)
                    if found is None or not found.holds:
                        return found
                return _Found(True)
            case ir.Quant(size=wanted) if wanted is not None:
                return self._together(name, expr)
            case ir.Ways():
                return self._way(name, expr)
            case _:
                return self._plain(name, expr)

    def _evaluator(self) -> Evaluator:
        return Evaluator(self.table, self.shapes, SymbolFactory(""))

    def _plain(self, name: str, expr: ir.Expr) -> _Found | None:
        evaluator = self._evaluator()
        truth = evaluator.truth(expr, None, {})
        if truth is True or truth is False:
            shown = [*self._shown(evaluator, expr, truth), *_counted(evaluator)]
            return _Found(truth, tuple(shown))
        axioms, complete = evaluator.exact_axioms()
        reply = self.solver.check(name, [*evaluator.symbols.facts, *axioms, negate(truth)])
        if reply.status == UNSAT:
            return _Found(True)
        return _Found(False) if reply.status == SAT and complete else None

    def _shown(
        self, evaluator: Evaluator, expr: ir.Expr, truth: bool, names: Mapping[str, Value] | None = None
    ) -> Iterator[tuple[str, str]]:
        """The values that refute an `every` or a `no`, or show a `some`."""
        names = names or {}
        match expr:
            case ir.Op(op="implies", args=(left, right)) if evaluator.truth(left, None, names) is True:
                yield from self._shown(evaluator, right, truth, names)
            case ir.Op(op="and", args=args) if not truth:
                for arg in args:
                    if evaluator.truth(arg, None, names) is False:
                        yield from self._shown(evaluator, arg, False, names)
                        return
            case ir.Quant(kind=kind, names=bound, domain=domain, body=body, size=None) if truth is (
                kind == "some"
            ):
                bag = evaluator.bag(domain, None, names)
                for inner, _ in evaluator.choices(bound, bag, names):
                    if evaluator.truth(body, None, inner) is (kind != "every"):
                        for word in bound:
                            yield word, self._said(inner[word], _item(domain.type))
                        yield from self._shown(evaluator, body, kind != "every", inner)
                        return
            case _:
                return

    def _said(self, value: Any, kind: Type) -> str:
        if isinstance(kind, Tile):
            return str(self.table.kinds[value].name)
        return str(value)

    # ------------------------------------------------------------------ several tiles together

    def _together(self, name: str, expr: ir.Quant) -> _Found | None:
        """Whether some so many tiles together are such; also some of one lot and some of the rest, and so on."""
        evaluator = self._evaluator()
        symbols = evaluator.symbols
        chosen: dict[str, Value] = {}
        body: ir.Expr = expr
        kind = "some" if expr.kind == "no" else expr.kind
        while isinstance(body, ir.Quant) and body.size is not None and (body is expr or body.kind == kind):
            domain = evaluator.bag(body.domain, None, chosen)
            word = body.names[0]
            tiles = symbols.bag(word, {k: c if isinstance(c, int) else None for k, c in domain.items()})
            symbols.fact(within(tiles, domain))
            symbols.fact(equal(size(tiles), evaluator.number(body.size, None, chosen)))
            chosen[word] = tiles
            body = body.body
        truth = evaluator.truth(body, None, chosen)
        goal = negate(truth) if expr.kind == "every" else truth
        reply = self.solver.check(name, [*symbols.facts, goal])
        axioms, complete = evaluator.exact_axioms() if reply.status == SAT else ([], True)
        if axioms:
            reply = self.solver.check(name, [*symbols.facts, *axioms, goal])
        if reply.status == UNSAT:
            return _Found(expr.kind != "some")
        if reply.status != SAT or not complete:
            return None
        said = tuple(
            (word, " ".join(self._said(t, _item(expr.domain.type)) for t in read(reply.model, tiles)))
            for word, tiles in chosen.items()
        )
        return _Found(expr.kind == "some", said)

    # ------------------------------------------------------------------ every way to score

    def ways(self, score: str) -> tuple[Evaluator, list[Way]]:
        """Every way of a score, made once."""
        if score not in self._ways:
            evaluator = self._evaluator()
            melds = {z.name for z in self.table.rule_set.zones if z.kind == "melds"}
            labels = {
                e.label
                for e in all_effects(self.table.rule_set)
                if isinstance(e, ir.Move)
                and (e.label is not None or (isinstance(e.target, ir.Place) and e.target.zone in melds))
            }
            self._ways[score] = evaluator, ways(evaluator, score, sorted(labels, key=str))
        return self._ways[score]

    def _way(self, name: str, expr: ir.Ways) -> _Found | None:
        evaluator, all_ways = self.ways(expr.score)
        silent = False
        for way in all_ways:
            begin = len(evaluator.symbols.facts)
            evaluator.arrangement = way.arrangement
            try:
                body = evaluator.truth(expr.body, None, way.names)
            finally:
                evaluator.arrangement = None
            goal = negate(body) if expr.kind == "every" else body
            session = self.solver.session([*way.facts, *evaluator.symbols.facts[begin:]])
            reply = ask_exactly(session, evaluator, name, [goal])
            if reply.status == SAT:
                return _Found(expr.kind == "some", tuple(self.told(evaluator, way, reply.model)))
            silent |= reply.status != UNSAT
        return None if silent else _Found(expr.kind != "some")

    def told(self, evaluator: Evaluator, way: Way, model: Any) -> Iterator[tuple[str, str]]:
        """A way in a model: what is given, its patterns and points."""
        score = next(
            s for s in self.table.rule_set.scores if any(a == way.arrangement for a in s.arrangements)
        )
        for param in score.params:
            value = read(model, way.names[param.name])
            if value not in (None, False, ()):
                yield param.name, _words(self, value, param.type)
        yield "patterns", " ".join(n for n, t in way.holds.items() if read(model, t))
        yield "points", str(read(model, way.points))

    def highest(self, score: str) -> tuple[int, tuple[tuple[str, str], ...]] | None:
        """The most points that a way of a score counts, and such a way; None where the solver has no answer."""
        evaluator, all_ways = self.ways(score)
        best: tuple[int, tuple[tuple[str, str], ...]] | None = None
        for way in all_ways:
            session = self.solver.session([*way.facts, way.kept])
            while True:
                more = True if best is None else at_least(way.points, best[0] + 1)
                reply = ask_exactly(session, evaluator, f"most points of {score}", [more])
                if reply.status == UNSAT:
                    break
                if reply.status != SAT:
                    return None
                best = read(reply.model, way.points), tuple(self.told(evaluator, way, reply.model))
        return best

    # ------------------------------------------------------------------ what a proof used

    def _clauses(self, name: str, expr: ir.Expr) -> tuple[str, ...]:
        """The cases of definitions without which the proof would not stand."""
        definitions = {d.name: d for d in self.table.rule_set.definitions}
        if (
            _asks_beyond(expr)
            or chooses_together(expr, definitions)
            or len(self.table.kinds) ** 2 > MOST_TRACED
        ):
            return ()
        evaluator = self._evaluator()
        marks: dict[str, Any] = {}
        facts: list[Truth] = []

        def traced(path: str, value: Value, kind: Any) -> Value:
            mark = marks.setdefault(path, z3.Bool(f"clause {path}"))
            if isinstance(kind, Bool):
                answer: Any = evaluator.symbols.truth(path)
                facts.append(z3.Implies(mark, answer == value))
            elif isinstance(kind, Int) and isinstance(value, int | z3.ArithRef):
                answer = evaluator.symbols.number(path)
                facts.append(z3.Implies(mark, answer == value))
            else:
                return value
            return answer

        evaluator.traced = traced
        try:
            truth = evaluator.truth(expr, None, {})
        except Unsupported:
            return ()
        if truth is True:
            return ()
        return self.solver.unsat_core(name, [*facts, *evaluator.symbols.facts, negate(truth)], marks)

    def vacuous(self, expr: ir.Expr) -> str | None:
        """Why a statement that holds speaks of nothing: nothing to go through, or a case that there is not."""
        evaluator = self._evaluator()
        try:
            match expr:
                case ir.Op(op="implies", args=(left, right)):
                    if not _asks_beyond(left) and evaluator.truth(left, None, {}) is False:
                        return "what it starts from is never so"
                    return self.vacuous(right)
                case ir.Quant(kind="every" | "no", names=names, domain=domain, body=body, size=None):
                    bag = evaluator.bag(domain, None, {})
                    chosen = [inner for inner, _ in evaluator.choices(names, bag, {})]
                    if not chosen:
                        return "there is nothing to go through"
                    match body:
                        case ir.Op(op="implies", args=(left, _)) if not any(
                            evaluator.truth(left, None, inner) is not False for inner in chosen
                        ):
                            return "what it starts from is never so"
                        case _:
                            return None
                case _:
                    return None
        except Unsupported:
            return None


def _counted(evaluator: Evaluator) -> Iterator[tuple[str, str]]:
    """The numbers of choices that were counted on the way."""
    for expr, number in evaluator.counted.items():
        size = evaluator.number(expr.size, None, {}) if expr.size is not None else 0
        copies = {k: n for k, n in evaluator.bag(expr.domain, None, {}).items() if isinstance(n, int)}
        yield f"number of {expr.names[0]}", f"{number} of {space(copies, size).ways}"


def _item(kind: Type) -> Type:
    return kind.item if isinstance(kind, BagType) else Tile()


def _words(theorems: Theorems, value: Any, kind: Type) -> str:
    kinds = theorems.table.kinds
    match kind:
        case Tile():
            return str(kinds[value].name)
        case BagType(Tile()):
            return " ".join(kinds[t].name for t in value)
        case BagType(Meld()):
            return ", ".join(
                f"{g.label or ''} {' '.join(kinds[t].name for t in g.tiles)}".strip() for g in value
            )
        case Bool():
            return "yes" if value else "no"
        case _:
            item = getattr(kind, "item", None)
            return _words(theorems, value, item) if item is not None and value is not None else str(value)


def _asks_beyond(expr: ir.Expr) -> bool:
    """Whether an expression goes through more than can be worked out tile by tile."""
    return any(
        isinstance(n, ir.Ways) or (isinstance(n, ir.Quant) and n.size is not None) for n in nodes(expr)
    )


def _story(found: _Found, clauses: tuple[str, ...]) -> str:
    if found.holds and not found.values:
        return f"by {', '.join(clauses)}" if clauses else WORKED_OUT
    return ", ".join(f"{n} = {v}" for n, v in found.values) or "it does not hold"
