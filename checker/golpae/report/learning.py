"""What recorded games say about a rule that nobody wrote down: as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from golpae.diagnostics.amounts import many
from golpae.learn.answer import Explanation, Learned
from golpae.learn.deciding import Deciding
from golpae.mutate.properties import Noticed
from golpae.mutate.recorded import Trace
from golpae.report.comparison_words import event as event_in_words

MOST_LEFT = 5
MOST_CLAUSES = 5
LAST_EVENTS = 3
LONGEST_EVENT = 48  # letters


@dataclass(frozen=True, slots=True)
class DecidingGames:
    """For each edit of an answer, the best first, the game that decides between it and the best one; for the best,
    between it and the text. None if chance found none. `files` has those that were written.
    """

    games: tuple[Deciding | None, ...]
    files: tuple[str | None, ...]


def learned_lines(
    answer: Learned,
    games: Sequence[Trace],
    near: Sequence[str],
    decided: DecidingGames,
    fallen: Sequence[Noticed] | None = None,
) -> Iterator[str]:
    """Yield the answer for people. `near`: all rule sets to which the games come nearest; `fallen`: the properties of
    the text that do not hold with the best edit, None if nobody asked.
    """
    illegal = answer.games - answer.legal
    yield f"{answer.rules}: {many(answer.games, 'game')}, {answer.legal:,} legal, {illegal:,} refused"
    if len(near) > 1:
        others = ", ".join(near[1 : MOST_CLAUSES + 1])
        yield f"  (as near, but not looked at: {others}{', ...' if len(near) > MOST_CLAUSES + 1 else ''})"
    for clause, count in answer.refused[:MOST_CLAUSES]:
        yield f"  {clause} refuses {count:,}"
    if len(answer.refused) > MOST_CLAUSES:
        yield f"  and {len(answer.refused) - MOST_CLAUSES:,} more clauses"
    yield ""
    best = answer.best
    if best is None:
        if illegal:
            yield f"none of {many(answer.tried, 'edit')} that were tried explains enough games to be worth its words"
        else:
            tried = many(answer.tried, "edit")
            yield f"every game is legal, and none of {tried} that were tried says better what happened"
        return
    yield from _best(answer, best, games)
    if fallen is not None:
        yield from _fallen(fallen)
    if not best.gained:
        yield from _decided(decided, 0, "with it", "without it", "")
    if answer.others:
        yield ""
        yield "about as good, with the same games:"
        for number, other in enumerate(answer.others, 1):
            yield f"  {_said(other)}"
            yield from _decided(decided, number, "with the edit above", "with this one", "    ")


def _fallen(fallen: Sequence[Noticed]) -> Iterator[str]:
    for name, verdict in dict.fromkeys((one.name, one.verdict) for one in fallen):
        tables = [str(one.players) for one in fallen if (one.name, one.verdict) == (name, verdict)]
        yield f"`{name}` does not hold with it: {verdict} with {' and '.join(tables)} players"
    if not fallen:
        yield "no property of the text is known to fall with it"


def _decided(decided: DecidingGames, number: int, by_one: str, by_other: str, indent: str) -> Iterator[str]:
    """Yield the event of which somebody who played can say whether it is legal."""
    game, file = decided.games[number], decided.files[number]
    if game is None:
        yield f"{indent}in games by chance, it makes no difference"
        return
    alone = by_other if game.by_other else by_one
    yield f"{indent}ask those who played: the end of this game is legal only {alone}"
    first = max(0, len(game.events) - LAST_EVENTS)
    for number, event in enumerate(game.events[first:], first + 1):
        words = event_in_words(event, game.players)
        if len(words) > LONGEST_EVENT:
            words = f"{words[:LONGEST_EVENT].rsplit(' ', 1)[0]} ..."
        yield f"{indent}  {number}. {words}"
    if file is not None:
        yield f"{indent}  written to: {file}"


def _best(answer: Learned, best: Explanation, games: Sequence[Trace]) -> Iterator[str]:
    if best.gained:
        whole = "all" if best.legal == answer.games else f"{best.legal:,} of"
        yield f"the shortest edit that was found which makes {whole} {many(answer.games, 'game')} legal:"
    elif best.broken:
        yield f"{answer.games - best.broken:,} of {many(answer.games, 'game')} keep a rule that the text does not have:"
    else:
        yield "all games keep a rule that the text does not have:"
    yield ""
    if best.variant is None:
        yield f"  {_said(best)}"
        yield "  (cannot be written as a variant: the clause has no name, or it is no clause)"
    else:
        yield from (f"  {line}" if line else "" for line in best.variant.rstrip("\n").split("\n"))
    yield ""
    if best.first is not None:
        number, event = best.first
        yield f"it shows first in {games[number].name}: event {event} is legal only with it"
    yield (
        f"to say what happened next takes {best.per_event:.2f} bits an event with it, {answer.per_event:.2f} without:"
        f" it leaves {_how(best.per_event, answer.per_event)} open"
    )
    if best.gained:
        yield "another rule may explain these games, too: ask those who played"
    elif best.broken:
        games_that_did = many(best.broken, "game")
        yield f"{games_that_did} did what it refuses, far fewer than by chance: a rule with slips, or a habit"
    else:
        yield "nobody ever did what it refuses; that may be a rule, or a habit of all these players"
    for number, outcome in best.illegal[:MOST_LEFT]:
        yield f"illegal with it: {games[number].name}, event {outcome.events + 1}, {outcome.refused_by}"
    if len(best.illegal) > MOST_LEFT:
        yield f"  and {many(len(best.illegal) - MOST_LEFT, 'more game')}"


def _how(after: float, before: float) -> str:
    if abs(after - before) < 0.005:
        return "as much"
    return "less" if after < before else "more"


def _said(one: Explanation) -> str:
    return "; ".join(f"{place}: {said}" for place, said in one.said)


def learned_json(
    answer: Learned,
    games: Sequence[Trace],
    near: Sequence[str],
    decided: DecidingGames,
    fallen: Sequence[Noticed] | None = None,
) -> dict[str, object]:
    """Return the answer for programs."""
    return {
        "rules": answer.rules,
        "near": [*near],
        "games": answer.games,
        "legal": answer.legal,
        "refused": [{"clause": clause, "games": count} for clause, count in answer.refused],
        "bits": round(answer.per_event, 4),
        "tried": answer.tried,
        "falling": None
        if fallen is None
        else [{"property": one.name, "players": one.players, "verdict": one.verdict} for one in fallen],
        "edits": [
            _edit_json(one, games) | {"deciding": _deciding_json(decided, number)}
            for number, one in enumerate(() if answer.best is None else (answer.best, *answer.others))
        ],
    }


def _edit_json(one: Explanation, games: Sequence[Trace]) -> dict[str, object]:
    first = None if one.first is None else {"game": games[one.first[0]].name, "event": one.first[1]}
    return {
        "places": [{"clause": place, "change": said} for place, said in one.said],
        "variant": one.variant,
        "legal": one.legal,
        "gained": one.gained,
        "broken": one.broken,
        "bits": round(one.per_event, 4),
        "first": first,
        "illegal": [
            {"game": games[number].name, "event": outcome.events + 1, "clause": outcome.refused_by}
            for number, outcome in one.illegal
        ],
    }


def _deciding_json(decided: DecidingGames, number: int) -> dict[str, object] | None:
    game = decided.games[number]
    if game is None:
        return None
    with_this = game.by_other if number else not game.by_other  # the best one is held against the text
    return {
        "players": [*game.players],
        "options": dict(game.options),
        "events": [*game.events],
        "legal_with": "this" if with_this else "the other",
        "clause": game.clause,
        "file": decided.files[number],
    }
