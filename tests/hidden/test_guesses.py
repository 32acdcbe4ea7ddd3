"""Hands of an arrangement in hidden places: guessed by what is certain of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.hidden.decide import decide
from golpae.hidden.following import Effort
from golpae.hidden.formulas.symbolic_game import SymbolicGame
from golpae.hidden.layouts import Bounds, Layouts
from golpae.hidden.lemmas import Lemmas
from golpae.prove.solving.solver import MILLION
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.trace import Header, read_header

WON = Path(__file__).parent / "riichi_won.jsonl"
CERTAIN = "1m 2m 3m 4p 6p 7s 8s E E".split()


def machine_of(rules: str, players: int) -> Machine:
    machine = Library(elaborate_cached).machine(rules, players, {})
    assert isinstance(machine, Machine)
    return machine


@pytest.mark.solver
def test_layouts_have_all_tiles_that_are_certain() -> None:
    machine = machine_of("riichi", 4)
    game = SymbolicGame(machine, machine.new_state())
    layouts = Layouts(machine, Lemmas(game.evaluator, game.shapes), Random(1))
    numbers = machine.reader.numbers
    low = Counter(numbers[tile] for tile in CERTAIN)
    high = Counter(kind for kind in machine.instance.whole)
    model = low + Counter(numbers[tile] for tile in ("W", "N", "P", "9m"))
    [sets] = [one for one in machine.rules.arrangements if one.name == "four-sets"]
    made = 0
    for _ in range(200):
        found = layouts.new(sets, 13, Bounds(low, high, (model,)), [numbers["4s"]])
        near = found and layouts.near(found[1], 13, Bounds(low, high, (model,)))
        for tiles, layout in filter(None, (found, near)):
            made += 1
            assert low <= tiles <= high
            assert tiles.total() == 13
            groups = sum((group for _, group in layout.groups), Counter[int]())
            assert groups.total() == 13 + layout.lacking - layout.beside
            assert (groups - tiles).total() <= layout.lacking
    assert made > 40


@pytest.mark.solver
def test_a_hand_that_was_won_is_found_by_its_patterns() -> None:
    """Of fourteen tiles of the winner ten are known, and what the hand counts."""
    first, *lines = [json.loads(line) for line in WON.read_text().splitlines()]
    header = read_header(first)
    assert isinstance(header, Header)
    machine = machine_of("riichi", 4)
    found = decide(machine, header, machine.new_state(), lines, 0, effort=Effort(10 * MILLION, 20))
    assert found.verdict == "completed"
