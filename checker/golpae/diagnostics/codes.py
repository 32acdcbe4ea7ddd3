"""Every kind of fault of a rule text, registered once.

Input: nothing. Output: `CODES`, from which the language reference is made. Guarantee: each code is there once.
"""

from __future__ import annotations

from golpae.records import dataclass


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
        _code("S001", "an unexpected word", "The underlined words cannot be at this place of a rule text."),
        _code(
            "S002",
            "a text without a closing quote",
            "A text in double quotes ends on the line on which it begins.",
        ),
        _code(
            "S003",
            "wrong indentation",
            "The lines of a block start at the same column. Indent with spaces. Deeper lines continue a line that has "
            "words after its `:`. A line without a `:`, or with one only at its end, opens a block of deeper lines.",
        ),
        _code("S004", "brackets that do not match", "Close every `(` with `)`, and every `{` with `}`."),
        _code("S005", "an incomplete line", "Something is missing at the end of the line."),
        _code(
            "S006",
            "a text that is too large",
            "A rule text has a greatest length and a greatest depth of nesting, so that no text can hang golpae.",
        ),
        _code(
            "L001",
            "a rule text that is missing",
            "golpae looks for a text beside the one that includes it, in the folders of `--spec-path`, and among its "
            "own games. The text is in none of these places, or cannot be read.",
        ),
        _code(
            "L002",
            "a text that includes itself",
            "A text cannot include itself, not even through other texts.",
        ),
        _code("L003", "a file that is not a text", "Rule texts are UTF-8 files."),
        _code(
            "L004",
            "no game, or several",
            "The text of a game has one `game` line, which has the name of the file.",
        ),
        _code("R001", "an unknown variant or reading", "The text has no variant or reading of this name."),
        _code(
            "R002",
            "a change to an unknown clause",
            "`replace` and `drop` name a clause that exists. `add` names a block that exists.",
        ),
        _code(
            "R003",
            "changes that clash",
            "Two variants or readings that are on change the same clause, and golpae does not choose between them.",
        ),
        _code("R004", "a clause added twice", "`add` needs a name that no clause of the block has yet."),
        _code(
            "R005",
            "a clause of the wrong kind",
            "A clause is at a place where its kind does not belong. A condition is replaced by a condition, an effect "
            "by an effect. Only `deal` deals, and only `payout` pays.",
        ),
        _code(
            "N001",
            "an unknown name",
            "Nothing at this place has that name: no value of the action, no definition, zone, state, tile or shape.",
        ),
        _code(
            "N002",
            "a name used twice",
            "A name has one meaning, and a game has each of its parts once.",
        ),
        _code("N003", "an unknown rule number", "A number in `[ ]` is listed in a `source` block."),
        _code(
            "N004",
            "an unknown kind of value",
            "The kinds of value are `tile`, `tiles`, `seat`, `number`, `yes or no`, `one of ...` and a few more: see "
            "[Values](tiles.md#values).",
        ),
        _code(
            "T001",
            "a value of the wrong kind",
            "A number is at the place of a tile, a tile at the place of a condition, and so on.",
        ),
        _code(
            "T002",
            "a value that may be none",
            "Say what happens if there is none: `x is not none and ...`, `when x is not none: ...`, or "
            "`(x otherwise ...)`.",
        ),
        _code(
            "T003",
            "the wrong number of values",
            "A definition is used with as many values as it is defined with.",
        ),
        _code(
            "T004",
            "a place of the wrong kind",
            "Tiles move between zones, only a row has a front and a back, and only a `state` can be set.",
        ),
        _code(
            "T005",
            "a definition that depends on itself",
            "No definition, shape, arrangement, score or first value can depend on itself, not even through others.",
        ),
        _code(
            "T006",
            "an order that may be hidden",
            "If not everyone sees a row, its order may be unknown. A rule can then only check whether a tile may be at "
            "an end: `t fits front of row`.",
        ),
        _code(
            "T007",
            "`earlier` without an event",
            "Only a property `after` an action can use `earlier`, which is a value just before the event.",
        ),
        _code(
            "G001",
            "the wrong number of tiles",
            "The set does not have as many tiles as the text says, or as many as it withdraws.",
        ),
        _code("G002", "a deal larger than the set", "The set has too few tiles for so many players."),
        _code("G003", "an action that can never happen", "A condition needs a value that nothing sets."),
        _code(
            "G004",
            "a missing part",
            "A game needs `players`, `tiles`, `zones`, `deal` and `end`, and a shared zone that holds the set.",
        ),
        _code(
            "G005",
            "a state without a first value",
            "Give the state a first value, or set it in the `then` of `deal`.",
        ),
        _code(
            "G006",
            "a tile name that does not fit",
            "Each kind of tile has its own name. If the text has a line `written`, tile names follow its patterns.",
        ),
        _code(
            "G007",
            "a number out of bounds",
            "A number is outside its bounds, its bounds are reversed, or it depends on a game in progress.",
        ),
        _code(
            "W001",
            "a part that nothing uses",
            "Nothing in the text uses a definition, a zone, an option, a state or a key, no effect sets a state, or no "
            "condition asks about a key.",
        ),
        _code(
            "W002",
            "a name that hides another",
            "A name after `some`, `every`, `no`, `the`, `for each` and so on hides a state, a zone, a definition, an "
            "option, a key or another such name. Inside, the outer one cannot be read.",
        ),
        _code(
            "W003",
            "a number that some tiles lack",
            "A tile has 0 for a number that its name lacks, so a comparison may hold of tiles that are not meant.",
        ),
        _code(
            "W004",
            "a condition that says too little",
            "`some t in s: a implies b` is true as soon as `a` is false of one member, and `x = x` is always true. A "
            "place of a row is none after several tiles were dealt to it: these have no order.",
        ),
        _code(
            "W005",
            "a condition on hands that are not dealt yet",
            "The conditions of `deal` are asked before any tile is dealt.",
        ),
        _code(
            "W006", "an end at any time", "Without a condition, `end` is legal after every event of a hand."
        ),
        _code(
            "W007",
            "a pattern that never holds",
            "No arrangement of the score has the groups that the pattern reads, or as many of them; or the pattern "
            "reads a value that is given, whose name is almost that of the groups; or another arrangement has groups "
            "of the same shape under a name that nothing reads (`trio` for one, `trios` for several).",
        ),
        _code(
            "W008",
            "a part that is slow",
            "golpae checks large files of games, and plays games at random, on a compiled path. Where a game comes to "
            "a part that is not compiled, the slower reference decides, with the same verdicts. A number of games by "
            "chance shows what is referred for its many steps, and which events take long to list; both are counted in "
            "steps. Variants, readings and the ends of options are looked at together, as far as they go together, and "
            "each by itself only if there is something to note. This note does not change the exit status.",
        ),
        _code(
            "W009",
            "one value where several may fit",
            "A condition asks `some x in s: P`, or whether the number of them is above 0, of one player or of some "
            "player, and `the x in s: P` is none if two different members pass the test. An effect that moves tiles to "
            "or from such a meld makes the event illegal then.",
        ),
        _code(
            "W010",
            "tables at which nobody can be dealt a hand",
            "With some values of the options, the set has too few tiles for the hands, or no deal meets the conditions "
            "of `deal` in the situation before the first hand. Whatever is proved there is vacuous, and no game can be "
            "played. golpae tries each value of an option alone, of one with more than 40 values its ends and about 40 "
            "between them, and the ends of all options together.",
        ),
        _code(
            "W011",
            "a rule book that says too little",
            "`golpae lint --book` notes what a rule book of the text lacks: what players try to do, a title of an "
            "action, words of its events, words for a pattern, or any sentence on the end of a hand or on what is "
            "paid.",
        ),
    ]
)


def is_note(code: str) -> bool:
    """Return whether this is the code of a note: the text can be played, but may not mean what its author means."""
    return code.startswith("W")
