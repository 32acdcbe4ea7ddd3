"""Switches that change nothing, together with which others.

Input: a family, and the text of its game. Output: `Note` values, one for each switch that changes nothing somewhere,
and one where that is unknown.
Guarantee: under the rule sets of a note, a switch allows the same games with the same payments as its other setting, at
every number of players with the default options.
"""

from __future__ import annotations

from golpae.elaborate.load import Loaded
from golpae.families.region import Region
from golpae.lint.families import in_brackets, where_of
from golpae.lint.notes import Note
from golpae.progress import Progress
from golpae.syntax import tree as t
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.scheduler import tables
from golpae.verify.switches.changes import Ask, SwitchCall, decide_switches
from golpae.verify.switches.of_switch import having_both

NOTHING = "changes nothing"
NO_ANSWER = "unknown whether it changes anything"


def notes_on_switches(
    name: FamilyName, loaded: Loaded, settings: Settings, jobs: int, cached: bool, progress: Progress
) -> list[Note]:
    """Return a note for each switch that changes nothing somewhere. Raises `SpecError` and `TableFault`."""
    family, made = groups(name)
    space = family.space
    left: dict[str, Region] = {}  # where a switch is not known to change anything
    unsure: dict[str, Region] = {}
    reasons: dict[str, str] = {}
    for switch in family.on(family.universe.varies):
        left[switch], unsure[switch] = having_both(family, switch), space.nothing
    asks: tuple[Ask, ...] = ("unshown", "same")  # games at all tables cost less than the proofs at one
    for ask in asks:
        for players, options in tables(made[0].rule_set):
            switches_left = tuple(switch for switch, region in left.items() if region)
            among = tuple(left[switch].cubes for switch in switches_left)
            call = SwitchCall(name, switches_left, (players,), options, settings, ask, among)
            for changes in decide_switches(call, jobs, cached, progress):
                switch = changes.switch
                left[switch] = left[switch].difference(space.region(changes.otherwise))
                if ask == "same":
                    unknown = space.region(changes.unknown)
                    unsure[switch] = unsure[switch].union(unknown.difference(unsure[switch]))
                    if changes.unknown and changes.why is not None:
                        reasons.setdefault(switch, f", because {changes.why}")
    spans = {d.name.text: d.name.span for d in loaded.decls if isinstance(d, t.Variant)}
    notes: list[Note] = []
    for switch, region in left.items():
        unknown = region.intersection(unsure[switch])
        for part, words in (
            (region.difference(unknown), NOTHING),
            (unknown, f"{NO_ANSWER}{reasons.get(switch, '')}"),
        ):
            if part:
                where = where_of(family, part, having_both(family, switch))
                message = f"`{switch}`: {words}{in_brackets(where, name.left_out)}"
                is_unknown = words != NOTHING
                notes.append(Note(switch, message, spans.get(switch), is_unknown, "switch", where))
    return notes
