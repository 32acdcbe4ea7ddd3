"""Clauses of a rule text that the compiled path leaves to the reference, so that large files of games take longer.

Input: a `Loaded` text without faults.
Output: a note for each reason, with the clauses that it is about, in reading order.
Guarantee: the base and each of its variants and readings are looked at, with the fewest and the most players and the
usual options. No note changes what a text means, or whether it has faults. What was found for a text is cached.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae import cache
from golpae.diagnostics import Diagnostic, Label, Span
from golpae.elaborate.blocks import clause_spans
from golpae.elaborate.check import check
from golpae.elaborate.instance import Instance, bounds, instantiate, options_of
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.kernel.language.host import available
from golpae.kernel.module import compiled
from golpae.kernel.start import started
from golpae.kernel.unsupported import Unsupported
from golpae.syntax import tree as t

ADVICE = "nothing is wrong: where a game comes here, the slower reference decides, with the same verdicts"
CODE = ("diagnostics", "syntax", "elaborate", "ir", "trace", "replay", "kernel", "lint")  # what takes part
MOST_SHOWN = 4  # further places of one reason
_Place = tuple[int, int, str]  # where a clause begins and ends, and why it is not compiled


def uncompiled(loaded: Loaded) -> list[Diagnostic]:
    """Return a note for each reason why clauses of a text are not compiled."""
    text = loaded.game.span.text
    name = cache.fingerprint("uncompiled", loaded.spec_hash, available(), code=CODE, packages=("wasmtime",))
    found = cache.load_as(name, list[_Place])
    if found is None:
        found = _left_out_of(loaded)
        cache.store_as(name, found)
    places: dict[str, list[Span]] = {}
    for start, end, reason in found:
        places.setdefault(reason, []).append(Span(text, start, end))
    return [_note(reason, *spans) for reason, spans in places.items()]


def _left_out_of(loaded: Loaded) -> list[_Place]:
    """Return the clauses of a text itself, without its includes, that are not compiled, in reading order."""
    game = loaded.game.name
    switches = [d.name.text for d in loaded.decls if isinstance(d, t.Variant)]
    found: dict[tuple[Span, str], None] = {}
    for rules in (game.text, *(f"{game.text}+{switch}" for switch in switches)):
        resolved = resolve(rules, loaded)
        rule_set = check(resolved)
        options = options_of(rule_set, {})
        spans = clause_spans(resolved.decls)
        for players in dict.fromkeys(bounds(rule_set, options)):
            for clause, reason in _left_out(instantiate(rule_set, players, options)):
                found.setdefault((_span(clause, spans, game.span), reason))
    own = [(span, reason) for span, reason in found if span.text == game.span.text]
    return [(span.start, span.end, reason) for span, reason in sorted(own, key=lambda place: place[0].start)]


def _left_out(instance: Instance) -> Iterator[tuple[str, str]]:
    """Yield the path of each clause of a table that is not compiled, and why; the path is empty if it is not known."""
    rules = instance.rule_set.rules
    try:
        if available():  # then the module says which of its lists it cannot fill
            made, _ = started(instance, rules, counted=True)
        else:
            made = compiled(instance, rules, counted=True)
        yield from made.clauses
    except Unsupported as reason:
        yield reason.clause or "", str(reason)


def _span(clause: str, spans: dict[str, Span], otherwise: Span) -> Span:
    """Return where a clause stands; conditions of every game stand where the action does, the rest at the game."""
    return spans.get(clause) or spans.get(clause.partition(".")[0]) or otherwise


def _note(reason: str, first: Span, *others: Span) -> Diagnostic:
    labels = tuple(Label(span, "here too") for span in others[:MOST_SHOWN])
    return Diagnostic("W008", f"not compiled: {reason}", first, ADVICE, labels)
