"""Small texts with properties, whose verdicts are held against all games.

Input: parts of a rule text. Output: the text; for a text, the verdict of each property beside what all games show.
Guarantee: a property that is proved holds at every position of every game of one hand, and one that is refuted fails
at some.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from golpae.elaborate.check import check
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.differential import checks
from tests.differential.walk import walk

SETTINGS = Settings(most=60_000_000, megabytes=1_500, games=40)
PUT = """
action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to table
  then mover := p's right
"""
END = """
end
  due: over "the hand is not over"
"""


def game(
    *,
    state: str = "",
    actions: str = "",
    properties: str = "",
    zones: str = "",
    coins: str = "one of each 1c 2c 3c",
    hands: int = 1,
    deal: str = "",
    stall: str = "tiles",
    more: str = "",
    end: str = END,
    players: int = 2,
    key: str = "",
) -> str:
    """Return a rule text in which players hold coins and take turns."""
    return f"""game coins "Coins"

players {players} to {players}

tiles
  coins: {coins}

zones
  stall: {stall} seen by nobody, holds the set
  each player's hand: tiles seen by its owner
{_indented(zones)}
state of the hand
  mover: seat
{_indented(state)}
{more}

deal{key} from stall
  hands: {hands} for everyone
  then mover := first
{_indented(deal)}
{actions}

action stop by p "stop"
  turn: p = mover and not over "not yours"
  then nobody wins
{end}
{properties}
"""


def _indented(lines: str) -> str:
    return "".join(f"  {line.strip()}\n" for line in lines.strip().splitlines())


def rule_set_of(text: str) -> RuleSet:
    """Return the rules of a text."""
    with TemporaryDirectory() as folder:
        name = text.split("game ", 1)[1].split(maxsplit=1)[0]
        Path(folder, f"{name}.golpae").write_text(text, encoding="utf-8")
        return check(resolve(name, load(name, [Path(folder)])))


def verdicts(text: str, positions: int = 4_000) -> dict[str, str]:
    """Return the verdict of the prover on each property of a text; all games agree with it."""
    rules = rule_set_of(text)
    out: dict[str, str] = {}
    low, high = bounds(rules, options_of(rules, {}))
    for players in range(low, high + 1):
        machine = Machine(instantiate(rules, players, {}))
        games = walk(machine, positions)
        assert not games.refused, games.refused[0]
        verifier = Verifier(machine.instance, SETTINGS)
        verifier.analysis._walks.known[()] = None  # so that the prover decides, not all games
        report = checks.Report()
        say = checks._Say(report, rules.rules, players)
        for prop in properties_of(rules):
            result = verifier.verify(prop)
            checks._check_property(games, prop, result, say)
            before = out.get(prop.name, result.verdict)
            out[prop.name] = result.verdict if before == result.verdict else f"{before}, {result.verdict}"
        assert not report.findings, report.findings[0]
    return out


def expected(text: str) -> dict[str, str]:
    """Return the verdict that each property of a text states: `proved` if it states none."""
    return {prop.name: prop.expected or "proved" for prop in rule_set_of(text).properties}
