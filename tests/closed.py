"""`python -m tests.closed`: check that mypy reports every class of the IR that a reader forgets.

Input: the package; names of node classes, to try only these.
Output: for each node class and each effect, every `match` that lists it, and the statement of its structure. Each is
removed in a copy of the package, and mypy has to report an error there. Without names, also each field of each class
of expressions, effects, statements and checks: the readers forget it, and the rule of `tests.fields` has to find a gap
in each case that lists the class. Then the single tests for a class
(`isinstance`, a pattern within another pattern), which mypy cannot check, each with its general answer.
Exit status: 0 if each removal is reported, else 1.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from golpae.ir import expr as ir
from tests import fields
from tests.committed import TOP

PACKAGE = TOP / "checker" / "golpae"
NODES = tuple(node.__name__ for node in (*get_args(ir.Expr), *get_args(ir.Effect)))
NOT_TRIED = (
    "a test for one class, not a choice among all: whatever it does not test for takes the general way, so that a "
    "class which is added is read rightly, if not in the quickest way"
)


FAMILY = "DuringGame"  # the classes that a reader may leave aside together, by one `isinstance`
Expected = dict[str, bool]  # places that a removal has to be reported at, and whether it is
IN_FAMILY = frozenset(node.__name__ for node in get_args(ir.DuringGame))


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A `match` over nodes: its file, its number there, its line, whether it is closed.

    It lists some classes, and leaves the family `aside` before, or not.
    """

    file: Path
    number: int
    line: int
    lists: frozenset[str]
    aside: frozenset[str]
    closed: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(PACKAGE)}:{self.line}"


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    """Return the modules of the package, each parsed; nobody changes them."""
    return [(file, ast.parse(file.read_text(encoding="utf-8"))) for file in sorted(PACKAGE.rglob("*.py"))]


def dispatches(file: Path, module: ast.Module) -> Iterator[Dispatch]:
    """Return the matches of a module whose subject is a node of the IR."""
    matches = _matches(module)
    leaves_aside = any(isinstance(n, ast.Attribute) and n.attr == FAMILY for n in ast.walk(module))
    for number, match in enumerate(matches):
        lists = frozenset(name for case in match.cases for name in _classes(case.pattern))
        aside = IN_FAMILY if leaves_aside and "Const" in lists else frozenset()
        if lists:
            yield Dispatch(file, number, match.lineno, lists, aside, _is_closed(match))


def single_tests(file: Path, module: ast.Module) -> Iterator[tuple[int, str]]:
    """Return the tests for single classes in a module: their lines and the classes."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            names = sorted({n for part in ast.walk(node.args[1]) if (n := _node_name(part)) is not None})
            if names:
                yield node.lineno, f"isinstance: {', '.join(names)}"
        if isinstance(node, ast.match_case):
            inner = {
                n
                for pattern in ast.walk(node.pattern)
                if isinstance(pattern, ast.MatchClass) and (n := _node_name(pattern.cls)) is not None
            }
            inner -= set(_classes(node.pattern))
            if inner:
                yield node.pattern.lineno, f"inner pattern: {', '.join(sorted(inner))}"


def _classes(pattern: ast.pattern) -> Iterator[str]:
    """Return the classes of nodes that a pattern lists for the subject itself."""
    match pattern:
        case ast.MatchClass(cls=cls):
            name = _node_name(cls)
            if name is not None:
                yield name
        case ast.MatchOr(patterns=patterns):
            for part in patterns:
                yield from _classes(part)
        case ast.MatchAs(pattern=inner) if inner is not None:
            yield from _classes(inner)
        case _:
            pass


def _node_name(cls: ast.AST) -> str | None:
    """Return the name of a node class that is written `ir.Name`."""
    if isinstance(cls, ast.Attribute) and isinstance(cls.value, ast.Name) and cls.value.id == "ir":
        return cls.attr if cls.attr in NODES else None
    return None


def _is_closed(match: ast.Match) -> bool:
    """Return whether the last case is `case _: assert_never(...)`, or no case is a catch-all."""
    last = match.cases[-1]
    anything = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return anything and len(last.body) == 1 and "assert_never" in ast.dump(last.body[0])


def without(match: ast.Match, name: str) -> None:
    """Take a class out of a match."""
    kept = []
    for case in match.cases:
        pattern = _pattern_without(case.pattern, name)
        if pattern is not None:
            case.pattern = pattern
            kept.append(case)
    match.cases = kept


def _pattern_without(pattern: ast.pattern, name: str) -> ast.pattern | None:
    if isinstance(pattern, ast.MatchOr):
        parts = [p for part in pattern.patterns if (p := _pattern_without(part, name)) is not None]
        return None if not parts else parts[0] if len(parts) == 1 else ast.MatchOr(parts)
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        inner = _pattern_without(pattern.pattern, name)
        return None if inner is None else ast.MatchAs(inner, pattern.name)
    return None if name in _classes(pattern) else pattern


# ---------------------------------------------------------------- trying it


def try_readers(name: str, checker: Path) -> Expected:
    """Take a class out of every match that lists it, in the copy of the package in `checker`; restore the copy.

    Return for each place whether mypy reports the removal there.
    """
    expected: dict[str, tuple[Path, range]] = {}  # a place: its file in the copy, and the lines of an error
    changed: dict[Path, str] = {}
    for file, module in modules():
        places = [d for d in dispatches(file, module) if name in d.lists - d.aside]
        if not places:
            continue
        copy = checker / file.relative_to(PACKAGE.parent)
        changed[copy] = copy.read_text(encoding="utf-8")
        matches = _matches(module)
        for place in places:
            without(matches[place.number], name)
        written = ast.unparse(ast.fix_missing_locations(module))
        copy.write_text(written, encoding="utf-8")
        after = _matches(ast.parse(written))
        expected |= {str(place): (copy, _lines(after[place.number])) for place in places}
    errors = _mypy(checker, [*changed]) if changed else []
    for copy, text in changed.items():
        copy.write_text(text, encoding="utf-8")
    return _noticed(expected, errors)


def try_statement(name: str, checker: Path) -> Expected:
    """Take the statement of its structure from a class, and the class from its family, as `try_readers` does."""
    nodes, walks = (checker / "golpae" / "ir" / file for file in ("expr.py", "traverse.py"))
    text = nodes.read_text(encoding="utf-8")
    module = ast.parse(text)
    [definition] = [n for n in module.body if isinstance(n, ast.ClassDef) and n.name == name]
    definition.body = [s for s in definition.body if not _is_structure(s)]
    _leave_family(module, name)
    expected = {"ir/expr.py: its STRUCTURE": (walks, range(1, 10_000))}
    for file, other in modules():
        for place in dispatches(file, other):
            if name in place.aside:
                copy = checker / file.relative_to(PACKAGE.parent)
                expected[f"{place}, by {FAMILY}"] = (copy, _lines(_matches(other)[place.number]))
    nodes.write_text(ast.unparse(ast.fix_missing_locations(module)), encoding="utf-8")
    errors = _mypy(checker, sorted({file for file, _ in expected.values()}))
    nodes.write_text(text, encoding="utf-8")
    return _noticed(expected, errors)


def _matches(module: ast.Module) -> list[ast.Match]:
    return [node for node in ast.walk(module) if isinstance(node, ast.Match)]


def _lines(match: ast.Match) -> range:
    assert match.end_lineno is not None
    return range(match.lineno, match.end_lineno + 1)


def _noticed(expected: Mapping[str, tuple[Path, range]], errors: list[tuple[str, int]]) -> Expected:
    return {
        where: any(error == str(file) and line in lines for error, line in errors)
        for where, (file, lines) in expected.items()
    }


def _leave_family(module: ast.Module, name: str) -> None:
    """Move a class from the family of the union `Expr` to the union itself."""
    for statement in module.body:
        if isinstance(statement, ast.Assign) and name in IN_FAMILY:
            target = ast.unparse(statement.targets[0])
            members = [part for part in ast.unparse(statement.value).split(" | ") if part != name]
            if target in (FAMILY, "Expr"):
                more = [name] if target == "Expr" else []
                statement.value = ast.parse(" | ".join(members + more), mode="eval").body


def _is_structure(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "STRUCTURE"


def _mypy(checker: Path, files: Sequence[Path]) -> list[tuple[str, int]]:
    """Return the files and lines of all errors in these files of the package under `checker`."""
    options = ["--config-file", str(TOP / "pyproject.toml"), "--no-error-summary", "--no-pretty"]
    options += ["--cache-dir", str(checker.parent / "cache"), "--show-absolute-path"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *map(str, files)],
        cwd=checker.parent,
        env=os.environ | {"MYPYPATH": str(checker)},
        capture_output=True,
        text=True,
        check=False,
    )
    out = []
    for line in done.stdout.splitlines():
        parts = line.split(":")
        if len(parts) > 2 and parts[1].isdigit() and "error" in parts[2]:
            out.append((parts[0], int(parts[1])))
    return out


def try_fields() -> tuple[int, int]:
    """Let the readers forget each field of each class; return how often this was tried, and how often not noticed.

    It is noticed if the rule of `tests.fields`, which runs with the ordinary tests, finds a gap in that case.
    """
    package = fields.modules(PACKAGE)
    listed = [*fields.Reading(package).cases()]
    tried = missed = number = 0
    while True:
        forgetful, words = fields.forgetting(package, number)
        if not words:
            return tried, missed
        gaps = fields.Reading(forgetful).gaps()
        noticed = {(g.module, g.line, g.node) for g in gaps if words.get(g.node) in g.missing}
        for case in (c for c in listed if c.node in words):
            tried += 1
            if (case.module, case.line, case.node) not in noticed:
                missed += 1
                print(f"  not noticed: {case.module}:{case.line}: {case.node} without {words[case.node]}")
        number += 1


def main(names: Sequence[str]) -> int:
    """Try the named classes, or all; return the exit status."""
    unknown = [name for name in names if name not in NODES]
    if unknown:
        print(f"no node class is called {', '.join(unknown)}; there are {', '.join(NODES)}", file=sys.stderr)
        return 2
    tried = missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder, which, "checker").resolve() for which in ("readers", "statements")]
        for checker in copies:
            shutil.copytree(PACKAGE, checker / "golpae", ignore=shutil.ignore_patterns("__pycache__"))
            assert _mypy(checker, [checker / "golpae"]) == [], "the package itself has to pass the type check"
        for name in names or NODES:
            noticed = try_readers(name, copies[0]) | try_statement(name, copies[1])
            silent = [where for where, seen in noticed.items() if not seen]
            tried += len(noticed)
            missed += len(silent)
            print(f"{name}: {len(noticed) - len(silent)} of {len(noticed)} noticed", flush=True)
            for where in silent:
                print(f"  not noticed: {where}", flush=True)
    print(f"\n{tried} removals tried, {tried - missed} noticed by the type check")
    if not names:
        of_fields, silent_fields = try_fields()
        missed += silent_fields
        print(
            f"{of_fields} fields forgotten, {of_fields - silent_fields} noticed by the rule of tests/fields.py"
        )
    print()
    print(f"Not tried ({NOT_TRIED}):")
    for file, module in modules():
        for line, what in single_tests(file, module):
            print(f"  {file.relative_to(PACKAGE)}:{line}  {what}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
