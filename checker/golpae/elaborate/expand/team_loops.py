"""Loops over players that change a state of a team by what it was: it would change once for each partner.

Input: the declarations of a text whose groups are written out, and the states of teams.
Output: nothing; raises `SpecError` at the first such loop.
Guarantee: what a group sets counts, with the values that it is given where the loop uses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from golpae.diagnostics import Diagnostic, Label, SpecError
from golpae.ir.distinct_names import MARK
from golpae.syntax import tree as t
from golpae.syntax.traverse import nested, nodes

Named = Mapping[str, t.Expr]  # values that groups are given, by their names there


def refuse_twice(decls: Iterable[t.Decl], states: Set[str]) -> None:
    """Refuse a loop over players that changes a state of a team by what it was. Raises `SpecError`."""
    for decl in decls:
        for clause in decl.clauses if isinstance(decl, t.Action) else ():
            if isinstance(clause.body, t.Effects):
                _Walk(states).effects(clause.body.effects, {}, frozenset(), None)


@dataclass(frozen=True, slots=True)
class _Walk:
    states: Set[str]

    def effects(
        self, effects: Iterable[t.Effect], named: Named, players: frozenset[str], use: t.Given | None
    ) -> None:
        """Go through effects inside loops over these `players`; `use` is the outermost group within them."""
        for effect in effects:
            match effect:
                case t.Given(values=values, effects=inner):
                    more = {**named, **{value.name.text: value.expr for value in values}}
                    self.effects(inner, more, players, use or (effect if players else None))
                case t.ForEach(name=name, domain=domain, effects=inner):
                    everybody = _meant(domain, named)
                    own = isinstance(everybody, t.Name) and everybody.name == "players"
                    self.effects(inner, named, players | {name.text} if own else players, use)
                case t.Assign(target=t.Possessive(owner=owner, name=name), value=value) if (
                    name in self.states
                ):
                    player = _meant(owner, named)
                    if (
                        isinstance(player, t.Name)
                        and player.name in players
                        and _reads_own(value, player.name, name, named)
                    ):
                        raise SpecError([_fault(effect, player.name, name, use)])
                case _:
                    self.effects(nested(effect), named, players, use)


def _meant(expr: t.Expr, named: Named) -> t.Expr:
    """Return the expression that a name of a group stands for."""
    while isinstance(expr, t.Name) and expr.name in named:
        expr = named[expr.name]
    return expr


def _reads_own(value: t.Expr, player: str, state: str, named: Named) -> bool:
    """Return whether a value reads this state of this player, also through values of groups."""
    return any(
        isinstance(part, t.Possessive)
        and part.name == state
        and isinstance(owner := _meant(part.owner, named), t.Name)
        and owner.name == player
        for part in _parts(value, named)
    )


def _parts(value: t.Expr, named: Named) -> Iterator[t.Node]:
    for part in nodes([value]):
        yield part
        if isinstance(part, t.Name) and part.name in named:
            yield from _parts(named[part.name], named)


def _fault(effect: t.Assign, player: str, state: str, use: t.Given | None) -> Diagnostic:
    message = f"this changes `{state}` once for each player, so more than once for each team"
    player = player.partition(MARK)[0]
    if use is None:
        said = effect.value.span.excerpt.replace(f"{player}'s", "its")
        advice = f"write `each team's {state} := {said}`, or `for each {player} in teams: ...`"
        return Diagnostic("T004", message, effect.span, advice)
    advice = f"write `for each {player} in teams: {use.span.excerpt}`"
    return Diagnostic("T004", message, use.span, advice, (Label(effect.span, "here"),))
