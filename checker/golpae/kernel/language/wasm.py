"""The kernel language as a WebAssembly module.

Input: a `code.Module`. Output: the bytes of a module that imports nothing and exports its memory as `memory` and its
exported functions by their names.
Guarantee: the same module gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from golpae.kernel.language import code

PAGE = 1 << 16
MOST_PAGES = 1 << 16

_I64 = 0x7E
_ARITHMETIC: dict[code.ArithmeticName, int] = {
    "add": 0x7C, "sub": 0x7D, "mul": 0x7E, "div_s": 0x7F, "rem_s": 0x81, "and": 0x83, "or": 0x84, "xor": 0x85,
    "shl": 0x86, "shr_s": 0x87, "shr_u": 0x88,
}  # fmt: skip
_COMPARE: dict[code.CompareName, int] = {
    "eq": 0x51, "ne": 0x52, "lt_s": 0x53, "lt_u": 0x54, "gt_s": 0x55, "gt_u": 0x56, "le_s": 0x57, "le_u": 0x58,
    "ge_s": 0x59, "ge_u": 0x5A,
}  # fmt: skip
_UNARY: dict[code.UnaryName, int] = {"clz": 0x79, "ctz": 0x7A, "popcnt": 0x7B, "eqz": 0x50}
_LOAD: dict[tuple[code.Width, bool], int] = {
    (8, False): 0x29, (8, True): 0x29, (1, True): 0x30, (1, False): 0x31, (2, True): 0x32, (2, False): 0x33,
    (4, True): 0x34, (4, False): 0x35,
}  # fmt: skip
_STORE: dict[code.Width, int] = {8: 0x37, 1: 0x3C, 2: 0x3D, 4: 0x3E}
_I32_EQZ, _WRAP, _EXTEND, _SELECT = 0x45, 0xA7, 0xAD, 0x1B
_UNREACHABLE, _BLOCK, _LOOP, _IF, _ELSE, _END = 0x00, 0x02, 0x03, 0x04, 0x05, 0x0B
_BR, _BR_IF, _BR_TABLE, _RETURN, _CALL = 0x0C, 0x0D, 0x0E, 0x0F, 0x10
_V128_LOAD, _SPLAT, _EQUAL_BYTES, _BITMASK = b"\xfd\x00", b"\xfd\x0f", b"\xfd\x23", b"\xfd\x64"
_GET, _SET, _I32_CONST, _I64_CONST, _NO_TYPE = 0x20, 0x21, 0x41, 0x42, 0x40


def wasm(module: code.Module) -> bytes:
    """Return a module as WebAssembly. Raises `KeyError` if it calls a function that it does not have."""
    types: dict[tuple[int, int], int] = {}
    for function in module.functions:
        types.setdefault((function.params, function.results), len(types))
    places = {function.full_name: place for place, function in enumerate(module.functions)}
    pages = -(-module.memory // PAGE)
    sections = [
        (1, _vector(_type(params, results) for params, results in types)),
        (3, _vector(_unsigned(types[f.params, f.results]) for f in module.functions)),
        (5, _vector([b"\x01" + _unsigned(pages) + _unsigned(MOST_PAGES)])),
        (7, _vector(_exports(module))),
        (10, _vector(_sized(_Body(function, places).written()) for function in module.functions)),
        (11, _vector(_data(address, held) for address, held in sorted(module.data.items()))),
    ]
    return b"\0asm\x01\0\0\0" + b"".join(bytes([number]) + _sized(section) for number, section in sections)


def section(name: str, held: bytes) -> bytes:
    """Return a section of a module, to be put behind the others, which hosts can read by its name."""
    return b"\0" + _sized(_name(name) + held)


def _type(params: int, results: int) -> bytes:
    return b"\x60" + _vector([bytes([_I64])] * params) + _vector([bytes([_I64])] * results)


def _exports(module: code.Module) -> list[bytes]:
    exported = [(f.name, place) for place, f in enumerate(module.functions) if f.exported]
    return [_name("memory") + b"\x02\x00", *(_name(n) + b"\x00" + _unsigned(place) for n, place in exported)]


def _data(address: int, held: bytes) -> bytes:
    return b"\x00" + bytes([_I32_CONST]) + _signed(address) + bytes([_END]) + _sized(held)


def _name(name: str) -> bytes:
    return _sized(name.encode())


def _sized(content: bytes) -> bytes:
    return _unsigned(len(content)) + content


def _vector(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    return _unsigned(len(listed)) + b"".join(listed)


def _unsigned(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _signed(value: int) -> bytes:
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


class _Body:
    """Writes the body of one function."""

    def __init__(self, function: code.Function, places: dict[str, int]) -> None:
        self._places, self._scope = places, function.scope
        self._out = bytearray()
        self._labels: list[code.Label | None] = []
        own = function.locals - function.params
        self._head = _vector([_unsigned(own) + bytes([_I64])] if own else [])
        self._all(function.body)
        if function.results:  # the end is not reached
            self._out.append(_UNREACHABLE)

    def written(self) -> bytes:
        return self._head + bytes(self._out) + bytes([_END])

    def _put(self, *held: int) -> None:
        self._out += bytes(held)

    def _place(self, name: str) -> int:
        """Return the place of a function that is called by a name."""
        own = self._places.get(f"{self._scope}.{name}")
        return self._places[name] if own is None else own

    # ------------------------------------------------------------------ statements

    def _all(self, body: Sequence[code.Stmt]) -> None:
        for stmt in body:
            self._stmt(stmt)

    def _stmt(self, stmt: code.Stmt) -> None:
        match stmt:
            case code.Set(local, value):
                self._expr(value)
                self._put(_SET, *_unsigned(local))
            case code.Store(width, address, value, offset):
                self._address(address)
                self._expr(value)
                self._put(_STORE[width], 0, *_unsigned(offset))
            case code.If(test, yes, no):
                self._test(test)
                self._put(_IF, _NO_TYPE)
                self._labels.append(None)
                self._all(yes)
                if no:
                    self._put(_ELSE)
                    self._all(no)
                self._labels.pop()
                self._put(_END)
            case code.Block(label, body, loop):
                self._put(_LOOP if loop else _BLOCK, _NO_TYPE)
                self._labels.append(label)
                self._all(body)
                self._labels.pop()
                self._put(_END)
            case code.Leave(label, None):
                self._put(_BR, *self._depth(label))
            case code.Leave(label, test):
                assert test is not None
                self._test(test)
                self._put(_BR_IF, *self._depth(label))
            case code.Switch(index, labels, other):
                # An index beyond 32 bits has to go to `other` too.
                self._test_small(index, len(labels))
                self._put(_BR_TABLE, *_vector([self._depth(label) for label in labels]), *self._depth(other))
            case code.CallInto(kept, function, args):
                self._args(args)
                self._put(_CALL, *_unsigned(self._place(function)))
                for local in reversed(kept):
                    self._put(_SET, *_unsigned(local))
            case code.Return(values):
                self._args(values)
                self._put(_RETURN)
            case code.Copy(target, source, size):
                for part in (target, source, size):
                    self._address(part)
                self._put(0xFC, 10, 0, 0)
            case code.Refer():
                self._put(_UNREACHABLE)
            case _:
                assert_never(stmt)

    def _depth(self, label: code.Label) -> bytes:
        return _unsigned(next(d for d, known in enumerate(reversed(self._labels)) if known is label))

    def _test_small(self, index: code.Expr, many: int) -> None:
        if not _is_small(index):
            index = code.Select(code.Compare("lt_u", index, code.Lit(many)), index, code.Lit(many))
        self._expr(index)
        self._put(_WRAP)

    # ------------------------------------------------------------------ expressions

    def _args(self, args: Iterable[code.Expr]) -> None:
        for arg in args:
            self._expr(arg)

    def _expr(self, expr: code.Expr) -> None:
        match expr:
            case code.Lit(value):
                self._put(_I64_CONST, *_signed(value - (1 << 64) if value >= 1 << 63 else value))
            case code.Get(local):
                self._put(_GET, *_unsigned(local))
            case code.Arithmetic(op, left, right):
                self._expr(left)
                self._expr(right)
                self._put(_ARITHMETIC[op])
            case code.Compare():
                self._test(expr)
                self._put(_EXTEND)
            case code.Unary("eqz"):
                self._test(expr)
                self._put(_EXTEND)
            case code.Unary(op, value):
                self._expr(value)
                self._put(_UNARY[op])
            case code.Load(width, address, offset, signed):
                self._address(address)
                self._put(_LOAD[width, signed], 0, *_unsigned(offset))
            case code.Matching(byte, address):
                self._address(address)
                self._put(
                    *_V128_LOAD, 0, 0, _I32_CONST, *_signed(byte), *_SPLAT, *_EQUAL_BYTES, *_BITMASK, _EXTEND
                )
            case code.Call(function, args):
                self._args(args)
                self._put(_CALL, *_unsigned(self._place(function)))
            case code.Select(test, yes, no):
                self._expr(yes)
                self._expr(no)
                self._test(test)
                self._put(_SELECT)
            case _:
                assert_never(expr)

    def _test(self, expr: code.Expr) -> None:
        """Write a truth as the 32-bit number that a branch takes."""
        match expr:
            case code.Compare(op, left, right):
                self._expr(left)
                self._expr(right)
                self._put(_COMPARE[op])
            case code.Unary("eqz", code.Compare() | code.Unary("eqz") as inner):
                self._test(inner)
                self._put(_I32_EQZ)
            case code.Unary("eqz", value):
                self._expr(value)
                self._put(_UNARY["eqz"])
            case _:
                self._expr(expr)
                self._put(_I64_CONST, 0, _COMPARE["ne"])

    def _address(self, expr: code.Expr) -> None:
        """Write a number as the 32-bit address that memory takes."""
        if isinstance(expr, code.Lit):
            self._put(_I32_CONST, *_signed(expr.value))
        else:
            self._expr(expr)
            self._put(_WRAP)


def _is_small(expr: code.Expr) -> bool:
    """Return whether a number is sure to have no more than 32 bits."""
    match expr:
        case code.Arithmetic("and", _, code.Lit(mask)):
            return 0 <= mask < 1 << 32
        case _:
            return False
