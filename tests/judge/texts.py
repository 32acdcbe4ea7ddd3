"""Texts for the tests of the judge: a small game with holes in it, and games of it.

Input: lines of a rule text. Output: `game`, a whole text; `Game`, the table and the state that events lead to.
Guarantee: what a test does not ask for is the same in every text: three kinds of coins, two of each; two players, two
tiles each; a hand may always end, and pays nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent, indent

from golpae.elaborate.instance import instantiate
from golpae.ir import expr as ir
from tests.judge.evaluate import Scene, evaluate
from tests.judge.events import Illegal, Legal, Verdict, try_event
from tests.judge.match import start
from tests.judge.state import State
from tests.judge.table import Table, rules_of
from tests.judge.values import Bag, Value

COINS = "coins: two of each 1c 2c 3c"
DEAL: Mapping[str, object] = {"do": "deal", "first": 0, "hands": [["1c", "2c"], ["1c", "3c"]]}
END: Mapping[str, object] = {"do": "end", "winner": None, "pay": [0, 0]}


def game(
    parts: str = "",
    *,
    tiles: str = COINS,
    stall: str = "row",
    state: str = "",
    match: str = "",
    deal: str = "",
    keys: str = "",
    hands: str = "2 for everyone",
    end: str = "",
    end_keys: str = "",
    payout: str = "none: mover scores 0",
    finish: str = "",
    players: str = "2 to 2",
    zones: str = "",
) -> str:
    """Return a whole rule text; `parts` are sections of their own, the rest lines of the sections that all share."""
    lines = [
        'game judged "A game for the judge"',
        f"players {players}",
        "tiles",
        _under(tiles),
        "zones",
        _under(f"stall: {stall} seen by nobody, holds the set"),
        _under("line: row seen by everyone\nheap: tiles seen by everyone\nshown: melds seen by everyone"),
        _under("away: melds seen by everyone\neach player's hand: tiles seen by its owner"),
        _under(zones),
        "state of the hand",
        _under("mover: seat"),
        _under(state),
        *(["state of the match", _under(match)] if match else []),
        f"deal{keys} from stall",
        _under(f"hands: {hands}\nthen mover := first"),
        _under(deal),
        f"end{end_keys}",
        _under("due: over or not over"),
        _under(end),
        "payout",
        _under(payout),
        *(["finish", _under(finish)] if finish else []),
        dedent(parts),
    ]
    return "\n".join(line for line in lines if line.strip()) + "\n"


def _under(lines: str) -> str:
    return indent(dedent(lines).strip("\n"), "  ")


@dataclass
class Game:
    """A match under way."""

    table: Table
    state: State

    def tries(self, event: Mapping[str, object]) -> Verdict:
        return try_event(self.table, self.state, event)

    def plays(self, *events: Mapping[str, object]) -> Game:
        """Play events, all of which have to be legal."""
        for event in events:
            verdict = self.tries(event)
            assert isinstance(verdict, Legal), (event, verdict)
            self.state = verdict.state
        return self

    def refuses(self, event: Mapping[str, object]) -> str:
        """Return the name of the condition that an event breaks."""
        verdict = self.tries(event)
        assert isinstance(verdict, Illegal), (event, verdict)
        return verdict.name

    def asks(self, definition: str) -> Value:
        """Return what a definition without values is worth now."""
        kind = self.table.definition(definition).type
        return evaluate(ir.CallDef(definition, (), kind), Scene(self.table, self.state))

    def stage(self) -> str:
        return self.state.stage

    def zone(self, name: str, owner: int | None = None) -> Bag:
        return self.state.lying_in((name, owner))

    def row(self, name: str) -> tuple[Value, ...]:
        """Return the places of a row, front first."""
        return self.state.row((name, None)).places

    def var(self, name: str, owner: int | None = None) -> Value:
        return self.state.remembered((name, owner))


def begun(text: str, players: int = 2, options: Mapping[str, int] | None = None, stake: int = 1) -> Game:
    """Return a match before its first deal. Raises `TableFault`."""
    return Game(*start(instantiate(rules_of(text), players, options or {}), stake))


def dealt(text: str, **changes: object) -> Game:
    """Return a match of two after a deal."""
    return begun(text).plays({**DEAL, **changes})


def worth(expression: str, parts: str = "", tiles: str = COINS) -> Value:
    """Return what an expression is worth before the first deal."""
    return begun(game(f"define probe: {expression}\n{dedent(parts)}", tiles=tiles)).asks("probe")
