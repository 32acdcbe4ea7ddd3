"""How fast hands are judged and scored, beside a public library that does the same for a related game.

Input: nothing, or a number of hands.
Output: a table on standard output.
Guarantee: golpae reads shapes and patterns from a rule text; the library has them written by hand, and judges the same
hands in the same run. All hands are different, and golpae starts with empty caches; `again` is the same hands once
more. Seconds are those of the processor, and each figure is the best of several runs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from mahjong.agari import Agari
from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.shanten import Shanten

from golpae.corpus.paths import Paths
from golpae.corpus.scored_files import Scorers
from golpae.corpus.scored_files import hands as scored_hands
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, ScoreRequest, score_hand
from tests.replay.riichi_hands import Tiles, copies, counts, hands

SEED = 20_263
HANDS = 20_000
RUNS = 5
AGAIN = 20  # times that the same hands follow one another in the file


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: processor seconds for so many hands; `first` opens a new part of the table."""

    what: str
    seconds: float
    hands: int
    first: bool = False


def best(work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> float:
    """Seconds of the fastest run, `prepare` not counted."""
    return min(_seconds(work, prepare) for _ in range(RUNS))


def _seconds(work: Callable[[], object], prepare: Callable[[], object]) -> float:
    prepare()
    before = time.process_time()
    work()
    return time.process_time() - before


def fresh(rules: str, ask: Callable[[Machine], object]) -> Callable[[], Machine]:
    """Makes machines that remember no hand, but have worked their shapes out."""
    table = instantiate(elaborate_cached(rules), 4, {})

    def make() -> Machine:
        machine = Machine(table)
        ask(machine)
        return machine

    return make


def cold_and_again(
    what: str, number: int, make: Callable[[], Machine], work: Callable[[Machine], object]
) -> Iterator[Row]:
    """The same work by machines with empty caches, and by one that has done it already."""
    machines: list[Machine] = []
    yield Row(what, best(lambda: work(machines[-1]), lambda: machines.append(make())), number, first=True)
    yield Row(f"{what}, again", best(lambda: work(machines[-1])), number)


def distinct(hands: Iterator[Tiles], number: int) -> list[Tiles]:
    """So many different hands."""
    by_tiles: dict[tuple[int, ...], Tiles] = {}
    while len(by_tiles) < number:
        tiles = next(hands)
        by_tiles.setdefault(tuple(sorted(tiles)), tiles)
    return list(by_tiles.values())


# ------------------------------------------------------------------ what is measured


def decisions(number: int) -> Iterator[Row]:
    """Is it four sets and a pair, or seven pairs? Of hands that are complete, or almost, or not at all."""
    chosen = distinct(hands(SEED, 10 * number), number)
    hand_counts = [counts(tiles) for tiles in chosen]
    make = fresh("korean-mahjong", lambda machine: machine.shapes.holds(chosen[0], "complete"))

    def here(machine: Machine) -> list[bool]:
        return [machine.shapes.holds(tiles, "complete") for tiles in chosen]

    assert here(make()) == [Agari.is_agari(h) for h in hand_counts]
    yield from cold_and_again("complete, golpae", number, make, here)
    yield Row("complete, Agari", best(lambda: [Agari.is_agari(h) for h in hand_counts]), number)
    yield Row("complete, Shanten", best(lambda: [Shanten.calculate_shanten(h) for h in hand_counts]), number)


def scores(number: int) -> Iterator[Row]:
    """What is a complete hand worth at best, self-drawn? All arrangements, all patterns, the minimum."""
    judge = fresh("korean-mahjong", lambda machine: None)().shapes
    chosen = distinct((h for h in hands(SEED, 20 * number) if judge.holds(h, "complete")), number)
    numbered = [copies(tiles) for tiles in chosen]
    drawn = HandConfig(is_tsumo=True, player_wind=EAST)

    def score(machine: Machine, those: Sequence[Tiles]) -> None:
        scorer, state, east = machine.scorers["worth"], machine.new_state(), machine.reader.numbers["E"]
        for tiles in those:
            scorer.best(state, tiles[:-1], [], [], tiles[-1], True, east, None, *[False] * 9)

    def there() -> None:
        for tiles in numbered:
            HandCalculator.estimate_hand_value(tiles, tiles[-1], config=drawn)

    make = fresh("korean-mahjong", lambda machine: score(machine, chosen[:1]))
    yield from cold_and_again("worth, golpae", number, make, lambda machine: score(machine, chosen))
    yield Row("worth, HandCalculator", best(there), number)


def six_pieces(number: int) -> Iterator[Row]:
    """What do six pieces of ho-hpai count? Any six; few of these hands win."""
    whole, rng = fresh("ho-hpai", lambda machine: None)().instance.whole, random.Random(SEED)
    chosen = distinct((rng.sample(whole, 6) for _ in range(10 * number)), number)

    def count(machine: Machine, those: Sequence[Tiles]) -> None:
        scorer, state = machine.scorers["count"], machine.new_state()
        for tiles in those:
            scorer.best(state, tiles)

    make = fresh("ho-hpai", lambda machine: count(machine, chosen[:1]))
    yield from cold_and_again("six pieces, golpae", number, make, lambda machine: count(machine, chosen))


# ------------------------------------------------------------------ files of hands


class Hand(msgspec.Struct):
    """What the yardstick decodes: the keys of a hand."""

    rules: str
    hand: list[str]
    win: str
    seat_wind: str
    id: int | str | None = None
    melds: list[list[str]] = []
    flowers: list[str] = []
    self_drawn: bool = False
    ready: str | None = None


def written(number: int) -> list[bytes]:
    """Return lines of hands of korean-mahjong that count, by chance: some with melds and flowers."""
    draw, library = random.Random(SEED), Library(elaborate_cached)
    tiles = [f"{rank}{suit}" for suit in "mp" for rank in range(1, 10)] + [*"ESWNPFC"]
    runs = [[f"{rank + i}{suit}" for i in range(3)] for suit in "mp" for rank in range(1, 8)]
    lines: list[bytes] = []
    while len(lines) < number:
        sets = [draw.choice(runs) if draw.random() < 0.5 else [draw.choice(tiles)] * 3 for _ in range(4)]
        melds = [s for s in sets if len({*s}) == 1][: draw.choice((0, 0, 1, 2))]
        hand = [t for s in sets if s not in melds for t in s] + [draw.choice(tiles)] * 2
        if draw.random() < 0.15:
            hand, melds = [t for t in draw.sample(tiles, 7) for _ in range(2)], []
        draw.shuffle(hand)
        given = {"rules": "korean-mahjong", "id": len(lines), "hand": hand[1:], "win": hand[0]}
        given |= {"melds": [["pung", *s] for s in melds]} if melds else {}
        given |= {"flowers": draw.sample(("f1", "f2", "f3", "f4"), 1)} if draw.random() < 0.4 else {}
        given |= {"self_drawn": True} if draw.random() < 0.4 else {}
        given |= {"seat_wind": draw.choice("ESWN")}
        given |= {"ready": "ready"} if not melds and draw.random() < 0.2 else {}
        scored = score_hand(given, library)
        if isinstance(scored, Scored) and scored.points is not None:
            lines.append(json.dumps(given, separators=(",", ":")).encode() + b"\n")
    return lines


def files(number: int) -> Iterator[Row]:
    """How fast is a file of hands decoded, scored on the compiled path without what it prints, and by the reference?"""
    lines = written(number // AGAIN)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.jsonl"
        path.write_bytes(b"".join(lines) * AGAIN)
        scorers = Scorers(Library(elaborate_cached), ScoreRequest())
        decode = msgspec.json.Decoder(Hand).decode

        def yardstick() -> None:
            with path.open("rb") as stream:
                for line in stream:
                    decode(line)

        def compiled() -> Paths:
            paths = Paths()
            with path.open("rb") as stream:
                for _ in scored_hands(stream, scorers, paths):
                    pass
            return paths

        def reference() -> None:
            for line in lines:
                score_hand(msgspec.json.decode(line), scorers.library)

        assert compiled() == Paths(compiled=AGAIN * len(lines))
        yield Row("file of hands, msgspec", best(yardstick), AGAIN * len(lines), first=True)
        yield Row("file of hands, compiled", best(compiled), AGAIN * len(lines))
        yield Row("file of hands, reference", best(reference), len(lines))


# ------------------------------------------------------------------ the table


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Give the rows in columns: hands a second, and how many times as many as the first row of its part."""
    base = 0.0
    yield f"{'':32} {'us/hand':>8} {'hands/s':>10} {'x first':>9}"
    for row in rows:
        rate = row.hands / row.seconds
        base = rate if row.first else base
        yield f"{row.what:32} {1e6 / rate:8.2f} {rate:10,.0f} {rate / base:9.2f}"


def main(words: list[str] | None = None) -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.score", description=__doc__)
    parser.add_argument("--hands", type=int, default=HANDS, help="how many hands to judge; fewer are scored")
    args = parser.parse_args(words)
    rows = [*decisions(args.hands), *scores(args.hands // 4), *six_pieces(args.hands), *files(3 * args.hands)]
    sys.stdout.write(f"{args.hands} different hands, seed {SEED}\n\n")
    for line in table(rows):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
