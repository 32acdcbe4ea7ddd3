"""Every kind of fault of a rule text, registered once.

Input: nothing. Output: `CODES`, from which the language reference is made. Guarantee: each code stands once.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of fault: its code, a title, and an explanation for authors."""

    code: str
    title: str
    text: str


def _code(code: str, title: str, text: str) -> tuple[str, Code]:
    return code, Code(code, title, text)


CODES: dict[str, Code] = dict(
    [
        _code(
            "S001",
            "a word that cannot stand here",
            "The text does not follow the grammar at the words underlined.",
        ),
        _code("S002", "quotes that do not close", "A text in double quotes ends on the line it starts on."),
        _code(
            "S003",
            "wrong indentation",
            "Lines of one block start at one column, with spaces. A line with a `:` is continued by deeper lines; "
            "a line without one opens a block of the deeper lines under it.",
        ),
        _code("S004", "brackets that do not match", "Every `(` and `{` is closed by its own kind."),
        _code("S005", "a line that stops too early", "More was expected before the end of the line."),
        _code(
            "S006",
            "a text that is too large",
            "A rule text and its nesting are bounded, so that no text can hang golpae.",
        ),
        _code(
            "L001",
            "a rule text that is not there",
            "No file of that name lies on the spec path or beside the including file.",
        ),
        _code("L002", "a text that includes itself", "Includes form no circle."),
        _code("L003", "a file that is no text", "Rule texts are UTF-8 files."),
        _code("L004", "no game, or several", "A rule set has one `game` line in its own file."),
        _code(
            "R001",
            "an unknown variant or reading",
            "The rule set names a switch that its text does not have.",
        ),
        _code(
            "R002",
            "a delta on an unknown clause",
            "`replace` and `drop` name a clause that exists; `add` names a block that exists.",
        ),
        _code(
            "R003",
            "deltas that clash",
            "Two switches of one rule set change the same clause, so neither could be said to hold.",
        ),
        _code("R004", "a clause added twice", "`add` brings a clause with a new name."),
        _code(
            "R005",
            "a clause of the wrong kind",
            "A condition is replaced by a condition, an effect by an effect; only `deal` deals, `payout` pays.",
        ),
        _code(
            "N001",
            "an unknown word",
            "The word names no parameter, definition, zone, state, tile or shape of this text.",
        ),
        _code(
            "N002",
            "a name used twice",
            "Every name stands for one thing, and a game has each of its parts once.",
        ),
        _code("N003", "an unknown rule number", "Numbers in `[ ]` are those of a `source` block."),
        _code(
            "N004",
            "an unknown type",
            "Types are tile, tiles, seat, number, yes or no, `one of ...`, and what is built from them.",
        ),
        _code(
            "T001",
            "a value of the wrong kind",
            "Every word of the language says what kinds of value it takes.",
        ),
        _code(
            "T002",
            "a value that may be none",
            "Say what happens where there is none: `is not none and ...`, or `otherwise`.",
        ),
        _code(
            "T003",
            "the wrong number of values",
            "A definition is used with as many values as it was written with.",
        ),
        _code(
            "T004",
            "not a place",
            "Tiles are moved between zones, only rows have ends, and values are set in `state`.",
        ),
        _code(
            "T005",
            "a definition that rests on itself",
            "Definitions, shapes, arrangements, scores and first values do not go round in a circle.",
        ),
        _code(
            "T006",
            "an order that nobody may know",
            "Ask `t fits front of z` of a row whose order may be hidden.",
        ),
        _code(
            "T007",
            "an `earlier` without an event",
            "Only a property of what holds `after` an action can ask for what was before the event.",
        ),
        _code("G001", "the wrong number of tiles", "The set does not hold what its first line says."),
        _code("G002", "a deal larger than the set", "There are not enough tiles for so many players."),
        _code("G003", "an action that can never happen", "A condition asks for a value that nothing sets."),
        _code(
            "G004",
            "a part that is missing",
            "A game has `players`, `tiles`, `zones`, `deal` and `end`, and one zone of all that holds the set.",
        ),
        _code(
            "G005", "a state that is never set", "Give it a first value, or set it in the `then` of `deal`."
        ),
        _code(
            "G006",
            "a tile name that does not fit",
            "Tile names are unique and follow the patterns after `written`.",
        ),
        _code(
            "G007",
            "bounds that do not fit",
            "The lower bound is above the upper one, a number lies outside, or it depends on the game under way.",
        ),
    ]
)
