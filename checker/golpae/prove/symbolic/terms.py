"""Terms of z3, made by its C functions.

Input: terms. Output: terms. Guarantee: the same calls make the same terms; every term that is made counts as parts.

z3's Python operators check sorts and contexts for each term, and its Python functions ask after each call whether there
was an error. That takes most of the time when millions of terms are made. Here a term that is missing shows an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import CFUNCTYPE, c_char_p, c_int, c_uint, c_void_p, cast
from math import inf
from typing import Any

import z3
from z3 import z3core

TERM = 4  # parts that a term counts as, besides its arguments


class Unsupported(Exception):
    """Raised if the prover does not support something; the message completes "the prover does not support".

    `clause` is the path of the clause that asks for it, once it is known: `put.turn`, the second `then` of an action as
    `put.then 2`, the property `each-once` as `property each-once`.
    """

    def __init__(self, what: str, clause: str | None = None) -> None:
        super().__init__(what)
        self.clause = clause

    def __str__(self) -> str:
        what: str = self.args[0]
        if self.clause is None or self.clause.startswith(OF_PROPERTY):
            return what
        return f"{what}, in `{self.clause.partition(' ')[0]}`"

    def at(self, clause: str) -> Unsupported:
        """Return this fault, with the clause if none is known: the innermost counts."""
        if self.clause is None:
            self.clause = clause
        return self


OF_PROPERTY = "property "  # begins the path of a property


class Parts:
    """The parts that are `left` to the formula at hand, of at most so many; `symbolic.parts` says what counts.

    `question` is the number of what they decide, of so many `questions`.
    """

    __slots__ = ("left", "most", "question", "questions")

    def __init__(self) -> None:
        self.left: float = inf
        self.most = 0
        self.question = self.questions = 0


PARTS = Parts()


def spend(parts: int) -> None:
    """Count so many parts. Raises `Unsupported`."""
    PARTS.left -= parts
    if PARTS.left < 0:
        raise Unsupported(f"a formula of more than {PARTS.most:,} parts")


# ------------------------------------------------------------------ the functions of C

_CONTEXT = z3.main_ctx()
_REF = c_void_p(_CONTEXT.ref().value)


def _function(name: str, gives: Any, *takes: Any) -> Callable[..., Any]:
    """Return a C function, which takes the context first. z3's Python function of that name holds it."""
    held = getattr(z3core, name).__defaults__[0].f
    address: Any = cast(held, c_void_p).value
    made: Callable[..., Any] = CFUNCTYPE(gives, c_void_p, *takes)(address)
    return made


_inc_ref = _function("Z3_inc_ref", None, c_void_p)
_dec_ref = _function("Z3_dec_ref", None, c_void_p)
_kind = _function("Z3_get_ast_kind", c_int, c_void_p)
_declaration = _function("Z3_get_app_decl", c_void_p, c_void_p)
_kind_of_declaration = _function("Z3_get_decl_kind", c_int, c_void_p)
_argument = _function("Z3_get_app_arg", z3.Ast, c_void_p, c_uint)
_arity = _function("Z3_get_app_num_args", c_uint, c_void_p)
_part = _function("Z3_get_app_arg", c_void_p, c_void_p, c_uint)
_body = _function("Z3_get_quantifier_body", c_void_p, c_void_p)
_name = _function("Z3_get_decl_name", c_void_p, c_void_p)
_string = _function("Z3_get_symbol_string", c_char_p, c_void_p)
_is_same = _function("Z3_is_eq_ast", c_int, c_void_p, c_void_p)
_sort = _function("Z3_get_sort", c_void_p, c_void_p)
_kind_of_sort = _function("Z3_get_sort_kind", c_int, c_void_p)
_numeral = _function("Z3_get_numeral_string", c_char_p, c_void_p)
_updated = _function("Z3_update_term", z3.Ast, c_void_p, c_uint, c_void_p)
_not = _function("Z3_mk_not", z3.Ast, c_void_p)
_implies = _function("Z3_mk_implies", z3.Ast, c_void_p, c_void_p)
_eq = _function("Z3_mk_eq", z3.Ast, c_void_p, c_void_p)
_ge = _function("Z3_mk_ge", z3.Ast, c_void_p, c_void_p)
_ite = _function("Z3_mk_ite", z3.Ast, c_void_p, c_void_p, c_void_p)
_and, _or, _add, _sub, _mul = (
    _function(f"Z3_mk_{name}", z3.Ast, c_uint, c_void_p) for name in ("and", "or", "add", "sub", "mul")
)


class _Counted:
    """What a term of z3 is, with fewer calls: a reference to a node of the main context, as long as it is needed."""

    ast: Any = None
    ctx: Any

    def __init__(self, ast: Any) -> None:
        spend(TERM)
        if not ast:
            raise z3.Z3Exception("z3 has made no term")
        self.ast, self.ctx = ast, _CONTEXT
        _inc_ref(_REF, ast)

    def __del__(self) -> None:
        if self.ast is not None and self.ctx.ctx is not None:  # the context may be gone when the program ends
            _dec_ref(_REF, self.ast)
            self.ast = None


class TruthTerm(_Counted, z3.BoolRef):  # type: ignore[misc]
    """A truth."""


class NumberTerm(_Counted, z3.ArithRef):  # type: ignore[misc]
    """A number."""


def _array(terms: Sequence[Any]) -> Any:
    spend(len(terms))
    return (z3.Ast * len(terms))(*[t.ast for t in terms])


# ------------------------------------------------------------------ parts of terms


def is_longer(term: Any, most: int) -> bool:
    """Return whether a term has more parts than that; each counts as often as it stands there."""
    todo, seen = [term.ast.value], 0
    while todo:
        seen += 1
        if seen > most:
            return True
        todo += parts_of(todo.pop())
    return False


def symbols(terms: Iterable[Any]) -> set[str]:
    """Return the names of all symbols in some terms."""
    out: set[str] = set()
    todo = [term.ast.value for term in terms]
    seen = set(todo)
    while todo:
        part = todo.pop()
        inner = parts_of(part)
        if inner:
            todo += [i for i in inner if i not in seen]
            seen.update(inner)
        elif _kind(_REF, part) == z3.Z3_APP_AST:
            declaration = _declaration(_REF, part)
            if _kind_of_declaration(_REF, declaration) == z3.Z3_OP_UNINTERPRETED:
                out.add(_string(_REF, _name(_REF, declaration)).decode())
    return out


def operator_of(ast: int) -> int:
    """Return the kind of operator of a node; that of numerals for one."""
    if _kind(_REF, ast) == z3.Z3_NUMERAL_AST:
        return int(z3.Z3_OP_ANUM)
    return int(_kind_of_declaration(_REF, _declaration(_REF, ast)))


def is_truth(ast: int) -> bool:
    """Return whether a node is a truth; it is a number otherwise."""
    return bool(_kind_of_sort(_REF, _sort(_REF, ast)) == z3.Z3_BOOL_SORT)


def name_of(ast: int) -> str:
    """Return the name of a symbol."""
    name: str = _string(_REF, _name(_REF, _declaration(_REF, ast))).decode()
    return name


def numeral_of(ast: int) -> int:
    """Return the number that a numeral is."""
    return int(_numeral(_REF, ast))


def with_parts(ast: int, parts: Sequence[Any]) -> Any:
    """Return a truth like a node, of other terms."""
    return TruthTerm(_updated(_REF, ast, len(parts), _array(parts)))


def truth_of(ast: int) -> Any:
    """Return a node as a truth."""
    return TruthTerm(z3.Ast.from_buffer_copy(c_void_p(ast)))


def parts_of(ast: int) -> list[int]:
    """Return the parts of a node, which live as long as it does."""
    kind = _kind(_REF, ast)
    if kind == z3.Z3_APP_AST:
        return [_part(_REF, ast, number) for number in range(_arity(_REF, ast))]
    return [_body(_REF, ast)] if kind == z3.Z3_QUANTIFIER_AST else []


# ------------------------------------------------------------------ terms


def and_(terms: Sequence[Any]) -> Any:
    return TruthTerm(_and(_REF, len(terms), _array(terms)))


def or_(terms: Sequence[Any]) -> Any:
    return TruthTerm(_or(_REF, len(terms), _array(terms)))


def not_(term: Any) -> Any:
    return TruthTerm(_not(_REF, term.ast))


def negated(term: Any) -> Any:
    """Return the term that a term is the negation of, or None."""
    ast = term.ast
    if _kind(_REF, ast) != z3.Z3_APP_AST:
        return None
    if _kind_of_declaration(_REF, _declaration(_REF, ast)) != z3.Z3_OP_NOT:
        return None
    return term.arg(0)


def implies(left: Any, right: Any) -> Any:
    return TruthTerm(_implies(_REF, left.ast, right.ast))


def eq(left: Any, right: Any) -> Any:
    return TruthTerm(_eq(_REF, left.ast, right.ast))


def ge(left: Any, right: Any) -> Any:
    return TruthTerm(_ge(_REF, left.ast, right.ast))


def is_same(left: Any, right: Any) -> bool:
    """Return whether two terms are one."""
    return bool(_is_same(_REF, left.ast, right.ast))


def add(terms: Sequence[Any]) -> Any:
    return NumberTerm(_add(_REF, len(terms), _array(terms)))


def sub(left: Any, right: Any) -> Any:
    return NumberTerm(_sub(_REF, 2, _array([left, right])))


def mul(left: Any, right: Any) -> Any:
    return NumberTerm(_mul(_REF, 2, _array([left, right])))


def ite(test: Any, yes: Any, no: Any) -> Any:
    return NumberTerm(_ite(_REF, test.ast, yes.ast, no.ast))
