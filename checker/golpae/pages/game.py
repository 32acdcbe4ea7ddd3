"""The page of one game.

Input: a recording, and the module of its table, if there is one.
Output: the page.
Guarantee: what the page shows of a recorded game is in it as data; the module adds what can follow and what a reader
plays himself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from golpae import __version__
from golpae.assets.pictures import Pictures, pictures
from golpae.build.templates import state_of, type_of
from golpae.diagnostics.amounts import many
from golpae.elaborate.instance import Instance
from golpae.ir.expr import Local
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import Opt, Type
from golpae.lower.event_plan import UnseenKey
from golpae.pages.asked import asked_by_clause
from golpae.pages.document import HOST, Markup, coded, data, page, text_data
from golpae.pages.recording import Recording
from golpae.pages.ways import UNLINKED
from golpae.replay.machine import Machine
from golpae.simulate.sight import Sight
from golpae.spoken.chapters import has_winners
from golpae.trace import Outcome, Verdict

STYLES = ("base.css", "tiles.css", "table.css", "game.css")
TABLE = ("tiles.js", "arrange.js", "zones.js", "table.js")  # the table, a part of its own
SCRIPTS = (
    HOST,
    *TABLE,
    "sight.js",
    "story.js",
    "fault.js",
    "game.js",
    "choose.js",
    "play.js",
    "kept.js",
    "start.js",
)
HEADING = 200  # characters of a name in the heading
MOST_CACHED = 64  # tables
_told_by_rules: dict[
    int, tuple[Instance, dict[str, Any]]
] = {}  # INVARIANT: an instance that is kept keeps its id


def game_page(
    recording: Recording, module: str | None, clauses: Mapping[str, str], book: str | None = None
) -> str:
    """Return the page of a game whose rules can be played, with the module of its table and the text of its clauses.
    `book` is the address of a rule book of its rules.
    """
    instance = recording.instance
    assert instance is not None
    found = pictures(instance.rule_set.tiles.drawn or "")
    outcome = recording.outcome
    name = "" if outcome.id is None else f" · {str(outcome.id)[:HEADING]}"
    heading = f"{instance.rule_set.title}{name}"
    values = {
        "title": f"{heading}: {outcome.verdict.value}",
        "heading": heading,
        "verdict": outcome.verdict.value,
        "told": coded(_told(recording)),
        "where": where(outcome),
        "ways": UNLINKED,
        "choices": Markup(""),
        "pictures": symbols(instance, found),
        "game": data({**game_data(recording, instance, found), "clauses": clauses, "book": book}),
        "module": text_data(module),
    }
    return page("game.html", STYLES, SCRIPTS, values)


def where(outcome: Outcome) -> str:
    """Return which rules a game was played by, and where it was recorded."""
    name = "standard input" if outcome.file == "-" else outcome.file
    return f"{outcome.rules} · {name}, line {outcome.line} · golpae {__version__}"


def _all(events: int) -> str:
    """Return that all events are so."""
    return "its event is" if events == 1 else f"all {many(events, 'event')} are"


def _told(recording: Recording) -> str:
    """Return the verdict in a line."""
    outcome, players = recording.outcome, recording.header.players if recording.header else []
    who = ", ".join(players)
    match outcome.verdict:
        case Verdict.LEGAL | Verdict.INCOMPLETE:
            some = " with some tiles in the hidden places" if recording.is_hidden else ""
            left = "" if outcome.verdict is Verdict.LEGAL else ", and the last hand is not over"
            return f"{who}: {_all(len(recording.steps))} legal{some}{left}"
        case Verdict.RULED:
            return f"{who}: {_all(len(recording.steps))} legal, or stand by a ruling"
        case Verdict.ILLEGAL | Verdict.MALFORMED | Verdict.UNKNOWN:
            return f"{who}: event {outcome.event}: {recording.message}"


def symbols(instance: Instance, found: Pictures | None) -> Markup:
    """Return the drawings of the tiles of a table, each under the number of its kind, and what they share."""
    if found is None:
        return Markup("")
    names = ((kind.name, *kind.aliases, kind.spoken) for kind in instance.kinds)
    drawings = {number: drawing for number, own in enumerate(names) if (drawing := found.of(own)) is not None}
    size = f'viewBox="0 0 {found.width} {found.height}"'
    shared = found.shared([*drawings.values()])
    return Markup(
        "\n".join(
            [
                *(f'<g id="{name}">{drawing}</g>' for name, drawing in shared.items()),
                *(f'<symbol id="face-{n}" {size}>{drawing}</symbol>' for n, drawing in drawings.items()),
            ]
        )
    )


def game_data(recording: Recording, instance: Instance, found: Pictures | None) -> dict[str, Any]:
    """Return the data of the page."""
    header, rules = recording.header, instance.rule_set
    assert header is not None
    return {
        "rules": header.rules,
        "game": rules.game,
        "players": [*header.players],
        "stake": header.stake,
        "options": dict(header.options),
        "id": header.id,
        "size": len(instance.whole),
        "pictures": found and {"width": found.width, "height": found.height, "overlaps": found.overlaps},
        "tiles": [
            {
                "name": kind.name,
                "spoken": kind.spoken,
                "also": [alias for alias in kind.aliases if alias != kind.name],
                "drawn": found is not None and found.of((kind.name, *kind.aliases, kind.spoken)) is not None,
            }
            for kind in instance.kinds
        ],
        "zones": [
            {
                "name": z.name,
                "kind": z.kind,
                "each_player": z.each_player,
                "seen_by": z.seen_by,
                "shown": z.shown,
            }
            for z in rules.zones
        ],
        "told": {action.name: _told_as(action) for action in rules.actions},
        "has_winners": has_winners(rules),
        "states": [*map(state_of, rules.vars)],
        "first": recording.first,
        "steps": [*recording.steps],
        "refused": recording.refused,
        "is_hidden": recording.is_hidden,
        **_of_rules(instance),
    }


def _told_as(action: Action) -> dict[str, Any]:
    """Return how a page tells the events of an action: its words, if the text has some, and the types of its keys."""
    keys = {param.name: type_of(_stated(param)) for param in action.params}
    return {"kind": action.kind, "title": action.title, "words": action.told, "keys": keys}


def _stated(param: ParamDecl) -> Type:
    """Return the type of a key of an event that has it."""
    return param.type.item if param.optional and isinstance(param.type, Opt) else param.type


def _of_rules(instance: Instance) -> dict[str, Any]:
    """Return what the rules alone tell: what each clause asks, and of each action the keys whose tiles the acting seat
    cannot see, with the zone that they come from, and the key that says whose it is.
    """
    if id(instance) not in _told_by_rules:
        sight = Sight(Machine(instance))
        unseen = {
            action.name: [
                {
                    "key": key.name,
                    "zone": key.zone,
                    "of": _owner_key(action, key),
                    "is_ordered": key.is_ordered,
                }
                for key in keys
            ]
            for action in instance.rule_set.actions
            if (keys := sight.unseen_keys(action.name))
        }
        while len(_told_by_rules) >= MOST_CACHED:
            _told_by_rules.pop(next(iter(_told_by_rules)))
        asks = asked_by_clause(instance.rule_set)
        _told_by_rules[id(instance)] = instance, {"asks": asks, "unseen": unseen}
    return _told_by_rules[id(instance)][1]


def _owner_key(action: Action, key: UnseenKey) -> str | None:
    """Return the key of an event that says whose zone the tiles of an unseen key come from, or None."""
    if not isinstance(key.seat, Local):
        return None
    return "by" if key.seat.name == action.by else key.seat.name
