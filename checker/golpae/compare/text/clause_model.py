"""The clauses and blocks of a rule set, as data.

Input: nothing; this module holds data only.
Output: `Block`, a declaration that readers know by its name, and `Clause`, one line of it.
Guarantee: the form of a block consists of the forms of its clauses, so that equal blocks have equal clauses.
"""

from __future__ import annotations

from dataclasses import dataclass

from golpae.compare.text.normal_form import Form
from golpae.diagnostics import Span
from golpae.syntax import tree as t

RULES, STATED, SOURCES = "rules", "stated", "sources"  # what a block is part of
NOTHING: Form = ("nothing",)  # the form of a head that adds nothing to its clauses


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause.

    `what` is its kind in a reader's words. `form` and `says`, the form of its message, can be compared. `words` is
    its text, `bare` its text without the message. `own` are its rule numbers, `ids` these or those of its block. `uses`
    are the names in it. `node` is the clause itself if it has effects, `expected` the verdict that a property states.
    """

    path: str
    what: str
    form: Form
    says: Form
    words: str
    bare: str
    own: tuple[str, ...]
    ids: tuple[str, ...]
    uses: frozenset[str]
    span: Span
    node: t.Clause | None = None
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A declaration: as a `whole`, and in `clauses`, head first, if it has any.

    `name` is the name by which other clauses use it, or None.
    """

    key: tuple[str, str]
    part: str
    whole: Clause
    clauses: tuple[Clause, ...] = ()
    name: str | None = None

    @property
    def all(self) -> tuple[Clause, ...]:
        return self.clauses or (self.whole,)
