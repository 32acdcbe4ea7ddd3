"""Random input for every verb, and what must hold of each run.

Input: a seed. Output: for each case what is wrong with golpae, or nothing.
Guarantee: the same seed makes the same cases. Nothing outside of the working folder is read or written, but golpae.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from golpae import cache as golpae_cache
from golpae.bundled import spec_dir
from golpae.cli.main import main
from tests.committed import TOP
from tests.elaborate.spoil import spoilt as spoilt_text
from tests.fuzz import traces

STATUSES = {0, 1, 2, 3}
MANY = 40  # traces of a file that are not spoilt
HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, after which call, with which input."""

    what: str
    words: tuple[str, ...]
    content: bytes


def called(*words: str) -> tuple[int, str, str]:
    """Call golpae in this process. Return its exit status and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(list(words))
    return status, out.getvalue(), err.getvalue()


def _fault_of(status: int, out: str, err: str) -> str | None:
    """Return what no run may do."""
    if status not in STATUSES:
        return f"status {status}: {err[:300]}"
    if "Traceback" in out + err:
        return "a traceback"
    hidden = HIDDEN.search(out + err)
    return f"the character {hidden[0]!r} in the output" if hidden else None


def of_traces(chance: random.Random) -> Finding | None:
    """Check, attribute or continue a file in which every second trace is spoilt: the others keep their verdict."""
    verb = chance.choice((*["check"] * 12, *["legal"] * 3, "attribute"))
    few = chance.sample(traces.finished(), 2)
    good = [traces.encoded(trace) for trace in chance.choices(few, k=MANY if verb == "check" else 2)]
    games = traces.some(chance)
    lines, unharmed = list(good[0]), [1]
    for trace in good[1:]:
        lines += traces.spoilt(games, chance)
        unharmed.append(len(lines) + 1)
        lines += trace
    content, whole = traces.packed(b"\n".join([*lines, b""]), chance)
    file = Path(chance.choice(("a.jsonl", "b.jsonl.gz", "c d.jsonl", "-x.jsonl")))
    file.write_bytes(content)
    words = (
        verb,
        *(("--format", "json") if verb == "check" or chance.random() < 0.5 else ()),
        "--",
        str(file),
    )
    status, out, err = called(*words)
    wrong = _fault_of(status, out, err)
    if wrong is None and verb == "check" and whole:
        verdicts = {found["line"]: found["verdict"] for found in map(json.loads, out.splitlines())}
        harmed = [line for line in unharmed if verdicts.get(line) != "legal"]
        wrong = f"the traces at the lines {harmed} are legal, and not said to be" if harmed else None
    return None if wrong is None else Finding(wrong, words, content)


@cache
def texts() -> tuple[str, ...]:
    """Return rule texts to spoil, the short ones several times."""
    found = [path.read_text("utf-8") for path in sorted(spec_dir().glob("*.golpae"))]
    small = [path.read_text("utf-8") for path in sorted((TOP / "docs" / "examples").glob("*.golpae"))]
    return (*found, *small, *small, *small)


STRANGE = (
    "\x1b[2J",
    "\u202e",
    "\u200b",
    "\x00",
    "9" * 400,
    "^ 9 ^ 9 ^ 9",
    "((((((((",
    '"',
    "{",
    "{group}",
    "'s",
    "#",
)


def of_texts(chance: random.Random) -> Finding | None:
    """Read a spoilt rule text by a verb."""
    text = spoilt_text(chance.choice(texts()), chance, chance.choice((1, 1, 2, 5)))
    if chance.random() < 0.3:
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(STRANGE) + text[at:]
    named = re.search(r"^game ([a-z][\w-]*)", text, re.MULTILINE)
    file = Path(f"{named[1] if named else 'game'}.golpae")
    file.write_text(text, encoding="utf-8")
    words = chance.choice(
        (
            ("lint", str(file)),
            ("show", str(file)),
            ("format", "--check", str(file)),
            ("score", str(file), "6-6", "1-1"),
            ("compare", "--text", str(file), str(file)),
            ("check", "--spec-path", ".", "own.jsonl"),
        )
    )
    header = {"golpae": 1, "rules": file.stem, "players": ["An", "Bo", "Cho"]}
    Path("own.jsonl").write_text(json.dumps(header) + "\n", encoding="utf-8")
    wrong = _fault_of(*called(*words))
    file.unlink()
    return None if wrong is None else Finding(wrong, words, text.encode())


def of_caches(chance: random.Random) -> Finding | None:
    """Spoil an entry of the cache: the verdict is what it was."""
    trace = b"\n".join(traces.encoded(chance.choice(traces.finished())))
    Path("a.jsonl").write_bytes(trace)
    called("check", "a.jsonl")
    folder = Path(os.environ["GOLPAE_CACHE"])
    entry = chance.choice(sorted(folder.glob("*" + golpae_cache.ENDING)))
    content = bytearray(entry.read_bytes())
    match chance.randrange(4):
        case 0:
            del content[chance.randrange(len(content)) :]
        case 1:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        case 2:  # a body that is bound to its name, and wrong
            _, _, body = bytes(content).partition(b"\n\n")
            at = chance.randrange(len(body))
            body = body[:at] + chance.choice((b"", b"[", b"0", b'"', b"null", b"\xff")) + body[at + 1 :]
            name = entry.name.removesuffix(golpae_cache.ENDING)
            content = bytearray(golpae_cache._head(name, body) + b"\n\n" + body)
        case _:
            content = bytearray(chance.choice(sorted(folder.glob("*"))).read_bytes())
    entry.write_bytes(bytes(content))
    done = called("check", "a.jsonl")
    entry.unlink(missing_ok=True)
    wrong = _fault_of(*done)
    return None if wrong is None else Finding(wrong, ("check", "a.jsonl"), bytes(content))


NAMES = (
    "", ".", "..", "a" * 256, "a/" * 2_000, "\x1b[31m", "\u202e", "--", "-x", "a\nb", "~", "*", "$(x)", "'", "+", "a+",
    "+a", "jjak+", "jjak+culin+culin", "HEAD:", ":x", "HEAD:../x.golpae", "jjak.golpae", "con", "a:b", "\udcff", "=",
    "hand={", "--rules", "--spec-path", "--format", "json", "--players", "3",
)  # fmt: skip
VERBS = ("check", "attribute", "legal", "score", "show", "compare", "lint", "format")


def of_names(chance: random.Random) -> Finding | None:
    """Call a verb with strange words."""
    words = (chance.choice(VERBS), *chance.choices(NAMES, k=chance.randrange(4)))
    wrong = _fault_of(*called(*words))
    return None if wrong is None else Finding(wrong, words, b"")


KINDS: dict[str, Callable[[random.Random], Finding | None]] = {
    "traces": of_traces,
    "texts": of_texts,
    "caches": of_caches,
    "names": of_names,
}


def case(kind: str, seed: int, number: int) -> Finding | None:
    """Try one case in the working folder."""
    try:
        return KINDS[kind](random.Random(f"{kind} {seed} {number}"))
    except Exception as fault:  # of golpae, or of a case that golpae surprised
        return Finding(f"{type(fault).__name__}: {fault}", (), b"")
