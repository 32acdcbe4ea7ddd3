"""Make a page for each game from its rule text: `python docs/games.py` (`--check` fails where one is stale).

In: the rule texts of `spec/`. Out: `docs/games/NAME.md`: the clauses in reading order with the rules that
they stand for, then every variant and reading beside the clauses that it changes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from golpae.elaborate.load import known, load
from golpae.elaborate.resolve import Block, Resolved, clauses_of, name_of, path_of, resolve
from golpae.syntax import tree as t
from golpae.syntax.anchors import anchors
from golpae.syntax.format import clause as format_clause
from golpae.syntax.format import decl as format_decl

PAGES = Path(__file__).resolve().parent / "games"
SPEC = Path(__file__).resolve().parents[1] / "spec"
HEADINGS = {
    t.Players: "The table",
    t.Option: "The table",
    t.Tiles: "The tiles",
    t.Zones: "Where tiles lie",
    t.State: "What is remembered",
    t.Define: "What words mean",
    t.Shape: "Shapes",
    t.Arrangement: "Shapes",
    t.Score: "What hands count",
    t.Property: "What is asserted",
}
BLOCKS = {
    "deal": "The deal",
    "end": "The end of a hand",
    "payout": "Payments",
    "finish": "The end of a match",
}


def page(name: str) -> str:
    """The page of one game."""
    loaded = load(name)
    resolved = resolve(name, loaded)
    rules = {r.name.text: (s, r) for s in loaded.decls if isinstance(s, t.Source) for r in s.rules}
    titles = {s.number.text: s.title for s in loaded.decls if isinstance(s, t.Source)}
    lines = [
        f"# {resolved.game.title}",
        "",
        f"Made from [`spec/{name}.golpae`](../../spec/{name}.golpae) by `docs/games.py`.",
        "",
        "| source | |",
        "| --- | --- |",
        *(f"| {number} | {title} |" for number, title in titles.items()),
        "",
    ]
    shown = [d for d in resolved.decls if not isinstance(d, t.Source)]
    for heading, group in groupby(shown, key=_heading):
        decls = list(group)
        lines += [f"## {heading}", "", "```golpae", *_code(decls), "```", ""]
        lines += _rules([w.text for d in decls for w in anchors(d)], rules, titles)
    lines += list(_variants(resolved, rules, titles))
    return "\n".join(lines).rstrip() + "\n"


def _heading(decl: t.Decl) -> str:
    if isinstance(decl, t.Action):
        return BLOCKS.get(decl.kind, "What players do")
    return HEADINGS[type(decl)]


def _code(decls: Sequence[t.Decl]) -> Iterator[str]:
    for i, decl in enumerate(decls):
        small = isinstance(decl, t.Shape | t.Arrangement) or (isinstance(decl, t.Define) and not decl.cases)
        if i and (not small or decl.remarks.above):
            yield ""
        yield from format_decl(decl).rstrip("\n").split("\n")


def _rules(ids: list[str], rules: dict[str, tuple[t.Source, t.Rule]], titles: dict[str, str]) -> list[str]:
    """The rules behind a part, each with its source and section."""
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
        yield from _rules([w.text for w in (*cited, *variant.ids)], rules, titles)


def _new(delta: t.Delta) -> str:
    assert delta.body is not None
    return format_clause(t.Clause(delta.span, delta.path[-1], delta.body, ()))


def _clauses(decl: t.Decl) -> Iterator[tuple[str, t.Clause]]:
    if isinstance(decl, Block):
        for clause in clauses_of(decl):
            yield f"{name_of(decl)}.{clause.name.text}", clause
    elif isinstance(decl, t.Property):
        yield decl.name.text, t.Clause(decl.span, decl.name, t.Condition(decl.span, decl.expr, None), ())


def _cell(text: str) -> str:
    """Code in a table's cell: one line, anchors left out."""
    words = " ".join(text.split())
    words = words.split("  [")[0]
    body = words.split(" [")[0] if words.endswith("]") else words
    return "`" + body.replace("|", "\\|") + "`"


def games() -> list[str]:
    """The games of `spec/`, in order."""
    return [name for name in known([]) if (SPEC / f"{name}.golpae").is_file()]


def main(arguments: list[str]) -> int:
    PAGES.mkdir(exist_ok=True)
    stale = []
    for name in games():
        path = PAGES / f"{name}.md"
        new = page(name)
        if not path.is_file() or path.read_text(encoding="utf-8") != new:
            stale.append(path.name)
            if "--check" not in arguments:
                path.write_text(new, encoding="utf-8")
    for name in stale:
        print(f"docs/games/{name}: {'stale' if '--check' in arguments else 'renewed'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
