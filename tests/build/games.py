"""Recorded games as matches for hosts, and what the reference says of them.

Input: recorded games. Output: a `Task` for each, with what a host has to say, in order.
Guarantee: the same games, spoilt in the same way, whenever they are asked for.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from golpae.build.module import build
from golpae.bundled import spec_dir
from golpae.elaborate.instance import Instance
from golpae.replay.asked_scores import may_win, scores_of
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.rule_names import loader
from golpae.trace import Header, lines
from golpae.trace.header import is_header, read_header
from tests.build.hosts import Step, Task
from tests.build.reference import Shown, answer
from tests.committed import TOP

Line = dict[str, Any]
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    7,
    99,
    "",
    "x",
    "9-9",
    "?",
    "\u202eab`",
    "a" * 80,
    [],
    [[]],
    ["x"],
    [0],
    {},
)


@dataclass(frozen=True, slots=True)
class Told:
    """A match, and what has to be said of it."""

    where: str
    machine: Machine
    task: Task
    expected: list[Any]


@dataclass(slots=True)
class Modules:
    """Modules in a folder, each built once."""

    folder: Path
    library: Library
    _files: dict[tuple[object, ...], Path]

    @classmethod
    def into(cls, folder: Path, library: Library | None = None) -> Modules:
        return cls(folder, library or Library(loader((spec_dir(),))), {})

    def file(self, instance: Instance) -> str:
        """Return the file of a module."""
        key = (instance.rule_set.rules, instance.players, *sorted(instance.options.items()))
        if key not in self._files:
            self._files[key] = self.folder / f"{len(self._files)}.wasm"
            self._files[key].write_bytes(build(instance).wasm)
        return str(self._files[key])

    def __len__(self) -> int:
        return len(self._files)


def recorded(path: Path) -> Iterator[tuple[str, Header, list[Line]]]:
    """Yield the games of a file: where each is, its header, the events whose lines are JSON objects."""
    header: Header | None = None
    where = ""
    events: list[Line] = []
    with path.open("rb") as stream:
        for number, line, fault in lines(stream):
            if line is not None and is_header(line):
                if header is not None:
                    yield where, header, events
                read = read_header(line)
                header = None if isinstance(read, str) or fault is not None else read
                where, events = f"{path.relative_to(TOP)}:{number}", []
            elif header is not None and line is not None and fault is None:
                events.append(line)
            elif header is not None:
                yield where, header, events
                header = None
    if header is not None:
        yield where, header, events


def told(
    modules: Modules, games: Iterable[tuple[str, Header, list[Line]]], tries: int, every: int
) -> Iterator[Told]:
    """Yield games with what has to be said of them: `tries` spoilt events before each, and the state and the legal
    events before every so many of them.
    """
    for where, header, events in games:
        machine = modules.library.machine(header.rules, len(header.players), header.options)
        if isinstance(machine, str):
            continue
        chance, shown, state = random.Random(where), Shown(machine), machine.new_state(header.stake)
        steps: list[Step] = []
        expected: list[Any] = []
        events = [*takewhile(lambda event: not _has_whole_float(event), events)]
        for number, event in enumerate(events):
            is_shown = number % every == 0
            if is_shown:
                expected += [shown.state(state), shown.following(state)]
            wrong = [spoilt(event, events, chance) for _ in range(tries)]
            expected += [answer(_judged(modules, header, [*events[:number], one])) for one in wrong]
            last = answer(_judged(modules, header, events[: number + 1]))
            is_scored = last["verdict"] == "legal" and may_win(machine.actions[event["do"]])
            if is_scored:
                read = machine.read(event["do"], event)
                assert not isinstance(read, Bad)
                _, args = machine.first(event["do"], state, read)
                expected.append({"scores": scores_of(machine, machine.copy(state), Event(event["do"], args))})
            expected.append(last)
            steps.append(Step(event, tuple(wrong), is_shown, is_scored))
            if expected[-1]["verdict"] != "legal":
                break
            assert machine.steps[event["do"]](state, event) is None
        task = Task(modules.file(machine.instance), header.players, header.stake, tuple(steps))
        yield Told(where, machine, task, expected)


def spoilt(event: Line, events: list[Line], chance: random.Random) -> Line:
    """Return another event of the same game, or the same event with one thing changed."""
    out = dict(event)
    key = chance.choice([*out])
    value = out[key]
    match chance.randrange(8):
        case 0 | 1:
            return dict(chance.choice(events))
        case 2:
            del out[key]
        case 3:
            out[chance.choice(("by", "extra", "tyle", key))] = chance.choice(STRANGE)
        case 4 | 5 if isinstance(value, list) and value:
            out[key] = chance.choice(([*value, value[0]], value[1:], value[::-1]))
        case 4 | 5 if isinstance(value, int) and not isinstance(value, bool):
            out[key] = value + chance.choice((-1, 1))
        case _:
            alike = [e[key] for e in events if key in e and type(e[key]) is type(value)]
            out[key] = chance.choice(alike or [None])
    return out


def _has_whole_float(value: Any) -> bool:
    """Return whether a value holds a number such as 1.0, which JavaScript reads as a whole one."""
    if isinstance(value, dict | list):
        return any(map(_has_whole_float, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and value.is_integer()


def _judged(modules: Modules, header: Header, events: list[Line]) -> Report:
    """Return what replay says of the first events of a match."""
    head = {
        "golpae": 1,
        "rules": header.rules,
        "players": header.players,
        "stake": header.stake,
        "options": header.options,
    }
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *events))
    (report,) = replay(io.BytesIO(text.encode()), "games.jsonl", modules.library)
    return report
