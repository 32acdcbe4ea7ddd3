"""Payments at any moment of a hand, and what a player has gained in it: `p's gains`.

Input: the declarations of a resolved text. Output: the same, with payments in `payout`, `end` and `finish` only.
Guarantee: a text that pays nowhere else, and does not ask for `gains`, stays as it is.

    p pays q 2      in an action or in `deal`    p's gains := p's gains - 2; q's gains := q's gains + 2
    p pays q 2      in `end` or in `finish`      the same and the payment, if the text asks for gains
    payout          its own lines, then          for each player in players: player scores player's gains
    end             if the text asks for gains   what `payout` gives is added to them before the effects of the text
    finish          if it pays, and they are     all gains are 0 before the effects of the text
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.elaborate.expand.effects import (
    declared,
    free_name,
    mentioned,
    names_in,
    readers_of,
    rewritten,
    with_effects,
)
from golpae.syntax import tree as t
from golpae.syntax.traverse import leaves

GAINS = "gains"


def payments_written_out(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return a text in which only `payout`, `end` and `finish` pay."""
    own = GAINS in declared(decls)
    if not own:
        _refuse_set(decls)
    is_mentioned = not own and GAINS in mentioned(decls)
    paying = [d for d in decls if isinstance(d, t.Action) and _pays(d)]
    if not (is_mentioned or paying):
        return decls
    state = free_name("gains-so-far", decls) if own else GAINS
    span = paying[0].span if paying else decls[0].span
    amount, payer, payee = (free_name(name, decls) for name in ("amount-paid", "payer", "payee"))
    writer = _Writer(state, readers_of(state, decls), amount, payer, payee)
    payouts = [d for d in decls if isinstance(d, t.Action) and d.kind == "payout"]
    settling = writer
    if is_mentioned and not all(names_in(payout).isdisjoint(writer.readers) for payout in payouts):
        own_state = free_name("gains-at-the-end", decls)
        settling = replace(writer, state=own_state, readers=frozenset({own_state}))
    decls = tuple(_with_effects(d, writer) if d in paying else d for d in decls)
    if is_mentioned:
        decls = tuple(_counted(d, replace(writer, keeps=True)) if _closes(d) else d for d in decls)
        decls = tuple(_settled(d, payouts, settling, state) if _is_end(d) else d for d in decls)
    clause = _gains_paid(span, state, payouts)
    if payouts:
        decls = tuple(replace(d, clauses=(*d.clauses, clause)) if d is payouts[0] else d for d in decls)
    else:
        payout = t.Action(span, "payout", t.Word(span, "payout"), (), None, None, False, None, (clause,), ())
        decls = (*decls, payout)
    names_of_players = [state, *([settling.state] if settling.state != state else [])]
    noted = writer.amount in mentioned(decls)
    return (
        *decls,
        _numbers(span, True, names_of_players),
        *([_numbers(span, False, [writer.amount])] * noted),
    )


def _refuse_set(decls: tuple[t.Decl, ...]) -> None:
    """Refuse an effect that sets the gains of a player. Raises `SpecError`."""
    for action in decls:
        for clause in action.clauses if isinstance(action, t.Action) else ():
            for effect in leaves(clause.body.effects) if isinstance(clause.body, t.Effects) else ():
                match effect:
                    case t.Assign(target=t.Possessive(name=name) as target, value=_) if name == GAINS:
                        message = (
                            f"`{target.span.excerpt}` cannot be set: it is what has been paid in this hand"
                        )
                        advice = "write `p scores 1`, or `q pays p 1`"
                        raise SpecError([Diagnostic("T004", message, target.span, advice)])
                    case _:
                        continue


def _pays(action: t.Action) -> bool:
    """Return whether an action of a hand, or the deal, holds payments."""
    of_a_hand = action.kind == "deal" or (action.kind == "action" and not action.before_deal)
    return of_a_hand and _holds_payments(action)


def _holds_payments(action: t.Action) -> bool:
    bodies = [c.body for c in action.clauses if isinstance(c.body, t.Effects)]
    return any(isinstance(e, t.Pays | t.Scores) for b in bodies for e in leaves(b.effects))


def _closes(decl: t.Decl) -> bool:
    """Return whether this is an `end` or a `finish` with payments among its effects."""
    return isinstance(decl, t.Action) and decl.kind in ("end", "finish") and _holds_payments(decl)


def _counted(closing: t.Decl, writer: _Writer) -> t.Decl:
    """Return an `end` or a `finish` whose payments change the gains too; a `finish` begins with gains of 0."""
    assert isinstance(closing, t.Action)
    closing = with_effects([closing], writer.effect)[0]
    assert isinstance(closing, t.Action)
    if closing.kind == "end":
        return closing
    span = closing.name.span
    player = t.Name(span, "player")
    gains = t.Possessive(span, player, writer.state)
    nothing = t.Assign(span, gains, t.Number(span, 0))
    loop = t.ForEach(span, t.Word(span, player.name), t.Name(span, "players"), (nothing,))
    return _with_clause(closing, (loop,))


def _with_clause(action: t.Action, effects: tuple[t.Effect, ...]) -> t.Action:
    """Return an action with effects before those of the text."""
    span = action.name.span
    clause = t.Clause(span, t.Word(span, "then"), t.Effects(span, effects), ())
    clauses = action.clauses
    first = next((i for i, c in enumerate(clauses) if isinstance(c.body, t.Effects)), len(clauses))
    return replace(action, clauses=(*clauses[:first], clause, *clauses[first:]))


def _is_end(decl: t.Decl) -> bool:
    return isinstance(decl, t.Action) and decl.kind == "end"


def _with_effects(action: t.Decl, writer: _Writer) -> t.Decl:
    return with_effects([action], writer.effect)[0]


def _numbers(span: Span, each_player: bool, names: Iterable[str]) -> t.State:
    """Return states, of each player or not, that are 0 at the deal."""
    return t.State(
        span,
        "hand",
        tuple(
            t.StateVar(
                span,
                t.Word(span, name),
                each_player,
                t.TypeName(span, "number"),
                t.Number(span, 0),
                (),
                hidden=True,
            )
            for name in names
        ),
    )


def _gains_paid(span: Span, state: str, payouts: list[t.Action]) -> t.Clause:
    """Return the line of `payout` that pays what was gained in the hand."""
    taken = {c.name.text for payout in payouts for c in payout.clauses}
    name = next(n for n in (state, *(f"{state}-{i}" for i in range(2, len(taken) + 3))) if n not in taken)
    player = t.Name(span, "player")
    pays = t.Scores(span, player, t.Possessive(span, player, state))
    loop = t.ForEach(span, t.Word(span, player.name), t.Name(span, "players"), (pays,))
    return t.Clause(span, t.Word(span, name), t.Effects(span, (loop,)), ())


def _settled(end: t.Decl, payouts: list[t.Action], writer: _Writer, state: str) -> t.Decl:
    """Return `end`; before its own effects, what `payout` gives is added to the gains.

    If `payout` reads the gains, its payments are counted apart first: all its lines read the gains from before.
    """
    assert isinstance(end, t.Action)
    lines = [c.body for payout in payouts for c in payout.clauses if isinstance(c.body, t.Effects)]
    effects = tuple(effect for body in lines for effect in body.effects)
    if not any(isinstance(effect, t.Pays | t.Scores) for effect in leaves(effects)):
        return end
    span = end.name.span
    effects = rewritten(effects, writer.effect)
    if writer.state != state:
        player = t.Name(span, "player")
        gains, paid = (t.Possessive(span, player, name) for name in (state, writer.state))
        add = t.Assign(span, gains, t.Binary(span, "+", gains, paid))
        loop = t.ForEach(span, t.Word(span, player.name), t.Name(span, "players"), (add,))
        effects = (*effects, loop)
    wheres = (*end.wheres, *(where for payout in payouts for where in payout.wheres))
    return replace(_with_clause(end, effects), wheres=wheres)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes payments out. `readers` are the names whose values may change with the state that counts them.

    `keeps`: the payment itself stays, behind what counts it.
    """

    state: str
    readers: frozenset[str]
    amount: str
    payer: str
    payee: str
    keeps: bool = False

    def effect(self, effect: t.Effect) -> Iterable[t.Effect]:
        """Return the effects in place of one."""
        match effect:
            case t.Pays(payer=payer, payee=payee, amount=amount):
                return self._paid(effect.span, ((payer, self.payer, "-"), (payee, self.payee, "+")), amount)
            case t.Scores(seat=seat, amount=amount):
                return self._paid(effect.span, ((seat, self.payee, "+"),), amount)
            case _:
                return (effect,)

    def _paid(
        self, span: Span, seats: tuple[tuple[t.Expr, str, t.Arithmetic], ...], amount: t.Expr
    ) -> Iterator[t.Effect]:
        """Yield the effects that count an amount. What would change on the way is evaluated before."""
        domains: list[tuple[str, t.Expr]] = []
        if not self._stays(amount):
            noted = t.Name(amount.span, self.amount)
            yield t.Assign(span, noted, amount)
            amount = noted
        effects: list[t.Effect] = []
        who: list[t.Expr] = []
        for seat, name, sign in seats:
            if not (isinstance(seat, t.Name | t.Possessive) and self._stays(seat)):
                domains.append((name, seat))
                seat = t.Name(seat.span, name)
            who.append(seat)
            target = t.Possessive(span, seat, self.state)
            effects.append(t.Assign(span, target, t.Binary(span, sign, target, amount)))
        if self.keeps:
            one = len(who) == 1
            effects.append(t.Scores(span, who[0], amount) if one else t.Pays(span, who[0], who[1], amount))
        for name, value in reversed(domains):
            effects = [t.ForEach(span, t.Word(value.span, name), t.Bag(value.span, (value,)), tuple(effects))]
        yield from effects

    def _stays(self, expr: t.Expr) -> bool:
        return names_in(expr).isdisjoint(self.readers)
