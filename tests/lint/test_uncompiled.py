"""W008 and what goes to the reference. If `lint` is silent, no part of a text sends a game or a hand there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from golpae.diagnostics import SpecError
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.elaborate.load import load
from golpae.kernel.language.host import available
from golpae.kernel.player import Player
from golpae.lint.uncompiled import uncompiled
from golpae.syntax import tree as t
from tests.committed import TOP
from tests.lint.silent import SILENT

pytestmark = [pytest.mark.property, pytest.mark.skipif(not available(), reason="modules do not run here")]
TEXTS = [
    path
    for folder in ("spec", "docs/examples", "tests/games", "tests/lint/trials", "tests/kernel/texts")
    for path in sorted((TOP / folder).glob("*.golpae"))
    if f"\ngame {path.stem} " in f"\n{path.read_text('utf-8')}"
]
NOTED = {
    "fair",
    "ddz0",
    "riichi",
}  # more copies of a tile than there is room for; very many steps in one event
SLOW = {"riichi"}  # takes a minute
COMBINED = 4  # rule sets of several switches
SEED = 8  # another one than that of `lint`
GAMES = 5


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem in SLOW)) for path in TEXTS],
)
def test_no_text_of_ours_has_a_part_that_is_not_compiled_and_not_noted(path: Path) -> None:
    loaded = load(path.stem, (path.parent,))
    noted = any("not compiled" in note.message for note in uncompiled(loaded))
    assert noted is (path.stem in NOTED)
    switches = [d.name.text for d in loaded.decls if isinstance(d, t.Variant)]
    chance = random.Random(SEED)
    sets = [[], *([chance.choice(switches)] for _ in switches[:2])]
    sets += [chance.sample(switches, chance.randint(2, len(switches))) for _ in switches[2 : 2 + COMBINED]]
    for names in sets:
        rules = "+".join([path.stem, *names])
        try:
            rule_set = elaborate(rules, (path.parent,))
        except SpecError:  # these switches do not go together
            continue
        options = options_of(rule_set, {})
        instance = instantiate(rule_set, chance.randint(*bounds(rule_set, options)), options)
        player = Player(instance, rules, True, located=True)
        assert player.refused == (), rules
        for _ in player.games(SEED, 0, GAMES, 1):
            pass
        assert noted or not player.reasons, rules


SPREAD = "  whole: sets lay out p's hand as pairs"
FAR = "big = 0 or p's hand is any"
TOO_MANY = "sets lay out p's hand as many"
MANY = f"  whole: {TOO_MANY}"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", "", []),
        (SPREAD, MANY, ["sets: list of tiles"]),
        ("end\n", f'variant more "more"\n  replace spread.whole: {TOO_MANY}\n\nend\n', ["sets: list of tiles"]),
        ("  as: pairs", "  as: any", ["worth"]),
        (SPREAD, f"{SPREAD}\n  far: {FAR}", [f"far: {FAR}"]),
    ],
)  # fmt: skip
def test_a_note_stands_at_what_is_not_compiled(tmp_path: Path, old: str, new: str, words: list[str]) -> None:
    text = SILENT.replace(old, new, 1) if old else SILENT
    (tmp_path / "silent.golpae").write_text(text, encoding="utf-8")
    found = uncompiled(load("silent", (tmp_path,)))
    assert [note.span.words for note in found if note.span and "not compiled" in note.message] == words
