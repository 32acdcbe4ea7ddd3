"""The rules of a game in short, for people who play it: the goal, what one can do, what a hand can be worth.

Input: a rule set.
Output: markup.
Guarantee: everything in it is what the text says: the titles of its actions, and the rules that its clauses cite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.ir.ruleset import Action, RuleSet
from golpae.lower.effects import lowered
from golpae.lower.statements import Over
from golpae.lower.walk import flat
from golpae.pages.document import Markup, escaped

MOST_RULES = 4  # of an action


def rules_in_short(rules: RuleSet) -> Markup:
    """Return the rules in short."""
    goal = list(dict.fromkeys(_goal(rules)))
    out = []
    if goal:
        out.append("<h3>The goal</h3>" + _listed(goal))
    actions = [action for action in rules.actions if action.kind in ("play", "before") and action.title]
    if actions:
        out.append(
            '<h3>What one can do</h3><dl class="moves">' + "".join(_move(rules, action) for action in actions)
        )
        out.append("</dl>")
    worth = [pattern.name for score in rules.scores for pattern in score.patterns]
    if worth:
        out.append(
            f"<h3>What counts</h3><p>{escaped(', '.join(name.replace('-', ' ') for name in worth))}</p>"
        )
    return Markup("".join(out))


def _goal(rules: RuleSet) -> Iterator[str]:
    """Yield the rules that the clauses cite by which somebody wins, and those of the end."""
    for action in rules.actions:
        for clause in action.effects:
            (lowered_clause,) = lowered(rules, action.name, [clause])
            if any(
                isinstance(one, Over) and one.winner is not None for one in flat(lowered_clause.statements)
            ):
                yield from _gists(rules, clause.ids or action.ids)
    for action in rules.actions:
        if action.kind == "end":
            yield from _gists(rules, action.ids)


def _move(rules: RuleSet, action: Action) -> str:
    gists = list(dict.fromkeys(_gists(rules, action.ids)))[:MOST_RULES]
    return f"<dt>{escaped(action.title or action.name)}</dt><dd>{_listed(gists) if gists else ''}</dd>"


def _gists(rules: RuleSet, ids: Iterable[str]) -> Iterator[str]:
    for number in ids:
        rule = rules.rule(number)
        if rule is not None:
            yield rule.gist


def _listed(words: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escaped(one)}</li>" for one in words) + "</ul>"
