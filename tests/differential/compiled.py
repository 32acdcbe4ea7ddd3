"""The compiled path held against the reference: on recorded games, legal ones and ones that a refused event ends, and
on games by chance and by policies.

Input: a machine, games as `against_judge` played them. Output: findings and counts.
Guarantee: all traces are checked as one file, by both; the reports have to be the same. What is referred although it is
legal is counted with the reasons.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import takewhile

from golpae.corpus.check import check
from golpae.corpus.noting import Tables
from golpae.corpus.paths import Paths
from golpae.ir.limits import TooManySteps
from golpae.ir.wellformed_expr import goes_through_ways
from golpae.kernel.language.host import Referred, available
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.replay.simulate import header
from golpae.simulate.compiled import compiled_table
from golpae.simulate.play import SimulatedTable
from golpae.simulate.policies import policies
from golpae.simulate.sight import Sight
from tests.differential.against_judge import Played, Say
from tests.differential.tries import Event
from tests.kernel.playing_harness import Both

GAMES, LONGEST = 4, 25  # games by chance of a table, and their events
MOST_ASKED = 8  # properties that are asked at the end of a hand


def check_compiled(
    machine: Machine, library: Library, played: Sequence[Played], say: Say, counts: Counter[str]
) -> None:
    """Check games by both, and compare what they say."""
    if not available():
        return
    written = b"".join(_written(machine, game) for game in played)
    expected = [report.outcome for report in replay(BytesIO(written), "games", library)]
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library), True, paths)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    if paths.disagree:
        say("compiled-refuses", f"line {paths.disagree[0]}", _events(written, paths.disagree[0]))
    for one, other in zip(found, expected, strict=False):
        if one != other:
            say("compiled", f"compiled {one.verdict.value}, reference {other}", _events(written, other.line))
            break
    else:
        if len(found) != len(expected):
            say("compiled", f"{len(found)} traces, {len(expected)} by the reference", [])
    counts["traces checked on the compiled path"] += paths.compiled
    counts["legal traces referred"] += paths.referred
    counts.update({f"referred: {reason}": number for reason, number in paths.reasons.items()})


def check_playing(machine: Machine, seed: int, say: Say, counts: Counter[str]) -> None:
    """Play games by chance on both paths, and compare the legal events of each position."""
    if not available():
        return
    try:
        both = Both(machine)
    except (NotCompiled, Referred):
        counts["tables that cannot be played on the compiled path"] += 1
        return
    for game in range(GAMES):
        try:
            compared = both.play(seed, game, LONGEST)
        except AssertionError as differ:
            say("compiled-plays", f"seed {seed}, game {game}: {differ}", [])
            return
        except TooManySteps:
            return
        counts["events played on both paths"] += compared.events
        counts["games played on both paths"] += 1
        counts["games by chance referred"] += compared.referred


def check_shares(machine: Machine, seed: int, say: Say, counts: Counter[str]) -> None:
    """Play hands by policies on both paths, as claims about shares do, and ask properties at their end."""
    if not available():
        return
    rng = random.Random(seed)
    stated = (prop for prop in machine.rules.properties if prop.kind == "always" and prop.after is None)
    asked = [prop.expr for prop in stated if not goes_through_ways(prop.expr)]
    names = [rng.choice(("random", "greedy")) for _ in range(machine.instance.players)]
    seats = policies(names, Sight(machine))
    table = SimulatedTable(machine, seats, LONGEST, tuple(asked[:MOST_ASKED]), scored=False)
    fast = compiled_table(table, traced=False)
    if fast is None:
        counts["tables whose shares are not measured on the compiled path"] += 1
        return
    try:
        for game, played in fast.games(seed, 1, GAMES, 1):
            expected = table.play(seed, game)
            if played.hands != expected.hands:
                say(
                    "compiled-shares",
                    f"{names}, seed {seed}, game {game}: {played.hands}, not {expected.hands}",
                    [],
                )
                return
            counts["hands asked on both paths"] += 1
            counts["answers that hold at the end of a hand"] += sum(expected.hands[0].asked)
    except TooManySteps:
        return


def _events(written: bytes, line: int) -> list[Event]:
    """Return the events of the trace whose header is on a line."""
    lines = written.splitlines()[line:]
    return [json.loads(line) for line in takewhile(lambda line: b'"golpae"' not in line, lines)]


def _written(machine: Machine, game: Played) -> bytes:
    """Return a game as a trace, and those traces that one of its refused events ends."""
    first = header(machine, game.stake)
    traces = [[first, *game.events], *([first, *game.events[:at], event] for at, event in game.refused)]
    return "".join(
        json.dumps(line, separators=(",", ":")) + "\n" for trace in traces for line in trace
    ).encode()
