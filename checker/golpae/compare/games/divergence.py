"""Which parts of a state may differ between two rule sets after a game that both allow, and what reads them.

Input: two instances with the same zones and tiles, and what is `Rewritten` between them.
Output: `StateDivergence`: the diverged states, zones and words so far; whether conditions, effects and deals of the two
agree by syntax; what an event may add to the diverged parts.
Guarantee: no solver is used. A part that no event may add to the diverged ones is the same in both games.

    A: then score := 1     B: then score := 2     the event may add `score`, and each state that is set from `score`
"""

from __future__ import annotations

from golpae.compare.games.alignment import Rewritten, same_tile_names, tells_orders_apart
from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import are_told_apart, paying_effects, written_by
from golpae.ir.ruleset import Action, Condition, RuleSet, VarDecl, effects_of
from golpae.ir.traverse import exprs_of, flat

OVER, WINNER, TOTAL = "over", "winner", "total"  # parts of every state, beside states and zones of the rules


class StateDivergence:
    """Two rule sets, `a` and `b`, and the names of the parts of a state in `diverged`."""

    def __init__(self, a: Instance, b: Instance, rewritten: Rewritten) -> None:
        self.a, self.b = a, b
        self.rewritten = rewritten
        self.diverged = self._at_start()

    @property
    def rule_sets(self) -> tuple[RuleSet, RuleSet]:
        return self.a.rule_set, self.b.rule_set

    # ------------------------------------------------------------------ which parts differ

    def restart(self) -> None:
        """Forget all diverged parts but those that differ from the start."""
        self.diverged = self._at_start()

    def close_by_syntax(self) -> None:
        """Add every part that some event may add."""
        ours, theirs = self.rule_sets
        pairs = [(action, theirs.action(action.name)) for action in ours.actions]
        while True:
            more = set().union(
                *(self.possibly_diverging(one, other) for one, other in pairs if other is not None)
            )
            if more <= self.diverged:
                return
            self.diverged |= more

    @property
    def begins_differently(self) -> bool:
        """Return whether some part differs from the start."""
        return bool(self._at_start())

    def _at_start(self) -> set[str]:
        """Return the states that only one of the two has, those with different initial values, and the zone that holds
        the set if the sets differ.
        """
        ours, theirs = ({v.name: v for v in rules.vars} for rules in self.rule_sets)
        shared = ours.keys() & theirs.keys()
        out = set(ours.keys() ^ theirs.keys())
        out |= {n for n in shared if not self._same_initial(ours[n].initial, theirs[n].initial)}
        if [n for n in ours if n in theirs] != [n for n in theirs if n in ours]:
            # initial values are set in order, and an earlier state may be read by a later one
            out |= {n for n in shared if self._read_initially(ours[n])}
        if self.rewritten.withdrawn:
            out |= {zone.name for zone in self.a.rule_set.zones if zone.holds_set}
        return out

    def _same_initial(self, one: ir.Expr | None, other: ir.Expr | None) -> bool:
        if one is None or other is None:
            return one is other
        return self.rewritten.same(one, other)

    def _read_initially(self, state: VarDecl) -> frozenset[str]:
        return frozenset() if state.initial is None else self.rewritten.reads(state.initial)

    def possibly_diverging(self, action: Action, other: Action) -> set[str]:
        """Return the parts that an event may leave different in the two games."""
        ours, theirs = effects_of(action.effects), effects_of(other.effects)
        one_sided = [e for e in ours if not any(self.rewritten.effects_same([e], [f]) for f in theirs)]
        one_sided += [e for e in theirs if not any(self.rewritten.effects_same([f], [e]) for f in ours)]
        out = written_by(one_sided)
        if action.kind == "deal" and not self.same_deal(action, other):
            assert action.dealing is not None
            out |= {action.dealing.zone, action.dealing.hand}
        reordered = [e for e in ours if e in theirs] != [e for e in theirs if e in ours]
        if reordered or not self._same_tile_names(action) or self.names_tiles_otherwise(action, other):
            out |= written_by([*ours, *theirs])
        while True:
            tainted = out | self.diverged
            more = set().union(*(written_by([e]) for e in (*ours, *theirs) if self._read_by([e]) & tainted))
            if action.kind == "deal":
                more |= self._initialised_from(tainted)
            if more <= out:
                break
            out |= more
        if action.kind in ("end", "finish"):
            ours, theirs = self._payments(action.kind)
            if not self.rewritten.effects_same(ours, theirs) or self._read_by(ours) & self.diverged:
                out.add(TOTAL)
        return out

    def _initialised_from(self, tainted: set[str]) -> set[str]:
        """Return the states of a hand whose initial value reads one of these parts."""
        states = (v for rules in self.rule_sets for v in rules.vars if v.scope == "hand")
        return {v.name for v in states if self._read_initially(v) & tainted}

    # ------------------------------------------------------------------ what the two share by syntax

    def must_check(self, condition: Condition, action: Action) -> bool:
        """Return whether a condition may fail for an event that `action` of the other rule set allows."""
        kind = condition.of_game
        if kind is not None:
            return (kind == "open" and OVER in self.diverged) or (
                kind == "winner" and WINNER in self.diverged
            )
        reads_diverged = bool(self.rewritten.reads(condition.expr) & self.diverged)
        return reads_diverged or self.is_rewritten(condition, action)

    def is_rewritten(self, condition: Condition, action: Action) -> bool:
        """Return whether a condition may fail in the same state as the one in which `action` allows the event."""
        if condition.of_game is not None:
            return False
        if not self._same_tile_names(action):
            return True
        return not any(self.rewritten.same(c.expr, condition.expr) for c in action.conditions)

    def same_effects(self, action: Action, other: Action) -> bool:
        """Return whether an event has the same effects in both, applied to the same state."""
        if action.kind == "deal" and not self.same_deal(action, other):
            return False
        if action.kind == "end" and not self.rewritten.effects_same(*self._payments("end")):
            return False
        ours, theirs = effects_of(action.effects), effects_of(other.effects)
        return self._same_tile_names(action) and self.rewritten.effects_same(ours, theirs)

    def same_effects_anywhere(self, action: Action, other: Action) -> bool:
        """Return whether an event has the same effects in both, whatever the diverged parts are."""
        ours, theirs = effects_of(action.effects), effects_of(other.effects)
        same = self._same_tile_names(action) and self.rewritten.effects_same(ours, theirs)
        return same and not self._read_by(ours) & self.diverged

    def names_tiles_otherwise(self, action: Action, other: Action) -> bool:
        """Return whether the two may give the tiles of `{a, b}` their names in another order, and it matters.

        The first order under which all conditions hold is that of the event. A condition that holds in all orders or in
        none chooses no order.
        """
        if not any(map(tells_orders_apart, (action, other), self.rule_sets)):
            return False
        pairs = ((action, other), (other, action))
        return any(
            self.must_check(c, one) and any(are_told_apart(p, [c]) for p in rest.params if p.parts)
            for one, rest in pairs
            for c in rest.conditions
        )

    def same_deal(self, action: Action, other: Action) -> bool:
        """Return whether both deal as many tiles of the same set to the same zones."""
        if self.rewritten.withdrawn or action.dealing is None or other.dealing is None:
            return False
        one, two = action.dealing, other.dealing
        sizes = zip((one.first, one.others), (two.first, two.others), strict=True)
        return (one.zone, one.hand) == (two.zone, two.hand) and all(self._same_size(a, b) for a, b in sizes)

    @property
    def deals_apart(self) -> bool:
        """Return whether no deal of one is a deal of the other: some hand has always more tiles in one of them."""
        one, two = (next(a.dealing for a in r.actions if a.dealing is not None) for r in self.rule_sets)
        sizes = [(one.first, two.first)]
        sizes += [(one.others, two.others)] if self.a.players > 1 else []
        numbers = (self._numbers(*pair) for pair in sizes)
        return any(both is not None and both[0] != both[1] for both in numbers)

    def _same_size(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Return whether the sizes of a hand, one of each rule set, are the same number."""
        sizes = self._numbers(one, other)
        if sizes is None:
            return self.rewritten.same(one, other) and not self.rewritten.reads(one) & self.diverged
        return sizes[0] == sizes[1]

    def _numbers(self, one: ir.Expr, other: ir.Expr) -> tuple[int, int] | None:
        """Return the numbers that two expressions always are, one of each rule set; None if one can change."""
        try:
            return constant_int(one, self.a.static), constant_int(other, self.b.static)
        except NotConstant:
            return None

    def _same_tile_names(self, action: Action) -> bool:
        one, two = (rules.action(action.name) for rules in self.rule_sets)
        return one is None or two is None or same_tile_names(one, two)

    def _payments(self, kind: str) -> tuple[list[ir.Effect], list[ir.Effect]]:
        """Return on what the payments of `end` or `finish` depend, of both rule sets."""
        a, b = (paying_effects(rules, kind) for rules in self.rule_sets)
        return a, b

    def _read_by(self, effects: list[ir.Effect]) -> frozenset[str]:
        """Return the parts that effects read; tiles that are moved have to lie in their zone, which counts as read."""
        reads: set[str] = set()
        for effect in flat(effects):
            for expr in exprs_of(effect):
                reads |= self.rewritten.reads(expr)
            if moves_tiles(effect):
                reads |= written_by([effect])
        return frozenset(reads)


def moves_tiles(effect: ir.Effect) -> bool:
    """Return whether an effect itself changes zones."""
    return any(writes.kind == "zone" for writes in effect.STRUCTURE.writes)
