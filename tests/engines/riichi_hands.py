"""Count random hands of riichi with the package `mahjong` (`pip install mahjong`), as its version 2.1.0 does.

    python tests/engines/riichi_hands.py HANDS [SEED] > FILE

Each line has a hand as `golpae score riichi` reads it, and the points that the package counts for its han and fu:
those that the dealer and the draw change afterwards. None stands for a hand without a yaku.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

NAMES: list[str] = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + [*"ESWNPFC"]
WINDS = range(27, 31)
RUNS = [[suit * 9 + low + step for step in range(3)] for suit in range(3) for low in range(7)]
ENDS = [0, 8, 9, 17, 18, 26, *range(27, 34)]

FIVES = (4, 13, 22)
"""Kinds of which one tile is red, the first of its four in the package."""

Hand = dict[str, Any]


def sets_of(chance: random.Random) -> tuple[list[list[int]], list[int]]:
    """Return four sets and a pair, often of few kinds."""
    pool = chance.choice(
        [
            [*range(34)],
            [*range(9), *range(27, 34)],
            [*range(9, 18)],
            [*range(27, 34), 0, 8, 9, 17, 18, 26],
            [kind for kind in range(27) if kind % 9 in range(1, 8)],
            [*range(27, 34), 3],
            [19, 20, 21, 23, 25, 32],
        ]
    )
    runs = [run for run in RUNS if {*run} <= {*pool}]
    share = chance.choice([0.0, 0.5, 0.8, 1.0])
    sets = []
    for _ in range(4):
        if runs and chance.random() < share:
            sets.append(chance.choice(runs[: 3 if chance.random() < 0.3 else None]))
        else:
            sets.append([chance.choice(pool)] * (4 if chance.random() < 0.15 else 3))
    return sets, [chance.choice(pool)] * 2


def hands(chance: random.Random) -> Iterator[Hand]:
    """Yield hands that can come about, as `golpae score` reads them, with tiles as numbers of kinds."""
    while True:
        form = chance.random()
        melds: list[tuple[str, list[int]]] = []
        if form < 0.08:
            held = [kind for kind in chance.sample(range(34), 7) for _ in range(2)]
        elif form < 0.1:
            held = [*ENDS, chance.choice(ENDS)]
        else:
            sets, pair = sets_of(chance)
            opened = chance.choice([0.0, 0.0, 0.4, 0.9])
            held = [*pair]
            for one in sets:
                if len(one) == 4:
                    melds.append(
                        (chance.choice(["kan", "concealed-kan"]) if opened else "concealed-kan", one)
                    )
                elif chance.random() < opened:
                    melds.append(("chow" if one[0] != one[1] else "pung", one))
                else:
                    held += one
        used = Counter([*held, *(kind for _, meld in melds for kind in meld)])
        if max(used.values()) <= 4:
            red = [five for five in FIVES if used[five] == 4 or (used[five] and chance.random() < 0.4)]
            yield with_values(held, melds, chance) | {"red": red}


def with_values(held: list[int], melds: list[tuple[str, list[int]]], chance: random.Random) -> Hand:
    """Return a hand with the other keys of the score."""
    closed = all(label == "concealed-kan" for label, _ in melds)
    drawn = chance.random() < 0.5
    hand: Hand = {"win": chance.choice(held), "hand": held, "melds": melds, "drawn": drawn}
    hand |= {"own-wind": chance.choice(WINDS), "round": chance.choice(WINDS[:2])}
    vow = chance.choice(["riichi", "double", None, None]) if closed else None
    special = chance.choice([None] * 6 + ["last", "after-kan" if drawn else "robbing"])
    first = closed and drawn and not melds and vow is None and special is None and chance.random() < 0.02
    hand |= {"first-turn": first, "vow": vow, "one-shot": vow is not None and chance.random() < 0.3}
    hand |= {key: key == special for key in ("last", "after-kan", "robbing")}
    hand |= {
        "dora": chance.choice([0, 0, 0, 1, 2, 3, 8]),
        "ura": chance.choice([0, 1]) if vow else 0,
    }
    return hand


def named(hand: Hand) -> Hand:
    """Return a hand with the names of its tiles, which say which of them are red."""
    used: Counter[int] = Counter()

    def name(kind: int) -> str:
        used[kind] += 1
        return f"{NAMES[kind]}r" if kind in hand["red"] and used[kind] == 1 else NAMES[kind]

    melds = [[label, *map(name, meld)] for label, meld in hand["melds"]]
    told = {**hand, "melds": melds, "hand": [*map(name, hand["hand"])]}
    told |= {key: NAMES[hand[key]] for key in ("win", "own-wind", "round")}
    told["win"] = next(tile for tile in told["hand"] if tile[:2] == told["win"])  # which may be red
    told["hand"].remove(told["win"])
    return {key: value for key, value in told.items() if key != "red" and value is not None}


def points(hand: Hand) -> int | None:
    """Return what the package counts."""
    config, calculator = (
        import_module("mahjong.hand_calculating.hand_config"),
        import_module("mahjong.hand_calculating.hand"),
    )
    meld_class = import_module("mahjong.meld").Meld
    used: Counter[int] = Counter()

    def tile(kind: int) -> int:
        used[kind] += 1
        return kind * 4 + used[kind] - (kind not in FIVES or kind in hand["red"])

    types = {
        "chow": meld_class.CHI,
        "pung": meld_class.PON,
        "kan": meld_class.KAN,
        "concealed-kan": meld_class.KAN,
    }
    melds = [
        meld_class(
            meld_type=types[label], tiles=[tile(kind) for kind in meld], opened=label != "concealed-kan"
        )
        for label, meld in hand["melds"]
    ]
    held = [tile(kind) for kind in hand["hand"]]
    drawn, dealer = hand["drawn"], hand["own-wind"] == WINDS[0]
    options = config.OptionalRules(has_open_tanyao=True, has_double_yakuman=False, has_aka_dora=True)
    result = calculator.HandCalculator.estimate_hand_value(
        held + [one for meld in melds for one in meld.tiles],
        held[hand["hand"].index(hand["win"])],
        melds=melds,
        config=config.HandConfig(
            is_tsumo=drawn,
            is_riichi=hand["vow"] is not None,
            is_daburu_riichi=hand["vow"] == "double",
            is_ippatsu=hand["one-shot"],
            is_rinshan=hand["after-kan"],
            is_chankan=hand["robbing"],
            is_haitei=hand["last"] and drawn,
            is_houtei=hand["last"] and not drawn,
            is_tenhou=hand["first-turn"] and dealer,
            is_chiihou=hand["first-turn"] and not dealer,
            player_wind=hand["own-wind"],
            round_wind=hand["round"],
            num_nuki_dora=hand["dora"] + hand["ura"],
            options=options,
        ),
    )
    if result.error is not None:
        if result.error != "no_yaku":
            raise ValueError(result.error)
        return None
    return _base(result.han, result.fu, any(yaku.is_yakuman for yaku in result.yaku))


def _base(han: int, fu: int, limit: bool) -> int:
    if limit:
        return 8000 * (han // 13)
    for least, worth in ((13, 8000), (11, 6000), (8, 4000), (6, 3000), (5, 2000)):
        if han >= least:
            return worth
    return min(2000, fu << (han + 2))


def main(many: str, seed: str = "1") -> None:
    """Write hands and their points."""
    drawn = hands(random.Random(int(seed)))
    for hand, _ in zip(drawn, range(int(many)), strict=False):
        sys.stdout.write(json.dumps({"hand": named(hand), "points": points(hand)}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
