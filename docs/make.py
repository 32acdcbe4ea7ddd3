"""Renew what the pages repeat from the program: `python docs/make.py` (`--check` changes nothing, and fails where it would).

In: the pages of this folder, with parts between `<!-- made: ... -->` and `<!-- end -->`; the grammar, the words of
every game, the types, the registry of faults. Out: the same pages, those parts made anew.

    <!-- made: grammar zone owner -->    the lines of these grammar rules, in a reader's notation
    <!-- made: words -->                 the words that every game has
    <!-- made: types -->                 the kinds of value
    <!-- made: asked -->                 what `deal`, `end` and `finish` hold and check in every game
    <!-- made: signs -->                 signs of other languages, and what is written here instead
    <!-- made: index -->                 every word of the grammar, with the sections that it stands in
    <!-- made: errors -->                every kind of fault, with an example of its message
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from golpae import bundled
from golpae.diagnostics import CODES, Diagnostic, SpecError, render
from golpae.elaborate.builtins import BUILTINS, TRUTHS
from golpae.elaborate.check import IMPLICIT_AFTER, IMPLICIT_BEFORE, LIFECYCLE_PARAMS, elaborate
from golpae.elaborate.expressions import NAMED_TYPES
from golpae.ir.types import spoken
from golpae.syntax.explain import FOREIGN

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS / "examples"
PART = re.compile(r"(<!-- made: ([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)

# ---------------------------------------------------------------- the grammar

RULE = re.compile(r"^\??(\w+)(?:\.\d+)?: (.*(?:\n[ \t]+\|.*)*)", re.MULTILINE)
TERMINAL = re.compile(r"^([A-Z_]+)(?:\.\d+)?: (?:/(.*)/|\"(.*)\")$", re.MULTILINE)
SYMBOL = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Z_]{2,})|(\w+)|([\[\]()|*+?])')
# Terminals that are no words, as a reader would call them.
CALLED = {
    "NAME": "NAME",
    "INT": "NUMBER",
    "TILE": "TILE",
    "TEXT": '"TEXT"',
    "ANCHOR": "NUMBERS",
    "POSS": "NAME's",
    "COUNT": "HOW-MANY",
    "COMPARE": "/= | < | <= | > | >=",
    "EQUAL": "=",
    "PLUS": "(+ | -)",
    "MINUS_SIGN": "-",
    "TIMES": "(* | div | mod)",
}


@dataclass(frozen=True)
class Grammar:
    """The grammar file taken apart: rules by name, words of terminals by name."""

    rules: dict[str, str]
    terminals: dict[str, str]

    @staticmethod
    def read() -> Grammar:
        text = re.sub(r"^\s*//.*\n", "", bundled.grammar_text(), flags=re.MULTILINE)
        rules = {name: body for name, body in RULE.findall(text) if not name.isupper()}
        terminals = {}
        for name, regex, literal in TERMINAL.findall(text):
            terminals[name] = CALLED.get(name) or literal or _words_of(regex)
        return Grammar(rules, terminals)

    def lines(self, name: str) -> list[str]:
        """One rule in a reader's notation: a line for each form, deeper lines under a block's first."""
        out: list[str] = []
        for form in _forms(re.sub(r"\s*->\s*\w+", "", self.rules[name])):
            head, *inner = [self._spoken(part) for part in form.split("_INDENT")]
            out.append(head)
            out.extend("  " + line for line in inner)
        first = f"{name.lstrip('_')} → "
        rest = [" " * (len(first) - 2) + ("  " if line[0] == " " else "| ") + line for line in out[1:]]
        return [first + out[0], *rest]

    def _spoken(self, form: str) -> str:
        said: list[str] = []
        for literal, terminal, rule, sign in SYMBOL.findall(form):
            if literal:
                said.append(f"'{literal}'" if literal in "(){}[]|" else literal)
            elif terminal in ("_NL", "_INDENT", "_DEDENT"):
                continue
            elif terminal:
                words = self.terminals[terminal]
                said.append(f"({words})" if re.search(r"\S\|", words) else words)
            elif rule == "ids":
                said.append("[NUMBERS]")
            elif rule:
                said.append(f"<{rule.lstrip('_')}>")
            elif sign == "*":
                said[-1] += "..."
            elif sign == "+":
                said[-1] += " ..."
            elif sign == "?":
                said[-1] = f"[{said[-1]}]"
            else:
                said.append(sign)
        line = " ".join(said)
        for pattern, better in (
            (r"([\[(]) ", r"\1"),
            (r" ([\])])", r"\1"),
            (r" ([,;])", r"\1"),
            (r" \.\.\.", "..."),
            (r"\[:", "[:"),
        ):
            line = re.sub(pattern, better, line)
        return line.strip()

    def words(self, name: str) -> set[str]:
        """The words of the language that a rule speaks of."""
        found = {word for literal in re.findall(r'"([^"]+)"', self.rules[name]) for word in literal.split()}
        for terminal in re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b", self.rules[name]):
            if terminal not in CALLED or terminal == "TIMES":
                found |= set(re.findall(r"[a-z]+", self.terminals[terminal]))
        return {word for word in found if re.fullmatch(r"[a-z]+('s)?", word)}


def _words_of(regex: str) -> str:
    """The words that a terminal's pattern stands for."""
    text = re.sub(r"\(\?=.*\)$", "", regex).replace(r"\b", "").replace(r"\s+", " ").replace(r"\s*", " ")
    return re.sub(r"^\((.*)\)$", r"\1", text.strip())


def _forms(body: str) -> list[str]:
    """The forms of a rule, which `|` outside brackets and quotes divides."""
    out, depth, quoted = [""], 0, False
    # A block that may be missing is shown as one; a choice that a block stands in is shown as two forms.
    body = re.sub(r"\[(_INDENT [^\]]* _DEDENT)\]", r"\1", body.replace("\n", " "))
    if choice := re.fullmatch(r"(.*?) \((.*) \| (.*_INDENT.*)\)", body.strip()):
        body = f"{choice[1]} {choice[2]} | {choice[1]} {choice[3]}"
    for char in body:
        quoted ^= char == '"'
        if not quoted:
            depth += (char in "([") - (char in ")]")
            if char == "|" and depth == 0:
                out.append("")
                continue
        out[-1] += char
    return [form.strip() for form in out]


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
    return table(["written", "what it is"], [[f"`{name}`", spoken(kind)] for name, kind in NAMED_TYPES.items()])


def asked() -> str:
    rows = []
    for kind in ("action", *LIFECYCLE_PARAMS):
        keys = ", ".join(f"`{p.name}`" + (" (may be left out)" if p.optional else "") for p in LIFECYCLE_PARAMS.get(kind, ()))
        asked_first = ", ".join(f"`{name}`" for name, _ in IMPLICIT_BEFORE[kind])
        asked_last = ", ".join(f"`{name}`" for name, _ in IMPLICIT_AFTER.get(kind, ()))
        rows.append(["an action" if kind == "action" else f"`{kind}`", keys or "its own", asked_first, asked_last])
    return table(["event", "keys that it has", "asked first", "asked last"], rows)


def signs() -> str:
    return table(["for", "what golpae says", "its advice"], [[f"`{sign}`", said, advice] for sign, (said, advice) in FOREIGN.items()])


def index(page: str, grammar: Grammar) -> str:
    """Every word of the grammar, with the sections whose rules have it."""
    where: dict[str, list[str]] = {}
    heading = ""
    for line in page.splitlines():
        if match := re.match(r"##+ (.*)", line):
            heading = match[1]
        if match := re.match(r"<!-- made: grammar (.*) -->", line):
            for rule in match[1].split():
                for word in grammar.words(rule):
                    link = f"[{heading}](#{_anchor(heading)})"
                    if link not in where.setdefault(word, []):
                        where[word].append(link)
    return table(["word", "where"], [[f"`{word}`", ", ".join(links)] for word, links in sorted(where.items())])


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# ---------------------------------------------------------------------- errors


@dataclass(frozen=True)
class Mistake:
    """A mistake to show: changes of a text of the examples, other files, and the rule set that is asked for."""

    changes: Sequence[tuple[str, str]] = ()
    more: str = ""
    rules: str = "harbour"
    files: dict[str, str | bytes] = field(default_factory=dict)


SOURCE = '\nsource 1 "The harbour master"\n  H1: "boats and nets of one size are a pair"\n'
MISTAKES = {
    "S001": Mistake([("drawn := yes", "drawn = yes")]),
    "S002": Mistake([('title"', 'title'), ('"Boats and nets"', '"Boats and nets')]),
    "S003": Mistake([("  left: tile in sea", " left: tile in sea")]),
    "S004": Mistake([("move {a, b} from", "move {a, b from")]),
    "S005": Mistake([("mover := first", "mover :=")]),
    "S006": Mistake(more="# much more\n" * 100_000),
    "L001": Mistake(rules="harbor"),
    "L002": Mistake(files={"first.golpae": 'game first "One"\ninclude second\n', "second.golpae": "include first\n"}, rules="first"),
    "L003": Mistake(files={"old.golpae": 'game old "Café"\n'.encode("latin-1")}, rules="old"),
    "L004": Mistake(files={"quay.golpae": 'game pier "The pier"\n'}, rules="quay"),
    "R001": Mistake(rules="harbour+twin"),
    "R002": Mistake(more='\nvariant wild "any two tiles are a pair"\n  replace pair.cach: yes\n', rules="harbour+wild"),
    "R003": Mistake(more='\nvariant short "one pair wins"\n  replace lay.won: p wins\n', rules="harbour+long+short"),
    "R004": Mistake([("add pair.twins:", "add pair.catch:")], rules="harbour+twins"),
    "R005": Mistake([("replace lay.won: when size of p's catch = 3: p wins", "replace lay.won: size of p's catch = 3")], rules="harbour+long"),
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
    "G001": Mistake([("24 of 12", "24 of 10")]),
    "G002": Mistake([("hands: 4", "hands: 9")]),
    "G003": Mistake(
        [
            ("drawn: yes or no = no   ", "stage: one of draw, lay = draw"),
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
}


def errors() -> str:
    parts = []
    for code in CODES.values():
        parts.append(f"### {code.code}: {code.title}\n\n{code.text}\n\n```text\n{render(example(code.code))}\n```\n")
    return "\n".join(parts)


def example(code: str) -> Diagnostic:
    """The fault that the example for a code has. Raises KeyError where there is no example, ValueError where it fails to show it."""
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
    raise ValueError(f"the example for {code} has no fault")


# ----------------------------------------------------------------------- pages


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
                part = {"words": words, "types": types, "asked": asked, "signs": signs, "errors": errors}[what]()
        return f"{match[1]}\n{part}\n{match[3]}"

    return PART.sub(renew, page)


def pages() -> Iterator[Path]:
    yield from sorted(DOCS.rglob("*.md"))


def main(arguments: Sequence[str]) -> int:
    stale = []
    for page in pages():
        old = page.read_text("utf-8")
        new = made(old)
        if new != old:
            stale.append(page.relative_to(DOCS.parent).as_posix())
            if "--check" not in arguments:
                page.write_text(new, "utf-8")
    for name in stale:
        print(f"{name} {'is stale: run python docs/make.py' if '--check' in arguments else 'renewed'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
