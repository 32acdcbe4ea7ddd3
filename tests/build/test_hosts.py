"""Both hosts say of recorded and of spoilt games what the reference says, to the byte."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from golpae.build.files import host
from golpae.kernel.language.host import available
from tests.build.differences import differences
from tests.build.games import Modules, Told, recorded, told
from tests.build.hosts import HOSTS, NODE, in_javascript, in_python, python_host
from tests.committed import TOP

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")
needs_node = pytest.mark.skipif(
    NODE is None, reason="there is no Node on this machine, which runs JavaScript"
)

GAMES = sorted(folder for folder in (TOP / "traces").iterdir() if folder.is_dir())
SOME = [  # of these files so many games, from a few rule sets and numbers of players
    ("jjak/base.jsonl", 60),
    ("jjak/malformed-events.jsonl", 60),
    ("three-dozen/base.jsonl", 15),
    ("ho-hpai/base.jsonl", 15),
    ("ho-hpai/spoilt-ends.jsonl", 20),
    ("ho-hpai/counts-add.jsonl", 9),  # scores in messages
    ("korean-mahjong/calls.jsonl", 6),
    ("korean-mahjong/patterns.jsonl", 8),
]


def of_file(modules: Modules, path: Path, most: int | None, tries: int, every: int) -> Iterator[Told]:
    yield from told(modules, islice(recorded(path), most), tries, every)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Modules:
    return Modules.into(tmp_path_factory.mktemp("modules"))


@pytest.mark.property
@pytest.mark.process
@pytest.mark.corpus
@pytest.mark.parametrize(("name", "most"), SOME)
@needs_node
def test_hosts_say_what_the_reference_says(modules: Modules, name: str, most: int, tmp_path: Path) -> None:
    games = [*of_file(modules, TOP / "traces" / name, most, tries=1, every=4)]
    tasks = [game.task for game in games]
    found = in_python(tasks)
    wrong, said = differences(games, found)
    assert not wrong[:3]
    assert in_javascript(tasks, tmp_path) == found
    assert said["illegal"] > 3 or said["malformed"] > 20
    assert said["scores"] or "patterns" not in name
    assert not [what for what in said if ": " in what], said


@pytest.mark.slow
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: str(folder.name))
@needs_node
def test_hosts_say_what_the_reference_says_of_all_games(folder: Path, tmp_path: Path) -> None:
    modules = Modules.into(tmp_path)
    said: Counter[str] = Counter()
    for path in sorted(folder.glob("*.jsonl")):
        games = [*of_file(modules, path, None, tries=3, every=3)]
        tasks = [game.task for game in games]
        found = in_python(tasks)
        wrong, of_file_said = differences(games, found)
        assert not wrong[:3]
        assert in_javascript(tasks, tmp_path) == found
        said += of_file_said
    print(folder.name, len(modules), said)


JUNK = [b"", b"junk", b"what is this, then", b"\0asm\1\0\0\0", b"\0asm\1\0\0\0\0\xff\xff"]


@needs_node
def test_what_is_no_module_is_refused_in_javascript() -> None:
    code = (
        f"import {{ Rules }} from {json.dumps((HOSTS / 'golpae_host.mjs').as_uri())};"
        f"for (const bytes of {json.dumps([list(junk) for junk in JUNK])})"
        "  await Rules.load(new Uint8Array(bytes)).catch((fault) => console.log(fault.message));"
    )
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["this is no module of golpae"] * len(JUNK)


def test_what_is_no_module_is_refused_in_python() -> None:
    for junk in JUNK:
        with pytest.raises(ValueError, match=r"^this is no module of golpae$"):
            python_host().Rules(junk)


def test_a_host_without_wasmtime_says_what_to_install(tmp_path: Path) -> None:
    for name in ("golpae_host.py", "golpae_lines.py", "golpae_words.py"):
        (tmp_path / name).write_bytes(host(name))
    (tmp_path / "wasmtime.py").write_text("raise ImportError")
    run = subprocess.run(
        [sys.executable, "golpae_host.py", "x.wasm"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr == "golpae_host.py: the package `wasmtime` is needed: pip install wasmtime\n"
