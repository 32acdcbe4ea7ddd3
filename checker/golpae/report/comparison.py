"""Render a comparison for people: the verdict, the games that show it, the amounts, and the texts.

Input: a `Comparison`.
Output: lines of text.
Guarantee: no line is longer than the width, unless a single word is.

small+open allows all games of small, and more; payments are the same

text: 1 replaced
  replaced: take.turn [S4]  by open
    - turn: p = mover
    + turn: p in players
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from golpae.compare.comparison import MEANING, SIZE, TEXT, Comparison
from golpae.compare.games.verdict import PROVED, REFUTED, WitnessGame
from golpae.compare.text.clause_model import RULES, STATED
from golpae.compare.text.diff import (
    ADDED,
    COUNTS,
    DROPPED,
    EXPECTED,
    RECITED,
    RENAMED,
    ClauseSide,
    Difference,
)
from golpae.diagnostics.amounts import many
from golpae.diagnostics.hidden import on_one_line
from golpae.report import comparison_words as words
from golpae.report.paint import Paint

GREEN, RED, YELLOW, BOLD, DIM = "32", "31", "33", "1", "2"
COLOURS = {PROVED: GREEN, REFUTED: RED}
EVENTS = 12  # shown of a longer game
LAST = 3  # the last of these
LINES = 8  # shown of a declaration that only one text has


def table(c: Comparison, files: words.Files, paint: Paint, width: int) -> list[str]:
    """Return the lines of the whole report."""
    out = [paint(line, BOLD) for line in wrap(words.verdict(c), width, subsequent_indent="  ")]
    parts = [
        (MEANING, _meaning(c, files, paint, width)),
        (SIZE, _size(c, width)),
        (TEXT, _text(c, paint, width)),
    ]
    for layer, lines in parts:
        section = list(lines) if layer in c.layers else []
        out += ["", *section] if section else []
    return out


# ---------------------------------------------------------------- games


def _meaning(c: Comparison, files: words.Files, paint: Paint, width: int) -> Iterator[str]:
    if c.meaning is None:
        return
    yield "meaning"
    for header in words.headers(c):
        yield from _folded(f"headers: {header}", width, "  ")
    for which, verdict, players, detail in words.answers(c):
        colour = COLOURS.get(verdict.split()[0], YELLOW)
        for line in _folded(f"{words.question(which, c)}: {verdict}, {players}", width, "  "):
            yield line.replace(f"{verdict}, ", f"{paint(verdict, colour)}, ")
        if detail:
            yield from _folded(detail, width, "    ")
    for claim, verdict, players, detail in words.scores(c):
        for line in _folded(f"{claim}: {verdict}, {players}", width, "  "):
            yield line.replace(f"{verdict}, ", f"{paint(verdict, COLOURS.get(verdict, YELLOW))}, ")
        yield from _folded(detail, width, "    ")
    for at, which, game in words.games(c):
        yield ""
        yield from _game(c, at, which, game, width)
        if (at, which) in files:
            yield from _folded(f"written to: {files[at, which]}", width, "    ")


def _game(c: Comparison, at: int, which: str, game: WitnessGame, width: int) -> Iterator[str]:
    """Yield the game, shortened, and the clause that refuses its last event."""
    assert c.meaning is not None
    players = [str(name) for name in game.lines[0].get("players", ())]
    many = f"{game.events} event{'s' * (game.events != 1)}"
    shortest = "; no shorter one exists" if game.shortest else ""
    at_table = f"{words.table_in_words(c.meaning.tables[at])}, {many}{shortest}"
    yield from _folded(f"{words.shown_by(which, c)} ({at_table}):", width, "  ")
    for number, line in enumerate(game.lines[1:], 1):
        if game.events > EVENTS and EVENTS - LAST < number <= game.events - LAST:
            if number == EVENTS - LAST + 1:
                yield "    ..."
            continue
        yield f"    {number}. {_cut(words.event(line, players), width - 8)}"
    refused = f"{words.refuses(which, c)} refuses event {game.events} by {game.clause}: {game.message}"
    yield from _folded(refused, width, "    ")


def _size(c: Comparison, width: int) -> Iterator[str]:
    if not c.size and not c.left_out:
        return
    yield "size"
    for row in c.size:
        yield from _folded(words.sentence(row, c), width, "  ")
    for note in c.left_out:
        yield from _folded(note, width, "  ")


# ---------------------------------------------------------------- texts


def _text(c: Comparison, paint: Paint, width: int) -> Iterator[str]:
    rules = c.text.of(RULES)
    counting = [d for d in rules if d.kind in COUNTS]
    yield from _folded(f"text: {words.counted(rules) or 'no clause of the rules differs'}", width, "")
    for d in rules:
        if d.kind != RECITED:
            yield from _difference(d, paint, width)
    recited = [d.path for d in rules if d.kind == RECITED]
    if recited:
        yield from _folded(f"different rule numbers: {', '.join(recited)}", width, "  ")
    stated = [d for d in c.text.of(STATED) if d.kind != RECITED]
    if stated:
        yield ""
        yield "properties"
        for d in stated:
            yield from _difference(d, paint, width)
    cited = [i for d in counting for i in d.ids if i in c.text.sources]
    if cited:
        yield ""
        yield "sources"
        for number in dict.fromkeys(cited):
            yield from _folded(f"{number}  {words.source(c, number)}", width, "  ")
    for what, text in (("sources that differ", words.in_sources(c)), ("switches off in both", words.off(c))):
        if text is not None:
            yield ""
            yield from _folded(f"{what}: {text}", width, "")


def _difference(d: Difference, paint: Paint, width: int) -> Iterator[str]:
    yield from _folded(words.about(d), width, "  ")
    if d.kind in (EXPECTED, RENAMED):
        return
    whole = d.kind in (ADDED, DROPPED) or d.says_otherwise
    for side, sign, colour in ((d.old, "-", RED), (d.new, "+", GREEN)):
        if side is not None:
            for line in _words(side, whole, d.kind in (ADDED, DROPPED), sign, width):
                yield paint(line, colour)


def _words(side: ClauseSide, with_message: bool, one_sided: bool, sign: str, width: int) -> Iterator[str]:
    """Yield the text of one side, each of its lines folded."""
    lines = (side.words if with_message else side.bare).split("\n")
    over = len(lines) - LINES if one_sided and len(lines) > LINES + 1 else 0
    for line in lines[: len(lines) - over]:
        depth = len(line) - len(line.lstrip())
        first = f"    {sign} {' ' * depth}"
        yield from _wrapped(on_one_line(line.strip()), width, first, f"    {sign} {' ' * (depth + 4)}")
    if over:
        yield f"    {sign} ... {many(over, 'more line')}"


def _folded(text: str, width: int, indent: str) -> Iterator[str]:
    yield from _wrapped(on_one_line(text), width, indent, indent + "  ")


def _wrapped(text: str, width: int, first: str, others: str) -> Iterator[str]:
    yield from wrap(
        text,
        max(width, 20),
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(1, width - 1)] + "…"
