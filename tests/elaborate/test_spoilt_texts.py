"""No rule text, however spoilt, gets anything but faults with a place in it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from golpae.diagnostics import CODES, Diagnostic, SpecError, render
from golpae.elaborate.check import check_text, elaborate
from golpae.elaborate.load import load
from golpae.ir.wellformed import wellformed
from tests.committed import TOP
from tests.elaborate.faulty import BASE
from tests.elaborate.spoil import spoilt

LITTLE = "\n".join(
    [
        'game little-game "A little game"',
        *((BASE / f"{part}.golpae").read_text() for part in ("bones", "table", "course")),
    ]
)
SPECS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((TOP / "spec").glob("*.golpae"))}
TEXTS = {name: text for name, text in SPECS.items() if "\ngame " in f"\n{text}"} | {"little-game": LITTLE}


def faults_of(name: str, text: str, folder: Path) -> list[Diagnostic]:
    file = folder / f"{name}.golpae"
    file.write_text(text, encoding="utf-8")
    try:
        return check_text(load(name, [file]))
    except SpecError as fault:
        return list(fault.diagnostics)


def check_spoilt(name: str, folder: Path, seed: str) -> bool:
    """Return whether a spoilt text has faults. Check that each can be shown, or that the rules are well formed."""
    chance = random.Random(seed)
    text = spoilt(TEXTS[name], chance, chance.choice((1, 1, 1, 2, 3, 8)))
    found = faults_of(name, text, folder)
    for fault in found:
        assert fault.code in CODES, seed
        for span in (fault.span, *(label.span for label in fault.labels)):
            if span is not None:
                assert 0 <= span.start <= span.end <= len(span.text.content), (seed, fault.message)
        assert "\n" not in fault.message + (fault.help or ""), (seed, fault.message)
        assert render(fault), seed
    if not found:
        assert wellformed(elaborate(name, [folder / f"{name}.golpae"])) == [], seed
    return bool(found)


@pytest.mark.parametrize("name", TEXTS)
def test_spoilt_texts_have_faults_and_nothing_worse(name: str, tmp_path: Path) -> None:
    count = {"little-game": 60, "korean-mahjong": 6}.get(name, 12)
    faulty = [check_spoilt(name, tmp_path, f"{name} {number}") for number in range(count)]
    assert sum(faulty) > count / 3


@pytest.mark.fuzz
@pytest.mark.parametrize("name", TEXTS)
def test_many_spoilt_texts(name: str, tmp_path: Path) -> None:
    for number in range(2_000):
        check_spoilt(name, tmp_path, f"many {name} {number}")
