"""Take switches out of texts, and find them again from games or from hands with their points.

    python -m tests.learning jjak+relaxed hearts+hearts-free --games 200
    python -m tests.learning ho-hpai+counts-add --hands 200

Input: rule sets with one switch each. Output: a line each: what was learned, and whether new games or hands agree.
Guarantee: the same seed gives the same lines, but for the seconds of a processor.
"""

from __future__ import annotations

import argparse
import sys
import time

from golpae.elaborate.load import load
from golpae.learn.answer import Explanation
from golpae.learn.hands.answer import PointsExplained
from tests.learning.counted import find_points_again
from tests.learning.dropped import find_again


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.learning", description=__doc__)
    parser.add_argument("rules", nargs="+", metavar="GAME+SWITCH")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument(
        "--hands", type=int, help="learn from so many hands with their points, not from games"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = 0
    for rules in args.rules:
        begun = time.process_time()
        same, counts, best = (
            _from_games(rules, args.games, args.seed)
            if args.hands is None
            else _from_hands(rules, args.hands, args.seed)
        )
        took = time.process_time() - begun
        found += same
        said = "nothing" if best is None else "; ".join(f"{place}: {words}" for place, words in best.said)
        print(f"{rules}: {'the same' if same else 'not found'}: {counts}, {took:.0f} s: {said}", flush=True)
    print(f"{found} of {len(args.rules)} found")
    return 0 if found == len(args.rules) else 1


def _from_games(rules: str, games: int, seed: int) -> tuple[bool, str, Explanation | None]:
    game, _, switch = rules.partition("+")
    one = find_again(load(game), switch, games, seed)
    answer = one.answer
    legal = answer.legal if answer.best is None else answer.best.legal
    return one.same, f"{answer.legal} -> {legal} of {answer.games} legal", answer.best


def _from_hands(rules: str, hands: int, seed: int) -> tuple[bool, str, PointsExplained | None]:
    game, _, switch = rules.partition("+")
    answer, same = find_points_again(load(game), switch, hands, seed)
    left = answer.wrong if answer.best is None else answer.best.wrong
    return same, f"{len(answer.wrong)} -> {len(left)} of {answer.hands} with other points", answer.best


if __name__ == "__main__":
    sys.exit(main())
