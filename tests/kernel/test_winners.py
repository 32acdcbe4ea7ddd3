"""Who has won is a bag of seats in a module; the winner is the one seat in it, also at tables of more than 64."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from golpae.corpus.check import check
from golpae.corpus.noting import Tables
from golpae.corpus.paths import Paths
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import Instance, instantiate
from golpae.ir.types import SEAT
from golpae.kernel.emit.winners import set_winner, the_winner
from golpae.kernel.language.code import Module
from golpae.kernel.language.host import Host, available
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import Writer
from golpae.kernel.layout import NONE, WORD, Layout
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.trace import Verdict

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")

TEXT = """\
game claims "Whoever claims first wins"

players 2 to 200

tiles
  beads: one of each "b{n}" for n in 1 to 200

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

deal from pool
  hands: 1 for everyone

action claim by p "claim"
  then p wins

action stop by p "stop"
  then nobody wins

end
  due: over "the hand is not over"

payout
  won: when winner is not none: for each q in players - winner: q pays winner 1

finish
"""


def instance(folder: Path, players: int) -> Instance:
    (folder / "claims.golpae").write_text(TEXT, encoding="utf-8")
    return instantiate(elaborate("claims", [folder]), players, {})


@pytest.mark.parametrize("players", [2, 64, 65, 200])
def test_the_winner_is_the_one_seat_in_the_bag(players: int, tmp_path: Path) -> None:
    layout = Layout(instance(tmp_path, players))
    win, lose = Writer("win", 1, 0, exported=True), Writer("lose", 0, 0, exported=True)
    set_winner(win, layout, win.param(0))
    set_winner(lose, layout, None)
    won = Writer("won", 0, 1, exported=True)
    won.give(the_winner(won, layout))
    host = Host(wasm(Module([win.function(), lose.function(), won.function()], layout.end)))
    has_won = host.function("won")
    assert has_won() == NONE
    for seat in {0, players // 2, players - 1}:
        host.function("win")(seat)
        assert has_won() == seat
    size = layout.words(SEAT) * WORD
    both = 1 | 1 << (players - 1)
    host.write(layout.winners, both.to_bytes(size, "little"))
    assert has_won() == NONE
    host.function("lose")()
    assert has_won() == NONE
    assert host.read(layout.winners, size) == bytes(size)


@pytest.mark.parametrize("players", [2, 64, 65, 200])
def test_an_end_names_who_has_won(players: int, tmp_path: Path) -> None:
    table = instance(tmp_path, players)
    library = Library(lambda name: table.rule_set)
    top = {"golpae": 1, "rules": "claims", "players": [f"P{seat}" for seat in range(players)]}
    deal = {"do": "deal", "first": 0, "hands": [[f"b{n}"] for n in range(1, players + 1)]}
    lines: list[object] = []
    for seat in (0, players - 1):
        claim = {"do": "claim", "by": seat}
        for named in (seat, (seat + 1) % players, None):
            lines += [top, deal, claim, {"do": "end", "winner": named, "pay": _pay(players, seat)}]
        ended = {"do": "end", "winner": seat, "pay": _pay(players, seat)}
        drawn = {"do": "end", "winner": None, "pay": [0] * players}
        lines += [top, deal, claim, ended, deal, {"do": "stop", "by": 0}, drawn]
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library), True, paths)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    assert found == [report.outcome for report in replay(BytesIO(written), "games", library)]
    assert (paths.referred, paths.disagree) == (0, [])
    refused = [outcome.clause for outcome in found if outcome.verdict == Verdict.ILLEGAL]
    assert (len(found), refused) == (8, ["claims.end.winner"] * 4)


def _pay(players: int, winner: int) -> list[int]:
    return [players - 1 if seat == winner else -1 for seat in range(players)]
