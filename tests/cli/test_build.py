"""`golpae build`: a module as a file, with what belongs beside it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from golpae.build.files import HOSTS
from golpae.cli.rules import build
from golpae.kernel.language.host import available
from tests.cli.conftest import Golpae
from tests.cli.table import PUT

HERE = ("--spec-path", "rules")
needs_modules = pytest.mark.skipif(not available(), reason="modules do not run here")


@needs_modules
def test_a_module_comes_with_a_page_and_hosts(golpae: Golpae, here: Path) -> None:
    done = golpae("build", "put", "-o", "put.wasm", *HERE)
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        f"put.wasm: put, 2 players\nput.md: what the module exports\n{', '.join(HOSTS)}: examples of hosts\n"
        "`--only-module` writes the module alone\n"
    )
    assert {file.name for file in here.iterdir()} == {"rules", "put.wasm", "put.md", *HOSTS}
    assert (
        (here / "put.md").read_text("utf-8").startswith("# put.wasm\n\nThe rules `put` (Put) for 2 players")
    )
    assert "$" not in (here / "put.md").read_text("utf-8")
    assert stat.S_IMODE((here / "put.wasm").stat().st_mode) == 0o644


@needs_modules
def test_the_same_rules_give_the_same_module_and_other_tables_another(golpae: Golpae, here: Path) -> None:
    tables = [(), (), ("--players", "3"), ("--option", "dealt=1")]
    held = []
    for number, words in enumerate(tables):
        assert golpae("build", "put", *words, "--only-module", "-o", f"{number}.wasm", *HERE).status == 0
        held.append((here / f"{number}.wasm").read_bytes())
    assert held[0] == held[1]
    assert len(set(held)) == 3
    assert not (here / "0.md").exists()


@needs_modules
def test_what_was_there_is_replaced_unless_somebody_else_wrote_it(golpae: Golpae, here: Path) -> None:
    for name, words in (("put.wasm", "old"), ("put.md", "my notes"), ("golpae_host.py", "my host")):
        (here / name).write_text(words)
    done = golpae("build", "put", "-o", "put.wasm", *HERE)
    assert done.status == 0
    assert "left as they are, for somebody has changed them: `put.md`, `golpae_host.py`\n" in done.out
    assert (here / "put.wasm").read_bytes().startswith(b"\0asm")
    assert (here / "put.md").read_text() == "my notes"
    (here / "put.md").write_text("# put.wasm\n\nan older page")
    assert "put.md: what the module exports" in golpae("build", "put", "-o", "put.wasm", *HERE).out


@needs_modules
def test_a_file_that_cannot_be_written_leaves_the_old_one(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    (here / "put.wasm").write_text("old")
    monkeypatch.setattr(os, "replace", full)
    done = golpae("build", "put", "-o", "put.wasm", *HERE)
    assert done.status == 2
    assert "`put.wasm` cannot be written to: no space left on device" in done.err
    assert {file.name for file in here.iterdir()} == {"rules", "put.wasm"}
    assert (here / "put.wasm").read_text() == "old"


@pytest.mark.parametrize(
    ("words", "message", "advice"),
    [
        (("put",), "-o is missing", "for example `golpae build game.golpae -o game.wasm`"),
        (("put", "-o"), "`-o` needs a value", None),
        (
            ("put", "-o", "put"),
            "`-o` needs a name that ends in `.wasm`, not `put`",
            "for example `-o game.wasm`",
        ),
        (("put", "-o", ".wasm"), "`-o` needs a name that ends in `.wasm`, not `.wasm`", None),
        (("put", "-o", "no/put.wasm"), "`no/put.wasm` cannot be written to: no such file or directory", None),
        (("put", "-o", "folder.wasm"), "`folder.wasm` cannot be written to: is a directory", None),
        (("putt", "-o", "put.wasm"), "there are no rules called `putt`", "did you mean `put`?"),
        (("put", "-o", "put.wasm", "--players", "9"), "`put` is for 2 to 3 players, not for 9", None),
        (("put", "-o", "put.wasm", "--option", "dealt"), "`--option` is NAME=NUMBER, not `dealt`", None),
    ],
)
def test_a_wrong_call_gets_a_message(
    golpae: Golpae, here: Path, words: tuple[str, ...], message: str, advice: str | None
) -> None:
    (here / "folder.wasm").mkdir()
    done = golpae("build", *words, *HERE)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert advice is None or advice in done.err
    assert {file.name for file in here.iterdir()} == {"rules", "folder.wasm"}


def test_without_wasmtime_nothing_is_written(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "available", lambda: False)
    done = golpae("build", "put", "-o", "put.wasm", *HERE)
    assert (done.status, done.out) == (3, "")
    assert done.err == (
        "golpae: `golpae build` needs `wasmtime`, which does not load here\n  help: install the package `wasmtime`\n"
    )
    assert os.listdir(here) == ["rules"]


@needs_modules
def test_rules_that_cannot_be_compiled_are_undecided(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "many.golpae").write_text(
        PUT.replace('game put "Put"', 'game many "Many"')
        .replace("tiles 12 of", "tiles 60 of")
        .replace("two of", "10 of")
    )
    done = golpae("build", "many", "-o", "many.wasm", *HERE)
    assert (done.status, done.out) == (3, "")
    assert "these rules cannot be compiled: more than 8 copies of one tile" in done.err
