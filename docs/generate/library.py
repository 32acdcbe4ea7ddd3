"""The reference of the Python library: every name of `golpae` and `golpae.testing`, from its docstring and signature.

Input: the package. Output: the page `docs/library-reference.md`.
Guarantee: every name is there once, and so is every argument, attribute and method that is for users.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from types import FunctionType
from typing import Any, cast

import pytest

import golpae
from docs.generate.files import TOP
from golpae import testing
from golpae.testing import plugin

PAGE = TOP / "docs" / "library-reference.md"
GROUPS = {
    "Functions": "load load_text names live check check_all count_verdicts recorded_games verdicts_table "
    "verdict_batches score compare_rules compare_traces compare_switch attribute_games",
    "Rules and tables": "Rules Switch Option Action Key Condition Property Table",
    "Live games": "Game Accepted Refused Event Choice Position Meld",
    "Recorded games": "Checked Verdict Ruled Conflicting Recorded Attributed SwitchEvidence",
    "Scores": "Scored Way Missed Misfit Waiting Wait",
    "Simulations": "Simulated Share Mean Turn",
    "Proofs and comparisons": "Proof Compared Difference ComparedTable Answer Size ComparedTraces Change "
    "ComparedSwitch SwitchPart SwitchGame",
    "Exceptions": "GolpaeError RulesError TableError TraceError HandError PolicyError LimitError MissingExtra "
    "Diagnostic",
    "Other types": "FrozenDict Policy Trace",
}
TESTING = {
    "Test an engine": "conform conform_scores Adapter Refused Scorer Conformed ConformedTable Disagreement "
    "ScoresConformed ScoreDifference",
    "Games to draw": "games positions spoilt Spoilt",
}
"""The names of `golpae.testing`."""
ALIASES = {
    "Policy": (
        "str | Callable[[Turn], int | None]",
        "How a seat plays: `random`, `greedy`, `towards`, or a function that returns the number of a choice.",
    ),
    "Trace": (
        "str | os.PathLike[str] | bytes | Iterable[Mapping[str, Any]] | Iterable[str]",
        "A recorded game: the path of its file; its text, which begins with `{`; or its lines, each a dict or a text.",
    ),
    "testing.Scorer": (
        "Callable[[dict[str, Any]], int | bool | None]",
        "Counts a hand, a dict with the keys of the score: its points, None for nothing, False if it does not know it.",
    ),
}
OF_TURN = ("seat", "lines", "zones", "can_wait", "first", "chance")  # what a policy may read
KINDS = {
    "bool": "true or false",
    "paths": "paths",
    "args": "words",
}  # of settings, by the name that pytest has for them
HIDDEN = "no part of the interface"
SECTIONS = ("Args", "Attributes", "Returns", "Raises")
HEAD = """# Reference of the Python library

Made from the docstrings by `python -m docs.generate`. [The page on the library](library.md) teaches it. These names
are stable.

`PathLike` is `str | os.PathLike[str]`, `OnFault` is `Callable[[TraceError], object]`,
`Given` is `Rules | Table | PathLike`.
"""
HEAD_OF_TESTING = """These names are in `golpae.testing` (`pip install '.[testing]'` in golpae's folder), and as stable
as the others. [The page on testing](testing.md) teaches them.
"""
HEAD_OF_OPTIONS = """The plugin for pytest is loaded where golpae is installed. Settings go into the section of
pytest in `pyproject.toml` or `pytest.ini`.

| option or setting | kind | what it does |
|---|---|---|"""


def page() -> str:
    """Return the page."""
    return "\n".join((HEAD, *_groups())).rstrip() + "\n\n[All pages](README.md)\n"


def _groups() -> Iterator[str]:
    for title, names in GROUPS.items():
        yield f"## {title}\n"
        for name in names.split():
            yield from _name(name, getattr(golpae, name, None))
    for number, (title, names) in enumerate(TESTING.items()):
        yield f"## {title}\n" if number else f"## {title}\n\n{HEAD_OF_TESTING}"
        for name in names.split():
            yield from _name(f"testing.{name}", getattr(testing, name))
    yield f"## Options of pytest\n\n{HEAD_OF_OPTIONS}"
    yield from _options()


def _options() -> Iterator[str]:
    """Yield a row for each option and setting that the plugin adds."""
    rows: list[tuple[str, str, str]] = []

    class Parser:
        """Stands for the parser of pytest, and notes what it is given."""

        def getgroup(self, name: str, description: str) -> Parser:
            return self

        def addoption(self, name: str, **of: str) -> None:
            kind = "option, can be repeated" if of.get("action") == "append" else "option"
            rows.append((f"`{name} {of['metavar']}`" if "metavar" in of else f"`{name}`", kind, of["help"]))

        def addini(self, name: str, words: str, kind: str, default: object) -> None:
            usual = f"; `{' '.join(default)}` by default" if isinstance(default, list) and default else ""
            rows.append((f"`{name}`", f"setting: {KINDS[kind]}", f"{words}{usual}"))

    plugin.pytest_addoption(cast("pytest.Parser", Parser()))
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _name(name: str, value: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if name in ALIASES:
        kind, words = ALIASES[name]
        yield f"```python\n{name} = {kind}\n```\n\n{words}\n"
        return
    if isinstance(value, FunctionType):
        yield from _function(f"golpae.{name}", value)
    elif issubclass(value, Enum):
        yield from _enum(value)
    else:
        yield from _class(name, value)


def _function(shown: str, function: Any) -> Iterator[str]:
    yield f"```python\n{_signature(shown, function)}\n```\n"
    yield from _documented(function.__doc__)


def _signature(shown: str, function: Any) -> str:
    found = inspect.signature(function)
    params = [p for name, p in found.parameters.items() if name != "self"]
    words = str(found.replace(parameters=params)).replace("'", "")
    line = f"{shown}{words}"
    if len(line) <= 110:
        return line
    inside, _, returned = words[1:].rpartition(") -> ")
    parts = [part.strip() for part in re.split(r", (?![^\[(]*[\])])", inside)]
    return f"{shown}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {returned}"


def _enum(value: type[Enum]) -> Iterator[str]:
    yield f"{inspect.cleandoc(value.__doc__ or '')}\n"
    yield "".join(f"- `{value.__name__}.{one.name}`: `{one.value}`\n" for one in value)


def _class(name: str, value: Any) -> Iterator[str]:
    shown = (*golpae.__all__, "ValueError", "ImportError")
    short = name.removeprefix("testing.")
    bases = [base.__name__ for base in value.__bases__ if base.__name__ in shown]
    if bases:
        yield f"```python\nclass {name}({', '.join(bases)})\n```\n"
    types = {}
    if dataclasses.is_dataclass(value):
        types = {field.name: str(field.type) for field in dataclasses.fields(value)}
    properties = dict(_properties(name, value))
    types |= {key: kind for key, (kind, _) in properties.items()}
    yield from _documented(value.__doc__, types)
    listed = set(_section(value.__doc__, "Attributes"))
    more = {key: told for key, told in properties.items() if key not in listed}
    if more:
        yield "".join(f"- `{key}` (`{kind}`): {_small(words)}\n" for key, (kind, words) in more.items())
    for method, function in vars(value).items():
        if isinstance(function, FunctionType) and _is_shown(method, function) and name != "Turn":
            yield f"#### {short}.{method}\n"
            yield from _function(method, function)
    if "__bool__" in vars(value):
        yield f"As a truth: {_small(str(value.__bool__.__doc__)).removeprefix('return ')}\n"


def _is_shown(name: str, function: FunctionType) -> bool:
    """Return whether a method is for users."""
    return not name.startswith("_") and HIDDEN not in (function.__doc__ or "")


def _properties(name: str, value: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    for key, held in vars(value).items():
        if isinstance(held, property) and not key.startswith("_") and held.fget is not None:
            words = inspect.cleandoc(held.fget.__doc__ or "")
            if HIDDEN in words or (name == "Turn" and key not in OF_TURN):
                continue
            yield key, (held.fget.__annotations__["return"], words)


def _documented(doc: str | None, types: dict[str, str] | None = None) -> Iterator[str]:
    """Yield a docstring as Markdown. `types` are those of attributes."""
    text = inspect.cleandoc(doc or "")
    head = re.split(rf"^(?:{'|'.join(SECTIONS)}):$", text, maxsplit=1, flags=re.MULTILINE)[0]
    yield f"{head.strip()}\n"
    for title in SECTIONS:
        found = _section(doc, title)
        if title == "Returns" and found:
            yield f"Returns: {_small(found[''])}\n"
        elif found:
            heading = "" if title in ("Args", "Attributes") else f"{title}:\n\n"
            typed = {name: f" (`{types[name]}`)" if types and name in types else "" for name in found}
            yield heading + "".join(f"- `{name}`{typed[name]}: {words}\n" for name, words in found.items())


def _section(doc: str | None, title: str) -> dict[str, str]:
    """Return a section of a docstring: what is said of each name. `Returns` has one part without a name."""
    text = inspect.cleandoc(doc or "")
    found = re.search(rf"^{title}:\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    if found is None:
        return {}
    body = textwrap.dedent(found[1])
    if title == "Returns":
        return {"": " ".join(body.split())}
    parts = re.split(r"^(\w+): ", body, flags=re.MULTILINE)[1:]
    return {name: " ".join(words.split()) for name, words in zip(parts[::2], parts[1::2], strict=True)}


def _small(words: str) -> str:
    """Return a sentence as the rest of another one."""
    words = " ".join(words.split())
    return words[:1].lower() + words[1:]


def _public() -> Iterator[tuple[str, Any]]:
    """Yield every public name that is no alias, with what it stands for."""
    yield from ((name, getattr(golpae, name)) for name in golpae.__all__ if name not in ALIASES)
    yield from (
        (f"testing.{n}", getattr(testing, n)) for n in testing.__all__ if f"testing.{n}" not in ALIASES
    )


def arguments_without_words() -> list[str]:
    """Return what a public function or method takes, and its docstring does not tell."""
    out = []
    for name, value in _public():
        functions = {name: value} if isinstance(value, FunctionType) else {}
        if isinstance(value, type) and value.__module__.startswith(("golpae.library", "golpae.testing")):
            methods = {
                m: f for m, f in vars(value).items() if isinstance(f, FunctionType) and _is_shown(m, f)
            }
            functions = {f"{name}.{method}": function for method, function in methods.items()}
        for shown, function in functions.items():
            told = inspect.cleandoc(function.__doc__ or "")
            if not re.search(r"as `[\w.]+` (?:of A )?does|arguments (?:and exceptions )?are those of", told):
                names = [name for name in inspect.signature(function).parameters if name != "self"]
                out += [f"{shown}: {name}" for name in names if not re.search(rf"\b{name}\b", told)]
    return out


def attributes_without_words() -> list[str]:
    """Return the fields of public results that their docstrings do not tell."""
    out = []
    for name, value in _public():
        if isinstance(value, type) and dataclasses.is_dataclass(value) and name != "Rules":
            told = _section(value.__doc__, "Attributes")
            shown = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]
            out += [f"{name}.{field}" for field in shown if field not in told]
    return out
