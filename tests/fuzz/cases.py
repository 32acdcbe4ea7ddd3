"""Random input for every verb: traces, texts, entries of the cache, words.

Input: a seed. Output: for each case what was tried, and what is wrong with golpae, if anything.
Guarantee: the same seed makes the same cases. Nothing outside of the working folder is read or written, but golpae.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

from golpae import cache as golpae_cache
from golpae import rule_names
from golpae.bundled import spec_dir
from golpae.cli import rule_sets
from golpae.hidden.lazily import completes
from golpae.replay.machine_cache import Library
from tests.committed import TOP
from tests.elaborate.spoil import spoilt as spoilt_text
from tests.fuzz import traces
from tests.fuzz.folders import of_certificates, of_files, of_kept_proofs
from tests.fuzz.oracle import Case, Finding, called, fault_of
from tests.fuzz.signals import of_signals

TOGETHER = 400  # traces of a file that are spoilt
NEAR = 40  # files that are made of the same recorded games, one after the other

# ------------------------------------------------------------------ traces

WARM: list[Library] = []  # as one call has it for many traces


@contextmanager
def warm(load: Library | None) -> Iterator[None]:
    """Let calls share the machines that an earlier one made: they depend on the rules alone."""
    if load is None:
        yield
        return

    with patch.object(rule_sets, "Library", lambda *_, **__: load):
        yield


def _library() -> Library:
    if not WARM:
        WARM.append(Library(cache(rule_names.loader([])), completes=completes))
    return WARM[0]


def of_traces(chance: random.Random, number: int) -> Case:
    """Check a file in which most traces are spoilt: the others keep their verdict."""
    games = traces.some(random.Random(number // NEAR))
    good = [traces.encoded(trace) for trace in traces.quick(games)]
    lines: list[bytes] = list(good[0])
    unharmed = [1]
    for _ in range(TOGETHER):
        lines += traces.spoilt(games, chance)
        if chance.random() < 0.25:
            unharmed.append(len(lines) + 1)
            lines += chance.choice(good)
    content, whole = traces.packed(b"\n".join([*lines, b""]), chance)
    return _checked(content, unharmed if whole else [], chance, TOGETHER)


def _checked(content: bytes, unharmed: list[int], chance: random.Random, tried: int) -> Case:
    """Check traces from a file or a stream."""
    case = Case(tried)
    form = ("--format", "json") if unharmed or chance.random() < 0.5 else ()
    with warm(_library()):
        if chance.random() < 0.3:
            words: tuple[str, ...] = ("check", *form, "-")
            status, out, err = called(*words, stdin=content, most=chance.choice((7, 100, 4_096, 1 << 16)))
        else:
            file = Path(chance.choice(("a.jsonl", "b.jsonl.gz", "c d.jsonl", "-x.jsonl")))
            file.write_bytes(content)
            words = ("check", *form, "--", str(file))
            status, out, err = called(*words)
    case.see(fault_of(status, out, err), words, content)
    if case.finding is None and unharmed:
        verdicts = {found["line"]: found["verdict"] for found in map(json.loads, out.splitlines())}
        harmed = [line for line in unharmed if verdicts.get(line) != "legal"]
        case.see(
            f"the traces at the lines {harmed} are legal, and not said to be" if harmed else None,
            words,
            content,
        )
    return case


def of_questions(chance: random.Random, number: int) -> Case:
    """Continue, attribute or score what is spoilt, or check it against other rules."""
    games = traces.some(random.Random(number // NEAR))
    lines = traces.spoilt(games, chance)
    content, _ = traces.packed(b"\n".join([*lines, b""]), chance)
    file = Path("a.jsonl")
    file.write_bytes(content)
    words = chance.choice(
        (
            ("legal", str(file)),
            ("legal", "--format", "json", str(file)),
            ("legal", "--trace", "2", str(file)),
            ("view", str(file)),
            ("view", "--seat", "1", str(file)),
            ("check", "--view", str(file)),
            ("coverage", str(file)),
            ("coverage", "--format", "json", "--html", "pages", str(file)),
            ("attribute", str(file)),
            ("attribute", "--each", "--format", "json", str(file)),
            ("check", "--verbose", str(file)),
            ("check", "--write-expected", str(file)),
            ("check", "--expected", str(file)),
            ("check", "--complete", "--rules", "three-dozen", str(file)),
            ("score", str(file)),
            ("score", "korean-mahjong", str(file)),
        )
    )
    case = Case(1)
    with warm(_library() if words[0] in ("legal", "check", "view") and "--rules" not in words else None):
        case.see(fault_of(*called(*words)), words, content)
    return case


# ------------------------------------------------------------------ texts


@cache
def texts() -> tuple[str, ...]:
    """Return rule texts to spoil, the short ones several times."""

    def read(folder: Path, below: str = "*.golpae") -> list[str]:
        return [path.read_text("utf-8") for path in sorted(folder.glob(below))]

    small = read(TOP / "docs" / "examples") + read(TOP / "tests" / "replay" / "faults")
    small += read(TOP / "tests" / "differential" / "found")
    faulty = read(TOP / "tests" / "elaborate" / "golden", "*/*.golpae")
    return (*read(spec_dir()), *small * 8, *faulty)


STRANGE = (
    "\x1b[2J", "\u202e", "\u200b", "\x00", "9" * 400, "^ 9 ^ 9 ^ 9", "((((((((", '"', "{", "{group}", "'s", "#",
    "golpae", "(" * 300, "not " * 300, "\n" * 3_000, "for each p in players: " * 30, "if yes then 1 else " * 60,
    '"{n}{m}{n}"', "@everyone", "]]>", "<b>", "](http://x)", "group", "`", "|", "\\", "\r", "\ufeff",
)  # fmt: skip


def of_texts(chance: random.Random, _number: int) -> Case:
    """Read a spoilt rule text by a few verbs."""
    text = spoilt_text(chance.choice(texts()), chance, chance.choice((1, 1, 2, 5)))
    if chance.random() < 0.3:
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(STRANGE) + text[at:]
    named = re.search(r"^game ([a-z][\w-]*)", text, re.MULTILINE)
    file = Path(f"{named[1] if named and len(named[1]) < 100 else 'game'}.golpae")
    file.write_text(text, encoding="utf-8")
    content = text.encode()
    header = {"golpae": 1, "rules": file.stem, "players": ["An", "Bo", "Cho"][: chance.randrange(2, 4)]}
    Path("own.jsonl").write_text(json.dumps(header) + "\n", encoding="utf-8")
    case = Case()
    readers: list[tuple[str, ...]] = [chance.choice(READERS)]
    if chance.random() < 0.01:
        readers.append(chance.choice(PROVERS))
    for reader in readers:
        words = tuple(str(file) if word == "TEXT" else word for word in reader)
        case.verbs.append(words[0])
        typed = TYPED if words[0] == "play" else None
        case.see(fault_of(*called(*words, stdin=typed)), words, content)
    file.unlink()
    return case


TYPED = b'hint\n1\nundo\n2\nwait\ntable\n1-1\n6-6 6-6\nput 1-1\n{"do":1}\n1\n1\n\n1\n\xff\n1\n'  # to play
READERS = (
    ("lint", "TEXT"),
    ("show", "TEXT"),
    ("lint", "--format", "sarif", "TEXT"),
    ("check", "--format", "github", "--spec-path", ".", "own.jsonl"),
    ("coverage", "--format", "junit", "--spec-path", ".", "own.jsonl"),
    ("compare", "--layer", "text", "--format", "sarif", "three-dozen", "TEXT"),
    ("format", "--check", "TEXT"),
    ("format", "TEXT"),
    ("score", "TEXT", "6-6", "1-1"),
    ("compare", "--layer", "text", "TEXT", "TEXT"),
    ("compare", "--layer", "text", "--format", "markdown", "TEXT", "three-dozen"),
    ("check", "--spec-path", ".", "own.jsonl"),
    ("legal", "--spec-path", ".", "own.jsonl"),
    ("view", "--open", "--spec-path", ".", "own.jsonl"),
    ("coverage", "--ledger", "--html", "page.html", "--spec-path", ".", "own.jsonl"),
    ("mutate", "TEXT", "--traces", "own.jsonl", "--every", "50", "--jobs", "1"),
    ("attribute", "--spec-path", ".", "own.jsonl"),
    ("prove", "--locked", "TEXT"),
    ("play", "--seed", "1", "TEXT"),
    ("play", "--seed", "1", "--policy", "greedy,random", "--players", "2", "TEXT"),
    ("play", "--web", "-o", "page.html", "TEXT"),
    ("show", "--html", "-o", "page.html", "TEXT"),
    ("show", "--html", "-o", "page.html", "--games", "own.jsonl", "TEXT"),
)
LIMITED = ("--jobs", "1", "--effort", "0.1", "--time-limit", "20")
PROVERS = (
    ("prove", *LIMITED, "--no-cache", "--players", "2", "TEXT"),
    ("prove", *LIMITED, "--no-cache", "--players", "2", "--format", "junit", "TEXT"),
    ("lint", "--deep", *LIMITED, "TEXT"),
    ("compare", *LIMITED, "--no-cache", "--players", "2", "--games", "own.jsonl", "TEXT", "TEXT"),
)


# ------------------------------------------------------------------ the cache


def of_caches(chance: random.Random, _number: int) -> Case:
    """Spoil an entry of the cache: the verdict is what it was."""
    trace = b"\n".join(traces.encoded(chance.choice(traces.finished())))
    Path("a.jsonl").write_bytes(trace)
    called("check", "a.jsonl")
    folder = Path(os.environ["GOLPAE_CACHE"])
    entries = [entry for entry in sorted(folder.glob("*" + golpae_cache.ENDING)) if not entry.is_symlink()]
    entry = chance.choice(entries[-40:])
    content = bytearray(entry.read_bytes())
    head, _, body = bytes(content).partition(b"\n\n")
    match chance.randrange(6):
        case 0:
            del content[chance.randrange(len(content)) :]
        case 1:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        case 2 | 3:
            at = chance.randrange(len(body))
            new = chance.choice((b"", b"[", b"0", b'"', b"null", b"\xff", b'["Int"]', b"-1", b"9" * 30))
            body = body[:at] + new + body[at + chance.choice((0, 1, 4)) :]
            content = bytearray(head + b"\n\n" + body)
        case 4:
            donor = chance.choice(entries)
            _, _, body = donor.read_bytes().partition(b"\n\n")
            content = bytearray(head + b"\n\n" + body)
        case _:
            content = bytearray(chance.choice(entries).read_bytes())
    entry.write_bytes(bytes(content))
    status, out, err = called("check", "a.jsonl")
    entry.unlink(missing_ok=True)
    case = Case()
    case.see(fault_of(status, out, err), ("check", "a.jsonl"), bytes(content))
    if out != "1 trace: 1 legal\n":
        case.see(f"the cache changed the verdict: {out}{err}", ("check", "a.jsonl"), bytes(content))
    return case


# ------------------------------------------------------------------ words

NAMES = (
    "", ".", "..", "a" * 256, "a/" * 2_000, "\x1b[31m", "\u202e", "--", "-x", "a\nb", "~", "*", "$(x)", "'", "+", "a+",
    "+a", "jjak+", "jjak+culin+culin", "HEAD:", ":x", "HEAD:../x.golpae", "jjak.golpae", "con", "a:b", "\udcff", "=",
    "hand={", "--rules", "--spec-path", "--format", "json", "--players", "3", "a" * 256 + ".golpae", "1" * 5_000,
    "--option", "top=4", "--layer", "text", "--trace", "0", "-1", "nan", "inf", "1e999", "--effort", "--jobs", "\0",
    "a.golpae", "nul.golpae", "three-dozen", "x" * 300 + ".jsonl", "--witnesses", "--certificate", "--smt2", "--locked",
)  # fmt: skip
VERBS = (
    "check",
    "attribute",
    "legal",
    "view",
    "report",
    "conform",
    "coverage",
    "mutate",
    "score",
    "simulate",
    "play",
    "show",
    "compare",
    "lint",
    "format",
    "prove",
    "recheck",
)
SLOW = ("prove", "compare", "recheck")


def of_names(chance: random.Random, _number: int) -> Case:
    """Call a verb with strange words."""
    verb = chance.choice(VERBS)
    given = chance.choices(NAMES, k=chance.randrange(4))
    if verb == "prove" and "three-dozen" in given:
        given.append("--locked")
    if verb == "compare" and "three-dozen" in given:
        given.extend(("--layer", "text"))
    if verb == "simulate":
        given.extend(("--games", "2", "--jobs", "1"))
    case = Case()
    case.see(fault_of(*called(verb, *given, stdin=b"")), (verb, *given), b"")
    return case


KINDS: dict[str, Callable[[random.Random, int], Case]] = {
    "traces": of_traces,
    "questions": of_questions,
    "texts": of_texts,
    "caches": of_caches,
    "names": of_names,
    "files": of_files,
    "kept proofs": of_kept_proofs,
    "certificates": of_certificates,
    "signals": of_signals,
}


def case(kind: str, seed: int, number: int) -> Case:
    """Try one case in the working folder."""
    try:
        return KINDS[kind](random.Random(f"{kind} {seed} {number}"), number + seed * 1_000)
    except Exception as fault:  # of golpae, or of a case that golpae surprised
        import traceback

        return Case(1, Finding(f"{type(fault).__name__}: {fault}", (), traceback.format_exc().encode()))
