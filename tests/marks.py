"""The marks that a test gets from what it uses, so that a new test cannot forget them.

Input: a collected test. Output: the names of its marks, which `tests/conftest.py` adds.
Guarantee: a test that hypothesis runs, or that draws random numbers, is marked `property`; a test that uses a module
of golpae that loads z3 is marked `solver`; a test that starts other programs is marked `process`.

A test uses what its code names, and what the code of its fixtures and of the helpers under `tests/` names:

    def test_an_invariant_is_proved() -> None:
        result = result_of("always few: ...")      # a helper, which names golpae.verify.verifier.Verifier
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import golpae

PACKAGE = Path(golpae.__file__).parent
SOLVERS = frozenset({"z3", "cvc5"})
RANDOM = "random"
PROCESSES = frozenset({"subprocess", "pty", "golpae.workers"})
# An import at the top level of a formatted module: not in a function, nor for the type check alone.
IMPORT = re.compile(r"^(?:from (\S+) import (\([^)]*\)|.*)|import (.*))", re.MULTILINE)
LISTS_FILES = "tests.committed"  # starts git, but takes no time


@cache
def marks_of(test: Any, fixtures: tuple[Any, ...] = ()) -> tuple[str, ...]:
    """Return the names of the marks that a test function gets from what it and its fixtures use."""
    return tuple(_marks_of(test, fixtures))


def _marks_of(test: Any, fixtures: tuple[Any, ...]) -> Iterator[str]:
    used = set(used_modules([test, *fixtures]))
    if RANDOM in used or getattr(test, "is_hypothesis_test", False):
        yield "property"
    if any(loads_solver(module) for module in used):
        yield "solver"
    if not PROCESSES.isdisjoint(used):
        yield "process"


# ------------------------------------------------------------------ what a function uses


def used_modules(functions: Iterable[Any]) -> Iterator[str]:
    """Yield the modules of everything that functions name, directly or through helpers under `tests/`."""
    seen: set[int] = set()
    todo = list(functions)
    while todo:
        value = _plain(todo.pop())
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, str):
            yield value
        elif isinstance(value, ModuleType):
            yield value.__name__
        else:
            home = value if isinstance(value, type | FunctionType) else type(value)
            yield home.__module__
            if home.__module__.startswith("tests.") and home.__module__ != LISTS_FILES:
                todo.extend(_named_in(home))


def _plain(value: Any) -> Any:
    """Return the function behind decorators, caches, bound methods and hypothesis."""
    value = getattr(getattr(value, "hypothesis", None), "inner_test", value)
    value = inspect.unwrap(value) if callable(value) else value
    return getattr(value, "__func__", value)


@cache
def _named_in(home: type | FunctionType) -> tuple[Any, ...]:
    """Return the values of all global names in a function, or in the methods of a class."""
    return tuple(_named(home))


def _named(home: type | FunctionType) -> Iterator[Any]:
    if isinstance(home, type):
        yield from home.__mro__[1:]
        for value in vars(home).values():
            method = _plain(value.fget if isinstance(value, property) else value)
            if isinstance(method, FunctionType):
                yield method
        return
    names = set(_names(home.__code__))
    for name in names:
        if name not in home.__globals__:
            if "." in name or name in {*SOLVERS, *PROCESSES, RANDOM}:  # the function itself imports it
                yield from (name, *(f"{name}.{other}" for other in names))
            continue
        value = home.__globals__[name]
        yield value
        if isinstance(value, ModuleType) and value.__name__.startswith(("tests.", "golpae.")):
            yield from (vars(value)[other] for other in names if other in vars(value))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


# ------------------------------------------------------------------ what a module loads


@cache
def loads_solver(module: str) -> bool:
    """Return whether importing a module of golpae loads a solver. Imports inside functions do not count."""
    todo, seen = [module], set()
    while todo:
        name = todo.pop()
        if name.partition(".")[0] in SOLVERS:
            return True
        if name not in seen:
            seen.add(name)
            todo.extend(_imports(name))
    return False


@cache
def _imports(module: str) -> tuple[str, ...]:
    """Return what a module of golpae imports as it is loaded, and its packages."""
    if module.partition(".")[0] != "golpae":
        return ()
    path = PACKAGE.joinpath(*module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file():
        return ()
    names = [module.rpartition(".")[0]]
    for origin, several, imported in IMPORT.findall(file.read_text(encoding="utf-8")):
        words = [word.split()[0] for word in (imported or several.strip("()")).split(",") if word.strip()]
        names += [origin, *(f"{origin}.{word}" for word in words)] if origin else words
    return tuple(names)
