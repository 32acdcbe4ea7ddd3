"""The ledger of a text: for each clause its sources, the games that use and break it, the properties that depend on it,
and the mutants of it that something notices.

Input: the counts of a game; what `golpae mutate --format json` wrote about it.
Output: an `Entry` for each clause that the text states, in reading order.
Guarantee: a property is named if it depends on the clause under the base rules or with some variant or reading alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from golpae.coverage.clauses import BROKEN, Clause
from golpae.coverage.tally import GameTally
from golpae.diagnostics import SpecError
from golpae.ir.ruleset import PropertyDecl, ShareDecl
from golpae.lint.cone_of_influence import dependents

FORMAT = 1
NOTICED, NOT_NOTICED = ("noticed", "property"), "unnoticed"


class NoMutants(Exception):
    """The words say why a file holds no mutants."""


class Mutant(msgspec.Struct, frozen=True):
    """A mutant, as `golpae mutate` writes it."""

    name: str
    path: str
    fate: str


class Mutants(msgspec.Struct, frozen=True):
    """The mutants of a game."""

    format: int
    game: str
    mutants: list[Mutant]


@dataclass(slots=True)
class Tried:
    """Mutants: how many something notices, and the names of those that nothing does."""

    noticed: int = 0
    unnoticed: list[str] = field(default_factory=list)

    @property
    def of(self) -> int:
        return self.noticed + len(self.unnoticed)

    @property
    def words(self) -> str:
        return f"{self.noticed:,} of {self.of:,}" if self.of else "none"

    def add(self, mutant: Mutant) -> None:
        if mutant.fate in NOTICED:
            self.noticed += 1
        elif mutant.fate == NOT_NOTICED:
            self.unnoticed.append(mutant.name)


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands for one clause. Of the `properties` that depend on it, those `about` it cite one of its numbers.
    `mutants` is None if none were tried.
    """

    clause: Clause
    used: int
    broken: int
    about: tuple[str, ...]
    properties: tuple[str, ...]
    mutants: Tried | None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of a game, and the mutants of parts that are no clauses: the players, states, shapes, scores."""

    tally: GameTally
    entries: tuple[Entry, ...]
    elsewhere: Tried | None


def mutants_in(content: bytes) -> Mutants:
    """Return the mutants of a file. Raises `NoMutants`."""
    try:
        mutants = msgspec.json.decode(content, type=Mutants)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise NoMutants(f"it is not what `golpae mutate --format json` writes: {fault}") from None
    if mutants.format != FORMAT:
        raise NoMutants(f"its format is {mutants.format}, and this golpae reads format {FORMAT}")
    return mutants


def ledger(tally: GameTally, mutants: Mutants | None = None) -> Ledger:
    """Return the ledger of a game."""
    properties = _properties(tally)
    tried, elsewhere = _tried(tally, mutants)
    entries = [
        Entry(
            clause,
            max((tally.games_of(clause, side) for side in clause.sides if side != BROKEN), default=0),
            tally.games_of(clause, BROKEN),
            tuple(name for name, ids in properties.get(clause.name, {}).items() if ids & {*clause.ids}),
            tuple(properties.get(clause.name, {})),
            None if mutants is None else tried.get(clause.name, Tried()),
        )
        for clause in tally.stated
    ]
    return Ledger(tally, tuple(entries), None if mutants is None else elsewhere)


def _properties(tally: GameTally) -> dict[str, dict[str, set[str]]]:
    """Return the properties that depend on each clause, by its name, with the numbers that they cite."""
    book = tally.book
    out: dict[str, dict[str, set[str]]] = {}
    for rules in (book.game, *(f"{book.game}+{switch.path}" for switch in book.switches)):
        try:
            rule_set = book.rule_set(rules)
        except SpecError:
            continue
        dependents_of = dependents(rule_set)
        properties: list[PropertyDecl | ShareDecl] = [*rule_set.properties, *rule_set.shares]
        ids = {one.name: {*one.ids} for one in properties}
        for path, clause in book.of(rules).items():
            whole = path.partition(".")[0] if clause.kind == "case" else path.partition(" when")[0]
            out.setdefault(clause.name, {}).update({name: ids[name] for name in dependents_of.get(whole, ())})
    return out


def _tried(tally: GameTally, mutants: Mutants | None) -> tuple[dict[str, Tried], Tried]:
    """Return the mutants of each clause, by its name, and those of no clause."""
    names = {clause.name for clause in tally.stated}
    dropped = {f" ({switch.path})": switch.name for switch in tally.book.switches}
    out: dict[str, Tried] = {}
    elsewhere = Tried()
    for mutant in () if mutants is None else mutants.mutants:
        ending = next((words for words in dropped if mutant.path.endswith(words)), None)
        name = mutant.path if mutant.path in names or ending is None else dropped[ending]
        (out.setdefault(name, Tried()) if name in names else elsewhere).add(mutant)
    return out, elsewhere


def mutants_of(tally: GameTally, mutants: Sequence[Mutants]) -> Mutants | None:
    """Return all mutants of a game, or None if there are none of it."""
    own = [one for one in mutants if one.game == tally.book.game]
    if not own:
        return None
    return Mutants(FORMAT, tally.book.game, [mutant for one in own for mutant in one.mutants])
