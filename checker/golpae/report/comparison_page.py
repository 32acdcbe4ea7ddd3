"""Render a comparison as Markdown, for a pull request or a page on a variant.

Input: a `Comparison`.
Output: lines of Markdown.
Guarantee: text of the rules is escaped or fenced; it calls nobody and links nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.compare.comparison import MEANING, SIZE, TEXT, Comparison
from golpae.compare.text.clause_model import RULES, STATED
from golpae.compare.text.diff import EXPECTED, RECITED, RENAMED, Difference
from golpae.diagnostics.markdown import code, escaped, fenced, grid
from golpae.report import comparison_words as words


def page(c: Comparison, files: words.Files, again: str) -> list[str]:
    """Return the lines of the page; `again` is the command that repeats the comparison."""
    out = [f"# {escaped(c.b)} against {escaped(c.a)}", "", f"**{escaped(words.verdict(c))}**"]
    if MEANING in c.layers and c.meaning is not None:
        out += ["", *_meaning(c, files)]
    if SIZE in c.layers and (c.size or c.left_out):
        out += ["", "## Size"]
        if c.size:
            rows = [(escaped(words.sized(row, c)), words.amount(row)) for row in c.size]
            out += ["", *grid(("cases", "amount"), rows)]
        if c.left_out:
            out += ["", *(f"- {escaped(note)}" for note in c.left_out)]
    if TEXT in c.layers:
        out += ["", *_text(c)]
    return [*out, "", f"Made by {code(again)}."]


def _meaning(c: Comparison, files: words.Files) -> Iterator[str]:
    yield "## Meaning"
    yield ""
    for header in words.headers(c):
        yield f"Headers: {escaped(header)}."
        yield ""
    rows = [
        (escaped(words.question(which, c)), verdict, players, escaped(detail))
        for which, verdict, players, detail in words.answers(c)
    ] + [
        (escaped(claim), verdict, players, escaped(detail))
        for claim, verdict, players, detail in words.scores(c)
    ]
    yield from grid(("claim", "verdict", "players", "how"), rows)
    for at, which, game in words.games(c):
        assert c.meaning is not None
        players = [str(name) for name in game.lines[0].get("players", ())]
        yield ""
        yield f"{escaped(words.shown_by(which, c))} ({escaped(words.table_in_words(c.meaning.tables[at]))}):"
        yield ""
        lines = [f"{n}. {words.event(line, players)}" for n, line in enumerate(game.lines[1:], 1)]
        yield from fenced("text", lines)
        yield ""
        refuses = f"{escaped(words.refuses(which, c))} refuses event {game.events} by {code(game.clause)}"
        yield f"{refuses}: {escaped(game.message)}"
        if (at, which) in files:
            yield ""
            yield f"Written to {code(files[at, which])}."


def _text(c: Comparison) -> Iterator[str]:
    rules = c.text.of(RULES)
    yield "## Text"
    yield ""
    yield f"Clauses: {words.counted(rules) or 'none differs'}."
    for d in rules:
        if d.kind != RECITED:
            yield from _difference(c, d)
    recited = [d.path for d in rules if d.kind == RECITED]
    if recited:
        yield ""
        yield f"- different rule numbers: {escaped(', '.join(recited))}"
    stated = [d for d in c.text.of(STATED) if d.kind != RECITED]
    if stated:
        yield ""
        yield "### Properties"
        for d in stated:
            yield from _difference(c, d)
    for what, text in (("Sources that differ", words.in_sources(c)), ("Switches off in both", words.off(c))):
        if text is not None:
            yield ""
            yield f"{what}: {escaped(text)}."


def _difference(c: Comparison, d: Difference) -> Iterator[str]:
    """Yield a clause, its rules and both texts."""
    yield ""
    yield f"- {escaped(words.about(d, with_ids=False))}"
    for number in d.ids:
        if number in c.text.sources:
            yield f"  - {escaped(number)}: {escaped(words.source(c, number))}"
    if d.kind in (EXPECTED, RENAMED):
        return
    yield ""
    lines = [
        f"{sign} {line}"
        for side, sign in ((d.old, "-"), (d.new, "+"))
        if side is not None
        for line in side.words.split("\n")
    ]
    yield from (f"  {line}" for line in fenced("diff", lines))
