"""The deals of a rule set at one table.

Input: an `Evaluator`. Output: deals as steps: of hands that are unknown, or of hands some of whose tiles are known.
Guarantee: as for all steps; see `transition_system`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from golpae.elaborate.lifecycle import own_params
from golpae.ir.lifecycle import LIFECYCLES
from golpae.ir.ruleset import DEALT_PLAYER, Action, EffectClause, RuleSet
from golpae.lower.effects import LoweredClause, lowered
from golpae.prove.encoding.conditions import ConditionEncoder
from golpae.prove.encoding.effects import EffectRun, run_clauses
from golpae.prove.encoding.step import MOVES, Step
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import (
    Bag,
    Value,
    all_of,
    bag_minus,
    bag_of,
    bags_same,
    conj,
    equal,
    joined,
    of_size,
    size,
    within,
)
from golpae.prove.symbolic.zones import Zone, free_row, row_in_order, row_of


class DealEncoder(ConditionEncoder):
    """The deals of one rule set at one table."""

    def __init__(self, evaluator: Evaluator, also: RuleSet | None) -> None:
        super().__init__(evaluator, also)
        self.rules = evaluator.rules
        self.players = evaluator.players
        self._statements: dict[str, tuple[tuple[EffectClause, ...], tuple[LoweredClause, ...]]] = {}

    def deals(
        self, action: Action, state: SymbolicState, first: int = 0, given: Mapping[str, Value] | None = None
    ) -> Iterator[Step]:
        """Return the deals of unknown hands, with this seat first: one for each choice of what the game adds.

        With `given`, for these values of the keys that the game adds.
        """
        own = own_params(action)
        names: dict[str, Value] = {"first": first, "hands": OPAQUE, "reserve": OPAQUE}
        begin = len(self.symbols.facts)
        rows = [list(self.parameter_choices.values_of(action, p, exhaustive=False)) for p in own]
        if given is not None:
            rows = [[{n: given[n] for n in (p.name, *p.parts)}] for p in own]
        facts = tuple(self.symbols.facts[begin:])
        for chosen in product(*rows):
            added = {name: value for row in chosen for name, value in row.items()}
            step = self._deal(action, state, first, names | added)
            yield replace(step, facts=(*facts, *step.facts))

    def _deal(self, action: Action, state: SymbolicState, first: int, names: dict[str, Value]) -> Step:
        """Return a deal of unknown hands with these values of its keys."""
        assert action.dealing is not None
        dealing, symbols = action.dealing, self.symbols
        begin, deferred = len(symbols.facts), len(symbols.deferred)
        hands = []
        for seat in range(self.players):
            hand = symbols.bag("dealt", dict(self.evaluator.copies))
            number = self.evaluator.number(
                dealing.first if seat == first else dealing.others, state, {**names, DEALT_PLAYER: seat}
            )
            hand, is_size = of_size(hand, number)
            symbols.fact(is_size)
            hands.append(hand)
        symbols.fact(within(joined(*hands), Bag(dict(self.evaluator.copies))))
        return self._dealt(action, state, names, hands, None, begin, deferred)

    def deal_of(
        self,
        action: Action,
        state: SymbolicState,
        names: dict[str, Value],
        hands: Sequence[Bag],
        reserve: Bag | Sequence[Value] | None,
    ) -> Step:
        """Return a deal of these hands, whose tiles may be unknown. Nobody knows the order of what is left over, if the
        deal does not say it or `reserve` is a bag.

        Its guards are also what every game asks of a deal: the sizes of the hands, and no tile too often. `reserve` is
        what the deal says is left over, if it says so.
        """
        assert action.dealing is not None
        begin, deferred = len(self.symbols.facts), len(self.symbols.deferred)
        first = names["first"]
        set_, dealt = Bag(dict(self.evaluator.copies)), joined(*hands)
        sizes = []
        for seat, hand in enumerate(hands):
            here = {**names, DEALT_PLAYER: seat}
            number = action.dealing.first if seat == first else action.dealing.others
            sizes.append(equal(size(hand), self.evaluator.number(number, state, here)))
        formulas = [("hands", all_of(sizes)), ("set", within(dealt, set_))]
        in_a_row: Callable[[Bag], Zone] = free_row
        if reserve is not None:
            rest = reserve if isinstance(reserve, Bag) else bag_of(reserve)
            left = bag_minus(set_, dealt)
            is_rest = conj(equal(size(rest), size(left)), bags_same(rest, left))  # the sizes are often known
            formulas.append(("rest", is_rest))
        if reserve is not None and not isinstance(reserve, Bag):
            track = self.states.tracking.get(action.dealing.zone)
            in_a_row = partial(row_in_order, reserve, self.symbols, track)
        step = self._dealt(action, state, names, hands, in_a_row, begin, deferred)
        return replace(step, guards=(*step.guards, *formulas))

    def _dealt(
        self,
        action: Action,
        state: SymbolicState,
        names: dict[str, Value],
        hands: Sequence[Bag],
        in_a_row: Callable[[Bag], Zone] | None,
        begin: int,
        deferred: int,
    ) -> Step:
        """Return a deal of these hands; `in_a_row` makes a row of what is left over, in an unknown order if None."""
        assert action.dealing is not None
        dealing, symbols = action.dealing, self.symbols
        guards = self._conditions(action, names, state, exhaustive=False)
        after = state.copy()
        after.winner = None
        after.at = LIFECYCLES[action.kind].leads_to
        for zone in self.rules.zones:
            after.zones[zone.name] = self.states.first_zone(zone, zone.name == dealing.zone)
        for var in self.rules.vars:
            if var.scope == "hand":
                after.vars[var.name] = self.states.first_value(var, after)
        after.zones[dealing.hand] = [Zone(h) for h in hands]
        rest = bag_minus(Bag(dict(self.evaluator.copies)), joined(*hands))
        reserve = Zone(rest)
        if self.states.zone_decls[dealing.zone].kind == "row":
            if in_a_row is None:
                reserve = Zone(rest, row_of(rest, symbols, self.states.tracking[dealing.zone]))
            else:
                reserve = in_a_row(rest)
        after.zones[dealing.zone] = reserve
        after.memo = {}
        run = EffectRun(self.evaluator, self.states, exhaustive=False)
        run_clauses(run, self._lowered(action.name, action.effects), after, names)
        after.memo = {}
        for fault in run.approximated:
            self.approximated.setdefault(action.name, fault)
        certain = tuple(symbols.facts[begin:])
        definitions = (*run.definitions, *symbols.deferred[deferred:])
        needs = (MOVES, all_of(run.needs))
        return Step(action, names, (*guards, needs), certain, state, after, definitions, tuple(hands))

    def _lowered(self, block: str, clauses: tuple[EffectClause, ...]) -> tuple[LoweredClause, ...]:
        """Return the statements of the effects of an action, or of the payout."""
        of_clauses, statements = self._statements.get(block, (None, ()))
        if of_clauses is not clauses:  # at some events of a recorded game effects are left out
            statements = lowered(self.rules, block, clauses)
            self._statements[block] = clauses, statements
        return statements
