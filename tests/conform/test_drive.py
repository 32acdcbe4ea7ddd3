"""Driving an engine finds what differs from the rules, and nothing else."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from golpae import exit_codes
from golpae.conform.answer import Answer, EngineFault, Failing
from golpae.conform.drive import Conformance, DriveSettings, drive
from golpae.conform.engine import InPython, Refused
from golpae.conform.referee import COUNTED, Kind
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import Instance, instantiate, options_of
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.simulate import written
from golpae.report.games import conformance
from golpae.trace import Verdict
from tests.conform.engines import Line, Mirror, of_the_page


def driven(adapter: Any, rules: str = "three-dozen", players: int = 2, games: int = 40) -> Conformance:
    return drive([_table(rules, players)], InPython(adapter), DriveSettings(games=games))


def _table(rules: str, players: int) -> Instance:
    rule_set = elaborate_cached(rules)
    return instantiate(rule_set, players, options_of(rule_set, {}))


@pytest.mark.property
def test_an_engine_without_a_fault_agrees() -> None:
    found = driven(of_the_page("== 12", "== 12"), players=3, games=16)
    assert found.agrees
    assert found.status == exit_codes.HOLDS
    assert found.compared["illegal events"] > found.compared["legal events"] > 300
    assert found.compared["payments"] == 16


@pytest.mark.property
@pytest.mark.parametrize(
    ("old", "new", "kind", "where", "events", "games"),
    [
        ("None, False\n\n    def resh", "self.claimed_from, False\n\n    def resh", Kind.PAY, "", 11, 40),
        ("or self.owed:", "or False:", Kind.TAKES, "three-dozen.discard.owed", 4, 20),
        ("b_high + b_low == 12", "b_high + b_low in (11, 12)", Kind.TAKES, "three-dozen.lay.pair", 2, 20),
        ("% self.players,", "% 3,", Kind.REFUSES, "draw", 9, 20),
        ("== 3:", "== 2:", Kind.OVER, "", 3, 20),
        ("if self._mate_of_discard(seat) or", "if", Kind.TAKES, "three-dozen.draw.claim", 3, 40),
    ],
)
def test_a_planted_fault_is_found_and_shown_by_a_short_game(
    old: str, new: str, kind: Kind, where: str, events: int, games: int
) -> None:
    found = driven(of_the_page(old, new), games=games)
    assert found.status == exit_codes.FAILS
    shown = {one.difference.key: one for one in found.disagreements}
    assert (kind, where) in shown
    assert len(shown[kind, where].lines) - 1 <= events


@pytest.mark.property
def test_the_games_that_are_saved_show_the_clause() -> None:
    found = driven(of_the_page("or self.owed:", "or False:"), games=16)
    text = "".join(json.dumps(line) + "\n" for line in conformance.traces(found)).encode()
    reports = list(replay(io.BytesIO(text), "x", Library(elaborate_cached)))
    assert [r.outcome.clause for r in reports] == [d.difference.clause for d in found.disagreements]
    assert {r.outcome.verdict for r in reports} == {Verdict.ILLEGAL}
    lines = conformance.lines(found, "x.jsonl")
    assert any(
        line.startswith("x.jsonl:1  at event 4, line 5  the engine takes an illegal event") for line in lines
    )
    assert "  broken: three-dozen.discard.owed in three-dozen" in lines
    assert conformance.document(found)["disagreements"][0]["trace"] == conformance.traces(found)


@pytest.mark.property
@pytest.mark.parametrize(
    ("rules", "players", "games"),
    [
        ("jjak+relaxed", 2, 2),
        pytest.param("ho-hpai", 3, 5, marks=pytest.mark.slow),
        pytest.param("korean-mahjong", 4, 5, marks=pytest.mark.slow),
    ],
)
def test_all_that_an_engine_can_tell_is_compared(rules: str, players: int, games: int) -> None:
    found = driven(Mirror(), rules, players, games)
    assert found.agrees, conformance.lines(found, None)
    told = {what for what in COUNTED.values() if found.compared[what]}
    assert told == {*COUNTED.values()}


def _spoil(key: str, value: Any) -> Mirror:
    def change(told: Line) -> Line:
        if key == "legal" and value is None:
            return {**told, key: told[key][1:]}
        if key == "legal":
            return {**told, key: [*told[key], value]}
        if key == "zones":
            hands = [
                sorted(hand, reverse=True) for hand in told["state"]["zones"]["hand"]
            ]  # no order: the same
            return {"state": {"zones": {"hand": [*hands[:1], hands[1][1:]], "laid": [[], []]}}}
        return {key: value}

    return Mirror(change)


@pytest.mark.property
@pytest.mark.parametrize(
    ("adapter", "kind", "words"),
    [
        (_spoil("legal", None), Kind.MISSES, "legal too: P0: "),
        (_spoil("legal", {"do": "draw", "by": 0, "tile": "6-6"}), Kind.LISTS, 'lists `{"do": "draw"'),
        (_spoil("legal", {"do": "drwa"}), Kind.LISTS, "no such action; did you mean `draw`?"),
        (_spoil("legal", {"do": "draw"}), Kind.LISTS, "`draw` lacks the key `by`"),
        (_spoil("zones", None), Kind.POSITION, "`hand` is"),
        (_spoil("totals", [1, -1]), Kind.TOTALS, "`totals` is `[1, -1]`"),
        (
            _spoil("state", {"zones": {"hnad": []}}),
            Kind.FAULT,
            "there is no zone `hnad`; did you mean `hand`?",
        ),
        (_spoil("state", {"zoens": {}}), Kind.FAULT, "did you mean `zones`?"),
        (_spoil("winer", 0), Kind.FAULT, "unknown key `winer` in an answer; did you mean `winner`?"),
        (_spoil("pay", 0), Kind.FAULT, "`pay` must be a list of whole numbers, not `0`"),
    ],
)
def test_what_an_engine_tells_wrongly_is_said(adapter: Mirror, kind: Kind, words: str) -> None:
    found = driven(adapter, "jjak", 2, 1)
    [one] = found.disagreements
    assert one.difference.kind is kind
    assert any(words in line for line in conformance.lines(found, None))
    assert len(one.lines) == 2  # a deal shows it


class Faulty:
    """An engine that fails at a discard, and plays at no table of three."""

    def new(self, header: Line) -> None:
        if len(header["players"]) == 3:
            raise Refused("two or four")

    def event(self, event: Line) -> bool:
        if event["do"] == "discard":
            raise KeyError("tile")
        return True


@pytest.mark.property
def test_an_engine_that_raises_is_told_and_a_table_may_be_refused() -> None:
    found = driven(Faulty(), games=20)
    assert any("fails" in line for line in conformance.lines(found, None))
    assert any("KeyError (test_drive.py:" in one.difference.by_engine for one in found.disagreements)
    found = driven(Faulty(), players=3)
    assert (found.status, found.agrees) == (exit_codes.UNKNOWN, False)
    lines = conformance.lines(found, None)
    assert "three-dozen, 3 players, double 6: the engine does not play it: two or four" in lines
    assert any("nothing was compared" in line for line in lines)


@pytest.mark.property
def test_an_engine_that_fails_at_one_table_is_tried_at_the_others() -> None:
    class Odd(Mirror):
        def new(self, header: Line) -> None:
            if len(header["players"]) == 2:
                raise KeyError("two")
            super().new(header)

        def event(self, event: Line) -> Line | None:
            if len(self.state.total) == 3 and event["do"] == "discard":
                raise KeyError("discard")
            return super().event(event)

    tables = [_table("three-dozen", players) for players in (2, 3, 4)]
    found = drive(tables, InPython(Odd(None)), DriveSettings(games=40, illegal=0))
    assert [table.games for table in found.tables] == [0, 20, 40]
    assert found.status == exit_codes.FAILS
    lines = conformance.lines(found, None)
    assert "three-dozen, 2 players, double 6: given up: the engine fails when a game begins" in lines
    assert lines[0] == "before the first event  the engine fails"
    assert any(line.endswith("  the engine fails  (in 20 of 60 games)") for line in lines)
    given_up = "given up after 20 games in which the engine failed, 20 not played"
    assert f"three-dozen, 3 players, double 6: {given_up}" in lines
    tables_told = conformance.document(found)["tables"]
    assert [(one["games"], one["why"] is None) for one in tables_told] == [
        (0, False),
        (20, False),
        (40, True),
    ]


@pytest.mark.property
def test_wrong_ends_are_tried_with_an_engine_that_does_not_pay_by_itself() -> None:
    class Trusting(Mirror):
        """It takes every end that comes in time."""

        trusts = "end"

        def event(self, event: Line) -> Line | None:
            closings = self.legal.closings(self.state) if event["do"] == self.trusts else ()
            for right in closings:
                event = written(self.machine, right)
            return super().event(event)

    found = driven(Mirror(None), games=4)
    assert found.agrees, conformance.lines(found, None)
    assert found.compared["wrong ends"] > 40
    paying = Mirror(lambda told: {key: told[key] for key in ("over", "pay") if key in told})
    assert driven(paying, games=1).compared["wrong ends"] == 0  # its payments are compared
    engine = Trusting(None)
    found = driven(engine, games=4)
    shown = {one.difference.clause: one.lines[-1] for one in found.disagreements}
    assert shown.keys() == {"three-dozen.end.winner", "three-dozen.end.pay"}
    assert shown["three-dozen.end.pay"]["pay"] not in ([1, -1], [-1, 1])
    engine.trusts = "finish"
    found = driven(engine, games=1)
    [one] = found.disagreements
    assert one.difference.clause == "three-dozen.finish.totals"
    assert [line["do"] for line in one.lines[-2:]] == ["end", "finish"]


@pytest.mark.property
def test_an_engine_that_changes_when_it_refuses_is_shown_with_what_it_refused() -> None:
    class Careless:
        def __init__(self) -> None:
            self.adapter = of_the_page("== 12", "== 12")

        def new(self, header: Line) -> Any:
            return self.adapter.new(header)

        def event(self, event: Line) -> Any:
            answer = self.adapter.event(event)
            if not answer["ok"]:
                self.adapter.game.mover = 1 - self.adapter.game.mover
            return answer

    found = driven(Careless(), games=4)
    assert found.disagreements
    assert all(one.refused for one in found.disagreements)
    assert any("only after it refused, as it has to" in line for line in conformance.lines(found, None))


class Hanging(InPython):
    """An engine that hangs at one event of a game: after some refusals, or only the first time."""

    def __init__(self, refusals: int, again: bool) -> None:
        super().__init__(of_the_page("== 12", "== 12"))
        self.refusals, self.left, self.again, self.hung = refusals, refusals, again, 0

    def new(self, header: Any) -> Answer:
        self.left = self.refusals
        return super().new(header)

    def event(self, event: Any) -> Answer:
        answer = super().event(event)
        self.left -= not answer.takes
        if self.left <= 0 and answer.takes and (self.again or not self.hung):
            self.hung += 1
            raise EngineFault(Failing.HANGS, "no answer in 10 s")
        return answer


@pytest.mark.property
def test_an_engine_that_hangs_is_shown_with_the_refusals_it_needs() -> None:
    engine = Hanging(2, again=True)
    [one] = drive([_table("three-dozen", 2)], engine, DriveSettings(games=4)).disagreements
    assert (one.difference.where, len(one.refused)) == (Failing.HANGS, 2)
    assert engine.hung <= 3 + 1 + 5 + 1  # each may take as long as the limit


@pytest.mark.property
def test_an_engine_that_hangs_once_is_said_to_go_on_in_the_same_game() -> None:
    [one] = drive([_table("three-dozen", 2)], Hanging(3, again=False), DriveSettings(games=4)).disagreements
    assert one.difference.by_engine == "no answer in 10 s; but not in the same game again"
    assert (one.refused, one.games) == ((), 1)


@pytest.mark.property
def test_one_fault_at_several_tables_is_told_once() -> None:
    class Refusing:
        def new(self, header: Line) -> None:
            pass

        def event(self, event: Line) -> bool:
            return bool(event["do"] != "discard")

    tables = [_table("three-dozen", players) for players in (2, 3)]
    found = drive(tables, InPython(Refusing()), DriveSettings(games=4, illegal=0))
    [one] = found.disagreements
    assert (one.difference.key, one.games, len(one.lines)) == ((Kind.REFUSES, "discard"), 8, 3)
