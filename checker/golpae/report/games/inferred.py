"""Render what is certain of hidden tiles: as text for people, as JSON.

Input: an `InferredGame` and where it stands. Output: lines of text; a JSON object.
Guarantee: shares are of the ways that were counted or drawn; where none were, none are printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Any

from golpae.corpus.inferred import InferredGame
from golpae.diagnostics.amounts import many
from golpae.hidden.counting import Ways
from golpae.hidden.inferring import Inferred, InferredHand
from golpae.hidden.lines import HANDS, RESERVE
from golpae.hidden.places import HiddenPlace
from golpae.hidden.told import Told
from golpae.trace.outcome import Outcome

WIDTH = 110
FIGURES = 3  # of an estimate


def lines(game: InferredGame, title: str) -> Iterator[str]:
    """Yield the lines for people; `title` says which game it is."""
    if not game.hands:
        yield f"{title}  all tiles are known"
        return
    if len(game.hands) == 1:
        yield f"{title}  {_ways(game.hands[0])}"
    else:
        yield title
    words = game.told()
    for hand in game.hands:
        if len(game.hands) > 1:
            first, last = game.before + hand.first, game.before + hand.last
            yield f"  events {first} to {last}: {_ways(hand)}"
        for one in hand.places:
            yield f"  {_place(game, words, one)}"
            yield from _of_place(one)
            yield from _why(game, words, one)
        if hand.followed < hand.last:
            event = game.before + hand.followed
            since = f" after event {event}" if hand.followed else ""
            yield f"  what lies where{since} is not told: golpae cannot follow the rules there"


def _ways(hand: InferredHand) -> str:
    ways, places = hand.ways, sum(1 for one in hand.places if not one.place.is_zone)
    to_fill = f"to fill in {many(places, 'hidden place')}"
    if ways.exact:
        return f"{many(ways.low, 'way')} {to_fill}"
    if ways.high is None:
        return f"at least {many(ways.low, 'way')} {to_fill}"
    if ways.about == ways.high:  # all that were drawn are legal
        return f"about {ways.high:,} ways {to_fill} (at least {_rounded(ways.low):,} of them at 95 %)"
    low, high = _rounded(ways.low), _rounded(ways.high)
    return f"about {_rounded(ways.about):,} ways {to_fill} ({low:,} to {high:,} at 95 %)"


def _rounded(number: int) -> int:
    """Return a number to so many figures as an estimate has."""
    return int(float(f"{number:.{FIGURES - 1}e}")) if number >= 10**FIGURES else number


def _place(game: InferredGame, told: Told, one: Inferred) -> str:
    """Return a hidden place in words."""
    place: HiddenPlace = one.place
    tiles = many(place.tiles, "tile") if one.is_sized else "nobody knows how many tiles"
    owner = "" if place.seat is None else f"{game.header.players[place.seat]}'s "
    if place.is_zone:
        return f"now, after event {game.before + place.event}: {owner}{place.key}, {tiles}"
    event = f"event {game.before + place.event}"
    line = game.line(place.event)
    if line.line["do"] == "deal":
        what = {HANDS: "hand", RESERVE: "reserve"}.get(place.key, place.key)
        at = "" if place.at is None else f" at {place.at + 1}"
        return f"{event}: {owner}{what}{at}, {tiles}"
    at = "" if place.at is None else f", tile {place.at + 1}"
    return f"{event}: {told.record(line, None)}{at}"


def _of_place(one: Inferred) -> Iterator[str]:
    if one.certain:
        yield from _listed("certain", [*one.certain])
    others = sorted(one.more, key=lambda tile: -one.shares.get(tile, 0.0))
    if others and (len(one.certain) < one.place.tiles or not one.is_sized):
        yield from _listed("possible", [_possible(one, tile) for tile in others], ", ")
    if one.open:
        yield from _listed("not decided", [*one.open])


def _listed(word: str, tiles: list[str], between: str = " ") -> Iterator[str]:
    """Yield tiles behind a word, on as many lines as they need."""
    text = between.join(tile.replace(" ", "\0") for tile in tiles)
    for number, line in enumerate(wrap(text, WIDTH - 18, break_long_words=False)):
        yield f"    {'' if number else word + ':':<13}{line}".replace("\0", " ").rstrip()


def _possible(one: Inferred, tile: str) -> str:
    """Return a tile that can lie in a place, and how often it does; or that there can be more of it than is certain."""
    if tile in one.certain:
        return f"another {tile}"
    if not one.shares:
        return tile
    return f"{tile} {_share(one.shares[tile])}" if tile in one.shares else f"{tile} seldom"


def _share(share: float) -> str:
    percent = 100 * share
    return f"{percent:.0f} %" if 1 <= percent <= 99 or percent in (0, 100) else f"{percent:.1f} %"


def _why(game: InferredGame, told: Told, one: Inferred) -> Iterator[str]:
    tiles: dict[tuple[tuple[int, str], ...], list[str]] = {}
    for tile, reason in one.why.items():
        tiles.setdefault(reason, []).append(tile)
    for reason, own in tiles.items():
        said = _reason(game, told, reason)
        if said:
            yield f"    {' '.join(own)}, because of {', '.join(words for _, words in said)}"


def _reason(game: InferredGame, told: Told, reason: tuple[tuple[int, str], ...]) -> list[tuple[int, str]]:
    """Return the events of a reason, each with its words."""
    out = []
    for event, clauses in groupby(reason, key=lambda clause: clause[0]):
        words = told.because(game.line(event), [name for _, name in clauses])
        out.append((game.before + event, f"event {game.before + event} ({words})"))
    return out


# ---------------------------------------------------------------------- JSON


def document(game: InferredGame, outcome: Outcome) -> dict[str, Any]:
    """Return the JSON object of one game."""
    told = game.told()
    return {
        "file": outcome.file,
        "line": outcome.line,
        "id": outcome.id,
        "verdict": outcome.verdict.value,
        "hands": [
            {
                "first": game.before + hand.first,
                "last": game.before + hand.last,
                "ways": _counted(hand.ways),
                "places": [_document(game, told, one) for one in hand.places],
            }
            for hand in game.hands
        ],
    }


def _counted(ways: Ways) -> dict[str, Any]:
    if ways.exact:
        return {"exact": ways.low}
    if ways.high is None:
        return {"at least": ways.low}
    return {"about": ways.about, "low": ways.low, "high": ways.high}


def _document(game: InferredGame, told: Told, one: Inferred) -> dict[str, Any]:
    place = one.place
    out: dict[str, Any] = {
        "event": game.before + place.event,
        ("zone" if place.is_zone else "key"): place.key,
        "seat": place.seat,
        "at": place.at,
        "tiles": place.tiles if one.is_sized else None,
        "certain": list(one.certain),
        "possible": {tile: one.shares.get(tile) for tile in one.possible},
        "more": list(one.more),
        "open": list(one.open),
    }
    if one.why:
        out["why"] = {
            tile: [{"event": event, "says": says} for event, says in _reason(game, told, reason)]
            for tile, reason in one.why.items()
        }
    return out
