"""Hold `golpae check` of logs with unknown tiles against all ways to fill them in.

`python -m tests.hidden.against_brute --seed S --texts N` makes so many random texts with few tiles, games of them, logs
of these games with hidden tiles, and spoilt ones.

Input: a seed. Output: findings, and counts of what was compared.
Guarantee: the same seed makes the same logs. `unknown` is no finding; it is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import islice

from golpae.hidden.hiding import by_chance, seen_from
from golpae.hidden.lazily import completes
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.simulate import header
from golpae.trace import Verdict
from golpae.trace.outcome import Outcome
from tests.hidden.brute import Event, TooMany, can_hold, is_conflict, judged
from tests.hidden.inferred import differences
from tests.hidden.spoiling import spelt_out, spoilt
from tests.hidden.tiny import TinyGame, table, tiny_games

MOST = 4_000  # ways of a log
SHARES = (0.05, 0.3, 0.7)  # of tiles that are hidden


@dataclass(frozen=True, slots=True)
class Finding:
    """A log that is judged wrongly."""

    kind: str
    rules: str
    detail: str
    events: tuple[Event, ...]


def logs_of(game: TinyGame, rng: random.Random) -> Iterator[tuple[str, list[Event]]]:
    """Yield logs of one game with unknown tiles, with a word for how they were made: legal ones and spoilt ones."""
    machine, events = game.machine, game.events
    for share in SHARES:
        yield "by chance", spelt_out(by_chance(machine, events, rng, share), rng)
    for seat in range(machine.instance.players):
        yield "from a seat", seen_from(machine, table(machine), events, seat)
    yield "all but discards", seen_from(machine, table(machine), events, None)
    for share in SHARES:
        wrong = spoilt(machine, spelt_out(by_chance(machine, events, rng, share), rng), rng)
        if wrong is not None:
            yield "spoilt", wrong


def checked(rules: RuleSet, lines: Sequence[Event], solves: bool = True) -> Outcome:
    """Return what `golpae check` says of a trace."""
    library = Library(lambda name: rules, completes=completes if solves else None)
    stream = BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode())
    return next(iter(replay(stream, "log", library))).outcome


def compare(game: TinyGame, events: list[Event], counts: Counter[str]) -> Iterator[Finding]:
    """Yield how the answer on one log differs from all ways to fill it in."""
    try:
        expected = judged(game.machine, events, most=MOST)
    except TooMany:
        counts["too many ways"] += 1
        return
    rules, first = game.text.rule_set(), header(game.machine)
    outcome = checked(rules, [first, *events])
    counts[f"{expected.verdict}: {outcome.verdict}"] += 1

    finding = partial(_finding, game, (first, *events))
    if outcome.verdict is Verdict.UNKNOWN:
        counts["unknown"] += 1
        return
    said, event = str(outcome.verdict), outcome.event or None
    if (said, event) != (expected.verdict, expected.event):
        yield finding("verdict", f"brute {expected.verdict} {expected.event}, check {said} {event}")
        return
    if outcome.completion is not None:
        again = checked(rules, [first, *map(dict, outcome.completion)], solves=False)
        if (str(again.verdict), again.event or None) != (said, event):
            yield finding("completion", f"{again.verdict} {again.event}: {again.message}")
        completion = [dict(event) for event in outcome.completion]
        for difference in differences(game.machine, events, completion, expected, counts):
            yield finding("inferred", difference)
    if expected.verdict == "illegal" and outcome.conflict:
        kept = frozenset((part.event, part.seat) for part in outcome.conflict)
        try:
            # with all conditions asked, not only those of the conflict, fewer records may do
            if not is_conflict(game.machine, events[: outcome.event], kept, most=MOST):
                yield finding("conflict", f"{kept} is no conflict")
            counts["conflicts"] += 1
        except TooMany:
            counts["conflicts with too many ways"] += 1
    name = _named_alone(outcome)
    if expected.verdict == "illegal" and name is not None:
        try:
            if can_hold(game.machine, events[: outcome.event], name, most=MOST):
                yield finding("clause", f"{name} can hold, and is no part of the conflict")
            counts["conditions that are no part of a conflict"] += 1
        except TooMany:
            counts["conditions with too many ways"] += 1


def _named_alone(outcome: Outcome) -> str | None:
    """Return the condition that an event is said to break, unless it is a part of the conflict."""
    if outcome.clause is None or any(part.clause == outcome.clause for part in outcome.conflict):
        return None
    name = outcome.clause.split(".")[-1]
    return None if name == "then" else name


def _finding(game: TinyGame, lines: tuple[Event, ...], kind: str, detail: str) -> Finding:
    return Finding(kind, game.text.name, detail, lines)


def _asks_what_is_left_out(game: TinyGame) -> bool:
    """Return whether the rules ask which tile lies where in a reserve. If a trace leaves it out, nobody knows that, and
    they read none there (4.1), which is the case in no way to fill it in.
    """
    rules, first = game.text.rule_set(), header(game.machine)
    short = [{key: value for key, value in event.items() if key != "reserve"} for event in game.events]
    said = [checked(rules, [first, *events], solves=False).verdict for events in (game.events, short)]
    if said[0] != said[1]:
        return True
    with suppress(TooMany):
        return judged(game.machine, short, most=MOST).verdict != str(said[1])
    return False


def compare_texts(first: int, games: int, counts: Counter[str]) -> Iterator[Finding]:
    """Yield what is wrong with logs of so many games of random texts, from a seed on."""
    for number, game in enumerate(islice(tiny_games(first), games)):
        counts["games"] += 1
        asks = _asks_what_is_left_out(game)
        for how, events in logs_of(game, random.Random(first + number)):
            if asks and not any("reserve" in event for event in events):
                counts["rules that ask what lies in a reserve that is left out"] += 1
                continue
            counts[f"logs {how}"] += 1
            yield from compare(game, events, counts)


def main() -> int:
    """Compare, and print findings and counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.hidden.against_brute", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=int, default=50)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    found = 0
    for finding in compare_texts(given.seed, 2 * given.texts, counts):
        found += 1
        print(f"{finding.kind} {finding.rules} from seed {given.seed}: {finding.detail}")
        print("".join(f"  {json.dumps(line)}\n" for line in finding.events), flush=True)
    for name, number in sorted(counts.items()):
        print(f"{number:8,} {name}")
    print(f"{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
