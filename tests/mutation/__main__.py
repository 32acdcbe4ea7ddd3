"""`python -m tests.mutation GAME ...`: how many mutants of a rule text the recorded games notice.

Prints the numbers, and by name every mutant that they do not notice and that no list beside this file explains.
"""

from __future__ import annotations

import sys

from tests.mutation.judge import Bench, Judge, elaborates, silent
from tests.mutation.listed import equivalent, noticed_by_property
from tests.mutation.mutate import mutants
from tests.replay.shared import text


def main(games: list[str]) -> int:
    """Print the counts of each game. Return 1 if a mutant is unexplained."""
    unexplained = 0
    for game in games:
        bench = Bench(game)
        explained = noticed_by_property(game) | equivalent(game)
        whole, refused, unnoticed = mutants(silent(text(game))), 0, []
        for mutant in whole:
            judge = Judge(mutant.loaded)
            if not elaborates(mutant, judge):
                refused += 1
            elif bench.notices(mutant, judge) is None:
                unnoticed.append(mutant.name)
        left = [name for name in unnoticed if name not in explained]
        noticed = len(whole) - refused - len(unnoticed)
        said = f"{len(whole)} mutants: {refused} are no rules, {noticed} noticed by recorded games"
        sys.stdout.write(f"{game}: {said}, {len(unnoticed) - len(left)} explained, {len(left)} not\n")
        sys.stdout.writelines(f"  {name}\n" for name in left)
        sys.stdout.flush()
        unexplained += len(left)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["jjak"]))
