# pyright: strict
"""A program that uses the library: it is checked by mypy and pyright in strict mode."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import golpae


def play(table: golpae.Table, names: list[str], seed: int) -> golpae.Game:
    """Play a hand by chance."""
    game = table.game(names, stake=2)
    chance = random.Random(seed)
    dealt = game.deal(seed, first=None)
    if not dealt:
        raise SystemExit(dealt.message)
    while not game.over:
        event: golpae.Event = chance.choice(game.legal())
        found = game.apply(event)
        assert isinstance(found, golpae.Accepted)
    for event in game.legal():
        game.apply(event.to_dict())
    return game


def refuse(game: golpae.Game) -> str:
    """Return why an event is refused."""
    found = game.apply({"do": "discard", "by": 0, "tile": "6-6"})
    if found:
        return ""
    parts: list[str] = [found.message, found.clause or "malformed", *found.sources, *found.legal]
    parts += [f"{what}: {value}" for what, value in found.facts]
    return "; ".join(parts)


def first(turn: golpae.Turn) -> int | None:
    """Take the first choice."""
    return None if turn.can_wait and turn.first else 0


def main() -> int:
    """Use everything once."""
    rules: golpae.Rules = golpae.load("jjak").plus("relaxed")
    switched: dict[str, bool] = {switch.name: switch.on for switch in rules.switches}
    assert switched["relaxed"]
    table = rules.at(players=2, options={})
    game = play(table, ["An", "Bo"], 3)
    position: golpae.Position = game.seen_by(0)
    totals: tuple[int, ...] = position.totals
    assert refuse(game.copy())
    Path("game.jsonl").write_text("\n".join(game.lines()), "utf-8")

    checked: golpae.Checked = golpae.check(Path("game.jsonl"), rules)
    verdicts: list[golpae.Verdict] = [one.verdict for one in golpae.check_all(["game.jsonl"])]
    counts: golpae.FrozenDict[golpae.Verdict, int] = golpae.count_verdicts("game.jsonl")
    assert counts[golpae.Verdict.LEGAL] == len(verdicts) == 1
    assert checked.ok
    assert checked.refused is None

    simulated: golpae.Simulated = table.simulate(5, policy=[first, "random"])
    shares: list[float | None] = [share.share for share in simulated.winners]
    hand = "1m 1m 1m 2m 2m 2m 3m 3m 3m 4m 4m 4m 5m".split()
    scored = golpae.score("korean-mahjong", hand, {"seat_wind": "E"})
    assert isinstance(scored, golpae.Waiting)
    points: dict[str, int | None] = {wait.tile: wait.points for wait in scored.waits}
    compared: golpae.Compared = golpae.compare_rules("jjak", rules, games=False)
    clauses: list[str] = [difference.clause for difference in compared.differences]
    followed: golpae.ComparedTraces = golpae.compare_traces("jjak", "relaxed", "game.jsonl")
    changes: list[tuple[str, int]] = [(change.what, change.games) for change in followed.changes]
    ruled: tuple[golpae.Ruled, ...] = game.rulings
    assert (changes, ruled, followed.games) == ([], (), 1)
    try:
        golpae.load_text("game", switches=[])
    except golpae.RulesError as error:
        fault: golpae.Diagnostic = error.diagnostics[0]
        sys.stdout.write(f"{fault.message} {totals} {shares} {points} {clauses}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
