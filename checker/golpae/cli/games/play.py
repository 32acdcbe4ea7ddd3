"""`golpae play`: play a game at the terminal, against policies or with others at one keyboard."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import sys
from pathlib import Path

from golpae import exit_codes
from golpae.beside import write_whole
from golpae.cli.arguments.table_of_call import add_table, table_of
from golpae.cli.inputs import (
    complain_of,
    refuse_numbers,
    spec_path,
    unnamed_output,
    unwritable,
)
from golpae.cli.terminal.browser import add_open, open_page, refuse_open
from golpae.cli.terminal.conversation import Conversation
from golpae.cli.terminal.output import printable
from golpae.cli.terminal.person import paint
from golpae.elaborate.instance import Instance
from golpae.replay.chance import WORDS, Chance
from golpae.replay.machine import Machine
from golpae.replay.simulate import header as header_of
from golpae.replay.simulate import written
from golpae.rule_names import UsageError, named
from golpae.simulate.match import Match
from golpae.simulate.policies import MADE, PERSON, PolicyFault, policies, seated
from golpae.simulate.sight import Sight
from golpae.simulate.traces import TraceFile
from golpae.trace import Header, InputFault, quoted, read_header
from golpae.trace.header import usual_names

MOST_SEEDS = 1_000_000  # of which one is drawn


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    add = parser.add_argument
    add(
        "--policy",
        metavar="NAME",
        default="greedy",
        help=f"how the others play: {', '.join(MADE)}, or MODULE:NAME for a policy in Python; `A,B,C` names one for "
        f"each seat, `{PERSON}` for a person at the keyboard (default: greedy, with you at seat 0)",
    )
    add("--names", metavar="A,B", help="names of the players")
    add("--seed", metavar="N", type=int, help="the same seed deals the same tiles (default: by chance)")
    add("--hands", metavar="N", type=int, help="hands, at most (default: as many as you like)")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="save the game to this file, as a trace; with `--web`, the page (default: RULES-match.html, if it is new)",
    )
    add("--web", action="store_true", help="write a page that plays the game alone, in a browser")
    add_open(parser, "the page that `--web` writes")


def run(args: argparse.Namespace) -> int:
    try:
        refuse_numbers(args, "players", "hands")
        if args.open and not args.web:
            raise UsageError("--open", "`--open` opens a page", "say `--web` too")
        if args.seed is not None and not 0 <= args.seed < WORDS:
            raise UsageError(
                "--seed", f"`--seed` must be a whole number from 0 to {WORDS - 1}, not `{args.seed}`"
            )
        table = table_of(args)
        if table is None:
            return exit_codes.WRONG_INPUT
        return _page(args, table) if args.web else _play(args, table)
    except PolicyFault as fault:
        complain_of(InputFault("--policy", fault.message, fault.advice))
    return exit_codes.WRONG_INPUT


def _play(args: argparse.Namespace, table: Instance) -> int:
    """Play a match. Raises `UsageError` and what a policy raises."""
    machine = Machine(table)
    names = seated(args.policy, table.players)
    players = [None if name == PERSON else name for name in names]
    made = iter(policies([name for name in players if name is not None], Sight(machine)))
    seed = secrets.randbelow(MOST_SEEDS) if args.seed is None else args.seed
    match = Match(machine, [None if name is None else next(made) for name in players], Chance(seed, 0))
    record = _Record(match, _header(args, machine))
    if args.output is not None:
        record.begin(args.output)
    width = shutil.get_terminal_size().columns
    conversation = Conversation(match, record.header, paint(), width, record.keep, record.save)
    about = ", ".join(
        f"{printable(name)} {how}" for name, how in zip(record.header.players, names, strict=True)
    )
    sys.stdout.write(f"{table.rule_set.title}: {about}; --seed {seed}\n")
    if match.people:
        sys.stdout.write("`help` says what you can write\n")
    try:
        conversation.run(args.hands or (None if match.people else 1))
    finally:
        saved = record.end()
    return exit_codes.HOLDS if saved else exit_codes.WRONG_INPUT


def _page(args: argparse.Namespace, table: Instance) -> int:
    """Write the page of a match. Raises `UsageError`."""
    from golpae.pages.clause_text import ClauseTexts
    from golpae.pages.match import POLICIES, match_page

    output = args.output or unnamed_output(f"{table.rule_set.rules}-match.html")
    refuse_open(args, output)
    if args.hands is not None:
        raise UsageError("--hands", "`--hands` has no meaning with `--web`")
    seats = seated(args.policy, table.players)
    for name in seats:
        if name not in POLICIES:
            raise PolicyFault(f"`{name}` does not play in a page", f"a page has {', '.join(POLICIES)}")
    header = _read(_header(args, Machine(table)))
    clauses = ClauseTexts([*named(args.rules, spec_path(args) or []).places]).of(table.rule_set.rules)
    page = match_page(table, header, seats, args.seed, clauses)
    if page is None:
        raise UsageError(
            "--web", "these rules cannot be made a module, which a page needs", "play at the terminal"
        )
    try:
        write_whole(Path(output), page)
    except OSError as fault:
        raise unwritable(output, fault) from None
    sys.stdout.write(f"{printable(output)}: {table.rule_set.title}, {table.players} players\n")
    if args.open:
        open_page(output)
    return exit_codes.HOLDS


def _header(args: argparse.Namespace, machine: Machine) -> dict[str, object]:
    """Return the header of the trace. Raises `UsageError`."""
    players = machine.instance.players
    names = usual_names(players)
    if args.names is not None:
        names = [name.strip() for name in args.names.split(",")]
        if len(names) != players:
            raise UsageError("--names", f"`--names` has {len(names)} names for {players} players")
    return {**header_of(machine), "players": names}


def _read(line: dict[str, object]) -> Header:
    """Return a header. Raises `UsageError`: its names may be no names."""
    read = read_header(line)
    if not isinstance(read, Header):
        raise UsageError("--names", read)
    return read


class _Record:
    """The trace of a match, in a file if the call names one: as it was before the last choice, at the least."""

    def __init__(self, match: Match, line: dict[str, object]) -> None:
        self._match, self._line = match, line
        self._path: Path | None = None
        self.header = _read(line)

    def begin(self, path: str) -> None:
        """Save to this file from now on. Raises `UsageError` if that is not possible, or would replace another game."""
        if os.path.lexists(path):
            raise UsageError(path, f"{quoted(path)} is there already", "name another file, or remove it")
        try:
            self._write(Path(path))
        except OSError as fault:
            raise unwritable(path, fault) from None
        self._path = Path(path)

    def keep(self) -> None:
        """Save the game so far; a fault is told, and the game goes on."""
        if self._path is not None:
            try:
                self._write(self._path)
            except OSError as fault:
                complain_of(unwritable(str(self._path), fault).fault)

    def save(self, path: str) -> str:
        """Save the game so far to another file; return what is told about that."""
        if os.path.lexists(path):
            return f"{quoted(path)} is there already: name another file"
        try:
            self._write(Path(path))
        except OSError as fault:
            return unwritable(path, fault).fault.message
        return self._saved(path)

    def end(self) -> bool:
        """Save the game, and tell where; if that fails, print it. Return whether it is saved."""
        if self._path is None:
            return True
        try:
            self._write(self._path)
        except OSError as fault:
            complain_of(unwritable(str(self._path), fault).fault)
            sys.stdout.write(self._text())
            return False
        sys.stdout.write(f"{self._saved(str(self._path))}\n")
        return True

    def _saved(self, path: str) -> str:
        events = len(self._match.events)
        return f"{printable(path)}: {events} event{'s' * (events != 1)}"

    def _text(self) -> str:
        lines = [self._line, *(written(self._match.machine, event) for event in self._match.events)]
        return "".join(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n" for line in lines)

    def _write(self, path: Path) -> None:
        with TraceFile(path) as file:
            file.write(self._text().encode())
