"""A position at a terminal: every zone under the player whom it belongs to, what changed, counters, whose turn.

Input: a position and the one before it, whose turn it is, who looks on.
Output: lines, no wider than the terminal.
Guarantee: without colour the lines say the same. A group of tiles always has the same colour. Names from a trace are
printed without control characters.

    * An mover
        hand 5             1-1 3-1 4-4 5-1 6-1
        table 2            6-6/6-6
      Bo giver
        hand 3 (-2)        2-2 4-2 5-4
      discards 1 (+1)      +4-2+
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import VarDecl, ZoneDecl
from golpae.ir.types import Bag, Meld, Opt, Seat, Tile, Type
from golpae.simulate.onlooker import Look
from golpae.simulate.position import UNKNOWN, Position

Paint = Callable[[str, str], str]
GROUPS = ("36", "33", "35", "32", "34", "31")  # the colours of the groups of a set, in turn
NEW, BOLD, QUIET = "7", "1", "90"
LABEL = 18  # columns before the tiles of a zone
NARROWEST = 40


class TerminalTable:
    """The positions of one game."""

    def __init__(
        self, instance: Instance, players: Sequence[str], paint: Paint, width: int, look: Look
    ) -> None:
        self._rules = instance.rule_set
        self._paint, self._width, self._look = paint, max(width, NARROWEST), look
        self._colours = _colours(instance)
        self.names = [on_one_line(name).strip()[:24] or f"seat {seat}" for seat, name in enumerate(players)]

    def lines(self, position: Position, before: Position, acts: int | None) -> Iterator[str]:
        """Yield the lines of a position. `acts` is the seat whose turn it is."""
        for seat, name in enumerate(self.names):
            yield self._head(seat, name, position, before, seat == acts)
            for zone in self._rules.zones:
                if zone.each_player:
                    yield from self._zone(zone, seat, position, before, "    ")
            yield from self._states(position, before, seat)
        for zone in self._rules.zones:
            if not zone.each_player:
                yield from self._zone(zone, None, position, before, "  ")
        yield from self._states(position, before, None)

    def _head(self, seat: int, name: str, position: Position, before: Position, acts: bool) -> str:
        words = []
        if position["winner"] == seat:
            words.append("has won")
        if position["hands_played"] or position["totals"][seat]:
            words.append(f"total {position['totals'][seat]:+d}")
        for var in self._rules.vars:
            if not var.each_player and not var.hidden and isinstance(_bare(var.type), Seat):
                key = f"state/{var.name}"
                if position[key] == seat:
                    words.append(self._new(var.shown_as, before[key] != seat))
        marked = self._paint("*", "33") if acts else " "
        return " ".join([marked, self._paint(name, BOLD), " ".join(words)]).rstrip()

    # ------------------------------------------------------------------ zones

    def _zone(
        self, zone: ZoneDecl, seat: int | None, position: Position, before: Position, indent: str
    ) -> Iterator[str]:
        key = f"zone/{zone.name}" if seat is None else f"zone/{zone.name}/{seat}"
        now, was = position[key], before[key]
        if not now and not was:
            return
        size, old = _size(now), _size(was)
        width = LABEL if seat is not None else LABEL + 2
        label = f"{zone.name} {size}" + (f" ({size - old:+d})" if size != old else "")
        if not self._look.sees(zone, seat, position):
            yield (
                f"{indent}{label:<{width}} {self._paint('face down', QUIET)}" if now else f"{indent}{label}"
            )
            return
        if zone.kind == "melds":
            words = list(self._melds(now, was))
        else:
            words = list(self._tiles(now, was))
        yield from self._wrapped(f"{indent}{label:<{width}} ", words)

    def _tiles(self, tiles_there: Sequence[str], was: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Yield tiles as they are printed, each with its width."""
        is_first = not was and len(tiles_there) > 1  # if all of several are new, none is marked
        new = Counter[str]() if is_first else Counter(tiles_there) - Counter(was)
        shown = []
        for tile in reversed(tiles_there):
            is_new = new[tile] > 0
            new[tile] -= is_new
            shown.append(self._tile(tile, is_new))
        yield from reversed(shown)

    def _tile(self, name: str, is_new: bool) -> tuple[str, int]:
        if name == UNKNOWN:
            return self._paint(name, QUIET), 1
        if not is_new:
            return self._paint(name, self._colours.get(name, "39")), len(name)
        return self._new(name, True), len(name) + 2 * (self._paint("", NEW) == "")

    def _new(self, words: str, is_new: bool) -> str:
        """Return words that are marked if they are new: by colour, or without colour by signs."""
        if not is_new:
            return words
        return self._paint(words, NEW) if self._paint("", NEW) else f"+{words}+"

    def _melds(self, held: list[dict[str, Any]], was: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
        old = [repr(meld) for meld in was]
        for meld in held:
            is_new = repr(meld) not in old
            if not is_new:
                old.remove(repr(meld))
            tiles = [self._tile(tile, False) for tile in meld["tiles"]]
            label = f"{meld['label']} " if "label" in meld else ""
            words = label + "/".join(tile for tile, _ in tiles)
            size = len(label) + sum(size for _, size in tiles) + len(tiles) - 1
            marks = ("[", "]") if is_new else ("", "")
            yield f"{marks[0]}{words}{marks[1]}", size + 2 * is_new

    def _wrapped(self, label: str, words: Iterable[tuple[str, int]]) -> Iterator[str]:
        """Yield words behind a label, on as many lines as they need."""
        line, at = label, len(label)
        for word, size in words:
            if at + size > self._width and at > len(label):
                yield line.rstrip()
                line, at = " " * len(label), len(label)
            line += f"{word} "
            at += size + 1
        yield line.rstrip()

    # ------------------------------------------------------------------ states

    def _states(self, position: Position, before: Position, seat: int | None) -> Iterator[str]:
        """Yield the states of a player, or of the table, that have something to tell."""
        words = []
        for var in self._rules.vars:
            if (
                var.hidden
                or var.each_player != (seat is not None)
                or (seat is None and isinstance(_bare(var.type), Seat))
            ):
                continue
            key = f"state/{var.name}" if seat is None else f"state/{var.name}/{seat}"
            value = position[key]
            if value in (None, False, []):
                continue
            said = var.shown_as if value is True else f"{var.shown_as}: {self._said(value, var)}"
            is_new = value != before[key]
            words.append((self._new(said, is_new), len(said) + 2 * is_new))
        if words:
            yield from self._wrapped(
                "    " if seat is not None else "  ", [(f"{w} ", n + 1) for w, n in words]
            )

    def _said(self, value: Any, var: VarDecl) -> str:
        kind = _bare(var.type)
        if isinstance(kind, Seat):
            return self.names[int(value)]
        if isinstance(kind, Tile):
            return str(value)
        if isinstance(kind, Meld):
            return "/".join(map(str, value["tiles"]))
        if isinstance(kind, Bag) and isinstance(value, list):
            if isinstance(kind.item, Tile):
                return " ".join(map(str, value))
            return ", ".join(self.names[one] if isinstance(kind.item, Seat) else str(one) for one in value)
        return str(value)


def _bare(kind: Type) -> Type:
    return kind.item if isinstance(kind, Opt) else kind


def _size(held: list[Any]) -> int:
    """Return how many tiles a zone holds."""
    return sum(len(one["tiles"]) if isinstance(one, dict) else 1 for one in held)


def _colours(instance: Instance) -> dict[str, str]:
    """Return the colour of each kind of tile: that of its group."""
    groups = list(dict.fromkeys(kind.group for kind in instance.kinds))
    return {kind.name: GROUPS[groups.index(kind.group) % len(GROUPS)] for kind in instance.kinds}
