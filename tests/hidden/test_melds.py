"""Melds of tiles that nobody saw."""

from __future__ import annotations

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.hidden.decide import decide
from golpae.hidden.following import Effort, Following
from golpae.hidden.lines import HiddenLine, hidden_line
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.replay import happen
from golpae.trace import Header, read_header

HEADER = {"golpae": 1, "rules": "riichi", "players": ["An", "Bo", "Cy", "Di"]}
HANDS = [
    "1m 1m 2m 2m 3p 3p 4p 4p 5s 5s 6s E E",
    "1m 2m 3m 4m 5m 6m 7m 8m 9m W W N N",
    "7p 7p 7p 8p 8p 8p 9p 9p 9p S S S C",
    "1s 1s 1s 2s 2s 2s 3s 3s 3s F F F C",
]
PON = {"do": "pon", "by": 0, "tile": "1m", "tiles": ["1m", "1m"]}
CHI = {"do": "chi", "by": 1, "tile": "1m", "tiles": ["2m", "3m"]}
KAN = {"do": "concealed_kan", "by": 0, "tile": "E"}


def begun(call: str) -> tuple[Machine, Header, State]:
    """Return a hand in which An can make a meld of four, or has discarded what Bo can call, or Bo what An can call."""
    header = read_header(HEADER)
    assert isinstance(header, Header)
    machine = Library(elaborate_cached).machine("riichi", 4, {})
    assert isinstance(machine, Machine)
    state = machine.new_state()
    hands = [hand.split() for hand in HANDS]
    first = 1 if call == "pon" else 0
    if call == "concealed_kan":
        hands[0] = [*hands[0][:9], "E", "E", "E", "W"]
    events: list[dict[str, object]] = [
        {"do": "deal", "first": first, "hands": hands},
        {"do": "flip", "tile": "P"},
        {"do": "draw", "by": first, "tile": "E" if call == "concealed_kan" else "P"},
    ]
    if call != "concealed_kan":
        events.append({"do": "discard", "by": first, "tile": "1m"})
    for event in events:
        assert happen(machine, header, state, event) is None
    return machine, header, state


@pytest.mark.solver
@pytest.mark.parametrize(
    ("event", "unknown"),
    [
        (PON, {"tiles": ["?", "1m"]}),
        (PON, {"tiles": ["?", "?"]}),
        (PON, {"tile": "?", "tiles": ["?", "?"]}),
        (CHI, {"tiles": ["?", "?"]}),
        (CHI, {"tile": "?", "tiles": ["2m", "?"]}),
        (KAN, {"tile": "?"}),
    ],
)
def test_a_game_is_followed_behind_a_meld_of_unknown_tiles(
    event: dict[str, object], unknown: dict[str, object]
) -> None:
    machine, header, state = begun(str(event["do"]))
    line = event | unknown
    read = hidden_line(line, machine.actions[str(event["do"])])
    assert isinstance(read, HiddenLine)
    following = Following(machine, state, [read], Effort(), None, False)
    assert following.state_after(1) is not None
    found = decide(machine, header, state, [line], 4, effort=Effort(tries=1))
    assert found.verdict == "completed"
    [made] = found.lines
    assert (made["tile"], sorted(made.get("tiles", ()))) == (event["tile"], event.get("tiles", []))
