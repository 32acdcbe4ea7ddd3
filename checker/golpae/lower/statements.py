"""The statement IR: what effects do, in order, with all that the language leaves implicit written out. Data only.

A move finds what leaves, takes it from where it lies, and puts it where it goes. `lower` writes this down once, for
every kind of place; replay, the compiled path and the prover read statements and no effects.

Input: none. Output: the node classes and the union `Statement`.
Guarantee: no text can write the names that lowering makes. A reader takes the union apart with `match`, closed by
`assert_never`, and names every field of a class.

    move tile from p's hand to back of discards    ->    take tile from p's hand; put tile at the back of discards
"""

from __future__ import annotations

from golpae.ir.expr import Expr, Place, ZoneRead
from golpae.records import dataclass


@dataclass(frozen=True, slots=True)
class Let:
    """A name for a value at this moment, until the end of the block."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Take:
    """A tile, or tiles, leave a zone of tiles or a row; the event cannot happen if they do not lie there.

    Tiles that leave an end of a row leave it one after the other, in the order of the set.
    """

    what: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class TakeAll:
    """All that lies in a zone leaves it. The name stands for its tiles."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Put:
    """A tile, or tiles, arrive in a zone of tiles or a row. In a row, the order of several tiles is not known."""

    what: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class MoveRow:
    """All tiles of a row go to a row, in their order, as far as it is known."""

    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class MoveMelds:
    """All melds of a zone go to a zone of melds. A label replaces their own."""

    source: Place
    label: str | None
    target: Place


@dataclass(frozen=True, slots=True)
class NewMeld:
    """Tiles become a meld with this label, or without one; nothing happens if there are no tiles."""

    tiles: Expr
    label: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class TakeMeld:
    """A meld leaves a zone of melds; the event cannot happen if it does not lie there."""

    meld: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class PutMeld:
    """A meld arrives in a zone of melds. A label replaces its own."""

    meld: Expr
    label: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class AddToMeld:
    """Tiles join a meld that lies in a zone. A label replaces its own."""

    tiles: Expr
    meld: Expr
    label: str | None
    zone: ZoneRead


@dataclass(frozen=True, slots=True)
class TakeFromMeld:
    """Tiles leave a meld that lies in a zone; the event cannot happen if they are not in it. An empty meld is gone."""

    tiles: Expr
    meld: Expr
    zone: ZoneRead


@dataclass(frozen=True, slots=True)
class Set:
    """A state, one player's or (None) everybody's, gets a value."""

    name: str
    seat: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Credit:
    """What a player gains at the end of the hand grows by an amount."""

    seat: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Over:
    """The hand is over, won by a seat, or by nobody (None)."""

    winner: Expr | None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The order of a row is not known any more."""

    place: Place


@dataclass(frozen=True, slots=True)
class Cut:
    """So many places from the front go behind the others; the event cannot happen if there are not so many."""

    place: Place
    number: Expr


@dataclass(frozen=True, slots=True)
class Arrange:
    """The order of a row becomes known, front first; the event cannot happen if it cannot be this."""

    tiles: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class Rotate:
    """Each player's zone goes to the player on one side, `right` or `left`."""

    zone: str
    side: str


@dataclass(frozen=True, slots=True)
class Branch:
    """The test is asked once, before either part. `path` names it: `put.then when`."""

    path: str
    test: Expr
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """One round for each member that a bag has at the start, in the order of the values (7.9)."""

    name: str
    domain: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Ensure:
    """The event cannot happen unless the test holds at this moment. `path` names the clause that asks."""

    path: str
    test: Expr


Statement = (
    Let
    | Take
    | TakeAll
    | Put
    | MoveRow
    | MoveMelds
    | NewMeld
    | TakeMeld
    | PutMeld
    | AddToMeld
    | TakeFromMeld
    | Set
    | Credit
    | Over
    | Shuffle
    | Cut
    | Arrange
    | Rotate
    | Branch
    | Loop
    | Ensure
)
