"""What a rule book of a text lacks: sentences that players need and the text does not have.

Input: a `Loaded` text without faults, and its rule set without switches.
Output: notes, in reading order.
Guarantee: a text without notes has an aim, titles of actions and words of their events, words for its patterns, and
something to say about each action, the end of a hand and what is paid; and no variant makes its aim wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from golpae.diagnostics import Diagnostic, Span, quoted_list
from golpae.diagnostics.amounts import NUMERALS
from golpae.elaborate.blocks import Block, clauses_of, name_of
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import path_of
from golpae.ir.ruleset import Action, RuleSet
from golpae.spoken.chapters import END, PAY, Chapter, chapters
from golpae.spoken.sentences import is_plain, sentence
from golpae.spoken.turn import course_of
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

CODE = "W011"
NUMBERS = {word: number for number, word in enumerate([*NUMERALS, "thirteen"]) if number > 1}
WORD = re.compile(r"\d+|[a-z]+")
ADVICE = 'write a sentence for players: `note "..."`'


def book_notes(loaded: Loaded, rules: RuleSet) -> list[Diagnostic]:
    """Return the notes on a text."""
    said = chapters(rules, None, [action for action, _ in course_of(rules).actions])
    found = [
        *_aim(loaded, rules),
        *_aims_of_switches(loaded),
        *_actions(loaded, rules, said),
        *_scores(loaded, rules),
    ]
    return sorted(found, key=lambda note: (note.span.text.name, note.span.start) if note.span else ("", 0))


def _aim(loaded: Loaded, rules: RuleSet) -> Iterator[Diagnostic]:
    if not rules.aim:
        message = "a rule book says nowhere what players try to do"
        yield Diagnostic(CODE, message, loaded.game.name.span, 'write `aim "..."` in a line under `game`')


def _aims_of_switches(loaded: Loaded) -> Iterator[Diagnostic]:
    """Yield the switches that change what the aim of the text speaks of, and leave it as it is."""
    aim = " ".join(note.text for note in loaded.game.aim).lower()
    words = WORD.findall(aim)
    named = {
        int(word) if word.isdigit() else NUMBERS[word] for word in words if word.isdigit() or word in NUMBERS
    }
    bodies = {path: body for decl in loaded.decls if isinstance(decl, Block) for path, body in _bodies(decl)}
    ends = any(path.startswith("finish.") for path in bodies)
    for decl in loaded.decls:
        if not isinstance(decl, t.Variant) or not aim or any(one.part == "aim" for one in decl.reworded):
            continue
        for delta in decl.deltas:
            path = path_of(delta)
            if delta.kind == "replace" and delta.body is not None:
                gone = named & (_numbers(bodies.get(path)) - _numbers(delta.body))
                if gone:
                    yield _outdated(decl, f"the aim names {min(gone)}, which `{path}` replaces", delta)
                    break
            if delta.kind == "add" and path.startswith("finish.") and not ends:
                yield _outdated(decl, "the aim does not say that a match has an end", delta)
                break


def _outdated(variant: t.Variant, why: str, delta: t.Delta) -> Diagnostic:
    message = f"with `{variant.name.text}` {why}"
    span = delta.path[0].span.to(delta.path[-1].span)
    return Diagnostic(CODE, message, span, 'write `replace aim "..."` in the variant')


def _bodies(block: Block) -> Iterator[tuple[str, t.Body]]:
    """Yield the clauses of a block, or the whole of a definition of one value, by the paths that replace them."""
    for clause in clauses_of(block):
        name, whole = clause.name.text, name_of(block)
        yield (whole if name == whole else f"{whole}.{name}"), clause.body


def _numbers(body: t.Body | None) -> set[int]:
    return set() if body is None else {node.value for node in nodes([body]) if isinstance(node, t.Number)}


def _actions(loaded: Loaded, rules: RuleSet, said: dict[str, Chapter]) -> Iterator[Diagnostic]:
    spans = {decl.name.text: decl for decl in loaded.decls if isinstance(decl, t.Action)}
    for action in rules.actions:
        node = spans.get(action.name)
        if node is None:
            continue
        if action.kind in ("play", "before"):
            if action.title is None:
                message = f"a rule book has no words for `{action.name}`"
                yield Diagnostic(
                    CODE, message, node.name.span, 'write a title at the end of the line: `"..."`'
                )
            if action.told is None:
                message = f"a page of a game has no words for an event of `{action.name}`"
                advice = 'write them in a line under the action: `told as "..."`, its keys in braces'
                yield Diagnostic(CODE, message, node.name.span, advice)
            yield from _messages(rules, action, node)
        elif action.kind == "end" and not said[END].lines:
            yield Diagnostic(CODE, "a rule book does not say when a hand ends", node.name.span, ADVICE)
    payout = next((node for node in spans.values() if node.kind == "payout"), None)
    if payout is not None and rules.payout and not said[PAY].lines:
        yield Diagnostic(CODE, "a rule book does not say what is paid", payout.name.span, ADVICE)


def _messages(rules: RuleSet, action: Action, node: t.Action) -> Iterator[Diagnostic]:
    """Yield the conditions that only the exact text shows: no rule of a source is cited, and the message has the values
    of a game in it.
    """
    if action.notes or action.ids:
        return
    for condition in action.of_text:
        if condition.ids or is_plain(rules, action, condition) or sentence(rules, action, condition):
            continue
        span = _place(node, condition.name)
        path = f"{action.name}.{condition.name}"
        message = f"a rule book cannot say the message of `{path}`: it has values of a game in it"
        yield Diagnostic(CODE, message, span, ADVICE)


def _place(node: t.Action, clause: str) -> Span:
    return next((c.name.span for c in node.clauses if c.name.text == clause), node.name.span)


def _scores(loaded: Loaded, rules: RuleSet) -> Iterator[Diagnostic]:
    for node in loaded.decls:
        if not isinstance(node, t.Score):
            continue
        lacking = [pattern for pattern in node.patterns if pattern.message is None]
        if lacking:
            names = quoted_list(pattern.name.text for pattern in lacking)
            message = f"a rule book does not say what makes {names}"
            advice = 'write it at the end of the pattern: `pattern x 1: ... "two of a kind"`'
            yield Diagnostic(CODE, message, lacking[0].name.span, advice)
