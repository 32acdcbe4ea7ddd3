"""`golpae format`: rule texts in the one style."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from golpae.cli.inputs import complain
from golpae.diagnostics import SpecError, Text


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="rule texts, or `-` for standard input to standard output"
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail where a text is not in the style"
    )


def run(found: argparse.Namespace) -> int:
    status = 0
    for name in found.files:
        status = max(status, _standard_input(found.check) if name == "-" else _file(Path(name), found.check))
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
    try:
        content = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        sys.stderr.write(f"golpae: standard input is no UTF-8 text (byte {fault.start})\n")
        return 2
    out = _formatted(Text.of("<stdin>", content.replace("\r\n", "\n")))
    if out is None:
        return 2
    if check:
        return 0 if out == content else 1
    sys.stdout.write(out)
    return 0


def _file(path: Path, check: bool) -> int:
    from golpae.elaborate.load import read

    try:
        text, _ = read(path)
    except SpecError as fault:
        complain(fault)
        return 2
    out = _formatted(text)
    if out is None:
        return 2
    if path.read_bytes() == out.encode():
        return 0
    if check:
        sys.stdout.write(
            f"{text.name}: not in the style\n  help: `golpae format {text.name}` brings it there\n"
        )
        return 1
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(out.encode())
        beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except OSError as fault:
        beside.unlink(missing_ok=True)
        sys.stderr.write(f"golpae: `{text.name}` cannot be written: {fault.strerror}\n")
        return 2
    sys.stdout.write(f"{text.name}: formatted\n")
    return 0
