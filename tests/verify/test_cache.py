"""Cached results: their fingerprints contain everything that they depend on."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from golpae import cache
from golpae.elaborate.check import elaborate
from golpae.ir.ruleset import RuleSet
from golpae.verify.cache import Entry, store
from golpae.verify.options import Settings
from tests.cli.table import PUT
from tests.verify.made_up import GAME, finding

USUAL = Settings()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


def put(text: str = PUT, rules: str = "put") -> RuleSet:
    Path("put.golpae").write_text(text, encoding="utf-8")
    return elaborate(rules, [Path("put.golpae")])


def test_stored_results_are_loaded_whole() -> None:
    from golpae.prove.answer import Witness

    rules = put()
    given = [
        finding(ids=("P1",), clauses=("a.b",), lemmas=("x", "y"), bound=3, checked="agrees"),
        finding(
            "refuted", name="fails", witness=Witness((("t", "6-3"),), GAME), seed=4, options={"dealt": 2}
        ),
    ]
    store(Entry(rules, 2, {}, USUAL).name, given)
    found = Entry(rules, 2, {}, USUAL).load()
    assert [replace(f, kept=False) for f in found.values()] == [
        replace(f, spec_hash=rules.spec_hash) for f in given
    ]
    assert all(f.kept for f in found.values())


def test_unknown_results_are_not_stored() -> None:
    rules = put()
    store(Entry(rules, 2, {}, USUAL).name, [finding("unknown")])
    assert Entry(rules, 2, {}, USUAL).load() == {}
    store(Entry(rules, 2, {}, USUAL).name, [finding("unknown"), finding(name="other")])
    assert list(Entry(rules, 2, {}, USUAL).load()) == ["other"]


@pytest.mark.parametrize(
    "other",
    [
        {"effort": 2},
        {"most": 1},
        {"seed": 2},
        {"games": 1},
        {"crosscheck": True},
    ],
)
def test_each_setting_that_matters_has_its_own_entry(other: dict[str, int]) -> None:
    assert Entry(put(), 2, {}, Settings(**other)).name != Entry(put(), 2, {}, USUAL).name  # type: ignore[arg-type]


def test_each_rule_set_and_table_has_its_own_entry() -> None:
    rules = put()
    changed = [
        put(rules="put+plus0"),
        put(PUT.replace("stake + ", "2 * stake + ")),
        put(f"{PUT}\ntheorem twelve: size of tiles = 12\n"),
    ]
    names = [Entry(r, 2, {}, USUAL).name for r in (rules, *changed)]
    names += [Entry(rules, 3, {}, USUAL).name, Entry(rules, 2, {"dealt": 1}, USUAL).name]
    assert len(set(names)) == len(names)


def test_comments_and_switches_that_are_off_share_an_entry() -> None:
    text = f'# A remark.\n{PUT}\nvariant more "more of it"\n  replace bit0: 7\n'
    assert Entry(put(text), 2, {}, USUAL).name == Entry(put(), 2, {}, USUAL).name


def test_writing_questions_to_files_shares_an_entry() -> None:
    assert Entry(put(), 2, {}, Settings(smt2=Path("x"))).name == Entry(put(), 2, {}, USUAL).name


@pytest.mark.parametrize("body", [b"", b"nonsense", b'[{"rules":1}]', b"{}"])
def test_a_damaged_entry_is_ignored(body: bytes) -> None:
    rules = put()
    cache.store(Entry(rules, 2, {}, USUAL).name, body)
    assert Entry(rules, 2, {}, USUAL).load() == {}


def test_reading_the_cache_loads_no_solver() -> None:
    program = "import sys, golpae.verify.cache, golpae.verify.scheduler; print('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
