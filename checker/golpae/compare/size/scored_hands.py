"""What two rule sets score hands by chance.

Input: two machines with the same kinds of tiles, the name of a score, a seed, the numbers of hands.
Output: the totals of each hand.
Guarantee: the hands are those of `docs/semantics.md` (11.14), on either path; what is not compiled is scored by the
reference. One hand in `CHECKED` is drawn and scored by both; if they differ, `HandsDiffer` is raised: a fault of
golpae.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from golpae.compare.size.paired_hands import HandsDiffer, which_hand
from golpae.compare.size.random_hands import RandomHands
from golpae.kernel.drawn import NOTHING, DrawnScorer, Totals
from golpae.kernel.language.host import available
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.chance import WORDS, Chance
from golpae.replay.machine import Machine
from golpae.replay.scoring.score import total

CHECKED = 10_000


class ScoredHands:
    """Draws hands and scores them; the same object does so for all of a seed. With `compiled`, on the compiled path as
    far as possible. `possible` is whether hands of this score can be drawn.
    """

    def __init__(
        self, machines: tuple[Machine, Machine], name: str, seed: int, compiled: bool = True
    ) -> None:
        self.machines, self.name, self.seed = machines, name, seed % WORDS
        self.random = RandomHands(machines, name)
        self.possible = self.random.possible
        self.scorer = self._compiled() if compiled and self.possible else None

    def _compiled(self) -> DrawnScorer | None:
        """Return the scorer of the compiled path, or None if it cannot be had."""
        if not available() or self.random.lies:
            return None
        a, b = self.machines
        try:
            return DrawnScorer(a.instance, b.instance, self.name, self.random.drawing)
        except (NotCompiled, MemoryError):
            return None

    def score(self, first: int, many: int) -> Iterator[tuple[Totals, bool]]:
        """Yield the totals of so many hands from the number `first` on, each with whether the reference scored it. A
        number without a hand has the totals of one that neither counts. Raises `HandsDiffer`.
        """
        scorer = self.scorer
        all_totals = [None] * many if scorer is None else scorer.totals(self.seed, first, many)
        for number, totals in enumerate(all_totals, first):
            if totals is None:
                yield self.reference(number), True
                continue
            if number % CHECKED == 0 and (reference := self.reference(number)) != totals:
                raise HandsDiffer(
                    f"the compiled path scores random hand {number} of seed {self.seed} by `{self.name}` differently",
                    self._question(number, totals, reference),
                )
            yield totals, False

    def _question(self, number: int, compiled: Totals, reference: Totals) -> dict[str, Any]:
        """Return a hand that the paths score differently, and its totals on each, null for none."""
        hand = which_hand(self.machines, self.seed, number)
        ours, theirs = (
            [None if one == NOTHING else one for one in totals] for totals in (compiled, reference)
        )
        return {**hand, "score": self.name, "compiled": ours, "reference": theirs}

    def reference(self, number: int) -> Totals:
        """Return the totals of a hand by the reference. Raises `TooManySteps`."""
        values = self.random.draw(Chance(self.seed, number), number % 2)
        if values is None:
            return NOTHING, NOTHING
        ours, theirs = (
            total(m.scorers[self.name].best(None, *v)) for m, v in zip(self.machines, values, strict=True)
        )
        return NOTHING if ours is None else ours, NOTHING if theirs is None else theirs
