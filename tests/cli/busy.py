"""Calls of every verb on input that keeps it busy, in one part of golpae or another.

Input: a folder, which is the current one. Output: files in it; the words of calls, by what they are busy with.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

BUSY = """\
game busy "Busy"

players 2 to 2

tiles 78 of 78 kinds
  few: one of each "{rank}s{suit}" for suit in 1 to 2, rank in 1 to 13
  many: one of each "{rank}s{suit}" for suit in 3 to 6, rank in 1 to 13

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pool
  hands: 4 for everyone
  then mover := first

action wait by p "wait"
  turn: p = mover "it is not {p}'s turn"
  long: every x in few: every y in few: every z in few: x = y or y = z or x /= z or p = mover "this is never said"
  then mover := p

action choose(a, b: tile, n: number) by p "choose"
  turn: p = mover "it is not {p}'s turn"
  some-of-them: n >= 1 and n <= 60 and a in few and b in few "{p} cannot choose this"
  never: some x in few: some y in few: x = a and y = b and x = y and n > 60 "{p} cannot choose this"
  then mover := p

action stop by p "stop"
  turn: p = mover "it is not {p}'s turn"
  then nobody wins

end
  due: over "the hand is not over"

score worth "what a hand is worth"
  given
    hand: tiles
  hand: hand
  as: pairs
  total: sum
  pattern pairs 1: every x in few: every y in few: every z in few: x = y or y = z or x /= z or x in hand

shape pair(a, b): a's rank = b's rank
arrangement pairs: 5 pairs
"""
SLOW = BUSY.replace("few: every y in few", "tiles: every y in tiles").replace("game busy", "game slow")
"""Each event takes the reference much longer."""


ROUND = '{"do": "wait", "by": 0}\n'
HEAD = """\
{"golpae": 1, "rules": "RULES", "players": ["An", "Bo"]}
{"do": "deal", "first": 0, "hands": [["1s1", "2s1", "3s1", "4s1"], ["1s2", "2s2", "3s2", "4s2"]]}
"""
END = """\
{"do": "stop", "by": 0}
{"do": "end", "winner": null, "pay": [0, 0]}
"""
HAND = '{"rules": "busy", "hand": ["1s1", "1s2", "2s1", "2s2", "3s1", "3s2", "4s1", "4s2", "5s1", "5s2"]}\n'
BUT_FOR = "import sys, time\nfor line in sys.stdin:\n    time.sleep(1000)\n"


@dataclass(frozen=True, slots=True)
class Call:
    """Words of a call that is busy for long. With `waits`, it waits for somebody, and so takes no processor time."""

    words: tuple[str, ...]
    waits: bool = False

    def __str__(self) -> str:
        return " ".join(word if len(word) < 40 else "..." for word in self.words)


def prepare() -> None:
    """Write the files that the calls name."""
    Path("busy.golpae").write_text(BUSY, encoding="utf-8")
    Path("slow.golpae").write_text(SLOW, encoding="utf-8")
    game = HEAD.replace("RULES", "busy") + 20 * ROUND + END
    Path("busy.jsonl").write_text(30_000 * game, encoding="utf-8")
    Path("slow.jsonl").write_text(HEAD.replace("RULES", "slow") + 30_000 * ROUND + END, encoding="utf-8")
    Path("hands.jsonl").write_text(200_000 * HAND, encoding="utf-8")
    Path("short.jsonl").write_text(HEAD.replace("RULES", "busy") + ROUND, encoding="utf-8")
    more = "".join(
        f"\ndefine more-{n}(t, u: tile): t's rank = u's rank + {n} or t = u and u in few\n"
        for n in range(4_000)
    )
    recorded = Path(__file__).parents[2] / "traces" / "jjak" / "base.jsonl"
    Path("position.jsonl").write_text(
        "".join(recorded.read_text("utf-8").splitlines(True)[:2]), encoding="utf-8"
    )
    Path("large.golpae").write_text(BUSY.replace("game busy", "game large") + more, encoding="utf-8")


HERE = ("--spec-path", ".")
CALLS = (
    Call(("check", "busy.jsonl", *HERE)),
    Call(("check", "busy.jsonl", "--jobs", "2", *HERE)),
    Call(("check", "slow.jsonl", *HERE)),
    Call(("attribute", "busy.jsonl", *HERE)),
    Call(("attribute", "slow.jsonl", *HERE)),
    Call(("legal", "slow.jsonl", *HERE)),
    Call(("coverage", "slow.jsonl", *HERE)),
    Call(("coverage", "busy.jsonl", *HERE)),
    Call(("audit", "busy.jsonl", *HERE)),
    Call(("find", "busy", "pool is empty", "busy.jsonl", *HERE)),
    Call(("report", "slow.jsonl", "-o", "pages", *HERE)),
    Call(("report", "busy.jsonl", "-o", "pages", *HERE)),
    Call(("view", "slow.jsonl", *HERE)),
    Call(("play", "busy", *HERE), waits=True),
    Call(("score", "hands.jsonl", *HERE)),
    Call(("simulate", "busy", "--games", "10000000", *HERE)),
    Call(("simulate", "busy", "--games", "10000000", "--jobs", "2", *HERE)),
    Call(("simulate", "busy", "--games", "10000000", "--policy", "greedy", *HERE)),
    Call(("perft", "jjak", "position.jsonl", "12")),
    Call(("hide", "busy.jsonl", "--seat", "0", *HERE)),
    Call(("infer", "busy.jsonl", "--seat", "0", *HERE)),
    Call(("pack", "-o", "packed.parquet", "busy.jsonl", "hands.jsonl")),
    Call(("conform", "busy", *HERE, "--", sys.executable, "-c", BUT_FOR), waits=True),
    Call(("build", "large", "-o", "large.wasm", *HERE)),
    Call(("show", "large.golpae")),
    Call(("compare", "busy", "slow", "--no-cache", *HERE)),
    Call(("compare", "korean-mahjong", "korean-mahjong+dealer-keeps", "--no-cache", "--jobs", "2")),
    Call(("prove", "korean-mahjong", "--no-cache")),
    Call(("prove", "busy", "--no-cache", *HERE)),
    Call(("mutate", "slow.golpae", "--traces", "slow.jsonl", *HERE)),
    Call(("learn", "slow.golpae", "slow.jsonl", *HERE)),
    Call(("lint", "large.golpae")),
    Call(("lint", "--deep", "korean-mahjong")),
    Call(("format", "--check", "large.golpae")),
)
