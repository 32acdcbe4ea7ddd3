"""Every module ends: the rounds of its loops are counted, also while it fills its tables and lists."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import Instance, instantiate
from golpae.kernel import module
from golpae.kernel.language.code import Block, If, Module, Stmt, Store
from golpae.kernel.language.host import Host, Referred, available
from golpae.kernel.language.limits import STEPS
from golpae.kernel.language.steps import counted
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, ZERO, Writer, add
from golpae.kernel.start import started
from golpae.replay.machine import Machine

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")

LEFT = 64  # the address of the steps that are left
# their loops end with the bytes that they read
READERS = ("check", "check_game", "check_rows", "skip_game", "mix_text", "learn", "fill_gaps")
SEARCHES = ("lie:", "cut:", "completed:", "ways:")  # their loops count what they try
WILD = """\
game wild "Runs with a wild tile"

players 2 to 2

tiles 53 of 53 kinds
  plain: one of each "{rank}s{suit}" for suit in 1 to 4, rank in 1 to 13
  wild: one of each joker

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

define stands(t, x: tile): t = x or t = joker
define next(x, y: tile): x in plain and y in plain and x's suit = y's suit and y's rank = x's rank + 1
DEFINED
deal from pool
  hands: 4 for everyone
  then mover := first

action show(tiles: {a, b, c, d}) by p "show a run of four"
  turn: p = mover "it is not {p}'s turn"
  held: {a, b, c, d} in p's hand "{p} does not hold these"
  run: ASKED "these are no run"
  then p wins

action pass by p "pass"
  turn: p = mover "it is not {p}'s turn"
  then nobody wins

end
  due: over "the hand is not over"
"""
CHAIN = """some x in plain: some y in plain: some z in plain: some u in plain:
  stands(a, x) and stands(b, y) and stands(c, z) and stands(d, u) and next(x, y) and next(y, z) and next(z, u)"""
TOGETHER = """every x in plain: every y in plain: every z in plain: every u in plain:
  x in it or y in it or z in it or u in it or stands(x, y) or x /= z or u /= y"""
APART = """every x in plain: every y in plain: every z in plain: every u in plain:
  x /= a or y /= b or z = u or z /= x or u /= y"""
SLOW = {
    "a shape of four tiles": (f"\nshape four-run(a, b, c, d): {CHAIN}\n", "{a, b, c, d} is four-run"),
    "a shape of tiles together": (f"\nshape both of 2: {TOGETHER}\n", "{a, b} is both"),
    "a definition of two tiles": (f"\ndefine far(a, b: tile): {APART}\n", "far(a, b) and far(c, d)"),
    "an arrangement": (
        f"\nshape four-run(a, b, c, d): {CHAIN}\narrangement all: 1 four-run\n",
        "{a, b, c, d} is all",
    ),
}


def instance(text: str, folder: Path, players: int = 2) -> Instance:
    (folder / "wild.golpae").write_text(text, encoding="utf-8")
    return instantiate(elaborate("wild", [folder]), players, {})


def test_a_loop_without_an_end_stops_after_so_many_steps() -> None:
    writer = Writer("endless", 0, 0, exported=True)
    rounds = writer.var(0)
    with writer.loop() as again:
        writer.set(rounds, add(rounds, ONE))
        writer.store(8, ZERO, rounds, LEFT + 8)
        writer.leave(again)
    endless = counted(writer.function(), LEFT)
    host = Host(wasm(Module([endless], 128, {LEFT: (1_000).to_bytes(8, "little")})))
    with pytest.raises(Referred):
        host.function("endless")()
    assert int.from_bytes(host.read(LEFT + 8, 8), "little") == 1_000


@pytest.mark.parametrize("what", SLOW)
@pytest.mark.parametrize(("counts", "plays"), [(True, False), (False, True)])
def test_what_takes_very_many_steps_to_fill_is_left_out(
    what: str, counts: bool, plays: bool, tmp_path: Path
) -> None:
    defined, asked = SLOW[what]
    _, host = started(
        instance(WILD.replace("DEFINED", defined).replace("ASKED", asked), tmp_path),
        module.ModuleRequest("wild", counts, plays),
    )
    host.function("new_game")(1)


def test_every_loop_of_a_module_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules: list[Module] = []

    def noted(one: Module) -> bytes:
        modules.append(one)
        return wasm(one)

    monkeypatch.setattr(module, "wasm", noted)
    for rules, players in (("jjak", 3), ("ho-hpai", 3), ("korean-mahjong", 4)):
        one = instantiate(elaborate(rules), players, {})
        for alone in (False, True):
            module.compiled(
                one, module.ModuleRequest(rules, Machine(one).may_be_long, plays=True, alone=alone)
            )
    loops = [(f, loop) for one in modules for f in one.functions for loop in _loops(f.body)]
    assert len(loops) > 500
    free = {f.name for f, loop in loops if loop.label.counted and not _counts(loop)}
    assert {name for name in free if not name.startswith("scan")} <= set(READERS)
    own = {f.name for f, loop in loops if not loop.label.counted}
    assert all(name.startswith(SEARCHES) for name in own), own


def _loops(body: Sequence[Stmt]) -> Iterator[Block]:
    for stmt in body:
        match stmt:
            case Block(_, inner, loop):
                if loop:
                    yield stmt
                yield from _loops(inner)
            case If(_, yes, no):
                yield from _loops(yes)
                yield from _loops(no)
            case _:
                pass


def _counts(loop: Block) -> bool:
    return any(isinstance(stmt, Store) and stmt.address == ZERO for stmt in loop.body)


def test_a_signal_ends_a_call_that_goes_on_and_the_module_can_be_used_again() -> None:
    writer = Writer("init", 0, 0, exported=True)
    with writer.loop() as again:
        writer.leave(again)
    endless = counted(writer.function(), STEPS)
    host = Host(wasm(Module([endless], 128, {STEPS: (1 << 62).to_bytes(8, "little")})))
    sent = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sent.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            host.function("init")()
    finally:
        signal.signal(signal.SIGINT, before)
    host.write(STEPS, (1_000).to_bytes(8, "little"))
    with pytest.raises(Referred):
        host.function("init")()
