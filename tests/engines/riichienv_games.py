"""Write matches of riichi that RiichiEnv plays (`pip install riichienv`), as its version 0.4.11 does, as logs of mjai.

    python tests/engines/riichienv_games.py MATCHES FOLDER [SEED]

Players win when they can, declare riichi and call now and then, and otherwise discard what leaves them nearest to a
hand.
"""

from __future__ import annotations

import json
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

FOUR_PLAYERS = 2  # RiichiEnv's number for matches of east and south rounds
MOST_STEPS = 4_000


def played(seed: int) -> list[str]:
    """Return the lines of the log of one match."""
    spiel: Any = import_module("riichienv")
    rule = spiel.GameRule.default_tenhou()
    env = spiel.RiichiEnv(game_mode=FOUR_PLAYERS, seed=seed, rule=rule)
    chance = random.Random(seed)
    seen = env.reset()
    for _ in range(MOST_STEPS):
        if env.done():
            break
        seen = env.step({player: _chosen(spiel, one, chance) for player, one in sorted(seen.items())})
    return [
        line if isinstance(line, str) else json.dumps(line, separators=(",", ":")) for line in env.mjai_log
    ]


def _chosen(spiel: Any, seen: Any, chance: random.Random) -> Any:
    """Return what a player does."""
    kinds, legal = spiel.ActionType, seen.legal_actions()

    def of(*some: Any) -> list[Any]:
        return [action for action in legal if action.action_type in some]

    if wins := of(kinds.TSUMO, kinds.RON):
        return wins[0]
    for actions, share in (
        (of(kinds.RIICHI), 0.9),
        (of(kinds.Ankan, kinds.Kakan, kinds.Daiminkan), 0.6),
        (of(kinds.KYUSHU_KYUHAI), 0.5),
        (of(kinds.CHI, kinds.PON), 0.25),
    ):
        if actions and chance.random() < share:
            return chance.choice(actions)
    if discards := of(kinds.DISCARD):
        return min(discards, key=lambda action: (_distance(spiel, seen, action), chance.random()))
    return (of(kinds.PASS) or legal)[0]


def _distance(spiel: Any, seen: Any, action: Any) -> int:
    """Return how far a hand is from waiting for its last tile without a discard."""
    hand = list(seen.hand)
    if action.tile in hand:
        hand.remove(action.tile)
    return int(spiel.calculate_shanten(hand))


def main(matches: str, folder: str, seed: str = "1") -> None:
    """Write matches, each to a file."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for number in range(int(seed), int(seed) + int(matches)):
        lines = "".join(f"{line}\n" for line in played(number))
        (Path(folder) / f"{number}.mjson").write_text(lines, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
