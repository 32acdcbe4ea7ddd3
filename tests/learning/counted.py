"""A switch is taken out of what hands are worth, and found again from hands with their points.

Input: a game and one of its switches. Output: what was learned, and whether new hands have their points by it.
Guarantee: the same seed makes the same hands.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.learn.hands.answer import PointsLearned, points_learned
from golpae.mutate.recorded import REFUSED, hands
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from golpae.trace import Source
from tests.learning.dropped import with_variant
from tests.learning.scored import scored, switchless, worths

FILES = Path(__file__).parents[1] / "mutation"
DRAWN = 4000  # hands of which those are taken that are worth something
SIZE = 6  # tiles of a hand that is drawn


def find_points_again(loaded: Loaded, switch: str, count: int, seed: int) -> tuple[PointsLearned, bool]:
    """Give hands the points of a switch, take it out of the text, and learn from the hands. Returns whether as many new
    hands have their points by what was learned, too.
    """
    game = loaded.game.name.text
    given = first_hands(loaded)
    without = switchless(loaded)
    answer = points_learned(without, game, scored(loaded, switch, given, count, seed))
    if answer.best is None or answer.best.variant is None:
        return answer, False
    text = with_variant(without, answer.best.variant)
    rules = check(resolve(f"{game}+{answer.best.variant.split()[1]}", text))
    new = scored(loaded, switch, given, count, seed + 1000)
    return answer, worths(rules, new) == [hand.worth for hand in new]


def first_hands(loaded: Loaded) -> list[dict[str, Any]]:
    """Return hands of a game: those with which its mutants are noticed, or hands that are drawn."""
    game = loaded.game.name.text
    file = FILES / f"{game}-hands.jsonl"
    if file.exists():
        every = [hand for hand in hands(Source(str(file))) if hand.worth != REFUSED]
        named = [hand for hand in every if hand.rules.partition("+")[0] == game]
        return [{k: v for k, v in hand.given.items() if k != "note"} for hand in named]
    rules = check(resolve(game, switchless(loaded)))
    library = Library(lambda _: rules)
    machine = library.machine(game, library.most_players(game, {}), {})
    assert not isinstance(machine, str)
    key = rules.scores[0].params[0].name
    tiles = [kind.name for kind in machine.instance.kinds for _ in range(kind.copies)]
    chance = random.Random(1)
    found = []
    for _ in range(DRAWN):
        one = {"rules": game, key: sorted(chance.sample(tiles, SIZE))}
        result = score_hand(one, library)
        if isinstance(result, Scored) and result.points is not None:
            found.append(one)
    return found
