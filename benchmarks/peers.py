"""How fast other packages do what is nearest to what golpae does, beside golpae and msgspec.

Input: nothing. Output: a table on standard output.
Guarantee: every package does its work in this process, on games or hands made from a fixed seed, in the way that its
documentation shows. A package that is not installed has a row that says so. Games differ in how much work an event is:
the figures say what a site can expect, not which program is the better one.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.check import AGAIN, EVENTS, best, checked, decoded, replayed, write_games
from benchmarks.score import files, scores
from golpae.bundled import spec_dir
from golpae.cli import main
from golpae.corpus.noting import Tables
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import options_of
from golpae.replay.machine_cache import Library
from golpae.rule_names import named, named_rule_set
from golpae.simulate.compiled import compiled_table
from golpae.simulate.series import Series
from tests.engines import riichienv_games

SEED = 20_264
STARTS = 10
MISSING = "not installed: `pip install '.[peers]'`"


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what was done how often in so many processor seconds, by which package. `per` names one.

    `seconds` is None if the package is not there.
    """

    package: str
    what: str
    per: str
    many: int = 0
    seconds: float | None = None


def installed(package: str) -> str | None:
    """Return the version of a package, or None if it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# ------------------------------------------------------------------ golpae and the yardstick


def of_golpae(folder: Path) -> Iterator[Row]:
    """Measure what golpae does with games of jjak; msgspec, which decodes their lines, comes first."""
    path, library = folder / "jjak.jsonl", Library(elaborate_cached)
    lines = write_games(path, "jjak", 3, EVENTS)
    tables = Tables(library)
    checked(path, tables)
    yield Row("msgspec", "decodes lines of games of jjak", "line", lines, best(partial(decoded, path)))
    seconds = best(partial(checked, path, tables))
    yield Row("golpae", "checks games of jjak, compiled", "event", lines, seconds)
    seconds = best(partial(replayed, path, library), runs=1)
    yield Row("golpae", "checks games of jjak, the reference", "event", lines, seconds)
    rule_set = named_rule_set(named("jjak", (spec_dir(),)))
    table = compiled_table(
        Series(rule_set, 3, options_of(rule_set, {}), ("random",) * 3, 1, 1).table(), traced=False
    )
    assert table is not None
    events = 0

    def play() -> None:
        nonlocal events
        events = sum(hand.events for game in table.player.games(1, 0, 4_000, 1) if game for hand in game)

    seconds = best(play)
    yield Row("golpae", "plays jjak at random, compiled", "event", events, seconds)


# ------------------------------------------------------------------ games of others


def replaying(games: int) -> Iterator[Row]:
    """python-chess reads random games of chess from PGN, and checks that their moves are legal."""
    row = Row("chess", "replays games of chess from PGN", "move")
    if installed("chess") is None:
        yield row
        return
    chess, pgn = import_module("chess"), import_module("chess.pgn")
    draw, texts, moves = random.Random(SEED), [], 0
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 150:
            board.push(draw.choice([*board.legal_moves]))
        moves += len(board.move_stack)
        texts.append(str(pgn.Game.from_board(board)))
    text = "\n\n".join(texts)

    def replay() -> None:
        stream = io.StringIO(text)
        while pgn.read_game(stream) is not None:
            pass

    yield Row(row.package, row.what, row.per, moves, best(replay, runs=3))


def playing(package: str, what: str, play: Callable[[random.Random], int]) -> Iterator[Row]:
    """Measure random play; `play` plays some games, and returns how many moves they had."""
    row = Row(package, what, "move")
    if installed(package) is None:
        yield row
        return
    moves = 0

    def work() -> None:
        nonlocal moves
        moves = play(random.Random(SEED))

    seconds = best(work, runs=3)
    yield Row(package, what, row.per, moves, seconds)


def open_spiel(name: str, games: int, draw: random.Random) -> int:
    """OpenSpiel plays at random. Return how many moves players made."""
    if name.startswith("python_"):
        import_module(f"open_spiel.python.games.{name.removeprefix('python_')}")
    game: Any = import_module("pyspiel").load_game(name)
    moves = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(draw.choices(actions, chances)[0])
            else:
                moves += 1
                state.apply_action(draw.choice(state.legal_actions()))
    return moves


def dominoes(games: int, draw: random.Random) -> int:
    """The package `dominoes` plays at random. Return how many moves players made."""
    module: Any = import_module("dominoes")
    random.seed(SEED)  # from which it deals
    moves = 0
    for _ in range(games):
        game = module.Game.new()
        while game.result is None:
            game.make_move(*draw.choice(game.valid_moves))
            moves += 1
    return moves


def riichi(matches: int, folder: Path) -> Iterator[Row]:
    """RiichiEnv plays matches of riichi, and follows their logs; golpae checks the same matches, first as logs of mjai,
    then as games of its own. RiichiEnv follows any event that it is told: it does not say whether that is legal.
    """
    row = Row("riichienv", "follows matches of riichi, its logs of mjai", "event")
    if installed("riichienv") is None:
        yield row
        return
    env: Any = import_module("riichienv")
    logs = [riichienv_games.played(seed) for seed in range(SEED, SEED + matches)]
    names = [folder / f"{number}.mjson" for number in range(matches)]
    for path, log in zip(names, logs, strict=True):
        path.write_text("".join(f"{line}\n" for line in log), "utf-8")
    events = sum(map(len, logs))

    def follow() -> None:
        for path in names:
            match = env.RiichiEnv(game_mode=riichienv_games.FOUR_PLAYERS, rule=env.GameRule.default_tenhou())
            match.reset()
            for line in path.read_text("utf-8").splitlines():
                match.apply_event(json.loads(line))

    def decode() -> None:
        for path in names:
            decoded(path)

    yield Row(
        "msgspec", "decodes lines of matches of riichi, in the form of mjai", "line", events, best(decode)
    )
    yield Row(row.package, row.what, row.per, events, best(follow, runs=3))
    games = folder / "riichi.jsonl"
    main.main(["convert", *map(str, names), "-o", str(games)])
    lines = len(games.read_bytes().splitlines())
    library = Library(elaborate_cached)
    yield Row(
        "golpae",
        "checks the same matches, the reference",
        "event",
        lines,
        best(partial(replayed, games, library), 1),
    )
    games.write_bytes(games.read_bytes() * AGAIN)
    tables = Tables(library)
    checked(games, tables)
    seconds = best(partial(checked, games, tables))
    yield Row("golpae", "checks the same matches, compiled", "event", AGAIN * lines, seconds)


def poker(hands: int) -> Iterator[Row]:
    """PokerKit reads histories of hands of poker, and follows their actions."""
    row = Row("pokerkit", "follows histories of hands of poker", "action")
    if installed("pokerkit") is None:
        yield row
        return
    kit: Any = import_module("pokerkit")
    draw = random.Random(SEED)
    texts = [_hand_of_poker(kit, draw) for _ in range(hands)]
    actions = 0

    def follow() -> None:
        nonlocal actions
        histories = [kit.HandHistory.loads(text) for text in texts]
        actions = sum(action is not None for one in histories for _, action in one.state_actions)

    seconds = best(follow, runs=3)
    yield Row(row.package, row.what, row.per, actions, seconds)


def _hand_of_poker(kit: Any, draw: random.Random) -> str:
    """Return the history of a hand of poker by random actions."""
    game = kit.FixedLimitTexasHoldem(tuple(kit.Automation), True, 0, (1, 2), 2, 4)
    random.seed(draw.random())  # from which it deals
    state = game((200,) * 6, 6)
    while state.status:
        moves = [state.check_or_call, state.check_or_call] if state.can_check_or_call() else []
        moves += [state.fold] if state.can_fold() else []
        moves += [state.complete_bet_or_raise_to] if state.can_complete_bet_or_raise_to() else []
        draw.choice(moves)()
    return str(kit.HandHistory.from_game_state(game, state).dumps())


def hands() -> Iterator[Row]:
    """golpae scores a file of hands, and the package `mahjong` the same number of hands of its own game."""
    for row in files(10_000):
        if "msgspec" in row.what:
            yield Row("msgspec", "decodes lines of hands of korean-mahjong", "line", row.hands, row.seconds)
        else:
            what = row.what.replace("file of hands", "scores hands of korean-mahjong")
            yield Row("golpae", what, "hand", row.hands, row.seconds)
    for row in scores(1_000):
        if "HandCalculator" in row.what:
            yield Row("mahjong", "values hands of riichi mahjong", "hand", row.hands, row.seconds)


def measured() -> Iterator[Row]:
    """Measure all of it."""
    with tempfile.TemporaryDirectory() as folder:
        yield from of_golpae(Path(folder))
    yield from replaying(20)
    yield from playing(
        "open_spiel", "plays block dominoes at random", partial(open_spiel, "python_block_dominoes", 100)
    )
    yield from playing("open_spiel", "plays gin rummy at random", partial(open_spiel, "gin_rummy", 20))
    yield from playing("dominoes", "plays dominoes at random", partial(dominoes, 200))
    yield from hands()
    with tempfile.TemporaryDirectory() as folder:
        yield from riichi(20, Path(folder))
    yield from poker(200)


def table() -> Iterator[str]:
    """Yield the rows of the table of peers."""
    yield "| package | what it does | a second | × msgspec |"
    yield "|---|---|---|---|"
    yardstick = 0.0
    for row in measured():
        name = f"{row.package} {installed(row.package) or ''}".strip()
        if row.seconds is None:
            yield f"| {name} | {row.what} | {MISSING} | |"
            continue
        rate = row.many / row.seconds
        yardstick = rate if row.package == "msgspec" else yardstick
        yield f"| {name} | {row.what} | {rate:,.0f} {row.per}s | {digits(rate / yardstick)} |"


def digits(ratio: float) -> str:
    """Return a number with two digits that say something."""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


# ------------------------------------------------------------------ starting


def starts() -> Iterator[str]:
    """Yield the rows of the table of cold starts: the whole process, for one small game."""
    game = Path("traces/jjak/base.jsonl").read_text(encoding="utf-8").split('{"golpae"')[1]
    yield "| | processor seconds | × `pass` |"
    yield "|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_text('{"golpae"' + game, encoding="utf-8")
        calls = {
            "`python -c pass`": ["-c", "pass"],
            "`python -c 'import msgspec, json'`": ["-c", "import msgspec, json"],
            "`golpae check` of one small game": ["-m", "golpae", "check", str(path)],
        }
        taken = {name: min(_cold(words) for _ in range(STARTS)) for name, words in calls.items()}
        first = next(iter(taken.values()))
        for name, seconds in taken.items():
            yield f"| {name} | {seconds:.3f} | {seconds / first:.1f} |"


def _cold(words: list[str]) -> float:
    """Return the processor seconds of a call of Python."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=False, capture_output=True, env=kept)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    for line in (*table(), "", *starts()):
        print(line, flush=True)
