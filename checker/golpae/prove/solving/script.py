"""Obligations as SMT-LIB 2 scripts that stand alone.

Input: an obligation, which of its hypotheses to state, and what its symbols mean. Output: a script that ends with
`(check-sat)`; `unsat` is the answer that meets the obligation. Guarantee: the same obligation has the same script,
whatever the version of the solver. Nothing but `set-logic`, `declare-const`, `define-fun`, `assert`, `check-sat` and
`exit` stands in it. Comments name each hypothesis and goal, and explain the codes of symbols.

    (declare-const |turn| Int) ; 0: seat 0, 1: seat 1
    ; invariant: one-at-most
    (assert (>= 1 |hand of seat 0: 1-1|))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import z3

from golpae.prove.solving.obligation import Obligation
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth

DEEPEST = 30  # levels of a term without a name
WIDTH = 110  # characters of a line, unless a term has nothing to break at
OPERATORS = {
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>",
    z3.Z3_OP_XOR: "xor",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_IFF: "=",
    z3.Z3_OP_DISTINCT: "distinct",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_ADD: "+",
    z3.Z3_OP_SUB: "-",
    z3.Z3_OP_UMINUS: "-",
    z3.Z3_OP_MUL: "*",
    z3.Z3_OP_IDIV: "div",
    z3.Z3_OP_MOD: "mod",
    z3.Z3_OP_TRUE: "true",
    z3.Z3_OP_FALSE: "false",
}


@dataclass(frozen=True, slots=True)
class _Node:
    """A term: an operator with its arguments, or the text of a leaf. `symbol` is the name of a constant."""

    head: str
    sort: str
    parts: tuple[int, ...] = ()
    symbol: str | None = None


class Symbols(Protocol):
    """What symbols are called in scripts, and what their codes mean."""

    def name(self, symbol: str) -> str:
        """Return the name of a symbol, which no other has; it can stand between bars."""
        ...

    def code(self, symbol: str) -> str | None:
        """Return the values that the numbers of a symbol stand for, such as `0: A, 1: B`; None if they are plain
        numbers.
        """
        ...


def plain_name(words: str) -> str:
    """Return words as they can stand between the bars of a symbol."""
    return "".join(c if c.isascii() and c.isprintable() and c not in "|\\" else "?" for c in words)


def numeral(value: int) -> str:
    """Return a number as SMT-LIB 2 writes it."""
    return str(value) if value >= 0 else f"(- {-value})"


class ScriptWriter:
    """Writes the scripts of one table. It remembers terms, which scripts share."""

    def __init__(self) -> None:
        self._nodes: dict[int, _Node] = {}
        self._alive: list[Any] = []  # so that no other term gets their numbers
        self._symbols: dict[int, frozenset[str]] = {}

    def script(
        self, obligation: Obligation, kept: Iterable[int], symbols: Symbols, head: Sequence[str]
    ) -> str:
        """Return the script of an obligation with these of its hypotheses. Raises `Unsupported`."""
        stated = [obligation.hypotheses[number] for number in kept]
        goals = [goal.truth for goal in obligation.goals]
        roots = {
            id(truth): self._read(truth)
            for truth in (*(h.truth for h in stated), *goals)
            if not isinstance(truth, bool)
        }
        body = _Body(self._nodes, symbols, list(roots.values()))
        lines = [*(f"; {_comment(line)}" for line in head), f"(set-logic {body.logic})", *body.declarations()]
        for hypothesis in stated:
            lines += [f"; {_comment(hypothesis.words)}"]
            lines += body.define(_root(roots, hypothesis.truth))
            lines.append(body.assertion(_root(roots, hypothesis.truth)))
        if obligation.expected == "sat":
            return "\n".join((*lines, "(check-sat)", "(exit)", ""))
        lines.append("; goal: the negation of all of these together has to be impossible")
        for goal in obligation.goals:
            folded = "" if goal.folded is None else f" ({goal.folded})"
            lines.append(f";   {_comment(goal.words + folded)}")
        for goal in goals:
            lines += body.define(_root(roots, goal))
        lines.append(body.negation([_root(roots, goal) for goal in goals]))
        return "\n".join((*lines, "(check-sat)", "(exit)", ""))

    def symbols_of(self, truth: Truth) -> frozenset[str]:
        """Return the names of all symbols in a truth. Raises `Unsupported`."""
        if isinstance(truth, bool):
            return frozenset()
        root = self._read(truth)
        if root not in self._symbols:
            self._symbols[root] = self._found(root)
        return self._symbols[root]

    def _found(self, root: int) -> frozenset[str]:
        todo, seen, out = [root], set(), set()
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                node = self._nodes[number]
                todo += node.parts
                if node.symbol is not None:
                    out.add(node.symbol)
        return frozenset(out)

    def _read(self, term: Any) -> int:
        """Return the number of a term whose parts are all in `_nodes`."""
        root: int = term.ast.value
        todo = [term]
        while todo:
            one = todo[-1]
            number = one.ast.value
            if number in self._nodes:
                todo.pop()
                continue
            children = one.children()
            missing = [child for child in children if child.ast.value not in self._nodes]
            if missing:
                todo += missing
                continue
            self._nodes[number] = _node(one, tuple(child.ast.value for child in children))
            self._alive.append(one)
            todo.pop()
        return root


class _Body:
    """The terms of one script. What stands in several places, and is more than a symbol, gets a name."""

    def __init__(self, nodes: Mapping[int, _Node], symbols: Symbols, roots: Sequence[int]) -> None:
        self._nodes = nodes
        self._symbols = symbols
        self._roots = roots
        self._uses: dict[int, int] = {}
        self._order: list[int] = []  # parts before what has them
        self._names: dict[int, str] = {}
        self._heights: dict[int, int] = {}  # of terms without what has a name
        self._walk()

    def _walk(self) -> None:
        for root in self._roots:
            self._uses[root] = self._uses.get(root, 0) + 1
        done: set[int] = set()
        todo = [(root, False) for root in reversed(self._roots)]
        while todo:
            number, left = todo.pop()
            if left:
                self._order.append(number)
                continue
            if number in done:
                continue
            done.add(number)
            todo.append((number, True))
            parts = self._nodes[number].parts
            for part in parts:
                self._uses[part] = self._uses.get(part, 0) + 1
            todo += [(part, False) for part in reversed(parts)]

    @property
    def logic(self) -> str:
        """Return the logic: that of linear terms, which lets solvers choose better, or any."""

        def is_symbolic(number: int) -> bool:
            node = self._nodes[number]
            return bool(node.parts) or node.symbol is not None

        for node in map(self._nodes.__getitem__, self._order):
            if node.head in ("div", "mod") or (node.head == "*" and sum(map(is_symbolic, node.parts)) > 1):
                return "ALL"
        return "QF_LIA"

    def declarations(self) -> Iterator[str]:
        for number in self._order:
            node = self._nodes[number]
            if node.symbol is not None:
                code = self._symbols.code(node.symbol)
                note = "" if code is None else f" ; {_comment(code)}"
                yield f"(declare-const {self._leaf(node)} {node.sort}){note}"

    def define(self, root: int | bool) -> Iterator[str]:
        """Yield definitions for what `root` shares with other terms, as far as there are none."""
        if isinstance(root, bool):
            return
        todo = [(root, False)]
        while todo:
            number, left = todo.pop()
            node = self._nodes[number]
            if number in self._names or not node.parts:
                continue
            if not left:
                todo.append((number, True))
                todo += [(part, False) for part in reversed(node.parts)]
                continue
            heights = [0 if part in self._names else self._heights.get(part, 0) for part in node.parts]
            self._heights[number] = 1 + max(heights)
            if self._uses[number] > 1 or self._heights[number] > DEEPEST:
                text = self._text(number)
                self._names[number] = f"d{len(self._names) + 1}"
                yield f"(define-fun {self._names[number]} () {node.sort} {text})"

    def assertion(self, root: int | bool) -> str:
        return f"(assert {self._term(root)})"

    def negation(self, roots: Sequence[int | bool]) -> str:
        terms = [self._term(root) for root in roots]
        joined = terms[0] if len(terms) == 1 else _joined("and", terms, 0) if terms else "true"
        return f"(assert (not {joined}))"

    def _term(self, root: int | bool) -> str:
        if isinstance(root, bool):
            return "true" if root else "false"
        return self._names.get(root) or self._text(root)

    def _text(self, root: int, depth: int = 0) -> str:
        """Return a term with the names of its shared parts; the rest is a tree of few levels."""
        node = self._nodes[root]
        if not node.parts:
            return self._leaf(node)
        return _joined(node.head, [self._names.get(p) or self._text(p, depth + 1) for p in node.parts], depth)

    def _leaf(self, node: _Node) -> str:
        return node.head if node.symbol is None else f"|{self._symbols.name(node.symbol)}|"


def _joined(head: str, parts: Sequence[str], depth: int) -> str:
    line = f"({head} {' '.join(parts)})"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    indent = "  " * (depth + 1)
    return f"({head}\n{indent}" + f"\n{indent}".join(parts) + ")"


def _root(roots: Mapping[int, int], truth: Truth) -> int | bool:
    return truth if isinstance(truth, bool) else roots[id(truth)]


def _node(term: Any, parts: tuple[int, ...]) -> _Node:
    sort = "Bool" if isinstance(term, z3.BoolRef) else "Int"
    kind = term.decl().kind()
    if kind == z3.Z3_OP_UNINTERPRETED and not parts:
        return _Node("", sort, symbol=str(term.decl().name()))
    if kind == z3.Z3_OP_ANUM:
        return _Node(numeral(term.as_long()), sort)
    if kind not in OPERATORS:
        raise Unsupported(f"`{term.decl().name()}` in a certificate")
    return _Node(OPERATORS[kind], sort, parts)


def _comment(words: str) -> str:
    """Return words on one line of printable ASCII characters."""
    return " ".join("".join(c if c.isascii() and c.isprintable() else "?" for c in words).split())
