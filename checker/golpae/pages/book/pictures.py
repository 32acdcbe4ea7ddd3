"""Pictures in a rule book: the tiles, and the groups that definitions and shapes allow.

Input: a table. Output: markup, and examples of groups.
Guarantee: an example is one that the rules allow; where some are left out, it is said how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, starmap
from typing import Any

from golpae.assets.pictures import pictures
from golpae.elaborate.instance import Instance
from golpae.ir.dependencies import Dependencies
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Definition
from golpae.ir.types import BOOL, Tile
from golpae.pages.document import Markup, escaped
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has, sorted_groups
from golpae.spoken.chapters import counted
from golpae.spoken.sentences import spaced

SHOWN = 16  # groups that are shown at once
FEW = 6  # groups that are shown of more; the others can be opened
MOST = 54  # groups that are shown in all
MOST_TRIED = 20_000  # choices of tiles
LARGEST = 3  # tiles of a definition that are tried

Group = tuple[int, ...]  # kinds by number


@dataclass(frozen=True, slots=True)
class Example:
    """A hand: its groups, and what it counted in words. `patterns` says how many it has, `given` what is given beside
    its tiles, such as who sits where, `rules` the rule set by which it counts. It has no groups if there is no hand.
    """

    groups: tuple[tuple[str, ...], ...]
    words: str
    patterns: int
    given: tuple[tuple[str, str], ...] = ()
    rules: str = ""


def examples_of(steps: Iterable[dict[str, Any]], rules: str) -> Iterator[tuple[str, Example]]:
    """Yield the hands that events of a game counted, each under the names of its patterns and of its arrangement."""
    for step in steps:
        for score in step.get("scores", ()):
            example = example_of(score, rules)
            if example.groups:
                yield f"arrangement {score['arrangement']}", example
                for name, _ in score["patterns"]:
                    yield f"pattern {name}", example


def example_of(score: Mapping[str, Any], rules: str, given: Iterable[tuple[str, str]] = ()) -> Example:
    """Return a hand that was scored."""
    groups = tuple(tuple(group["tiles"]) for group in score["groups"])
    return Example(groups, _counted_in_words(score), len(score["patterns"]), tuple(given), rules)


def _counted_in_words(score: Mapping[str, Any]) -> str:
    """Return what a hand counted, for readers: `8 (1 limit, 3 points): plain 3 points`."""
    counted_in, numbers = score.get("counted_in", {}), score.get("numbers", {})
    of_numbers = ", ".join(starmap(counted, ((many, name) for name, many in numbers.items() if many)))
    total = f"{score['total']} ({of_numbers})" if of_numbers else str(score["total"])
    patterns = (
        f"{spaced(name)} {counted(points, counted_in.get(name, ''))}" for name, points in score["patterns"]
    )
    return f"{total}: {', '.join(patterns)}"


class BookPictures:
    """The pictures of one table. The page has the drawings of the tiles of `drawn`, by default the same table."""

    def __init__(self, instance: Instance, drawn: Instance | None = None) -> None:
        self._machine, self._instance = Machine(instance), instance
        found = pictures(instance.rule_set.tiles.drawn or "")
        self._faces = {
            kind.name: number
            for number, kind in enumerate((drawn or instance).kinds)
            if found is not None and found.of((kind.name, *kind.aliases, kind.spoken)) is not None
        }
        self._size = "" if found is None else f'viewBox="0 0 {found.width} {found.height}"'
        self._wide = "" if found is None else f' style="--wide: {found.width / found.height}"'

    def tile(self, number: int) -> str:
        """Return the picture of a kind of tile."""
        kind = self._instance.kinds[number]
        name = escaped(kind.spoken)
        about = f'role="img" aria-label="{name}" title="{name}"{self._wide}'
        if kind.name in self._faces:
            face = self._faces[kind.name]
            use = f'<svg {self._size} aria-hidden="true"><use href="#face-{face}"></use></svg>'
            return f'<span class="tile" {about}>{use}</span>'
        return f'<span class="tile named" {about}>{escaped(kind.name)}</span>'

    def all(self) -> Markup:
        """Return all tiles, group by group, each with how many copies the set has, unless all have one."""
        groups: dict[str, list[int]] = {}
        for number, kind in enumerate(self._instance.kinds):
            groups.setdefault(kind.group, []).append(number)
        sets = (f'<div class="set">{"".join(map(self._counted, own))}</div>' for own in groups.values())
        return Markup(f'<div class="sets">{"".join(sets)}</div>')

    def _counted(self, number: int) -> str:
        kinds = self._instance.kinds
        copies = f'<span class="copies">×{kinds[number].copies}</span>'
        is_told = any(kind.copies > 1 for kind in kinds)
        return f'<span class="kind">{self.tile(number)}{copies * is_told}</span>'

    def groups(self, found: Sequence[Group]) -> Markup:
        """Return groups as pictures."""
        shown = [*spread(found, SHOWN if len(found) <= SHOWN else FEW)]
        others = [group for group in spread(found, MOST) if group not in shown]
        left = len(found) - len(shown) - len(others)
        more = f'<span class="quiet">and {left:,} more</span>' if left else ""
        rest = (
            f'<details class="groups"><summary>and {len(found) - len(shown):,} more</summary>'
            f'<div class="examples">{self._melds(others)}{more}</div></details>'
        )
        return Markup(
            f'<div class="examples">{self._melds(shown)}</div>{rest * bool(others)}' if found else ""
        )

    def _melds(self, groups: Iterable[Group]) -> str:
        return "".join(f'<span class="meld">{"".join(map(self.tile, group))}</span>' for group in groups)

    def hand(self, example: Example) -> Markup:
        """Return a hand as it was laid out and counted."""
        numbers = self._instance.numbers()
        groups = "".join(
            f'<span class="meld">{"".join(self.tile(numbers[tile]) for tile in tiles if tile in numbers)}</span>'
            for tiles in example.groups
        )
        given = "".join(starmap(self._given, example.given))
        return Markup(
            f'<div class="examples">{groups}<span class="quiet">{escaped(example.words)}'
            f'<span class="by" hidden> by the rules {escaped(example.rules)}</span></span>{given}</div>'
        )

    def _given(self, name: str, words: str) -> str:
        """Return what is given beside the tiles of a hand: tiles as pictures, else in words."""
        name = spaced(name)
        first, *others = words.split(", ")
        tiles = self.values(", ".join((f"{name} = {first}", *(f" = {other}" for other in others))))
        said = name if words == "yes" else f"{name}: {words}"
        return f'<span class="given">{tiles or escaped(said)}</span>'

    def values(self, said: str) -> str:
        """Return the tiles among values such as `hand = 1 1 2, melds = run 3 4 5`, each group after its name."""
        numbers, out = self._instance.numbers(), []
        for part in said.split(", "):
            name, _, value = part.rpartition(" = ")
            words = value.split()
            tiles = words if words and words[0] in numbers else words[1:]  # behind the label of a group
            if tiles and all(word in numbers for word in tiles):
                pictures_of = "".join(self.tile(numbers[word]) for word in tiles)
                label = f'<span class="quiet">{escaped(name)}</span> ' if name else ""
                out.append(f'<span class="value">{label}<span class="meld">{pictures_of}</span></span>')
        return "".join(out)

    # ------------------------------------------------------------------ what a name allows

    def of_name(self, name: str) -> list[Group]:
        """Return the groups of a shape, or of a definition that tells of tiles alone whether they go together."""
        rules = self._instance.rule_set
        if any(shape.name == name for shape in rules.shapes):
            try:
                return [
                    group for group in sorted_groups(self._machine, name) if set_has(self._machine, group)
                ]
            except TooManySteps:
                return []
        definition = next((d for d in rules.definitions if d.name == name), None)
        return [] if definition is None else [*self._of_definition(definition)]

    def _of_definition(self, definition: Definition) -> Iterator[Group]:
        rules, size = self._instance.rule_set, len(definition.params)
        if definition.type != BOOL or not 2 <= size <= LARGEST:
            return
        if any(not isinstance(p.type, Tile) for p in definition.params):
            return
        if Dependencies(rules).reads(case.expr for case in definition.cases):
            return
        kinds = range(len(self._instance.kinds))
        names = [p.name for p in definition.params]
        if len(kinds) ** size > MOST_TRIED:
            return
        for group in combinations_with_replacement(kinds, size):
            if set_has(self._machine, group) and self._holds(
                definition, dict(zip(names, group, strict=True))
            ):
                yield group

    def _holds(self, definition: Definition, names: dict[str, int]) -> bool:
        try:
            return any(
                self._machine.value(case.expr, self._machine.first_state, names) for case in definition.cases
            )
        except TooManySteps:
            return False


def spread(found: Sequence[Group], most: int) -> Iterable[Group]:
    """Return some of many groups, from the first to the last."""
    if len(found) <= most:
        return found
    return [found[at * (len(found) - 1) // (most - 1)] for at in range(most)]
