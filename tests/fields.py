"""Which fields of a node a reader reads: a rule on the source of the package, and what breaks it.

Input: the parsed modules of the package. Output: `Gap`s: a case of a closed `match` over nodes, a class that it lists,
and the fields of the class that neither the case nor what it calls with the node reads.
Guarantee: a field that is added to a node is a gap in every case that lists the class, until somebody has said there
what the field means (or `field=_`: nothing). Fields that all nodes have (`type`, `span`, comments) do not count.

A case reads a field if its pattern names it, if its body asks the node for it, or if its body hands the whole node to
a function for this class (`node: ir.Quant`) that reads it. A case that only raises needs no fields. A case for which
the class alone matters, whatever its fields, says so: `# by class` at the end of its head. Effects and statements,
which are few and hold further ones, may not say this.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from golpae.ir import expr as ir
from golpae.lower import checks, statements
from golpae.syntax import tree

COMMON = frozenset({"type", "span", "bracketed", "remarks"})
BY_CLASS = "# by class"
NONE: Mapping[str, str] = MappingProxyType({})


UNIONS: dict[str, tuple[type, ...]] = {
    "golpae.ir.expr.Expr": get_args(ir.Expr),
    "golpae.ir.expr.Effect": get_args(ir.Effect),
    "golpae.lower.statements.Statement": get_args(statements.Statement),
    "golpae.lower.checks.Test": get_args(checks.Test),
    "golpae.syntax.tree.Expr": get_args(tree.Expr),
    "golpae.syntax.tree.Effect": get_args(tree.Effect),
    "golpae.syntax.tree.Type": get_args(tree.Type),
}
NODES: dict[str, type] = {f"{c.__module__}.{c.__name__}": c for u in UNIONS.values() for c in u}
NESTING = frozenset(
    f"{c.__module__}.{c.__name__}"
    for union in ("golpae.ir.expr.Effect", "golpae.lower.statements.Statement", "golpae.syntax.tree.Effect")
    for c in UNIONS[union]
)


@dataclass(frozen=True, slots=True)
class Gap:
    """A case that lists a class and does not read some of its fields."""

    module: str
    line: int
    node: str
    missing: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.node.rpartition('.')[2]} without {', '.join(self.missing)}"


@dataclass(frozen=True)
class Module:
    """A module of the package: its text, and what its names stand for."""

    name: str
    text: str
    tree: ast.Module

    @cached_property
    def imported(self) -> dict[str, str]:
        """Return what each name that is imported stands for: `ir`, for example, for `golpae.ir.expr`."""
        out: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                out |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        return out

    def meaning(self, expr: ast.expr | None) -> str | None:
        """Return what a name or `module.name` stands for."""
        match expr:
            case ast.Name(id=name):
                return self.imported.get(name, f"{self.name}.{name}")
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                return f"{self.imported[name]}.{attr}" if name in self.imported else None
            case ast.Constant(value=str() as text):
                return self.meaning(ast.parse(text, mode="eval").body)
            case _:
                return None

    def functions(self) -> Iterator[ast.FunctionDef]:
        """Return all functions and methods."""
        yield from (n for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef))


def modules(package: Path) -> list[Module]:
    """Return the modules of a package, parsed."""
    out = []
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        text = file.read_text(encoding="utf-8")
        out.append(Module(".".join(parts), text, ast.parse(text)))
    return out


def forgetting(package: Sequence[Module], number: int) -> tuple[list[Module], dict[str, str]]:
    """Return the package if its readers forgot one field of each class, the one with this number, and these fields."""
    forgotten = {}
    for name in NODES:
        if len(own := Reading(()).fields_of(name)) > number:
            forgotten[name] = own[number]
    words = frozenset(forgotten.values())
    out = []
    for module in package:
        tree = copy.deepcopy(module.tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in words:
                node.attr += "_forgotten"
            elif isinstance(node, ast.MatchClass) and (meaning := module.meaning(node.cls)) is not None:
                if meaning in forgotten:
                    _forget(node, meaning, forgotten[meaning])
        out.append(Module(module.name, module.text, tree))
    return out, forgotten


def _forget(pattern: ast.MatchClass, name: str, word: str) -> None:
    """Take a field out of a pattern."""
    node: Any = NODES[name]
    pairs = list(zip(node.__match_args__, pattern.patterns, strict=False))
    pairs += zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
    left = [pair for pair in pairs if pair[0] != word]
    pattern.patterns = []
    pattern.kwd_attrs, pattern.kwd_patterns = [w for w, _ in left], [p for _, p in left]


class Reading:
    """What the functions of a package read of the nodes that they are given."""

    def __init__(self, package: Sequence[Module], added: Mapping[str, str] = NONE) -> None:
        """Take the modules, and a field more for some classes, which no reader can know."""
        self.package = package
        self.added = added
        self.by_name: dict[str, list[tuple[Module, ast.FunctionDef]]] = {}
        for module in package:
            for function in module.functions():
                self.by_name.setdefault(function.name, []).append((module, function))
        self.known: dict[tuple[int, str, str], frozenset[str]] = {}

    def fields_of(self, name: str) -> tuple[str, ...]:
        """Return the names of the fields of a node class that a reader has to read, in their order."""
        node: Any = NODES[name]
        own = (f.name for f in dataclasses.fields(node) if f.name not in COMMON)
        return (*own, self.added[name]) if name in self.added else tuple(own)

    def gaps(self) -> Iterator[Gap]:
        """Return the gaps of the package."""
        return (case for case in self.cases() if case.missing)

    def cases(self) -> Iterator[Gap]:
        """Return each class that a case lists, with or without a gap, unless it only raises or is `BY_CLASS`."""
        for module in self.package:
            for match in (n for n in ast.walk(module.tree) if isinstance(n, ast.Match)):
                if is_closed(match):
                    yield from self._cases_of(module, match)

    def _cases_of(self, module: Module, match: ast.Match) -> Iterator[Gap]:
        lines = module.text.splitlines()
        for case in match.cases:
            for subject, pattern in _of_subjects(match.subject, case.pattern):
                for alias, listed in _listed(pattern):
                    name = module.meaning(listed.cls)
                    if name not in NODES or isinstance(case.body[0], ast.Raise):
                        continue
                    if name not in NESTING and any(BY_CLASS in line for line in _head(lines, case)):
                        continue
                    read = self._named(name, listed)
                    for word in {ast.unparse(subject), *alias}:
                        read |= self._read_in([*case.body, *_guard(case)], module, word, name)
                    missing = tuple(f for f in self.fields_of(name) if f not in read)
                    yield Gap(module.name, listed.lineno, name, missing)

    @staticmethod
    def _named(name: str, pattern: ast.MatchClass) -> frozenset[str]:
        node: Any = NODES[name]
        positional = node.__match_args__[: len(pattern.patterns)]
        return frozenset((*positional, *pattern.kwd_attrs))

    def _read_in(self, parts: Sequence[ast.AST], module: Module, word: str, name: str) -> frozenset[str]:
        """Return the fields of the node that `word` stands for which some code reads."""
        out: frozenset[str] = frozenset()
        for node in (n for part in parts for n in ast.walk(part)):
            match node:
                case ast.Attribute(value=value, attr=attr) if ast.unparse(value) == word:
                    out |= {attr}
                case ast.Call(func=func, args=args, keywords=keywords):
                    for place, arg in enumerate(args):
                        if ast.unparse(arg) == word:
                            out |= self._read_by(module, func, place, name)
                    for keyword in keywords:
                        if ast.unparse(keyword.value) == word and keyword.arg is not None:
                            out |= self._read_by(module, func, keyword.arg, name)
                case ast.Match(subject=subject) if ast.unparse(subject) == word:
                    for case in node.cases:
                        for _, listed in _listed(case.pattern):
                            if module.meaning(listed.cls) == name:
                                out |= self._named(name, listed)
                case _:
                    pass
        return out

    def _read_by(self, module: Module, func: ast.expr, place: int | str, name: str) -> frozenset[str]:
        """Return the fields that a function reads of a node which it is given at a place."""
        called = (
            func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        )
        found = self.by_name.get(called, [])
        here = [(m, f) for m, f in found if m is module]
        out: frozenset[str] = frozenset()
        for other, function in here or found:
            out |= self._read_by_function(other, function, isinstance(func, ast.Attribute), place, name)
        return out

    def _read_by_function(
        self, module: Module, function: ast.FunctionDef, method: bool, place: int | str, name: str
    ) -> frozenset[str]:
        parameters = [*function.args.posonlyargs, *function.args.args]
        if parameters and parameters[0].arg in ("self", "cls") and method:
            parameters = parameters[1:]
        every = {p.arg: p for p in [*parameters, *function.args.kwonlyargs]}
        if isinstance(place, int):
            parameter = parameters[place] if place < len(parameters) else None
        else:
            parameter = every.get(place)
        if parameter is None:
            return frozenset()
        for part in _alternatives(parameter.annotation):
            meaning = module.meaning(part)
            if meaning == name:
                key = (id(function), parameter.arg, name)
                if key not in self.known:
                    self.known[key] = frozenset()  # a function that calls itself reads no more by that
                    self.known[key] = self._read_in(function.body, module, parameter.arg, name)
                return self.known[key]
        return frozenset()


def is_closed(match: ast.Match) -> bool:
    """Return whether the last case is `case _: assert_never(...)`."""
    last = match.cases[-1]
    anything = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return anything and len(last.body) == 1 and "assert_never" in ast.dump(last.body[0])


def _head(lines: Sequence[str], case: ast.match_case) -> Sequence[str]:
    """Return the lines of a case as far as its first statement."""
    return lines[case.pattern.lineno - 1 : case.body[0].lineno]


def _guard(case: ast.match_case) -> list[ast.expr]:
    return [] if case.guard is None else [case.guard]


def _alternatives(annotation: ast.expr | None) -> Iterator[ast.expr]:
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case None:
            pass
        case _:
            yield annotation


def _of_subjects(subject: ast.expr, pattern: ast.pattern) -> Iterator[tuple[ast.expr, ast.pattern]]:
    """Return each subject of a match with the pattern for it: a tuple has several."""
    match subject, pattern:
        case ast.Tuple(elts=subjects), ast.MatchSequence(patterns=patterns):
            yield from zip(subjects, patterns, strict=False)
        case ast.Tuple(), ast.MatchOr(patterns=patterns):
            for part in patterns:
                yield from _of_subjects(subject, part)
        case _:
            yield subject, pattern


def _listed(
    pattern: ast.pattern, alias: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], ast.MatchClass]]:
    """Return the classes that a pattern lists for the subject itself, each with the names that the case gives it."""
    match pattern:
        case ast.MatchClass():
            yield alias, pattern
        case ast.MatchOr(patterns=patterns):
            for part in patterns:
                yield from _listed(part, alias)
        case ast.MatchAs(pattern=inner, name=name) if inner is not None:
            yield from _listed(inner, (*alias, name) if name else alias)
        case _:
            pass
