"""The turn of a rule book: what one can do, in the order in which it happens.

Input: a rule set and the same with each switch, with their turns.
Output: markup.
Guarantee: an action that a switch adds or leaves out is marked with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from golpae.ir.ruleset import Action, RuleSet
from golpae.pages.book.exact import ExactText, anchor, chip, with_
from golpae.pages.book.prose import Prose
from golpae.pages.document import escaped
from golpae.spoken import chapters as spoken
from golpae.spoken.sentences import capital, spaced
from golpae.spoken.turn import Turn, When


class Actions:
    """The actions of a rule set, and those with each switch; `turns` are the turns of these."""

    def __init__(
        self,
        rules: RuleSet,
        turn: Turn,
        rules_of: Mapping[str, RuleSet],
        turns: Mapping[str, Turn],
        prose: Prose,
        exact: ExactText,
    ) -> None:
        self._rules, self._turn, self._rules_of, self._turns = rules, turn, rules_of, turns
        self._prose, self._exact = prose, exact

    def chapter(self) -> str:
        """Return a turn: its course, and each action."""
        out = [self._course(self._turn)]
        out += (self.one(action, spoken.TURN, when) for action, when in self._turn.actions)
        known = {action.name for action in self._rules.actions}
        for switch, turn in self._turns.items():
            out += (
                self.one(action, spoken.TURN, when, switch)
                for action, when in turn.actions
                if action.name not in known
            )
        return "".join(out)

    def _course(self, turn: Turn) -> str:
        """Return the stages of a turn, each with what one can do there; nothing if there is one stage."""
        rows = []
        for stage in turn.stages:
            here = [
                (action, when)
                for action, when in turn.actions
                if stage in when.stages and len(when.stages) < len(turn.stages)
            ]
            if here:
                words = (
                    f'<a href="#{anchor(f"action {a.name}")}">{escaped(a.title or spaced(a.name))}</a>'
                    for a, _ in here
                )
                rows.append(f"<li><b>{escaped(capital(spaced(stage)))}</b> {', or '.join(words)}</li>")
        return f'<ol class="course">{"".join(rows)}</ol>' if len(rows) > 1 else ""

    def one(self, action: Action, chapter: str, when: When | None = None, switch: str | None = None) -> str:
        """Return an action: its title, what is said about it, its exact text; `switch` is one that adds it."""
        path = f"action {action.name}"
        about = ""
        found_as = self._exact.found_as(path, switch or "")  # before its text, which would be found itself
        if switch is not None:
            about = self._exact.only(switch)
            part = next((p for p in self._exact.added.get(switch, ()) if p.path == path), None)
            text = "" if part is None else self._exact.folded(part, switch=switch)
        else:
            gone = [other for other, rules in self._rules_of.items() if rules.action(action.name) is None]
            about = self._exact.changed(gone) if gone else ""
            text = self._exact.block(path)
            changed = self._exact.switches_of(path)
            text += f'<p class="chips no-print">{"".join(map(chip, changed))}</p>' if changed else ""
        mark = (
            f' <span class="quiet">{_turn_words(when)}</span>'
            if when is not None and _turn_words(when)
            else ""
        )
        label = with_(switch) if switch is not None else ""
        title = escaped(capital(action.title or spaced(action.name)))
        kind = "" if about.startswith(" class=") else ' class="block of-action"'
        about = about.replace('class="', 'class="block of-action ', 1)
        return (
            f"<article{kind}{found_as}{about}><h3>{title}{mark}{label}</h3>"
            f"{self._prose.says(chapter, action.name)}{text}</article>"
        )


def _turn_words(when: When) -> str:
    if when.in_turn and when.out_of_turn:
        return ""
    return "" if when.in_turn else "when it is another player’s turn"
