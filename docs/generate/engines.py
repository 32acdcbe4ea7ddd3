"""The page on other programs, held against the rules: `python -m docs.generate.engines`.

Input: `docs/generate/engines.json`, what came of the runs. Output: `docs/engines.md`.
Guarantee: the page takes no engine, because it is made from that file. `--check` only compares the page.

    python -m docs.generate.engines --run PYTHON [NAME ...]

carries the runs out again, all or these, and writes the file anew; PYTHON is one in which the engines are installed.
The smallest games that show differences go to `tests/engines/differences`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from docs.generate.files import TOP, renew
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve

FILE = TOP / "docs" / "generate" / "engines.json"
PAGE = TOP / "docs" / "engines.md"
ENGINES = TOP / "tests" / "engines"
SHOWN = ENGINES / "differences"
"""The smallest games that show how an engine differs from the rules without a variant."""

GAMES, SEEDS, HANDS, MATCHES = 200, range(1, 6), 10_000, 400


@dataclass(frozen=True, slots=True)
class Run:
    """A program that is driven through games. `variants` are what its house rules are called in the text."""

    name: str
    engine: str
    rules: str
    program: tuple[str, ...]
    variants: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    """Variants that are always part of the rules: no game of golpae's shows what they are for."""

    @property
    def rule_set(self) -> str:
        """All rules that the program plays by."""
        return "+".join((self.rules, *self.taken, *self.variants))

    def words(self, rules: str, python: str = "python") -> list[str]:
        """Return the arguments of `golpae conform`, but for the number of games."""
        return [rules, *self.options, "--", python, f"tests/engines/{self.program[0]}", *self.program[1:]]


SPIEL, RLCARD, PACKAGE = "OpenSpiel 2.0.2", "RLCard 1.2.0", "mahjong 2.1.0"
RUNS = (
    Run("bridge", SPIEL, "tests/engines/bridge-without-claims.golpae", ("spiel.py", "bridge")),
    Run(
        "dominoes",
        SPIEL,
        "block-dominoes",
        ("spiel.py", "python_block_dominoes"),
        options=("--players", "2"),
    ),
    Run(
        "gin",
        SPIEL,
        "gin-rummy",
        ("spiel.py", "gin_rummy"),
        ("may-return", "tie-scores-nothing", "fiftieth-card", "fifty-takes"),
        ("--illegal", "1"),
    ),
    Run("hearts", SPIEL, "hearts", ("spiel.py", "hearts"), ("queen-breaks",), taken=("any-direction",)),
    Run(
        "spades",
        SPIEL,
        "spades",
        ("spiel.py", "spades"),
        ("nil-helps", "thirteen-together", "spades-last"),
    ),
    Run(
        "rlcard",
        RLCARD,
        "tests/engines/rlcard-gin.golpae",
        ("rlcard_gin.py",),
        options=("--illegal", "1"),
    ),
)
PLAYTHROUGHS = {
    "bridge(use_double_dummy_result=false)": 100,
    "bridge": 100,
    "gin_rummy": 100,
    "gin_rummy(oklahoma=true)": 100,
    "hearts": 100,
    "hearts(can_lead_any_club=true,jd_bonus=true,no_pts_on_first_trick=false)": 100,
    "hearts(pass_cards=false,qs_breaks_hearts=false,must_break_hearts=false,avoid_all_tricks_bonus=true)": 100,
    "python_block_dominoes": 200,
    "spades": 100,
}
"""How many playthroughs of each game are read, every state of them with its list."""


# ---------------------------------------------------------------------- the runs


def _golpae(words: Sequence[str], given: bytes | None = None) -> bytes:
    command = [sys.executable, "-m", "golpae", *words]
    return subprocess.run(command, input=given, capture_output=True, check=False, cwd=TOP).stdout


def _conformed(run: Run, rules: str, python: str, seed: int = 1) -> Mapping[str, Any]:
    some = ["--games", str(GAMES), "--seed", str(seed)]
    words = ["conform", "--format", "json", "-o", "/dev/null", *some, *run.words(rules, python)]
    found: Mapping[str, Any] = json.loads(_golpae(words))
    return found


def _of_run(run: Run, python: str) -> dict[str, Any]:
    """Return what comes of a run, and of the same rules without each variant."""
    out = summed(_conformed(run, run.rule_set, python, seed) for seed in SEEDS)
    for variant in run.variants:
        rules = "+".join(name for name in run.rule_set.split("+") if name != variant)
        found = _conformed(run, rules, python)
        first = found["disagreements"][:1]
        out["differences"][variant] = [{**_short(one), "of": found["games"]} for one in first]
        for one in first:
            lines = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in one["trace"])
            SHOWN.mkdir(exist_ok=True)
            (SHOWN / f"{run.name}-{variant}.jsonl").write_text(
                "".join(f"{line}\n" for line in lines), "utf-8"
            )
    return out


def summed(pieces: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what came of several runs of one program together."""
    compared: Counter[str] = Counter()
    out: dict[str, Any] = {"games": 0, "differences": {}, "disagreements": []}
    for piece in pieces:
        compared += Counter(piece["compared"])
        out["games"] += piece["games"]
        out["disagreements"] += [_short(one) for one in piece["disagreements"]]
    return out | {"compared": dict(compared)}


def _short(found: Mapping[str, Any]) -> dict[str, Any]:
    short = {key: found[key] for key in ("message", "clause", "games", "by_engine", "by_rules")}
    return {**short, "events": len(found["trace"]) - 1}


def _of_playthroughs(python: str) -> dict[str, list[int]]:
    """Return how many playthroughs of each game agree, of how many, with how many lists."""
    out = {}
    for game, many in PLAYTHROUGHS.items():
        command = [python, str(ENGINES / "playthroughs.py"), game, str(many)]
        log = subprocess.run(command, capture_output=True, check=True, cwd=TOP).stdout
        told = _golpae(["check", "--from", "openspiel", "--format", "json", "-"], log).splitlines()
        verdicts = [json.loads(line)["verdict"] for line in told]
        out[game] = [verdicts.count("legal"), len(verdicts), log.count(b"\nLegalActions() = ")]
    return out


def _of_hands(python: str) -> dict[str, int]:
    """Return how many hands of riichi were counted, and how many otherwise."""
    command = [python, str(ENGINES / "riichi_hands.py"), str(HANDS)]
    drawn = [
        json.loads(line)
        for line in subprocess.run(command, capture_output=True, check=True, cwd=TOP).stdout.splitlines()
    ]
    hands = "".join(f"{json.dumps(one['hand'])}\n" for one in drawn).encode()
    told = [
        json.loads(line)
        for line in _golpae(["score", "--rules", "riichi", "--format", "json", "-"], hands).splitlines()
    ]
    same = sum(
        one["points"] == (own["points"] if own["ok"] else None) for one, own in zip(drawn, told, strict=True)
    )
    return {"hands": len(told), "otherwise": len(told) - same}


def _of_matches(python: str) -> dict[str, Any]:
    """Return how many matches of riichi were read, how many are legal, and which clauses the others break."""
    with TemporaryDirectory() as folder:
        command = [python, str(ENGINES / "riichienv_games.py"), str(MATCHES), folder]
        subprocess.run(command, capture_output=True, check=True, cwd=TOP)
        told = _golpae(["check", "--format", "json", folder]).splitlines()
    outcomes = [json.loads(line) for line in told]
    broken = Counter(one["clause"] for one in outcomes if one["clause"] is not None)
    legal = sum(one["verdict"] == "legal" for one in outcomes)
    return {"matches": len(outcomes), "legal": legal, "clauses": dict(broken)}


def run(python: str, names: Sequence[str]) -> None:
    """Carry out runs, and write what comes of them."""
    found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for one in RUNS:
        if not names or one.name in names:
            found[one.name] = _of_run(one, python)
            _write(found)
    if not names or "playthroughs" in names:
        found["playthroughs"] = _of_playthroughs(python)
    if not names or "hands" in names:
        found["hands"] = _of_hands(python)
    if not names or "matches" in names:
        found["matches"] = _of_matches(python)
    _write(found)


def _write(found: Mapping[str, Any]) -> None:
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")


# ---------------------------------------------------------------------- the page

HEAD = """\
# Other programs, held against the rules

golpae drives programs by other people through games, and compares what they say with its rule texts: which events are
legal, whether the hand is over, what is paid ([how](testing.md#compare-a-program-with-the-rules)). This page is what
came of it, made by `python -m docs.generate.engines`. The adapters are in [tests/engines](../tests/engines).

| program | rules | games | legal events | illegal events | lists of legal events | payments | differ |
|---|---|---|---|---|---|---|---|
"""
COMMANDS = """
Each row is a command, with a Python in which the program is installed (`pip install open_spiel rlcard mahjong
riichienv`). The games are those of several seeds together:

```sh
"""
VARIANTS = """```

## House rules

A program that plays by a rule of its own plays by a variant. Each of these was found by a run without it; the smallest
game is in [tests/engines/differences](../tests/engines/differences), and its last event shows the difference.

| program | variant | what it is | without it, the program | events | games |
|---|---|---|---|---|---|
"""
ABOUT = """
- OpenSpiel never lets spades be led by a player who holds another suit, even after spades were played. This is a fault
  of OpenSpiel; `spades-last` says what it does.
- OpenSpiel does not offer a third card at the same end of a run to be laid off, as in
  [this game](../tests/engines/differences/gin-third-card-of-a-run.jsonl): the 7 and the 6 of hearts lie at 8-9-10, and
  the 5 may not follow. This is a fault too; it is the difference of the table.
- RLCard lets nobody discard the card that was just taken, but lets a player knock with it, as in
  [this game](../tests/engines/differences/rlcard-knock-with-the-card-taken.jsonl). This is its difference.
- In OpenSpiel cards are passed in any direction in the only hand of a game of hearts: `any-direction`. golpae's games
  begin with the first hand, in which they are passed to the left.
- OpenSpiel has no claims. RLCard deals eleven cards to the player who begins, turns up no card, has nothing laid off,
  and lets the discard be taken when only two cards are left. Two texts
  [include](language/variants.md#includes-and-house-rules) the game and say so:
  [bridge](../tests/engines/bridge-without-claims.golpae) and [gin rummy](../tests/engines/rlcard-gin.golpae).
- RLCard pays nothing that the game knows. Its adapter works the points out from what RLCard counts outside melds, and
  switches off its limit of 200 moves.
- Ties are too rare in gin rummy for these runs. That nobody wins one is `tie-scores-nothing`, which
  [a playthrough](../tests/logs/openspiel/tie.txt) shows.

## Playthroughs

[Playthroughs of OpenSpiel](logs.md#playthroughs-of-openspiel) go the other way: OpenSpiel chooses, and each state lists
what is legal.

| game | playthroughs | lists compared | all agree |
|---|---|---|---|
"""
SCORES = """
## Hands of riichi

The package `mahjong` 2.1.0 counts {hands:,} random hands, {otherwise} of them
otherwise than `golpae score riichi`: their han and fu, as points before the dealer and the draw change them. Hands are
concealed or open, with up to four kans, in riichi or not, won on the last tile, after a kan, or by robbing one. Double
yakuman are switched off in the package, and open tanyao is on, as at Tenhou.

```sh
python tests/engines/riichi_hands.py {hands} > hands.jsonl
```
"""
MATCHES_OF_RIICHI = """
## Matches of riichi

RiichiEnv 0.4.11 plays matches and logs them as mjai does; `golpae check` reads
these logs with every draw, call, yaku and payment. Of {matches} matches {legal} are legal. The others break {clauses}:
at an exhausted wall, RiichiEnv counts a player as waiting whose only tile is one of which the hand and its melds have
all four; the text does not (R9r).

```sh
python tests/engines/riichienv_games.py {matches} matches && golpae check matches
```
"""


def page() -> str:
    """Return the page."""
    found = json.loads(FILE.read_text("utf-8"))
    rows = "".join(_row(run, found[run.name]) for run in RUNS if run.name in found)
    commands = "".join(
        f"golpae conform --games {GAMES} --seed 1 {' '.join(run.words(run.rule_set))}\n"
        for run in RUNS
        if run.name in found
    )
    differences = "".join(
        row for run in RUNS if run.name in found for row in _differences(run, found[run.name])
    )
    played = "".join(
        f"| `{game}` | {many} | {lists:,} | {'yes' if agree == many else f'{agree} of {many}'} |\n"
        for game, (agree, many, lists) in found.get("playthroughs", {}).items()
    )
    text = HEAD + rows + COMMANDS + commands + VARIANTS + differences + ABOUT + played
    hands = SCORES.format(**found["hands"]) if "hands" in found else ""
    return f"{text}{hands}{_matches(found.get('matches'))}\n[All pages](README.md)\n"


def _matches(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return ""
    clauses = " and ".join(f"`{clause}`" for clause in found["clauses"])
    return MATCHES_OF_RIICHI.format(**{**found, "clauses": clauses})


def _row(run: Run, found: Mapping[str, Any]) -> str:
    compared = found["compared"]
    keys = ("legal events", "illegal events", "lists of legal events", "payments")
    numbers = " | ".join(f"{compared.get(key, 0):,}" for key in keys)
    many = len(found["disagreements"])
    game = run.rules.rpartition("/")[2].removesuffix(".golpae")
    return (
        f"| {run.engine} | `{'+'.join((game, *run.taken, *run.variants))}` | {found['games']:,} | {numbers} | "
        f"{many or 'no'} |\n"
    )


def _differences(run: Run, found: Mapping[str, Any]) -> Iterator[str]:
    for variant, shown in found["differences"].items():
        for one in shown:
            clause = f": `{one['clause']}`" if one["clause"] else ""
            link = f"[{one['events']}](../tests/engines/differences/{run.name}-{variant}.jsonl)"
            yield (
                f"| {run.engine} | `{variant}` | {_gist(run.rules, variant)} | {one['message']}{clause} | {link} | "
                f"{one['games']} of {one['of']} |\n"
            )


def _gist(rules: str, variant: str) -> str:
    """Return what a text says of a variant."""
    return next(one.gist for one in resolve(rules, load(rules)).variants if one.name.text == variant)


def main(arguments: Sequence[str]) -> int:
    """Carry out runs, renew the page, or with `--check` only compare it. Return the exit status."""
    if arguments[:1] == ["--run"]:
        run(arguments[1], arguments[2:])
    return renew([(PAGE, page())], "python -m docs.generate.engines", check="--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
