"""Says in words what cannot stand together in a game with tiles that nobody saw.

Input: events of a trace and conditions. Output: words for players. Guarantee: nothing is said of unknown tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from golpae.hidden.lines import ALWAYS_ASKED, OPEN, HiddenLine, read_anyhow
from golpae.ir.expr import Expr, Local
from golpae.ir.ruleset import Condition
from golpae.replay.decode import Bad
from golpae.replay.explain import names_of
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.speaker import Speaker, listed, spoken
from golpae.trace import Header
from golpae.trace.unseen import UNKNOWN

GAP = "…"  # for a value that a message names and the record alone does not tell


class Told:
    """The words for one table."""

    def __init__(self, machine: Machine, header: Header) -> None:
        self._machine = machine
        self._names = header.players
        self._speaker = Speaker(machine, header)

    def record(self, line: HiddenLine, seat: int | None) -> str:
        """Return what a line says of tiles: an event, or a player's hand in a deal."""
        if seat is not None:
            shown = [tile for tile in line.line["hands"][seat] if tile != UNKNOWN]
            hidden = len(line.line["hands"][seat]) - len(shown)
            more = f" and {hidden} unknown" if hidden else ""
            return f"{self._names[seat]}'s hand {' '.join(shown)}{more}"
        said = self.event(line)
        action = self._machine.actions[line.line["do"]]
        if action.kind == "deal":
            left = [tile for tile in line.line.get("reserve") or () if tile != UNKNOWN]
            return f"deal with {' '.join(left)} in reserve" if left else said
        return said if action.by is None else f"{self._names[line.line['by']]}: {said}"

    def event(self, line: HiddenLine) -> str:
        """Return what an event does, without who does it."""
        action = self._machine.actions[line.line["do"]]
        args = read_anyhow(self._machine, line)
        assert not isinstance(args, Bad)
        first = 0 if action.by is None else 1
        keys = [place[0] for place in line.places]
        unseen = [first + n for n, param in enumerate(action.params) if param.name in keys]
        said = self._speaker.event(Event(action.name, args), unseen)
        own = [line.line[param.name] for param in action.params if param.name in keys]
        known = [word for value in own if isinstance(value, list) for word in value if word != UNKNOWN]
        words = [word for word in known if isinstance(word, str)]
        return f"{said}, {' '.join(words)} among them" if words and action.kind != "deal" else said

    def because(self, line: HiddenLine, names: Sequence[str]) -> str:
        """Return an event, with its conditions that count."""
        conditions = self._machine.actions[line.line["do"]].conditions
        own = {one.name for one in conditions if one.of_game not in ALWAYS_ASKED}
        asked = [f"`{name}`" for name in names if name in own]
        said = self._whole(line)
        return f"{said}, by {listed(asked)}" if asked else said

    def otherwise(self, line: HiddenLine, names: Sequence[str]) -> str:
        """Return an event, with what golpae would say of it if one of its conditions did not hold."""
        return f"{self._whole(line)}{self._else(line, names)}"

    def _whole(self, line: HiddenLine) -> str:
        """Return an event, as it is recorded; a deal by its name, as it has very many tiles."""
        return self.record(line, None) if line.line["do"] != "deal" else "the deal"

    def condition(self, line: HiddenLine, name: str) -> str:
        """Return an event that one of its conditions is asked of."""
        return f"{self._what(line, 'the')}{self._else(line, [name])}"

    def _else(self, line: HiddenLine, names: Sequence[str]) -> str:
        """Return what is said if conditions of an event do not hold, behind its words."""
        own = self._machine.actions[line.line["do"]].conditions
        words = [self._message(one, line) for one in own if one.name in names]
        said = [word for word in words if word]
        return f"; else {' or '.join(dict.fromkeys(said))}" if said else ""

    def _message(self, condition: Condition, line: HiddenLine) -> str:
        """Return the message of a condition. What is no recorded key in it is a gap."""
        match condition.of_game:
            case None:
                words = [
                    part if isinstance(part, str) else self._key(part, line) for part in condition.message
                ]
                return "".join(words) if condition.has_words else ""
            case "winner" | "winners":
                return "the winner would be wrong"
            case "pay" | "totals":
                return "the payments would be wrong"
            case "open" | "hands" | "set" | "rest":
                return ""
            case _:
                assert_never(condition.of_game)

    def _key(self, part: Expr, line: HiddenLine) -> str:
        """Return a value in a message: that of a key of the event if it is recorded, else a gap."""
        if not isinstance(part, Local):
            return GAP
        action = self._machine.actions[line.line["do"]]
        args = read_anyhow(self._machine, line)
        assert not isinstance(args, Bad)
        unknown = {place[0] for place in line.places}
        value = None if part.name in unknown else names_of(action, args).get(part.name)
        return GAP if value is None else self._speaker.say(value, part.type)

    def message(
        self,
        records: Sequence[tuple[int, int | None]],
        clauses: Sequence[tuple[int, str]],
        lines: Sequence[HiddenLine],
        before: int,
        event: int,
        broken: str,
    ) -> str:
        """Return all of it in a sentence. `broken` is the condition that the event breaks."""
        parts = []
        for number, seat in records:
            asked = [name for at, name in clauses if at == number and seat is None]
            otherwise = self._else(lines[number - 1], asked)
            parts.append(f"event {before + number} ({self.record(lines[number - 1], seat)}{otherwise})")
        told = {number for number, seat in records if seat is None}
        parts += [
            f"event {before + number} ({self.condition(lines[number - 1], name)})"
            for number, name in clauses
            if number not in told
        ]
        if not parts:
            return self._always(lines[event - 1], broken)
        if len(parts) == 1 and not records:
            [(number, name)] = clauses
            said = self.condition(lines[number - 1], name)
            return f"whatever the hidden tiles are, event {before + number} is not legal ({said})"
        alone = "cannot be" if len(parts) == 1 else "cannot stand together"
        return f"no tiles in the hidden places make this legal: {listed(parts)} {alone}"

    def _what(self, line: HiddenLine, article: str = "this") -> str:
        """Return what an event is."""
        who, does = line.line.get("by"), spoken(line.line["do"])
        return f"{article} {does}" if who is None else f"{self._names[who]}'s {does}"

    def _always(self, line: HiddenLine, broken: str) -> str:
        """Return why an event is illegal whatever tiles are known."""
        for condition in self._machine.actions[line.line["do"]].conditions:
            words = [part for part in condition.message if isinstance(part, str)]
            is_open = condition.of_game == OPEN  # its words are about a player who is not known here
            if condition.name == broken and not is_open and len(words) == len(condition.message):
                return "".join(words)
        return f"whatever the hidden tiles are, {self._what(line)} is not legal here"
