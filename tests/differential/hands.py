"""Scores of single hands, by `golpae score` and by the judge.

Input: rules at a table, a random generator. Output: findings and counts.
Guarantee: each hand is given as a call of `golpae score` gives it; the points, every way that counts and its patterns
have to be those of the judge, and hands that cannot be given together have to be refused.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import ArrangementDecl, ScoreDecl
from golpae.ir.traverse import free
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Opt, Tile
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, Waiting, score_hand
from tests.differential.against_judge import MOST_WORK, Say
from tests.differential.tries import Tries
from tests.differential.values import in_replay, recorded
from tests.judge.evaluate import Scene, evaluate
from tests.judge.faults import Unclear, Unset
from tests.judge.match import start
from tests.judge.scores import Way as JudgedWay
from tests.judge.scores import can_be, filled, given_labels, laid_of, ways
from tests.judge.shapes import cuts, holds, leaves, sizes
from tests.judge.table import Table
from tests.judge.values import Bag, Meld, Value, bag, members, number, used_as

LEFT_OUT = 0.3  # of the hands that a tile completes, those that are given without it
MOST_TILES = 9  # of a hand; the judge lays it out in every way


def completing(score: ScoreDecl) -> str | None:
    """Return the key of the tile that completes a hand: it is laid out with it, and the marked one if there is one."""
    laid_out = free(score.hand)
    keys = [p.name for p in score.params if p.type == Tile() and p.initial is None and p.name in laid_out]
    if score.marking is not None:
        marked = score.marking[0]
        keys = [key for key in keys if isinstance(marked, ir.Local) and marked.name == key]
    return keys[0] if len(keys) == 1 else None


def is_laid_out(score: ScoreDecl, given: Mapping[str, Value], scene: Scene) -> bool:
    """Return whether a hand can be cut as some arrangement of its score."""
    hand, fixed = laid_of(score, given, scene)
    found = [leaf for name in score.arrangements for leaf in leaves(name, scene.table)]
    return any(True for leaf in found for _ in cuts(leaf, hand, fixed, scene))


def _counting(
    score: ScoreDecl, given: Mapping[str, Value], scene: Scene
) -> tuple[list[JudgedWay], int | None]:
    """Return the ways of a hand that count, and the most that one is worth."""
    counting = [way for way, _ in ways(score, given, scene) if way.counts]
    return counting, max((way.total for way in counting), default=None)


class Hands:
    """Makes hands for the first score of some rules, and scores them twice."""

    def __init__(
        self,
        name: str,
        library: Library,
        machine: Machine,
        making: Tries,
        rng: random.Random,
        say: Say,
        counts: Counter[str],
    ) -> None:
        self.name = name
        self.machine = machine
        self.library = library
        self.making = making
        self.rng = rng
        self.say = say
        self.counts = counts

    def some(self, table: Table, most: int) -> None:
        """Score some hands."""
        if not table.rules.scores:
            return
        score = table.rules.scores[0]
        table, state = start(table.instance, most=MOST_WORK)
        scene = Scene(table, state)
        may_differ = score.fixed is not None and score.marking is not None  # which group is marked
        for _ in range(3 * most if may_differ else most):
            table.begin()
            try:
                given = self._given(score, scene)
                self._one(score, given, scene)
                if given != (relabelled := self._relabelled(given)):
                    self._one(score, relabelled, scene)
            except (Unclear, Unset):
                self.counts["hands not judged"] += 1

    def _relabelled(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return the same values, with other labels of melds or none, also labels that no meld can have."""
        return {key: self._with_labels(value) for key, value in given.items()}

    def _with_labels(self, value: Value) -> Value:
        if isinstance(value, Meld):
            rules = self.making.table.rules
            labels = [None, *(shape.name for shape in rules.shapes), *sorted(given_labels(rules))]
            return Meld(value.tiles, self.rng.choice(labels))
        return bag(map(self._with_labels, value.members)) if isinstance(value, Bag) else value

    def _one(self, score: ScoreDecl, given: dict[str, Value], scene: Scene) -> None:
        hand, _ = laid_of(score, given, scene)
        if len(hand) > MOST_TILES:
            return
        key = completing(score)
        left_out = key is not None and self.rng.random() < LEFT_OUT
        line: dict[str, Any] = {"rules": self.name, "players": scene.table.instance.players}
        if scene.table.instance.options:
            line["options"] = dict(scene.table.instance.options)
        unstated: set[str] = set()
        for param in score.params:
            value = given[param.name]
            if (value is None and isinstance(param.type, Opt)) or (left_out and param.name == key):
                continue
            if (
                param.initial is not None
                and value == evaluate(param.initial, scene.only(given))
                and self.rng.random() < 0.5
            ):
                unstated.add(param.name)
                continue
            kind = param.type.item if isinstance(param.type, Opt) else param.type
            line[param.name] = recorded(value, kind, scene.table, self.rng)
        cannot = not can_be(score, given, scene)
        scored = score_hand(line, self.library)
        self.counts["hands scored"] += 1
        if left_out and key is not None:
            stated = {name: value for name, value in given.items() if name not in unstated}
            self._compare_waits(line, score, stated, scene, key, scored)
            return
        if isinstance(scored, Waiting):
            self.say("score-waits", f"{line}: no tile is left out", [])
            return
        if isinstance(scored, Fault) or cannot:
            if isinstance(scored, Fault) != cannot:
                self.say("score-refuses", f"{line}: judge {'refuses' if cannot else 'scores'}, {scored}", [])
            return
        self._compare(line, score, given, scene, scored)

    def _compare(
        self,
        line: Mapping[str, Any],
        score: ScoreDecl,
        given: Mapping[str, Value],
        scene: Scene,
        scored: Scored,
    ) -> None:
        counting, best = _counting(score, given, scene)
        self.counts["hands that count"] += best is not None
        if scored.points != best:
            self.say("score", f"{line}: judge {best}, score {scored.points}", [])
            return
        values = [in_replay(given[param.name]) for param in score.params]
        used = self.machine.scorers[score.name].best(self.machine.new_state(), *values)
        if (None if used is None else used.total) != best:
            self.say("score-in-a-game", f"{line}: judge {best}, replay {used}", [])
        named = scene.table.instance.kinds
        mine = set()
        for way in counting:
            groups = [members(g) for part in way.groups for g in part]
            sets = tuple(sorted(tuple(sorted(named[number(t)].name for t in g)) for g in groups))
            mine.add((sets, tuple(sorted(way.counted.points)), way.total))
        theirs = {
            (
                tuple(sorted(tuple(sorted(group)) for group in way.lists)),
                tuple(sorted(way.patterns.items())),
                way.points,
            )
            for way in scored.ways
        }
        if mine != theirs:
            self.say("score-ways", f"{line}: judge {sorted(mine)}, score {sorted(theirs)}", [])

    def _compare_waits(
        self,
        line: Mapping[str, Any],
        score: ScoreDecl,
        stated: Mapping[str, Value],
        scene: Scene,
        key: str,
        scored: Scored | Waiting | Fault,
    ) -> None:
        """Compare the tiles that complete a hand without its tile `key`, and what the hand is worth with each."""
        cannot = not can_be(score, filled(score, stated, scene), scene, key)
        self.counts["hands that wait"] += 1
        if cannot or not isinstance(scored, Waiting):
            if not cannot or not isinstance(scored, Fault):
                says = "refuses" if cannot else "waits"
                self.say("score-waits", f"{line}: judge {says}, {scored}", [])
            return
        mine: dict[str, tuple[int | None, list[dict[str, int]]]] = {}
        for number_of_kind, kind in enumerate(scene.table.instance.kinds):
            whole = filled(score, {**stated, key: number_of_kind}, scene)
            if is_laid_out(score, whole, scene) and can_be(score, whole, scene):
                counting, best = _counting(score, whole, scene)
                mine[kind.name] = (best, [dict(w.counted.points) for w in counting if w.total == best])
        self.counts["tiles that complete a hand"] += len(mine)
        theirs = {wait.tile: wait for wait in scored.waits}
        if list(mine) != list(theirs):
            self.say("score-waits", f"{line}: judge {list(mine)}, score {list(theirs)}", [])
            return
        for name, (best, patterns) in mine.items():
            found = theirs[name].best
            if theirs[name].points != best or (found is not None and dict(found.patterns) not in patterns):
                self.say("score-waits", f"{line}: {name}: judge {best} {patterns}, score {found}", [])

    # ---------------------------------------------------------------- hands

    def _given(self, score: ScoreDecl, scene: Scene) -> dict[str, Value]:
        """Return values for all parameters; most of the time tiles that some arrangement holds of."""
        rng, table = self.rng, scene.table
        groups = self._groups(score, scene)
        lying = [g for g in groups if rng.random() < 0.45] if score.fixed is not None else []
        shown: list[Value] = [Meld(tiles, shape) for shape, tiles in lying]
        for one in lying:
            groups.remove(one)
        left = bag(tile for _, tiles in groups for tile in tiles)
        key, last = completing(score), None
        if key is not None and left.members and rng.random() < 0.9:
            shown_tiles = [tile for _, tiles in lying for tile in tiles]
            last = rng.choice(shown_tiles if shown_tiles and rng.random() < 0.4 else left.members)
            left = left.minus(bag([last]))
        if rng.random() < 0.15:
            left = bag(rng.sample(table.whole.members, min(len(table.whole), rng.randrange(5))))
        given: dict[str, Value] = {}
        tiles = [p for p in score.params if p.type == BagType(Tile())]
        for param in score.params:
            if param.type == BagType(Tile()):
                value: Value = left if param == tiles[0] else self.making.any(param.type, scene.state)
            elif param.name == key and last is not None:
                value = last
            elif param.type == Tile():
                there = [*left.members, *(tile for _, tiles in lying for tile in tiles)]
                value = rng.choice(there) if there and rng.random() < 0.9 else 0
            elif param.initial is not None and rng.random() < 0.4:
                value = evaluate(param.initial, scene.only(given))
            elif score.fixed is not None and isinstance(param.type, BagType):
                value = bag(
                    m for m in shown if isinstance(m, Meld) and (m.label or param.type != BagType(Tile()))
                )
            else:
                value = self.making.any(param.type, scene.state)
            given[param.name] = used_as(value, param.type)
        return given

    def _groups(self, score: ScoreDecl, scene: Scene) -> list[tuple[str, Bag]]:
        """Return groups for an arrangement of the score, by chance; fewer where none is found."""
        found = {leaf.name: leaf for name in score.arrangements for leaf in leaves(name, scene.table)}
        arrangement = self.rng.choice(list(found.values()))
        return self._parts(arrangement, scene)

    def _parts(self, arrangement: ArrangementDecl, scene: Scene) -> list[tuple[str, Bag]]:
        left, out = scene.table.whole, []
        for part in arrangement.parts:
            for _ in range(part.count):
                for _ in range(12):
                    size = self.rng.choice(sizes(part.shape, scene.table))
                    group = bag(self.rng.sample(left.members, min(size, len(left))))
                    if holds(part.shape, group, scene):
                        out.append((self._label(part.shape, group, scene), group))
                        left = left.minus(group)
                        break
        return out

    def _label(self, shape: str, group: Bag, scene: Scene) -> str:
        """Return a shape of a group that is not a union: this one, or one that it joins, which holds."""
        declared = scene.table.shape(shape)
        while declared is not None and declared.union:
            fitting = [name for name in declared.union if holds(name, group, scene)]
            declared = scene.table.shape(self.rng.choice(fitting or declared.union))
        return shape if declared is None else declared.name
