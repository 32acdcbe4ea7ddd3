"""Teams: `players 4 to 4 in teams of 2`, `p's partner`, `p's team`, `teams`, and states of each team.

Input: the declarations of a resolved text. Output: the same without these words.
Guarantee: partners have the same value of a state of their team after every effect. Raises `SpecError`.

    in teams of 2           define each player's team: {it, its right's right}, and so on
    each team's x: number   each player's x: number
    p's x := 1              p's x := 1; p's right's right's x := p's x
    p's team wins           for each partner in p's team: partner wins
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.elaborate.expand.effects import declared, free_name, mentioned, names_in, readers_of, with_effects
from golpae.elaborate.expand.team_loops import refuse_twice
from golpae.elaborate.typecheck.names import SEAT_MARK
from golpae.syntax import of_all
from golpae.syntax import tree as t
from golpae.syntax.traverse import flat, nodes

WORDS = ("team", "partner", "teams")
NO_TEAMS = "this game has no teams"
IN_TEAMS = "write `players 4 to 4 in teams of 2`"


@dataclass(frozen=True, slots=True)
class _Teams:
    """The teams of a text: how many there are, how many play together, and where the text says so."""

    count: int
    size: int
    span: Span

    def partners(self, player: t.Expr) -> list[t.Expr]:
        """Return the partners of a player, in the order in which they sit."""
        out: list[t.Expr] = []
        for _ in range(self.size - 1):
            for _ in range(self.count):
                player = t.Possessive(player.span, player, "right")
            out.append(player)
        return out


def teams_written_out(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return a text without teams. Raises `SpecError`."""
    players = next((d for d in decls if isinstance(d, t.Players)), None)
    if players is None or players.team is None:
        _refuse_words_of_teams(decls)
        _refuse_states_of_teams(decls)
        return decls
    teams = _teams_of(players, players.team)
    names = declared(decls)
    for word in WORDS:
        if word in names:
            message = f"`{word}` already has a meaning in a game of teams"
            raise SpecError(
                [Diagnostic("N002", message, names[word].span, "leave it out, or choose another name")]
            )
    states = {v.name.text for d in decls if isinstance(d, t.State) for v in d.vars if v.each_team}
    _refuse_other_states(decls, states)
    refuse_twice(decls, states)
    partner, value = (free_name(name, decls) for name in ("one-partner", "team-value"))
    writer = _Writer(teams, {name: readers_of(name, decls) for name in states}, partner, value)
    decls = with_effects(decls, writer.effect)
    return (*(_without_teams(d) for d in decls), *_definitions(teams))


def _without_teams(decl: t.Decl) -> t.Decl:
    match decl:
        case t.Players():
            return replace(decl, team=None)
        case t.State(vars=variables):
            return replace(decl, vars=tuple(replace(v, each_team=False) for v in variables))
        case _:
            return decl


def _teams_of(players: t.Players, team: t.Number) -> _Teams:
    """Return the teams that `players` says. Raises `SpecError`."""
    low, high, size = players.low, players.high, team.value
    if size < 2:
        raise SpecError([Diagnostic("G007", "a team has two players or more", team.span, IN_TEAMS)])
    if not (isinstance(low, t.Number) and isinstance(high, t.Number) and low.value == high.value):
        message = "a game of teams is for one number of players"
        advice = f"write it twice, in numbers: `players {2 * size} to {2 * size} in teams of {size}`"
        raise SpecError([Diagnostic("G007", message, low.span.to(high.span), advice)])
    if low.value == 0 or low.value % size:
        message = f"{low.value} players cannot play in teams of {size}"
        fitting = max(2, -(-low.value // size)) * size
        advice = f"write a number that {size} divides: `players {fitting} to {fitting} in teams of {size}`"
        raise SpecError([Diagnostic("G007", message, low.span.to(team.span), advice)])
    return _Teams(low.value // size, size, team.span)


def _definitions(teams: _Teams) -> Iterator[t.Define]:
    """Yield `p's team`, `teams`, which has the first player of each team, and `p's partner`."""
    span = teams.span
    it = t.Name(span, of_all.IT)
    partners = teams.partners(it)
    yield _define(span, "team", "player", t.Bag(span, (it, *partners)))
    seats = tuple(t.Name(span, f"{SEAT_MARK}{seat}") for seat in range(teams.count))
    yield _define(span, "teams", None, t.Bag(span, seats))
    if teams.size == 2:
        yield _define(span, "partner", "player", partners[0])


def _define(span: Span, name: str, owner: t.DefineOwner | None, expr: t.Expr) -> t.Define:
    word = t.Word(span, name)
    clause = t.Clause(span, word, t.Condition(span, expr, None), ())
    return t.Define(span, word, owner, (), (clause,), False, ())


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes effects out. `readers` has the names whose values may change with each state of a team."""

    teams: _Teams
    readers: dict[str, frozenset[str]]
    partner: str
    value: str

    def effect(self, effect: t.Effect) -> Iterable[t.Effect]:
        """Return the effects in place of one."""
        match effect:
            case t.Wins(seat=t.Possessive(name="team", owner=_) as team, over=_):
                word = t.Word(team.span, self.partner)
                wins = replace(effect, seat=t.Name(team.span, self.partner))
                return (t.ForEach(effect.span, word, team, (wins,)),)
            case t.Assign(target=t.Possessive(name=name) as target, value=_) if name in self.readers:
                return self._for_team(effect, target)
            case _:
                return (effect,)

    def _for_team(self, effect: t.Assign, target: t.Possessive) -> Iterator[t.Effect]:
        """Yield the effects that set a state of a team: that of the player who is named, then those of partners."""
        span, owner = effect.span, target.owner
        if names_in(owner).isdisjoint(self.readers[target.name]):
            yield effect
            for partner in self.teams.partners(owner):
                yield t.Assign(span, t.Possessive(span, partner, target.name), target)
            return
        one = t.Name(owner.span, self.partner)  # who this is depends on the state itself
        own = t.Possessive(target.span, one, target.name)
        value = t.Name(span, self.value)
        inner = self._for_team(replace(effect, target=own, value=value), own)
        loop = t.ForEach(span, t.Word(span, self.partner), t.Bag(span, (owner,)), tuple(inner))
        yield t.ForEach(span, t.Word(span, self.value), t.Bag(span, (effect.value,)), (loop,))


# ---------------------------------------------------------------- faults


def _refuse_words_of_teams(decls: tuple[t.Decl, ...]) -> None:
    """Refuse words of teams in a text without them. Raises `SpecError`."""
    for decl in decls:
        for var in decl.vars if isinstance(decl, t.State) else ():
            if var.each_team:
                advice = f"{IN_TEAMS}, or `each player's {var.name.text}: ...`"
                raise SpecError([Diagnostic("T004", NO_TEAMS, var.span, advice)])
    if mentioned(decls).isdisjoint({"team", "partner"}):
        return
    names = set(declared(decls)) | {p.name for p in nodes(decls) if isinstance(p, t.Param)}
    for node in nodes(decls):
        if isinstance(node, t.Possessive) and node.name in {"team", "partner"} - names:
            raise SpecError([Diagnostic("N001", NO_TEAMS, node.span, IN_TEAMS)])


def _refuse_states_of_teams(decls: tuple[t.Decl, ...]) -> None:
    """Refuse effects on states of teams in a text without them. Raises `SpecError`."""
    for effect in _all_effects(decls):
        if _for_each_team(effect) is not None:
            raise SpecError([Diagnostic("T004", NO_TEAMS, effect.span, IN_TEAMS)])


def _refuse_other_states(decls: tuple[t.Decl, ...], states: set[str]) -> None:
    """Refuse `each team's x := ...` if each player has an `x` of their own. Raises `SpecError`."""
    for effect in _all_effects(decls):
        name = _for_each_team(effect)
        if name is not None and name not in states:
            message = f"a team has no state `{name}`"
            advice = (
                f"declare it under `state`: `each team's {name}: ...`, or write `each player's {name} := ...`"
            )
            raise SpecError([Diagnostic("T004", message, effect.span, advice)])


def _all_effects(decls: Iterable[t.Decl]) -> Iterator[t.Effect]:
    for decl in decls:
        for clause in decl.clauses if isinstance(decl, t.Action) else ():
            if isinstance(clause.body, t.Effects):
                yield from flat(clause.body.effects)


def _for_each_team(effect: t.Effect) -> str | None:
    """Return the state that `each team's x := ...` sets; None if an effect is another one."""
    said = of_all.spoken(effect)
    if said is None or said[0] != "each team" or not isinstance(said[1], t.Assign):
        return None
    target = said[1].target
    return target.name if isinstance(target, t.Possessive) else None
