"""What recorded games say about a rule that nobody wrote down: as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from golpae.diagnostics.amounts import many
from golpae.learn.answer import Explanation, Learned
from golpae.mutate.recorded import Trace

MOST_LEFT = 5
MOST_CLAUSES = 5


def learned_lines(answer: Learned, games: Sequence[Trace], near: Sequence[str]) -> Iterator[str]:
    """Yield the answer for people. `near`: all rule sets to which the games come nearest."""
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
    if answer.others:
        yield ""
        yield "about as good, with the same games:"
        for other in answer.others:
            yield f"  {_said(other)}"


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


def learned_json(answer: Learned, games: Sequence[Trace], near: Sequence[str]) -> dict[str, object]:
    """Return the answer for programs."""
    return {
        "rules": answer.rules,
        "near": [*near],
        "games": answer.games,
        "legal": answer.legal,
        "refused": [{"clause": clause, "games": count} for clause, count in answer.refused],
        "bits": round(answer.per_event, 4),
        "tried": answer.tried,
        "edits": [
            _edit_json(one, games) for one in (() if answer.best is None else (answer.best, *answer.others))
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
