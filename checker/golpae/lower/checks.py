"""Conditions as checks: what has to hold for an event to be legal, in order, with nothing left implicit.

Input: an action. Output: a check for each of its conditions.
Guarantee: a condition of the text is asked as it is. Those of every game are ordinary expressions over the keys of the
event where these can say it, and otherwise one of four tests. A reader takes the union `Test` apart with `match`,
closed by `assert_never`.

    the condition `winner` of `end`    ->    check end.winner: (winner = winner of the game)
"""

from __future__ import annotations

from itertools import takewhile
from typing import Literal, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import are_told_apart, settles
from golpae.ir.distinct_names import MARK
from golpae.ir.lifecycle import Stage, open_at
from golpae.ir.ruleset import Action, Condition, ParamDecl
from golpae.ir.types import BOOL, INT, SEAT, SEATS, TILES, Opt
from golpae.records import dataclass

Account = Literal["payout", "total", "settled"]


@dataclass(frozen=True, slots=True)
class AtStage:
    """The match is at one of these stages."""

    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Holds:
    """An expression is true. In a deal it may read `DEALT`."""

    expr: ir.Expr


@dataclass(frozen=True, slots=True)
class HandSizes:
    """The key `hands` has a hand for each player: of `first` tiles for the seat `first`, of `others` for the rest."""

    first: ir.Expr
    others: ir.Expr


@dataclass(frozen=True, slots=True)
class Amounts:
    """A key has a number for each player, seat 0 first: what an `end` pays now; the total; the total that a `finish`
    leaves which pays. An `optional` one may be none.
    """

    key: str
    account: Account
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """An expression is true with the totals that a `finish` leaves which pays."""

    expr: ir.Expr


Test = AtStage | Holds | HandSizes | Amounts | Settled

# What a deal calls the tiles of all hands together, as many copies as were dealt. A reader binds the name.
DEALT = ir.Local(f"dealt{MARK}{MARK}", TILES)
WHOLE = ir.Builtin("tiles", None, TILES)
REST = ir.Op("bag_sub", (WHOLE, DEALT), TILES)  # what then lies in the zone that is dealt from


@dataclass(frozen=True, slots=True)
class Check:
    """A test whose failure refuses an event; `path` is the path of the condition, such as `put.turn`."""

    path: str
    test: Test


def checks(action: Action) -> tuple[Check, ...]:
    """Return the checks of an action, one for each condition, in order."""
    return tuple(Check(f"{action.name}.{c.name}", test_of(action, c)) for c in action.conditions)


def test_of(action: Action, condition: Condition) -> Test:
    """Return the test of a condition of an action."""
    kind = condition.of_game
    match kind:
        case None:
            return Holds(condition.expr)
        case "open":
            return AtStage(open_at(action.kind))
        case "hands":
            assert action.dealing is not None
            return HandSizes(action.dealing.first, action.dealing.others)
        case "set":
            return Holds(ir.Op("within", (DEALT, WHOLE), BOOL))
        case "rest":
            is_none = ir.Op("is_none", (ir.Local("reserve", Opt(TILES)),), BOOL)
            is_rest = ir.Op("bag_eq", (ir.Local("reserve", TILES), REST), BOOL)
            return Holds(ir.Op("or", (is_none, is_rest), BOOL))
        case "winner":
            recorded = ir.Local("winner", Opt(SEAT))
            return Holds(ir.Op("eq", (recorded, ir.Builtin("winner", None, Opt(SEAT))), BOOL))
        case "pay":
            return Amounts("pay", "payout", _may_be_none(action, "pay"))
        case "totals":
            account: Account = "settled" if settles(action) else "total"
            return Amounts("totals", account, _may_be_none(action, "totals"))
        case "winners":
            won = ir.Op("bag_eq", (ir.Local("winners", SEATS), MOST_POINTS), BOOL)
            if _may_be_none(action, "winners"):
                left_out = ir.Op("is_none", (ir.Local("winners", Opt(SEATS)),), BOOL)
                won = ir.Op("or", (left_out, won), BOOL)
            return Settled(won) if settles(action) else Holds(won)
        case _:
            assert_never(kind)


def _may_be_none(action: Action, key: str) -> bool:
    return next(param.optional for param in action.params if param.name == key)


@dataclass(frozen=True, slots=True)
class Orders:
    """In which orders the lists `{a, b}` of an event are tried, if an action has any: sorted lists first, then the
    next larger order, the last list changing first. The first order in which all checks hold is the event; if there
    is none, the check furthest on that an order reaches refuses it.

    `tried` are the lists whose orders can make a difference to a check. The first `alike` checks hold in every order
    or in none.
    """

    tried: tuple[ParamDecl, ...]
    alike: int


def orders_of(action: Action) -> Orders:
    """Return the orders of the lists of an action."""
    lists = [p for p in action.params if p.parts]
    alike = takewhile(lambda c: not any(are_told_apart(p, [c]) for p in lists), action.conditions)
    return Orders(tuple(p for p in lists if are_told_apart(p, action.conditions)), len([*alike]))


def asked_in(test: Test) -> tuple[ir.Expr, ...]:
    """Return the expressions that a test evaluates; what the payout gives is not among them."""
    match test:
        case Holds(expr=expr) | Settled(expr=expr):
            return (expr,)
        case HandSizes(first=first, others=others):
            return first, others
        case AtStage(stages=_) | Amounts(key=_, account=_, optional=_):
            return ()
        case _:
            assert_never(test)


def _total_of(name: str) -> ir.Expr:
    return ir.Builtin("total", ir.Local(name, SEAT), INT)


def _most_points() -> ir.Expr:
    """Return the players whose total nobody's is above."""
    player, other = f"player{MARK}{MARK}", f"other{MARK}{MARK}"
    most = ir.Fold("most", (other,), PLAYERS, _total_of(other), None, INT)
    has_most = ir.Op("eq", (_total_of(player), most), BOOL)
    return ir.Fold("those", (player,), PLAYERS, None, has_most, SEATS)


PLAYERS = ir.Builtin("players", None, SEATS)
MOST_POINTS = _most_points()
