"""A match at the terminal: what happened, the table as a person sees it, and what that person does.

Input: a match, and lines that people type.
Output: text, and the match played on.
Guarantee: a person sees no tile that is hidden from the seat that is asked. If several people play, the screen is
cleared before each turn. What cannot be understood changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from golpae.cli.terminal.output import printable
from golpae.cli.terminal.person import clear, is_typed, typed_line
from golpae.cli.terminal.position_shown import NARROWEST, Paint, TerminalTable
from golpae.diagnostics import near
from golpae.replay.asked_scores import score_words, scores_of
from golpae.replay.legal_events import Event
from golpae.replay.simulate import written
from golpae.replay.speaker import Speaker
from golpae.simulate.match import Match, Question
from golpae.simulate.onlooker import Look, Onlooker
from golpae.simulate.play import LONGEST
from golpae.simulate.policies import MADE
from golpae.simulate.policy import Policy
from golpae.simulate.position import Positions
from golpae.simulate.typed import RefusedInput, Typed
from golpae.trace import Header, quoted

MOST_SHOWN = 60  # choices that are listed
ADVICE = "`help` says what you can write"
COMMANDS = {
    "table": "show the table again",
    "hint": "what a policy would do; `hint towards` asks another one",
    "undo": "go back to your last choice, or to that of whoever chose last",
    "save": "`save FILE` writes the game so far as a trace",
    "help": "this help",
    "quit": "stop playing",
}
SHORT = {"?": "help", "q": "quit"}
WAIT = "wait"
HINTS = "greedy"
PERHAPS = "nothing that can be listed can follow; perhaps {}, too much to list"


class Conversation:
    """A match that is played at the terminal. `keep` is called before a person is asked, `save` saves to a file."""

    def __init__(
        self,
        match: Match,
        header: Header,
        paint: Paint,
        width: int,
        keep: Callable[[], None],
        save: Callable[[str], str],
    ) -> None:
        self._match, self._header, self._paint, self._width = match, header, paint, max(width, NARROWEST)
        self._keep, self._save = keep, save
        self._typed = Typed(match.legal, match.sight, header)
        self._speaker = Speaker(match.machine, header)
        self._flat = Positions(match.machine).flat
        self._positions = [self._flat(match.state)]
        self._scores: dict[int, list[str]] = {}  # what the hand counted that won by an event
        self._told: dict[int | None, int] = {}  # how many events somebody has been told
        self._last: int | None = match.people[0] if len(match.people) == 1 else None
        self._policies: dict[str, Policy] = {}  # that have given hints

    def run(self, hands: int | None) -> None:
        """Play until nothing can follow, a person stops, or so many hands are over. Raises what a policy raises."""
        over = alone = 0
        while (hands is None or over < hands) and alone < LONGEST:
            event_or_question = self._match.go_on()
            if event_or_question is None:
                break
            alone += 1
            if isinstance(event_or_question, Event):
                self._happened()
                over += self._match.machine.actions[event_or_question.action].kind == "end"
            elif self._ask(event_or_question):
                alone = 0
            else:
                return
        self._show(self._last)
        if alone == LONGEST:
            self._say(f"{LONGEST:,} events, and the hand has not ended: it is broken off")
        elif hands is None or over < hands:
            following = self._match.legal.can_follow(self._match.state)
            perhaps = ", ".join(map(quoted, (*following.unlisted, *following.endless)))
            self._say(PERHAPS.format(perhaps) if perhaps else "nothing can follow")

    def _happened(self) -> None:
        self._positions.append(self._flat(self._match.state))
        match, number = self._match, len(self._match.events) - 1
        self._scores.pop(number, None)
        if match.before is not None and match.before.winner is None and match.state.winner is not None:
            scores = scores_of(match.machine, match.before, match.events[-1])
            self._scores[number] = [*map(_scored, scores)]

    # ------------------------------------------------------------------ what is shown

    def _onlooker(self, seat: int | None) -> tuple[Look, Onlooker]:
        everything = not self._match.people
        look = Look("hands" if everything else "table", seat)
        return look, Onlooker(self._match.machine, look)

    def _show(self, seat: int | None, question: Question | None = None) -> None:
        """Tell what happened since this seat was told, and show the table as it sees it."""
        look, onlooker = self._onlooker(seat)
        sys.stdout.write("\n")
        shown = min(self._told.get(seat, 0), len(self._match.events))
        for number in range(shown, len(self._match.events)):
            self._say(self._event(number, onlooker))
            if gathered := self._gathered(number, onlooker):
                self._say(f"  with {gathered}")
            for line in self._scores.get(number, ()):
                self._say(f"  {line}")
        self._told[seat] = len(self._match.events)
        if question is not None and seat is not None and shown == len(self._match.events) > 0:
            shown -= 1  # nothing is new: the last event is marked
        before, now = (onlooker.shown(self._positions[: at + 1]) for at in (shown, len(self._match.events)))
        table = TerminalTable(
            self._match.machine.instance, self._header.players, self._paint, self._width, look
        )
        for line in table.lines(now, before, seat if question is not None else None):
            self._say(line)

    def _event(self, number: int, onlooker: Onlooker) -> str:
        """Return an event as somebody sees it, with who acts."""
        event = self._match.events[number]
        action = self._match.machine.actions[event.action]
        words = self._speaker.event(event)
        if action.kind == "end":
            words = f"{words}: {self._speaker.pay(event.args[1])}"
        who = "" if action.by is None else f"{self._speaker.names[event.args[0]]}: "
        line = written(self._match.machine, event)
        unnamed = onlooker.unnamed(self._positions[number], self._positions[number + 1], line)
        return f"{who}{onlooker.words(words, unnamed)}"

    def _gathered(self, number: int, onlooker: Onlooker) -> str:
        """Return the tiles that an action takes up from where everybody saw them, besides those that it names."""
        event = self._match.events[number]
        if self._match.machine.actions[event.action].kind != "play":
            return ""
        line = written(self._match.machine, event)
        return " ".join(onlooker.gathered(self._positions[number], self._positions[number + 1], line))

    def _say(self, line: str) -> None:
        sys.stdout.write(f"{line if chr(27) in line else printable(line)}\n")

    # ------------------------------------------------------------------ asking

    def _ask(self, question: Question) -> bool:
        """Ask a person, until something happens. Return whether the match goes on."""
        self._keep()
        seat = question.seat if question.seat is not None else self._last
        if not self._hand_over(question.seat):
            return False
        self._show(seat, question)
        self._list(question)
        who = "" if question.seat is None else self._speaker.names[question.seat]
        while True:
            sys.stdout.write(f"{printable(who)}> ")
            sys.stdout.flush()
            typed = typed_line()
            if not typed:
                sys.stdout.write("\n")
                return False
            if not is_typed():
                sys.stdout.write(f"{printable(typed.strip())}\n")
            answer = self._answered(typed.strip(), question)
            if answer is not None:
                return answer

    def _hand_over(self, seat: int | None) -> bool:
        """Let another person come to the keyboard. Return whether somebody came."""
        if seat is None or len(self._match.people) < 2 or seat == self._last:
            return True
        self._last = seat
        if not is_typed():
            return True
        clear()
        name = printable(self._speaker.names[seat])
        sys.stdout.write(f"It is {name}'s turn. {name}, press Enter when nobody else looks. ")
        sys.stdout.flush()
        if not typed_line():
            return False
        clear()
        return True

    def _list(self, question: Question) -> None:
        """List the choices, packed into lines."""
        choices = [f"{n} {self._typed.words(c)}" for n, c in enumerate(question.choices[:MOST_SHOWN], 1)]
        if question.can_wait:
            choices.append(f"0 {WAIT}")
        if question.can_deal:
            choices.append("Enter deals the next hand")
        for line in _packed([printable(words) for words in choices], self._width):
            self._say(line)
        more = len(question.choices) - MOST_SHOWN
        if more > 0:
            self._say(f"  and {more} more: write them in words")
        if question.seat is not None:
            for name in self._match.legal.unlisted(self._match.state):
                self._say(f"  perhaps also {name}, which is too much to list: write it in words")

    def _answered(self, typed: str, question: Question) -> bool | None:
        """Do what was typed. Return whether the match goes on; None if the question stays."""
        word, _, rest = typed.partition(" ")
        command = word.lower().removeprefix("/")
        command = SHORT.get(command, command)
        if command in COMMANDS and (word.startswith("/") or word not in self._match.machine.actions):
            return self._command(command, rest.strip(), question)
        if question.can_deal and typed.lower() in ("", "deal"):
            return self._deal()
        if question.can_wait and typed.lower() in ("0", WAIT):
            return self._chosen(question, None)
        if not typed and len(question.choices) == 1 and not question.can_wait:
            return self._chosen(question, 0)
        if typed.isdecimal() and len(typed) < 6 and 0 < int(typed) <= len(question.choices):
            return self._chosen(question, int(typed) - 1)
        if not typed or typed.isdecimal():
            message = f"there is no choice {typed[:9]}" if typed else "choose by number or in words"
            self._refuse(RefusedInput(message, ADVICE))
            return None
        answer = self._typed.read(typed, question.seat, question.choices, self._match.state)
        if isinstance(answer, RefusedInput):
            advice = answer.advice or (None if answer.clause else near(word, COMMANDS) or ADVICE)
            self._refuse(RefusedInput(answer.message, advice, answer.clause, answer.rules))
            return None
        if isinstance(answer, Event):
            self._match.take(answer)
            self._happened()
            return True
        return self._chosen(question, answer)

    def _deal(self) -> bool:
        """Deal the next hand. Return whether the match goes on."""
        if self._match.deal_again() is None:
            self._say("no deal can be made")
            return False
        self._happened()
        return True

    def _chosen(self, question: Question, place: int | None) -> bool:
        if self._match.choose(question, place) is not None:
            self._happened()
        return True

    def _refuse(self, refused: RefusedInput) -> None:
        self._say(refused.message)
        if refused.clause is not None:
            self._say(f"  broken: {refused.clause} in {self._header.rules}")
        for rule in refused.rules:
            self._say(f"  rule: {rule}")
        if refused.advice is not None:
            self._say(f"  {refused.advice}")

    # ------------------------------------------------------------------ commands

    def _command(self, name: str, rest: str, question: Question) -> bool | None:
        match name:
            case "quit":
                return False
            case "undo":
                if not self._match.undo():
                    self._say("there is nothing to take back")
                    return None
                del self._positions[len(self._match.events) + 1 :]
                return True
            case "table":
                self._show(question.seat if question.seat is not None else self._last, question)
                self._list(question)
            case "hint":
                self._hint(rest or HINTS, question)
            case "save":
                self._say(self._save(rest) if rest else "write `save` and the name of a file")
            case _:
                self._say("a choice: its number, or its words, or an event as in a trace")
                for command, meaning in COMMANDS.items():
                    self._say(f"  {command:<8}{meaning}")
        return None

    def _hint(self, name: str, question: Question) -> None:
        if name not in MADE:
            self._say(f"there is no policy `{name}`: {near(name, MADE) or ', '.join(MADE)}")
            return
        if question.seat is None:
            self._say("between hands there is no hint")
            return
        if name not in self._policies:
            self._policies[name] = MADE[name](self._match.sight)
        place = self._match.hint(question, self._policies[name])
        words = WAIT if place is None else f"{place + 1} {self._typed.words(question.choices[place])}"
        self._say(f"{name}: {words}")


def _scored(score: dict[str, Any]) -> str:
    """Return the points of a hand and its layout, in words."""
    total, patterns = score_words(score)
    groups = " | ".join(" ".join(group["tiles"]) for group in score["groups"])
    return f"{score['score']}: {total} ({patterns}){': ' if groups else ''}{groups}"


def _packed(words: Sequence[str], width: int) -> Iterator[str]:
    """Yield words in columns."""
    if not words:
        return
    column = min(max(map(len, words)) + 3, width - 2)
    each = max(1, (width - 2) // column)
    for at in range(0, len(words), each):
        yield f"  {''.join(f'{word:<{column}}' for word in words[at : at + each])}".rstrip()
