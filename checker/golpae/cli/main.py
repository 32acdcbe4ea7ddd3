"""`golpae`: the verbs, and what every one of them promises.

Exit status: 0 holds, 1 does not hold, 2 the input is wrong, 3 unknown, 4 a fault in golpae itself; 130 and
141, as of any program, where it is interrupted or nobody reads its output any more. No input ever gets a
traceback.
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from golpae import __version__

OK, FAILS, WRONG_INPUT, UNKNOWN, OUR_FAULT = 0, 1, 2, 3, 4
INTERRUPTED, UNHEARD = 130, 141
UNWRITABLE = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF}
VERBS = {
    "check": "check recorded games against their rules",
    "attribute": "find the rules that recorded games were played by",
    "legal": "list the events that can follow a recorded game",
    "score": "score a hand without a game",
    "show": "show a rule set clause by clause, with its sources",
    "compare": "find what one rule set changes against another",
    "prove": "prove what rule texts say of their games, or show that it does not hold",
    "lint": "look for faults in rule texts",
    "format": "bring rule texts into the one style",
}
# What argparse says, and what is said instead; its own words are kept where it says something else.
REWORDED = (
    (r"the following arguments are required: (.*)", r"\1 is missing"),
    (r"argument (--[\w-]+): expected one argument", r"`\1` needs a value"),
    (r"argument (--[\w-]+): ignored explicit argument '(.*)'", r"`\1` takes no value"),
    (r"argument (--[\w-]+): invalid int value: '(.*)'", r"`\1` is a whole number, not `\2`"),
    (r"argument (--[\w-]+): invalid float value: '(.*)'", r"`\1` is a number, not `\2`"),
    (
        r"argument (--[\w-]+): invalid choice: '(.*)' \(.*?(\w+)'?, '?(\w+)'?, '?(\w+)'?, '?(\w+)'?\)",
        r"`\1` is `\3`, `\4`, `\5` or `\6`, not `\2`",
    ),
    (
        r"argument (--[\w-]+): invalid choice: '(.*)' \(choose from '?(\w+)'?, '?(\w+)'?, '?(\w+)'?\)",
        r"`\1` is `\3`, `\4` or `\5`, not `\2`",
    ),
    (
        r"argument (--[\w-]+): invalid choice: '(.*)' \(.*?(\w+)'?, '?(\w+)'?\)",
        r"`\1` is `\3` or `\4`, not `\2`",
    ),
)


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks golpae's way and takes every option by its full name only."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        for pattern, words in REWORDED:
            if re.fullmatch(pattern, message, re.DOTALL):
                message = re.sub(pattern, words, message, flags=re.DOTALL)
                break
        self.refuse(message)

    def refuse(self, message: str, advice: str | None = None) -> NoReturn:
        """End here: the call is wrong."""
        advice = advice or f"`{self.prog} --help` tells how it is called"
        sys.stderr.write(f"{self.prog}: {_one_line(message)}\n  help: {advice}\n")
        raise SystemExit(WRONG_INPUT)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb; gives its exit status."""
    _write_any_text()
    sys.set_int_max_str_digits(1_000_000)  # stakes and their products are printed, however large
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else WRONG_INPUT
    except KeyboardInterrupt:
        with suppress(OSError):
            sys.stderr.write("golpae: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return UNHEARD
    except Exception as fault:
        if os.environ.get("GOLPAE_DEBUG"):
            raise
        return _fell(fault)


def _run(words: list[str]) -> int:
    parser = Parser(
        prog="golpae", description="Check recorded tile games against rules that are written down once."
    )
    parser.add_argument("--version", action="version", version=f"golpae {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)
    parsers = {
        name: verbs.add_parser(name, help=text, description=f"{text.capitalize()}.")
        for name, text in VERBS.items()
    }
    wanted = next((w for w in words if not w.startswith("-")), None)
    if wanted is None:
        parser.parse_args(words)  # `--help`, `--version`
        parser.print_help(sys.stderr)
        return WRONG_INPUT
    if wanted not in VERBS:
        from golpae.diagnostics import near

        parser.refuse(
            f"there is no verb `{wanted}`", near(wanted, VERBS) or f"the verbs are {', '.join(VERBS)}"
        )
    verb = import_module(f"golpae.cli.{wanted}")
    verb.arguments(parsers[wanted])
    at = words.index(wanted)
    if at and words[0] in ("--version", "--help", "-h"):
        parser.parse_args(words[:1])
    if at:
        parsers[wanted].refuse(f"`{words[0]}` stands before the verb", f"write `golpae {wanted} {words[0]}`")
    # options may stand between the words that a verb takes
    found, unknown = parsers[wanted].parse_known_intermixed_args(words[at + 1 :])
    if unknown:
        _refuse_word(parsers[wanted], unknown[0])
    status: int = verb.run(found)
    sys.stdout.flush()
    return status


def _refuse_word(parser: Parser, word: str) -> NoReturn:
    if not word.startswith("-"):
        parser.refuse(f"`{word}` is one word too many")
    from golpae.diagnostics import near

    name, _, _ = word.partition("=")
    known = [option for option in parser._option_string_actions if option.startswith("--")]
    parser.refuse(f"there is no option `{name}`", near(name, known))


def _fell(fault: Exception) -> int:
    """Say why golpae could not go on."""
    if isinstance(fault, OSError) and fault.errno in UNWRITABLE:
        reason = (fault.strerror or str(fault)).lower()
        with suppress(OSError):
            sys.stderr.write(f"golpae: the output cannot be written: {reason}\n")
        _let_go_of_output()
        return WRONG_INPUT
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})" if trace else ""
    with suppress(OSError):
        sys.stderr.write(
            f"golpae: a fault in golpae itself{place}: {type(fault).__name__}: {_one_line(str(fault))}\n"
        )
        sys.stderr.write("  help: please report it, with what GOLPAE_DEBUG=1 prints\n")
    return OUR_FAULT


def _write_any_text() -> None:
    """Names in traces are any text; neither a terminal's encoding nor a closed stream may stop a report."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as we run
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _let_go_of_output() -> None:
    """Nobody hears us any more: nothing to say, and nothing to complain of when Python closes its streams."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
            continue
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _one_line(text: str) -> str:
    short = text if len(text) <= 300 else text[:299] + "…"
    return "".join(c if c.isprintable() else " " for c in short)
