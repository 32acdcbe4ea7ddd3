"""Check the games that come with golpae on both paths: `python -m tests.kernel.agreement [RULES...] [--games N]`.

Input: rule sets (default: all games that come with golpae, each alone, with each variant and reading, and with sampled
combinations of them), a number of games for each, a seed. With `--log FILE` a call goes on where the file ends, and
`--total` only says what it has.
Output: for each rule set how many games had which verdict; each file of games that the paths judge differently is
written to the folder of `--out`, and the exit status is 1.
Guarantee: the same seed makes the same games, by random and by greedy players, at all numbers of players and values of
options in turn. More than half of them are spoilt. Long games are cut, most of them early, some late. Of each game
verdict, event, line and clause are the same on both paths, and a module stops at the event that the reference refuses.
Of one file in `WHOLE` all that is said is compared: message and explanation too. Packed, the games have the same
verdicts, lines, events and clauses.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from golpae.corpus import check as checking
from golpae.corpus import packed as packed_games
from golpae.corpus.check import check
from golpae.corpus.noting import UNUSUAL, Tables
from golpae.corpus.noting import CheckedTable as Checked
from golpae.corpus.pack import pack
from golpae.corpus.packed import check_packed
from golpae.corpus.paths import Legal, Paths
from golpae.corpus.text import Text
from golpae.diagnostics import SpecError
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import bounds, options_of, values_of
from golpae.elaborate.load import game_names
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import Referred
from golpae.kernel.runner import Notes
from golpae.kernel.traces import FOREIGN, REFUSED
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.legal_events import Event
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace, replay
from golpae.replay.report import Report
from golpae.replay.simulate import written
from golpae.simulate.compiled import CompiledTable, compiled_table
from golpae.simulate.play import SimulatedTable
from golpae.simulate.series import Series
from golpae.trace import Outcome, Source, Verdict, blocks
from golpae.trace.packed import PackedText
from tests.attribute.guilds import spoilt
from tests.build.games import spoilt as other_event
from tests.prove.encoding.steps import rule_sets

TOGETHER = 100  # games in one file
WHOLE = 20  # one file in so many is checked by the reference a second time, all by itself
TABLE = 500  # games at one table, by the same policy
SPOILT = 4  # games that are made of one that was played
CHUNK = 5_000  # games of one rule set, before the next one has its turn
CUTS = (*[60] * 30, *[300] * 9, 3_000)  # where a game is cut at the latest, if it goes on
POLICIES = ("random", "random", "greedy")
HALF = 0.5
SOUND = 0.3  # share of the games that are not spoilt
COMBINATIONS = 10  # of switches of each game


@dataclass(slots=True)
class Agreed:
    """What was compared. `events` are those that the reference went through; `late` counts games whose last event is
    beyond the 60th.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    referred: Counter[str] = field(default_factory=Counter)
    events: int = 0
    late: int = 0
    differ: list[bytes] = field(default_factory=list)

    @property
    def games(self) -> int:
        return sum(self.verdicts.values())

    def add(self, other: Agreed) -> None:
        """Count what was compared elsewhere."""
        self.verdicts += other.verdicts
        self.referred += other.referred
        self.events += other.events
        self.late += other.late
        self.differ += other.differ

    def words(self) -> str:
        """Return how many games had which verdict."""
        counts = ", ".join(f"{many:,} {name}" for name, many in sorted(self.verdicts.items()))
        reasons = "; ".join(f"{reason}: {many:,}" for reason, many in self.referred.items())
        referred = f"{self.referred.total():,} referred{reasons and f' ({reasons})'}"
        sizes = f"{self.events:,} events, {self.late:,} games of more than 60"
        return f"{self.games:,} games: {counts}; {sizes}; {referred}; {len(self.differ)} differ"

    def line(self) -> dict[str, Any]:
        """Return the same for a log."""
        counts = {"verdicts": dict(self.verdicts), "referred": dict(self.referred)}
        return {**counts, "events": self.events, "late": self.late, "differ": len(self.differ)}


def agreement(rules: str, many: int, seed: int, first: int = 0) -> Agreed:
    """Check so many games of a rule set on both paths, from a number on."""
    library, out = Library(elaborate_cached), Agreed()
    tables = Tables(library)
    for number, part in enumerate(_files(rules, many, seed, first), first // TOGETHER):
        held = b"".join(part)
        checked = _Watching(held, tables)
        reports = [report for report in checked.run() if isinstance(report, Report)]
        same = checked.fault is None and checked.follows(part, reports)
        same = same and _packed(held, tables) == [_judged(report.outcome) for report in reports]
        if number % WHOLE == 0:
            whole = check(BytesIO(held), "games", tables, each=True, paths=Paths())
            same = same and _outcomes(whole) == _outcomes(replay(BytesIO(held), "games", library))
        out.verdicts.update(str(report.outcome.verdict) for report in reports)
        out.events += sum(report.events for report in reports)
        out.late += sum(report.events > min(CUTS) for report in reports)
        out.referred += checked.referred
        if not same:
            out.differ.append(held)
    return out


def _outcomes(reports: Iterator[Any]) -> list[Outcome]:
    return [report.outcome for report in reports if isinstance(report, Report)]


def _judged(outcome: Outcome) -> tuple[Any, ...]:
    return outcome.line, outcome.verdict, outcome.event, outcome.at, outcome.clause


def _packed(held: bytes, tables: Tables) -> list[tuple[Any, ...]]:
    """Return what is said about the same games when they are packed."""
    with TemporaryDirectory() as folder:
        text, rows = Path(folder, "games.jsonl"), Path(folder, "games.parquet")
        text.write_bytes(held)
        pack([Source(str(text))], rows, lambda stream: stream)
        read = PackedText(BytesIO(rows.read_bytes()))
    return [*map(_judged, _outcomes(check_packed(read, "games", tables, True, True, Paths())))]


class _Watching(checking._Check):
    """The check of a file, in which the reference goes through each trace once: those that a module decides as well.
    `fault` says where they differ, and `referred` counts the traces that a module left to the reference before the
    event that this refuses.
    """

    def __init__(self, held: bytes, tables: Tables) -> None:
        super().__init__(Text(blocks(BytesIO(held)), 0), "games", tables, each=True, paths=Paths())
        self._held = held
        self._reference = self._one()
        self.fault: int | None = None
        self.referred: Counter[str] = Counter()

    def _one(self) -> OneTrace:
        one = OneTrace("games", self._tables.library)
        one._replay.explained = False
        return one

    def _sampled(self, noted: Notes, legal: Sequence[int]) -> set[int]:
        return set(legal)  # what a module decides, the reference decides too

    def _refer_noted(self, noted: Notes, number: int, table: Checked | None) -> Iterator[Report | Legal]:
        one = noted[number]
        for report in super()._refer_noted(noted, number, table):
            assert isinstance(report, Report)
            outcome, event = report.outcome, one.events + 1  # at which the module stopped
            refused = outcome.verdict is Verdict.ILLEGAL
            if one.outcome == FOREIGN or outcome.line != one.line:
                self.referred["not tried"] += 1
            elif one.outcome == REFUSED:
                self.fault = self.fault if refused and outcome.event == event else one.line
            elif outcome.event is not None and event > outcome.event:
                self.fault = one.line  # it took the event for a legal one
            elif outcome.event != event or refused:
                self.referred[noted.reasons.get(number) or UNUSUAL] += 1
            yield report

    def _refer(self, at: int, line: int, reason: str = UNUSUAL) -> Iterator[Report | Legal]:
        for report in super()._refer(at, line, reason):
            self.referred["not tried"] += 1
            yield report

    def follows(self, part: list[bytes], reports: list[Report]) -> bool:
        """Return whether there is a report on each of these traces, at its line, and no two of them disagree."""
        lines, line = [], 1
        for trace in part:
            lines.append(line)
            line += trace.count(b"\n")
        return not self._paths.disagree and lines == [report.outcome.line for report in reports]


# ------------------------------------------------------------------ games


def _files(rules: str, many: int, seed: int, first: int) -> Iterator[list[bytes]]:
    """Yield games of a rule set, as lists of traces that make up a file."""
    rule_set = elaborate_cached(rules)
    for table in range(first, first + many, TABLE):
        rng = random.Random(f"{rules} {seed} {table}")
        given = {option.name: rng.choice(values_of(rule_set, option.name)) for option in rule_set.options}
        options = options_of(rule_set, given if rng.random() < HALF else {})
        fewest, most = bounds(rule_set, options)
        at_table = rng.randint(fewest, most if rng.random() < HALF else min(most, fewest + 2))
        players = _Players(rule_set, at_table, options, rng.choice(POLICIES), seed)
        for start in range(table, min(table + TABLE, first + many), TOGETHER):
            games = range(start, min(start + TOGETHER, first + many), SPOILT)
            played = [(players.lines(game, rng), min(SPOILT, games.stop - game)) for game in games]
            yield [_trace(lines, rng) for lines, times in played for _ in range(times)]


class _Players:
    """A table at which games are played."""

    def __init__(self, rules: RuleSet, players: int, options: dict[str, int], policy: str, seed: int) -> None:
        self._series = Series(rules, players, options, (policy,) * players, seed, 1, longest=max(CUTS))
        self._table: SimulatedTable = self._series.table()
        self._compiled: CompiledTable | None = compiled_table(self._table, True)
        self._seed = seed

    def lines(self, game: int, rng: random.Random) -> list[dict[str, Any]]:
        """Return a game, cut if it is long."""
        cut = rng.choice(CUTS)
        events: list[Any] = []
        if self._compiled is not None:
            played = self._compiled.player.events(self._seed, game, 1)
            with suppress(Referred, NotCompiled):
                events = [Event(*event) for event in islice(played, cut)]
        if not events:
            shorter = SimulatedTable(self._table.machine, self._table.policies, cut, (), False)
            events = [*shorter.play(self._seed, game, 1).events]
        machine = self._table.machine
        return [self._table.header(game), *(written(machine, event) for event in events)]


def _trace(lines: list[dict[str, Any]], rng: random.Random) -> bytes:
    """Return a game as a trace, cut or not, spoilt or not."""
    if rng.random() < HALF or len(lines) > min(CUTS):
        lines = lines[: rng.randint(2, max(2, len(lines)))]
    if rng.random() > SOUND and len(lines) > 2:
        if rng.random() < HALF:
            lines = spoilt(lines, rng)
        else:
            lines = [*lines[:-1], other_event(lines[-1], lines[1:], rng), *lines[-1:]]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def all_rules(seed: int) -> list[str]:
    """Return all games, with each switch, and with some of several; games alone come first."""
    games, rng, out = game_names([]), random.Random(seed), list[str]()
    for game in games:
        switches = [switch.name for switch in elaborate_cached(game).switches]
        for _ in range(COMBINATIONS):
            chosen = set(rng.sample(switches, rng.randint(2, len(switches))))
            name = "+".join([game, *(switch for switch in switches if switch in chosen)])
            with suppress(SpecError):  # two of them change the same clause
                elaborate_cached(name)
                out += [name] * (name not in out)
    single = [rules for rules in rule_sets(*games) if rules not in games]
    return [*games, *single, *out]


# ------------------------------------------------------------------ the call


def _logged(log: Path | None) -> dict[str, Agreed]:
    """Return what a log has, by rule set."""
    out: dict[str, Agreed] = {}
    for line in log.read_text().splitlines() if log is not None and log.exists() else ():
        held = json.loads(line)
        out.setdefault(held["rules"], Agreed()).add(
            Agreed(
                Counter(held["verdicts"]),
                Counter(held["referred"]),
                held["events"],
                held["late"],
                [b""] * held["differ"],
            )
        )
    return out


def main() -> int:
    """Run what was asked for. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", nargs="*", metavar="RULES")
    parser.add_argument("--games", type=int, default=100_000, help="games of each rule set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=Path("build/agreement"), help="where games that differ go"
    )
    parser.add_argument("--log", type=Path, help="a file that keeps what was compared; go on where it ends")
    parser.add_argument("--total", action="store_true", help="only say what the log has")
    args = parser.parse_args()
    checking.TRIED = packed_games.TRIED = (
        1 << 62
    )  # else a table of which most are refused goes to the reference
    done = _logged(args.log)
    asked = [] if args.total else args.rules or all_rules(args.seed)
    for first in range(0, args.games, CHUNK):
        for rules in asked:
            so_far = done.setdefault(rules, Agreed())
            many = min(CHUNK, args.games - first)
            if so_far.games >= first + many:
                continue
            found = agreement(rules, many, args.seed, first)
            for number, held in enumerate(found.differ):
                args.out.mkdir(parents=True, exist_ok=True)
                (args.out / f"{rules}-{args.seed}-{first}-{number}.jsonl").write_bytes(held)
            so_far.add(found)
            if args.log is not None:
                with args.log.open("a") as log:
                    log.write(json.dumps({"rules": rules, "first": first, **found.line()}) + "\n")
    everything = Agreed()
    for rules, agreed in done.items():
        print(f"{rules}: {agreed.words()}")
        everything.add(agreed)
    print(f"all {len(done)}: {everything.words()}")
    return 1 if everything.differ else 0


if __name__ == "__main__":
    sys.exit(main())
