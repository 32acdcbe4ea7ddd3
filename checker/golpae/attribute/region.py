"""Sets of rule sets of one game, as boxes: switches that are on, switches that are off, the others either way.

In: switches by number, a rule set being a number with a bit for each switch that is on. Out: a `Region`, any set of
rule sets, as boxes of which no two share one. Guarantees: what is asked of a region again is looked up, not worked
out, so that a region can be narrowed down once for each of a million events.

    all rule sets, but not those with switch 0 and without switch 1:    (0b11, 0b11), (0b01, 0b00)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Box = tuple[int, int]  # the switches that it speaks of, and which of these are on

MOST_KEPT = 50_000  # regions whose answers are remembered
MOST_JOINED = 64  # boxes among which neighbours are looked for


class Space:
    """Where the regions of one game are made, each once."""

    def __init__(self, switches: int) -> None:
        self.switches = switches
        self._known: dict[tuple[Box, ...], Region] = {}
        self.nothing = self.region(())
        self.everything = self.region(((0, 0),))

    def region(self, boxes: Iterable[Box]) -> Region:
        """The region of these boxes. INVARIANT: no two of them share a rule set."""
        key = tuple(sorted(_joined(list(boxes)), key=_order))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                for region in self._known.values():
                    region.forget()
                self._known.clear()
            found = self._known[key] = Region(self, key)
        return found


class Region:
    """A set of rule sets.

    `varies` are the switches that are not the same in all of them, `sample` is one with few switches on.
    """

    __slots__ = ("_both", "_met", "_rest", "boxes", "sample", "space", "varies")

    def __init__(self, space: Space, boxes: tuple[Box, ...]) -> None:
        self.space = space
        self.boxes = boxes
        self.sample = boxes[0][1] if boxes else 0
        self.varies = 0
        for spoken, on in boxes:
            self.varies |= ~spoken | (on ^ self.sample)
        self.varies &= (1 << space.switches) - 1
        self.forget()

    def forget(self) -> None:
        """Forget the answers given."""
        self._rest: dict[Box, Region] = {}
        self._met: dict[Box, Region] = {}
        self._both: dict[tuple[Box, ...], Region] = {}

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def __contains__(self, rules: int) -> bool:
        return any((rules ^ on) & spoken == 0 for spoken, on in self.boxes)

    def minus(self, box: Box) -> Region:
        """The rule sets of this region that are not in the box."""
        found = self._rest.get(box)
        if found is None:
            found = self._rest[box] = self.space.region(part for own in self.boxes for part in _cut(own, box))
        return found

    def meet(self, box: Box) -> Region:
        """The rule sets of this region that are in the box."""
        found = self._met.get(box)
        if found is None:
            found = self._met[box] = self.space.region(
                (spoken | box[0], on | box[1])
                for spoken, on in self.boxes
                if (on ^ box[1]) & spoken & box[0] == 0
            )
        return found

    def without(self, other: Region) -> Region:
        """The rule sets of this region that are not in the other one."""
        left = self
        for box in other.boxes:
            left = left.minus(box)
        return left

    def within(self, other: Region) -> Region:
        """The rule sets that are in both."""
        found = self._both.get(other.boxes)
        if found is None:
            parts = [self.meet(box) for box in other.boxes]
            found = self._both[other.boxes] = self.space.region(box for part in parts for box in part.boxes)
        return found

    def plus(self, other: Region) -> Region:
        """The rule sets that are in either. INVARIANT: none is in both."""
        return self.space.region((*self.boxes, *other.boxes))

    def smallest(self) -> list[int]:
        """The rule sets with the fewest switches on."""
        fewest = min((on.bit_count() for _, on in self.boxes), default=0)
        return sorted(on for _, on in self.boxes if on.bit_count() == fewest)


def _order(box: Box) -> tuple[int, int, int]:
    return (box[1].bit_count(), box[1], box[0])


def _cut(own: Box, away: Box) -> Iterator[Box]:
    """What is left of a box, as boxes."""
    spoken, on = own
    if (on ^ away[1]) & spoken & away[0]:
        yield own
        return
    left = away[0] & ~spoken
    while left:
        switch = left & -left
        left ^= switch
        yield spoken | switch, on | (switch & ~away[1])
        spoken |= switch
        on |= switch & away[1]


def _joined(boxes: list[Box]) -> list[Box]:
    """The same rule sets in fewer boxes, where two are neighbours: alike but for one switch."""
    if not 1 < len(boxes) <= MOST_JOINED:
        return boxes
    whole = set(boxes)
    joined = True
    while joined:
        joined = False
        for spoken, on in sorted(whole):
            if (spoken, on) not in whole:
                continue
            left = spoken & on
            while left:
                switch = left & -left
                left ^= switch
                if (spoken, on ^ switch) in whole:
                    whole -= {(spoken, on), (spoken, on ^ switch)}
                    whole.add((spoken ^ switch, on ^ switch))
                    joined = True
                    break
    return list(whole)
