"""Games of a text, each event of which replay and the judge try.

Input: a rule text called `judged`, and a number of players. Output: a failing test if the two disagree.
Guarantee: more than `fewest` of the events that are tried are legal.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from tests.differential.against_judge import Side
from tests.judge.table import Table, rules_of


def hold(text: str, players: int, fewest: int = 100) -> None:
    """Play games of a text, and check that replay and the judge agree about all that is tried."""
    with TemporaryDirectory() as folder:
        Path(folder, "judged.golpae").write_text(text)
        machine = Machine(instantiate(elaborate("judged", [Path(folder)]), players, {}))
    found: list[str] = []
    counts: Counter[str] = Counter()
    side = Side(
        machine,
        Table(instantiate(rules_of(text), players, {})),
        random.Random(1),
        lambda kind, detail, _: found.append(f"{kind}: {detail}"),
        counts,
        tries=40,
    )
    for _ in range(6):
        side.game()
    assert found == []
    assert counts["tried and legal"] > fewest
