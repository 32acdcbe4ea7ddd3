"""Faults that golpae once had: each is mended, and planted here as it was."""

from __future__ import annotations

from tests.planted.fault import Fault

ENCODING = "prove/encoding"
FOUND = "tests/differential/found"

ONCE_FOUND = (
    Fault(
        "hidden-names-as-written",
        "elaborate/check.py",
        "return with_distinct_names(check_as_written(resolved))",
        "return check_as_written(resolved)",
        "a name of a loop or a question that hides another one stands for both",
    ),
    Fault(
        "hidden-names-in-places",
        "ir/distinct_names.py",
        """        if isinstance(value, ir.Place | ir.MeldPlace):
            return self._node(value, new, names)
""",
        """        if isinstance(value, ir.Place | ir.MeldPlace):
            return value
""",
        "the place of a move in a loop belongs to the outer player of that name",
    ),
    Fault(
        "loop-takes-its-groups-alone",
        "lower/move_safety.py",
        "at.end == GROUPS and at.what == loop.domain and leaves[at.zone] == 1",
        "at.end == GROUPS and at.what == loop.domain",
        "a loop over groups that takes more than these is thought to succeed always",
    ),
    Fault(
        "source-asked-for-each-tile",
        "replay/codegen/effects.py",
        "{self._listed(what)}: place.{taken",
        "{self._listed(what)}: {zone}.{taken",
        "the place that tiles leave is asked again for each tile",
    ),
    Fault(
        "target-asked-for-each-tile",
        "lower/effects.py",
        """            lets, target = self._once_found(target)
            yield from lets
""",
        "",
        "the place where tiles arrive is asked again for each tile",
    ),
    Fault(
        "guarded-too-early",
        "lower/event_plan.py",
        "if can_be_asked and not guarded:",
        "if can_be_asked:",
        "a condition is asked before the one that guards it, which waits for a key",
    ),
    Fault(
        "values-before-a-question-for-none",
        "ir/none_guards.py",
        "yield (*exprs, *given) if needs else given, facts.fact_of(part)",
        "yield given, facts.fact_of(part)",
        "values that a condition names are looked for although the one before it asks if they are none",
    ),
    Fault(
        "optional-lists-allowed",
        "elaborate/typecheck/parameters.py",
        "if param.optional and not silent:",
        "if param.optional and silent and not silent:",
        "a list that may be missing has no fault, although its tiles have names",
    ),
    Fault(
        "end-takes-any-order",
        "replay/legal_events.py",
        "failed, args = self.machine.first(action.name, state, (*fixed, *added))",
        "failed, args = self.machine.check(action.name, state, (*fixed, *added)), (*fixed, *added)",
        "the list of an `end` is in the order in which it is made, not in the first one that is allowed",
    ),
    Fault(
        "lists-compared-with-none",
        "replay/state_layout.py",
        "return other.__class__ is list and len(one) == len(other)",
        "return len(one) == len(other)",
        "attribute crashes if one rule set sets a list and another one leaves it none",
    ),
    Fault(
        "deals-as-drawn",
        "replay/legal_events.py",
        "deal = Event(deal.action, self.machine.first(deal.action, state, deal.args)[1])",
        "pass",
        "games by chance go on with the list of a deal in the order in which it was drawn",
    ),
    Fault(
        "stuck-once-over",
        "prove/induction/deadlock.py",
        "product((PLAYING, OVER), rows, product(*words))",
        "product((PLAYING,), rows, product(*words))",
        "states in which a hand is over are not asked for legal events",
        "proofs",
    ),
    Fault(
        "groups-laid-out-twice",
        f"{ENCODING}/conditions.py",
        "if key in laid_out:  # no groups need be layouts of both",
        "if key in laid_out and not exhaustive:",
        "groups that two conditions ask for are sought for each of them",
        "proofs",
    ),
    Fault(
        "orders-beyond-the-most",
        f"{ENCODING}/conditions.py",
        """        if exhaustive:
            yield "order", False
""",
        "",
        "an event is legal for certain although more orders come before it than are asked",
        "proofs",
    ),
    Fault(
        "orders-without-an-encoding",
        f"{ENCODING}/conditions.py",
        "state, exhaustive=False, unsure=exhaustive)",
        "state, exhaustive=False, unsure=False)",
        "an event is legal for certain although an order before it may be",
        "proofs",
    ),
    Fault(
        "rounds-read-what-is-shared",
        f"{ENCODING}/order_dependence.py",
        "one.reads([expr], own_of=name) & writes.names or one.reads([expr]) & writes.shared",
        "one.reads([expr], own_of=name) & writes.names",
        "a table is turned although a round reads its own value, which others write",
        "steps",
    ),
    Fault(
        "deal-that-nobody-makes",
        "kernel/emit/playing/pairing.py",
        'lt(call(f"{dealer}.deal_one_of", seats), ONE)',
        'is_zero(call(f"{dealer}.deal_one_of", seats))',
        "a hand of two rule sets goes on after a deal that one of them refuses",
        "comparisons",
    ),
    Fault(
        "events-that-the-other-refuses",
        "kernel/emit/playing/pairing.py",
        """        writer.store(8, ZERO, add(load(8, ZERO, at), ONE), at)
        writer.give(ZERO)
""",
        """        writer.give(ZERO)
""",
        "events that one side alone allows are not counted",
        "comparisons",
    ),
)
