"""Small texts, each about some constructs: the host in Python says of their games what the reference says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import TableFault, bounds, options_of
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import available
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.simulate import DeadEnd, header, play
from golpae.trace import Header
from golpae.trace.header import read_header
from tests.build.differences import differences
from tests.build.games import Modules, Told, told
from tests.build.hosts import in_python
from tests.differential.texts import RuleText

pytestmark = [
    pytest.mark.property,
    pytest.mark.skipif(not available(), reason="modules do not run here"),
]

KERNEL = Path(__file__).parents[1] / "kernel"
FOLDERS = (Path(__file__).with_name("texts"), KERNEL / "texts", KERNEL / "checked")
GAMES = 4  # at each number of players
# Of what is asked `afterwards`, a module says only that the effects cannot be carried out (docs/semantics.md).
SAID_IN_OTHER_WORDS = {"asked-afterwards"}
TEXTS = sorted(
    file for folder in FOLDERS for file in folder.glob("*.golpae") if file.stem not in SAID_IN_OTHER_WORDS
)


def games(machine: Machine, many: int) -> Iterator[tuple[str, Header, list[dict[str, Any]]]]:
    """Yield games by chance."""
    for number in range(many):
        events: list[dict[str, Any]] = []
        with suppress(DeadEnd):
            events += play(machine, machine.new_state(1), random.Random(number), hands=2, longest=30)
        head = read_header(header(machine))
        assert not isinstance(head, str)
        yield f"{machine.rules.rules}, {machine.instance.players} players, game {number}", head, events


def of_text(rule_set: RuleSet, folder: Path, many: int, tries: int) -> Iterator[Told]:
    """Yield games of a text at every number of players."""
    library = Library(lambda name: rule_set)
    modules = Modules.into(folder, library)
    with suppress(TableFault):
        options = options_of(rule_set, {})
        low, high = bounds(rule_set, options)
        for players in range(low, min(high, low + 2) + 1):
            machine = library.machine(rule_set.rules, players, options)
            if isinstance(machine, Machine):
                yield from told(modules, games(machine, many), tries, every=2)


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.stem))
def test_the_host_says_what_the_reference_says_of_small_texts(file: Path, tmp_path: Path) -> None:
    found = [*of_text(RuleText(file.stem, file.read_text("utf-8")).rule_set(), tmp_path, GAMES, 2)]
    wrong, said = differences(found, in_python([game.task for game in found]))
    assert not wrong[:3]
    assert said["legal"] > 10
    assert said["illegal"] > 5
    if file.parent.name == "texts":  # whose events can all be listed
        assert not [what for what in said if ": " in what], said
