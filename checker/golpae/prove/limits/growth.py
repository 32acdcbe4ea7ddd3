"""Bounds of the states of a game, by how each event can change them.

Input: an instance, and whether the stake can be any number or is one that people play for.
Output: a `Static` with bounds of all states, and of what players have in total.
Guarantee: in a game of fewer than `EVENTS` events no state is outside its bounds, if the stake is what is assumed.

A state that only grows by bounded amounts does not reach 1,000 digits in any game: that would take 10^900 events. A
state that may double at each event can do it in some thousands.

    then n := n + 1                 n is at most EVENTS * STEPS
    then score := score + n         so score is at most EVENTS * STEPS times that
    then x := x + x                 x can be any number that a state can have
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import closure, reads_through
from golpae.ir.limits import LIMIT, WIDEST
from golpae.ir.ruleset import Action, effects_of
from golpae.ir.traverse import bound_by, conjuncts, exprs_in, exprs_of, names_in, nested
from golpae.ir.types import Int, Opt
from golpae.prove.limits.bounds import ANY_STATE, FAST, NOTHING, Bound, added, either, times
from golpae.prove.limits.static import EVENTS, TOTAL, Names, Static

STEPS = 10**8  # effects of one event at most, each round of a loop counted
STAKE = 10**100  # no higher stake is played for
ROUNDS = 4  # after which a state that is still growing is taken to grow with each event
TURNED: Mapping[ir.OpName, ir.OpName] = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}


def bounds_of_games(instance: Instance, any_stake: bool) -> Static:
    """Return the bounds of the states of one instance in all games, for any stake or for one that is played for."""
    stake = Bound(0, LIMIT - 1 if any_stake else STAKE)
    states = _Growth(instance, stake).bounds()
    return Static(instance, states, stake)


class _Growth:
    def __init__(self, instance: Instance, stake: Bound) -> None:
        self._instance = instance
        self._stake = stake
        self._rules = instance.rule_set
        self._definitions = {d.name: d for d in self._rules.definitions}
        self._reads: dict[str, set[str]] = {var.name: set() for var in self._rules.vars} | {TOTAL: {TOTAL}}
        self._note_reads()

    def bounds(self) -> dict[str, Bound]:
        """Return the bounds of each state, and of `TOTAL`."""
        reached = {
            name: frozenset(closure(reads, self._reads.__getitem__)) for name, reads in self._reads.items()
        }
        states: dict[str, Bound] = {}
        for name in sorted(
            reached, key=lambda name: len(reached[name] | {name})
        ):  # what it reads comes first
            if name not in states:
                together = {name} | {n for n in reached[name] if name in reached[n]}
                states |= self._of_some(together, states, name in reached[name])
        return states

    def _of_some(self, together: set[str], known: Mapping[str, Bound], grows: bool) -> dict[str, Bound]:
        """Return the bounds of states that depend on each other, and otherwise on what is known."""
        here = dict.fromkeys(together, NOTHING)
        for _ in range(ROUNDS if grows else 1):
            before, here = here, self._assigned(here, known)
            if not grows or here == before:
                return here
        marked = dict.fromkeys(
            together, Bound(0, 0, WIDEST, 1)
        )  # what they are by how large the largest of them is
        after = self._assigned(marked, known, has_before=False)
        most = EVENTS * STEPS * max(bound.size for bound in after.values())
        if most >= LIMIT or any(bound.factor >= FAST for bound in after.values()):
            return dict.fromkeys(together, ANY_STATE)
        return dict.fromkeys(together, Bound(-most, most, WIDEST))

    def _assigned(
        self, here: dict[str, Bound], known: Mapping[str, Bound], has_before: bool = True
    ) -> dict[str, Bound]:
        """Return the bounds of all values that states begin with or are set to while `here` are theirs.

        Those that they have before are among them, unless it is said that they are not.
        """
        states = {**dict.fromkeys(self._reads, ANY_STATE), **known, **here}
        static = Static(self._instance, states, self._stake)
        values = {name: [bound] if has_before else [] for name, bound in here.items()}
        for var in self._rules.vars:
            if var.name in values and var.initial is not None:
                values[var.name].append(static.of(var.initial, {}).for_state())
        for action in self._rules.actions:
            for effect, names in walk(action, static):
                if isinstance(effect, ir.SetState) and effect.name in values:
                    values[effect.name].append(static.of(effect.value, names).for_state())
        if TOTAL in values:
            values[TOTAL].append(added(static.states[TOTAL], payment(static)).for_state())
        return {name: either(*of) for name, of in values.items()}

    # ------------------------------------------------------------------ what depends on what

    def _note_reads(self) -> None:
        """Note for each state what its values may depend on."""
        for var in self._rules.vars:
            if var.initial is not None:
                self._note(var.name, [var.initial])
        for action in self._rules.actions:
            keys = [e for p in action.params for e in (p.low, p.high) if e is not None]
            if any(p.type in (Int(), Opt(Int())) for p in action.params):
                keys += [c.expr for c in action.conditions]
            self._note_effects(effects_of(action.effects), keys)
        self._note(TOTAL, list(exprs_in(effects_of(self._rules.payout))))

    def _note_effects(self, effects: Iterable[ir.Effect], around: list[ir.Expr]) -> None:
        for effect in effects:
            if isinstance(effect, ir.SetState):
                self._note(effect.name, [effect.value, *around])
            domain = exprs_of(effect) if isinstance(effect, ir.ForEach) else ()
            self._note_effects(nested(effect), [*around, *domain])

    def _note(self, name: str, exprs: Iterable[ir.Expr]) -> None:
        for expr in exprs:
            self._reads[name] |= reads_through(expr, self._definitions) & self._reads.keys()


# ------------------------------------------------------------------ effects


def walk(action: Action, static: Static) -> Iterator[tuple[ir.Effect, Names]]:
    """Yield all effects of an action, each with the bounds of the names that it knows, outermost first."""
    yield from _walk(effects_of(action.effects), keys_of(action, static), static)


def _walk(effects: Iterable[ir.Effect], names: Names, static: Static) -> Iterator[tuple[ir.Effect, Names]]:
    for effect in effects:
        yield effect, names
        yield from _walk(nested(effect), _inner(effect, names, static), static)


def _inner(effect: ir.Effect, names: Names, static: Static) -> Names:
    """Return the bounds of the names within an effect."""
    if not isinstance(effect, ir.ForEach):
        return names
    return {**names, **dict.fromkeys(bound_by(effect), static.domain(effect.domain, names))}


def keys_of(action: Action, static: Static, narrowed: bool = True) -> Names:
    """Return the bounds of the keys of a legal event: what the text states of them, and what the conditions say.

    If they are not `narrowed`, what the text states: conditions are asked of events that need not be legal.
    """
    names: dict[str, Bound] = {}
    for param in action.params:
        low = None if param.low is None else static.of(param.low, {})
        high = None if param.high is None else static.of(param.high, {})
        lowest = 1 - LIMIT if low is None or low.factor else max(1 - LIMIT, low.low)
        highest = LIMIT - 1 if high is None or high.factor else min(LIMIT - 1, high.high)
        bound = static.any_of(param.type).for_state()
        names[param.name] = Bound(max(lowest, bound.low), min(highest, bound.high), bound.most)
    for name, op, other in comparisons(action) if narrowed else ():
        names[name] = _narrowed(names[name], op, static.of(other, names))
    return {name: _ordered(bound) for name, bound in names.items()}


def _ordered(bound: Bound) -> Bound:
    """Return the bounds of a key. If no number is within them, no event is legal."""
    if bound.factor:  # a number may be outside
        return replace(bound, low=min(bound.low, bound.high), high=max(bound.low, bound.high))
    return bound if bound.low <= bound.high else NOTHING


def comparisons(action: Action) -> Iterator[tuple[str, ir.OpName, ir.Expr]]:
    """Yield with what the conditions of an action compare its keys, the key first."""
    keys = {p.name for p in action.params if p.type == Int()}
    for condition in action.conditions:
        for part in conjuncts(condition.expr):
            if not isinstance(part, ir.Op) or part.op not in TURNED:
                continue
            left, right = part.args
            for one, op, other in ((left, part.op, right), (right, TURNED[part.op], left)):
                if isinstance(one, ir.Local) and one.name in keys and one.name not in names_in(other):
                    yield one.name, op, other


def _narrowed(bound: Bound, op: ir.OpName, other: Bound) -> Bound:
    """Return the bounds of a number that a comparison holds for."""
    low, high, factor = bound.low, bound.high, bound.factor
    if other.factor:
        if op == "eq":
            return other
        is_open = op in ("lt", "le") and high == LIMIT - 1 and low > 1 - LIMIT
        return Bound(low, max(low, other.high), bound.most, other.factor) if is_open else bound
    if op in ("lt", "le", "eq"):
        high = min(high, other.high)
    if op in ("gt", "ge", "eq"):
        low = max(low, other.low)
    return Bound(low, high, bound.most, factor)


def payment(static: Static) -> Bound:
    """Return the bounds of what a player is paid at one `end`."""
    return _paid(effects_of(static.instance.rule_set.payout), {}, static)


def _paid(effects: Iterable[ir.Effect], names: Names, static: Static) -> Bound:
    whole = NOTHING
    for effect in effects:
        if isinstance(effect, ir.Pay | ir.Gain):
            amount = static.of(effect.amount, names)
            largest = max(amount.size, 0)
            whole = added(whole, Bound(-largest, largest, 0, amount.factor))
        inner = _paid(nested(effect), _inner(effect, names, static), static)
        if isinstance(effect, ir.ForEach):
            inner = times(static.domain(effect.domain, names).most, inner)
        whole = added(whole, inner)
    return whole


def payment_exprs(static: Static) -> Iterator[tuple[ir.Expr, Names]]:
    """Yield the expressions in the payout, each with the bounds of the names that it knows."""
    effects = effects_of(static.instance.rule_set.payout)
    for effect, names in _walk(effects, {}, static):
        for expr in exprs_of(effect):
            yield expr, names
