"""Take switches out of texts, and find them again from games.

    python -m tests.learning jjak+relaxed hearts+hearts-free --games 200

Input: rule sets with one switch each. Output: a line each: what was learned, and whether new games agree.
Guarantee: the same seed gives the same lines, but for the seconds of a processor.
"""

from __future__ import annotations

import argparse
import sys
import time

from golpae.elaborate.load import load
from tests.learning.dropped import find_again


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.learning", description=__doc__)
    parser.add_argument("rules", nargs="+", metavar="GAME+SWITCH")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = 0
    for rules in args.rules:
        game, _, switch = rules.partition("+")
        begun = time.process_time()
        one = find_again(load(game), switch, args.games, args.seed)
        took = time.process_time() - begun
        found += one.same
        best = one.answer.best
        said = "nothing" if best is None else "; ".join(f"{place}: {words}" for place, words in best.said)
        told = "the same games" if one.same else "not found"
        legal = one.answer.legal if best is None else best.legal
        print(
            f"{rules}: {told}: {one.answer.legal} -> {legal} of {one.answer.games} legal, {took:.0f} s: {said}",
            flush=True,
        )
    print(f"{found} of {len(args.rules)} found")
    return 0 if found == len(args.rules) else 1


if __name__ == "__main__":
    sys.exit(main())
