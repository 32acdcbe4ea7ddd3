"""`golpae`: the verbs, and what every one of them promises.

Exit status: 0 holds, 1 does not hold, 2 the input is wrong, 3 unknown, 4 a fault in golpae itself. No input
ever gets a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from golpae import __version__

OK, FAILS, WRONG_INPUT, UNKNOWN, OUR_FAULT = 0, 1, 2, 3, 4
VERBS = {
    "check": "check recorded games against their rules",
    "legal": "list the events that can follow a recorded game",
    "score": "score a hand without a game",
    "show": "show a rule set clause by clause, with its sources",
    "lint": "look for faults in rule texts",
    "format": "bring rule texts into the one style",
}


class Parser(argparse.ArgumentParser):
    """An argument parser that names the nearest verb or option."""

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{self.prog}: {message[:1].lower()}{message[1:]}\n")
        sys.stderr.write(f"  help: `{self.prog} --help` tells how it is called\n")
        raise SystemExit(WRONG_INPUT)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb; gives its exit status."""
    _write_any_text()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else WRONG_INPUT
    except KeyboardInterrupt:
        sys.stderr.write("golpae: interrupted\n")
        return 130
    except BrokenPipeError:
        _let_go_of_stdout()
        return FAILS
    except Exception as fault:
        if os.environ.get("GOLPAE_DEBUG"):
            raise
        trace = fault.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})" if trace else ""
        sys.stderr.write(f"golpae: a fault in golpae itself{place}: {type(fault).__name__}: {fault}\n")
        sys.stderr.write("  help: please report it, with what GOLPAE_DEBUG=1 prints\n")
        return OUR_FAULT


def _run(words: list[str]) -> int:
    parser = Parser(prog="golpae", description="Check recorded tile games against rules that are written down once.")
    parser.add_argument("--version", action="version", version=f"golpae {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)
    wanted = next((w for w in words if not w.startswith("-")), None)
    for name, text in VERBS.items():
        verb = verbs.add_parser(name, help=text, description=text[:1].upper() + text[1:] + ".")
        if name == wanted:
            import_module(f"golpae.cli.{name}").arguments(verb)
    if wanted is not None and wanted not in VERBS:
        from golpae.diagnostics import near

        advice = near(wanted, VERBS) or f"the verbs are {', '.join(VERBS)}"
        sys.stderr.write(f"golpae: there is no verb `{wanted}`\n  help: {advice}\n")
        return WRONG_INPUT
    found = parser.parse_args(words)
    if found.verb is None:
        parser.print_help()
        return WRONG_INPUT
    status: int = import_module(f"golpae.cli.{found.verb}").run(found)
    sys.stdout.flush()
    return status


def _write_any_text() -> None:
    """Names in traces are any text; no terminal's encoding may stop a report."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _let_go_of_stdout() -> None:
    """Whoever read our output has closed it: nothing more to say, and nothing to complain of at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass
