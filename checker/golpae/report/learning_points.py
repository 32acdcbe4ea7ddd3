"""What hands with their points say about scoring that nobody wrote down: as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from golpae.diagnostics.amounts import many
from golpae.learn.hands.answer import PointsExplained, PointsLearned
from golpae.mutate.recorded import Hand, Worth

MOST_LEFT = 5


def points_lines(answer: PointsLearned, hands: Sequence[Hand]) -> Iterator[str]:
    """Yield the answer for people."""
    right = answer.hands - len(answer.wrong)
    counted = f"{right:,} {'matches' if right == 1 else 'match'}, {len(answer.wrong):,} {_differ(len(answer.wrong))}"
    yield f"{answer.rules}: {many(answer.hands, 'hand')}, {counted}"
    yield from _wrong(answer.wrong, hands)
    best = answer.best
    if best is None:
        if answer.wrong:
            yield ""
            yield f"none of {many(answer.tried, 'edit')} that were tried explains enough hands to be worth its words"
        return
    explained = answer.hands - len(best.wrong)
    yield ""
    whole = "all" if not best.wrong else f"{explained:,} of"
    yield f"the shortest edit that was found by which {whole} {many(answer.hands, 'hand')} have their points:"
    yield ""
    if best.variant is None:
        yield f"  {_said(best)}"
        yield "  (cannot be written as a variant)"
    else:
        yield from (f"  {line}" if line else "" for line in best.variant.rstrip("\n").split("\n"))
    yield ""
    yield "another rule may explain these hands, too: ask those who counted them"
    if best.wrong:
        yield "with it:"
        yield from _wrong(best.wrong, hands)
    if answer.others:
        yield ""
        yield "about as good, with the same points:"
        for other in answer.others:
            yield f"  {_said(other)}"


def _differ(count: int) -> str:
    return "differs" if count == 1 else "differ"


def _wrong(wrong: Sequence[tuple[int, Worth]], hands: Sequence[Hand]) -> Iterator[str]:
    for number, worth in wrong[:MOST_LEFT]:
        yield f"  {hands[number].name}: {_points(worth)}, recorded {_points(hands[number].worth)}"
    if len(wrong) > MOST_LEFT:
        yield f"  and {many(len(wrong) - MOST_LEFT, 'more hand')}"


def _points(worth: Worth) -> str:
    return "nothing" if worth is None else str(worth)


def _said(one: PointsExplained) -> str:
    return "; ".join(f"{place}: {said}" for place, said in one.said)


def points_json(answer: PointsLearned, hands: Sequence[Hand]) -> dict[str, object]:
    """Return the answer for programs."""
    edits = () if answer.best is None else (answer.best, *answer.others)
    return {
        "rules": answer.rules,
        "hands": answer.hands,
        "wrong": _wrong_json(answer.wrong, hands),
        "tried": answer.tried,
        "edits": [
            {
                "places": [{"clause": place, "change": said} for place, said in one.said],
                "variant": one.variant,
                "wrong": _wrong_json(one.wrong, hands),
            }
            for one in edits
        ],
    }


def _wrong_json(wrong: Sequence[tuple[int, Worth]], hands: Sequence[Hand]) -> list[dict[str, object]]:
    return [
        {"hand": hands[number].name, "points": worth, "recorded": hands[number].worth}
        for number, worth in wrong
    ]
