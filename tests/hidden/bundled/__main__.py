"""Hide tiles of whole games of the bundled rules, and hold `golpae check` of the logs against the games.

    python -m tests.hidden.bundled --game jjak --games 20 --ways 5,30,seat,discards --seed 1

Half of the games are simulated, half are recorded ones of `traces/`. Each is hidden in each way: each tile with a
probability of 5% or 30%, all that one seat did not see, all that not everybody saw. Then one tile of the game is
replaced by another, and what comes of that is hidden too.

Input: rules, a seed. Output: counts, units of time, and findings in their smallest form.
Guarantee: the same seed makes the same logs. A log of a legal game has to be legal, and its completion has to be
accepted; a log of a spoilt game is never illegal at an event before the one at which the game itself is. `unknown` is
no finding; it is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import bounds, options_of
from golpae.hidden.decide import decide
from golpae.hidden.following import Effort
from golpae.hidden.hiding import by_chance, seen_from
from golpae.hidden.lines import hidden_line
from golpae.progress import Progress
from golpae.prove.solving.solver import MILLION
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace, replay
from golpae.simulate.series import Series, simulate
from golpae.trace import Header, Verdict, lines, read_header
from golpae.trace.outcome import Outcome
from golpae.trace.unseen import UNKNOWN, Decision
from tests.hidden.brute import Event
from tests.hidden.spoiling import spoilt

TRACES = Path(__file__).parents[2] / "traces"
SHARES = {"5": 0.05, "30": 0.3}
WAYS = (*SHARES, "seat", "discards")
GOOD = (Verdict.LEGAL, Verdict.INCOMPLETE)
LONGEST = 300  # events of a hand that is played: with some rules, random play never ends
MOST_SHRINKS = 60  # logs that are tried to find a smaller finding


@dataclass(frozen=True, slots=True)
class WholeGame:
    """A game all of whose tiles are known."""

    name: str
    header: Mapping[str, Any]
    events: tuple[Event, ...]


@dataclass(slots=True)
class Row:
    """What came of the logs that were hidden in one way."""

    verdicts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        often = ", ".join(f"{number} {verdict}" for verdict, number in sorted(self.verdicts.items()))
        median, worst = statistics.median(self.seconds), max(self.seconds)
        return f"{len(self.seconds)} logs: {often}; median {median:.2f} s, worst {worst:.2f} s"


class Bundled:
    """Logs of the games of one rule set."""

    def __init__(
        self, rules: str, effort: Effort, slow: float, folder: Path | None, longest: int = LONGEST
    ) -> None:
        self.rules, self.longest = rules, longest
        self.findings = 0
        self.rows: dict[str, Row] = {}
        self._effort, self._slow, self._folder = effort, slow, folder
        self._library = Library(elaborate_cached, completes=self._completes)
        self._reference = Library(elaborate_cached)

    def _completes(
        self,
        machine: Machine,
        header: Header,
        state: State,
        lines: Sequence[Mapping[str, Any]],
        before: int,
        aside: Mapping[int, frozenset[str]],
        known: Sequence[Mapping[str, Any]],
    ) -> Decision:
        effort = Effort(self._effort.units, self._effort.tries)
        return decide(machine, header, state, lines, before, aside, known, effort)

    # ------------------------------------------------------------------ games

    def games(self, many: int, seed: int, policies: Sequence[str], players: int | None) -> list[WholeGame]:
        """Return legal games: half of them played, half recorded, fewer if there are not so many recorded ones."""
        recorded = [*self._recorded()]
        random.Random(seed).shuffle(recorded)
        played = (
            game
            for games in zip_longest(*self._played(many, seed, policies, players))
            for game in games
            if game
        )
        pairs = zip_longest(islice(played, many), recorded)
        return [*islice((game for pair in pairs for game in pair if game is not None), many)]

    def _played(
        self, many: int, seed: int, policies: Sequence[str], players: int | None
    ) -> Iterator[list[WholeGame]]:
        rule_set = elaborate_cached(self.rules)
        options = options_of(rule_set, {})
        at_table = players or bounds(rule_set, options)[0]
        for policy in policies:
            parts: list[bytes] = []
            games = -(-many // len(policies))
            series = Series(
                rule_set, at_table, options, (policy,) * at_table, seed, games, longest=self.longest
            )
            simulate(series, 1, Progress(), parts.append)
            yield [*self._games_in(f"{policy} {seed}", b"".join(parts))]

    def _recorded(self) -> Iterator[WholeGame]:
        for file in sorted((TRACES / self.rules.partition("+")[0]).glob("*.jsonl")):
            for game in self._games_in(file.name, file.read_bytes()):
                if self.rules in (game.header["rules"], str(game.header["rules"]).partition("+")[0]):
                    yield game

    def _games_in(self, name: str, text: bytes) -> Iterator[WholeGame]:
        """Yield the legal games of a text, all of whose tiles are known."""
        one = OneTrace(name, self._reference)
        for report, read in one.games(lines(BytesIO(text))):
            if report.outcome.verdict in GOOD and report.events:
                header, *events = [line for _, line, _ in read if line is not None]
                at = f"{name}:{report.outcome.line}"
                yield WholeGame(at, header, tuple(dict(event) for event in events))

    # ------------------------------------------------------------------ logs

    def log(self, game: WholeGame, events: Sequence[Event], way: str, rng: random.Random) -> list[Event]:
        """Return a log of events in which tiles are hidden in some way."""
        machine, header = self._table(game)
        if way in SHARES:
            return by_chance(machine, events, rng, SHARES[way])
        seat = rng.randrange(machine.instance.players) if way == "seat" else None
        return seen_from(machine, header, events, seat)

    def _table(self, game: WholeGame) -> tuple[Machine, Header]:
        header = read_header(dict(game.header))
        assert isinstance(header, Header)
        machine = self._library.machine(header.rules, len(header.players), header.options)
        assert isinstance(machine, Machine)
        return machine, header

    def checked(self, game: WholeGame, events: Sequence[Event], solves: bool = True) -> Outcome:
        """Return what `golpae check` says of a log."""
        text = "".join(f"{json.dumps(line)}\n" for line in (game.header, *events))
        library = self._library if solves else self._reference
        [report] = replay(BytesIO(text.encode()), game.name, library)
        return report.outcome

    def legal(self, game: WholeGame, way: str, rng: random.Random) -> None:
        """Check a log of a legal game."""
        events = self.log(game, game.events, way, rng)
        expected = self.checked(game, game.events, solves=False).verdict
        outcome = self._timed(f"{way} legal", game, events)
        if outcome.verdict is Verdict.UNKNOWN:
            return
        if outcome.verdict is not expected:
            wrong = partial(self._is_illegal, game, outcome.verdict)
            smallest = self._smaller(game, game.events[: outcome.event or None], events, wrong)
            self._finding(game, way, f"{outcome.verdict} at {outcome.event}: {outcome.message}", smallest)
        elif outcome.completion is not None:
            again = self.checked(game, [dict(line) for line in outcome.completion], solves=False)
            if again.verdict is not expected:
                self._finding(game, way, f"completion is {again.verdict} at {again.event}", events)
            if not all(map(_fills, (self._hidden(game, one) for one in events), outcome.completion)):
                self._finding(game, way, "completion differs in more than the unknown tiles", events)

    def spoilt(self, game: WholeGame, way: str, rng: random.Random) -> None:
        """Check a log of a game in which one tile is another."""
        machine, _ = self._table(game)
        whole = spoilt(machine, game.events, rng)
        if whole is None:
            return
        expected = self.checked(game, whole, solves=False)
        if expected.verdict is Verdict.MALFORMED:
            return
        events = self.log(game, whole, way, rng)
        outcome = self._timed(f"{way} spoilt", game, events)
        if outcome.verdict is Verdict.ILLEGAL:
            at, own = outcome.event or 0, expected.event or 0
            if expected.verdict is Verdict.ILLEGAL and at >= own:
                key = "at its event" if at == own else "later"
                self.rows[f"{way} spoilt"].verdicts[key] += 1
                return
            wrong = partial(self._is_illegal, game, outcome.verdict)
            smallest = self._smaller(game, whole[: outcome.event], events, wrong)
            was = f"the game is {expected.verdict} at {expected.event}"
            self._finding(game, way, f"illegal at {outcome.event}, but {was}: {outcome.message}", smallest)
        elif outcome.completion is not None:
            again = self.checked(game, [dict(line) for line in outcome.completion], solves=False)
            if again.verdict is not outcome.verdict:
                self._finding(game, way, f"completion is {again.verdict} at {again.event}", events)

    def _hidden(self, game: WholeGame, event: Event) -> Mapping[str, Any]:
        """Return an event with its unknown tiles written out."""
        found = hidden_line(event, self._table(game)[0].actions[event["do"]])
        assert not isinstance(found, str)
        return found.line

    def _timed(self, row: str, game: WholeGame, events: Sequence[Event]) -> Outcome:
        begin = time.process_time()
        outcome = self.checked(game, events)
        took = time.process_time() - begin
        into = self.rows.setdefault(row, Row())
        into.seconds.append(took)
        into.verdicts[str(outcome.verdict)] += 1
        if outcome.verdict is Verdict.UNKNOWN or took > self._slow:
            print(
                f"  {row} of {game.name}: {outcome.verdict}, event {outcome.event}, {took:.1f} s", flush=True
            )
            self._keep(f"{row} of {game.name}", game, events)
        return outcome

    def _keep(self, name: str, game: WholeGame, events: Sequence[Event]) -> None:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{json.dumps(line)}\n" for line in ({**game.header, "id": name}, *events))
            (self._folder / f"{self.rules} {name}.jsonl".replace(" ", "-").replace(":", "-")).write_text(text)

    # ------------------------------------------------------------------ findings

    def _is_illegal(
        self, game: WholeGame, verdict: Verdict, whole: Sequence[Event], log: Sequence[Event]
    ) -> bool:
        return (
            self.checked(game, whole, solves=False).verdict in GOOD
            and self.checked(game, log).verdict is verdict
        )

    def _smaller(
        self, game: WholeGame, whole: Sequence[Event], log: Sequence[Event], wrong: Any
    ) -> Sequence[Event]:
        """Return a log with fewer events and fewer unknown tiles that is judged wrongly too."""
        shorter = log[: len(whole)]
        log = shorter if wrong(whole, shorter) else log
        for number in range(min(len(whole), MOST_SHRINKS)):
            shown = [*log]
            shown[number] = dict(whole[number])
            if shown[number] != log[number] and wrong(whole, shown):
                log = shown
        return log

    def _finding(self, game: WholeGame, way: str, detail: str, events: Sequence[Event]) -> None:
        self.findings += 1
        print(f"FINDING {self.rules}, {game.name}, hidden by {way}: {detail}")
        print("".join(f"  {json.dumps(line)}\n" for line in (game.header, *events)), flush=True)


def _fills(hidden: Any, whole: Any) -> bool:
    """Return whether a value is another one with its unknown tiles filled in; a key may be added."""
    if hidden == UNKNOWN:
        return isinstance(whole, str)
    if isinstance(hidden, Mapping):
        return isinstance(whole, Mapping) and all(_fills(hidden[k], whole.get(k)) for k in hidden)
    if isinstance(hidden, list):
        return isinstance(whole, list) and len(hidden) == len(whole) and all(map(_fills, hidden, whole))
    return bool(hidden == whole)


def main() -> int:
    """Hide, check, and print counts, times and findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.hidden.bundled", description=__doc__)
    add = parser.add_argument
    add("--game", required=True, help="rules, with variants or without")
    add("--games", type=int, default=20)
    add("--ways", default=",".join(WAYS), help=f"some of {', '.join(WAYS)}")
    add("--seed", type=int, default=1)
    add("--players", type=int)
    add("--policies", default="random,greedy", help="those of the games that are played, in turn")
    add("--longest", type=int, default=LONGEST, help="events of a hand that is played")
    add("--what", default="legal,spoilt", help="logs of legal games, of spoilt ones, or both")
    add("--units", type=int, default=Effort().units // MILLION, help="of work for one log, in millions")
    add("--tries", type=int, default=Effort().tries, help="choices of tiles for one log")
    add("--slow", type=float, default=20, help="logs that take more seconds are named")
    add("--keep", type=Path, help="a folder for logs that are slow or stay unknown")
    given = parser.parse_args()
    effort = Effort(given.units * MILLION, given.tries)
    bundled = Bundled(given.game, effort, given.slow, given.keep, given.longest)
    games = bundled.games(given.games, given.seed, given.policies.split(","), given.players)
    for (number, game), way in ((one, way) for way in given.ways.split(",") for one in enumerate(games)):
        for what in given.what.split(","):
            rng = random.Random(f"{given.seed} {number} {way} {what}")
            (bundled.legal if what == "legal" else bundled.spoilt)(game, way, rng)
    events = sum(len(game.events) for game in games)
    print(f"{given.game}: {len(games)} games, {events} events, seed {given.seed}")
    for name, row in sorted(bundled.rows.items()):
        print(f"{name:>16}: {row}")
    print(f"{bundled.findings} findings")
    return 1 if bundled.findings else 0


if __name__ == "__main__":
    sys.exit(main())
