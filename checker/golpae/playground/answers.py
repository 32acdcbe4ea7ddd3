"""What golpae answers to the page of the playground.

Input: a request, as an object of JSON: what is to be `do`ne, the rule `text`, and what else it takes.
Output: the answer, as an object of JSON. Of a request that cannot be met, `fault` says why.
Guarantee: verdicts are those of the verbs of golpae; pages are those of `golpae report` and `golpae play --web`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

from golpae import __version__
from golpae.assets.examples import EXAMPLES
from golpae.bundled import spec_dir
from golpae.diagnostics import SpecError
from golpae.elaborate.load import game_names
from golpae.elaborate.names import ENDING
from golpae.library.answers.comparing import Answer
from golpae.library.answers.proving import Proof
from golpae.library.errors import GolpaeError, rules_error
from golpae.library.origin import library_at
from golpae.library.rules import Rules
from golpae.library.table import Table
from golpae.library.values import written as line_of
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.game import game_page
from golpae.pages.match import GREEDY, PERSON, match_page
from golpae.pages.module import Modules
from golpae.pages.recording import Recorder, Recording
from golpae.playground.desk import Desk
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event
from golpae.replay.simulate import header as header_of
from golpae.replay.simulate import written
from golpae.simulate.match import Match
from golpae.simulate.policies import policies
from golpae.simulate.sight import Sight
from golpae.trace import Header, quoted, read_header
from golpae.trace.header import usual_names
from golpae.trace.read import lines
from golpae.workers import listening

GAMES = "Games that come with golpae"  # above their names in the menu of examples
MOST_GAMES = 200  # of one trace, whose verdicts are shown
MOST_EVENTS = 2_000  # of a game by chance
MOST_FAULTS = 3  # that an answer tells; the text beside it marks all of them
OLD, NEW = "the old text", "the new text"  # as it was opened, and as somebody has changed it
SECONDS = 86_400.0  # nobody ends a proof but the reader
Request = dict[str, Any]
Answered = dict[str, Any]


class Playground:
    """Answers the requests of one page."""

    def __init__(self, folder: Path, tell: Callable[[str], None] = lambda words: None) -> None:
        """`tell` hears what a long answer is at."""
        self._tell = tell
        self._desk = Desk(folder)
        self._opened = (
            folder / "opened"
        )  # for the text that a comparison takes as it was before it was changed
        self._modules = Modules()
        self._does: dict[str, Callable[[Request], Answered]] = {
            "about": self._about,
            "example": self._example,
            "faults": self._faults,
            "complete": self._complete,
            "hover": self._hover,
            "format": self._format,
            "rules": self._rules,
            "check": self._check,
            "chance": self._chance,
            "play": self._play,
            "prove": self._prove,
            "compare": self._compare,
        }

    def answer(self, request: str) -> str:
        """Return the answer to a request, both as JSON."""
        request_read = json.loads(request)
        try:
            if "text" in request_read:
                self._desk.put(request_read["text"])
            with listening(lambda told: self._tell(told.at)):
                answered = self._does[request_read["do"]](request_read)
        except (GolpaeError, SpecError) as fault:
            answered = {"fault": self._told(fault)}
        except RecursionError:
            answered = {"fault": "this is nested too deeply for the Python of a browser"}
        return json.dumps(answered, ensure_ascii=False)

    def _told(self, error: GolpaeError | SpecError) -> str:
        """Return faults in words. Those of the text on the page have the number of their line."""
        faults = (rules_error(error) if isinstance(error, SpecError) else error).diagnostics
        told = []
        for fault in faults[:MOST_FAULTS]:
            file = None if fault.file is None else Path(fault.file)
            place = "" if fault.line is None else f"line {fault.line}: "
            if file is not None and fault.line is not None and file.parent != self._desk.folder:
                place = f"{file.name}, {place}"
            told.append(f"{place}{fault.message}" + (f" ({fault.help})" if fault.help else ""))
        more = len(faults) - len(told)
        return "; ".join(told) + (f"; and {more} more" if more else "")

    # ------------------------------------------------------------------ texts

    def _about(self, request: Request) -> Answered:
        shown = {
            heading: [{"name": one.name, "words": one.words} for one in examples]
            for heading, examples in EXAMPLES.items()
        }
        games = [{"name": name, "words": name} for name in game_names(())]
        return {"version": __version__, "examples": {**shown, GAMES: games}}

    def _example(self, request: Request) -> Answered:
        """Return the first answers of the page for an example, or for a text that comes with golpae."""
        for one in (one for examples in EXAMPLES.values() for one in examples):
            if one.name == request["name"]:
                state = {"text": one.text(), "tab": one.tab, **dict(one.choices)}
                return {**state, "trace": one.game(), "runs": one.runs}
        if request["name"] not in game_names(()):
            return {"fault": f"there is no example {quoted(request['name'])}"}
        file = spec_dir() / (request["name"] + ENDING)
        return {"text": file.read_text(encoding="utf-8"), "tab": "trace", "trace": None, "runs": False}

    def _faults(self, request: Request) -> Answered:
        return {"marks": [asdict(mark) for mark in self._desk.marks(request["whole"])]}

    def _complete(self, request: Request) -> Answered:
        return {"offers": [asdict(offer) for offer in self._desk.offers(request["at"])]}

    def _hover(self, request: Request) -> Answered:
        hovered = self._desk.hover(request["at"])
        return {} if hovered is None else {"start": hovered[0], "end": hovered[1], "words": hovered[2]}

    def _format(self, request: Request) -> Answered:
        return {"text": self._desk.formatted()}

    def _rules(self, request: Request) -> Answered:
        """Return the name, the numbers of players, the switches, the options and the properties of the rules of the
        text.
        """
        rules = self._desk.rules(request.get("switches", ()))
        return {
            "name": rules.name,
            "title": rules.title,
            "players": [*rules.players],
            "switches": [{"name": one.name, "kind": one.kind, "gist": one.gist} for one in rules.switches],
            "options": [asdict(one) for one in rules.options],
            "properties": [
                {"name": one.name, "kind": one.kind, "expected": one.expected}
                for one in rules.properties
                if one.kind != "share"
            ],
        }

    # ------------------------------------------------------------------ games

    def _check(self, request: Request) -> Answered:
        """Return the verdict on each game of a trace, and the page of one of them."""
        shown, games, page, are_all = request.get("game", 0), [], None, True
        recorder = Recorder("trace", library_at((self._desk.folder,)))
        read = lines(BytesIO(request["trace"].encode("utf-8", "surrogatepass")))
        for number, one in enumerate(recorder.recordings(read)):
            if number == MOST_GAMES:
                are_all = False
                break
            games.append(_verdict(one))
            if number == shown:
                page = self._page_of(one)
        unread = recorder.unread
        return {
            "games": games,
            "page": page,
            "are_all": are_all,
            "fault": None if unread is None else f"line {unread[0]}: {unread[1]}",
        }

    def _page_of(self, recording: Recording) -> str | None:
        """Return the page of a game; None if its rules cannot be played."""
        if recording.instance is None:
            return None
        clauses = ClauseTexts([self._desk.folder]).of(recording.instance.rule_set.rules)
        return game_page(
            recording, None if recording.is_hidden else self._modules.of(recording.instance), clauses
        )

    def _page_of_lines(self, trace: Sequence[str]) -> str | None:
        """Return the page of a game that golpae found."""
        return self._check({"trace": "\n".join(trace)})["page"] if trace else None

    def _table(self, request: Request) -> Table:
        return self._desk.rules(request.get("switches", ())).at(
            request.get("players"), request.get("options")
        )

    def _chance(self, request: Request) -> Answered:
        """Return a hand that greedy players play by chance, as a trace."""
        table = self._table(request)
        machine = table.engine.machine
        made = policies([GREEDY] * table.players, Sight(machine))
        match = Match(machine, made, Chance(request.get("seed", 1), 0))
        for _ in range(MOST_EVENTS):
            event = match.go_on()
            if not isinstance(event, Event) or machine.actions[event.action].kind == "end":
                break
        header = {**header_of(machine), "players": usual_names(table.players)}
        events = [written(machine, event) for event in match.events]
        return {"trace": "".join(f"{line_of(one)}\n" for one in (header, *events))}

    def _play(self, request: Request) -> Answered:
        """Return the page of a match."""
        table = self._table(request)
        instance = table.engine.machine.instance
        header = read_header({**header_of(table.engine.machine), "players": usual_names(table.players)})
        assert isinstance(header, Header)
        seats = (PERSON, *([GREEDY] * (table.players - 1)))
        clauses = ClauseTexts([self._desk.folder]).of(instance.rule_set.rules)
        page = match_page(instance, header, seats, request.get("seed"), clauses)
        return (
            {"page": page} if page else {"fault": "these rules cannot be made a module, which a page needs"}
        )

    # ------------------------------------------------------------------ proofs

    def _prove(self, request: Request) -> Answered:
        """Return the answer to a property at one table, with the page of a game that shows it."""
        rules = self._desk.rules(request.get("switches", ()))
        proofs = rules.prove(
            request["name"], players=request.get("players"), effort=request.get("effort", 1), seconds=SECONDS
        )
        return {"proofs": [self._proof(one) for one in proofs]}

    def _proof(self, proof: Proof) -> Answered:
        return {
            "name": proof.name,
            "kind": proof.kind,
            "players": proof.players,
            "verdict": proof.verdict,
            "expected": proof.expected,
            "status": proof.status,
            "story": proof.story,
            "values": dict(proof.values),
            "vacuous": proof.vacuous,
            "trace": [*proof.trace],
            "page": self._page_of_lines(proof.trace),
        }

    def _compare(self, request: Request) -> Answered:
        """Return the comparison of two choices of switches, or of the text as it was `before` with what it is now: the
        differences of their texts, and the answer to each question about their games.
        """
        before = request.get("before")
        if before is None:
            left: Rules = self._desk.rules(request["left"])
        else:
            self._opened.mkdir(exist_ok=True)
            opened = Desk(self._opened)
            opened.put(before)
            left = opened.rules(request["left"])
        right: Rules = self._desk.rules(request["right"])
        comparison = left.compare(right, players=request.get("players"), games=request.get("games", True))
        a, b = (comparison.a, comparison.b) if before is None else (OLD, NEW)
        return {
            "a": a,
            "b": b,
            "games": comparison.games,
            "paid": comparison.paid,
            "incomparable": comparison.incomparable,
            "differences": [asdict(one) for one in comparison.differences],
            "tables": [
                {
                    "players": one.players,
                    "answers": [
                        {
                            "question": f"is every game of {a} one of {b}?",
                            **self._compared(one.a_in_b, b),
                        },
                        {
                            "question": f"is every game of {b} one of {a}?",
                            **self._compared(one.b_in_a, a),
                        },
                        {
                            "question": "are games that both allow paid alike?",
                            **self._compared(one.paid, None),
                        },
                    ],
                }
                for one in comparison.tables
            ],
        }

    def _compared(self, answer: Answer, refused_by: str | None) -> Answered:
        return {
            "verdict": answer.verdict,
            "detail": answer.detail,
            "refused_by": answer.refused_by and refused_by,
            "clause": answer.clause,
            "message": answer.message,
            "trace": [*answer.trace],
            "page": self._page_of_lines(answer.trace),
        }


def _verdict(recording: Recording) -> Answered:
    """Return the verdict on a game, and what was wrong."""
    outcome, refused = recording.outcome, recording.refused or {}
    faults = "" if recording.text_faults is None else str(recording.text_faults)
    return {
        "line": outcome.line,
        "id": None if outcome.id is None else str(outcome.id),
        "rules": outcome.rules,
        "verdict": outcome.verdict.value,
        "events": recording.events,
        "at": refused.get("at"),
        "clause": refused.get("clause"),
        "message": recording.message or faults or outcome.message,
        "rules_cited": refused.get("rules", []),
        "facts": refused.get("facts", []),
        "legal": refused.get("legal", [])[:12],
    }
