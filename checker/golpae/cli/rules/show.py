"""`golpae show`: a rule set as it stands once its switches are set, with its sources."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from golpae import exit_codes
from golpae.cli.inputs import (
    add_spec_path,
    complain_of,
    opened,
    spec_path,
    unnamed_output,
    unwritable,
)
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.browser import add_open, open_page, refuse_open
from golpae.cli.terminal.output import printable
from golpae.diagnostics import SpecError, near
from golpae.elaborate.blocks import BRINGS, Block, clauses_of
from golpae.elaborate.resolve import Change, Resolved, resolve, split
from golpae.rule_names import Named, UsageError, located, named
from golpae.syntax import tree as t
from golpae.syntax.citations import citations
from golpae.syntax.format import format_clause, format_decl, format_line_of_score
from golpae.syntax.traverse import nodes, uncommented
from golpae.trace import InputFault, quoted, sources


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rules",
        nargs="?",
        metavar="RULES",
        help=f"{RULES_HELP}; without RULES, golpae lists all games",
    )
    parser.add_argument(
        "clause", nargs="?", metavar="CLAUSE", help="one part of the rules, such as `draw` or `draw.turn`"
    )
    parser.add_argument("--html", action="store_true", help="write a page: a rule book, to read and to print")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file of that page (default: RULES.html, if it is new)"
    )
    parser.add_argument(
        "--games",
        metavar="FILE",
        action="append",
        default=[],
        help="recorded games, whose hands show what patterns are; may be given several times",
    )
    add_open(parser, "that page")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    places = spec_path(args, args.games or ())
    if places is None:
        return exit_codes.WRONG_INPUT
    if args.html:
        return _book(args, places)
    if args.output is not None or args.games or args.open:
        word = "-o" if args.output is not None else "--games" if args.games else "--open"
        raise UsageError(word, f"`{word}` is for a page", "say `--html` too")
    if args.rules is None:
        return _games(places)
    resolved = _resolved(named(args.rules, places))
    if args.clause is not None:
        return _one(resolved, args.clause)
    sys.stdout.write("\n".join(_whole(resolved)) + "\n")
    return exit_codes.HOLDS


def _resolved(name: Named) -> Resolved:
    from golpae.elaborate.check import check
    from golpae.elaborate.load import load

    try:
        resolved = resolve(name.rules, load(split(name.rules)[0], name.places))
        check(resolved)  # a text with faults is not shown as if it had none
    except SpecError as fault:
        raise located(fault, name.rules, name.places) from None
    return resolved


def _book(args: argparse.Namespace, places: list[Path]) -> int:
    """Write a rule book. Raises `UsageError` and `SpecError`."""
    from golpae.pages.book.write import write_book
    from golpae.progress import Progress, Shown

    if args.rules is None or args.clause is not None:
        example = "for example `golpae show game.golpae --html -o game.html`"
        raise UsageError("--html", "`--html` needs one rule set", example)
    name = named(args.rules, places)
    _resolved(name)
    output = args.output or unnamed_output(f"{name.rules}.html")
    refuse_open(args, output)
    files, faults = sources(args.games) if args.games else ([], [])
    for fault in faults:
        complain_of(fault)
    if faults:
        return exit_codes.WRONG_INPUT
    with ExitStack() as stack:
        streams = []
        for file in files:
            stream = opened(file)
            if stream is None:
                return exit_codes.WRONG_INPUT
            streams.append((file.name, stack.enter_context(stream)))
        try:
            with Shown(Progress("drawing")) as progress:
                written = write_book(name.rules, name.places, Path(output), streams, progress)
        except OSError as unwritten:
            raise unwritable(output, unwritten) from None
    for file_name, why in written.useless.items():
        complain_of(InputFault(file_name, f"{quoted(file_name)} shows no hands: {why}"))
    games = written.games
    shown = f", {games} games" if games > 1 else ", 1 game" if games else ""
    sys.stdout.write(f"{printable(output)}: {name.rules}{shown}\n")
    if args.open:
        open_page(output)
    return exit_codes.HOLDS


def _games(places: list[Path]) -> int:
    from golpae.elaborate.load import game_names, load

    for name in game_names(places):
        resolved = resolve(name, load(name, places))
        sys.stdout.write(f"{name}: {resolved.game.title}\n")
        for variant in resolved.variants:
            sys.stdout.write(f"  +{variant.name.text}: {variant.gist}{_bracketed(variant.ids)}\n")
    return exit_codes.HOLDS


# ---------------------------------------------------------------- a whole rule set


def _whole(resolved: Resolved) -> Iterator[str]:
    yield f"{resolved.rules}: {resolved.game.title}{_bracketed(resolved.game.ids)}"
    for variant in resolved.variants:
        if variant.name.text in resolved.active:
            yield f"  with {variant.name.text}: {variant.gist}{_bracketed(variant.ids)}"
    used: list[str] = [w.text for w in resolved.game.ids]
    for node in resolved.decls:
        if isinstance(node, t.Source | t.Property):
            continue
        yield ""
        yield format_decl(_marked(node, resolved.changes)).rstrip("\n")
        used.extend(w.text for w in citations(node))
    used.extend(w.text for v in resolved.variants if v.name.text in resolved.active for w in citations(v))
    yield ""
    yield "sources"
    yield from (f"  {line}" for line in _sources(resolved, used))


def _marked(node: t.Decl, changes: tuple[Change, ...]) -> t.Decl:
    """Return a block with a remark at each clause that a switch changed."""
    name = _block_name(node)
    mine = {c.path: c for c in changes if name is not None and c.path.split(".")[0] == name}
    if not mine or not isinstance(node, t.Define | t.Action | t.Group):
        return node
    clauses = []
    for clause in node.clauses:
        change = mine.get(f"{name}.{clause.name.text}") or mine.get(clause.name.text)
        if change is not None and change.kind != "drop":
            done = "replaced" if change.kind == "replace" else "added"
            behind = f"{done} by {change.switch or 'this text'}"
            clause = replace(clause, remarks=replace(clause.remarks, behind=behind))
        clauses.append(clause)
    dropped = tuple(
        f"{c.path} is dropped by {c.switch or 'this text'}" for c in mine.values() if c.kind == "drop"
    )
    remarks = replace(node.remarks, above=node.remarks.above + dropped)
    if isinstance(node, t.Define) and not node.cases:
        remarks = replace(remarks, behind=clauses[0].remarks.behind)
        clauses = [replace(clauses[0], remarks=t.NO_REMARKS)]
    return replace(node, clauses=tuple(clauses), remarks=remarks)


def _block_name(node: t.Decl) -> str | None:
    match node:
        case (
            t.Define() | t.Group() | t.Action() | t.Score() | t.Shape() | t.Arrangement() | t.Property()
            | t.Kind() | t.Order() | t.RowSlice()
        ):  # fmt: skip
            return node.name.text
        case t.Tiles():
            return "tiles"
        case t.Zones():
            return "zones"
        case t.State():
            return "state"
        case (
            t.Game()
            | t.Include()
            | t.Source()
            | t.Players()
            | t.Option()
            | t.Delta()
            | t.Reword()
            | t.Variant()
        ):
            return None
        case _:
            assert_never(node)


def _within_blocks(resolved: Resolved) -> dict[str, tuple[str, str]]:
    """Return the names that a block only lists: what each is, and the block to show."""
    out: dict[str, tuple[str, str]] = {}
    for node in resolved.decls:
        match node:
            case t.Tiles(groups=groups):
                out |= {group.name.text: ("group of tiles", "tiles") for group in groups}
            case t.Zones(zones=zones):
                out |= {zone.name.text: ("zone", "zones") for zone in zones}
            case t.State(vars=states):
                out |= {state.name.text: ("state", "state") for state in states}
            case _:
                pass
    return out


# ---------------------------------------------------------------- one part


def _of_groups(
    node: t.Decl, name: str, blocks: Mapping[str, t.Decl], asked: tuple[str, ...] = ()
) -> Iterator[t.Clause]:
    """Yield the conditions of this name that an action requires by the name of a group, as the group has them."""
    for clause in node.clauses if isinstance(node, t.Action | t.Group) else ():
        if isinstance(clause.body, t.Requires) and clause.name.text not in asked:
            group = blocks.get(clause.name.text)
            if isinstance(group, t.Group):
                yield from (c for c in group.clauses if c.name.text == name)
                yield from _of_groups(group, name, blocks, (*asked, clause.name.text))


def _one(resolved: Resolved, path: str) -> int:
    blocks = {name: d for d in resolved.decls if (name := _block_name(d)) is not None}
    within = path.removeprefix(f"{resolved.game.name.text}.")  # as verdicts name a clause
    if within.partition(".")[0] not in blocks and path.partition(".")[0] in blocks:
        within = path  # a part that has the name of the game
    block_name, _, clause_name = within.partition(".")
    block = blocks.get(block_name)
    if block is None:
        if block_name in {variant.name.text for variant in resolved.variants}:
            advice = f"it is a variant or reading: write `{resolved.rules}+{block_name}`"
        elif block_name in (listed := _within_blocks(resolved)):
            kind, part = listed[block_name]
            advice = f"it is a {kind}: show `{part}`"
        else:
            advice = near(block_name, blocks) or f"its parts are {', '.join(sorted(blocks))}"
        sys.stderr.write(f"golpae: `{resolved.rules}` has no {quoted(block_name)}\n  help: {advice}\n")
        return exit_codes.WRONG_INPUT
    lines: list[str] = []
    shown: list[str] = []  # clauses of the block, beside the one that is asked for
    if not clause_name:
        lines.append(format_decl(_marked(block, resolved.changes)).rstrip("\n"))
        ids = [w.text for w in citations(block)]
    else:
        inside = clauses_of(block) if isinstance(block, Block) else ()
        clauses = [c for c in inside if c.name.text == clause_name]
        clauses = clauses or [*_of_groups(block, clause_name, blocks)]
        if not clauses:
            names = [c.name.text for c in inside]
            advice = near(clause_name, names) or f"its clauses are {', '.join(names) or 'none'}"
            sys.stderr.write(
                f"golpae: `{block_name}` has no clause {quoted(clause_name)}\n  help: {advice}\n"
            )
            return exit_codes.WRONG_INPUT
        pattern = _pattern(block, clause_name)
        if pattern is None:
            lines.extend(format_clause(c).rstrip("\n") for c in clauses)
        else:
            lines.extend(map(format_line_of_score, pattern))
            shown += [_name_in_score(line) for line in pattern]
        ids = [w.text for c in clauses for w in c.ids] or [w.text for w in getattr(block, "ids", ())]
        ids += [w.text for line in pattern or () for w in line.ids]
    lines.extend(_sources(resolved, ids))
    part = f"{block_name}.{clause_name}" if clause_name else block_name
    parts = {part, *(f"{block_name}.{name}" for name in shown)}
    for change in resolved.changes:
        if change.path in parts or change.path.startswith(f"{part}."):
            done = {"add": "added", "drop": "dropped", "expect": "given another verdict"}.get(
                change.kind, "replaced"
            )
            lines.append(f"{change.path} is {done} by {change.switch or 'this text'}")
            if change.old is not None:
                lines.append("  before: " + " ".join(format_clause(uncommented(change.old)).split()))
    for variant in resolved.variants:
        touched = sorted({".".join(w.text for w in d.path) for d in variant.deltas})
        mine = [p for p in touched if p in parts or p.startswith(f"{part}.")]
        if mine and variant.name.text not in resolved.active:
            lines.append(f"{', '.join(mine)} would be changed by +{variant.name.text}: {variant.gist}")
    sys.stdout.write("\n".join(lines) + "\n")
    return exit_codes.HOLDS


def _pattern(block: t.Decl, name: str) -> list[t.ScoreDefine | t.Pattern | t.Brings] | None:
    """Return a pattern of a score, with the definitions of the score that it reads and what it brings."""
    if not isinstance(block, t.Score):
        return None
    pattern = next((p for p in block.patterns if p.name.text == name), None)
    if pattern is None:
        return None
    domain = () if pattern.each is None else (pattern.each[1],)
    reading: list[t.Node] = [pattern.value, pattern.test, *domain]
    read: list[t.ScoreDefine] = []
    while reading:
        asked = {node.name for node in nodes([reading.pop()]) if isinstance(node, t.Name)}
        defines = [define for define in block.defines if define.name.text in asked and define not in read]
        read += defines
        reading += [define.expr for define in defines]
    read.sort(key=block.defines.index)
    return [pattern, *read, *(line for line in block.brings if line.pattern.text == name)]


def _name_in_score(line: t.ScoreDefine | t.Pattern | t.Brings) -> str:
    return f"{line.pattern.text}{BRINGS}" if isinstance(line, t.Brings) else line.name.text


# ---------------------------------------------------------------- sources


def _sources(resolved: Resolved, used: Iterable[str]) -> list[str]:
    rules = {r.name.text: (s, r) for s in resolved.decls if isinstance(s, t.Source) for r in s.rules}
    titles = {s.number.text: s.title for s in resolved.decls if isinstance(s, t.Source)}
    out = []
    for number in dict.fromkeys(used):
        if number in rules:
            source, rule = rules[number]
            section = f", {rule.section}" if rule.section else ""
            out.append(f"{number}  source {source.number.text}{section}: {rule.gist}")
        elif number in titles:
            out.append(f"{number}  {titles[number]}")
    return out


def _bracketed(ids: tuple[t.Word, ...]) -> str:
    return f"  [{' '.join(w.text for w in ids)}]" if ids else ""
