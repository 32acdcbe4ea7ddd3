"""The page of a rule book: a rule set in reading order, with its sources, switches, pictures and claims.

Input: a `Book`. Output: the page.
Guarantee: without scripts the page shows the rule set that was named; scripts only show what other switches change, all
of which is in the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from golpae import __version__
from golpae.assets.pictures import pictures
from golpae.elaborate.instance import Instance
from golpae.elaborate.resolve import Resolved
from golpae.pages.book.blocks import Change, Part, Row, parts_of
from golpae.pages.book.claims import KeptVerdicts
from golpae.pages.book.pictures import BookPictures, Example
from golpae.pages.book.switches import switch_changes
from golpae.pages.document import Markup, coded, data, escaped, page
from golpae.pages.game import symbols
from golpae.syntax import tree as t
from golpae.syntax.citations import citations

STYLES = ("base.css", "tiles.css", "book.css")
SCRIPTS = ("book.js",)
UNDECIDED = "not yet decided"
HOLE = re.compile(r"\{([^}]*)\}")  # an expression in a message
PATTERN = "pattern "  # how the name of a row begins that is a pattern of a score
PICTURED = ("define", "shape")  # blocks that may have pictures


@dataclass(frozen=True, slots=True)
class Book:
    """What a rule book shows: the game without switches, the game with each of them, and those that are on.

    `instance` is a table without switches, `instance_of` one with a switch; None if there is none with these players.
    `clashes` are pairs of switches that cannot be on together. `games` are the pages of games that show a property, by
    the rule set, its name and the number of players; `examples` are hands, by `pattern NAME` and `arrangement NAME`;
    `examples_with` gives those of some patterns with a switch.
    """

    base: Resolved
    switched: Mapping[str, Resolved]
    active: tuple[str, ...]
    clashes: tuple[tuple[str, str], ...]
    instance: Instance
    instance_of: Callable[[str], Instance | None]
    kept: KeptVerdicts
    games: Mapping[tuple[str, str, int], str]
    examples: Mapping[str, Example]
    examples_with: Callable[[str, Sequence[str]], Mapping[str, Example]]


def book_page(book: Book) -> str:
    """Return the page."""
    return _Page(book).page()


class _Page:
    def __init__(self, book: Book) -> None:
        self._book, self._base = book, book.base
        self._parts = parts_of(book.base.decls)
        self._pictures = BookPictures(book.instance)
        self._others: dict[str, BookPictures | None] = {}
        self._rules = {
            rule.name.text: (source, rule)
            for source in book.base.decls
            if isinstance(source, t.Source)
            for rule in source.rules
        }
        self._titles = {s.number.text: s.title for s in book.base.decls if isinstance(s, t.Source)}
        self._changes: dict[tuple[str, str], list[Change]] = {}
        self._by_switch = {
            switch: switch_changes(switch, book.base, self._parts, resolved)
            for switch, resolved in book.switched.items()
        }
        for found in self._by_switch.values():
            for change in found:
                place = change.after if change.kind == "add" else change.row
                path = (
                    change.path if change.kind != "add" or isinstance(change.new, Row) else f"+{change.after}"
                )
                self._changes.setdefault((path, place), []).append(change)
        self._cited: dict[str, None] = {}
        self._examples = {switch: _examples_with(book, switch, of) for switch, of in self._by_switch.items()}

    def page(self) -> str:
        book, game = self._book, self._base.game
        properties = [part for part in self._parts if part.kind == "property"]
        rules = [part for part in self._parts if part.kind != "property"]
        body = "".join(self._added("")) + "".join(self._block(part) for part in rules)
        claims = "".join(self._block(part) for part in properties)
        values = {
            "title": game.title,
            "heading": game.title,
            "where": f"{self._base.rules} · golpae {__version__}",
            "pictures": symbols(book.instance, pictures(book.instance.rule_set.tiles.drawn or "")),
            "switches": Markup(self._switches()),
            "exact": Markup("" if self._rules else " checked"),
            "changes": Markup("".join(self._summaries())),
            "contents": Markup("".join(self._contents(rules))),
            "rules": Markup(body),
            "claims": Markup(self._no_games() + claims),
            "sources": Markup("".join(_sources(self._base.decls, self._cited))),
            "book": data(
                {
                    "game": self._base.game.name.text,
                    "named": self._named,
                    "switches": [*book.switched],
                    "clashes": [*map(list, book.clashes)],
                    "verdicts": book.kept.verdicts,
                    "everywhere": book.kept.everywhere.by_property(),
                }
            ),
        }
        return page("book.html", STYLES, SCRIPTS, values)

    # ------------------------------------------------------------------ the head

    def _switches(self) -> str:
        out = []
        for kind, title in (("variant", "Variants"), ("reading", "Readings of the sources")):
            items = [v for v in self._base.variants if v.kind == kind]
            if items:
                labels = "".join(map(self._switch, items))
                out.append(f"<fieldset><legend>{title}</legend>{labels}</fieldset>")
        return "".join(out)

    def _switch(self, variant: t.Variant) -> str:
        name = escaped(variant.name.text)
        on = " checked" if variant.name.text in self._book.active else ""
        return (
            f'<label><input type="checkbox" data-switch="{name}"{on}> <span><b>{name}</b> {escaped(variant.gist)} '
            f"{self._numbers(w.text for w in variant.ids)}</span></label>"
        )

    def _summaries(self) -> Iterator[str]:
        """Yield what each switch changes, with links."""
        done = {"replace": "replaces", "drop": "drops", "add": "adds"}
        for switch, found in self._by_switch.items():
            said = []
            for kind, verb in done.items():
                items = []
                for change in found:
                    if change.kind == kind:
                        new = change.new if isinstance(change.new, Part) else None
                        path = change.path if new is None else new.path
                        key = change.row or ("" if new is not None else path.rpartition(" ")[2])
                        name = path.partition(" ")[2] or path
                        words = name if not key or key == name else f"{name}: {key}"
                        items.append(f'<a href="#{escaped(path.replace(" ", "-"))}">{escaped(words)}</a>')
                if items:
                    said.append(f"{verb} {', '.join(items)}")
            about = "; ".join(said) or "changes nothing here"
            hidden = "" if switch in self._book.active else " hidden"
            gists = self._gists(self._rules_of(switch))
            yield (
                f'<div data-only="{escaped(switch)}"{hidden}><p><b>{escaped(switch)}</b> {about}</p>{gists}</div>'
            )

    def _rules_of(self, switch: str) -> list[str]:
        """Return the numbers of the rules by which a switch changes anything, also those by which it drops clauses."""
        variants = (v for v in self._base.variants if v.name.text == switch)
        return list(dict.fromkeys(word.text for v in variants for word in citations(v)))

    def _contents(self, parts: Sequence[Part]) -> Iterator[str]:
        for part in parts:
            if part.kind != "define":
                yield f'<li><a href="#{_anchor(part)}">{escaped(part.heading)}</a></li>'

    # ------------------------------------------------------------------ blocks

    def _block(self, part: Part, switch: str | None = None) -> str:
        """Return a block, and those that switches add behind it; `switch`: it is such a block itself."""
        about = self._only(switch) if switch else ""
        name = part.path.partition(" ")[2]
        code = f" <code>{escaped(name)}</code>" if name and part.kind != "state" else ""
        label = f' <span class="with">with {escaped(switch)}</span>' if switch else ""
        inner = [f"<h3>{escaped(part.heading)}{code}{label}</h3>"]
        inner += [f'<p class="remark">{escaped(remark)}</p>' for remark in part.head.remarks]
        inner.append(self._gists(part.head.ids))
        if part.kind == "tiles" and switch is None:
            inner.append(self._pictures.all())
        if part.kind in PICTURED:
            inner.append(self._groups(part, name, switch))
        if part.path in self._book.examples:
            inner.append(self._pictures.hand(self._book.examples[part.path]))
        if part.kind not in ("zones", "state"):
            inner.append(self._lines(part.path, "", part.head, head=True))
        rows = "".join(self._lines(part.path, row.key, row) for row in part.rows)
        rows = "".join(self._rows_added(part.path, "")) + rows
        if rows:
            inner.append(f'<div class="rows">{rows}</div>')
        inner += [f'<p class="remark">{escaped(remark)}</p>' for remark in part.below]
        if part.kind == "property":
            inner.append(self._verdict(name))
        block = (
            f'<article class="block of-{part.kind}" id="{_anchor(part)}"{about}>{"".join(inner)}</article>'
        )
        return block + ("".join(self._added(part.path)) if switch is None else "")

    def _groups(self, part: Part, name: str, switch: str | None) -> str:
        """Return the groups that a block allows, and those that it allows with switches that change it."""
        shown = self._pictures if switch is None else self._pictures_with(switch)
        base = [] if shown is None else shown.of_name(name)
        if shown is None or switch is not None:
            return "" if shown is None else shown.groups(base)
        out = []
        touching = dict.fromkeys(
            change.switch
            for found in self._by_switch.values()
            for change in found
            if change.path == part.path
        )
        for other in touching:
            pictures_with = self._pictures_with(other)
            if pictures_with is not None and (found := pictures_with.of_name(name)) != base:
                out.append(f"<div{self._only(other)}>{pictures_with.groups(found)}</div>")
        struck = " struck" if any(other in self._book.active for other in touching) and out else ""
        about = f' data-changed="{escaped(" ".join(touching))}"' if out else ""
        return (
            f'<div class="allowed{struck}"{about}>{self._pictures.groups(base)}</div>{"".join(out)}'
            if base
            else ""
        )

    def _pictures_with(self, switch: str) -> BookPictures | None:
        if switch not in self._others:
            instance = self._book.instance_of(switch)
            self._others[switch] = None if instance is None else BookPictures(instance, self._book.instance)
        return self._others[switch]

    def _added(self, path: str) -> Iterator[str]:
        """Yield the blocks that switches add behind a block."""
        for change in self._changes.get((f"+{path}", path), []):
            if isinstance(change.new, Part):
                yield self._block(change.new, change.switch)

    def _lines(self, path: str, key: str, row: Row, head: bool = False) -> str:
        """Return a row as it is, and as switches change it."""
        changed = [c for c in self._changes.get((path, key), []) if c.kind != "add"]
        chips = "".join(map(_chip, dict.fromkeys(escaped(c.switch) for c in changed)))
        touched = " ".join(escaped(c.switch) for c in changed)
        struck = any(c.switch in self._book.active for c in changed)
        about = f' data-changed="{touched}"' if touched else ""
        out = [self._line(row, head, about, chips, " struck" if struck else "")]
        for change in changed:
            if isinstance(change.new, Row):
                label = f'<span class="with">with {escaped(change.switch)}</span>'
                out.append(self._line(change.new, head, self._only(change.switch), label, "", change.switch))
        return "".join(out) + ("".join(self._rows_added(path, key)) if key else "")

    def _rows_added(self, path: str, key: str) -> Iterator[str]:
        for change in self._changes.get((path, key), []):
            if change.kind == "add" and isinstance(change.new, Row):
                label = f'<span class="with">with {escaped(change.switch)}</span>'
                yield self._line(change.new, False, self._only(change.switch), label, "", change.switch)

    def _only(self, switch: str) -> str:
        """Return the attributes of what is shown only with a switch."""
        return f' data-only="{escaped(switch)}"{"" if switch in self._book.active else " hidden"}'

    def _line(
        self, row: Row, head: bool, about: str, more: str, also: str = "", switch: str | None = None
    ) -> str:
        code = "\n".join(map(escaped, row.code.split("\n")))
        words = (
            ""
            if row.words is None or head
            else f'<p class="words">refused otherwise: “{_with_holes(row.words)}”</p>'
        )
        remarks = "" if head else "".join(f'<p class="remark">{escaped(r)}</p>' for r in row.remarks)
        gists = "" if head else self._gists(row.ids)
        examples = self._book.examples if switch is None else self._examples[switch]
        if row.key in examples:
            more += self._pictures.hand(examples[row.key])
        kind = f"row{' head' if head else ''}{also}"
        name = (
            "" if head else f'<b class="key">{escaped(row.key.removeprefix(PATTERN).replace("-", " "))}</b>'
        )
        return f'<div class="{kind}"{about}>{name}{remarks}<pre>{code}</pre>{words}{gists}{more}</div>'

    # ------------------------------------------------------------------ sources

    def _gists(self, ids: Sequence[str]) -> str:
        """Return the rules of these numbers in their own words."""
        items = []
        for number in ids:
            self._cited.setdefault(number)
            gist = self._rules[number][1].gist if number in self._rules else self._titles.get(number, "")
            items.append(f"<li>{self._numbers([number])} {escaped(gist)}</li>")
        return f'<ul class="gists">{"".join(items)}</ul>' if items else ""

    def _numbers(self, ids: Iterable[str]) -> str:
        """Return links to rules."""
        out = []
        for number in ids:
            self._cited.setdefault(number)
            out.append(f'<a class="number" href="#rule-{escaped(number)}">{escaped(number)}</a>')
        return " ".join(out)

    # ------------------------------------------------------------------ claims

    def _verdict(self, name: str) -> str:
        """Return the verdict on a property, and links to the games that show it, of each rule set that has one."""
        kept = self._book.kept
        said = kept.verdicts.get(self._named, {}).get(name)
        said = said or kept.everywhere.verdict(name, self._book.active) or UNDECIDED
        games: dict[str, list[str]] = {}
        for (rules, which, players), link in sorted(self._book.games.items()):
            if which == name:
                words = f"a game with {players} players that shows it"
                games.setdefault(rules, []).append(f'<a href="{escaped(link)}">{words}</a>')
        links = "".join(
            f' <span class="shown" data-rules="{escaped(rules)}"{"" if rules == self._named else " hidden"}>'
            f"{', '.join(of_rules)}</span>"
            for rules, of_rules in games.items()
        )
        everywhere = kept.everywhere.words(name)
        if everywhere:
            links += f'<br><span class="quiet">of all combinations: {escaped(everywhere)}</span>'
        verdict = f'<p class="said"><span data-claim="{escaped(name)}">{escaped(said)}</span>{links}</p>'
        return verdict + "".join(self._values(name))

    def _values(self, name: str) -> Iterator[str]:
        """Yield the tiles that show a verdict, of each rule set that has some."""
        for (rules, which), values in sorted(self._book.kept.values.items()):
            shown = self._pictures.values(values) if which == name else ""
            if shown:
                hidden = "" if rules == self._named else " hidden"
                yield f'<div class="examples" data-rules="{escaped(rules)}"{hidden}>{shown}</div>'

    @property
    def _named(self) -> str:
        """The rule set whose switches are on."""
        return "+".join([self._base.game.name.text, *self._book.active])

    def _no_games(self) -> str:
        """Return the words for rule sets of which no game is kept; nothing if that is so of all."""
        if not self._book.games:
            return ""
        is_shown = any(rules == self._named for rules, _, _ in self._book.games)
        words = "No game is kept that shows a claim under the chosen rules."
        return f'<p class="quiet" id="no-games"{" hidden" if is_shown else ""}>{words}</p>'


def _examples_with(book: Book, switch: str, found: Iterable[Change]) -> Mapping[str, Example]:
    """Return hands for the patterns that a switch adds or replaces."""
    rows = (change.new for change in found if isinstance(change.new, Row))
    patterns = [row.key for row in rows if row.key.startswith(PATTERN)]
    return book.examples_with(switch, patterns) if patterns else {}


def _sources(decls: Iterable[t.Decl], cited: Container[str]) -> Iterator[str]:
    """Yield the sources, each with those of its rules that are cited."""
    for source in decls:
        if isinstance(source, t.Source):
            rules = "".join(
                f'<dt id="rule-{escaped(r.name.text)}">{escaped(r.name.text)}</dt>'
                f'<dd>{escaped(r.gist)} <span class="quiet">{escaped(r.section or "")}</span></dd>'
                for r in source.rules
                if r.name.text in cited
            )
            number = escaped(source.number.text)
            yield f'<h3 id="rule-{number}">{number} {escaped(source.title)}</h3><dl class="sources">{rules}</dl>'


def _anchor(part: Part) -> str:
    return escaped(part.path.replace(" ", "-"))


def _chip(switch: str) -> str:
    """Return the button that turns a switch on and off, whose name is escaped."""
    return f'<button type="button" class="chip no-print" data-toggle="{switch}">{switch}</button>'


def _with_holes(words: str) -> str:
    """Return a message whose expressions, which stand for values, are set apart."""
    parts = HOLE.split(words)  # text, expression, text, ...
    return "".join(f"<i>{escaped(part)}</i>" if n % 2 else coded(part) for n, part in enumerate(parts))
