"""Values of a trace's keys, read by type.

Input: a decoded JSON value and its type.
Output: the value for replay (a tile as the number of its kind), or `Bad`, whose message is for the player.
Guarantee: a list of the wrong length is not a fault here: the trace contract calls it illegal, not malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from golpae.ir.limits import DIGITS, LIMIT
from golpae.replay.runtime import Meld
from golpae.trace import quoted

ALWAYS = ("do", "note", "time")


class Bad:
    """The fault of a value that does not fit its key."""

    __slots__ = ("message",)

    def __init__(self, message: str) -> None:
        self.message = message


def shown(value: object) -> str:
    """Return a value of a trace in backticks, as it is written there; a long one is cut."""
    import json

    return quoted(json.dumps(value, ensure_ascii=False, default=str))


class Reader:
    """Reads the values of one instance."""

    def __init__(
        self,
        numbers: Mapping[str, int],
        players: int,
        sizes: Mapping[str, int],
        labels: Iterable[str] = (),
        unions: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.numbers = numbers
        self.players = players
        self.sizes = sizes  # of the shapes that a meld can be put down as
        self.labels = {*sizes, *labels}
        self.unions = unions or {}  # the shapes that each union joins

    def misses(self, event: Mapping[str, object], keys: Sequence[str], optional: Sequence[str]) -> Bad:
        """Return the fault of an event that lacks one of these keys; it may have the optional ones too."""
        from golpae.diagnostics import near

        missing = next(k for k in keys if k not in event)
        unknown = [k for k in event if k not in (*keys, *optional, *ALWAYS)]
        written = next((k for k in unknown if near(k, [missing])), None)
        advice = f"; did you write {quoted(written)} for `{missing}`?" if written is not None else ""
        return Bad(f"`{event['do']}` lacks the key `{missing}`{advice}")

    def extra(self, event: Mapping[str, object], keys: Iterable[str]) -> Bad:
        """Return the fault of an event that has a key besides these."""
        from golpae.diagnostics import near

        allowed = [*keys, *ALWAYS]
        key = next(k for k in event if k not in allowed)
        advice = near(key, allowed)
        return Bad(f"unknown key {quoted(key)} in `{event['do']}`{'; ' + advice if advice else ''}")

    def bad_seat(self, key: str, value: object) -> Bad:
        if type(value) is int:
            return Bad(
                f"there is no seat {shown(value)}: `{key}` must be a seat from 0 to {self.players - 1}"
            )
        return Bad(f"`{key}` must be a seat from 0 to {self.players - 1}, not {shown(value)}")

    def bad_tile(self, key: str, value: object) -> Bad:
        if value == "?":
            return Bad("unknown tiles (`?`) cannot be checked yet")
        if not isinstance(value, str):
            return Bad(f"`{key}` must be a tile, not {shown(value)}")
        from golpae.diagnostics import near

        advice = near(value, self.numbers)
        return Bad(f"there is no tile {quoted(value)}{'; ' + advice if advice else ''}")

    def decode(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        """Return the value, or `Bad`."""
        read: Callable[[tuple[Any, ...], str, object], Any] = getattr(self, "_" + kind[0].replace(" ", "_"))
        return read(kind, key, value)

    def _seat(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        if type(value) is int and 0 <= value < self.players:
            return value
        return self.bad_seat(key, value)

    def _tile(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        number = self.numbers.get(value) if isinstance(value, str) else None
        return self.bad_tile(key, value) if number is None else number

    def _number(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        if type(value) is not int:
            return Bad(f"`{key}` must be a whole number, not {shown(value)}")
        return (
            value if -LIMIT < value < LIMIT else Bad(f"the number of `{key}` has more than {DIGITS:,} digits")
        )

    def _truth(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        return value if type(value) is bool else Bad(f"`{key}` must be true or false, not {shown(value)}")

    def _choice(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        if isinstance(value, str) and value in kind[1]:
            return value
        return Bad(f"`{key}` must be one of {', '.join(kind[1])}, not {shown(value)}")

    def _meld(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        """Return the meld `[label, tile, ...]`, or `[tile, ...]` without a label.

        A single tile after a label that is a shape stands for as many as the shape has; the tiles can be a list of
        their own, which stands for itself.
        """
        if not isinstance(value, list) or not value or not isinstance(value[0], str):
            return Bad(f"`{key}` must hold melds such as `[shape, tile]`, not {shown(value)}")
        if value[0] not in self.labels:
            if value[0] not in self.numbers:
                return self._no_label(value[0])
            tiles = self.decode(("list", ("tile",)), key, value)
            return tiles if isinstance(tiles, Bad) else Meld(tiles)
        label, *rest = value
        if not rest:
            return Bad(f"`{key}` must hold melds such as `[shape, tile]`, not {shown(value)}")
        whole = len(rest) == 1 and isinstance(rest[0], list)
        tiles = self.decode(("list", ("tile",)), key, rest[0] if whole else rest)
        if isinstance(tiles, Bad):
            return tiles
        return Meld(tiles * self.sizes.get(label, 1) if len(tiles) == 1 and not whole else tiles, label)

    def _no_label(self, word: str) -> Bad:
        if word in self.unions:
            *others, last = self.unions[word]
            alternatives = f"{', '.join(others)} or {last}" if others else last
            several = "several shapes" if others else "another name of a shape"
            return Bad(f"{quoted(word)} is {several}; write {alternatives}")
        from golpae.diagnostics import near

        advice = near(word, self.labels)
        return Bad(f"there is no shape {quoted(word)}{'; ' + advice if advice else ''}")

    def _patterns(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        if isinstance(value, dict) and all(type(points) is int for points in value.values()):
            return value
        return Bad(f'`{key}` must be an object such as `{{"name":1}}`, not {shown(value)}')

    def _or_none(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        return None if value is None else self.decode(kind[1], key, value)

    def _list(self, kind: tuple[Any, ...], key: str, value: object) -> Any:
        if not isinstance(value, list):
            return Bad(f"`{key}` must be a list, not {shown(value)}")
        inner = kind[1]
        if inner == ("tile",):
            numbers = self.numbers
            try:
                return [numbers[tile] for tile in value]
            except (KeyError, TypeError):
                pass
        out = []
        for item in value:
            if inner[0] == "list" and not isinstance(item, list):
                return Bad(f"`{key}` must be a list of lists, but it contains {shown(item)}")
            decoded = self.decode(inner, key, item)
            if isinstance(decoded, Bad):
                return decoded
            out.append(decoded)
        return out
