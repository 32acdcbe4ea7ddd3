"""What is decided for all rule sets of a game at once, beside what is decided for some of them one by one.

    python -m tests.families.agreement jjak --players 2 --samples 200

Each property of each sampled rule set is decided alone. Proved on one side and refuted on the other is a
disagreement; what one side leaves open is counted. The exit status is 1 if there is a disagreement.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence

from golpae.elaborate.instance import instantiate
from golpae.progress import Progress
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.families.run import FamilyCall, FamilyName, FamilyResult, decide_family, groups
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from golpae.workers import Crash, results
from tests.families.loaded import members

DECIDED = (PROVED, REFUTED)


def alone(job: tuple[FamilyName, str, int]) -> dict[str, str]:
    """Return the verdicts on the properties of one rule set."""
    name, rules, players = job
    rule_set = name.load(rules)
    verifier = Verifier(instantiate(rule_set, players, {}), Settings())
    return {prop.name: verifier.verify(prop).verdict for prop in properties_of(rule_set)}


def verdicts_at(found: Sequence[FamilyResult], name: FamilyName, number: int) -> dict[str, str]:
    """Return the verdicts on the properties that one rule set states, as decided for all of them."""
    space = groups(name)[0].space
    return {
        result.name: part.verdict
        for result in found
        for part in result.parts
        if number in space.region(part.cubes)
    }


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.families.agreement")
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(words)
    name = FamilyName(args.game, (), (), ())
    family, _ = groups(name)
    call = FamilyCall(name, (args.players,), {}, Settings())
    found = list(decide_family(call, args.jobs, True, Progress()))
    every = members(family)
    numbers = random.Random(args.seed).sample(every, min(args.samples, len(every)))
    jobs = [(name, family.called(number), args.players) for number in numbers]
    counts: Counter[str] = Counter()
    for place, own in results(alone, jobs, args.jobs):
        if isinstance(own, Crash):
            print(f"{jobs[place][1]}: {own.reason}")
            counts["crashed"] += 1
            continue
        together = verdicts_at(found, name, numbers[place])
        for prop in sorted(own.keys() | together.keys()):
            one, other = own.get(prop, "not stated"), together.get(prop, "not stated")
            if one == other:
                counts[f"both {one}"] += 1
            elif (one in DECIDED and other in DECIDED) or "not stated" in (one, other):
                counts["disagreement"] += 1
                print(f"{jobs[place][1]}, {prop}: alone {one}, together {other}", flush=True)
            else:
                counts[f"alone {one}, together {other}"] += 1
    print(
        f"{len(numbers)} of {len(every):,} rule sets of {args.game} with {args.players} players:",
        dict(counts),
    )
    return 1 if counts["disagreement"] or counts["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
