"""Positions as pages have them: what each event changed adds up to the state that replay has."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.pages.recording import Recorder, Recording
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.simulate.position import Positions, whole
from golpae.trace.read import lines
from tests.committed import TOP

TRACES = TOP / "traces"
FILES = ("jjak/base.jsonl", "three-dozen/base.jsonl", "ho-hpai/base.jsonl", "korean-mahjong/calls.jsonl")
MOST = 6  # games of a file


def games(file: str) -> Iterator[tuple[Recording, Machine]]:
    """Yield some games of a file, each with the machine that plays it."""
    library = Library(elaborate_cached)
    held = io.BytesIO((TRACES / file).read_bytes())
    for _, recording in zip(range(MOST), Recorder(file, library).recordings(lines(held)), strict=False):
        assert recording.header is not None
        header = recording.header
        machine = library.machine(header.rules, len(header.players), header.options)
        assert isinstance(machine, Machine)
        yield recording, machine


def read(machine: Machine, line: dict[str, Any]) -> tuple[Any, ...]:
    args = machine.read(line["do"], line)
    assert not isinstance(args, Bad)
    return args


@pytest.mark.parametrize("file", FILES)
def test_the_changes_add_up_to_the_states(file: str) -> None:
    steps = 0
    for recording, machine in games(file):
        assert recording.header is not None
        positions, state = Positions(machine), machine.new_state(recording.header.stake)
        shown = dict(recording.first)
        assert shown == positions.flat(state)
        for step in recording.steps:
            _, args = machine.first(step["line"]["do"], state, read(machine, step["line"]))
            machine.apply(step["line"]["do"], state, args)
            shown |= {key: whole(value, shown[key]) for key, value in step["new"].items()}
            assert shown == positions.flat(state)
            steps += 1
    assert steps > 10


def test_a_hand_that_won_is_shown_as_it_was_counted() -> None:
    path = Path("korean-mahjong") / "calls.jsonl"
    text = (TRACES / path).read_text("utf-8")
    start = text.rindex("\n", 0, text.index('"a-nearer-seat-lets-it-pass"')) + 1
    recorder = Recorder("calls.jsonl", Library(elaborate_cached))
    game = next(recorder.recordings(lines(io.BytesIO(text[start:].encode()))))
    [win] = [step for step in game.steps if "scores" in step]
    [score] = win["scores"]
    assert (win["line"]["do"], score["score"], score["total"]) == ("win", "worth", 2)
    assert score["patterns"] == [["all-chows", 1], ["concealed-hand", 1]]
    assert [(group["label"], " ".join(group["tiles"])) for group in score["groups"]] == [
        ("set", "1m 2m 3m"),
        ("set", "4m 5m 6m"),
        ("set", "2p 3p 4p"),
        ("set", "5p 6p 7p"),
        ("pair", "8p 8p"),
    ]
