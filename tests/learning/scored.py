"""A switch is taken out of what hands are worth, and found again from hands with their points.

Input: a game, one of its switches, and hands.
Output: hands like these, with the points by the switch.
Guarantee: the same seed makes the same hands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.mutate.recorded import REFUSED, Hand
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from golpae.syntax import tree as t

TRIES = 40  # for each hand that is wanted
WORTHLESS = 5  # of all hands, one in so many may be worth nothing


def switchless(loaded: Loaded) -> Loaded:
    return replace(loaded, decls=tuple(d for d in loaded.decls if not isinstance(d, t.Variant)))


def scored(loaded: Loaded, switch: str, given: Sequence[dict[str, Any]], count: int, seed: int) -> list[Hand]:
    """Return hands with their points by a game with a switch: those that are given, and hands like them."""
    game = loaded.game.name.text
    rules = check(resolve(f"{game}+{switch}" if switch else game, loaded))
    library = Library(lambda _: rules)
    found: dict[str, Hand] = {}
    nothing = 0
    for one in _like(given, library, game, random.Random(seed), count * TRIES):
        result = score_hand(one, library)
        if not isinstance(result, Scored):
            continue
        nothing += result.points is None
        if result.points is None and nothing > count // WORTHLESS:
            continue
        found.setdefault(repr(one), Hand(f"hand {len(found) + 1}", one, result.points))
        if len(found) == count:
            break
    return [*found.values()]


def _like(
    given: Sequence[dict[str, Any]], library: Library, game: str, chance: random.Random, tries: int
) -> Iterator[dict[str, Any]]:
    """Yield hands, and others in which a tile is exchanged, a truth turned, or a number one more."""
    machine = library.machine(game, library.most_players(game, {}), {})
    assert not isinstance(machine, str)
    kinds = [kind.name for kind in machine.instance.kinds]
    truths = [p.name for p in machine.rules.scores[0].params if p.type.__class__.__name__ == "Bool"]
    pool = [{**one, "rules": game} for one in given]
    yield from pool
    for _ in range(tries):
        one = dict(chance.choice(pool))
        for _ in range(chance.randint(1, 3)):
            _change(one, kinds, truths, chance)
        result = score_hand(one, library)
        if isinstance(result, Scored):
            if result.points is not None:
                pool.append(one)
            yield one


def _change(one: dict[str, Any], kinds: Sequence[str], truths: Sequence[str], chance: random.Random) -> None:
    keys = [key for key in one if key not in ("rules", "note", "id")]
    lists = [key for key in keys if isinstance(one[key], list)]
    key = chance.choice([*keys, *truths, *lists, *lists])
    value = one.get(key)
    if key in truths:
        one[key] = not value
    elif isinstance(value, int):
        one[key] = value + 1
    elif isinstance(value, str) and value in kinds:
        one[key] = chance.choice(kinds)
    elif isinstance(value, list) and value and all(isinstance(x, str) for x in value):
        _exchange(one, key, kinds, chance)


def _exchange(one: dict[str, Any], key: str, kinds: Sequence[str], chance: random.Random) -> None:
    """Exchange a tile for one there, for any, or for that of another key; or move all of a few kinds by one."""
    tiles = list(one[key])
    step = chance.choice((-1, 1))
    single = [k for k, value in one.items() if isinstance(value, str) and value in kinds]
    match chance.randrange(4 if single else 3):
        case 3:
            other, place = chance.choice(single), chance.randrange(len(tiles))
            tiles[place], one[other] = one[other], tiles[place]
        case 0:
            tiles[chance.randrange(len(tiles))] = chance.choice(tiles)
        case 1:
            tiles[chance.randrange(len(tiles))] = chance.choice(kinds)
        case _:
            first = chance.randrange(len(kinds))
            moved = kinds[first : first + chance.randint(1, 9)]
            tiles = [kinds[(kinds.index(x) + step) % len(kinds)] if x in moved else x for x in tiles]
    one[key] = tiles


def worths(rules: RuleSet, hands: Sequence[Hand]) -> list[object]:
    """Return the points of hands by other rules."""
    library = Library(lambda _: rules)
    results = [score_hand(hand.given, library) for hand in hands]
    return [one.points if isinstance(one, Scored) else REFUSED for one in results]
