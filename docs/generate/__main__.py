"""Renew what the pages repeat from the program: `python -m docs.generate`.

`--check` changes nothing, and fails where something would change.

In: the README, the pages of this folder, the specs. Out: the same pages, with these things made anew: the
pages of the games (games.py); what every command that a page shows prints; the texts of the examples that the
tutorial writes; and the parts between `<!-- made: ... -->` and `<!-- end -->`, from the grammar, the words of
every game, the types and the registry of faults:

    <!-- made: grammar zone owner -->    these rules of the grammar, in a reader's notation
    <!-- made: words -->                 the words that every game has
    <!-- made: types -->                 the kinds of value
    <!-- made: asked -->                 what `deal`, `end` and `finish` hold and check in every game
    <!-- made: signs -->                 signs of other languages, and what is written here instead
    <!-- made: index -->                 every word of the grammar, with the sections that it stands in
    <!-- made: errors -->                every kind of fault, with an example of its message
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.generate import games
from docs.generate.grammar import Grammar
from docs.generate.mistakes import EXAMPLES, example
from docs.generate.pages import TOP, followed, pages
from golpae.diagnostics import CODES, render
from golpae.elaborate.lifecycle import IMPLICIT_AFTER, IMPLICIT_BEFORE, LIFECYCLE_PARAMS
from golpae.elaborate.typecheck.builtins import BUILTINS, TRUTHS
from golpae.elaborate.typecheck.parameters import NAMED_TYPES
from golpae.elaborate.typecheck.scoring import TOTALS
from golpae.elaborate.typecheck.symbols import ZONE_KINDS
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
    "Scores": (*TOTALS, "arrangement", "points", "eligible"),
}
PART = re.compile(r"(<!-- made: ([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def made(page: str) -> str:
    """The page with its made parts made anew."""
    grammar = Grammar.read()

    def renew(match: re.Match[str]) -> str:
        what, *names = match[2].split()
        match what:
            case "grammar":
                lines = [line for name in names for line in grammar.lines(name)]
                part = "\n".join(["```text", *lines, "```", ""])
            case "index":
                part = index(page, grammar)
            case _:
                part = {"words": words, "types": types, "asked": asked, "signs": signs, "errors": errors}[
                    what
                ]()
        return f"{match[1]}\n{part}\n{match[3]}"

    return PART.sub(renew, page)


# ------------------------------------------------------------------ made parts


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


def words() -> str:
    rows = [
        [f"`p's {word.name}`" if word.of_player else f"`{word.name}`", spoken(word.type), word.text]
        for word in BUILTINS.values()
    ]
    rows += [[f"`{name}`", "yes or no", text] for name, text in TRUTHS.items()]
    return table(["word", "what kind", "what it means"], rows)


def types() -> str:
    return table(
        ["written", "what it is"], [[f"`{name}`", spoken(kind)] for name, kind in NAMED_TYPES.items()]
    )


def asked() -> str:
    rows = []
    for kind in ("action", *LIFECYCLE_PARAMS):
        keys = [
            f"`{p.name}`" + (" (may be left out)" if p.optional else "")
            for p in LIFECYCLE_PARAMS.get(kind, ())
        ]
        asked_first = ", ".join(f"`{name}`" for name, _ in IMPLICIT_BEFORE[kind])
        asked_last = ", ".join(f"`{name}`" for name, _ in IMPLICIT_AFTER.get(kind, ()))
        name = "an action" if kind == "action" else f"`{kind}`"
        rows.append([name, ", ".join(keys), asked_first, asked_last])
    return table(["event", "keys that it always has", "asked first", "asked last"], rows)


def signs() -> str:
    rows = [[f"`{sign}`", said, advice] for sign, (said, advice) in FOREIGN.items()]
    return table(["where you write", "golpae says", "and advises"], rows)


def index(page: str, grammar: Grammar) -> str:
    where: dict[str, list[str]] = {}
    heading = ""
    for line in page.splitlines():
        if match := re.match(r"##+ (.*)", line):
            heading = match[1]
        if match := re.match(r"<!-- made: grammar (.*) -->", line):
            for word in (word for rule in match[1].split() for word in grammar.words(rule)):
                if heading not in where.setdefault(word, []):
                    where[word].append(heading)
    for section, others in OTHER_WORDS.items():
        for word in others:
            if section not in where.setdefault(word, []):
                where[word].append(section)
    links = {word: [f"[{section}](#{anchor(section)})" for section in found] for word, found in where.items()}
    return table(["word", "where"], [[f"`{word}`", ", ".join(links[word])] for word in sorted(links)])


def anchor(heading: str) -> str:
    """What a link to a heading is called."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def errors() -> str:
    parts = []
    for code in CODES.values():
        shown = render(example(code.code))
        parts.append(f"### {code.code}: {code.title}\n\n{code.text}\n\n```text\n{shown}\n```\n")
    return "\n".join(parts)


# ----------------------------------------------------------------------- files


def renewed() -> Iterator[tuple[Path, str]]:
    """Every file that is made here in whole or in part, and its text as it should be."""
    texts = {page: followed(page.read_text("utf-8")) for page in pages()}
    for _, written in texts.values():
        for name, text in written.items():
            if name.endswith(".golpae"):
                yield EXAMPLES / name, text
    for page, (text, _) in texts.items():
        if page.parent != games.PAGES:
            yield page, made(text)
    for name in games.games():
        yield games.PAGES / f"{name}.md", games.page(name)


def main(arguments: Sequence[str]) -> int:
    check = "--check" in arguments
    stale = 0
    for file, text in renewed():
        if not file.exists() or file.read_text("utf-8") != text:
            stale += 1
            advice = "stale, run `python -m docs.generate`" if check else "renewed"
            print(f"{file.relative_to(TOP).as_posix()}: {advice}")
            if not check:
                file.write_text(text, "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
