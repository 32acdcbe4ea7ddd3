"""Archives as game sites have them: many short games, of several tables, one after the other.

Input: rules, tables, a number of games. Output: a file of games.
Guarantee: the same call writes the same file. Each game has an id of its own and names of players; games of all tables
and stakes are mixed.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

from golpae.bundled import spec_dir
from golpae.cli import main
from golpae.elaborate.instance import options_of
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.rule_names import named, named_rule_set
from golpae.simulate.series import Series, simulate
from golpae.trace import Verdict

SEED = 20_261
NAMES = ("An", "Bo", "Chi", "Dan", "Eun", "Ga-yeong", "Hana", "In-su", "Ji-ho", "Kyung-ja", "Min", "Nari")
SHORTEST, LONGEST = 26, 60  # lines of a game of an archive
STAKES = (2, 5, 10)
TRIES = 4  # games that are played for one that is taken, more if few of them are so short
SERIES = 400  # games that are played at once, at least
Game = list[str]


def archive(path: Path, games: Iterable[Game], many: int) -> int:
    """Write so many games, in an order by chance; if there are fewer, again and again. Return how many lines."""
    rng, held = random.Random(SEED), list(games)
    lines = 0
    with path.open("w", encoding="utf-8") as out:
        for number in range(many):
            if number % len(held) == 0:
                rng.shuffle(held)
            game = held[number % len(held)]
            out.write(_header(game[0], number, rng))
            out.writelines(game[1:])
            lines += len(game)
    return lines


def _header(line: str, number: int, rng: random.Random) -> str:
    """Return the header of a game that has this one, with an id and names of players."""
    before = json.loads(line)
    header = {"golpae": 1, "rules": before["rules"], "players": rng.sample(NAMES, len(before["players"]))}
    header |= {"stake": before["stake"]} if "stake" in before else {}
    header |= {"options": before["options"]} if "options" in before else {}
    header["id"] = f"2026-{number // 997 % 12 + 1:02}-{number}"
    return json.dumps(header, separators=(",", ":")) + "\n"


def played(rules: str, players: Sequence[int], many: int, policy: str = "random") -> Iterator[Game]:
    """Yield so many games that end after `SHORTEST` to `LONGEST` lines, as many at each table."""
    rule_set = named_rule_set(named(rules, (spec_dir(),)))
    for seats in players:
        left, seed = many // len(players), SEED
        while left > 0:
            series = Series(
                rule_set, seats, options_of(rule_set, {}), (policy,) * seats, seed, max(SERIES, TRIES * left)
            )
            text: list[bytes] = []
            simulate(series, 1, Progress(), text.append)
            short = [game for game in games_of(b"".join(text).decode()) if SHORTEST <= len(game) <= LONGEST]
            short = [game for game in short if '"do":"end"' in game[-1] or '"do":"finish"' in game[-1]]
            yield from short[:left]
            left -= len(short)
            seed += 1


def staked(games: Iterable[Game], library: Library) -> Iterator[Game]:
    """Yield games, every third one with a higher stake if it is legal with that, too."""
    for number, game in enumerate(games):
        other = game if number % 3 else _with_stake(game, STAKES[number // 3 % len(STAKES)])
        yield other if other is game or verdicts(other, "games", library) == [Verdict.LEGAL] else game


def _with_stake(game: Game, stake: int) -> Game:
    """Return a game with a stake, of which payments are multiples."""
    lines = [json.loads(line) for line in game]
    lines[0]["stake"] = stake
    for line in lines:
        line |= {key: [stake * gain for gain in line[key]] for key in ("pay", "totals") if key in line}
    return [json.dumps(line, separators=(",", ":")) + "\n" for line in lines]


def recorded(rules: str, library: Library) -> Iterator[Game]:
    """Yield the recorded legal games of a rule set, without options."""
    folder = Path(__file__).parent.parent / "traces" / rules
    for file in sorted(folder.glob("*.jsonl")):
        for game in games_of(file.read_text(encoding="utf-8")):
            if f'"rules":"{rules}"' not in game[0] or '"options"' in game[0]:
                continue
            if verdicts(game, file.name, library) == [Verdict.LEGAL]:
                yield game


def logged(folder: Path, library: Library) -> Iterator[Game]:
    """Yield the games of a folder of logs that are legal or incomplete."""
    with tempfile.TemporaryDirectory() as apart:
        path = Path(apart) / "logs.jsonl"
        main.main(["convert", str(folder), "-o", str(path)])
        games = [*games_of(path.read_text(encoding="utf-8"))]
    for game in games:
        if all(v in (Verdict.LEGAL, Verdict.INCOMPLETE) for v in verdicts(game, "logs", library)):
            yield game


def logs(name: str) -> Path | None:
    """Return the folder of logs of this name, if `GOLPAE_LOGS` has one."""
    folder = Path(os.environ.get("GOLPAE_LOGS", os.devnull)) / name
    return folder if folder.is_dir() else None


def verdicts(game: Game, name: str, library: Library) -> list[Verdict]:
    """Return what the reference says of the lines of a game."""
    return [report.outcome.verdict for report in replay(BytesIO("".join(game).encode()), name, library)]


def games_of(text: str) -> Iterator[Game]:
    """Yield the lines of each game of a text."""
    game: Game = []
    for line in filter(str.strip, text.splitlines(keepends=True)):
        if line.startswith('{"golpae"') and game:
            yield game
            game = []
        game.append(line)
    yield game
