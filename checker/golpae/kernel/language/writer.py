"""Write a function of the kernel language, statement by statement.

Input: expressions and statements. Output: a `code.Function`.
Guarantee: constants are folded where both sides are known, so that a caller need not care.

    writer = Writer("larger", params=2, results=1)
    with writer.when(gt(writer.param(0), writer.param(1))):
        writer.give(writer.param(0))
    writer.give(writer.param(1))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from golpae.kernel.language.code import (
    Arithmetic,
    ArithmeticName,
    Block,
    Call,
    CallInto,
    Compare,
    CompareName,
    Copy,
    Expr,
    Function,
    Get,
    If,
    Label,
    Leave,
    Lit,
    Load,
    Refer,
    Return,
    Select,
    Set,
    Stmt,
    Store,
    Switch,
    Unary,
    Width,
)
from golpae.kernel.language.limits import WHY, Limit

_MASK = (1 << 64) - 1
ZERO, ONE = Lit(0), Lit(1)


class Writer:
    """Collects the statements of one function."""

    def __init__(
        self, name: str, params: int = 0, results: int = 0, exported: bool = False, left: int = 0
    ) -> None:
        self.name = name
        self._left = left  # the address of how many steps are left; 0: members cost no more than other rounds
        self._params, self._results, self._exported = params, results, exported
        self._locals = params
        self._blocks: list[list[Stmt]] = [[]]
        self._when: If | None = None  # the one that `otherwise` may follow, also if it was not written
        self.tries = False  # whether an effect that cannot happen gives 0

    def function(self) -> Function:
        """Return the function that was written."""
        (body,) = self._blocks
        return Function(self.name, self._params, self._results, self._locals, tuple(body), self._exported)

    def put(self, stmt: Stmt) -> None:
        """Add a statement."""
        self._blocks[-1].append(stmt)

    def mark(self) -> tuple[int, int]:
        """Return how far the function is written."""
        return len(self._blocks), len(self._blocks[-1])

    def restore(self, mark: tuple[int, int]) -> None:
        """Forget what was written since a mark."""
        depth, length = mark
        del self._blocks[depth:]
        del self._blocks[-1][length:]

    # ------------------------------------------------------------------ locals

    def param(self, number: int) -> Get:
        return Get(number)

    def new(self) -> Get:
        """Return a new local, whose value is not set."""
        self._locals += 1
        return Get(self._locals - 1)

    def var(self, value: Expr | int) -> Get:
        """Return a new local with this value, which can be set again."""
        local = self.new()
        self.set(local, value)
        return local

    def let(self, value: Expr) -> Lit | Get:
        """Return a value that is evaluated once; do not set it again."""
        return value if isinstance(value, Lit) else self.var(value)

    def set(self, local: Get, value: Expr | int) -> None:
        self.put(Set(local.local, Lit(value) if isinstance(value, int) else value))

    def store(self, width: Width, address: Expr, value: Expr, offset: int = 0) -> None:
        self.put(Store(width, address, value, offset))

    def call_into(self, kept: Sequence[Get], function: str, *args: Expr) -> None:
        """Call a function and put its results into locals."""
        self.put(CallInto(tuple(local.local for local in kept), function, args))

    def give(self, *values: Expr) -> None:
        """Return values from the function."""
        self.put(Return(values))

    def refer(self, limit: Limit | None = None) -> None:
        """Stop: the reference has to decide, because of a limit if that is known."""
        if limit is not None:
            self.store(8, ZERO, Lit(limit.value), WHY)
        self.put(Refer())

    def refer_if(self, test: Expr, limit: Limit | None = None) -> None:
        """Stop if a test holds."""
        with self.when(test):
            self.refer(limit)

    def fail_if(self, test: Expr) -> None:
        """Stop if a test holds, for an effect cannot happen: give 0 if the function only `tries` it."""
        with self.when(test):
            if self.tries:
                self.give(ZERO)
            else:
                self.refer(Limit.EFFECTS)

    def copy(self, target: Expr, source: Expr, size: Expr) -> None:
        self.put(Copy(target, source, size))

    # ------------------------------------------------------------------ control

    @contextmanager
    def _inner(self) -> Iterator[list[Stmt]]:
        block: list[Stmt] = []
        self._blocks.append(block)
        yield block
        self._blocks.pop()

    @contextmanager
    def when(self, test: Expr) -> Iterator[None]:
        """Write what happens if a test holds."""
        with self._inner() as yes:
            yield
        self._when = If(test, tuple(yes))
        if isinstance(test, Lit):
            self._blocks[-1].extend(yes if test.value else ())
        elif yes:
            self.put(self._when)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write what happens if the test of the `when` right before does not hold."""
        before = self._when
        assert before is not None
        with self._inner() as no:
            yield
        if isinstance(before.test, Lit):
            self._blocks[-1].extend(() if before.test.value else no)
        elif not before.yes:
            self.put(If(is_zero(before.test), tuple(no)))
        else:
            self._blocks[-1].pop()
            self.put(If(before.test, before.yes, tuple(no)))

    @contextmanager
    def block(self) -> Iterator[Label]:
        """Write a block, which `leave` leaves."""
        label = Label()
        with self._inner() as body:
            yield label
        self.put(Block(label, tuple(body)))

    @contextmanager
    def loop(self, counted: bool = True) -> Iterator[Label]:
        """Write a block that `leave` begins again; at its end it ends. Its rounds are counted, unless that says no."""
        label = Label(counted)
        with self._inner() as body:
            yield label
        self.put(Block(label, tuple(body), loop=True))

    def leave(self, label: Label, test: Expr | None = None) -> None:
        if isinstance(test, Lit):
            if not test.value:
                return
            test = None
        self.put(Leave(label, test))

    def count_member(self) -> None:
        """Count a member that a loop of the rules goes through. Refer if there were too many steps so far."""
        if self._left:
            for stmt in steps(self._left, Lit(OF_MEMBER)):
                self.put(stmt)

    def switch(self, index: Expr, labels: Sequence[Label], other: Label) -> None:
        self.put(Switch(index, tuple(labels), other))


# ---------------------------------------------------------------- steps


OF_MEMBER = (
    200  # steps of a member that a loop of the rules goes through: it may stand for many of the reference
)


def steps(left: int, many: Expr = ONE) -> tuple[Stmt, ...]:
    """Return the statements that stop the module if not so many steps are left at an address, and take them away."""
    steps_left = load(8, ZERO, left)
    stop = (Store(8, ZERO, Lit(Limit.STEPS.value), WHY), Refer())
    return (If(lt(steps_left, many), stop), Store(8, ZERO, sub(steps_left, many), left))


# ---------------------------------------------------------------- expressions


def _folded(op: str, left: int, right: int) -> int | None:
    match op:
        case "add":
            value = left + right
        case "sub":
            value = left - right
        case "mul":
            value = left * right
        case "and":
            value = left & right
        case "or":
            value = left | right
        case "xor":
            value = left ^ right
        case "shl":
            value = left << (right & 63)
        case _:
            return None
    value &= _MASK
    return value - (1 << 64) if value >= 1 << 63 else value


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def arithmetic(op: ArithmeticName, left: Expr, right: Expr) -> Expr:
    """Return an operation, or its value where both sides are known."""
    if isinstance(left, Lit) and isinstance(right, Lit):
        value = _folded(op, left.value, right.value)
        if value is not None:
            return Lit(value)
    zero_right = isinstance(right, Lit) and right.value == 0
    zero_left = isinstance(left, Lit) and left.value == 0
    if zero_right and op in ("add", "sub", "or", "xor", "shl", "shr_s", "shr_u"):
        return left
    if zero_left and op in ("add", "or", "xor"):
        return right
    if (zero_left or zero_right) and op in ("and", "mul"):
        return ZERO
    return Arithmetic(op, left, right)


def compare(op: CompareName, left: Expr, right: Expr) -> Expr:
    """Return a comparison, or its value where both sides are known."""
    if isinstance(left, Lit) and isinstance(right, Lit):
        a, b = _signed(left.value), _signed(right.value)
        known = {"eq": a == b, "ne": a != b, "lt_s": a < b, "gt_s": a > b, "le_s": a <= b, "ge_s": a >= b}
        if op in known:
            return Lit(int(known[op]))
    return Compare(op, left, right)


def add(left: Expr, right: Expr) -> Expr:
    return arithmetic("add", left, right)


def sub(left: Expr, right: Expr) -> Expr:
    return arithmetic("sub", left, right)


def mul(left: Expr, right: Expr) -> Expr:
    return arithmetic("mul", left, right)


def remainder(left: Expr, right: Expr) -> Expr:
    """Return the remainder of a division of numbers that are not negative; `right` is not 0."""
    return arithmetic("rem_s", left, right)


def both(left: Expr, right: Expr) -> Expr:
    """Return the bits that are in both; of truths, whether both hold."""
    return arithmetic("and", left, right)


def either(left: Expr, right: Expr) -> Expr:
    """Return the bits that are in one or both; of truths, whether one holds."""
    return arithmetic("or", left, right)


def xor(left: Expr, right: Expr) -> Expr:
    return arithmetic("xor", left, right)


def without(left: Expr, right: Expr) -> Expr:
    """Return the bits of `left` that are not in `right`."""
    return both(left, xor(right, Lit(-1)))


def shl(left: Expr, right: Expr) -> Expr:
    return arithmetic("shl", left, right)


def shr(left: Expr, right: Expr) -> Expr:
    return arithmetic("shr_u", left, right)


def eq(left: Expr, right: Expr) -> Expr:
    return compare("eq", left, right)


def ne(left: Expr, right: Expr) -> Expr:
    return compare("ne", left, right)


def lt(left: Expr, right: Expr) -> Expr:
    return compare("lt_s", left, right)


def le(left: Expr, right: Expr) -> Expr:
    return compare("le_s", left, right)


def gt(left: Expr, right: Expr) -> Expr:
    return compare("gt_s", left, right)


def ge(left: Expr, right: Expr) -> Expr:
    return compare("ge_s", left, right)


def below(left: Expr, right: Expr) -> Expr:
    """Return whether a number is less than another, both without a sign: so a negative one is not."""
    return compare("lt_u", left, right)


def is_zero(value: Expr) -> Expr:
    return Lit(int(value.value == 0)) if isinstance(value, Lit) else Unary("eqz", value)


def count_bits(value: Expr) -> Expr:
    return Lit((value.value & _MASK).bit_count()) if isinstance(value, Lit) else Unary("popcnt", value)


def lowest_bit(value: Expr) -> Expr:
    """Return the place of the lowest bit that is set, 64 if there is none."""
    return Unary("ctz", value)


def select(test: Expr, yes: Expr, no: Expr) -> Expr:
    if isinstance(test, Lit):
        return yes if test.value else no
    return yes if yes == no else Select(test, yes, no)


def load(width: Width, address: Expr, offset: int = 0, signed: bool = False) -> Expr:
    return Load(width, address, offset, signed)


def call(function: str, *args: Expr) -> Expr:
    return Call(function, args)
