"""The exceptions of the library, each with what is wrong, where, and what to do about it.

Input: faults as the rest of golpae returns them.
Output: exceptions.
Guarantee: every fault of a caller's is a `GolpaeError`, or a `TypeError` if a value has the wrong Python type. They
pickle, and print as golpae prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from golpae.diagnostics import Diagnostic as Fault
from golpae.diagnostics import SpecError, render
from golpae.elaborate.instance import TableFault
from golpae.ir.limits import TooManySteps
from golpae.library.values import ShortRepr
from golpae.rule_names import UsageError
from golpae.simulate.policies import PolicyFault
from golpae.trace import InputFault


@dataclass(frozen=True, slots=True, repr=False)
class Diagnostic(ShortRepr):
    """One fault. `str` of it is what `golpae` prints.

    Attributes:
        message: what is wrong, on one line.
        code: the code of a fault of a rule text, [as listed](language/faults.md#what-can-be-wrong); else None.
        file: the file of the fault, if it is in one.
        line: its line, from 1.
        column: its column, from 1.
        words: the words of the text that are at fault.
        help: what to do about it, if golpae knows.
    """

    message: str
    code: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    words: str | None = None
    help: str | None = None
    _rendered: str = field(default="", repr=False)

    def __str__(self) -> str:
        """Return the fault as `golpae` prints it: with its place, the line of the text, and advice."""
        if self._rendered:
            return self._rendered
        return self.message + (f"\n  help: {self.help}" if self.help else "")


class GolpaeError(Exception):
    """What makes an answer impossible. All exceptions of the library are of this class.

    Attributes:
        diagnostics: the faults, at least one, in reading order.
    """

    __module__ = "golpae"

    def __init__(self, diagnostics: Iterable[Diagnostic] | str, help: str | None = None) -> None:  # noqa: A002
        listed = (Diagnostic(diagnostics, help=help),) if isinstance(diagnostics, str) else tuple(diagnostics)
        super().__init__(listed)
        self.diagnostics: tuple[Diagnostic, ...] = listed

    def __str__(self) -> str:
        """Return all faults as `golpae` prints them."""
        return "\n".join(map(str, self.diagnostics))

    def __repr__(self) -> str:
        """Return its kind and its first message."""
        return f"{type(self).__name__}({self.message!r})"

    @property
    def message(self) -> str:
        """The message of the first fault, on one line."""
        return self.diagnostics[0].message


class RulesError(GolpaeError):
    """A rule text has faults, or there are no rules of a name."""

    __module__ = "golpae"


class TableError(GolpaeError, ValueError):
    """The rules do not allow this number of players, these options or these names."""

    __module__ = "golpae"


class TraceError(GolpaeError):
    """Games that cannot be read: there is no such file, it holds no game, it breaks off, or a header is wrong."""

    __module__ = "golpae"


class HandError(GolpaeError):
    """A hand that cannot be scored: a tile that there is not, a key that is missing, rules without a score."""

    __module__ = "golpae"


class PolicyError(GolpaeError):
    """A policy that there is not, or that does what no policy may do."""

    __module__ = "golpae"


class LimitError(GolpaeError):
    """An answer takes more steps than golpae takes, or a number is too large."""

    __module__ = "golpae"


class MissingExtra(GolpaeError, ImportError):
    """A package is not installed that this needs; the message says how to install it."""

    __module__ = "golpae"


def diagnostic(fault: Fault) -> Diagnostic:
    """Return a fault of a rule text."""
    span = fault.span
    if span is None:
        return Diagnostic(fault.message, fault.code, help=fault.help, _rendered=render(fault))
    line, column = span.text.position(span.start)
    place = (span.text.name, line, column, span.words)
    return Diagnostic(fault.message, fault.code, *place, fault.help, render(fault))


def rules_error(fault: SpecError) -> RulesError:
    """Return the exception for the faults of a text."""
    return RulesError(map(diagnostic, fault.diagnostics))


def of_input(fault: InputFault) -> Diagnostic:
    """Return a fault of a path or of a word."""
    return Diagnostic(fault.message, file=fault.path or None, help=fault.help)


@contextmanager
def translated() -> Iterator[None]:
    """Raise the library's exceptions for those of the rest of golpae."""
    try:
        yield
    except SpecError as fault:
        raise rules_error(fault) from None
    except UsageError as error:
        raise RulesError([of_input(error.fault)]) from None
    except TableFault as fault:
        raise TableError(str(fault)) from None
    except PolicyFault as fault:
        raise PolicyError(fault.message, fault.advice) from None
    except TooManySteps as limit:
        raise LimitError(str(limit)) from None
    except RecursionError:
        advice = "give parts of their longest lines names with `define`"
        raise LimitError("the rules are nested too deeply", advice) from None
