"""Let what decides a truth go where the truth would lead.

Input: a function. Output: the function without truths that are kept only to be asked once, right behind.
Guarantee: it does the same.

    x = 0; out: { leave out if not a; leave out if not b; x = 1 }; leave far if not x
    ->    leave far if not a; leave far if not b
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from golpae.kernel.language.code import (
    Arithmetic,
    Block,
    Call,
    CallInto,
    Compare,
    Copy,
    Expr,
    Function,
    Get,
    If,
    Label,
    Leave,
    Lit,
    Load,
    Matching,
    Refer,
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
    Unary,
)
from golpae.kernel.language.writer import is_zero


def threaded(function: Function) -> Function:
    """Return a function in which truths that are asked once, right behind, are not kept."""
    return replace(function, body=tuple(_Threads(function).all(function.body)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A local that is asked: where control goes if it is 0 (`if_zero`) or if it is not."""

    local: int
    label: Label
    if_zero: bool

    def goes(self, truth: int) -> bool:
        """Return whether control goes there if the local has this value."""
        return (truth == 0) == self.if_zero


class _Threads:
    """Rewrites the statements of one function, from within."""

    def __init__(self, function: Function) -> None:
        self._sets: Counter[int] = Counter()
        self._gets: Counter[int] = Counter()
        self._params = function.params
        self._count(function.body)

    def all(self, body: Sequence[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for stmt in body:
            match stmt:
                case Block(label, inner, loop):
                    out.append(Block(label, tuple(self.all(inner)), loop))
                case If(test, yes, no):
                    out += self._if(out, If(test, tuple(self.all(yes)), tuple(self.all(no))))
                case _:
                    out.append(stmt)
            while self._last(out):
                pass
        return out

    def _if(self, out: list[Stmt], stmt: If) -> list[Stmt]:
        """Return the statements for a branch behind others. The last one or two of `out` move into it if they do
        nothing but decide the branch.
        """
        past = Label()
        for many in (1, 2):
            before = [*out[-many:], Leave(past, is_zero(stmt.test))]
            if not stmt.no and len(out) >= many and self._last(before):
                del out[-many:]
                while self._last(before):
                    pass
                return [Block(past, (*before, *stmt.yes))]
        return [stmt]

    # ------------------------------------------------------------------ the last statements

    def _last(self, out: list[Stmt]) -> bool:
        """Rewrite the last statements if that can be. Return whether it was."""
        match out:
            case [*_, Set(local, value), Leave(label, test)] if test is not None:
                decided = self._asked(test, label)
                if decided is None or decided.local != local or not self._is_once(local, 1):
                    return False
                out[-2:] = [Leave(label, is_zero(value) if decided.if_zero else value)]
                return True
            case [*_, Set(local, Lit(first)), Block(inner, body, False), Leave(label, test)] if (
                test is not None
            ):
                decided = self._asked(test, label)
                if (
                    decided is None
                    or decided.local != local
                    or not self._is_once(local, 2)
                    or first not in (0, 1)
                ):
                    return False
                made = _Exits(decided, inner, first).block(body)
                if made is None:
                    return False
                out[-3:] = made
                return True
            case [*_, Set(local, Lit(first)), If(held, yes, ()), Leave(label, test)] if test is not None:
                decided = self._asked(test, label)
                if decided is None or decided.local != local or not self._is_once(local, 2):
                    return False
                match yes:
                    case [*before, Set(again, value)] if again == local and not decided.goes(int(first != 0)):
                        leave = Leave(label, is_zero(value) if decided.if_zero else value)
                        out[-3:] = [If(held, (*before, leave))]
                        return True
        return False

    def _asked(self, test: Expr, label: Label) -> _Asked | None:
        local = self._local(test)
        return None if local is None else _Asked(local[0], label, local[1])

    def _local(self, test: Expr) -> tuple[int, bool] | None:
        """Return the local that a test asks, and whether it holds if that is 0."""
        match test:
            case Get(local):
                return local, False
            case Unary("eqz", value):
                inner = self._local(value)
                return None if inner is None else (inner[0], not inner[1])
        return None

    def _is_once(self, local: int, sets: int) -> bool:
        """Return whether a local is asked once, and set so many times."""
        return local >= self._params and self._gets[local] == 1 and self._sets[local] == sets

    # ------------------------------------------------------------------ counting

    def _count(self, body: Sequence[Stmt]) -> None:
        for stmt in body:
            match stmt:
                case Set(local, value):
                    self._sets[local] += 1
                    self._ask(value)
                case Store(_, address, value):
                    self._ask(address, value)
                case If(test, yes, no):
                    self._ask(test)
                    self._count(yes)
                    self._count(no)
                case Block(_, inner):
                    self._count(inner)
                case Leave(_, test):
                    self._ask(*(() if test is None else (test,)))
                case Switch(index):
                    self._ask(index)
                case CallInto(kept, _, args):
                    self._sets.update(kept)
                    self._ask(*args)
                case Return(values):
                    self._ask(*values)
                case Copy(target, source, size):
                    self._ask(target, source, size)
                case Refer():
                    pass
                case _:
                    assert_never(stmt)

    def _ask(self, *exprs: Expr) -> None:
        for expr in exprs:
            match expr:
                case Lit():
                    pass
                case Get(local):
                    self._gets[local] += 1
                case Arithmetic(_, left, right) | Compare(_, left, right):
                    self._ask(left, right)
                case Unary(_, value):
                    self._ask(value)
                case Load(_, address) | Matching(_, address):
                    self._ask(address)
                case Call(_, args):
                    self._ask(*args)
                case Select(test, yes, no):
                    self._ask(test, yes, no)
                case _:
                    assert_never(expr)


class _Exits:
    """A block after which a local is asked, which is `first` before it and set once in it: to the other truth, right
    before the block is left.
    """

    def __init__(self, asked: _Asked, inner: Label, first: int) -> None:
        self._asked, self._inner, self._first = asked, inner, first
        self._set = self._switched = False

    def block(self, body: Sequence[Stmt]) -> list[Stmt] | None:
        """Return the block, and what follows it, without the local; None if that cannot be."""
        match body:
            case [*before, Set(local, Lit(value))] if local == self._asked.local:
                if value != 1 - self._first:
                    return None
                self._set, ends = True, value
                made = self._all(before)
            case _:
                ends, made = self._first, self._all(body)
        if not self._set or self._switched:
            return None
        if self._asked.goes(ends):
            made.append(Leave(self._asked.label))
        return [Block(self._inner, tuple(made))]

    def _all(self, body: Sequence[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for stmt in body:
            match stmt:
                case Leave(label, test) if label is self._inner:
                    truth = self._first
                    if test is None and out and self._is_set(out[-1]):
                        out.pop()
                        self._set, truth = True, 1 - truth
                    out.append(Leave(self._asked.label if self._asked.goes(truth) else label, test))
                case If(test, yes, no):
                    out.append(If(test, tuple(self._all(yes)), tuple(self._all(no))))
                case Block(label, inner, loop):
                    out.append(Block(label, tuple(self._all(inner)), loop))
                case Switch(_, labels, other):
                    self._switched |= self._inner in (*labels, other)
                    out.append(stmt)
                case _:
                    out.append(stmt)
        return out

    def _is_set(self, stmt: Stmt) -> bool:
        return stmt == Set(self._asked.local, Lit(1 - self._first))
