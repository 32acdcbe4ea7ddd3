"""The parts of a page that repeat the grammar and golpae's tables.

Input: a page with parts between `<!-- made: ... -->` and `<!-- end -->`. Output: the page with new text in these
parts. Guarantee: nothing outside these parts changes.

    <!-- made: grammar zone owner -->    these rules of the grammar, in a reader's notation
    <!-- made: words -->                 the words that every game has
    <!-- made: types -->                 the kinds of value
    <!-- made: conditions -->            what `deal`, `end` and `finish` hold and check in every game
    <!-- made: signs -->                 signs of other languages, and what is written here instead
    <!-- made: index -->                 every word of the language, with the sections that explain it
    <!-- made: errors -->                every kind of fault, with an example of its message
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from docs.generate.grammar import Grammar
from docs.generate.mistakes import example
from golpae.bundled import language_pages
from golpae.diagnostics import CODES, render
from golpae.elaborate.lifecycle import IMPLICIT_AFTER, IMPLICIT_BEFORE, LIFECYCLE_PARAMS
from golpae.elaborate.typecheck.builtins import BUILTINS, TRUTHS
from golpae.elaborate.typecheck.parameters import NAMED_TYPES
from golpae.elaborate.typecheck.symbols import ZONE_KINDS
from golpae.ir.ruleset import SCORE_TOTALS
from golpae.ir.types import spoken
from golpae.syntax.build import COUNTS
from golpae.syntax.parse_errors import FOREIGN

# Words that mean something in every game but are not of the grammar, by the section that explains them.
OTHER_WORDS = {
    "Tiles": (*COUNTS, "group"),
    "Zones": ZONE_KINDS,
    "Definitions": ("it",),
    "Shapes and arrangements": ("it",),
    "Values": (*NAMED_TYPES, *BUILTINS, *TRUTHS),
    "Scores": (*SCORE_TOTALS, "arrangement", "points", "eligible"),
}
# What the kinds of value are.
KINDS = {
    "tile": "a tile of the set",
    "tiles": "a bag of tiles",
    "seat": "a player",
    "seats": "a bag of players",
    "number": "a whole number",
    "numbers": "a bag of numbers",
    "meld": "a group of tiles on the table",
    "melds": "a bag of melds",
    "patterns": "what a [score](scores.md#scores) counts in a hand, as a trace records it",
}
PART = re.compile(r"(<!-- made: ([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed_parts(page: str) -> str:
    """Return the page with its made parts renewed."""
    grammar = Grammar.read()

    def renew(match: re.Match[str]) -> str:
        what, *names = match[2].split()
        match what:
            case "grammar":
                lines = [line for name in names for line in grammar.lines(name)]
                part = "\n".join(["```text", *lines, "```", ""])
            case "index":
                part = index(grammar)
            case _:
                part = TABLES[what]()
        return f"{match[1]}\n{part}\n{match[3]}"

    return PART.sub(renew, page)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


def words() -> str:
    """Return the table of words that every game has."""
    rows = [
        [f"`p's {word.name}`" if word.of_player else f"`{word.name}`", spoken(word.type), word.text]
        for word in BUILTINS.values()
    ]
    rows += [[f"`{name}`", "yes or no", text] for name, text in TRUTHS.items()]
    return table(["word", "kind of value", "what it means"], rows)


def types() -> str:
    """Return the table of types."""
    return table(["written", "what it is"], [[f"`{name}`", KINDS[name]] for name in NAMED_TYPES])


def implicit_conditions() -> str:
    """Return the keys of each event, and the conditions that golpae checks before and after its own."""
    rows = []
    for kind in ("action", *LIFECYCLE_PARAMS):
        keys = [
            f"`{p.name}`" + (" (may be left out)" if p.optional else "")
            for p in LIFECYCLE_PARAMS.get(kind, ())
        ]
        before = ", ".join(f"`{name}`" for name, _ in IMPLICIT_BEFORE[kind])
        after = ", ".join(f"`{name}`" for name, _ in IMPLICIT_AFTER.get(kind, ()))
        name = "an action" if kind == "action" else f"`{kind}`"
        rows.append([name, ", ".join(keys), before, after])
    return table(["event", "keys that it always has", "checked first", "checked last"], rows)


def signs() -> str:
    """Return the table of signs of other languages."""
    rows = [[f"`{sign}`", message, advice] for sign, (message, advice) in FOREIGN.items()]
    return table(["if you write", "golpae says", "and advises"], rows)


def index(grammar: Grammar) -> str:
    """Return the table of every word of the grammar, with links to the sections that explain it."""
    where: dict[str, list[str]] = {}
    lies: dict[str, str] = {}
    heading = ""
    for name, line in ((name, line) for name, text in chapters() for line in text.splitlines()):
        if match := re.match(r"#+ (.*)", line):
            heading = match[1]
            lies[heading] = f"{name}#{anchor(heading)}"
        if match := re.match(r"<!-- made: grammar (.*) -->", line):
            for word in (word for rule in match[1].split() for word in grammar.words(rule)):
                if heading not in where.setdefault(word, []):
                    where[word].append(heading)
    for section, others in OTHER_WORDS.items():
        for word in others:
            if section not in where.setdefault(word, []):
                where[word].append(section)
    links = {
        word: [f"[{section}]({lies[section]})" for section in sections] for word, sections in where.items()
    }
    return table(["word", "explained in"], [[f"`{word}`", ", ".join(links[word])] for word in sorted(links)])


def chapters() -> list[tuple[str, str]]:
    """Return the pages of the language in their order: what links between chapters call each, and its text."""
    return [(os.path.relpath(name, "language"), text) for name, text in language_pages().items()]


def anchor(heading: str) -> str:
    """Return the target of links to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def errors() -> str:
    """Return a section for each kind of fault, with an example of its message."""
    parts = []
    for code in CODES.values():
        shown = render(example(code.code))
        parts.append(f"## {code.code}: {code.title}\n\n{code.text}\n\n```text\n{shown}\n```\n")
    return "\n".join(parts)


TABLES = {
    "words": words,
    "types": types,
    "conditions": implicit_conditions,
    "signs": signs,
    "errors": errors,
}
