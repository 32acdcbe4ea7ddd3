"""What a switch changes over all settings of the others, as a table and as JSON.

Input: the changes at each table, and the family. Output: text. Guarantee: the parts of a table are disjoint, and cover
all settings; each way to differ has its shortest game.

    shells+*, late: 1,024 settings of the other switches
      2 players  changes nothing
      3 players  allows more: always
                 3 events of shells+late, the last refused by shells.put.turn in shells
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from golpae.diagnostics.amounts import options_in_words
from golpae.families.family import Family
from golpae.families.region import Region
from golpae.verify.families.conditions import said, shortest
from golpae.verify.switches.of_switch import Changes, PartingGame

SAME, UNKNOWN = "changes nothing", "unknown"
NO_GAME = "changes no game"  # but perhaps what hands count
WORDS = {
    (False, False): SAME,
    (False, True): "allows more",
    (True, False): "allows less",
    (True, True): "allows more and less",
}
OTHERWISE = "goes on or pays otherwise"


class SwitchSettings(NamedTuple):
    """Settings of the other switches in which a switch changes the same: in words; what it is, for programs. Where
    something is unknown, it changes what is known, and perhaps more.
    """

    words: str
    less: bool
    more: bool
    otherwise: bool
    unknown: bool
    region: Region
    where: str


def parts(changes: Changes, family: Family) -> list[SwitchSettings]:
    """Return the parts of a table, unknown ones last."""
    space = family.space
    whole = space.region(changes.all)
    less, more, otherwise, unknown = (
        space.region(cubes).intersection(whole)
        for cubes in (changes.less, changes.more, changes.otherwise, changes.unknown)
    )
    out = []
    for is_unknown, among in ((False, whole.difference(unknown)), (True, unknown)):
        for is_less in (False, True):
            for is_more in (False, True):
                for is_otherwise in (False, True):
                    region = among
                    for here, what in ((is_less, less), (is_more, more), (is_otherwise, otherwise)):
                        region = region.intersection(what) if here else region.difference(what)
                    if region:
                        words = _words(is_less, is_more, is_otherwise, is_unknown)
                        where = _where(family, region, whole)
                        own = is_less, is_more, is_otherwise, is_unknown
                        out.append(SwitchSettings(words, *own, region, where))
    return sorted(out, key=lambda part: (part.unknown, part.words == UNKNOWN))


def table(rules: str, options: Mapping[str, int], found: Sequence[Changes], family: Family) -> Iterator[str]:
    """Yield the lines for people."""
    for switch, tables in groupby(found, lambda changes: changes.switch):
        own = list(tables)
        settings = family.space.region(own[0].all).size
        head = ", ".join([f"{rules}, {switch}", *options_in_words(options)])
        yield f"{head}: {settings:,} setting{'s' * (settings != 1)} of the other switches"
        for changes in own:
            first = f"  {changes.players} players  "
            for number, line in enumerate(lines(changes, family)):
                yield f"{first if number == 0 else ' ' * len(first)}{line}"


def lines(changes: Changes, family: Family) -> Iterator[str]:
    """Yield lines on what a switch changes at one table: each part, scores of hands, why something is unknown, and
    games.
    """
    for part in parts(changes, family):
        words = NO_GAME if part.words == SAME and changes.hands else part.words
        yield f"{words}: {part.where}"
    whole = family.space.region(changes.all)
    for hands in changes.hands:
        for cubes, words in ((hands.differs, "hands count differently"), (hands.unknown, "hands: unknown")):
            if cubes:
                yield f"{words} by `{hands.score}`: {_where(family, family.space.region(cubes), whole)}"
        if hands.example:
            yield hands.example
    if changes.unknown and changes.why is not None:
        yield f"unknown, because {changes.why}"
    yield from map(_game, _shortest(changes.shown))


def to_json(
    rules: str, options: Mapping[str, int], found: Sequence[Changes], family: Family
) -> list[dict[str, Any]]:
    """Return the results for programs."""
    return [
        {
            "rules": rules,
            "switch": changes.switch,
            "players": changes.players,
            "options": dict(options),
            "settings": family.space.region(changes.all).size,
            "parts": [
                {
                    "less": part.less,
                    "more": part.more,
                    "otherwise": part.otherwise,
                    "unknown": part.unknown,
                    "settings": part.region.size,
                    "where": part.where,
                }
                for part in parts(changes, family)
            ],
            "unknown_because": changes.why if changes.unknown else None,
            "hands": [
                {
                    "score": hands.score,
                    "settings": family.space.region(hands.differs).size,
                    "unknown": family.space.region(hands.unknown).size,
                    "example": hands.example,
                }
                for hands in changes.hands
            ],
            "games": [
                {
                    "rules": shown.rules,
                    "other": shown.other,
                    "at": shown.at,
                    "clause": shown.clause,
                    "shortest": shown.is_shortest,
                    "events": [*shown.events],
                }
                for shown in changes.shown
            ],
        }
        for changes in found
    ]


def _words(less: bool, more: bool, otherwise: bool, unknown: bool) -> str:
    words = WORDS[less, more]
    if otherwise:
        words = OTHERWISE if words == SAME else f"{words}, and {OTHERWISE}"
    if not unknown:
        return words
    return UNKNOWN if words == SAME else f"{words}, and may change more"


def _where(family: Family, region: Region, whole: Region) -> str:
    return said(family, shortest(region, whole.difference(region), whole.varies))


def _shortest(shown: Sequence[PartingGame]) -> list[PartingGame]:
    """Return the shortest game for each way to part."""
    best: dict[tuple[str, bool], PartingGame] = {}
    for game in shown:
        best.setdefault((game.at, len(game.rules) > len(game.other)), game)
    return list(best.values())


def _game(shown: PartingGame) -> str:
    many = f"{len(shown.events)} event{'s' * (len(shown.events) != 1)} of {shown.rules}"
    if shown.is_shortest:
        many += ", the shortest"
    match shown.at:
        case "refused":
            return f"{many}; {shown.other} refuses the last by {shown.clause}"
        case "paid":
            return f"{many}; {shown.other} pays otherwise"
        case _:
            return f"{many}, after which {shown.other} goes on otherwise"
