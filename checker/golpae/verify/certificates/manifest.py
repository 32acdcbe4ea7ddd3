"""The manifest of a certificate: what it is about, and every file in it.

Input: bytes of `manifest.json`. Output: `Manifest`, or `BadManifest`.
Guarantee: what is read has the form that `certificate.schema.json` describes, and every path in it stays in the folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from golpae.ir.ruleset import RuleSet
from golpae.prove.induction.obligations import Axioms
from golpae.schemas import schema_of
from golpae.verify import properties

NAME = "manifest.json"
SCRIPT, GAME = ".smt2", ".jsonl"
LARGEST = 64 << 20  # bytes of a manifest
LONGEST_PATH = 400
PATH = r"^[A-Za-z0-9_+][A-Za-z0-9._+=-]*(/[A-Za-z0-9_+][A-Za-z0-9._+=-]*){0,4}$"

Text = Annotated[str, Meta(max_length=20_000)]
Path = Annotated[str, Meta(pattern=PATH, max_length=LONGEST_PATH)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
RUN = "[0-9]{1,9}(-[0-9]{1,9})?"
Numbers = Annotated[str, Meta(pattern=f"^({RUN}( {RUN})*)?$", max_length=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=10**12)]


class BadManifest(Exception):
    """A manifest cannot be read; the message says why."""


class FileEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A file: its SHA-256 and its size."""

    path: Path
    sha256: Sha256
    bytes: Count


class ObligationEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A question of a proof. `hypotheses` numbers those of all that the text yields which the script states: `0-3 7`.

    `axioms` are those about scores that the question has. `trivial` says why golpae answers it without a solver.
    """

    file: Path
    kind: Text
    about: Text
    expected: Literal["unsat", "sat"]
    hypotheses: Numbers
    axioms: Axioms = "none"
    trivial: Text | None = None


class InvariantEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An invariant: it holds by induction, or it is a consequence of the others."""

    name: Text
    by: Literal["induction", "consequence"]


class InductionEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Invariants that hold together, and why."""

    name: Path
    invariants: list[InvariantEntry]
    obligations: list[ObligationEntry]


class PropertyEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A proved property. `by` says how; `induction` names the invariants that the obligations rest on.

    `bound` is the greatest number of events of a hand, `positions` how many positions all games have, `game` the file
    of a game that shows it.
    """

    name: Text
    kind: Text
    by: Literal["induction", "solver", "evaluation", "all games", "game"]
    how: Text
    induction: Path | None = None
    obligations: list[ObligationEntry] = []
    bound: int | None = None
    positions: int | None = None
    game: Path | None = None


class TableEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one table: `text` is the hash of the text as it is written, `meaning` that of what it means.

    Comments and switches that are off change nothing of its meaning.
    """

    rules: Text
    text: Text
    meaning: Sha256
    players: Annotated[int, Meta(ge=1, le=1000)]
    options: dict[str, int]
    inductions: list[InductionEntry]
    properties: list[PropertyEntry]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """A certificate: `golpae` and `solvers` are the versions that wrote it, `seed` is that of random games."""

    certificate: Literal[1]
    golpae: Text
    solvers: dict[str, str]
    seed: int
    tables: list[TableEntry]
    files: list[FileEntry]


def decode(content: bytes) -> Manifest:
    """Return the manifest with this content. Raises `BadManifest`."""
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, ValueError) as fault:
        raise BadManifest(" ".join(str(fault).split())[:300]) from None


def encode(manifest: Manifest) -> bytes:
    """Return the content of a manifest: the same for the same manifest, and readable."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of manifests."""
    return schema_of(Manifest)


def slug(words: str) -> str:
    """Return words as a part of a path: letters, digits and dashes. Different words have different ones."""
    plain = re.sub(r"[^A-Za-z0-9+=_]+", "-", words).strip("-")[:60]
    return plain if plain == words else f"{plain}-{hashlib.sha256(words.encode()).hexdigest()[:8]}".strip("-")


def meaning_of(rule_set: RuleSet) -> str:
    """Return the hash of what a rule set means."""
    return hashlib.sha256(repr(properties.meaning_of(rule_set)).encode()).hexdigest()


def packed(numbers: Sequence[int]) -> str:
    """Return ascending numbers in a short form: `0-3 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(f"{a}-{b}" if a < b else str(a) for a, b in runs)


def unpacked(text: str, most: int) -> list[int] | None:
    """Return the numbers of the short form, or None if they do not ascend or one is not below `most`."""
    numbers: list[int] = []
    for run in text.split():
        first, _, last = run.partition("-")
        begin, end = int(first), int(last or first)
        if end < begin or end >= most or (numbers and begin <= numbers[-1]):
            return None
        numbers += range(begin, end + 1)
    return numbers
