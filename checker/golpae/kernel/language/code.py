"""The kernel language: small functions over 64-bit integers. Data only.

Input: none. Output: the classes of expressions, statements, functions and modules.
Guarantee: every value is a 64-bit integer; a truth is 0 or 1. Addresses are those of one memory. Nothing here knows of
rules or of a target; `wasm` writes a module down as WebAssembly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ArithmeticName = Literal[
    "add", "sub", "mul", "div_s", "rem_s", "and", "or", "xor", "shl", "shr_s", "shr_u"
]  # fmt: skip
CompareName = Literal["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"]
UnaryName = Literal["eqz", "clz", "ctz", "popcnt"]
Width = Literal[1, 2, 4, 8]


@dataclass(frozen=True, slots=True)
class Lit:
    """A number; one from 2^63 on is the negative number with the same bits."""

    value: int


@dataclass(frozen=True, slots=True)
class Get:
    """The value of a local, by its number. The first locals of a function are its parameters."""

    local: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Wraps around at 64 bits; `div_s` and `rem_s` stop the module if the divisor is 0."""

    op: ArithmeticName
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    op: CompareName
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryName
    value: Expr


@dataclass(frozen=True, slots=True)
class Load:
    """The number of `width` bytes at an address, low byte first, without a sign unless `signed`."""

    width: Width
    address: Expr
    offset: int = 0
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Matching:
    """Which of 16 bytes at an address are this one: a bit for each, the lowest for the first."""

    byte: int
    address: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function with one result."""

    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """One of two values; both are evaluated."""

    test: Expr
    yes: Expr
    no: Expr


Expr = Lit | Get | Arithmetic | Compare | Unary | Load | Matching | Call | Select


class Label:
    """A block or a loop that statements inside it can leave or begin again. The rounds of a loop are counted, unless
    it is `counted` elsewhere, or has few.
    """

    __slots__ = ("counted",)

    def __init__(self, counted: bool = True) -> None:
        self.counted = counted


@dataclass(frozen=True, slots=True)
class Set:
    local: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    width: Width
    address: Expr
    value: Expr
    offset: int = 0


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    yes: tuple[Stmt, ...]
    no: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """`Leave` with its label goes to its end; of a loop, to its beginning."""

    label: Label
    body: tuple[Stmt, ...]
    loop: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """Go to the end of a block, or to the beginning of a loop, if the test is true (None: always)."""

    label: Label
    test: Expr | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """Go to the label at a place of `labels`, or to `other`."""

    index: Expr
    labels: tuple[Label, ...]
    other: Label


@dataclass(frozen=True, slots=True)
class CallInto:
    """A call of a function whose results are put into locals."""

    locals: tuple[int, ...]
    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Return:
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy bytes within the memory; the two places may overlap."""

    target: Expr
    source: Expr
    size: Expr


@dataclass(frozen=True, slots=True)
class Refer:
    """Stop the module: the reference has to decide."""


Stmt = Set | Store | If | Block | Leave | Switch | CallInto | Return | Copy | Refer


@dataclass(slots=True)
class Function:
    """`locals` counts the locals, the parameters included. An exported function can be called from outside.

    What a function calls is looked up among those of its own `scope` first, then among all by `SCOPE.NAME` or, if they
    have no scope, `NAME`.
    """

    name: str
    params: int
    results: int
    locals: int
    body: tuple[Stmt, ...]
    exported: bool = False
    scope: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.scope}.{self.name}" if self.scope else self.name


@dataclass(slots=True)
class Module:
    """Functions, the size of their memory in bytes, and what it holds at first, by address."""

    functions: list[Function] = field(default_factory=list)
    memory: int = 0
    data: dict[int, bytes] = field(default_factory=dict)
