"""Several winners: `winners`, and actions in which more than one player can win.

Input: the declarations of a resolved text. Output: the same, in which at most one seat is made the winner.
Guarantee: a text in which no event can have two winners, and which does not ask for `winners`, stays as it is.

    p wins          p's victory := yes
                    when (number of player in players: player's victory) = 1: p wins
                    else: nobody wins
    nobody wins     for each player in players: player's victory := no
                    nobody wins
    winners         {player for player in players: player's victory}

`winner` is then the one seat that has won, none if nobody or several have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from golpae.diagnostics import Span
from golpae.elaborate.expand.effects import declared, free_name, mentioned, names_in, readers_of, with_effects
from golpae.syntax import tree as t
from golpae.syntax.traverse import nested

WINNERS = "winners"


def winners_written_out(decls: tuple[t.Decl, ...], variants: tuple[t.Variant, ...]) -> tuple[t.Decl, ...]:
    """Return a text that makes at most one seat the winner of a hand.

    All `variants` of the text count, on or off: its rule sets have the same states.
    """
    is_mentioned = WINNERS in mentioned((*decls, *variants)) and WINNERS not in declared(decls)
    actions = {d.name.text for d in decls if isinstance(d, t.Action)}
    of_groups = [d.body for v in variants for d in v.deltas if d.path[0].text not in actions]
    several = any(_several(decl, variants) for decl in decls) or any(
        isinstance(body, t.Effects) and _most(body.effects) > 1 for body in of_groups
    )
    if not several:
        return (*decls, _winners(decls, None)) if is_mentioned else decls
    state = free_name("victory", decls)
    definition = (_winners(decls, state),) if is_mentioned else ()
    writer = _Writer(state, free_name("one-winner", decls), readers_of(state, (*decls, *definition)))
    span = _place(decls)
    var = t.StateVar(
        span,
        t.Word(span, state),
        True,
        t.TypeTruth(span),
        t.Truth(span, False),
        (),
        tells_winners=True,
        hidden=True,
    )
    decls = with_effects(decls, writer.effect)
    return (*decls, t.State(span, "hand", (var,)), *definition)


def _place(decls: tuple[t.Decl, ...]) -> Span:
    return next((d.span for d in decls if isinstance(d, t.Action)), decls[0].span)


def _several(decl: t.Decl, variants: tuple[t.Variant, ...]) -> bool:
    """Return whether more than one player can win in an event of this action, with any variants."""
    if not isinstance(decl, t.Action):
        return False
    most: dict[str, int] = {}  # of each clause, as it is in any rule set
    bodies: list[tuple[str, t.Body | None]] = []
    for number, clause in enumerate(decl.clauses):
        name = clause.name.text
        bodies.append((f"then {number}" if name == "then" else name, clause.body))
    changes = [d for v in variants for d in v.deltas if len(d.path) > 1 and d.path[0].text == decl.name.text]
    for name, body in (*bodies, *((d.path[1].text, d.body) for d in changes)):
        if isinstance(body, t.Effects):
            most[name] = max(most.get(name, 0), _most(body.effects))
    return sum(most.values()) > 1


def _most(effects: Iterable[t.Effect]) -> int:
    """Return how often somebody may win in these effects; 2 for any larger number."""
    most = 0
    for effect in effects:
        match effect:
            case t.Wins(seat=seat, over=_):
                most += seat is not None
            case t.When(test=_, effects=inner, otherwise=otherwise):
                most += max(_most(inner), 0 if otherwise is None else _most(otherwise.effects))
            case t.ForEach() | t.Repeat():  # by class
                most += 2 * _most(nested(effect))
            case _:
                most += _most(nested(effect))
    return min(most, 2)


def _winners(decls: tuple[t.Decl, ...], state: str | None) -> t.Define:
    """Return the definition of `winners`: those who have the state, or the one winner, if there is one."""
    span = _place(decls)
    player = t.Name(span, "player")
    test: t.Expr = t.Binary(span, "=", player, t.Name(span, "winner"))
    if state is not None:
        test = t.Possessive(span, player, state)
    expr = t.EachOf(span, player, t.Word(span, player.name), t.Name(span, "players"), test)
    word = t.Word(span, WINNERS)
    return t.Define(
        span, word, None, (), (t.Clause(span, word, t.Condition(span, expr, None), ()),), False, ()
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes effects out. `state` says who has won, and `readers` are the names whose values may change with it."""

    state: str
    player: str
    readers: frozenset[str]

    def effect(self, effect: t.Effect) -> Iterable[t.Effect]:
        """Return the effects in place of one."""
        match effect:
            case t.Wins(seat=None, over=_):
                return self._nobody(effect)
            case t.Wins(seat=seat, over=_) if seat is not None:
                return self._one(effect, seat)
            case _:
                return (effect,)

    def _nobody(self, effect: t.Wins) -> Iterator[t.Effect]:
        span = effect.span
        everybody, player = t.Name(span, "players"), t.Name(span, self.player)
        none = t.Assign(span, t.Possessive(span, player, self.state), t.Truth(span, False))
        yield t.ForEach(span, t.Word(span, self.player), everybody, (none,))
        yield effect

    def _one(self, effect: t.Wins, seat: t.Expr) -> Iterator[t.Effect]:
        span = effect.span
        if not isinstance(seat, t.Name | t.Possessive) or not names_in(seat).isdisjoint(self.readers):
            player = t.Name(seat.span, self.player)
            inner = tuple(self._one(replace(effect, seat=player), player))
            yield t.ForEach(span, t.Word(seat.span, self.player), t.Bag(seat.span, (seat,)), inner)
            return
        yield t.Assign(span, t.Possessive(span, seat, self.state), t.Truth(span, True))
        player = t.Name(span, "player")
        has_won = t.Possessive(span, player, self.state)
        number = t.Fold(
            span, "number of", (t.Word(span, player.name),), t.Name(span, "players"), None, has_won
        )
        alone = t.Binary(span, "=", number, t.Number(span, 1))
        nobody = replace(effect, seat=None)
        yield t.When(span, alone, (effect,), t.Else(span, (nobody,)))
