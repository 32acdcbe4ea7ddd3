"""The hosts that `golpae build` writes, run on matches.

Input: matches: a module, players, events, events to try before each. Output: what a host says of them, in order.
Guarantee: both hosts are asked the same.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import golpae.build.hosts

HOSTS = Path(golpae.build.hosts.__path__[0])
RUN = Path(__file__).with_name("run_host.mjs")
NODE = shutil.which("node")


@dataclass(frozen=True, slots=True)
class Step:
    """An event, the events that are tried before it, whether state and legal events are asked for before these, and
    whether the scores are that the event counts.
    """

    line: dict[str, Any]
    tries: tuple[dict[str, Any], ...] = ()
    shown: bool = False
    scored: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A match; with `chance`, a seed and a number, at most so many events by chance are played at its end."""

    module: str
    players: tuple[str, ...]
    stake: int
    steps: tuple[Step, ...]
    chance: tuple[int, int] | None = None
    most: int = 0


def python_host() -> Any:
    """Return the host in Python, which stands alone, and finds its other files beside it."""
    sys.path.insert(0, str(HOSTS))
    try:
        return import_module("golpae_host")
    finally:
        sys.path.remove(str(HOSTS))


def in_python(tasks: Sequence[Task]) -> list[list[Any]]:
    """Return what the host in Python says."""
    rules_of = python_host().Rules
    modules = {
        task.module: rules_of(Path(task.module).read_bytes())
        for task in {t.module: t for t in tasks}.values()
    }
    return [json.loads(json.dumps(_said(modules[task.module], task))) for task in tasks]


def _said(rules: Any, task: Task) -> list[Any]:
    match = rules.match([*task.players], task.stake)
    said = []
    for step in task.steps:
        if step.shown:
            said += [_or_referred(match.state), _or_referred(match.following)]
        for wrong in step.tries:
            before = match.position
            said.append(match.apply(wrong))
            match.position = before
        if step.scored:
            said.append(_or_referred(partial(_scores, match, step.line)))
        said.append(match.apply(step.line))
    if task.chance is not None:
        match.begin(*task.chance)
        for number in range(task.most):
            line = match.play() if number else match.deal()
            if line is None:
                break
            said.append(line)
        said.append(match.state())
    return said


def _scores(match: Any, line: dict[str, Any]) -> dict[str, Any]:
    return {"scores": match.scores(line)}


def _or_referred(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except Exception as reason:
        if type(reason).__name__ != "Referred":
            raise
        return {"verdict": "referred", "reason": str(reason)}


def in_javascript(tasks: Sequence[Task], folder: Path) -> list[list[Any]]:
    """Return what the host in JavaScript says, run by Node."""
    assert NODE is not None
    file = folder / "tasks.json"
    held = [asdict(task) for task in tasks]
    for task in held:
        task["chance"] = task["chance"] and [
            *map(str, task["chance"])
        ]  # which may be too large for a number there
    file.write_text(json.dumps(held), encoding="utf-8")
    done = subprocess.run(
        [NODE, RUN, HOSTS, file], capture_output=True, text=True, encoding="utf-8", check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
