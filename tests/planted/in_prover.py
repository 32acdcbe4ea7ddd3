"""Faults of the prover: steps, values, induction, theorems; and of going through all games."""

from __future__ import annotations

from tests.planted.fault import Fault

ENCODING = "prove/encoding"

STEPS = (
    Fault(
        "memo-survives-an-assignment",
        "prove/symbolic/state.py",
        """        self.memo = {}
        if seat is EVERYBODY:
""",
        """        if seat is EVERYBODY:
""",
        "definitions have the value that they had before a state of the same event was set",
    ),
    Fault(
        "tiles-needed-for-nothing",
        f"{ENCODING}/moves.py",
        "self._needs.append(implies(at.path, within(tiles, have.bag)))",
        "self._needs.append(within(tiles, have.bag))",
        "an event counts as impossible if a move in a branch that it does not take is",
    ),
    Fault(
        "prover-passes-to-the-wrong-side",
        f"{ENCODING}/effects.py",
        '[old[-1], *old[:-1]] if side == "right"',
        '[old[-1], *old[:-1]] if side == "left"',
        "what is passed to the right goes to the left in the prover",
    ),
    Fault(
        "prover-keeps-the-winner",
        f"{ENCODING}/deals.py",
        "        after.winner = None\n",
        "",
        "a deal keeps the winner of the last hand in the prover",
    ),
    Fault(
        "paid-whatever-the-test",
        f"{ENCODING}/effects.py",
        "ite_number(conj(path, guard), amount, 0)",
        "ite_number(guard, amount, 0)",
        "a payment under a test counts although the test fails",
    ),
    Fault(
        "front-of-an-empty-row",
        "prove/symbolic/zones.py",
        'front = only if end == "front" else ite(empty, only, zone.row.front)',
        'front = only if end == "front" else zone.row.front',
        "the first tile of a row is not its front",
    ),
    Fault(
        "a-row-that-is-never-empty",
        "prove/symbolic/zones.py",
        'other = ite(empty, None, zone.row.back if end == "front" else zone.row.front)',
        'other = zone.row.back if end == "front" else zone.row.front',
        "the last tile of a row stays at its other end when it is taken",
    ),
    Fault(
        "sum-without-copies",
        "prove/evaluation/folds.py",
        "times(m.count, as_number(item(m.names)))",
        "as_number(item(m.names))",
        "the prover adds up each kind of tile once",
    ),
    Fault(
        "seats-share-a-value",
        "prove/evaluation/quantifiers.py",
        "key = (id(expr.body), seat, self._context.arrangement)",
        "key = (id(expr.body), self._context.arrangement)",
        "the cached value of a quantifier's body serves another seat",
    ),
    Fault(
        "negative-divisors",
        "prove/evaluation/operators.py",
        "negative = isinstance(right, int) and right < 0",
        "negative = False",
        "the prover rounds the other way if it divides by a negative number",
    ),
    Fault(
        "order-of-seats-ignored",
        f"{ENCODING}/order_dependence.py",
        "return differs or (value is not None and bool(self._varying & names_in(value)))",
        "return differs",
        "a table is turned although the last seat of a loop decides",
    ),
    Fault(
        "grown-melds-forgotten",
        f"{ENCODING}/reachable_melds.py",
        "st.AddToMeld | st.TakeFromMeld | st.NewMeld",
        "st.NewMeld",
        "melds that others grow into are not among those that can lie",
    ),
    Fault(
        "labels-lost-on-the-bridge",
        "replay_bridge.py",
        "group = tiles if label is None else zones.Meld(tiles, label)",
        "group = tiles",
        "the prover asks replay about the shape of a meld without its label",
    ),
    Fault(
        "sizes-stay-when-tiles-leave",
        "prove/symbolic/values.py",
        "return Bag(out, _sized=lambda: minus(size(bag), size(tiles)))",
        "return Bag(out, _sized=lambda: size(bag))",
        "a zone is as large after tiles have left it as before",
    ),
    Fault(
        "few-values-without-their-tests",
        f"{ENCODING}/effects.py",
        "guards = [self._symbol_for(guard) for guard, _ in value.cases]",
        'guards = [self._symbols.truth("when") for _ in value.cases]',
        "a state gets any of the few values that it may get, if it is long to say which",
        unseen="more seems possible than is, so that less is proved and nothing wrong",
    ),
    Fault(
        "taken-and-not-put-down",
        "lower/ledger.py",
        "return not any(counts.values())",
        "return True",
        "what statements take and do not put down is not noticed",
        unseen="no effect lowers to such statements; tests/lower/test_ledger.py has some",
    ),
)

PROOFS = (
    Fault(
        "fixed-point-too-early",
        "prove/induction/houdini.py",
        "if names & dropped and n not in queue)",
        "if names & dropped and n > number and n not in queue)",
        "steps before the one that drops a candidate are not asked again",
    ),
    Fault(
        "base-case-counts-as-proved",
        "prove/induction/induction.py",
        """Failure(START, reply.reason)
        return reply.status == UNSAT""",
        """Failure(START, reply.reason)
        return reply.status != UNKNOWN""",
        "what fails at the start counts as an invariant",
    ),
    Fault(
        "stuck-only-when-over",
        "prove/induction/deadlock.py",
        "product((PLAYING, OVER), rows, product(*words))",
        "product((OVER,), rows, product(*words))",
        "states in which a hand is played are not asked for legal events",
    ),
    Fault(
        "ranking-need-not-fall",
        "prove/induction/ranking.py",
        "decrease = 1 if action in (None, step.action.name) else 0",
        "decrease = 1 if action == step.action.name else 0",
        "a number that stays the same is proved to end a hand",
    ),
    Fault(
        "positions-without-states",
        "replay/state_layout.py",
        'if (v.scope == "match" or not (match or v.scope == TABLE)) and v.name not in unread',
        'if v.scope == "match" and v.name not in unread',
        "positions count as one although states of the hand differ",
    ),
    Fault(
        "before-is-after",
        "verify/deciders/all_games.py",
        "earlier = {EARLIER: before.state} if compares else {}",
        "earlier = {EARLIER: after.state} if compares else {}",
        "`earlier` reads the state after the event",
    ),
    Fault(
        "some-event-makes-it-vacuous",
        "verify/deciders/all_games.py",
        "if prop.after is not None and all(event.action != prop.after",
        "if prop.after is not None and any(event.action != prop.after",
        "a property after an action is called vacuous although the action happens",
    ),
)

POSITIONS = (
    Fault(
        "positions-without-words",
        "search/all_games.py",
        "self._key = StateKey(machine.rules, read, unread=unread)",
        "self._key = StateKey(machine.rules, unread=unread)",
        "positions count as one although a rule reads their totals",
    ),
)

THEOREMS = (
    Fault(
        "sets-beyond-their-domain",
        "prove/theorem.py",
        "            symbols.fact(within(tiles, domain))\n",
        "",
        "`every h of 2 in s` goes through sets that are not in `s`",
    ),
    Fault(
        "each-counts-once",
        "prove/scoring_ways.py",
        "numbers.append(ite_number(test, times(count, value), 0))",
        "numbers.append(ite_number(conj(test, at_least(count, 1)), value, 0))",
        "a pattern `for each` counts equal members once in theorems",
    ),
)

PROVER = tuple(
    Fault(f.name, f.file, f.old, f.new, f.wrong, part, f.unseen)
    for part, faults in (
        ("steps", STEPS),
        ("proofs", PROOFS),
        ("positions", POSITIONS),
        ("theorems", THEOREMS),
    )
    for f in faults
)
