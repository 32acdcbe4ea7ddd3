"""`golpae format`: rule texts in the one style."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import complain, complain_of
from golpae.diagnostics import SpecError, Text
from golpae.rule_names import UsageError
from golpae.trace import Source


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="rule texts to rewrite, folders of them, or `-` to read standard input and write standard output",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="change no file; the exit status is 1 if a text is not in the style",
    )


def run(args: argparse.Namespace) -> int:
    status = exit_codes.HOLDS
    for name in args.files:
        status = max(status, _standard_input(args.check) if name == "-" else _named(name, args.check))
    return status


def _named(name: str, check: bool) -> int:
    from golpae.rule_names import existing, texts_in

    status = exit_codes.HOLDS
    try:
        files = [str(file) for file in texts_in(name)] if os.path.isdir(name) else [name]
    except UsageError as error:
        complain_of(error.fault)
        return exit_codes.WRONG_INPUT
    for file in files:
        try:
            status = max(status, _file(existing(file), check))
        except UsageError as error:  # of a folder, this file costs no other
            complain_of(error.fault)
            status = exit_codes.WRONG_INPUT
    return status


def _formatted(text: Text) -> str | None:
    from golpae.syntax.format import format_text
    from golpae.syntax.parse import parse

    try:
        return format_text(parse(text))
    except SpecError as fault:
        complain(fault)
        return None


def _standard_input(check: bool) -> int:
    from golpae.elaborate.load import LARGEST, decoded, unreadable

    try:
        content = Source("-").open().read(LARGEST + 1)
    except OSError as fault:
        complain(unreadable("<stdin>", fault))
        return exit_codes.WRONG_INPUT
    try:
        out = _formatted(decoded(content, "<stdin>"))
    except SpecError as fault:
        complain(fault)
        return exit_codes.WRONG_INPUT
    if out is None:
        return exit_codes.WRONG_INPUT
    if check:
        return exit_codes.HOLDS if out.encode() == content else exit_codes.FAILS
    sys.stdout.write(out)
    return exit_codes.HOLDS


def _file(path: Path, check: bool) -> int:
    from golpae.elaborate.load import read

    try:
        text, _ = read(path)
    except SpecError as fault:
        complain(fault)
        return exit_codes.WRONG_INPUT
    out = _formatted(text)
    if out is None:
        return exit_codes.WRONG_INPUT
    if path.read_bytes() == out.encode():
        return exit_codes.HOLDS
    if check:
        sys.stdout.write(f"{text.name}: not in the style\n  help: `golpae format {text.name}` formats it\n")
        return exit_codes.FAILS
    try:
        _replace(Path(os.path.realpath(path)), out.encode())
    except OSError as fault:
        sys.stderr.write(f"golpae: `{text.name}` cannot be written: {fault.strerror}\n")
        return exit_codes.WRONG_INPUT
    sys.stdout.write(f"{text.name}: formatted\n")
    return exit_codes.HOLDS


def _replace(path: Path, content: bytes) -> None:
    """Give a file new content; other names of the file (hard links) get it too. Raises OSError."""
    about = path.stat()
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "permission denied")
    handle, beside = tempfile.mkstemp(prefix=".golpae-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(beside, about.st_mode & 0o777)
        if about.st_nlink == 1:
            os.replace(beside, path)
            return
        with path.open("r+b") as file:
            file.write(content)
            file.truncate()
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
