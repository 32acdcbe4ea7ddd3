"""Verdicts on two rule sets agree with all of their games, tried one by one."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from golpae.compare.games import table_comparison
from golpae.compare.games.alignment import why_incomparable
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.verdict import BOUNDED, PROVED, QUESTIONS, REFUTED, AtTable
from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.instance import TableFault, instantiate
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.mutate.mutants import Mutant, mutants
from golpae.replay.machine import Machine
from golpae.verify.options import Settings
from tests.compare.games.all_games import go_through
from tests.compare.games.tiny import BOATS, FAIR, ONES, TWOS

Swaps = tuple[tuple[str, str], ...]

MATCH = ("state of the hand", "state of the match\n  rounds: number = 0\n\nstate of the hand")
WON = "then when p's hand"
FIT = ("a's high <= 9", "a's high <= b's high")
BEGINS = (MATCH, ("count: number = 0", "count: number = rounds"))


def counted(more: int) -> Swaps:
    return (('due: over "due"', f'due: over and count <= 1 "due"\n  then rounds := rounds + {more}'),)


# Two changed texts each, and for each question the events of the shortest game that answers it (None: proved), ...
PAIRS: dict[str, tuple[Swaps, Swaps, tuple[int | None, int | None, int | None]]] = {
    "the parts change names": ((FIT,), (FIT, ("{a, b}) by", "{b, a}) by")), (None, None, None)),
    "which tile comes first": ((), (FIT,), (None, None, None)),
    "which tile comes first, in other words": (
        (),
        (("a's high <= 9", "a's high <= b's high or b's high < a's high"),),
        (None, None, None),
    ),
    "another wins": ((), (("p wins", "p's right wins"),), (3, 3, None)),
    "nobody wins": ((), (("p wins", "nobody wins"),), (3, 3, None)),
    "a deal that moves": (
        (),
        (("mover := first", "mover := first\n  then move 1-1 from pile to table"),),
        (1, None, None),
    ),
    "a tile that is never there": (
        ((WON, f"then move all from p's hand to pile\n  {WON}"),),
        ((WON, f"then move all from p's hand to pile\n  then move a from p's hand to pile\n  {WON}"),),
        (2, None, None),
    ),
    "a tile that may not be there": (
        (),
        ((WON, f"then when a = 3-3: move 1-1 from p's hand to pile\n  {WON}"),),
        (2, None, None),
    ),
    "a first value that depends on what was": (
        (*BEGINS, *counted(1)),
        (*BEGINS, *counted(2)),
        (6, None, None),
    ),
    "what only one remembers": (
        (),
        (
            ("count: number = 0", "count: number = 0\n  odd: number = 0"),
            ("then mover := p's right", "then mover := p's right\n  then odd := odd + a's high"),
            ("due: over", "due: over and odd <= 2"),
        ),
        (3, None, None),
    ),
    "who pays": ((), (("q pays winner stake", "winner pays q stake"),), (None, None, 3)),
    "what end pays by itself": (
        (('due: over "due"', 'due: over "due"\n  then when winner is not none: winner scores 1'),),
        (('due: over "due"', 'due: over "due"\n  then when winner is not none: winner scores count'),),
        (None, None, 3),
    ),
    "what finish pays": (
        (),
        (('due: over "due"', 'due: over "due"\n\nfinish\n  then first: for each q in players: q scores 1'),),
        (None, None, 4),
    ),
    "what is paid depends on the set": (
        (
            (
                "when winner is not none: for each q in players - winner: q pays winner",
                "for each q in players: q scores size of tiles *",
            ),
        ),
        (
            (
                "when winner is not none: for each q in players - winner: q pays winner",
                "for each q in players: q scores size of tiles *",
            ),
            ("withdrawn: {}", "withdrawn: {3-3}"),
        ),
        (1, 1, 3),
    ),
    "other names": (
        (),
        (("{a, b}", "{x, y}"), ("a's high", "x's high")),
        (None, None, None),
    ),
    "a later hand": (
        (("turn: p = mover", "turn: p = mover and hands-played <= 0"),),
        (),
        (None, 5, None),
    ),
}


LONG = ("a tile that may not be there", "a first value that depends on what was")
NAMES = [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in PAIRS]


@cache
def loaded(text: str) -> Loaded:
    name = text.split(maxsplit=2)[1]
    with TemporaryDirectory() as folder:
        Path(folder, f"{name}.golpae").write_text(text, encoding="utf-8")
        return load(name, [Path(folder)])


@cache
def rules(text: str, swaps: Swaps = ()) -> RuleSet:
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    found = loaded(text)
    return check(resolve(found.game.name.text, found))


def told(a: RuleSet, b: RuleSet) -> AtTable:
    return table_comparison.at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000, seed=1))


def machine(rule_set: RuleSet) -> Machine:
    return Machine(instantiate(rule_set, 2, {}))


def wrong(a: RuleSet, b: RuleSet, events: int, hands: int = 1, most: int = 6_000) -> list[str]:
    """Return the verdicts on two rule sets that their games contradict."""
    found, gone = told(a, b), go_through(machine(a), machine(b), events, hands, most)
    out = []
    for question in QUESTIONS:
        held, true = getattr(found, question), gone.parted.get(question)
        game = held.game
        said = f"{question}: {held.verdict}, {held.detail}; a game of {true} events"
        if true is not None and (
            held.verdict == PROVED
            or (held.verdict == BOUNDED and true <= held.bound)
            or (game is not None and game.shortest and true < game.events)
        ):
            out.append(said)
        if game is not None and game.events <= gone.deep:
            deals = sum(line.get("do") == "deal" for line in game.lines)
            if deals <= hands and (true is None or true > game.events):
                out.append(said)
    return out


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off what plays games: only proofs and the solver's search remain."""
    monkeypatch.setattr(table_comparison, "MOST_POSITIONS", 0)
    monkeypatch.setattr(table_comparison, "FEW", 0)
    monkeypatch.setattr(table_comparison, "MANY", 0)


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_on_two_texts_agree_with_all_games(name: str) -> None:
    one, other, expected = PAIRS[name]
    a, b = rules(TWOS, one), rules(TWOS, other)
    found = told(a, b)
    games = [getattr(found, q).game for q in QUESTIONS]
    for question, events in zip(QUESTIONS, expected, strict=True):
        assert (getattr(found, question).verdict == REFUTED) == (events is not None), question
    assert [g.events if g else None for g in games] == list(expected)
    assert all(g.shortest for g in games[:2] if g)
    assert wrong(a, b, 7, 2, 1_500) == []


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("name", NAMES)
def test_proofs_on_two_texts_agree_with_all_games(name: str) -> None:
    one, other, _ = PAIRS[name]
    assert wrong(rules(TWOS, one), rules(TWOS, other), 7, 2, 1_500) == []


@pytest.mark.usefixtures("blind")
def test_proofs_on_some_mutants_agree_with_all_games() -> None:
    for mutant in _mutants(ONES)[::30]:
        _agrees(ONES, mutant, 6)


@pytest.mark.slow
@pytest.mark.parametrize("text", [ONES, BOATS, FAIR], ids=["ones", "boats", "fair"])
def test_verdicts_on_every_mutant_agree_with_all_games(text: str) -> None:
    for mutant in _mutants(text):
        _agrees(text, mutant, 6)


@pytest.mark.slow
@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("text", [ONES, BOATS, FAIR], ids=["ones", "boats", "fair"])
def test_proofs_on_every_mutant_agree_with_all_games(text: str) -> None:
    for mutant in _mutants(text):
        _agrees(text, mutant, 6)


def _mutants(text: str) -> list[Mutant]:
    found = mutants(loaded(text))
    random.Random(5).shuffle(found)
    return found


def _agrees(text: str, mutant: Mutant, events: int) -> None:
    base = rules(text)
    try:
        changed = check(resolve(base.rules, mutant.loaded))
        instantiate(changed, 2, {})
    except (SpecError, TableFault):
        return
    if why_incomparable(base, changed) is None:
        assert wrong(base, changed, events) == [], mutant.name
