"""Make a page for each game from its rule text: `python -m docs.generate.games` (`--check` fails if a page is stale).

Commands that take long (`golpae compare`, `golpae prove`, simulations) are run only if the page does not show them yet.
`--anew` runs them again; so does `python -m docs.generate`.

Input: the rule texts of `spec/`, and what people wrote about their sources in `docs/generate/notes/NAME.txt`.
Output: `docs/games/NAME.md`: these notes, with what the commands in them print; the clauses in reading order with the
rules that they state; then every variant and reading beside the clauses that it changes; then the properties of the
game with the verdicts that the text expects. Guarantee: nothing is proved here. `golpae prove` checks the verdicts;
what patterns bring and exclude comes from `docs/generate/matrix.json` (matrix.py).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import assert_never

from docs.generate import matrix
from docs.generate.files import TOP, renew
from docs.generate.pages import blocks, commands, run_page
from docs.generate.reasons import REASONS, UNDECIDED
from golpae.elaborate.blocks import BRINGS, Block, clauses_of, name_of
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.load import Loaded, game_names, load
from golpae.elaborate.properties import expected_of
from golpae.elaborate.resolve import Resolved, path_of, resolve
from golpae.pages.book.claims import kept_everywhere
from golpae.syntax import tree as t
from golpae.syntax.citations import citations
from golpae.syntax.format import format_clause, format_decl
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, OF_ANY_GAME

PAGES = TOP / "docs" / "games"
NOTES = TOP / "docs" / "generate" / "notes"
SPEC = TOP / "spec"
LONG = ("golpae compare ", "golpae prove ", "golpae simulate ", "python -m ")
BLOCKS = {
    "deal": "The deal",
    "end": "The end of a hand",
    "payout": "Payments",
    "finish": "The end of a match",
}


def page(name: str, anew: bool = False) -> str:
    """Return the page of one game. With `anew`, commands that take long are run again."""
    loaded = load(name)
    resolved = resolve(name, loaded)
    rules = {r.name.text: (s, r) for s in loaded.decls if isinstance(s, t.Source) for r in s.rules}
    titles = {s.number.text: s.title for s in loaded.decls if isinstance(s, t.Source)}
    lines = [
        f"# {resolved.game.title}",
        "",
        f"Made from [`spec/{name}.golpae`](../../spec/{name}.golpae) by `docs/generate/games.py`.",
        "",
        "| source | |",
        "| --- | --- |",
        *(f"| {number} | {title} |" for number, title in titles.items()),
        "",
    ]
    lines += notes(name, anew)
    shown = [d for d in resolved.decls if not isinstance(d, t.Source)]
    for heading, group in groupby(shown, key=_heading):
        decls = list(group)
        lines += [f"## {heading}", "", "```golpae", *_code(decls), "```", ""]
        lines += _rules([w.text for d in decls for w in citations(d)], rules, titles)
    lines += list(_variants(resolved, rules, titles))
    lines += list(_claims(resolved, loaded, rules))
    lines += list(_matrices(resolved))
    return "\n".join(lines).rstrip() + "\n"


def notes(name: str, anew: bool) -> list[str]:
    """Return what people wrote about the sources of a game, with what the commands in it print."""
    file = NOTES / f"{name}.txt"
    if not file.exists():
        return []
    shown = {} if anew else long_outputs(PAGES / f"{name}.md")
    return [run_page(file.read_text("utf-8"), shown)[0].rstrip("\n"), ""]


def long_outputs(page: Path) -> dict[str, str]:
    """Return what a page shows of the commands that take long."""
    text = page.read_text("utf-8") if page.exists() else ""
    consoles = (block for block in blocks(text) if block.language == "console")
    shown = (command for block in consoles for command in commands(block))
    return {command.line: command.output for command in shown if command.line.startswith(LONG)}


def _heading(decl: t.Decl) -> str:
    match decl:
        case t.Players() | t.Option():
            return "The table"
        case t.Kind() | t.Order():
            return "Kinds of value"
        case t.Tiles():
            return "The tiles"
        case t.Zones() | t.RowSlice():
            return "Where tiles lie"
        case t.State():
            return "What is remembered"
        case t.Define() | t.Group():
            return "What words mean"
        case t.Shape() | t.Arrangement():
            return "Shapes"
        case t.Score():
            return "What hands count"
        case t.Action(kind=kind):
            return BLOCKS.get(kind, "What players do")
        case t.Property():
            return "What is asserted"
        case t.Game() | t.Include() | t.Source() | t.Delta() | t.Reword() | t.Variant():
            raise TypeError(f"no part of a game with its switches on: {decl}")
        case _:
            assert_never(decl)


def _code(decls: Sequence[t.Decl]) -> Iterator[str]:
    for i, decl in enumerate(decls):
        small = isinstance(decl, t.Shape | t.Arrangement) or (isinstance(decl, t.Define) and not decl.cases)
        if i and (not small or decl.remarks.above):
            yield ""
        yield from format_decl(decl).rstrip("\n").split("\n")


def _rules(ids: list[str], rules: dict[str, tuple[t.Source, t.Rule]], titles: dict[str, str]) -> list[str]:
    """Return the rules behind a part, each with its source and section."""
    out = []
    for id_ in dict.fromkeys(ids):
        if id_ in rules:
            source, rule = rules[id_]
            section = f", *{rule.section}*" if rule.section else ""
            out.append(f"- **{id_}** (source {source.number.text}{section}): {rule.gist}")
    return [*out, ""] if out else []


def _variants(
    resolved: Resolved, rules: dict[str, tuple[t.Source, t.Rule]], titles: dict[str, str]
) -> Iterator[str]:
    if not resolved.variants:
        return
    yield "## Variants and readings"
    yield ""
    clauses = {path: clause for d in resolved.decls for path, clause in _clauses(d)}
    for variant in resolved.variants:
        ids = " ".join(w.text for w in variant.ids)
        yield f"### `{resolved.game.name.text}+{variant.name.text}`"
        yield ""
        yield f"A {variant.kind}: {variant.gist}" + (f" [{ids}]." if ids else ".")
        yield ""
        replaced = [w.text for w in variant.ids] if variant.kind == "reading" else []
        if replaced:
            yield from ("The base rules say:", "", *_rules(replaced, rules, titles))
        if variant.deltas:
            yield "| clause | without it | with it |"
            yield "| --- | --- | --- |"
        for delta in variant.deltas:
            path = path_of(delta)
            old = clauses.get(path) or clauses.get(f"{path}.{path}")
            before = "" if old is None else _cell(format_clause(old))
            after = "*dropped*" if delta.body is None else _cell(_new(delta))
            if delta.verdict is not None:
                after = f"*expected {delta.verdict}*"
            yield f"| `{path}` | {before} | {after} |"
        if variant.deltas:
            yield ""
        if variant.properties:
            yield from ("```golpae", *_code(variant.properties), "```", "")
        cited = [w for d in variant.deltas for w in d.ids] + [w for p in variant.properties for w in p.ids]
        others = [w.text for w in (*cited, *variant.ids) if w.text not in replaced]
        yield from _rules(others, rules, titles)


OF_ANY = {
    CONSERVATION: "no event loses or doubles a tile",
    DEADLOCK_FREEDOM: "until a hand has ended, some event is legal",
}


def _claims(resolved: Resolved, loaded: Loaded, rules: dict[str, tuple[t.Source, t.Rule]]) -> Iterator[str]:
    """Yield every property with the verdicts that the text expects."""
    name = resolved.game.name.text
    base = {p.name.text: p for p in _properties(resolved)}
    switched = {v.name.text: properties_with(name, v.name.text, loaded) for v in resolved.variants}
    every = dict(base)
    for properties in switched.values():
        every = properties | every
    yield from ("## Claims", "")
    everywhere = kept_everywhere(name, (), elaborate_cached, [v.name.text for v in resolved.variants])
    yield "The properties that `golpae prove` decides for this game, and the verdicts that the text expects. A variant"
    yield "or reading that is not named has the same verdict. [Proofs](../proofs.md) explains how each kind is decided."
    if everywhere.tables:
        many = everywhere.tables[0].rule_sets
        yield f"The last column says what holds at your table: for which of all {many:,} combinations,"
        yield f"as `golpae prove '{name}+*' --write` [keeps it](../proofs.md#what-holds-at-your-table)."
    last = (" all combinations |", " --- |") if everywhere.tables else ("", "")
    yield from (
        "",
        f"| property | kind | what is asserted | from | expected |{last[0]}",
        f"| --- | --- | --- | --- | --- |{last[1]}",
    )

    def at_your_table(property_: str) -> str:
        return f" {everywhere.words(property_)} |" if everywhere.tables else ""

    for id_, prop in every.items():
        kind = prop.kind + (f", after `{prop.after.text}`" if prop.after else "")
        asserted = _cell(format_clause(_clause(prop)).partition(":")[2])
        words, verdicts = "; ".join(_gists(prop, rules)), "; ".join(_verdicts(id_, base, switched))
        yield f"| `{id_}` | {kind} | {asserted} | {words} | {verdicts} |{at_your_table(id_)}"
    for score in (d for d in resolved.decls if isinstance(d, t.Score)):
        if score.brings:
            asserted = "each pattern always brings exactly the patterns that the text says it brings"
            words = "; ".join(_gists(score.brings[0], rules))
            brings = f"{score.name.text}{BRINGS}"
            yield f"| `{brings}` | theorem | {asserted} | {words} | proved |{at_your_table(brings)}"
    found = "proved" if (SPEC / f"{name}.proofs.json").is_file() else "not proved yet"
    of_any = dict.fromkeys(OF_ANY, found)
    if name in UNDECIDED:  # that tiles are kept is read off the moves
        of_any = {CONSERVATION: "proved", DEADLOCK_FREEDOM: "unknown"}
    for claim in OF_ANY_GAME:
        told, last_cell = OF_ANY[claim.name], at_your_table(claim.name)
        yield f"| `{claim.name}` | {claim.kind} | {told} | golpae, for every game | {of_any[claim.name]} |{last_cell}"
    yield ""
    if name in UNDECIDED:
        yield from (f"`{DEADLOCK_FREEDOM}` is not decided here: {UNDECIDED[name]}.", "")
    reasons = [
        f"- `{rules_name}`, `{id_}`: {REASONS[f'{rules_name} {id_}']}"
        for rules_name, id_ in refuted(name, loaded)
        if f"{rules_name} {id_}" in REASONS
    ]
    if reasons:
        yield from ("Why the refuted properties are false:", "", *reasons, "")


def _matrices(resolved: Resolved) -> Iterator[str]:
    """Yield which patterns bring and exclude which, for each score with `brings` lines."""
    name = resolved.game.name.text
    matrices = matrix.load()
    for score, patterns in matrices.get(name, {}).items():
        yield from (f"### Which patterns of `{score}` come with which", "")
        yield "This is true of every hand that counts, as `golpae prove` shows (`" + score + BRINGS + "`):"
        yield from ("", "| pattern | always brings | never comes with |", "| --- | --- | --- |")
        yield from (*matrix.rows(patterns), "")
        alike = []
        for variant in resolved.variants:
            with_switch = matrices[f"{name}+{variant.name.text}"][score]
            other = matrix.changed_patterns(patterns, with_switch)
            if not other:
                alike.append(f"`{variant.name.text}`")
                continue
            yield from (f"These are different with `{variant.name.text}`:", "")
            yield from ("| pattern | always brings | never comes with |", "| --- | --- | --- |")
            yield from (*matrix.rows(other), "")
        if alike:
            yield from (f"Nothing changes with {', '.join(alike)}.", "")
        yield f"As a grid: `{matrix.BRINGS_IT}` if the pattern of the row always brings that of the column,"
        yield f"`{matrix.EXCLUDES_IT}` if the two never come together."
        yield from ("", "```text", *matrix.grid(patterns), "```", "")


def refuted(name: str, loaded: Loaded) -> Iterator[tuple[str, str]]:
    """Yield the rule sets and properties that the text expects to be refuted, those of the base once."""
    resolved = resolve(name, loaded)
    base = {p.name.text: p.expected for p in _properties(resolved)}
    yield from ((name, id_) for id_, expected in base.items() if expected == "refuted")
    for variant in resolved.variants:
        for id_, prop in properties_with(name, variant.name.text, loaded).items():
            if prop.expected == "refuted" != base.get(id_):
                yield f"{name}+{variant.name.text}", id_


def properties_with(name: str, switch: str, loaded: Loaded) -> dict[str, t.Property]:
    """Return the properties of a game with a switch on."""
    return {p.name.text: p for p in _properties(resolve(f"{name}+{switch}", loaded))}


def _properties(resolved: Resolved) -> Iterator[t.Property]:
    return (d for d in resolved.decls if isinstance(d, t.Property))


def _gists(prop: t.Property | t.Brings, rules: dict[str, tuple[t.Source, t.Rule]]) -> Iterator[str]:
    for id_ in dict.fromkeys(w.text for w in prop.ids):
        if id_ in rules:
            yield f"{rules[id_][1].gist} [{id_}]"


def _verdicts(
    id_: str, base: dict[str, t.Property], switched: dict[str, dict[str, t.Property]]
) -> Iterator[str]:
    """Yield the expected verdict without switches, and with each switch that changes it."""
    old = base.get(id_)
    if old is not None:
        yield expected_of(old)
    for switch, properties in switched.items():
        new = properties.get(id_)
        if new is None:
            if old is not None:
                yield f"with `{switch}` not stated"
        elif old is None or expected_of(new) != expected_of(old):
            yield f"with `{switch}` {expected_of(new)}"
        elif new.expr != old.expr:
            yield f"with `{switch}` stated differently, {expected_of(new)}"


def _clause(prop: t.Property) -> t.Clause:
    return t.Clause(prop.span, prop.name, t.Condition(prop.span, prop.expr, None), ())


def _new(delta: t.Delta) -> str:
    assert delta.body is not None
    return format_clause(t.Clause(delta.span, delta.path[-1], delta.body, ()))


def _clauses(decl: t.Decl) -> Iterator[tuple[str, t.Clause]]:
    if isinstance(decl, Block):
        for clause in clauses_of(decl):
            yield f"{name_of(decl)}.{clause.name.text}", clause
    elif isinstance(decl, t.Property):
        yield decl.name.text, _clause(decl)


def _cell(text: str) -> str:
    """Return code for a cell of a table: one line, without rule numbers."""
    words = " ".join(text.split())
    words = words.split("  [")[0]
    body = words.split(" [")[0] if words.endswith("]") else words
    return "`" + body.replace("|", "\\|") + "`"


def games() -> list[str]:
    """Return the games of `spec/`, in order."""
    return [name for name in game_names([]) if (SPEC / f"{name}.golpae").is_file()]


def renewed(anew: bool) -> Iterator[tuple[Path, str]]:
    """Yield the page of each game, with its text as it should be."""
    for name in games():
        yield PAGES / f"{name}.md", page(name, anew)


def main(arguments: Sequence[str]) -> int:
    """Renew the pages, or with `--check` only compare them. Return the exit status."""
    pages = renewed("--anew" in arguments)
    return renew(pages, "python -m docs.generate.games", check="--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
