"""The cache of rule sets: verdicts are correct in every state of the cache, and no message mentions it."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

import pytest

from golpae import cache
from golpae.elaborate import cache as rule_set_cache
from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, LEGAL, PUT, text


class Trap:
    """An object that does harm if it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, ("harm",))


@pytest.fixture
def kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    folder = here / "kept"
    monkeypatch.setenv("GOLPAE_CACHE", str(folder))
    (here / "a.jsonl").write_text(text(*LEGAL))
    return folder


def rule_sets(kept: Path) -> list[Path]:
    """Return the entries of rule sets."""
    return [entry for entry in kept.iterdir() if entry.name.startswith("rules-")]


def machines(kept: Path) -> list[Path]:
    """Return the entries of code for tables."""
    return [entry for entry in kept.iterdir() if entry.name.startswith("machine-")]


def right(golpae: Golpae) -> None:
    done = golpae("check", "a.jsonl")
    assert (done.status, done.out, done.err) == (0, "1 trace: 1 legal\n", "")


def price(golpae: Golpae, paid: int, spec_path: str = "rules") -> None:
    """Check that the rules pay this amount."""
    Path("b.jsonl").write_text(text(HEADER, *EVENTS[:-1], {**EVENTS[-1], "pay": [paid, -paid]}))
    done = golpae("check", "--spec-path", spec_path, "b.jsonl", own=False)
    assert (done.status, done.out, done.err) == (0, "1 trace: 1 legal\n", "")


def test_a_rule_set_is_elaborated_once(golpae: Golpae, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right(golpae)
    assert len(rule_sets(kept)) == 1

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(rule_set_cache, "_elaborate", never)
    right(golpae)


def test_a_changed_text_makes_its_entry_stale(golpae: Golpae, kept: Path) -> None:
    right(golpae)
    before = os.stat("rules/put.golpae")
    changed = PUT.replace("price: stake +", "price: 2000 *")
    Path("rules/put.golpae").write_text(changed.replace("define bit0: 0", "define bit0: 1"))
    os.utime("rules/put.golpae", ns=(before.st_atime_ns, before.st_mtime_ns))
    price(golpae, 2000)


@pytest.mark.parametrize("spec_path", ["rules", "rules/put.golpae"])
def test_a_changed_include_makes_an_entry_stale(golpae: Golpae, kept: Path, spec_path: str) -> None:
    Path("rules/put.golpae").write_text(
        PUT.replace("define bit6: 0\n", "").replace("\nplayers", "include six\n\nplayers", 1)
    )
    for paid in (0, 1, 0):
        Path("rules/six.golpae").write_text(f"define bit6: {paid}\n")
        price(golpae, 1 + 64 * paid, spec_path)


def test_a_text_that_shadows_another_makes_its_entry_stale(golpae: Golpae, kept: Path) -> None:
    Path("first").mkdir()
    spec_path = os.pathsep.join(["first", "rules"])
    price(golpae, 1, spec_path)
    Path("first/put.golpae").write_text(PUT.replace("define bit0: 0", "define bit0: 1"))
    price(golpae, 2, spec_path)
    Path("first/put.golpae").unlink()
    price(golpae, 1, spec_path)


def bound(entry: Path, body: bytes) -> bytes:
    """Return the content of an entry with this body, as golpae would store it."""
    return cache._head(entry.name.removesuffix(cache.ENDING), body) + b"\n\n" + body


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "other", "list", "trap", "folder", "swapped"])
def test_a_damaged_entry_is_made_anew(golpae: Golpae, kept: Path, damage: str) -> None:
    right(golpae)
    [entry] = rule_sets(kept)
    whole = entry.read_bytes()
    match damage:
        case "folder":
            entry.unlink()
            entry.mkdir()
        case _:
            entry.write_bytes(
                {
                    "empty": b"",
                    "cut": whole[: len(whole) // 2],
                    "changed": whole[:-100] + bytes(100),
                    "other": bound(entry, b'"no rule set"'),
                    "list": bound(entry, b'[["Int"]]'),
                    "trap": bound(entry, pickle.dumps(Trap())),
                    "swapped": bound(entry.with_name("rules-of-another-text"), whole.partition(b"\n\n")[2]),
                }[damage]
            )
    right(golpae)
    right(golpae)
    assert not Path("harm").exists()
    if damage != "folder":
        assert entry.read_bytes() == whole


def test_a_rule_set_whose_nodes_do_not_belong_together_is_not_stored(
    golpae: Golpae, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.ir.wellformed.wellformed", lambda _: ["a fault"])
    right(golpae)
    assert not rule_sets(kept)


@pytest.mark.skipif(sys.platform == "win32", reason="nobody knows whose file an entry is")
@pytest.mark.parametrize("damage", ["changed", "other", "trap", "swapped"])
def test_a_damaged_entry_of_code_is_made_anew(golpae: Golpae, kept: Path, damage: str) -> None:
    right(golpae)
    [entry] = machines(kept)
    whole = entry.read_bytes()
    entry.write_bytes(
        {
            "changed": whole[:-100] + bytes(100),
            "other": bound(entry, b"no code"),
            "trap": bound(entry, pickle.dumps(Trap())),
            "swapped": bound(entry.with_name("machine-of-another-table"), whole.partition(b"\n\n")[2]),
        }[damage]
    )
    right(golpae)
    assert not Path("harm").exists()
    assert entry.read_bytes() == whole


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither modes nor pipes")
@pytest.mark.parametrize("way", ["link", "pipe", "written by all", "in a folder of all", "endless"])
def test_an_entry_that_others_may_have_made_is_not_read(
    golpae: Golpae, kept: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right(golpae)
    [entry] = rule_sets(kept)
    match way:
        case "link":
            entry.rename(kept.parent / "elsewhere")
            entry.symlink_to(kept.parent / "elsewhere")
        case "pipe":
            entry.unlink()
            os.mkfifo(entry)
        case "written by all":
            entry.chmod(0o666)
        case "in a folder of all":
            kept.chmod(0o777)
        case _:
            with entry.open("r+b") as file:
                file.truncate(cache.LARGEST + 1)
    assert cache.load(entry.name.removesuffix(cache.ENDING)) is None
    right(golpae)


def test_entries_are_for_the_user_alone(golpae: Golpae, kept: Path) -> None:
    right(golpae)
    assert kept.stat().st_mode & 0o077 == 0
    assert all(entry.stat().st_mode & 0o077 == 0 for entry in kept.iterdir())


def test_with_the_cache_off_nothing_is_written(
    golpae: Golpae, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", "off")
    right(golpae)
    assert not kept.exists()


def test_a_cache_that_cannot_be_written_changes_no_verdict(golpae: Golpae, kept: Path) -> None:
    kept.write_text("no folder")
    right(golpae)
    right(golpae)
    assert kept.read_text() == "no folder"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="every folder can be written")
def test_a_cache_without_permission_changes_no_verdict(golpae: Golpae, kept: Path) -> None:
    kept.mkdir(mode=0o500)
    right(golpae)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no owner")
def test_somebody_elses_entry_is_not_read(
    golpae: Golpae, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right(golpae)
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    monkeypatch.setattr(pickle, "loads", lambda _: pytest.fail("unpickled"))
    right(golpae)


def test_a_cache_does_not_grow_without_end(
    golpae: Golpae, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST", 10)
    for i in range(30):
        Path("rules/put.golpae").write_text(f"{PUT}# {i}\n")
        right(golpae)
        assert len(list(kept.iterdir())) <= 10
