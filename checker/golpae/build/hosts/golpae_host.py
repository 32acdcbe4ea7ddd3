"""Play and check games with a module that `golpae build` made. It needs Python and the package `wasmtime`.

    from golpae_host import Rules

    rules = Rules(Path("x.wasm").read_bytes())
    match = rules.match(["An", "Bo"])
    match.apply({"do": "deal", ...})      # {"verdict": "legal"}, or what is wrong, in golpae's words
    match.following()                     # every legal event
    match.state()                         # where everything lies

`python golpae_host.py x.wasm games.jsonl` checks the games of a file. Written by `golpae build`, for you to use and
change as you like.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from golpae_lines import NO_OBJECT, Lines, is_header, shown
from golpae_words import Words, one_line

try:
    import wasmtime
except ImportError:
    if __name__ != "__main__":
        raise
    sys.stderr.write("golpae_host.py: the package `wasmtime` is needed: pip install wasmtime\n")
    sys.exit(2)

SECTION = "golpae"  # of a module, with its templates
WORD = 8  # bytes of a number in its memory
NO_HEADER = 'there is an event before any header; a header begins with `{"golpae":1,`'
NUMBERS = 1 << 64  # seeds, and games of each
LARGEST = 10**15  # the largest number that a module reads, and one more
FILLERS = {"tile": "", "number": 0, "seat": 0, "truth": False}  # any value of a type


class Referred(Exception):
    """The module cannot decide this; golpae itself can."""


class Rules:
    """A module: one rule set at one table."""

    def __init__(self, held: bytes) -> None:
        self.templates = templates_of(held)
        self.engine = wasmtime.Engine()
        self.module = wasmtime.Module(self.engine, held)

    def match(self, players: Sequence[str], stake: int = 1) -> Match:
        """Return a new match of players with these names. Raises `ValueError` if no header can have
        them, and `Referred`.
        """
        names: Any = [*players] if isinstance(players, tuple) else players
        header = {"golpae": 1, "rules": self.templates["rules"], "players": names, "stake": stake}
        fault = Lines(self.templates).header_fault(header)
        if fault is not None:
            raise ValueError(fault)
        if len(players) != self.templates["players"]:
            raise ValueError(f"this module is for {self.templates['players']} players")
        if stake >= LARGEST:
            raise Referred("a very large stake")
        return Match(self, names, stake)


class Match:
    """One match, which has the memory of the module for itself."""

    def __init__(self, rules: Rules, players: list[str], stake: int) -> None:
        self.templates = rules.templates
        self.words, self.lines = Words(self.templates, players), Lines(self.templates)
        self._actions = self.templates["actions"]
        self._numbers = {action["name"]: number for number, action in enumerate(self._actions)}
        self._store = wasmtime.Store(rules.engine)
        self._exports: Any = wasmtime.Instance(self._store, rules.module, []).exports(self._store)
        self._call("init")
        self._call("new_game", stake)

    # ------------------------------------------------------------------ what happens

    def apply(self, line: Any) -> dict[str, Any]:
        """Let an event happen if it is legal. Return its `verdict` (legal, illegal, malformed, referred), and why."""
        fault = self.lines.fault(line)
        if fault is not None:
            return {"verdict": "malformed", "message": fault}
        try:
            broken = self._happen(line)
            return {"verdict": "legal"} if broken is None else self._refusal(line, broken)
        except Referred as reason:
            return {"verdict": "referred", "reason": str(reason)}

    def _happen(self, line: dict[str, Any]) -> int | None:
        """Let an event happen. Return the condition that it breaks, or None. Raises `Referred`."""
        line, wrong = self._fitted(line)
        number = self._read(line)
        if not wrong and self._call("act", number):
            return None
        broken = self._call("broken", number)
        return min([*wrong, broken] if broken >= 0 else wrong)

    def _read(self, line: dict[str, Any]) -> int:
        """Let the module read a line. Return the number of its action. Raises `Referred`."""
        number = self._numbers[line["do"]]
        keys = {key: value for key, value in line.items() if key not in ("note", "time")}
        text = json.dumps(keys, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"
        start, room = self.templates["memory"]["text"]
        if len(text) > room:
            raise Referred("a very long line")
        self._write(start, text)
        if self._call("read") != number:
            raise Referred("a very long list or number, an unknown pattern, or too many copies of a tile")
        return number

    def _fitted(self, line: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        """Return a line with lists of the length that they should have, and the conditions that say so."""
        action, wrong = self._actions[self._numbers[line["do"]]], []
        keys = {key["name"]: key for key in action["keys"]}
        for number, condition in enumerate(action["conditions"]):
            name = condition.get("length_of")
            given = line.get(name) if name is not None else None
            if name is not None and given is not None:
                size = keys[name]["tiles"] or self.templates["players"]
                if len(given) != size:
                    wrong.append(number)
                    line = {**line, name: [*given, *[self._filler(keys[name]["type"])] * size][:size]}
        return line, wrong

    def _filler(self, kind: dict[str, Any]) -> Any:
        item = kind.get("list", kind.get("each"))
        return self.templates["tiles"][0]["name"] if item == "tile" else FILLERS.get(str(item))

    def _refusal(self, line: dict[str, Any], broken: int) -> dict[str, Any]:
        """Return why an event is illegal; if the module cannot say all of it, the rest is None, for a `reason`."""
        number = self._numbers[line["do"]]
        condition = self._actions[number]["conditions"][broken]
        clause = f"{self.templates['game']}.{line['do']}.{condition['name']}"
        out: dict[str, Any] = {"verdict": "illegal", "clause": clause}
        out |= dict.fromkeys(("message", "facts", "rules", "legal", "line"))
        try:
            state, values = self.state(), self._json("asked", number, broken)
            out["message"] = self.words.message(line, condition, values, state)
            out["facts"] = self.words.facts(line, condition, state, values)
            out["rules"] = self.words.rules(line, condition)
            first = line["first"] if self._actions[number]["kind"] == "deal" else None
            out["legal"] = self.words.legal(self.following(), first)
            out["line"] = one_line(out["message"], out["facts"], out["rules"], out["legal"])
        except Referred as reason:
            out["reason"] = str(reason)
        return out

    # ------------------------------------------------------------------ what is and what can follow

    def state(self) -> dict[str, Any]:
        """Return the state of the match. Raises `Referred`."""
        result: dict[str, Any] = self._json("state")
        return result

    def following(self) -> dict[str, Any]:
        """Return all legal `events`, as lines; the `dealers`, seats that can be the first of a deal; the `unlisted`
        actions that may be legal, but have too many events to be listed. Raises `Referred`.
        """
        events = [*self._picked("pick"), *self._picked("pick_finish")]
        seats, bits = range(self.templates["players"]), self._call("dealers")
        unlisted = [a["name"] for n, a in enumerate(self._actions) if self._call("unlisted", n)]
        return {"events": events, "dealers": [s for s in seats if bits >> s & 1], "unlisted": unlisted}

    def scores(self, line: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the scores of hands that an event counts which is legal here: `score`, `total`, `patterns` with their
        points, the `arrangement` that counted, and its `groups`, in the order of the set. Nothing happens. Raises
        `Referred`.
        """
        before, order = self.position, [kind["name"] for kind in self.templates["tiles"]]
        try:
            asked = self._json("scored", self._read(line))
        finally:
            self.position = before
        results: dict[tuple[Any, ...], dict[str, Any]] = {}
        for one in asked:
            labels = [group["label"] for group in one["groups"]]
            one["groups"].sort(key=lambda g: (labels.index(g["label"]), [*map(order.index, g["tiles"])]))
            results.setdefault((one["score"], one["total"], *one.get("numbers", {}).values()), one)
        return [*results.values()]

    def _picked(self, function: str) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        while (number := self._call(function, len(events))) >= 0:
            events.append(self._json("write", number))
        return events

    @property
    def position(self) -> bytes:
        """The state as bytes: keep them, and set them again to take events back."""
        start, size = self.templates["memory"]["position"]
        return bytes(self._exports["memory"].read(self._store, start, start + size))

    @position.setter
    def position(self, held: bytes) -> None:
        self._write(self.templates["memory"]["position"][0], held)

    # ------------------------------------------------------------------ games by chance

    def begin(self, seed: int, game: int) -> None:
        """From now on, chance is that of a game of `golpae simulate --seed`. Raises `ValueError` if there is none."""
        for name, number in (("seed", seed), ("game", game)):
            if type(number) is not int or not 0 <= number < NUMBERS:
                raise ValueError(
                    f"`{name}` must be a whole number from 0 to {NUMBERS - 1}, not {shown(number)}"
                )
        self._call("begin", _signed(seed), _signed(game))

    def deal(self) -> dict[str, Any] | None:
        """Deal by chance; return the event, or None if nobody can be dealt. Raises `Referred`."""
        number = next(n for n, action in enumerate(self._actions) if action["kind"] == "deal")
        return self._json("write", number) if self._call("deal") > 0 else None

    def play(self) -> dict[str, Any] | None:
        """Let one of the legal events happen by chance; return it, or None if there is none. Raises `Referred`."""
        number = self._call("play")
        return self._json("write", number) if number >= 0 else None

    # ------------------------------------------------------------------ the module

    def _call(self, name: str, *numbers: int) -> int:
        """Return the result of a function. Raises `Referred`; the position is what it was then."""
        why, before = self.templates["memory"]["why"], self.position
        self._write(why, bytes(WORD))
        try:
            return int(self._exports[name](self._store, *numbers) or 0)
        except (wasmtime.Trap, wasmtime.WasmtimeError):
            self.position = before
            written = self._exports["memory"].read(self._store, why, why + WORD)
            number = int.from_bytes(written, "little", signed=True)
            if number > 0:
                raise Referred(self.templates["reasons"][number - 1]) from None
            raise Referred(self.templates["limits"].get(str(number), "a limit of the module")) from None

    def _json(self, name: str, *numbers: int) -> Any:
        """Return the value of the JSON text that a function writes."""
        start, size = self.templates["memory"]["text"][0], self._call(name, *numbers)
        return json.loads(bytes(self._exports["memory"].read(self._store, start, start + size)))

    def _write(self, start: int, held: bytes) -> None:
        self._exports["memory"].write(self._store, held, start)


def _signed(number: int) -> int:
    """Return the number with the same 64 bits that may be below 0, as WebAssembly has it."""
    return number - (1 << 64) if number >= 1 << 63 else number


def templates_of(module: bytes) -> dict[str, Any]:
    """Return the templates of a module, which are JSON in a section of their own."""

    def number(at: int) -> tuple[int, int]:
        """Return a number of WebAssembly, of 7 bits a byte, and the place behind it."""
        value, shift = 0, 0
        while module[at] > 127:
            value, shift, at = value | (module[at] & 127) << shift, shift + 7, at + 1
        return value | module[at] << shift, at + 1

    at = 8
    with suppress(IndexError):  # numbers that the end cuts off
        while at < len(module):
            kind = module[at]
            size, start = number(at + 1)
            at = start + size
            if kind == 0:
                length, name = number(start)
                if module[name : name + length] == SECTION.encode():
                    result: dict[str, Any] = json.loads(module[name + length : at])
                    return result
    raise ValueError("this is no module of golpae")


def check(rules: Rules, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the line on which each game begins, and what `golpae check` says of the game."""
    begin, match, said, reader = 0, None, "", Lines(rules.templates)
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line: Any = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        if is_header(line):
            if begin:
                yield begin, said
            begin, match, fault = number, None, reader.header_fault(line)
            if fault is not None:
                said = f"malformed at line {number}: {fault}"
            elif not reader.is_here(line):
                said = "not played at this table"
            else:
                try:
                    match, said = rules.match(line["players"], line.get("stake", 1)), "incomplete"
                except Referred as reason:
                    said = f"referred at line {number}: {reason}"
        elif not begin:
            fault = NO_HEADER if isinstance(line, dict) else NO_OBJECT
            begin, said = number, f"malformed at line {number}: {fault}"
        elif match is not None:
            answer = match.apply(line)
            verdict, words = answer["verdict"], answer.get("message") or answer.get("reason")
            if verdict == "legal":
                said = "legal" if match.state()["stage"] in ("ended", "finished") else "incomplete"
            else:
                match, said = None, f"{verdict} at line {number}: {words}"
    if begin:
        yield begin, said


def main() -> None:
    """Print the verdict on each game of a file."""
    if len(sys.argv) != 3:
        sys.exit("usage: python golpae_host.py MODULE.wasm GAMES.jsonl")
    try:
        rules = Rules(Path(sys.argv[1]).read_bytes())
        with open(sys.argv[2], encoding="utf-8-sig", errors="replace") as games:
            for number, said in check(rules, games):
                print(f"{sys.argv[2]}:{number}  {said}")
    except OSError as fault:
        sys.exit(f"{fault.filename}: {fault.strerror}")
    except (ValueError, wasmtime.WasmtimeError) as fault:
        sys.exit(f"{sys.argv[1]}: {fault}")


if __name__ == "__main__":
    main()
