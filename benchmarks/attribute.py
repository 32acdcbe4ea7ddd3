"""How fast recorded games are attributed to rule sets, beside merely reading them as JSON.

Input: nothing, or a number of traces.
Output: a table on standard output.
Guarantee: the traces are random legal games of `SETS` rule sets, drawn from all combinations of the switches of one
game, with every number of players, from a fixed seed; each is judged under all combinations. Seconds are those of the
processor. A first run makes all rule sets and machines; the best of several further runs has them already.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.replay import Row, best, table
from golpae.attribute.compiled import CompiledAttribution
from golpae.attribute.corpus import Corpus
from golpae.attribute.traces import Attribution
from golpae.bundled import spec_dir
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.families.family import Family
from golpae.replay.machine import Machine
from golpae.replay.simulate import DeadEnd, header, play

SEED = 20_261
TRACES = 1_000
GAME = "jjak"
PLAYERS = (2, 3, 4)
SETS = 20


def write_mixed(path: Path, traces: int) -> int:
    """Write random legal games of many rule sets; gives how many events they have."""
    rng = random.Random(SEED)
    family = Family(GAME, elaborate_cached)
    among = [rules for rules in range(family.every + 1) if rules in family.universe]
    machines = [
        Machine(instantiate(elaborate_cached(family.called(rules)), rng.choice(PLAYERS), {}))
        for rules in rng.sample(among, SETS)
    ]
    events = 0
    with path.open("w", encoding="utf-8") as file:
        while traces:
            machine = rng.choice(machines)
            try:
                game = list(play(machine, machine.new_state(1), rng))
            except DeadEnd:
                continue
            for line in (header(machine), *game):
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
            events += len(game)
            traces -= 1
    return events


class Attributed:
    """The work that is measured, on a file of games."""

    def __init__(self, path: Path, traces: int) -> None:
        self.path = path
        self.traces = traces
        self.attribution = Attribution(elaborate_cached)
        self.quick = CompiledAttribution(self.attribution, (spec_dir(),))

    def json(self) -> None:
        with self.path.open("rb") as stream:
            for line in stream:
                json.loads(line)

    def afresh(self) -> None:
        """Attribute without caches: each rule set that is tried is elaborated, each machine compiled."""
        self.attribution = Attribution(elaborate_cached)
        self.attributed()

    def compiled(self) -> None:
        """Ask only who accepts each trace, on the compiled path; the answer then asks who refuses some of them."""
        corpus = Corpus(self.family())
        with self.path.open("rb") as stream:
            for result in self.quick.traces(stream, self.path.name):
                corpus.add(result)
        assert corpus.traces == self.traces

    def family(self) -> Family:
        family = self.attribution.family(GAME)
        assert isinstance(family, Family)
        return family

    def attributed(self) -> None:
        corpus = Corpus(self.family())
        with self.path.open("rb") as stream:
            for result in self.attribution.traces(stream, self.path.name):
                assert result.accepting, result  # each is legal under the rule set that it was played by
                corpus.add(result)
        assert corpus.answer().traces == self.traces


def measure(games: Attributed, events: int) -> Iterator[Row]:
    os.environ["GOLPAE_CACHE"] = "off"
    cold = best(games.afresh, 1)
    yield Row("json.loads, line by line", best(games.json), events)
    yield Row("attributed, nothing made yet, no cache", cold, events)
    yield Row("attributed, machines made", best(games.attributed, 3), events)
    games.quick = CompiledAttribution(games.attribution, (spec_dir(),))
    games.compiled()  # which makes the modules
    yield Row("who accepts them, compiled, modules made", best(games.compiled, 3), events)


def main(words: list[str] | None = None) -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attribute", description=__doc__)
    parser.add_argument("--traces", type=int, default=TRACES, help="how many games there are")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.jsonl")
        events = write_mixed(path, args.traces)
        family = Family(GAME, elaborate_cached)
        sys.stdout.write(
            f"{args.traces} games, {events} events, of {SETS} rule sets; each under "
            f"{1 << len(family.names)} combinations, seed {SEED}\n\n"
        )
        for line in table(list(measure(Attributed(path, args.traces), events))):
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
