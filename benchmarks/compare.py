"""How fast hands of two rule sets are played side by side, beside decoding lines of games of the first with msgspec.

Input: nothing. Output: a table on standard output.
Guarantee: the yardstick decodes lines of traces of as many games of the first rule set, played at random. Seconds are
those of the processor, and each figure but that of the reference is the best of several runs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.check import best, decoded
from benchmarks.simulate import write_traces
from golpae.bundled import spec_dir
from golpae.compare.games.alignment import aligned
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.size.paired_hands import PairedHands
from golpae.elaborate.instance import instantiate, options_of
from golpae.replay.machine import Machine
from golpae.rule_names import named, named_rule_set
from golpae.simulate.series import Series

PAIRS = (
    ("jjak", "relaxed", 4, 4_000),
    ("three-dozen", "may-draw", 3, 4_000),
    ("ho-hpai", "no-sok", 4, 400),
    ("korean-mahjong", "readies-add", 4, 200),
)
REFERENCE = 100  # times fewer hands by the reference


def table() -> Iterator[str]:
    """Yield the rows of the table of hands of two rule sets."""
    yield "| rule sets | microseconds a hand | million events a second | × msgspec | the reference, × msgspec |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        for rules, switch, players, hands in PAIRS:
            a, b = (named_rule_set(named(name, (spec_dir(),))) for name in (rules, f"{rules}+{switch}"))
            path = Path(folder) / f"{rules}.jsonl"
            series = Series(a, players, options_of(a, {}), ("random",) * players, 1, hands)
            lines = write_traces(series, path)
            yardstick = best(partial(decoded, path)) / lines
            machines = [Machine(instantiate(each, players, {})) for each in (a, aligned(a, b))]
            pair = PairedHands(PairedMachines(machines[0], machines[1]), 1)
            assert pair.player is not None
            events = sum(hand.events for hand, _ in pair.play(1, hands))
            seconds = best(partial(_played, pair, hands))
            few = range(1, 1 + max(2, hands // REFERENCE))
            by_reference = sum(pair.reference(number).events for number in few)
            reference = best(partial(_by_reference, pair, few), runs=1) / by_reference
            ratios = f"{yardstick / (seconds / events):.2f} | {yardstick / reference:.5f}"
            yield f"| {rules}, {switch} | {seconds / hands * 1e6:.0f} | {events / seconds / 1e6:.2f} | {ratios} |"


def _played(pair: PairedHands, hands: int) -> None:
    assert pair.player is not None
    for _ in pair.player.hands(1, 1, hands):
        pass


def _by_reference(pair: PairedHands, hands: range) -> None:
    for number in hands:
        pair.reference(number)


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
