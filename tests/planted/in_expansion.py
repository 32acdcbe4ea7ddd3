"""Faults of words that golpae writes out: in the steps of expansion, and where such words are typed."""

from __future__ import annotations

from tests.planted.fault import Fault

EXPAND = "elaborate/expand"
CHOICES = "elaborate/typecheck/choices"

EXPANDED = (
    Fault(
        "word-after-numbers-repeats-one",
        f"{EXPAND}/tile_patterns.py",
        "        number = high + 1\n",
        "        number = high\n",
        "a word of a range has the number before it",
    ),
    Fault(
        "words-of-tiles-mixed-up",
        f"{EXPAND}/tile_patterns.py",
        "case[0], case[1], rest), reversed(cases), otherwise)",
        "case[0], case[1], rest), cases[1:], otherwise)",
        "a tile has no word if it is the first of its range",
    ),
    Fault(
        "loop-captures-a-name-of-a-group",
        f"{EXPAND}/groups.py",
        "if name.text in self._open_in_groups(inner):",
        "if name.text in ():",
        "a name in a group means what a loop calls so where the group is used",
    ),
    Fault(
        "group-without-its-last-effect",
        f"{EXPAND}/groups.py",
        "return t.Given(use.span, tuple(values), tuple(inner))",
        "return t.Given(use.span, tuple(values), tuple(inner[: max(1, len(inner) - 1)]))",
        "a group of several effects lacks its last one where it is used",
    ),
    Fault(
        "first-condition-of-a-group-alone",
        f"{EXPAND}/groups.py",
        "        for line in lines:\n            body = line.body\n",
        "        for line in lines[:1]:\n            body = line.body\n",
        "a group of conditions is required by its first line alone",
    ),
    Fault(
        "where-in-its-places",
        f"{EXPAND}/wheres.py",
        "if w.name.text in used and self._reached(values[w.name.text]) & changed",
        "if w.name.text in used and self._reached(values[w.name.text]) & changed & {w.name.text}",
        "a name for a value means what the value is after the effects before it",
    ),
    Fault(
        "where-found-too-late",
        f"{EXPAND}/wheres.py",
        "if at in uses or reads.intersection(changed_by(inner)))",
        "if at in uses)",
        "a value is found before the first effect that uses it, and not before one that changes it",
    ),
    Fault(
        "value-of-a-score-left-out",
        f"{EXPAND}/score_defines.py",
        "for p, arg in zip(define.params, args, strict=True)",
        "for p, arg in zip(define.params, reversed(args), strict=True)",
        "a definition of a score gets its values in the opposite order",
    ),
    Fault(
        "until-asked-before",
        f"{EXPAND}/repeat.py",
        'test = t.Binary(test.span, "or", is_first, t.Unary(test.span, "not", test))',
        'test = t.Unary(test.span, "not", test)',
        "what is repeated until something holds is not done at all if it holds before",
    ),
    Fault(
        "nobody-leaves-winners",
        f"{EXPAND}/winners.py",
        "        yield t.ForEach(span, t.Word(span, self.player), everybody, (none,))\n        yield effect\n",
        "        yield effect\n",
        "who has won before `nobody wins` is still among the winners",
    ),
    Fault(
        "payer-gains",
        f"{EXPAND}/payments.py",
        '((payer, self.payer, "-"), (payee, self.payee, "+"))',
        '((payer, self.payer, "+"), (payee, self.payee, "+"))',
        "who pays during a hand gains as much",
    ),
    Fault(
        "round-to-the-left",
        "elaborate/typecheck/turns.py",
        'side: ir.WordName = "right" if expr.kind == "the next" else "left"',
        'side: ir.WordName = "left" if expr.kind == "the next" else "right"',
        "the next player is looked for to the left",
    ),
    Fault(
        "later-case-first",
        "syntax/cases.py",
        "    for row in reversed(rows):\n",
        "    for row in rows:\n",
        "the last row that applies gives the value",
    ),
    Fault(
        "rounded-up-is-one-more",
        f"{CHOICES}/numbers.py",
        'above = ir.Op("neg", (ir.Op("div", (ir.Op("neg", (number,), INT), unit), INT),), INT)',
        'above = ir.Op("add", (ir.Op("div", (number, unit), INT), ir.Const(1, INT)), INT)',
        "a number that is a multiple is rounded up to the next one",
    ),
    Fault(
        "order-without-its-first",
        f"{CHOICES}/sequences.py",
        "for number, member in reversed([*enumerate(listed.items, 1)]):",
        "for number, member in reversed([*enumerate(listed.items, 0)]):",
        "places of an order are counted from 0",
    ),
    Fault(
        "circle-turned",
        f"{CHOICES}/sequences.py",
        'members = listed.items if expr.side == "after" else listed.items[::-1]',
        "members = listed.items",
        "the member before another one is the one after it",
    ),
    Fault(
        "dealt-to-the-table-from-behind",
        "elaborate/typecheck/dealing.py",
        "move = ir.Move(key, ir.Place(source, None, None), ir.Place(name, None, None), None)",
        'move = ir.Move(key, ir.Place(source, None, "back"), ir.Place(name, None, None), None)',
        "tiles that are dealt to the table are taken from the end of the row",
    ),
)
