"""The rules of a game in short, for people who play it: the aim, what one can do, how it ends, what it pays.

Input: a rule set.
Output: markup.
Guarantee: everything in it is what a rule book says, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from golpae.ir.ruleset import Action, RuleSet
from golpae.pages.document import Markup, escaped
from golpae.spoken import chapters as spoken
from golpae.spoken.sentences import capital, spaced
from golpae.spoken.turn import course_of

MOST_RULES = 4  # of an action


def rules_in_short(rules: RuleSet) -> Markup:
    """Return the rules in short."""
    turn = [action for action, _ in course_of(rules).actions]
    found = spoken.chapters(rules, None, turn)
    out = [_titled("The aim", (line.text for line in found[spoken.AIM].lines))]
    before = [action for action in rules.actions if action.kind == "before"]
    moves = [_move(found[spoken.DEAL], action) for action in before if action.title]
    moves += [_move(found[spoken.TURN], action) for action in turn if action.title]
    if moves:
        out.append(f'<h3>What one can do</h3><dl class="moves">{"".join(moves)}</dl>')
    out.append(_titled("The end of a hand", (line.text for line in found[spoken.END].lines)))
    out.append(_titled("What is paid", (line.text for line in found[spoken.PAY].lines)))
    worth = [spaced(pattern.name) for score in rules.scores for pattern in score.patterns]
    if worth:
        out.append(f"<h3>What counts</h3><p>{escaped(', '.join(worth))}</p>")
    return Markup("".join(out))


def _move(chapter: spoken.Chapter, action: Action) -> str:
    lines = [line.text for line in chapter.of(action.name) if line.kind != "refusal"][:MOST_RULES]
    return (
        f"<dt>{escaped(capital(action.title or action.name))}</dt><dd>{_listed(lines) if lines else ''}</dd>"
    )


def _titled(title: str, lines: Iterable[str]) -> str:
    found = list(lines)
    return f"<h3>{title}</h3>{_listed(found)}" if found else ""


def _listed(words: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escaped(one)}</li>" for one in words) + "</ul>"
