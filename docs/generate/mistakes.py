"""One mistake for every kind of fault, so that its message can be shown.

Input: the finished game of the tutorial, spoilt in one place. Output: the fault that golpae reports there.
Guarantee: each code of the registry has a mistake that shows it.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.check import check, elaborate
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import resolve
from golpae.lint.book import book_notes
from golpae.lint.tables.undealt import undealt
from golpae.lint.text_notes import text_notes
from golpae.lint.uncompiled import uncompiled

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@dataclass(frozen=True)
class Mistake:
    """A mistake to show: changes and additions to the game, other files, the rule set to elaborate."""

    changes: Sequence[tuple[str, str]] = ()
    more: str = ""
    rules: str = "harbour"
    files: dict[str, str | bytes] = field(default_factory=dict)


SOURCE = '\nsource 1 "The harbour master"\n  H1: "boats and nets of one size are a pair"\n'
MISTAKES = {
    "S001": Mistake([("drawn := yes", "drawn = yes")]),
    "S002": Mistake([('title"', "title"), ('"Boats and nets"', '"Boats and nets')]),
    "S003": Mistake([("  left: tile in sea", " left: tile in sea")]),
    "S004": Mistake([("move {a, b} from", "move {a, b from")]),
    "S005": Mistake([("mover := first", "mover :=")]),
    "S006": Mistake(more="# much more\n" * 100_000),
    "L001": Mistake(rules="harbor"),
    "L002": Mistake(
        files={"first.golpae": 'game first "One"\ninclude second\n', "second.golpae": "include first\n"},
        rules="first",
    ),
    "L003": Mistake(files={"old.golpae": 'game old "Café"\n'.encode("latin-1")}, rules="old"),
    "L004": Mistake(files={"quay.golpae": 'game pier "The pier"\n'}, rules="quay"),
    "R001": Mistake(rules="harbour+twin"),
    "R002": Mistake(
        more='\nvariant wild "any two tiles are a pair"\n  replace pair.mate: yes\n', rules="harbour+wild"
    ),
    "R003": Mistake(
        more='\nvariant short "one pair wins"\n  replace lay.won: p wins\n', rules="harbour+long+short"
    ),
    "R004": Mistake([("add pair.twins:", "add pair.mates:")], rules="harbour+twins"),
    "R005": Mistake(
        [("replace lay.won: when size of p's catch = 3: p wins", "replace lay.won: size of p's catch = 3")],
        rules="harbour+long",
    ),
    "N001": Mistake([("tile in p's hand", "tile in p's hnad")]),
    "N002": Mistake(more="\ndefine boats: 6\n"),
    "N003": Mistake([("players 2 to 3", "players 2 to 3    [H2]")], more=SOURCE),
    "N004": Mistake([("mover: seat", "mover: player")]),
    "T001": Mistake([("drawn := yes", "drawn := tile")]),
    "T002": Mistake([("when winner is not none: ", "")]),
    "T003": Mistake([("pair(a, b) or", "pair(a) or")]),
    "T004": Mistake([("drawn := yes", "p's hand := {tile}")]),
    "T005": Mistake(more="\ndefine fresh(t: tile): not stale(t)\ndefine stale(t: tile): not fresh(t)\n"),
    "T006": Mistake([("sea: tiles", "sea: row"), ("tile in sea", "tile = front of sea")]),
    "T007": Mistake(more="\nalways emptier: size of sea < earlier(size of sea)\n"),
    "G001": Mistake([("24 of 12", "24 of 10")]),
    "G002": Mistake([("hands: 5", "hands: 9")]),
    "G003": Mistake(
        [
            ("drawn: yes or no = no", "stage: one of draw, lay = draw"),
            ("not drawn", "stage = draw"),
            ("and drawn", "and stage = lay"),
            ("  then drawn := yes\n", ""),
            ("  then drawn := no\n", ""),
        ]
    ),
    "G004": Mistake([('end\n  due: over "the hand is not over"\n', "")]),
    "G005": Mistake([("  then mover := first\n", "")]),
    "G006": Mistake([('"{size}b" for size in 1 to 6', "1b 2b 2b 3b")]),
    "G007": Mistake([("players 2 to 3", "players 3 to 2")]),
    "W001": Mistake([("action discard(tile)", "action discard(tile, why: number)")]),
    "W002": Mistake([("when sea is empty", "when (no mover in players: size of mover's hand > 0)")]),
    "W003": Mistake(
        [
            ("24 of 12", "25 of 13"),
            ('  nets: two of each "{size}n"', '  gulls: one of each gull\n  nets: two of each "{size}n"'),
        ],
        more="\ndefine heavy(t: tile): t's size /= 1\nalways light: no t in beach: heavy(t)\n",
    ),
    "W004": Mistake(more="\nalways light: some t in kinds: t in boats implies t's size < 3\n"),
    "W005": Mistake([("  hands: 5", "  few: size of first's hand < 5\n  hands: 5")]),
    "W006": Mistake([('  due: over "the hand is not over"\n', "")]),
    "W007": Mistake(
        more="\nshape twins(a, b): a = b\narrangement three: 3 twins\nscore worth(hand: tiles)\n  hand: hand\n"
        "  as: three\n  total: sum\n  pattern four 1: size of twins = 4\n"
    ),
    "W008": Mistake(
        changes=(
            ("players 2 to 3", "players 3 to 3"),
            ("then mover := first", "then mover := first\n  then drawn := size of many11 > 0"),
        ),
        more="\ndefine many1: sea + beach\n"
        + "".join(f"define many{n}: many{n - 1} + many{n - 1}\n" for n in range(2, 12)),
    ),
    "W010": Mistake(
        [
            ("players 2 to 3", "option dealt: 5 to 9, normally 5\n\nplayers 2 to 3"),
            ("  hands: 5", "  hands: dealt"),
        ]
    ),
    "W009": Mistake(
        more='\naction mend(tile) by p "add a tile to a catch"\n'
        "  turn: p = mover\n  held: tile in p's hand\n  fits: some m in p's catch: tile in m\n"
        "  then move tile from p's hand to (the m in p's catch: tile in m)\n"
    ),
    "W011": Mistake(),
}


def of_the_book(loaded: Loaded) -> list[Diagnostic]:
    """Return the notes that `golpae lint --book` adds."""
    return book_notes(loaded, check(resolve(loaded.game.name.text, loaded)))


def example(code: str) -> Diagnostic:
    """Return the fault in the example for a code. Raises KeyError or ValueError if no example shows it."""
    mistake = MISTAKES[code]
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        text = (EXAMPLES / "harbour.golpae").read_text("utf-8")
        for old, new in mistake.changes:
            text = text.replace(old, new)
        Path("harbour.golpae").write_text(text + mistake.more, "utf-8")
        for file, content in mistake.files.items():
            Path(file).write_bytes(content if isinstance(content, bytes) else content.encode())
        try:
            elaborate(mistake.rules, [Path()])
        except SpecError as fault:
            for diagnostic in fault.diagnostics:
                if diagnostic.code == code:
                    return diagnostic
            raise ValueError(f"the example for {code} shows {[d.code for d in fault.diagnostics]}") from None
        loaded = load(mistake.rules, [Path()])
        # the last compiles the text for each rule set, and takes longer
        for notes in (text_notes, undealt, of_the_book, uncompiled):
            for note in notes(loaded):
                if note.code == code:
                    return note
    raise ValueError(f"the example for {code} has no fault")
