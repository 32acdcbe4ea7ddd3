"""What a call leaves out and the settings of a project have.

Input: the parser of a verb, and the words of a call. Output: the parser with the files of the project, if the call
names none; the words with the usual options of the verb before them, so that those of the call win.
Guarantee: settings cannot let a verb write a file, run or import something, nor open a connection.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from golpae.diagnostics import near
from golpae.project import Project, ProjectFault, Value

WITH_TRACES = ("check", "attribute", "audit", "report", "infer")
WITH_RULES = ("lint", "prove")
WITHOUT = ("new", "playground", "lsp", "help", "completion")
# What settings may say: nothing that writes a file, runs or imports something, or opens a connection.
ALLOWED = frozenset(
    "anew complete deep effort except expected fail-under format games hands jobs limit locked measure memory-limit "
    "option players rules rulings seed seeds spec-path time-limit verbose".split()
)
_OF_FILES, _OF_RULES = ("FILE", "DIR"), "RULES"


def fill_in(parser: argparse.ArgumentParser, verb: str, project: Project) -> None:
    """Let the files of a project stand for those that a call does not name: as paths, which are no names of games."""
    paths = project.traces if verb in WITH_TRACES else project.rules if verb in WITH_RULES else ()
    for action in parser._actions if paths else ():
        if not action.option_strings:
            named = [path if os.path.isabs(path) else os.path.join(os.curdir, path) for path in paths]
            action.nargs, action.default, action.required = "*", named, False


def words_of(parser: argparse.ArgumentParser, verb: str, project: Project) -> Iterator[str]:
    """Yield the usual options of a verb as words of a call. Raises `ProjectFault`."""
    known = {name.removeprefix("--"): action for action in parser._actions for name in action.option_strings}
    for name, value in project.options.get(verb, {}).items():
        place = f"`{verb}.{name}` in `{project.file}`"
        action = known.get(name) if len(name) > 1 else None
        if action is None or name == "help":
            names = [option for option in known if len(option) > 1 and option != "help"]
            raise ProjectFault(
                f"{place}: there is no option `--{name}`",
                near(name, names) or f"`golpae {verb} --help` lists them",
            )
        if name not in ALLOWED:
            raise ProjectFault(f"{place} cannot be a setting", "only a call can say so: write it there")
        yield from _words(action, name, value, project, place)


def _words(action: argparse.Action, name: str, value: Value, project: Project, place: str) -> Iterator[str]:
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ProjectFault(f"{place} takes no value", f"write `{name} = true`")
        if value:
            yield f"--{name}"
        return
    if isinstance(value, bool):
        raise ProjectFault(f"{place} needs a value", f"`--{name}` takes {action.metavar or 'one'}")
    values: Sequence[str] = value if isinstance(value, tuple) else (str(value),)
    for one in values:
        yield f"--{name}={_as_seen(action, one, project)}"


def _as_seen(action: argparse.Action, value: str, project: Project) -> str:
    """Return a value of an option; a path as seen from the current folder. Rules have a name, or are a file."""
    if action.metavar == _OF_RULES:
        from golpae.rule_names import is_file, without_switches

        file, switches = without_switches(value)
        return project.path(file) + switches if is_file(file) else value
    return project.path(value) if action.metavar in _OF_FILES else value
