"""Effects that all players have: `each player scores 1`, `every other player pays p 2`.

Input: the parts of such an effect; or an effect. Output: the `for each` that it stands for; or how it is said.
Guarantee: `spoken` finds what the other functions make, so that a text is formatted as it was written.

    each player's bid := none      for each it in players: it's bid := none
    each player in s scores 1      for each it in s: it scores 1
    every other player pays p 2    for each it in {it for it in players: it /= p}: it pays p 2
"""

from __future__ import annotations

from golpae.diagnostics import Span
from golpae.syntax import tree as t

IT = "it"
PLAYERS, TEAMS = "players", "teams"


def assign(span: Span, of: str, name: t.Word, value: t.Expr) -> t.ForEach:
    """Return `each player's name := value`, or `each team's`."""
    target = t.Possessive(name.span, _it(span), name.text)
    return _for_each(span, t.Name(span, of), t.Assign(span, target, value))


def win(span: Span, among: t.Expr | None) -> t.ForEach:
    """Return `each player wins`, or `each player in s wins`."""
    return _for_each(span, among or t.Name(span, PLAYERS), t.Wins(span, _it(span)))


def score(span: Span, amount: t.Expr, among: t.Expr | None) -> t.ForEach:
    """Return `each player scores amount`, or `each player in s scores amount`."""
    return _for_each(span, among or t.Name(span, PLAYERS), t.Scores(span, _it(span), amount))


def pay(
    span: Span,
    payer: t.Expr | None,
    payee: t.Expr | None,
    amount: t.Expr,
    others: bool,
    among: t.Expr | None = None,
) -> t.ForEach:
    """Return a payment of, or to, all players who are None here, or all `others` than the one who is not.

    With `among`, these alone pay.
    """
    one = payer if payee is None else payee
    assert one is not None
    effect = t.Pays(
        span, _it(span) if payer is None else payer, _it(span) if payee is None else payee, amount
    )
    everybody = among or t.Name(span, PLAYERS)
    if not others:
        return _for_each(span, everybody, effect)
    test = t.Binary(span, "/=", _it(span), one)
    return _for_each(span, t.EachOf(span, _it(span), t.Word(span, IT), everybody, test), effect)


def spoken(effect: t.Effect) -> tuple[str, t.SimpleEffect] | None:
    """Return who has an effect that was written so, and the effect within it; None if it was not.

    `each player in` lacks the players, which are the domain of the loop.
    """
    if not (isinstance(effect, t.ForEach) and effect.spoken and effect.name.text == IT):
        return None
    match effect.domain, effect.effects:
        case t.Name(name="players"), (t.Scores(seat=seat) | t.Wins(seat=seat) as only,) if is_it(seat):
            return "each player", only
        case t.Name(name="players" | "teams" as of), (t.Assign(target=t.Possessive(owner=seat)) as only,) if (
            is_it(seat)
        ):
            return f"each {of[:-1]}", only
        case t.Name(name="players"), (t.Pays(payer=payer, payee=payee) as only,) if is_it(payer) != is_it(
            payee
        ):
            return "each player", only
        case (
            t.EachOf(
                item=t.Name(name="it"),
                name=t.Word(text="it"),
                domain=t.Name(name="players"),
                test=t.Binary(op="/=", left=t.Name(name="it"), right=one),
            ),
            (t.Pays(payer=payer, payee=payee) as only,),
        ) if (is_it(payer) and payee == one) or (is_it(payee) and payer == one):
            return "every other player", only
        case _, (t.Scores(seat=seat) | t.Wins(seat=seat) | t.Pays(payer=seat) as only,) if is_it(seat):
            return "each player in", only
        case _:
            return None


def is_it(expr: t.Expr | None) -> bool:
    """Return whether an expression is the word `it`."""
    return isinstance(expr, t.Name) and expr.name == IT


def _it(span: Span) -> t.Name:
    return t.Name(span, IT)


def _for_each(span: Span, domain: t.Expr, effect: t.SimpleEffect) -> t.ForEach:
    return t.ForEach(span, t.Word(span, IT), domain, (effect,), spoken=True)
