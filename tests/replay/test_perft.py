"""Perft: how many sequences of legal events can follow, by their length, compared with known counts.

`pytest --renew` writes new counts, up to the length that each file has.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.trace import Verdict
from tests.replay import perft_files
from tests.replay.by_hand import Match
from tests.replay.shared import judged

pytestmark = pytest.mark.corpus

BY_HAND = 300  # positions that are enumerated by hand, at most
MANY = 20_000  # continuations: a slow test counts more

files = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in perft_files.files()])


def counted(machine: Machine, state: State, length: int) -> list[int]:
    """Return the number of sequences of 1, 2, ... `length` legal events."""
    legal = Legal(machine)
    counts = [0] * length

    def follow(state: State, depth: int) -> None:
        events = list(legal.events(state))
        counts[depth] += len(events)
        if depth + 1 < length:
            for event in events:
                after = machine.copy(state)
                machine.apply(event.action, after, event.args)
                follow(after, depth + 1)

    follow(state, 0)
    return counts


def test_there_are_at_least_ten_perft_files() -> None:
    assert len(perft_files.files()) >= 10


@files
def test_legal_events_have_the_known_perft_counts(path: Path, renew: bool) -> None:
    trace, known = perft_files.read(path)
    report = judged(trace)
    assert report.outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE), report.outcome.message
    assert report.end is not None
    machine, _, state = report.end
    looked_at = known if renew else [count for count in known if count <= MANY]
    found = counted(machine, state, len(looked_at))
    if renew:
        perft_files.write(path, trace, found)
    assert found == looked_at or renew


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [p for p in perft_files.files() if perft_files.read(p)[1][-1] > MANY], ids=lambda path: path.stem
)
def test_long_continuations_have_the_known_counts_too(path: Path) -> None:
    trace, known = perft_files.read(path)
    report = judged(trace)
    assert report.end is not None
    machine, _, state = report.end
    assert counted(machine, state, len(known)) == known


@files
def test_a_file_is_written_as_it_is_read(path: Path, tmp_path: Path) -> None:
    perft_files.write(tmp_path / path.name, *perft_files.read(path))
    assert (tmp_path / path.name).read_text("utf-8") == path.read_text("utf-8")


@pytest.mark.parametrize("path", perft_files.files("jjak"), ids=lambda path: path.stem)
def test_the_perft_counts_are_those_by_hand(path: Path) -> None:
    (head, *events), known = perft_files.read(path)
    match = Match(head["rules"], len(head["players"]), head.get("stake", 1))
    for event in events:
        match.do(event)
    few = [length for length in range(1, len(known) + 1) if sum(known[: length - 1]) < BY_HAND]
    assert [match.count(length) for length in few] == [known[length - 1] for length in few]
    assert len(few) >= 2


def test_the_perft_counts_are_those_on_paper() -> None:
    """jjak-2: An holds six different tiles and no pair; Bo five, of which four are mates of An's."""
    _, known = perft_files.read(perft_files.FOLDER / "jjak-2.txt")
    discards, claims = 6, 4
    # 21 kinds, of which both 6-6, both 5-5 and the single 5-4 4-2 6-3 2-1 are dealt
    draws = 21 - 6
    # after 1-1 Bo has to lay; after any other draw Bo puts down one of six; after a claim Bo has to lay
    assert known[:3] == [discards, discards * draws + claims, discards * ((draws - 1) * 6 + 1) + claims]


def test_the_perft_counts_of_lots_are_those_on_paper() -> None:
    """jjak-lots-2: two players draw lots from the whole set, and again if they tie."""
    _, known = perft_files.read(perft_files.FOLDER / "jjak-lots-2.txt")
    civil, military = 11, 10
    second = civil * 21 + military * 20  # a single tile that is drawn is not left
    # how many kinds, civil and military, have so many pips; the two with 5-2 do not tie
    kinds = {
        12: (1, 0),
        11: (1, 0),
        10: (2, 0),
        9: (0, 2),
        8: (1, 2),
        7: (1, 1),
        6: (2, 1),
        5: (0, 2),
        4: (2, 0),
    }
    kinds |= {3: (0, 1), 2: (1, 0)}
    ties = sum((c + m) ** 2 - m for c, m in kinds.values())
    assert known[:3] == [2 * 21, 2 * second, 2 * ties * (2 * 21)]
