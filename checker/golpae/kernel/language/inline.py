"""Write the bodies of functions in place of their calls.

Input: a function, and those whose calls are replaced, by name. Output: the function without these calls.
Guarantee: it does the same. What an argument that is a number decides is decided here: tests of it, and sums with it.

    larger(a, b) = if a > b { return a }; return b
    x = larger(y, 3)    ->    a' = y; out: { if a' > 3 { x = a'; leave out }; x = 3; leave out }

A call is replaced where it is a statement, or what the value of a local or a test asks first; a call within another
expression stays. Where a test is a call, what it returns leads on at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    UnaryName,
)
from golpae.kernel.language.writer import ZERO, arithmetic, compare, count_bits, is_zero, select


def inlined(function: Function, called: Mapping[str, Function]) -> Function:
    """Return a function in which no function of `called` is called where that can be. None of them calls itself."""
    own = _Inliner(called, function.locals)
    body = _Copier(own, {}, None).all(function.body)
    return replace(function, locals=own.locals, body=tuple(body))


class _Inliner:
    """The functions that are written in place, and how many locals there are so far."""

    def __init__(self, called: Mapping[str, Function], first: int) -> None:
        self.called, self.locals = called, first

    def new(self) -> int:
        self.locals += 1
        return self.locals - 1

    def call(self, function: Function, args: Sequence[Expr], given: _Given) -> Iterator[Stmt]:
        """Yield the statements that replace a call: they set its parameters and go up to where it returns."""
        changed = set(_set_in(function.body))
        names: dict[int, Expr] = {}
        for local in range(function.locals):
            arg = args[local] if local < function.params else ZERO
            if isinstance(arg, Lit) and local < function.params and local not in changed:
                names[local] = arg
                continue
            own = self.new()
            names[local] = Get(own)
            yield Set(own, arg)
        yield from _Copier(self, names, given).all(function.body)

    def into(self, kept: Sequence[int], function: Function, args: Sequence[Expr]) -> Stmt:
        """Return the block that replaces a call whose results go into locals."""
        label = Label()
        return Block(label, tuple(self.call(function, args, _Kept(tuple(kept), label))))


@dataclass(frozen=True, slots=True)
class _Kept:
    """Results of a call go into locals, and control to a label."""

    locals: tuple[int, ...]
    label: Label


@dataclass(frozen=True, slots=True)
class _Ways:
    """The result of a call is a truth; control goes to one label if it holds, to another one if not."""

    yes: Label
    no: Label


_Given = _Kept | _Ways


class _Copier:
    """Copies statements, whose locals have other names or are numbers; `given` is where results go, and control."""

    def __init__(self, own: _Inliner, names: Mapping[int, Expr], given: _Given | None) -> None:
        self._own, self._names, self._given = own, names, given

    def all(self, body: Sequence[Stmt]) -> list[Stmt]:
        return [copied for stmt in body for copied in self._stmt(stmt)]

    def _stmt(self, stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case Set(local, value):
                before, made = self._asked(value)
                yield from before
                yield Set(self._local(local), made)
            case Store(width, address, value, offset):
                place, offset = _place(self._expr(address), offset)
                yield Store(width, place, self._expr(value), offset)
            case If(test, yes, no) if (truth := self._truth(test)) is not None:
                yield self._branch(*truth, self.all(yes), self.all(no))
            case If(test, yes, no):
                before, made = self._asked(test)
                yield from before
                if isinstance(made, Lit):
                    yield from self.all(yes if made.value else no)
                else:
                    yield If(made, tuple(self.all(yes)), tuple(self.all(no)))
            case Block(label, body, loop):
                yield Block(label, tuple(self.all(body)), loop)
            case Leave(_, None) | Refer():
                yield stmt
            case Leave(label, test):
                assert test is not None
                before, made = self._asked(test)
                yield from before
                if not isinstance(made, Lit):
                    yield Leave(label, made)
                elif made.value:
                    yield Leave(label)
            case Switch(index, labels, other):
                yield Switch(self._expr(index), labels, other)
            case CallInto(kept, name, args):
                given = tuple(map(self._expr, args))
                locals_ = tuple(map(self._local, kept))
                if name in self._own.called:
                    yield self._own.into(locals_, self._own.called[name], given)
                else:
                    yield CallInto(locals_, name, given)
            case Return(values):
                yield from self._return(values)
            case Copy(target, source, size):
                yield Copy(self._expr(target), self._expr(source), self._expr(size))
            case _:
                assert_never(stmt)

    def _return(self, values: Sequence[Expr]) -> Iterator[Stmt]:
        match self._given:
            case None:
                yield Return(tuple(map(self._expr, values)))
            case _Kept(kept, label):
                for local, value in zip(kept, values, strict=True):
                    before, made = self._asked(value)
                    yield from before
                    yield Set(local, made)
                yield Leave(label)
            case _Ways(yes, no):
                (value,) = values
                before, made = self._asked(value)
                yield from before
                if isinstance(made, Lit):
                    yield Leave(yes if made.value else no)
                else:
                    yield Leave(yes, made)
                    yield Leave(no)

    def _truth(self, test: Expr) -> tuple[Call, bool] | None:
        """Return the call that is asked by a test alone, and whether the test holds if it returns a truth."""
        match test:
            case Call(name) if name in self._own.called:
                return test, True
            case Unary("eqz", value):
                inner = self._truth(value)
                return None if inner is None else (inner[0], not inner[1])
        return None

    def _branch(self, call: Call, holds: bool, yes: Sequence[Stmt], no: Sequence[Stmt]) -> Stmt:
        """Return a branch that a call decides."""
        done, to_yes, to_no = Label(), Label(), Label()
        ways = _Ways(to_yes, to_no) if holds else _Ways(to_no, to_yes)
        asked = self._own.call(self._own.called[call.function], [*map(self._expr, call.args)], ways)
        taken = Block(to_yes, tuple(asked)), *yes
        if not no:
            return Block(to_no, taken)
        return Block(done, (Block(to_no, (*taken, Leave(done))), *no))

    def _local(self, local: int) -> int:
        name = self._names.get(local, Get(local))
        assert isinstance(name, Get)
        return name.local

    def _asked(self, expr: Expr) -> tuple[list[Stmt], Expr]:
        """Return the statements before an expression is evaluated, and the expression. A call in it is evaluated
        first.
        """
        match expr:
            case Call(name, args) if name in self._own.called:
                local = self._own.new()
                made = self._own.into((local,), self._own.called[name], [*map(self._expr, args)])
                return [made], Get(local)
            case Unary(op, value):
                before, evaluated = self._asked(value)
                return before, _unary(op, evaluated)
            case Compare(op, left, Lit() as right):
                before, evaluated = self._asked(left)
                return before, compare(op, evaluated, right)
            case _:
                return [], self._expr(expr)

    def _expr(self, expr: Expr) -> Expr:
        copied = self._expr
        match expr:
            case Lit():
                return expr
            case Get(local):
                return self._names.get(local, expr)
            case Arithmetic(op, left, right):
                return arithmetic(op, copied(left), copied(right))
            case Compare(op, left, right):
                return compare(op, copied(left), copied(right))
            case Unary(op, value):
                return _unary(op, copied(value))
            case Load(width, address, offset, signed):
                place, offset = _place(copied(address), offset)
                return Load(width, place, offset, signed)
            case Matching(byte, address):
                return Matching(byte, copied(address))
            case Call(function, args):
                return Call(function, tuple(map(copied, args)))
            case Select(test, yes, no):
                return select(copied(test), copied(yes), copied(no))
            case _:
                assert_never(expr)


def _unary(op: UnaryName, value: Expr) -> Expr:
    if isinstance(value, Lit) and op in ("eqz", "popcnt"):
        return is_zero(value) if op == "eqz" else count_bits(value)
    return Unary(op, value)


def _place(address: Expr, offset: int) -> tuple[Expr, int]:
    """Return an address and an offset in one form, so that the same place is written the same."""
    return (ZERO, offset + address.value) if isinstance(address, Lit) else (address, offset)


def _set_in(body: Sequence[Stmt]) -> Iterator[int]:
    """Yield the locals that statements set."""
    for stmt in body:
        match stmt:
            case Set(local):
                yield local
            case CallInto(kept):
                yield from kept
            case If(_, yes, no):
                yield from _set_in(yes)
                yield from _set_in(no)
            case Block(_, inner):
                yield from _set_in(inner)
            case Store() | Leave() | Switch() | Return() | Copy() | Refer():
                pass
            case _:
                assert_never(stmt)
