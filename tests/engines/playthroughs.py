"""Write playthroughs of OpenSpiel (`pip install open_spiel`): random hands, without what only programs read.

    python tests/engines/playthroughs.py GAME HANDS [SEED [EACH]] > FILE

GAME may have parameters, such as `bridge(dealer=2)`. EACH prints each so many states (1); the deal is not printed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

KNOCK, FIRST_MELD = 55, 56


def lines(name: str, chance: random.Random, each: int) -> Iterator[str]:
    """Yield the lines of one playthrough."""
    spiel, writer = (
        import_module("pyspiel"),
        import_module("open_spiel.python.algorithms.generate_playthrough"),
    )
    game = spiel.load_game(name)
    yield from (f"game: {name}", "", f'GameType.short_name = "{game.get_type().short_name}"', "")
    yield f"GetParameters() = {writer._format_params(game.get_parameters())}"
    state, number = game.new_initial_state(), 0
    while True:
        yield from ("", f"# State {number}")
        if not state.is_chance_node() and (state.is_terminal() or number % each == 0):
            yield from _shown(state, writer)
        if state.is_terminal():
            return
        player = state.current_player()
        legal: list[int] = state.legal_actions()
        knocks = game.get_type().short_name == "gin_rummy" and KNOCK in legal
        action = KNOCK if knocks and chance.random() < 0.8 else chance.choice(legal)
        yield from ("", f'# Apply action "{state.action_to_string(player, action)}"', f"action: {action}")
        state.apply_action(action)
        number += 1


def _shown(state: Any, writer: Any) -> Iterator[str]:
    player = state.current_player()
    yield from (f"# {line}" for line in str(state).splitlines() if line.startswith("Declarer tricks"))
    yield from (f"IsTerminal() = {state.is_terminal()}", f"CurrentPlayer() = {player}")
    yield f"Returns() = {writer._format_float_vector(state.returns())}"
    if not state.is_terminal():
        words = ", ".join(f'"{state.action_to_string(player, action)}"' for action in state.legal_actions())
        yield from (f"LegalActions() = {state.legal_actions()}", f"StringLegalActions() = [{words}]")


def main(name: str, hands: str, seed: str = "1", each: str = "1") -> None:
    import_module("open_spiel.python.games.block_dominoes")  # which registers it
    chance = random.Random(int(seed))
    for _ in range(int(hands)):
        sys.stdout.writelines(f"{line}\n" for line in (*lines(name, chance, int(each)), ""))


if __name__ == "__main__":
    main(*sys.argv[1:])
