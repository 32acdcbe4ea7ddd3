"""What a rule book says in its chapters, as lines: the rules of sources, notes, and what is not allowed.

Input: a rule set, for the deal also a table.
Output: lines, by chapter and by what they are about.
Guarantee: everything in them is what the text says. A rule of a source stands once in a chapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from golpae.elaborate.constant import constant_or_none
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, closure, definitions_reached, refers_to
from golpae.ir.ruleset import (
    Action,
    ArrangementDecl,
    EffectClause,
    Note,
    PatternDecl,
    RuleSet,
    ScoreDecl,
    ShapeDecl,
    effects_of,
)
from golpae.ir.traverse import exprs_in, nodes
from golpae.lower import statements as st
from golpae.lower.effects import lowered
from golpae.lower.walk import flat
from golpae.spoken.sentences import is_plain, noun_of, says_what_is, sentence, spaced

AIM, DEAL, TURN, END, PAY, MATCH = "aim", "deal", "turn", "end", "pay", "match"
LineKind = Literal["note", "rule", "refusal"]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence. `about` is the action that it is about, or ""; `ids` are the rules that say so."""

    kind: LineKind
    text: str
    ids: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """The lines of a chapter."""

    name: str
    lines: tuple[Line, ...]

    def of(self, about: str) -> list[Line]:
        """Return the lines about an action."""
        return [line for line in self.lines if line.about == about]


def chapters(rules: RuleSet, instance: Instance | None, turn: Sequence[Action]) -> dict[str, Chapter]:
    """Return the chapters; `turn` are the actions of play in the order of a turn."""
    before = [action for action in rules.actions if action.kind == "before"]
    of_kind = {action.kind: action for action in rules.actions if action.kind in ("deal", "end", "finish")}
    deal, end, finish = (of_kind.get(kind) for kind in ("deal", "end", "finish"))
    found = {
        AIM: _aim(rules),
        DEAL: _once(
            [
                *_of_actions(rules, before),
                *_dealt(rules, instance),
                *(_of_action(rules, deal) if deal else ()),
            ]
        ),
        TURN: _once(_of_actions(rules, turn)),
        END: _once(_of_action(rules, end, paid=False) if end else ()),
        PAY: _once(_paid(rules)),
        MATCH: _once(_of_action(rules, finish) if finish else ()),
    }
    return {name: Chapter(name, tuple(lines)) for name, lines in found.items()}


def _once(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines, each rule and note once, and each refusal once of each action."""
    seen = set()
    for line in lines:
        key = (line.text, line.about if line.kind == "refusal" else "")
        if key not in seen:
            seen.add(key)
            yield line


def _aim(rules: RuleSet) -> list[Line]:
    """Return the sentences about the aim; if the text has none, the rules by which somebody wins."""
    notes = [*_notes(rules.aim)]
    return notes or [*dict.fromkeys(_wins(rules))]


def _wins(rules: RuleSet) -> Iterator[Line]:
    """Yield the rules that clauses cite by which somebody wins."""
    for action in rules.actions:
        if action.kind in ("play", "before"):
            for clause in _deciding(rules, action):
                yield from _rules(rules, clause.ids or action.ids)


def has_winners(rules: RuleSet) -> bool:
    """Return whether a hand can have a winner."""
    return any(True for action in rules.actions for _ in _deciding(rules, action))


def _deciding(rules: RuleSet, action: Action) -> Iterator[EffectClause]:
    """Yield the effects of an action by which somebody wins."""
    for clause, written in zip(action.effects, lowered(rules, action.name, action.effects), strict=True):
        if any(isinstance(one, st.Over) and one.winner is not None for one in flat(written.statements)):
            yield clause


def _notes(notes: Iterable[Note], about: str = "") -> Iterator[Line]:
    for note in notes:
        yield Line("note", as_sentence(note.text), note.ids, about)


def _rules(rules: RuleSet, ids: Iterable[str], about: str = "") -> Iterator[Line]:
    for number in ids:
        rule = rules.rule(number)
        if rule is not None:
            yield Line("rule", as_sentence(rule.gist), (number,), about)


def _of_actions(rules: RuleSet, actions: Iterable[Action]) -> Iterator[Line]:
    for action in actions:
        yield from _of_action(rules, action)


def _of_action(rules: RuleSet, action: Action, paid: bool = True) -> Iterator[Line]:
    """Yield the notes on an action, the rules that it and its clauses cite, and what is not allowed."""
    name = action.name
    yield from _notes(action.notes, name)
    payment = set() if paid else {number for clause in rules.payout for number in _ids(rules, [clause])}
    ids = [*action.ids]
    for condition in action.of_text:
        ids += [*condition.ids, *_of_definitions(rules, [condition.expr])]
    ids += _ids(rules, action.effects)
    yield from _rules(rules, (number for number in dict.fromkeys(ids) if number not in payment), name)
    for condition in action.of_text if action.kind in ("play", "before") else ():
        words = None if is_plain(rules, action, condition) else sentence(rules, action, condition)
        if words is not None:
            yield Line("note" if says_what_is(condition) else "refusal", words, condition.ids, name)


def _ids(rules: RuleSet, clauses: Iterable[EffectClause], deep: bool = False) -> list[str]:
    """Return the rules that clauses of effects cite, themselves or through definitions that they name; `deep`: or that
    these name.
    """
    out: list[str] = []
    for clause in clauses:
        out += [*clause.ids, *_of_definitions(rules, exprs_in(clause.effects), deep)]
    return out


def _of_definitions(rules: RuleSet, exprs: Iterable[ir.Expr], deep: bool = False) -> Iterator[str]:
    """Yield the rules of the definitions that expressions name; `deep`: and of those that these name."""
    by_name = {definition.name: definition for definition in rules.definitions}
    found = definitions_reached(exprs, by_name) if deep else _named(exprs)
    for name in found:
        if name in by_name:
            definition = by_name[name]
            yield from definition.ids
            yield from (number for case in definition.cases for number in case.ids)


def _named(exprs: Iterable[ir.Expr]) -> list[str]:
    return [node.name for expr in exprs for node in nodes(expr) if isinstance(node, ir.CallDef)]


def _dealt(rules: RuleSet, instance: Instance | None) -> Iterator[Line]:
    """Yield how many tiles are dealt, as far as that does not depend on the game."""
    deal = next((action for action in rules.actions if action.kind == "deal"), None)
    if deal is None or deal.dealing is None or instance is None:
        return
    dealing, noun = deal.dealing, noun_of(rules)
    first, others = (_number(size, instance) for size in (dealing.first, dealing.others))
    if first is not None and first == others:
        yield Line("note", f"Each player is dealt {_many(first, noun)}.", (), deal.name)
    elif first is not None and others is not None:
        words = f"The first player is dealt {_many(first, noun)}, each other player {others}."
        yield Line("note", words, (), deal.name)
    for zone in dealing.table:
        size = _number(zone.size, instance)
        if size is not None:
            verb = "goes" if size == 1 else "go"
            yield Line(
                "note", f"{_many(size, noun).capitalize()} {verb} to the {spaced(zone.zone)}.", (), deal.name
            )
    yield Line("note", f"The other {noun}s are the {spaced(dealing.zone)}.", (), deal.name)


def _paid(rules: RuleSet) -> Iterator[Line]:
    """Yield the notes and the rules on what is paid."""
    yield from _notes(rules.payout_notes)
    yield from _rules(rules, dict.fromkeys(_ids(rules, rules.payout, deep=True)))


def _number(expr: ir.Expr, instance: Instance) -> int | None:
    value = constant_or_none(expr, instance.static)
    return value if isinstance(value, int) else None


def worth_of(pattern: PatternDecl, instance: Instance) -> str:
    """Return what a pattern counts, in words; nothing if that depends on the hand."""
    value = _number(pattern.value, instance)
    if value is None:
        return ""
    return f"{counted(value, pattern.number)}{' each' if pattern.each else ''}"


def counted(value: int, number: str) -> str:
    """Return points with the name of the number that they count in, if it has one: `1 limit`, `2 limits`."""
    name = spaced(number)
    if value == 1 and name.endswith("s") and not name.endswith("ss"):
        name = name[:-1]
    return f"{value} {name}".rstrip()


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def as_sentence(text: str) -> str:
    """Return words with a capital letter and a full stop."""
    words = text[:1].upper() + text[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."


def only_in_properties(rules: RuleSet) -> set[str]:
    """Return the definitions, shapes and arrangements that properties name, and no action, payment or score."""
    found = Dependencies(rules)

    def named(exprs: Iterable[ir.Expr]) -> set[str]:
        return {name for node in found.nodes(exprs) for _, name in refers_to(node)}

    effects = [effect for action in rules.actions for effect in effects_of(action.effects)]
    played = [condition.expr for action in rules.actions for condition in action.conditions]
    played += exprs_in([*effects, *effects_of(rules.payout)])
    played += [pattern.test for score in rules.scores for pattern in score.patterns]
    names = named(played).union(*(score.arrangements for score in rules.scores))
    arrangements = {arrangement.name: arrangement for arrangement in rules.arrangements}
    for name in closure(names & arrangements.keys(), lambda name: arrangements[name].union):
        names.update((name, *(part.shape for part in arrangements[name].parts)))
    claimed = named([*(p.expr for p in rules.properties), *(share.event for share in rules.shares)])
    return claimed - names


def uncited(rules: RuleSet, found: Iterable[Chapter]) -> list[Line]:
    """Return the rules that definitions, shapes and scores cite, and no chapter."""
    said = {number for chapter in found for line in chapter.lines for number in line.ids}
    ids: list[str] = [*rules.tiles.ids, *rules.tiles.withdrawn_ids, *rules.ids]
    parts: list[ShapeDecl | ArrangementDecl | ScoreDecl] = [*rules.shapes, *rules.arrangements, *rules.scores]
    said.update(number for part in parts for number in part.ids)
    said.update(number for score in rules.scores for pattern in score.patterns for number in pattern.ids)
    for definition in rules.definitions:
        ids += [*definition.ids, *(number for case in definition.cases for number in case.ids)]
    return [line for line in _rules(rules, dict.fromkeys(ids)) if line.ids[0] not in said]
