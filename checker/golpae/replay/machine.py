"""A rule set at one table, ready to run.

Input: an `Instance`.
Output: a `Machine`, whose functions read, check and apply events and copy states.
Guarantee: a machine has no state but caches; one machine serves any number of matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import permutations
from types import CodeType
from typing import Any, Protocol

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.lifecycle import STAGES, Stage
from golpae.ir.limits import between, held, kept, power
from golpae.ir.ruleset import Action, ScoreDecl, ZoneDecl
from golpae.ir.scoring import given_labels, plain_shapes
from golpae.ir.traverse import asks_earlier, conjuncts
from golpae.replay import runtime, state_layout
from golpae.replay.codegen.expressions import EARLIER, Emitter
from golpae.replay.codegen.generated import Generated, generated
from golpae.replay.codegen.names import local
from golpae.replay.decode import Bad, Reader
from golpae.replay.runtime import EFFECTS
from golpae.replay.scoring.arrangements import Shapes
from golpae.replay.scoring.score import Scorer, fits_score, number_of, total
from golpae.replay.state_layout import mangled
from golpae.replay.steps import MOST_OF_TILE, Steps

State = state_layout.State
RUNTIME = """
    HIDDEN Meld Missing Row Unmet ahead bag_member change_meld choices_with_counts copied divide order_of_lists kinds
    kinds_by_key meld_by_face member_by_key minus minus_by_key modulo new_meld otherwise rotate rounds same same_by_key
    take_meld the tiles_of together within within_by_key
""".split()  # what generated code calls by these names
MOST_VALUES = 1_000  # expressions whose functions are kept
# A second machine of the same table need not compile its source again.
MOST_FUNCTIONS = 2_000  # whose code is kept: some KB each


@lru_cache(MOST_FUNCTIONS)
def function_code(source: str, rules: str) -> CodeType:
    """Return the compiled code of a generated function."""
    code: CodeType = compile(source, f"<{rules}>", "eval")
    return code


class _Column(dict[int, Any]):
    """The table of a definition of one tile. A value is computed when it is first looked up."""

    def __init__(self, name: str, value: Callable[[int], Any], steps: Steps) -> None:
        super().__init__()
        self._name, self._value, self._steps = name, value, steps

    def __missing__(self, tile: int) -> Any:
        value, _ = self._steps.apart(self._name, MOST_OF_TILE, lambda: self._value(tile))
        self[tile] = value
        return value


class _Rows(dict[int, tuple[Any, ...]]):
    """The table of a definition of two tiles. A row is computed when it is first looked up."""

    def __init__(self, name: str, value: Callable[[int, int], Any], kinds: int, steps: Steps) -> None:
        super().__init__()
        self._name, self._value, self._steps = name, value, steps
        self._kinds = kinds

    def __missing__(self, first: int) -> tuple[Any, ...]:
        def of_first() -> tuple[Any, ...]:
            return tuple(self._value(first, second) for second in range(self._kinds))

        row, _ = self._steps.apart(self._name, MOST_OF_TILE, of_first)
        self[first] = row
        return row


class Noting(Protocol):
    """What hears of the clauses that a machine comes to, by their paths."""

    def note(self, path: str) -> bool:
        """Note that a definition was asked, or that one of its cases held. Return true."""

    def tested(self, path: str, holds: bool) -> bool:
        """Note which way the test of a `when` went. Return it."""

    def unheard(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that notes nothing while it runs, because its value is kept for other games."""


class Timing(Protocol):
    """What measures how long clauses take, by their paths."""

    def timed(self, path: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function with the same values, whose time counts for this clause."""

    def at(self, path: str) -> None:
        """From now on, until the function under way returns, time counts for this clause."""

    def each(self, path: str, values: Iterator[Any]) -> Iterator[Any]:
        """Yield these values; the time to find each counts for this clause."""


class _Scorers(dict[str, Scorer]):
    """The scorers of some scores, by their names. One is made when it is first looked up."""

    def __init__(self, scores: Sequence[ScoreDecl], make: Callable[[ScoreDecl], Scorer]) -> None:
        super().__init__()
        self._scores, self._make = {score.name: score for score in scores}, make

    def __missing__(self, name: str) -> Scorer:
        self[name] = scorer = self._make(self._scores[name])
        return scorer

    def all(self) -> dict[str, Scorer]:
        """Return the scorers of all scores, each of which may be replaced by another."""
        for name in self._scores:
            self[name]
        return self


def _table(
    kinds: int, counter: Steps, name: str, value: Callable[..., Any], arity: int, eager: bool
) -> tuple[Any, ...] | _Column | _Rows:
    """Return the values of a function of one or two kinds of tiles, which are computed once."""
    if arity == 2:
        return _Rows(name, value, kinds, counter)
    return tuple(value(k) for k in range(kinds)) if eager else _Column(name, value, counter)


class Machine:
    """The functions of one rule set at one table. With `noting`, they are slower, and it hears what they come to; with
    `timing`, it hears when a clause begins and ends. With `counting`, the steps of all clauses are counted. The code
    of an instance may have been `made` before, with nothing of these.
    """

    def __init__(
        self,
        instance: Instance,
        noting: Noting | None = None,
        counting: bool = False,
        timing: Timing | None = None,
        made: Generated | None = None,
    ) -> None:
        self.instance = instance
        self._counting = counting
        self._noting = noting
        self.timing = timing
        self.rules = instance.rule_set
        shapes = {s.name: s for s in self.rules.shapes}
        sizes = {s.name: 1 if s.most else s.size for s in self.rules.shapes if s.test is not None}
        unions = {s.name: plain_shapes(s.name, shapes) for s in self.rules.shapes if s.test is None}
        self.reader = Reader(instance.numbers(), instance.players, sizes, given_labels(self.rules), unions)
        self._counter = Steps()
        self._counts_steps = None if made is None else made.counts_steps
        self.made = generated(self._emitter) if made is None else made
        self._space = self._globals()
        if noting is not None:
            self._space |= {"note": noting.note, "tested": noting.tested}
        if timing is not None:
            self._space["at"] = timing.at
        self.shapes = Shapes(
            instance, self._of_shape, self._counter, self._takes_no_steps, self.made.counts_steps
        )
        if self.made.counts_steps:
            self._space["order_of_lists"] = self._counted_order
        self.scorers = _Scorers(self.rules.scores, self._scorer)
        self._space["shapes"] = self.shapes
        self._space["scores"] = self.scorers
        exec(self.made.code, self._space)
        if timing is not None:
            self._time(timing)
        if made is None:  # else all of them could be made before
            self.scorers.all()
        self.steps: dict[str, Callable[[State, Mapping[str, object]], Any]] = {
            a.name: self._step(a.name) for a in self.rules.actions
        }
        self.actions: dict[str, Action] = {a.name: a for a in self.rules.actions}
        # actions with events that pass all conditions and still fail because a tile is not where it is taken from
        self.may_fail_midway = frozenset(self.made.may_fail_midway)
        self._originals: dict[str, Callable[..., Any]] = {}
        self._values: dict[tuple[int, tuple[str, ...]], tuple[ir.Expr, Callable[..., Any], bool]] = {}

    def _globals(self) -> dict[str, Any]:
        """Return the functions and values that the generated code refers to, by name, besides shapes and scores."""
        return {
            **{name: getattr(runtime, name) for name in RUNTIME},
            "kept": kept,
            "held": held,
            "copy_apart": self.copy,  # of a state that effects are tried on
            **{f.__name__: self._counter.named(f) for f in (between, power)},
            "total": total,
            "fits_score": fits_score,
            "number_of": number_of,
            "permutations": permutations,
            "begin_steps": self._counter.begin,
            "counted": self._counter.counted,
            "counted_together": self._counter.counted_together,
            "counted_each": self._counter.counted_each,
            "remembering": self._counter.remembering,
            "table": partial(_table, len(self.instance.kinds), self._counter),
            "NUMBERS": self.instance.numbers(),
            "Bad": Bad,
            "misses": self.reader.misses,
            "extra": self.reader.extra,
            "bad_seat": self.reader.bad_seat,
            "bad_tile": self.reader.bad_tile,
            "decode": self.reader.decode,
        }

    def _takes_no_steps(self, expr: ir.Expr) -> bool:
        return self._emitter.takes_no_steps(expr)

    def _scorer(self, score: ScoreDecl) -> Scorer:
        return Scorer(score, self._emitter, self.shapes, self._compiled, self._counter)

    def _time(self, timing: Timing) -> None:
        """From now on measure the functions of the module."""
        of_clauses = [(f"d_{mangled(d.name)}", d.name) for d in self.rules.definitions]
        of_clauses += [(f"check_{mangled(a.name)}", a.name) for a in self.rules.actions]
        of_clauses += [(f"apply_{mangled(a.name)}", f"{a.name}.{EFFECTS}") for a in self.rules.actions]
        for name, path in of_clauses:
            self._space[name] = timing.timed(path, self._space[name])

    def _function(self, kind: str, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = self._space[f"{kind}_{mangled(name)}"]
        return function

    def _step(self, name: str) -> Callable[[State, Mapping[str, object]], Any]:
        """Return the function of an event; its steps are counted together if they may be many."""
        step = self._function("step", name)
        if not self.made.counts_steps:
            return step

        def counted_step(state: State, event: Mapping[str, object]) -> Any:
            return self._counter.event(partial(step, state, event))

        return counted_step

    def _counted_order(self, *args: Any) -> Any:
        """Return the condition that fails in the best order of lists; the steps of all orders are counted together."""
        return self._counter.event(partial(runtime.order_of_lists, *args))

    def functions(self, action: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
        """Return the functions of `read`, `first` and `apply` for an action, for inner loops."""
        read, first, apply = (self._function(kind, action) for kind in ("read", "first", "apply"))
        return read, first, apply

    def on_call(self, definition: str, report: Callable[[], None]) -> None:
        """From now on call `report` when a definition is called in a state.

        Values that are computed once and then looked up report nothing: shapes, scores, definitions of tiles alone.
        """
        name = f"d_{mangled(definition)}"
        self._counter.forget()  # what is remembered calls nothing
        original = self._originals.setdefault(name, self._space[name])

        def reporting(*values: Any) -> Any:
            report()
            return original(*values)

        self._space[name] = reporting

    def limit_steps(self, most: int) -> None:
        """From now on raise `TooManySteps` after so many steps in all: of searches and of all else that has a count of
        its own, and of all clauses, if some clause may take very many, or all are counted.
        """
        self._counter.limit(most, clauses=self._counting or self.made.is_very_long)

    @property
    def steps_taken(self) -> int:
        """The steps since `limit_steps` that it counts."""
        return self._counter.in_all

    def values_of(self, action: str) -> Callable[[], None]:
        """Return the function to call for each value that is tried to list the events of an action in one position."""
        return self._counter.values_of(action)

    def begin_count(self, what: str) -> None:
        """Count the steps of something else from now on. INVARIANT: no clause is under way."""
        self._counter.begin(what)

    # ------------------------------------------------------------------ running

    @cached_property
    def first_state(self) -> State:
        """The state of a new match at stake 1, for questions about no game; nobody changes it."""
        return self.new_state()

    def new_state(self, stake: int = 1) -> State:
        return self._space["new_state"](stake)

    def copy(self, state: State) -> State:
        return self._space["copy_state"](state)

    def read(self, action: str, event: Mapping[str, object]) -> tuple[Any, ...] | Bad:
        """Return the arguments of an event, or what is wrong with its keys."""
        args: tuple[Any, ...] | Bad = self._function("read", action)(event)
        return args

    def check(self, action: str, state: State, args: tuple[Any, ...]) -> int:
        """Return the number of the first condition that fails, or -1, with the tiles of lists in this order."""
        failed: int = self._function("check", action)(state, *args)
        return failed

    def first(self, action: str, state: State, args: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]]:
        """Return the first condition that fails, or -1, and the arguments with lists in the order that decides it."""
        first_failed: tuple[int, tuple[Any, ...]] = self._function("first", action)(state, args)
        return first_failed

    def apply(self, action: str, state: State, args: tuple[Any, ...]) -> None:
        """Apply the effects, in place.

        Raises `runtime.Missing` or ValueError if a tile is not where it is moved from.
        """
        self._function("apply", action)(state, *args)

    def payout(self, state: State) -> list[int]:
        pay: list[int] = self._space["payout"](state)
        return pay

    def seers(self, state: State, zone: ZoneDecl, owner: int | None) -> list[int]:
        """Return who sees a zone now besides those who always do, as its further words say."""
        if zone.also is None:
            return []
        asked = self._function("d", zone.also)
        owners = () if owner is None else (owner,)
        return [viewer for viewer in range(self.instance.players) if asked(state, *owners, viewer)]

    def sees(self, state: State, zone: ZoneDecl, owner: int | None, viewer: int) -> bool:
        """Return whether a player sees a zone now."""
        return zone.is_seen(owner == viewer) or viewer in self.seers(state, zone, owner)

    def totals_left(self, state: State) -> list[int]:
        """Return the totals that a `finish` leaves, with what it pays itself."""
        totals: list[int] = self._space["settled"](state).total
        return totals

    def stage(self, state: State) -> Stage:
        """Return the stage that the match is at."""
        number: int = state.at
        return STAGES[number]

    # ------------------------------------------------------------------ evaluating

    def function(self, expr: ir.Expr, names: tuple[str, ...]) -> Callable[..., Any]:
        """Return a function of the state and these names that returns an expression's value.

        If the expression reads the state before the event, the function also takes that, as `before=`. It raises
        `TooManySteps`.
        """
        function = self._within(expr, names)
        if self.timing is not None and expr in self._paths:
            function = self.timing.timed(self._paths[expr], function)
        if not self._emitter.counts([expr]):
            return function

        clause, begin = self._paths.get(expr), self._counter.begin
        if not asks_earlier(expr):

            def counting_now(*args: Any) -> Any:
                begin(clause)
                return function(*args)

            return counting_now

        def counting(*args: Any, **before: Any) -> Any:
            begin(clause)
            return function(*args, **before)

        return counting

    @cached_property
    def _paths(self) -> dict[ir.Expr, str]:
        """The paths of clauses, by their expressions and the parts of these that `and` joins."""
        paths = {prop.expr: f"property {prop.name}" for prop in self.rules.properties}
        for action in self.rules.actions:
            for condition in action.conditions:
                for part in (condition.expr, *conjuncts(condition.expr)):
                    paths.setdefault(part, f"{action.name}.{condition.name}")
        return paths

    def _within(self, expr: ir.Expr, names: tuple[str, ...]) -> Callable[..., Any]:
        """Return the function of an expression; its steps count for the function that calls it."""
        params = ["S", *(local(n) for n in names), *(("*", EARLIER) if asks_earlier(expr) else ())]
        return self._compiled(f"lambda {', '.join(params)}: {self._emitter.emit(expr)}")

    def _of_shape(self, expr: ir.Expr, names: tuple[str, ...]) -> Callable[..., Any]:
        """Return the function of a shape's test."""
        function = self._within(expr, names)
        return function if self._noting is None else self._noting.unheard(function)

    def _compiled(self, source: str) -> Callable[..., Any]:
        function: Callable[..., Any] = eval(function_code(source, self.rules.rules), self._space)
        return function

    def value(
        self, expr: ir.Expr, state: State, names: Mapping[str, Any], before: State | None = None
    ) -> Any:
        """Return the value of an expression in a state, with these names; `before` is the state before the event,
        if the expression reads that.
        """
        key = id(expr), tuple(names)
        if key not in self._values:
            if len(self._values) == MOST_VALUES:
                self._values.clear()
            self._values[key] = expr, self.function(expr, key[1]), asks_earlier(expr)
        _, function, earlier = self._values[key]  # INVARIANT: an expression that is kept keeps its id
        if earlier:
            return function(state, *names.values(), **{EARLIER: before})
        return function(state, *names.values())

    @cached_property
    def _emitter(self) -> Emitter:
        return Emitter(
            self.instance,
            noting=self._noting is not None,
            counting=self._counting,
            timing=self.timing is not None,
            counts_steps=self._counts_steps,
        )

    @property
    def may_be_long(self) -> bool:
        """Whether an event may take so many steps that they are counted."""
        return self.made.counts_steps

    def tile(self, number: int) -> str:
        return self.instance.kinds[number].name
