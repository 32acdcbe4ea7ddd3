"""What a call leaves out and the settings of a project have.

Input: the parser of a verb, and the words of a call. Output: the parser with the files of the project, if the call
names none; the words with the usual options of the verb before them, so that those of the call win.
Guarantee: settings cannot let a verb write a file, nor start a program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from golpae.diagnostics import near
from golpae.project import Project, ProjectFault, Value

WITH_TRACES = ("check", "attribute", "audit", "report", "infer")
WITH_RULES = ("lint", "prove")
WITHOUT = ("new", "playground", "lsp", "help", "completion")
WRITING = frozenset(
    (
        "output",
        "complete_with",
        "smt2",
        "witnesses",
        "certificate",
        "write",
        "write_expected",
        "resume",
        "html",
        "web",
    )
)
_OF_FILES = ("FILE", "DIR")


def fill_in(parser: argparse.ArgumentParser, verb: str, project: Project) -> None:
    """Let the files of a project stand for those that a call does not name."""
    paths = project.traces if verb in WITH_TRACES else project.rules if verb in WITH_RULES else ()
    for action in parser._actions if paths else ():
        if not action.option_strings:
            action.nargs, action.default, action.required = "*", list(paths), False


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
        if action.dest in WRITING:
            raise ProjectFault(f"{place} would write files", "only a call can say so: write it there")
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
        yield f"--{name}={project.path(one) if action.metavar in _OF_FILES else one}"
