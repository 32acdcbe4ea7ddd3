"""The page of a rule book: what players need to know, in the order in which they need it.

Input: a `Book`. Output: the page.
Guarantee: without scripts the page shows the rule set that was named; scripts only show what other switches change, all
of which is in the page.

The aim, the equipment, the deal, a turn, the end, what is paid; then variants and readings, and claims with their
verdicts. The exact text is beside what it says, folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from golpae import __version__
from golpae.assets.pictures import pictures
from golpae.diagnostics.amounts import many
from golpae.elaborate.instance import Instance, bounds
from golpae.elaborate.resolve import Resolved
from golpae.ir.ruleset import RuleSet, ZoneDecl
from golpae.pages.book.blocks import GAME, Change, Part, Row, parts_of
from golpae.pages.book.claims import KeptVerdicts
from golpae.pages.book.claims_shown import Claims
from golpae.pages.book.exact import ExactText, with_
from golpae.pages.book.hands_shown import Hands
from golpae.pages.book.pictures import BookPictures, Example
from golpae.pages.book.prose import Prose
from golpae.pages.book.sources import Sources
from golpae.pages.book.switches import switch_changes
from golpae.pages.book.turn_shown import Actions
from golpae.pages.book.variants_shown import Variants
from golpae.pages.document import Markup, data, escaped, page
from golpae.pages.game import symbols
from golpae.spoken import chapters as spoken
from golpae.spoken.sentences import capital, noun_of, spaced
from golpae.spoken.turn import course_of
from golpae.syntax import tree as t

STYLES = ("base.css", "tiles.css", "book.css")
SCRIPTS = ("book.js",)
PATTERN = "pattern "  # how the name of a row begins that is a pattern of a score
MANY_PATTERNS = 8  # a game with so many lives by them: they come before the deal
GROUPS = ("define", "shape", "arrangement")  # blocks that say which tiles go together
SEEN = {
    "nobody": "face down",
    "everyone": "open to everyone",
    "its owner": "seen by its owner alone",
    "everyone but its owner": "seen by everyone but its owner",
}


@dataclass(frozen=True, slots=True)
class Book:
    """What a rule book shows: the game without switches, the game with each of them, and those that are on.

    `instance` is a table without switches, `instance_of` one with a switch; None if there is none with these players.
    `rules_of` are the rule sets with each switch alone that have no faults.
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
    rules_of: Mapping[str, RuleSet]
    kept: KeptVerdicts
    games: Mapping[tuple[str, str, int], str]
    examples: Mapping[str, Example]
    examples_with: Callable[[str, Sequence[str]], Mapping[str, Example]]


def book_page(book: Book) -> str:
    """Return the page."""
    return _Page(book).page()


class _Page:
    def __init__(self, book: Book) -> None:
        self._book, self._base, self._rules = book, book.base, book.instance.rule_set
        self._parts = parts_of(book.base)
        self._pictures = BookPictures(book.instance)
        self._of_groups: set[str] = set()  # the rules that say which tiles go together
        self._others: dict[str, BookPictures | None] = {}
        self._sources = Sources(book.base)
        self._by_switch = {
            switch: switch_changes(switch, book.base, self._parts, resolved)
            for switch, resolved in book.switched.items()
        }
        self._exact = ExactText(self._parts, self._by_switch, book.active, self._sources.numbers)
        turn = course_of(self._rules)
        turns = {switch: course_of(rules) for switch, rules in book.rules_of.items()}
        chapters = spoken.chapters(self._rules, book.instance, [action for action, _ in turn.actions])
        switched = {
            switch: spoken.chapters(rules, book.instance_of(switch), [a for a, _ in turns[switch].actions])
            for switch, rules in book.rules_of.items()
        }
        self._prose = Prose(chapters, switched, self._exact, self._sources.numbers)
        self._chapters = chapters
        self._actions = Actions(self._rules, turn, book.rules_of, turns, self._prose, self._exact)
        said = {number for chapter in chapters.values() for line in chapter.lines for number in line.ids}
        self._variants = Variants(self._by_switch, self._sources, said.union(self._rules.tiles.ids))
        self._named = "+".join([book.base.game.name.text, *book.active])
        self._claims = Claims(
            self._named, book.active, book.kept, book.games, self._pictures, self._exact, self._sources
        )
        self._hands = Hands(
            self._rules, book.rules_of, book.instance, self._pictures, self._exact,
            book.examples, {switch: _examples_with(book, switch, of) for switch, of in self._by_switch.items()},
        )  # fmt: skip

    def page(self) -> str:
        book, game = self._book, self._base.game
        sections = [section for section in self._sections() if section[2]]
        links = (f'<li><a href="#{name}">{escaped(title)}</a></li>' for name, title, _ in sections)
        body = (
            f'<section id="{name}" class="chapter"><h2>{escaped(title)}</h2>{inner}</section>'
            for name, title, inner in sections
        )
        values = {
            "title": f"{game.title}: rules",
            "heading": game.title,
            "about": self._about(),
            "where": f"{self._base.rules} · golpae {__version__}",
            "pictures": symbols(book.instance, pictures(self._rules.tiles.drawn or "")),
            "switches": Markup(self._switches()),
            "contents": Markup("".join(links)),
            "chapters": Markup("".join(body)),
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

    def _sections(self) -> Iterator[tuple[str, str, str]]:
        """Yield the name, the title and the content of each chapter."""
        lives_by_hands = self._hands.number >= MANY_PATTERNS
        hands = ("hands", "What counts", self._hands_chapter())
        groups = "".join(self._groups_chapter())
        yield "aim", "Aim", f"{self._prose.says(spoken.AIM)}{self._exact.block(GAME)}"
        yield "equipment", "Equipment", self._equipment()
        yield "groups", "What goes together", groups
        if lives_by_hands:
            yield hands
        yield "deal", "The deal", self._deal()
        yield "turn", "A turn", self._actions.chapter()
        yield "end", "The end of a hand", self._life(spoken.END, "end")
        if not lives_by_hands:
            yield hands
        yield "payout", "What is paid", self._life(spoken.PAY, "payout")
        yield "finish", "The end of a match", self._life(spoken.MATCH, "finish")
        yield "more", "Also", self._more()
        for kind, title in (("variant", "Variants"), ("reading", "Readings of the sources")):
            yield f"{kind}s", title, "".join(map(self._variants.one, self._of_kind(kind)))
        properties = [part for part in self._parts if part.kind == "property"]
        yield "claims", "Claims", self._claims.all(properties)
        yield "text", "Exact text", self._rest()
        yield "sources", "Sources", "".join(self._sources.listed())

    # ------------------------------------------------------------------ the head

    def _about(self) -> str:
        low, high = bounds(self._rules, self._book.instance.options)
        players = f"{low} to {high} players" if low != high else many(low, "player")
        tiles, kinds = len(self._book.instance.whole), len(self._book.instance.kinds)
        return f"{players} · {tiles:,} {noun_of(self._rules)}s of {kinds:,} kinds"

    def _of_kind(self, kind: str) -> list[t.Variant]:
        return [variant for variant in self._base.variants if variant.kind == kind]

    def _switches(self) -> str:
        out = []
        for kind, title in (("variant", "Variants"), ("reading", "Readings of the sources")):
            labels = "".join(map(self._switch, self._of_kind(kind)))
            if labels:
                out.append(f"<fieldset><legend>{title}</legend>{labels}</fieldset>")
        return "".join(out)

    def _switch(self, variant: t.Variant) -> str:
        name = escaped(variant.name.text)
        on = " checked" if variant.name.text in self._book.active else ""
        return (
            f'<label><input type="checkbox" data-switch="{name}"{on}> '
            f'<span title="{name}"><b>{spaced(name)}</b> {escaped(variant.gist)}</span></label>'
        )

    # ------------------------------------------------------------------ chapters

    def _equipment(self) -> str:
        rules = self._rules
        ids = [*self._ids_of("players"), *rules.tiles.ids, *rules.tiles.withdrawn_ids]
        ids = [number for number in ids if number not in self._of_groups]
        out = [self._sources.gists(ids), self._pictures.all(), self._exact.block("tiles"), self._zones()]
        options = [part for part in self._parts if part.kind == "option"]
        if options:
            rows = (f"<li>{escaped(_option(part))}</li>" for part in options)
            out.append(f'<h3>To agree on</h3><ul class="says">{"".join(rows)}</ul>')
        in_words = ("players", *(part.path for part in options))  # their text is shown if switches change it
        self._exact.told.update(path for path in in_words if not self._exact.switches_of(path))
        return "".join(out)

    def _ids_of(self, path: str) -> tuple[str, ...]:
        return next((part.head.ids for part in self._parts if part.path == path), ())

    def _zones(self) -> str:
        """Return where tiles lie, and who sees them."""
        part = next((part for part in self._parts if part.path == "zones"), None)
        remarks = {row.key.rpartition(" ")[2]: row.remarks for row in (part.rows if part else ())}
        rows = []
        for zone in self._rules.zones:
            words = "; ".join((_sight(zone, noun_of(self._rules)), *remarks.get(zone.name, ())))
            owner = "each player’s " if zone.each_player else "the "
            rows.append(f"<dt>{owner}{escaped(spaced(zone.name))}</dt><dd>{escaped(words)}</dd>")
        return f'<h3>On the table</h3><dl class="places">{"".join(rows)}</dl>{self._exact.block("zones")}'

    def _groups_chapter(self) -> Iterator[str]:
        """Yield the blocks that say which tiles go together, as far as the game asks for them."""
        unasked = spoken.only_in_properties(self._rules)
        for part in self._parts:
            name = part.path.partition(" ")[2]
            if part.kind not in GROUPS or name in unasked:
                continue
            shown = self._groups(part, name)
            if part.path in self._book.examples:
                shown += self._pictures.hand(self._book.examples[part.path])
            if shown:
                ids = [number for number in part.head.ids if number not in self._of_groups]
                self._of_groups.update(ids)
                yield self._unit(part, f"{self._sources.gists(ids)}{self._remarks(part)}{shown}")

    def _remarks(self, part: Part) -> str:
        """Return the remarks above a block, in a text that has no rules of sources."""
        if self._sources:
            return ""
        return "".join(f'<p class="remark">{escaped(remark)}</p>' for remark in part.head.remarks)

    def _unit(self, part: Part, inner: str) -> str:
        return (
            f'<article class="block of-{part.kind}"{self._exact.found_as(part.path)}><h3>{escaped(part.heading)}</h3>'
            f"{inner}{self._exact.block(part.path)}</article>"
        )

    def _groups(self, part: Part, name: str) -> str:
        """Return the groups that a block allows, and those that it allows with switches that change it."""
        if part.kind == "arrangement":
            return ""
        base = self._pictures.of_name(name)
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
                out.append(f"<div{self._exact.only(other)}>{pictures_with.groups(found)}{with_(other)}</div>")
        about = self._exact.changed(touching if out else (), "allowed")
        return f"<div{about}>{self._pictures.groups(base)}</div>{''.join(out)}" if base else ""

    def _pictures_with(self, switch: str) -> BookPictures | None:
        if switch not in self._others:
            instance = self._book.instance_of(switch)
            self._others[switch] = None if instance is None else BookPictures(instance, self._book.instance)
        return self._others[switch]

    def _hands_chapter(self) -> str:
        scores = [part for part in self._parts if part.kind == "score"]
        out = []
        for part in scores:
            name = part.path.partition(" ")[2]
            found_as = self._exact.found_as(part.path)
            title = (
                f"<h3>{escaped(part.heading)}</h3>"
                if len(scores) > 1 or part.heading != capital(name)
                else ""
            )
            inner = f"{title}{self._sources.gists(part.head.ids)}{self._hands.of(name)}{self._exact.block(part.path)}"
            out.append(f'<div class="block of-score"{found_as}>{inner}</div>')
        return "".join(out)

    def _deal(self) -> str:
        before = [action for action in self._rules.actions if action.kind == "before"]
        dealing = next((action.name for action in self._rules.actions if action.kind == "deal"), "deal")
        units = "".join(self._actions.one(action, spoken.DEAL) for action in before)
        return f"{units}{self._prose.says(spoken.DEAL, dealing)}{self._blocks_of('deal')}"

    def _life(self, chapter: str, kind: str) -> str:
        """Return the chapter of the end of a hand or a match, or of what is paid."""
        said = self._prose.says(chapter)
        text = self._blocks_of(kind) if said else ""
        return f"{said}{text}" if said else ""

    def _blocks_of(self, kind: str) -> str:
        return "".join(self._exact.block(part.path) for part in self._parts if part.kind == kind)

    def _more(self) -> str:
        found = spoken.uncited(self._rules, self._chapters.values())
        return self._sources.gists(
            [number for line in found for number in line.ids if not self._sources.is_cited(number)]
        )

    def _rest(self) -> str:
        """Return the blocks that stand in no chapter, and those that switches add."""
        out = [
            f"<div>{self._exact.folded(part, _summary(part))}</div>"
            for part in self._parts
            if part.path not in self._exact.told and part.kind != "property"
        ]
        for switch, parts in self._exact.added.items():
            for part in parts:
                if not self._exact.is_found(part.path, switch):
                    text = self._exact.folded(part, f"{_summary(part)}{with_(switch)}", switch)
                    out.append(f"<div{self._exact.only(switch)}>{text}</div>")
        return f'<div class="no-print">{"".join(out)}</div>' if out else ""


def _examples_with(book: Book, switch: str, found: Iterable[Change]) -> Mapping[str, Example]:
    """Return hands for the patterns that a switch adds or replaces."""
    rows = (change.new for change in found if isinstance(change.new, Row))
    patterns = [row.key for row in rows if row.key.startswith(PATTERN)]
    return book.examples_with(switch, patterns) if patterns else {}


def _sight(zone: ZoneDecl, noun: str) -> str:
    words = SEEN[zone.seen_by]
    return f"all {noun}s at first, {words}" if zone.holds_set else words


def _option(part: Part) -> str:
    """Return an option in words: `Most points: 0 to 10, normally 10`."""
    name, _, values = part.head.code.partition(": ")
    return f"{capital(spaced(name.removeprefix('option ')))}: {values}"


def _summary(part: Part) -> str:
    name = part.path.partition(" ")[2]
    return escaped(part.heading) + (f" <code>{escaped(name)}</code>" if name and part.kind != "state" else "")
