"""Proofs that are kept beside a rule text: what was found, so that it is checked again and not looked for.

Input: results of properties; or a file that claims to hold some.
Output: the file's text; or `KeptTable`s, by rule set and table.
Guarantee: nothing that is read counts before it is checked again. A file of any content costs time only: `read` returns
what it makes sense of, or says in words what is wrong. The same results are written as the same text.

    {"id": "3f0a", "at": "playing", "holds": "size of reserve = 12", "tables": "1-3 7"}
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from golpae import __version__, cache
from golpae.ir.codec import encode
from golpae.ir.ruleset import RuleSet, form_of
from golpae.prove.answer import PROVED, REFUTED
from golpae.schemas import schema_of
from golpae.unreadable import reason_of
from golpae.verify.properties import meaning_of, properties_of
from golpae.verify.result import PropertyResult

FORMAT = 2
ENDING = ".proofs.json"
READABLE = 0o644  # who may read and write a new file
LARGEST = 1 << 24  # bytes of a file
MOST_TABLES = 10_000  # of one file
MOST_INVARIANTS = 500_000  # of all tables of one file together
SHORTEST = 4  # characters of the short name of an invariant
SEPARATOR = ": "  # between the stage of a lemma and its expression
Key = tuple[str, int, tuple[tuple[str, int], ...]]  # a rule set, a number of players, options


class KeptResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found about a property. `more` says that its proof needs further invariants: those that are named `by`.

    In a file, `by` has those of them that the text states, and `invariants` the short names of the others.

    `witness` are the events of a game; `named` says that the names of its last event are told. `questions` and `units`
    are what the solver had to do.
    """

    name: str
    verdict: str
    how: str
    more: bool = False
    invariants: str = ""
    by: tuple[str, ...] = ()
    bound: int | None = None
    vacuous: str | None = None
    witness: tuple[dict[str, Any], ...] = ()
    named: bool = False
    questions: int = 0
    units: int = 0

    @property
    def needs(self) -> frozenset[str]:
        """The names of the further invariants that its proof needs, with its own, which may be one."""
        return frozenset((*self.by, self.name))


class KeptShare(msgspec.Struct, frozen=True):
    """In `count` of the hands of so many games, from a seed on, the event of a claim came about.

    `of` is the hash of what was played and asked.
    """

    name: str
    of: str
    games: int
    count: int
    seed: int


class _Table(msgspec.Struct, frozen=True):
    """A rule set at one table in a file; `text` is the hash of its meaning, the rest as in `KeptTable`."""

    number: int
    rules: str
    players: int
    options: dict[str, int]
    text: str
    stated: tuple[str, ...]
    further: tuple[str, ...]
    properties: tuple[KeptResult, ...]
    unfinished: tuple[str, ...] = ()
    shares: tuple[KeptShare, ...] = ()


class _Invariant(msgspec.Struct, frozen=True):
    """An invariant in a file: an expression of the language, a stage, and the numbers of the tables where it holds.

    Properties name it by its `id`.
    """

    at: str
    holds: str
    tables: str
    id: str = ""


class _File(msgspec.Struct, frozen=True):
    format: int
    golpae: str
    z3: str
    tables: tuple[_Table, ...]
    invariants: tuple[_Invariant, ...]


@dataclass(frozen=True, slots=True)
class KeptTable:
    """What is kept about a rule set at one table.

    `text` is the hash of the rule set's meaning then; "" if the table is put together from those of other rule sets.
    `stated` are the names of invariants that hold together without those that games suggested, which are the `lemmas`;
    `further` are those that the text states and that hold with them. `unfinished` are properties that a run which was
    interrupted did not get to: nothing is kept about them, or what was found with another text. `shares` is what was
    counted for claims that state shares of hands. `places` are where the text is, which gives the lemmas their meaning.
    """

    text: str
    stated: tuple[str, ...]
    further: tuple[str, ...]
    lemmas: tuple[str, ...]
    results: tuple[KeptResult, ...]
    unfinished: tuple[str, ...] = ()
    shares: tuple[KeptShare, ...] = ()
    places: tuple[Path, ...] = ()

    def result(self, name: str) -> KeptResult | None:
        """Return the stored result of a property."""
        return next((r for r in self.results if r.name == name), None)

    def may_tell(self, name: str) -> bool:
        """Return whether a property is to be checked with what is kept: so is one about which only lemmas are kept."""
        return self.result(name) is not None or (bool(self.lemmas) and name not in self.unfinished)

    def needs(self, names: Collection[str]) -> dict[str, frozenset[str]]:
        """Return for each of these further invariants which of them it may need: those of each proof that names it.

        Each proof is to hold by itself. An invariant that no proof names may need all.
        """
        out = {name: frozenset(names) for name in names}
        for result in self.results:
            if result.more:
                for name in result.needs & out.keys():
                    out[name] &= result.needs
        return out


@dataclass(slots=True)
class KeptFile:
    """What a file holds, and the versions that wrote it."""

    golpae: str = __version__
    z3: str = ""
    tables: dict[Key, KeptTable] = field(default_factory=dict)


class UselessProofs(Exception):
    """A file holds no proofs; the message says why."""


def beside(text: Path) -> Path:
    """Return the file of the proofs of a rule text."""
    return text.with_name(text.name.removesuffix(".golpae") + ENDING)


def schema() -> dict[str, Any]:
    """Return the JSON schema of a file, which is `docs/kept-proofs.schema.json`."""
    return schema_of(_File)


def key_of(rules: str, players: int, options: Mapping[str, int]) -> Key:
    """Return under what a table is kept."""
    return rules, players, tuple(sorted(options.items()))


def of_parts(kept_tables: Mapping[Key, KeptTable], own: Key) -> KeptTable | None:
    """Return the results that a combination of switches may take from the tables of the rule sets that have only some
    of them, with as many players and the same options. None if there is none.

    All of it may hold, and nothing has to. Of a property that the rule sets differ in, the result is that of the one
    with the most switches, or the last one.
    """
    rules, *table = own
    switches = {*rules.split("+")[1:]}
    at_table = [(key[0].split("+")[1:], stored) for key, stored in kept_tables.items() if [*key[1:]] == table]
    parts = [(some, stored) for some, stored in at_table if switches.issuperset(some)]
    if not parts:
        return None
    parts.sort(key=lambda part: (len(part[0]), part[0]))
    tables = [stored for _, stored in parts]
    first = {result.name: result for result in tables[0].results}
    results = dict(first)
    for stored in tables:
        results |= {result.name: result for result in stored.results if result != first.get(result.name)}
    return KeptTable(
        "",
        stated=_all(stored.stated for stored in tables),
        further=_all(stored.further for stored in tables),
        lemmas=_all(stored.lemmas for stored in tables),
        results=tuple(results.values()),
    )


def _all(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in lists for name in names))


def hash_of(rule_set: RuleSet) -> str:
    """Return the hash of what a rule set means: comments, layout and switches that are off do not count."""
    return hashlib.sha256(encode(meaning_of(rule_set), only_meaning=True)).hexdigest()


def lemma_of(name: str) -> tuple[str, str]:
    """Return the stage and the expression of a lemma, from its name."""
    at, _, holds = name.partition(SEPARATOR)
    return at, holds


# ------------------------------------------------------------------ reading


def read(file: Path) -> KeptFile | None:
    """Return the stored proofs of a file; None if there is no such file. Raises `UselessProofs` if it cannot
    be used.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | cache.NEITHER_LINK_NOR_WAIT)
    except FileNotFoundError:
        return None
    except OSError as fault:
        reason = "it is a link" if file.is_symlink() else reason_of(fault)
        raise UselessProofs(reason) from None
    try:
        with open(descriptor, "rb") as stream:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                raise UselessProofs("it is not a file")
            if about.st_size > LARGEST:
                raise UselessProofs(f"it is larger than {LARGEST >> 20} MB")
            content = stream.read(LARGEST)
    except OSError as fault:
        raise UselessProofs(reason_of(fault)) from None
    return _decoded(content)


def _decoded(content: bytes) -> KeptFile:
    try:
        said = msgspec.json.decode(content, type=_File)
    except msgspec.ValidationError as fault:
        raise UselessProofs(f"it does not have the form of kept proofs: {_plain(fault)}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise UselessProofs(f"it is not JSON: {_plain(fault)}") from None
    if said.format != FORMAT:
        raise UselessProofs(f"its format is {said.format}, and this golpae knows {FORMAT}")
    if len(said.tables) > MOST_TABLES:
        raise UselessProofs(f"it has more than {MOST_TABLES} tables")
    names: dict[str, str] = {}
    lemmas: dict[int, list[str]] = {table.number: [] for table in said.tables}
    room = MOST_INVARIANTS
    for one in said.invariants:
        words = f"{one.at}{SEPARATOR}{one.holds}"  # once: tables that share it share the memory
        if one.id:
            names.setdefault(one.id, words)
        for number in _numbers(one.tables):
            room -= 1
            if room < 0:
                raise UselessProofs(f"it has more than {MOST_INVARIANTS} invariants")
            if number in lemmas:
                lemmas[number].append(words)
    tables = {
        key_of(t.rules, t.players, t.options): KeptTable(
            t.text,
            t.stated,
            t.further,
            tuple(dict.fromkeys(lemmas[t.number])),
            _named(t, names),
            t.unfinished,
            t.shares,
        )
        for t in said.tables
    }
    return KeptFile(said.golpae, said.z3, tables)


def _named(table: _Table, names: Mapping[str, str]) -> tuple[KeptResult, ...]:
    """Return the properties of a table; each names its invariants by their expressions."""
    return tuple(
        msgspec.structs.replace(
            one,
            invariants="",
            by=tuple(sorted({*one.by, *(names[i] for i in one.invariants.split() if i in names)})),
        )
        for one in table.properties
    )


def _ids(names: Iterable[str]) -> dict[str, str]:
    """Return a short name for each invariant, which depends on its words; longer ones if two would be the same."""
    hashes = {name: hashlib.sha256(name.encode()).hexdigest() for name in names}
    length = next(n for n in range(SHORTEST, 65) if len({h[:n] for h in hashes.values()}) == len(hashes))
    return {name: text[:length] for name, text in hashes.items()}


def _plain(fault: Exception) -> str:
    words = " ".join(str(fault).split())
    return "".join(c if c.isprintable() else "?" for c in words)[:200]


def _numbers(ranges: str) -> Iterator[int]:
    """Yield the numbers of `1-3 7`."""
    for part in ranges.split()[:MOST_TABLES]:
        low, _, high = part.partition("-")
        with suppress(ValueError):
            first = int(low)
            yield from range(first, min(int(high or low), first + MOST_TABLES) + 1)


def _ranges(numbers: Sequence[int]) -> str:
    """Return `1-3 7` for 1, 2, 3, 7."""
    out: list[list[int]] = []
    for number in sorted(numbers):
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


# ------------------------------------------------------------------ writing


def table_of(
    rule_set: RuleSet,
    results: Iterable[PropertyResult],
    before: KeptTable | None,
    unreached: Collection[str] = (),
    shares: tuple[KeptShare, ...] = (),
) -> KeptTable:
    """Return the table to store for the results of a rule set at one table. Undecided properties are left out.

    Figures of what was kept `before` stay if all else is the same. What was kept about properties that were `unreached`
    stays as well. `shares` is what is to be kept of shares.
    """
    results = list(results)
    decided = [r for r in results if r.verdict in (PROVED, REFUTED)]
    invariants = {p.name for p in rule_set.properties if p.after is None and form_of(p.kind).invariant}
    stated: set[str] = set()
    others: set[str] = set()
    for result in decided:
        stated.update(result.unaided)
        others.update(result.lemmas)
        if result.name in invariants and result.witness is None and result.lemmas:
            (stated if result.unaided == result.lemmas else others).add(result.name)
    others -= stated
    properties = {p.name for p in rule_set.properties}
    lemmas = {n for n in others if lemma_of(n)[0] not in properties}
    kept_results = [_stored(result, before) for result in decided]
    text = hash_of(rule_set)
    further = others - lemmas
    unfinished = set(unreached)
    if before is not None and unreached:
        kept_results += [result for result in before.results if result.name in unreached]
        order = {prop.name: place for place, prop in enumerate(properties_of(rule_set))}
        kept_results.sort(key=lambda result: order.get(result.name, len(order)))
        stated.update(before.stated)
        further = (further | set(before.further)) - stated
        lemmas.update(before.lemmas)
        if before.text == text:
            unfinished &= set(before.unfinished)
    return KeptTable(
        text,
        tuple(sorted(stated)),
        tuple(sorted(further)),
        tuple(sorted(lemmas)),
        tuple(kept_results),
        tuple(sorted(unfinished)),
        shares,
    )


def _stored(result: PropertyResult, before: KeptTable | None) -> KeptResult:
    """Return a result to store: the one of `before` if only its figures differ."""
    one = KeptResult(
        result.name,
        result.verdict,
        result.story,
        result.unaided != result.lemmas,
        "",
        tuple(n for n in result.lemmas if n not in result.unaided),
        result.bound,
        result.vacuous,
        () if result.witness is None else result.witness.events,
        result.witness is not None and bool(result.witness.values and result.witness.events),
        result.queries,
        result.units,
    )
    old = None if before is None else before.result(one.name)
    if old is None:
        return one
    without_figures = [msgspec.structs.replace(each, questions=0, units=0) for each in (old, one)]
    return old if without_figures[0] == without_figures[1] else one


def written(file: KeptFile) -> str:
    """Return the text of a file: a line for each property and for each invariant."""
    order = sorted(file.tables)
    where: dict[str, list[int]] = {}
    ids = _ids(sorted({name for table in file.tables.values() for name in table.lemmas}))
    lines = ["{", f'"format": {FORMAT},', f'"golpae": {_json(file.golpae)},', f'"z3": {_json(file.z3)},']
    lines.append('"tables": [')
    for number, key in enumerate(order, 1):
        rules, players, options = key
        table = file.tables[key]
        for name in table.lemmas:
            where.setdefault(name, []).append(number)
        head = {"number": number, "rules": rules, "players": players, "options": dict(options)}
        about = {**head, "text": table.text, "stated": table.stated, "further": table.further}
        if table.unfinished:
            about["unfinished"] = table.unfinished
        if table.shares:
            about["shares"] = [msgspec.to_builtins(share) for share in table.shares]
        lines.append(f'{_json(about)[:-1]}, "properties": [')
        lines += _listed(_in_file(result, ids) for result in table.results)
        lines.append("]}" if number == len(order) else "]},")
    lines.append('],\n"invariants": [')
    lines += _listed(
        {"id": ids[name], "at": at, "holds": holds, "tables": _ranges(numbers)}
        for (at, holds), name, numbers in sorted((lemma_of(n), n, where[n]) for n in where)
    )
    return "\n".join([*lines, "]", "}", ""])


def _in_file(result: KeptResult, ids: Mapping[str, str]) -> object:
    """Return a property as a file has it; it names invariants by their short names."""
    invariants = " ".join(ids[n] for n in result.by if n in ids)
    by = tuple(n for n in result.by if n not in ids)
    return msgspec.to_builtins(msgspec.structs.replace(result, invariants=invariants, by=by))


def _listed(items: Iterable[object]) -> list[str]:
    out = [f" {_json(item)}," for item in items]
    return [*out[:-1], out[-1].removesuffix(",")] if out else out


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def save(file: Path, kept_file: KeptFile) -> None:
    """Write a file. Raises OSError."""
    put(file, written(kept_file))


def put(file: Path, text: str) -> None:
    """Write the text of a file: first under another name, then renamed. Raises OSError."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    partial = Path(name)
    try:
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        partial.chmod(file.stat().st_mode & 0o777 if file.is_file() else READABLE)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


__all__ = [
    "KeptFile",
    "KeptResult",
    "KeptTable",
    "UselessProofs",
    "beside",
    "put",
    "read",
    "save",
    "table_of",
]
