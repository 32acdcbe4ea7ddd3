"""`golpae prove GAME private`: two games as the answer, and calls that cannot ask for it."""

from __future__ import annotations

from pathlib import Path

import pytest

import golpae as library
from tests.cli.conftest import Golpae
from tests.verify.privacy.peeks import text_of


@pytest.fixture
def leaking(here: Path) -> Path:
    """The file of a text whose menu tells of a hidden hand."""
    file = here / "peek.golpae"
    file.write_text(text_of(call="  theirs: 4c in p's right's hand \"no\"\n"), encoding="utf-8")
    return file


def test_both_games_are_shown_and_written(golpae: Golpae, leaking: Path) -> None:
    ran = golpae("prove", "peek.golpae", "private", "--witnesses", "games", "--jobs", "1")
    assert ran.status == 1
    assert "P0 may choose `call` only in the" in ran.out
    assert "and by a game of 1 event that looks the same:" in ran.out
    names = ["peek-2p-private-alike.jsonl", "peek-2p-private.jsonl"]
    assert sorted(file.name for file in Path("games").iterdir()) == names
    assert golpae("check", "--spec-path", ".", "games").out.endswith("2 traces: 2 incomplete\n")
    hidden = [
        golpae("hide", f"games/{name}", "--seat", "0", "--spec-path", ".").out.splitlines()[1:]
        for name in names
    ]
    assert hidden[0] == hidden[1]


def test_the_library_has_both_games(leaking: Path) -> None:
    (proof,) = library.load(leaking).prove("private")
    assert proof.verdict == "refuted"
    assert len(proof.trace) == len(proof.alike) == 2
    assert proof.trace[1] != proof.alike[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("peek.golpae", "private", "--certificate", "made"), "no certificate is about `private`"),
        (("peek.golpae+*", "private"), "`private` is decided for single rule sets"),
        (("peek.golpae", "privat"), "did you mean `private`?"),
    ],
)
def test_a_call_that_cannot_ask_for_it_is_refused(
    golpae: Golpae, leaking: Path, words: tuple[str, ...], said: str
) -> None:
    ran = golpae("prove", *words)
    assert ran.status == 2
    assert said in ran.err
    assert not Path("made").exists()
