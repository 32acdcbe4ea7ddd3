"""Folders of strangers: names, links, pipes and modes; kept proofs; certificates.

Input: a source of chance. Output: what was tried, and what is wrong, if anything.
Guarantee: the same chance makes the same folders; nothing is written but in the working folder.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from tests.cli.table import LEGAL, PUT, TAKE, text
from tests.fuzz.oracle import Case, called, fault_of

PLACES = (
    "-x", "--", "-", "a" * 250, "a b", "\x1b[31m", "\u202etxt", "a\nb", "\udcff", "é", "con", "~", "$(x)", "x]]>", "@a",
    "HEAD:x", "+a", "a+b", ".hidden", "*", "put",
)  # fmt: skip
ENDINGS = (".golpae", ".jsonl", ".jsonl.gz", "", ".verdicts", ".proofs.json", ".GOLPAE")
CALLS = (
    ("check",), ("check", "--write-expected"), ("check", "--expected"), ("legal",), ("attribute",), ("lint",),
    ("show",), ("format",), ("format", "--check"), ("score",), ("check", "--spec-path"), ("lint", "--spec-path"),
    ("prove", "--locked"), ("recheck",), ("compare", "--layer", "text", "three-dozen"), ("score", "put"),
)  # fmt: skip


TRACES_OF = ("check", "legal", "attribute", "score")


def of_files(chance: random.Random, _number: int) -> Case:
    """Call a verb on a file or folder of another kind or name than it hopes for."""
    shutil.rmtree("odd", ignore_errors=True)
    folder = Path("odd")
    folder.mkdir()
    (folder / "put.golpae").write_text(PUT, encoding="utf-8")
    (folder / "good.jsonl").write_text(text(*LEGAL), encoding="utf-8")
    place = folder / (chance.choice(PLACES) + chance.choice(ENDINGS))
    try:
        _make(place, folder, chance)
    except OSError:  # this system has no such names
        return Case(0)
    links = [file for file in folder.iterdir() if file.is_symlink()]
    alike = place.is_file() and [file for file in folder.iterdir() if file.is_file() and file.samefile(place)]
    verb = chance.choice(CALLS)
    named = str(folder) if chance.random() < 0.3 else str(place)
    if verb[0] in TRACES_OF and place.exists() and not (place.is_file() or place.is_dir()):
        named = str(folder)  # who names a pipe or a device wants it to be read
    words = (*verb, *chance.choice(((), ("--",))), named)
    if verb[-1] == "--spec-path":
        words = (*verb, named, str(folder / "good.jsonl"))
    case = Case()
    case.see(fault_of(*called(*words, stdin=b"")), words, os.fsencode(place))
    apart = [file for file in alike or () if not file.samefile(place)]
    if not all(file.is_symlink() for file in links) or apart:
        case.see("a link leads elsewhere now", words, os.fsencode(place))
    shutil.rmtree("odd", ignore_errors=True)
    return case


def _make(place: Path, folder: Path, chance: random.Random) -> None:
    good = folder / chance.choice(("put.golpae", "good.jsonl"))
    match chance.randrange(11):
        case 0:
            place.symlink_to(good.name)
        case 1:
            os.link(good, place)
        case 2:
            place.symlink_to(place.name)
        case 3:
            place.mkdir()
        case 4:
            os.mkfifo(place)
        case 5:
            place.symlink_to("/dev/full")
        case 6:
            place.write_bytes(
                chance.choice((b"\x1f\x8b", b"\x1f", b"\x28\xb5\x2f\xfd", b"\n" * 100_000, b"\0" * 999))
            )
        case 7:
            place.symlink_to("nowhere")
        case 8:
            place.write_bytes(chance.randbytes(chance.randrange(200)))
        case 9:
            place.symlink_to("/dev/null")
        case _:
            shutil.copyfile(good, place)
            place.chmod(chance.choice((0o000, 0o200, 0o777)))


# ------------------------------------------------------------------ JSON that a stranger made

VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 10**40, 1e308, "", "proved", "../../../etc/passwd", "/etc/passwd", "\x1b[31m", "\u202e", [], {},
    [[]], {"a": {}}, "a" * 3_000, "x.smt2", "0" * 64, "manifest.json", "CON", "a\0b",
)  # fmt: skip


def changed(value: Any, chance: random.Random) -> Any:
    """Return a JSON value with one change somewhere."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        if chance.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        if chance.random() < 0.05:
            return {**value, chance.choice(("x", "\u202e", "players")): value[key]}
        return {**value, key: changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        if chance.random() < 0.1:
            return value[:at] + value[at + 1 :]
        if chance.random() < 0.1:
            return value[:at] + [value[at]] * 2 + value[at:]
        return [*value[:at], changed(value[at], chance), *value[at + 1 :]]
    if isinstance(value, str) and value and chance.random() < 0.3:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice('09afz("/.\u202e\x1b') + value[at + 1 :]
    return chance.choice(VALUES)


def spoilt_json(content: bytes, chance: random.Random) -> bytes:
    """Return a JSON file with changes, or a part of it."""
    match chance.randrange(8):
        case 0:
            return content[: chance.randrange(len(content))]
        case 1:
            at = chance.randrange(len(content))
            return (
                content[:at]
                + chance.choice((b"\xff", b"[" * 400, b"9" * 5_000, b"}", b","))
                + content[at + 1 :]
            )
        case _:
            value = json.loads(content)
            for _ in range(chance.choice((1, 1, 2, 4))):
                value = changed(value, chance)
            return json.dumps(value).encode()


@cache
def kept_proofs() -> bytes:
    """Return the kept proofs of a small text."""
    Path("kept").mkdir(exist_ok=True)
    Path("kept/one.golpae").write_text(TAKE, encoding="utf-8")
    status, _, err = called("prove", "kept/one.golpae", "--jobs", "1", "--write", "--no-cache")
    assert status == 0, err
    return Path("kept/one.proofs.json").read_bytes()


def of_kept_proofs(chance: random.Random, _number: int) -> Case:
    """Spoil kept proofs: what is proved stays, and a text that is wrong is never proved."""
    content = spoilt_json(kept_proofs(), chance)
    Path("kept/one.proofs.json").write_bytes(content)
    wrong_text = chance.random() < 0.5
    Path("kept/one.golpae").write_text(
        TAKE.replace("hand <= 1", "hand <= 0") if wrong_text else TAKE, encoding="utf-8"
    )
    case = Case()
    words: tuple[str, ...] = ("prove", "kept/one.golpae", "--locked")
    status, out, err = called(*words)
    case.see(fault_of(status, out, err), words, content)
    if wrong_text and status == 0:
        case.see("kept proofs are said to belong to another text", words, content)
    if chance.random() < 0.1:
        words = ("prove", "kept/one.golpae", "--jobs", "1", "--no-cache", "--format", "json")
        status, out, err = called(*words)
        case.see(fault_of(status, out, err), words, content)
        if (status == 0) is wrong_text:
            case.see(f"kept proofs changed a verdict: status {status}", words, content)
    return case


@cache
def certificate() -> Path:
    """Return a folder with a certificate."""
    folder = Path("certified").absolute()
    folder.mkdir(exist_ok=True)
    (folder / "one.golpae").write_text(TAKE, encoding="utf-8")
    place = folder / "certificate"
    status, _, err = called("prove", str(folder / "one.golpae"), "--jobs", "1", "--certificate", str(place))
    assert status == 0, err
    return place


def of_certificates(chance: random.Random, _number: int) -> Case:
    """Spoil a certificate: `recheck` does not confirm it, opens nothing outside and ends."""
    made = certificate()
    place = Path("certificate")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(made, place)
    files = sorted(file for file in place.rglob("*") if file.is_file())
    file = place / "manifest.json" if chance.random() < 0.6 else chance.choice(files)
    before = file.read_bytes()
    match chance.randrange(8):
        case 0:
            file.unlink()
            file.symlink_to(
                chance.choice(("/etc/passwd", file.name, "/dev/zero", made / file.relative_to(place)))
            )
        case 1:
            file.unlink()
            os.mkfifo(file)
        case 2:
            file.unlink()
            file.mkdir()
        case 3:
            file.write_bytes(before[: chance.randrange(len(before) + 1)])
        case 4:
            with file.open("r+b") as stream:
                stream.truncate(1 << 35)  # a hole
        case _ if file.suffix == ".json":
            file.write_bytes(spoilt_json(before, chance))
        case _:
            at = chance.randrange(len(before) + 1)
            file.write_bytes(
                before[:at] + chance.choice((b"(exit)", b"\xff", b"(", b"(set-option :x 1)")) + before[at:]
            )
    words: tuple[str, ...] = ("recheck", str(place), "--jobs", "1", "--spec-path", str(made.parent))
    if chance.random() < 0.5:
        words = (*words, "--format", "json")
    status, out, err = called(*words)
    case = Case()
    case.see(fault_of(status, out, err), words, os.fsencode(file))
    same = (
        file.is_file()
        and not file.is_symlink()
        and file.stat().st_size == len(before)
        and file.read_bytes() == before
    )
    if status == 0 and not same and file.name != "manifest.json":
        case.see("a spoilt certificate is confirmed", words, os.fsencode(file))
    shutil.rmtree(place, ignore_errors=True)
    return case
