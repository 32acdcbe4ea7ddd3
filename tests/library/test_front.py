"""`import golpae`: cheap, complete, the same for type checkers, and never used by golpae itself."""

from __future__ import annotations

import ast
import importlib
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import golpae
from tests.cli.table import LEGAL, PUT, text
from tests.committed import TOP

PACKAGE = TOP / "checker" / "golpae"


def test_importing_golpae_loads_nothing_of_it() -> None:
    code = "import sys, golpae; assert golpae.__version__; print(*[m for m in sys.modules if m.startswith('golpae.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_check_loads_neither_a_solver_nor_the_compiled_path() -> None:
    code = (
        "import sys, golpae; golpae.load('jjak').at(2).game();"
        "print(*[m for m in ('z3', 'wasmtime', 'lark', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=TOP)
    assert done.stdout.strip() in ("", "lark")  # lark, if nothing is cached


def test_type_checkers_are_told_of_every_name() -> None:
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    told = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            [alias] = node.names
            assert alias.asname == alias.name
            told[alias.name] = node.module
    assert sorted(told) == sorted(golpae.__all__)
    for name, module in told.items():
        assert getattr(importlib.import_module(str(module)), name) is getattr(golpae, name)


def test_every_name_is_listed_and_documented() -> None:
    assert set(golpae.__all__) <= set(dir(golpae))
    text = pydoc.plain(pydoc.render_doc(golpae))
    for name in golpae.__all__:
        assert name in text
        value = getattr(golpae, name)
        if name not in ("Policy", "Trace"):  # which are types by another name
            assert value.__doc__, name
            assert not value.__doc__.startswith(f"{name}("), name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute `chek`"):
        _ = golpae.chek  # type: ignore[attr-defined]


def test_golpae_itself_imports_nothing_from_its_front() -> None:
    packages = {path.stem for path in PACKAGE.iterdir()} | {"__version__"}
    for file in PACKAGE.rglob("*.py"):
        for names in re.findall(r"^ *from golpae import (.*)$", file.read_text("utf-8"), re.MULTILINE):
            assert set(re.findall(r"[\w]+", names)) <= packages, file


def test_no_name_hides_a_part_of_the_package() -> None:
    parts = {Path(path).stem for path in PACKAGE.iterdir()}
    assert not parts & set(golpae.__all__)


def test_own_texts_are_found_in_the_folder_and_beside_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "put.golpae").write_text(PUT, "utf-8")
    (tmp_path / "games" / "a.jsonl").write_text(text(*LEGAL), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert golpae.check("games/a.jsonl").verdict is golpae.Verdict.LEGAL
    assert [one.verdict for one in golpae.check_all("games")] == [golpae.Verdict.LEGAL]
    assert golpae.count_verdicts("games")[golpae.Verdict.LEGAL] == 1
    assert golpae.attribute_games("games")[0].legal == 1
    [recorded] = golpae.recorded_games("games")
    assert all(accepted for accepted, _ in recorded.steps())
    with pytest.raises(golpae.RulesError):
        golpae.load("put")
    assert (
        golpae.check(text(*LEGAL)).verdict is golpae.Verdict.MALFORMED
    )  # no file, so nothing lies beside it
    monkeypatch.chdir(tmp_path / "games")
    assert golpae.load("put").name == "put"
    assert "put" in golpae.names()
    assert golpae.check(text(*LEGAL)).verdict is golpae.Verdict.LEGAL
    assert golpae.load("put").compare("put").games == "same"


def test_no_text_beside_games_takes_the_place_of_a_game_of_golpae(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jjak.golpae").write_text(PUT.replace("game put", "game jjak"), "utf-8")
    before = golpae.load("jjak").spec_hash
    monkeypatch.chdir(tmp_path)
    assert golpae.load("jjak").spec_hash == before
    assert golpae.load("jjak", ".").spec_hash != before
