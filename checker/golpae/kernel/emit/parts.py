"""What all functions of a module share.

Input: a layout. Output: definitions that became functions or tables, tables of attributes, reasons of referral.
Guarantee: each function and table is made once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from golpae.ir.dependencies import Dependencies
from golpae.ir.limits import Limited
from golpae.ir.ruleset import Definition
from golpae.ir.traverse import nodes
from golpae.ir.types import (
    TILE,
    Bag,
    Choice,
    Meld,
    Opt,
    Type,
)
from golpae.kernel.emit.remembering import Moments
from golpae.kernel.emit.values import Value
from golpae.kernel.language.code import Function, Lit
from golpae.kernel.language.limits import STEPS, WHERE, WHY, Limit
from golpae.kernel.language.steps import counted
from golpae.kernel.language.writer import OF_MEMBER, ZERO, Writer, add, load, lt
from golpae.kernel.layout import WORD, Layout, is_scalar
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.scoring.groups import Groups
    from golpae.kernel.emit.scoring.layouts import Layouts
    from golpae.kernel.emit.scoring.noting import WayNotes
    from golpae.kernel.emit.scoring.scores import Scores

Names = Mapping[str, Value]
SMALL = 40  # nodes of a definition that is written in place
# Orders of lists, or members that loops of the rules go through, for one event or hand; the reference counts finer, and
# its limit is far above.
MOST_ROUNDS = 20_000
MOST_STEPS = (
    MOST_ROUNDS * OF_MEMBER
)  # of an event, of a hand, of a list that is filled; other rounds are one each
MOST_OF_LISTING = 4 * MOST_STEPS  # of all that is tried to list the events of a position
MOST_IN_ALL = 500 * MOST_STEPS  # of all games, if clauses are noted
MOST_OF_FILLING = 10 * MOST_STEPS  # of all tables and lists
MOST_WRITTEN = 2_000  # bodies of definitions in a module


class Parts:
    """What all functions of a module share: the layout, the definitions that became functions, reasons of referral."""

    def __init__(
        self,
        layout: Layout,
        counted: bool,
        left_out: Collection[str] = (),
        tells: bool = False,
        remembers: bool = False,
    ) -> None:
        self.layout = layout
        self.tells = tells  # whether the module says what scores are made of
        self.shows = False  # whether the code that is written now does
        self.notes: WayNotes | None = None  # where the ways of a score are noted
        self.steps, self.budget = STEPS, layout.allocate(1)  # where it lies how many are left
        for word in (self.steps, self.budget):
            layout.data[word] = MOST_STEPS.to_bytes(WORD, "little")
        self.counts_members = counted
        self.places: dict[str, int] | None = None  # the number of each clause that is noted; None: none is
        self.total = 0  # the address of how many steps are left for all games, if clauses are noted
        self.in_units = False  # whether an event is only a part of what has to end
        self.rules = layout.instance.rule_set
        self.definitions = {d.name: d for d in self.rules.definitions}
        self.dependencies = Dependencies(self.rules)
        self.limited = Limited(self.rules)
        self.zones = {z.name: z for z in self.rules.zones}
        self.numbers = layout.instance.numbers()
        self.functions: dict[str, Function] = {}
        self.tables: dict[str, tuple[int, bool]] = {}  # address, and whether it holds truths
        self.columns: dict[str, int] = {}  # addresses of tables of truths the other way round
        self.prepared: list[
            str
        ] = []  # tables and functions that fill lists, in the order in which they are filled
        self._written = 0  # bodies of definitions
        self.left_out = left_out  # what of these cannot be filled
        self.filling = layout.allocate(1)  # where the number of the one that is filled lies meanwhile
        self.refused: dict[str, None] = {}  # why something is referred
        self.clauses: dict[tuple[str, str], None] = {}  # in which clause, by its path, and why
        self._clause = ""
        self.why = WHY  # where the number of such a reason lies, from 1 on, if the module stops for it
        self.referrals = 0  # places where something is
        self.searches: tuple[Groups, Layouts, Scores] | None = None
        self._in_place: dict[str, bool] = {}
        self.moments = Moments(layout, self.rules, self.dependencies) if remembers else None
        self._attributes: dict[str, tuple[int, int]] = {}

    def changed(self, writer: Writer, names: Iterable[str] | None = None) -> None:
        """Write that parts of the game have changed, or that all may have: what was worked out before is unknown."""
        if self.moments is not None:
            if names is None:
                self.moments.begins(writer)
            else:
                self.moments.changes(writer, names)

    def start(self, writer: Writer, most: int = MOST_OF_LISTING) -> None:
        """Write that something begins which may take so many steps in all. If clauses are noted, all steps together
        have a limit, too.
        """
        if self.places is not None:
            self._charge(writer, self.total, Limit.ENOUGH)
        writer.store(8, ZERO, Lit(most), self.budget)
        writer.store(8, ZERO, Lit(MOST_STEPS), self.steps)

    def begin(self, writer: Writer) -> None:
        """Write that a part of it begins, which may take `MOST_STEPS`. Refer if the parts before it took too many."""
        self._charge(writer, self.budget, Limit.STEPS)
        writer.store(8, ZERO, Lit(MOST_STEPS), self.steps)

    def _charge(self, writer: Writer, budget: int, limit: Limit) -> None:
        """Write that the steps since the last beginning are taken from a budget."""
        taken = writer.let(add(load(8, ZERO, self.steps), Lit(-MOST_STEPS - 1)))
        left = writer.let(add(load(8, ZERO, budget), taken))
        writer.refer_if(lt(left, ZERO), limit)
        writer.store(8, ZERO, left, budget)

    def note_places(self) -> None:
        """Let clauses be noted, from now on, and all steps be counted together."""
        self.places, self.total = {}, self.layout.hold(MOST_IN_ALL.to_bytes(WORD, "little"))

    def note_place(self, writer: Writer, clause: str) -> None:
        """Write that a clause is carried out from here on, if that is noted."""
        if self.places is not None:
            number = self.places.setdefault(clause, 1 + len(self.places))
            writer.store(8, ZERO, Lit(number), WHERE)

    def writer(self, name: str, params: int = 0, results: int = 0) -> Writer:
        """Return a writer for a function of the module. It counts members as steps if the module does."""
        return Writer(name, params, results, left=self.steps if self.counts_members else 0)

    def counted(self, functions: Iterable[Function]) -> list[Function]:
        """Return functions whose rounds of loops are all counted."""
        return [counted(function, self.steps) for function in functions]

    def refuse(self, reason: NotCompiled) -> None:
        """Note that something is referred, and why."""
        self.referrals += 1
        self.refused.setdefault(str(reason))
        self.clauses.setdefault((reason.clause or self._clause, str(reason)))

    @contextmanager
    def within(self, clause: str) -> Iterator[None]:
        """Say that what is written in the block belongs to the clause of a path, such as `put.turn`."""
        outer, self._clause = self._clause, clause
        written = self._written
        try:
            yield
        except NotCompiled as reason:
            reason.clause = reason.clause or clause
            raise
        finally:
            self._clause = outer
            if not outer and self._written > MOST_WRITTEN:
                self._written = written  # other clauses may be short

    def count_body(self) -> None:
        """Count the body of a definition that is written. Raises `NotCompiled` if the module would be very long."""
        self._written += 1
        if self._written > MOST_WRITTEN:
            raise NotCompiled("definitions that are used very many times by one another")

    def refer(self, writer: Writer, reason: NotCompiled) -> None:
        """Write that something is referred, and why."""
        self.refuse(reason)
        writer.store(8, ZERO, Lit(1 + [*self.refused].index(str(reason))), self.why)
        writer.refer()

    @contextmanager
    def or_refer(self, writer: Writer) -> Iterator[None]:
        """Keep what is written meanwhile; if something in it is not compiled, a referral stands in its place."""
        mark = writer.mark()
        try:
            yield
        except NotCompiled as reason:
            writer.restore(mark)
            self.refer(writer, reason)

    def prepare(self, function: Function) -> None:
        """Add a function that is run once, before all else but what was prepared before it. Raises `NotCompiled`."""
        if function.name in self.left_out:
            raise NotCompiled("a table or a list that takes too many steps to fill")
        self.functions[function.name] = function
        self.prepared.append(function.name)

    def in_place(self, definition: Definition) -> bool:
        """Return whether a definition is written where it is called."""
        if definition.name not in self._in_place:
            many = sum(1 for case in definition.cases for _ in nodes(case.expr))
            kinds = [p.type for p in definition.params]
            plain = all(map(is_scalar, kinds)) and is_scalar(definition.type)
            self._in_place[definition.name] = many <= SMALL or not plain
        return self._in_place[definition.name]

    def attribute(self, name: str, kind: Type) -> tuple[int, int]:
        """Return the address of an attribute's table, and the number furthest from 0 in it."""
        if name not in self._attributes:
            kinds = self.layout.instance.kinds
            if isinstance(kind, Choice):
                values = [kind.words.index(k.group) for k in kinds]
            else:
                place = self.rules.tiles.attributes.index(name)
                values = [k.attributes[place] for k in kinds]
            held = b"".join(v.to_bytes(WORD, "little", signed=True) for v in values)
            self._attributes[name] = (self.layout.hold(held), max(map(abs, values), default=0))
        return self._attributes[name]


def bare(kind: Type) -> Type:
    return kind.item if isinstance(kind, Opt) else kind


def item_of(kind: Type) -> Type:
    if isinstance(kind, Bag):
        return kind.item
    if isinstance(kind, Meld):
        return TILE
    raise NotCompiled("the members of a value that is neither a bag nor a meld")
