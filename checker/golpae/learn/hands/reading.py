"""Hands with their points to learn from.

Input: hands that were read, a loaded text and a rule set of it.
Output: the hands of its game that can be scored, and those that teach nothing, each with the reason.
Guarantee: a hand that the rules forbid teaches something: they may forbid too much.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve, split
from golpae.mutate.recorded import REFUSED, Hand
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, Waiting, score_hand

OTHER_GAME = "of another game"


def sound(loaded: Loaded, rules: str, hands: Sequence[Hand]) -> tuple[list[Hand], dict[str, list[str]]]:
    """Return the hands of a game that can be scored, whatever the switches that they name, and for each reason the
    names of the others. Raises `SpecError`.
    """
    game, _ = split(rules)
    rule_set = check(resolve(rules, loaded))
    library = Library(lambda _: rule_set)
    good: list[Hand] = []
    others: list[str] = []
    unscored: list[str] = []
    first = ""
    for hand in hands:
        if split(hand.rules)[0] != game:
            others.append(hand.name)
            continue
        reason = (
            None if hand.worth == REFUSED else _reason(score_hand({**hand.given, "rules": game}, library))
        )
        if reason is None:
            good.append(hand)
        else:
            first = first or reason
            unscored.append(hand.name)
    left_out = {OTHER_GAME: others, f"which cannot be scored ({first})": unscored}
    return good, {reason: names for reason, names in left_out.items() if names}


def _reason(scored: Scored | Waiting | Fault) -> str | None:
    """Return why a hand teaches nothing, or None."""
    match scored:
        case Fault(unfit=False):
            return scored.message
        case Waiting():
            return f"it lacks `{scored.key}`, the tile that completes it"
        case _:
            return None
