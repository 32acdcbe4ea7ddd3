"""The page of a match that people play in a browser, against policies or with others at one screen.

Input: a table, the header of the match, who plays each seat, a seed.
Output: the page, with the module of the table in it.
Guarantee: the page needs nothing else. What a player may not see is hidden on the page, though not from somebody who
reads its memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from golpae import __version__
from golpae.assets.pictures import pictures
from golpae.elaborate.instance import Instance
from golpae.pages.document import HOST, Markup, data, page, text_data
from golpae.pages.game import STYLES, TABLE, game_data, symbols
from golpae.pages.module import greedy_module
from golpae.pages.recording import Recording
from golpae.pages.rules_in_short import rules_in_short
from golpae.replay.citing import tells_hidden
from golpae.replay.machine import Machine
from golpae.simulate.position import Positions
from golpae.trace import Header, Outcome, Verdict

SCRIPTS = (
    HOST,
    *TABLE,
    "sight.js",
    "story.js",
    "fault.js",
    "game.js",
    "choose.js",
    "play.js",
    "match.js",
    "start-match.js",
)
PERSON, RANDOM, GREEDY = "person", "random", "greedy"
CHOICES = Markup(
    '<section class="ask no-print" id="play" hidden aria-labelledby="play-title">'
    '<h2 id="play-title" aria-live="polite" tabindex="-1">…</h2>'
    '<div class="tries" id="tries"></div><div id="wishes"></div></section>'
)
POLICIES = (PERSON, GREEDY, RANDOM)  # who can play a seat of a page


def match_page(
    instance: Instance, header: Header, seats: Sequence[str], seed: int | None, clauses: Mapping[str, str]
) -> str | None:
    """Return the page of a match; None if the rules cannot be made a module. `seats` are of `POLICIES`."""
    module, aims = greedy_module(instance)
    if module is None:
        return None
    is_greedy = aims is not None
    machine, rules = Machine(instance), instance.rule_set
    first = Positions(machine).flat(machine.new_state())
    outcome = Outcome("", 1, None, header.rules, Verdict.INCOMPLETE)
    found = pictures(rules.tiles.drawn or "")
    playing = {
        "seats": [seat if is_greedy or seat != GREEDY else RANDOM for seat in seats],
        "policies": [name for name in POLICIES if is_greedy or name != GREEDY],
        "hints": is_greedy,
        "groups": aims is not None and aims.groups is not None,
        "seed": seed,
        "clauses": clauses,
        "secret": [
            f"{action.name}.{condition.name}"
            for action in rules.actions
            for condition in action.conditions
            if tells_hidden(rules, action, condition)
        ],
    }
    values = {
        "title": rules.title,
        "heading": rules.title,
        "where": f"{header.rules} · golpae {__version__}",
        "pictures": symbols(instance, found),
        "choices": CHOICES,
        "rules": rules_in_short(rules),
        "game": data({**game_data(Recording(outcome, header, instance, first), instance, found), **playing}),
        "module": text_data(module),
    }
    return page("play.html", STYLES, SCRIPTS, values)
