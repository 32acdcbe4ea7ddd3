"""What the trace contract sets for every game: keys and conditions of `deal`, `end` and `finish`.

Input: the kind of an action. Output: its parameters and implicit conditions, in the order in which they are checked.
Guarantee: no text can remove these keys and conditions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Condition, ParamDecl
from golpae.ir.traverse import names_in
from golpae.ir.types import BOOL, INT, SEAT, TILES, Bag, Opt

KEYS = (
    "golpae",
    "do",
    "by",
    "note",
    "time",
)  # of every line of a trace: the first begins a trace, the others an event
# Keys that `deal`, `end` and `finish` have in every game.
LIFECYCLE_PARAMS: dict[str, tuple[ParamDecl, ...]] = {
    "deal": (
        ParamDecl("first", SEAT),
        ParamDecl("hands", Bag(TILES)),
        ParamDecl("reserve", Opt(TILES), optional=True),
    ),
    "end": (ParamDecl("winner", Opt(SEAT)), ParamDecl("pay", Bag(INT))),
    "finish": (ParamDecl("totals", Bag(INT)), ParamDecl("winners", Bag(SEAT))),
}
# Conditions that the trace contract sets for every game, with their messages: checked first, and checked last.
IMPLICIT_BEFORE: dict[str, tuple[tuple[ir.ImplicitKind, str], ...]] = {
    "action": (("open", "{by} cannot act here"),),
    "deal": (("open", "no hand can be dealt here"),),
    "end": (("open", "there is no hand to end"),),
    "finish": (("open", "the match cannot finish here"),),
}
IMPLICIT_AFTER: dict[str, tuple[tuple[ir.ImplicitKind, str], ...]] = {
    "deal": (
        ("hands", "the hands have the wrong size"),
        ("set", "more tiles were dealt than the set has"),
        ("rest", "`reserve` is not the rest of the set"),
    ),
    "end": (("winner", "wrong winner"), ("pay", "wrong payments")),
    "finish": (("totals", "wrong totals"), ("winners", "wrong winners")),
}


# Keys that a trace may leave out if a text says so (`end(optional pay)`); then nothing is compared with the rules.
MAY_BE_LEFT_OUT = {"end": ("pay",), "finish": ("totals", "winners")}


def lifecycle_params(kind: str, left_out: Collection[str] = ()) -> tuple[ParamDecl, ...]:
    """Return the parameters that every action of this kind has; a trace may leave some of them out."""
    params = LIFECYCLE_PARAMS.get(kind, ())
    return tuple(replace(p, type=Opt(p.type), optional=True) if p.name in left_out else p for p in params)


def own_params(action: Action) -> tuple[ParamDecl, ...]:
    """Return the parameters of an action that the text itself names."""
    return action.params[len(lifecycle_params(action.kind)) :]


def hand_sizes_read_keys(deal: Action) -> bool:
    """Return whether the sizes of the hands of a deal depend on keys that the game adds to it."""
    assert deal.dealing is not None
    names = {name for param in own_params(deal) for name in (param.name, *param.parts)}
    return any(not names.isdisjoint(names_in(size)) for size in (deal.dealing.first, deal.dealing.others))


def conditions_before(kind: str) -> list[Condition]:
    """Return the implicit conditions that are checked before those of the text."""
    return [_implicit(name, message, ()) for name, message in IMPLICIT_BEFORE[kind]]


def conditions_after(kind: str, ids: tuple[str, ...]) -> list[Condition]:
    """Return the implicit conditions that are checked after those of the text; they cite the rules `ids`."""
    return [_implicit(name, message, ids) for name, message in IMPLICIT_AFTER.get(kind, ())]


def default_finish() -> Action:
    """Return the `finish` of a text that writes none."""
    conditions = (*conditions_before("finish"), *conditions_after("finish", ()))
    return Action("finish", "finish", lifecycle_params("finish"), None, None, conditions, (), ())


def cite_payments(end: Action, payment_ids: Iterable[str]) -> Action:
    """Return `end`; its check of the payments cites the rules of the payments."""
    ids = tuple(dict.fromkeys(payment_ids))
    if not ids:
        return end
    conditions = (replace(c, ids=ids) if c.of_game == "pay" else c for c in end.conditions)
    return replace(end, conditions=tuple(conditions))


def _implicit(name: ir.ImplicitKind, message: str, ids: tuple[str, ...]) -> Condition:
    return Condition(name, ir.Implicit(name, BOOL), (message,), ids)
