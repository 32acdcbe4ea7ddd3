"""Which tiles complete a hand: with which of some tiles it makes an arrangement.

Input: an arrangement, the tiles of a hand, melds that lie beside it, and the tiles that are tried as one more.
Output: those of them with which the hand makes the arrangement.
Guarantee: the same as if each were tried by itself, with the same steps.

A hand is cut where no group of the arrangement can reach across, whatever the hand. If two of its parts have
no layout, no tile helps; if one has none, only a tile of that part does. So most tiles are never tried:

    2 runs and 1 twin    1f 2f 3f 3f 4f | 2-1 2-1 | 7-1    ->    none: 1f 2f 3f 3f 4f and 7-1 both lack a tile
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import plain_arrangements
from golpae.ir.traverse import conjuncts, free
from golpae.replay.runtime import Meld
from golpae.replay.scoring.layout_search import AnswerCache, Counts, LayoutPlan, LayoutSearch, TileGroup
from golpae.replay.steps import Steps

if TYPE_CHECKING:
    from golpae.replay.scoring.arrangements import Shapes

FEW_FIXED = 5  # melds
MOST_LABELS = 5_000  # choices of labels whose counts are kept
Weights = frozenset[int]
NONE: Weights = frozenset()


class _Part(NamedTuple):
    """The tiles of a hand that can be in groups with one another, and what their layouts weigh."""

    tiles: TileGroup
    weights: Weights


class PlanCompletion:
    """Tries one more tile for the plan of one arrangement, whose groups are listed."""

    def __init__(self, plan: LayoutPlan, search: LayoutSearch) -> None:
        self.plan = plan
        self._search = search
        self._part_of = plan.part_of  # of each kind, the number of the part that it belongs to
        self._known: AnswerCache[Weights | None] = AnswerCache()
        small = plan.of_least_groups()
        self._least = None if small is None else PlanCompletion(small, search)
        """The same with the smallest groups alone: no other can be there if there are no more tiles than these have."""

    def completing(
        self, tiles: Sequence[int], counts: Collection[Counts], tried: Iterable[int]
    ) -> set[int] | None:
        """Return which of the kinds `tried` complete sorted tiles to one of these counts of groups; None if that has to
        be tried tile by tile.
        """
        needs = [self.plan.need(c) for c in counts]
        wanted = {weight for least, most, weight in needs if least <= len(tiles) + 1 <= most}
        if not wanted:
            return set()
        if self._least is not None and all(len(tiles) + 1 <= least for least, _, _ in needs):
            return self._least.completing(tiles, counts, tried)
        parts: dict[int, _Part] = {}
        lacking: list[int] = []
        cut = self.plan.cut(tiles)
        if sum(not self.plan.may_have(len(own)) for own in cut.values()) > 1:
            return set()
        for part, own in cut.items():
            weights = self._weights(own)
            if weights is None:
                return None
            if not weights:
                lacking.append(part)
                if len(lacking) > 1:
                    return set()
            parts[part] = _Part(own, weights)
        completing_tiles: set[int] = set()
        rests: dict[int, Weights] = {}
        for tile in tried:
            part = self._part_of[tile]
            if lacking and lacking[0] != part:
                continue
            before = parts[part].tiles if part in parts else ()
            weights = self._weights(tuple(sorted((*before, tile))))
            if weights is None:
                return None
            if not weights:
                continue
            if part not in rests:
                rests[part] = _sums(own.weights for other, own in parts.items() if other != part)
            if any(weight + rest in wanted for weight in weights for rest in rests[part]):
                completing_tiles.add(tile)
        return completing_tiles

    def _weights(self, tiles: TileGroup) -> Weights | None:
        """Return the weights of the layouts of all tiles of a part; None if there are too many."""
        if not self.plan.may_have(len(tiles)):
            return NONE
        known = self._known.get(tiles)
        if known is None and tiles not in self._known:
            known = self._known.put(tiles, self._search.weights(self.plan, tiles))
        return known


def _sums(weights: Iterable[Weights]) -> Weights:
    """Return every sum of one weight of each."""
    sums = frozenset({0})
    for own in weights:
        sums = frozenset(a + b for a in sums for b in own)
    return sums


class Completing:
    """Finds the tiles that complete a hand, for all arrangements of one instance.

    `is_plain` returns whether an expression takes no steps; `counts_members` is whether members take steps.
    """

    def __init__(
        self,
        shapes: Shapes,
        instance: Instance,
        function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]],
        steps: Steps,
        is_plain: Callable[[ir.Expr], bool],
        counts_members: bool,
    ) -> None:
        self._shapes, self._instance, self._function = shapes, instance, function
        self._steps, self._is_plain, self._counts_members = steps, is_plain, counts_members
        self._plans: dict[int, PlanCompletion] = {}
        self._allowed: dict[str, frozenset[int] | None] = {}
        self._beside: dict[tuple[int, tuple[str | None, ...]], set[Counts]] = {}

    def completing(
        self,
        tried: Sequence[int],
        tiles: Sequence[int],
        melds: Sequence[Meld],
        name: str,
        faces: Sequence[int] | None = None,
    ) -> list[int]:
        """Return those of the tiles `tried` of which one makes an arrangement together with these tiles, beside these
        melds. With `faces`, what counts of each is its face.
        """
        kinds = tried if faces is None else [faces[tile] for tile in tried]
        together = len(melds) <= FEW_FIXED and all(meld.label is not None for meld in melds)
        tiles, left, completing_kinds = sorted(tiles), dict.fromkeys(kinds), set[int]()
        for plain in plain_arrangements(name, self._shapes.arrangements):
            own = self._of_plan(plain, tiles, melds, left) if together else None
            if own is None:
                own = {kind for kind in left if self._makes(plain, [*tiles, kind], melds)}
            if own:
                completing_kinds |= own
                left = dict.fromkeys(kind for kind in left if kind not in own)
        return [tile for tile, kind in zip(tried, kinds, strict=True) if kind in completing_kinds]

    def _makes(self, name: str, tiles: Sequence[int], melds: Sequence[Meld]) -> bool:
        return any(True for _ in self._shapes.arrange(tiles, name, melds))

    def _of_plan(
        self, name: str, tiles: Sequence[int], melds: Sequence[Meld], tried: Collection[int]
    ) -> set[int] | None:
        """Return which of some kinds complete sorted tiles beside melds; None if that has to be tried tile by tile."""
        made = self._shapes.plan_of(name, tiles)
        if made is None:
            return None
        plan, search = made
        if plan.long or (melds and any(plan.different)):
            return None
        counts = self._counts(plan, search, melds) if melds else {plan.counts}
        if not counts:
            return set()
        if plan.starting is None:
            cost = self._hopeless(plan, tiles, melds)
            if cost is None:
                return None
            self._steps.charge(cost * len(tried))
            return set()
        if id(plan) not in self._plans:  # INVARIANT: a plan is kept as long as this is
            self._plans[id(plan)] = PlanCompletion(plan, search)
        return self._plans[id(plan)].completing(tiles, counts, tried)

    def _counts(self, plan: LayoutPlan, search: LayoutSearch, melds: Sequence[Meld]) -> set[Counts]:
        """Return how many groups of each part can be left to find beside melds with labels, which decide it."""
        key = id(plan), tuple([meld.label for meld in melds])
        if key not in self._beside:
            if len(self._beside) >= MOST_LABELS:
                self._beside.clear()
            self._beside[key] = search.counts_beside(plan, melds)
        return self._beside[key]

    # ------------------------------------------------------------------ shapes that are tested

    def _hopeless(self, plan: LayoutPlan, tiles: Sequence[int], melds: Sequence[Meld]) -> int | None:
        """Return how many steps it takes to find that tiles and one more are not the only group of an arrangement, if
        each of these has to pass a test of its own and one of them does not; else None.
        """
        if plan.counts != (1,) or melds:
            return None
        if len(tiles) + 1 not in plan.sizes[0]:
            return 0
        shape = plan.shapes[0]
        if shape not in self._allowed:
            self._allowed[shape] = self._allowed_in(self._shapes.shapes[shape])
        allowed = self._allowed[shape]
        if allowed is None or allowed.issuperset(tiles):
            return None
        return len(tiles) + 1 if self._counts_members else 0

    def _allowed_in(self, shape: ShapeDecl) -> frozenset[int] | None:
        """Return the kinds for which a shape's test holds that it begins with, `every t in it: ...`, if nothing is gone
        through in it, and it asks of each tile alone; else None.
        """
        if (
            shape.test is None
            or not self._shapes.is_whole(shape.name)
            or shape.in_a_row
            or self._instance.wild
        ):
            return None
        first = next(conjuncts(shape.test))
        if not isinstance(first, ir.Quant) or first.kind != "every" or first.size is not None:
            return None
        by_face = isinstance(first.domain, ir.Faces)
        members = first.domain.arg if isinstance(first.domain, ir.Faces) else first.domain
        if members != ir.Local("it", members.type) or free(first.body) != {*first.names}:
            return None
        if len(first.names) != 1 or not self._is_plain(first.body):
            return None
        holds = self._function(first.body, first.names)
        kinds, faces = range(len(self._instance.kinds)), self._instance.faces
        return frozenset(kind for kind in kinds if holds(None, faces[kind] if by_face else kind))
