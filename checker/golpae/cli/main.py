"""`golpae`: its verbs, and what all of them guarantee.

Input: the words of a call.
Output: the verb's output, and its exit status (`exit_codes`).
Guarantee: no input ever gets a traceback.
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from golpae import __version__
from golpae.cli.defaults import WITHOUT, fill_in, words_of
from golpae.cli.terminal.streams import clean_streams, let_go_of_output
from golpae.cli.verbs import ABOUT, FILES, GAMES, VERBS, WITH_COMMAND, epilog, example
from golpae.diagnostics.hidden import on_one_line
from golpae.exit_codes import FAULT, HOLDS, INTERRUPTED, UNHEARD, UNKNOWN, WRONG_INPUT
from golpae.project import Project, ProjectFault, found
from golpae.signals import Ended, ends_when_asked
from golpae.unreadable import reason_of

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

USUAL_WIDTH, MARGIN = 80, 2  # of a terminal, and of help in it
NEW_OBJECTS = 50_000  # before a search for reference cycles, of which texts and games hold few
UNWRITABLE = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF}
LISTED = f"the verbs are {', '.join(sorted(VERBS))}"
EPILOG = """\
`golpae help TOPIC` shows how to call a verb, or explains a code or a word of the rules language. For example:
  golpae new harbour          begin a rule text of your own
  golpae show                 the games that come with golpae
  golpae check games.jsonl    recorded games, one JSON object a line
  golpae lint game.golpae     a rule text of your own"""
# Messages of argparse, and golpae's own; any other message stays.
MISSING = "the following arguments are required: "
REWORDED = (
    (rf"{MISSING}([^,]*)", r"\1 is missing"),
    (rf"{MISSING}(.*), ([^,]*)", r"\1 and \2 are missing"),
    (r"argument ([A-Z]\w*): invalid int value: '(.*)'", r"\1 must be a whole number, not `\2`"),
    (r"argument (--?[\w-]+): expected one argument", r"`\1` needs a value"),
    (r"argument (--?[\w-]+): ignored explicit argument '(.*)'", r"`\1` takes no value"),
    (r"argument (--?[\w-]+): invalid int value: '(.*)'", r"`\1` must be a whole number, not `\2`"),
    (r"argument (--?[\w-]+): invalid float value: '(.*)'", r"`\1` must be a number, not `\2`"),
)
CHOICES = re.compile(r"argument (--?[\w-]+|[A-Z]+): invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """An argument parser with golpae's messages, which takes every option by its full name only."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_width()),
        )
        self.words: Sequence[str] = ()  # of the call, for advice
        self.usual: str | None = None  # the file that has some of these words

    def error(self, message: str) -> NoReturn:
        advice = self._about_missing(message.removeprefix(MISSING)) if message.startswith(MISSING) else None
        message = re.sub(r"(-\w)/--[\w-]+", r"\1", message)  # an option with two names
        for pattern, words in REWORDED:
            if re.fullmatch(pattern, message, re.DOTALL):
                message = re.sub(pattern, words, message, flags=re.DOTALL)
                break
        wrong = CHOICES.fullmatch(message)
        if wrong is not None:
            *others, last = (f"`{choice}`" for choice in wrong[3].replace("'", "").split(", "))
            option = f"`{wrong[1]}`" if wrong[1].startswith("-") else wrong[1]
            message = f"{option} must be {', '.join(others)} or {last}, not `{wrong[2]}`"
        self.refuse(message, advice)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)  # argparse itself passes over a disk that is full

    def _about_missing(self, missing: str) -> str | None:
        """Return advice on a call that lacks a word: an option has taken it, or there is none."""
        for option, value in () if missing.startswith("-") else pairwise(self.words):
            taking = self._option_string_actions.get(option)
            if taking is not None and taking.nargs is None and os.path.exists(value):
                return f"`{option}` has taken `{value}`: give `{option}` its own {taking.metavar or 'value'}"
        call = example(self.prog.rpartition(" ")[2])
        return f"for example `{call}`; `{self.prog} --help` says more" if call else None

    def refuse(self, message: str, advice: str | None = None) -> NoReturn:
        """End the program: the call is wrong."""
        advice = advice or f"`{self.prog} --help` shows how to call it"
        advice += f"; options of `{self.usual}` count, too" if self.usual else ""
        sys.stderr.write(f"{self.prog}: {_one_line(message)}\n  help: {on_one_line(advice)}\n")
        raise SystemExit(WRONG_INPUT)


def _width() -> int:
    """Return the width of help, as argparse has it. It makes a formatter for each option that is added, and looks up
    the width of the terminal for each, with a module that imports much.
    """
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
        except (AttributeError, ValueError, OSError):
            columns = 0
    return (columns or USUAL_WIDTH) - MARGIN


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb and return its exit status."""
    sys.set_int_max_str_digits(1_000_000)  # stakes and their products are printed, however large
    gc.set_threshold(NEW_OBJECTS)
    words = list(sys.argv[1:] if argv is None else argv)
    with clean_streams(), ends_when_asked() as end_requests:
        try:
            status = _run(words)  # a verb may tell what it has found, and return
            return end_requests.status or status
        except Ended:
            return end_requests.status or INTERRUPTED
        except KeyboardInterrupt:
            with suppress(OSError):
                sys.stderr.write("golpae: interrupted\n")
            return INTERRUPTED
        except BrokenPipeError:
            let_go_of_output()
            return UNHEARD
        except Exception as fault:
            if _is_interrupt(fault):
                return end_requests.status or INTERRUPTED
            if os.environ.get("GOLPAE_DEBUG"):
                raise
            if _is_of_input(fault):
                return WRONG_INPUT
            from golpae.ir.limits import TooManySteps

            if isinstance(fault, TooManySteps):
                sys.stderr.write(f"golpae: {fault}\n  help: {fault.advice}\n")
                return WRONG_INPUT
            return _crashed(fault)


def _run(words: list[str]) -> int:
    """Run a verb and return its exit status. Raises what ends it early, also while its last output is written."""
    try:
        status = _run_verb(words)
    except SystemExit as stop:  # help, the version, or a wrong call
        status = stop.code if isinstance(stop.code, int) else WRONG_INPUT
    sys.stdout.flush()
    return status


def _run_verb(words: list[str]) -> int:
    verb = next((w for w in words if not w.startswith("-")), None)
    if verb is None:
        parser = _parser()
        parser.parse_args(words)  # `--help`, `--version`
        parser.print_help(sys.stderr)
        return WRONG_INPUT
    if verb not in VERBS:
        from golpae.diagnostics import near

        _parser().refuse(f"there is no verb `{verb}`", near(verb, VERBS) or LISTED)
    at = words.index(verb)
    if verb == "help":
        return _help(words[:at] + words[at + 1 :])
    module = _module(verb)
    parser = parser_of(verb)
    if at and words[0] in ("--version", "--help", "-h"):
        _parser().parse_args(words[:1])
    if at:
        parser.refuse(f"`{words[0]}` is before the verb", f"write `golpae {verb} {words[0]}`")
    own, command = _and_command(words[at + 1 :]) if verb in WITH_COMMAND else (words[at + 1 :], [])
    given = _with_plain_names(own)
    passed_over = verb in WITHOUT or any(word in ("-h", "--help", "--all") for word in given)
    project = None if passed_over else _project(parser, verb)
    if project is not None and (usual := _usual(parser, verb, project)):
        parser.usual, given = project.file, [*usual, *given]
    parser.words = given
    # options may stand between the words that a verb takes
    args, unknown = parser.parse_known_intermixed_args(given)
    if unknown:
        _refuse_word(parser, unknown[0])
    args.settings = project
    if verb in WITH_COMMAND:
        args.command = command
    status: int = module.run(args)
    return status


def _project(parser: Parser, verb: str) -> Project | None:
    """Return the settings of the project of this call, whose files stand for those that it does not name."""
    try:
        project = found(list(VERBS), partial(_passed_over, parser.prog))
    except ProjectFault as fault:
        parser.refuse(str(fault), fault.advice)
    if project is not None:
        fill_in(parser, verb, project)
    return project


def _passed_over(prog: str, file: str) -> None:
    """Say that the settings in a file are not used."""
    sys.stderr.write(f"{prog}: `{on_one_line(file)}` belongs to another user, and is not used\n")
    sys.stderr.write("  help: make it your own; or write `GOLPAE_SETTINGS=any` before the call to use it\n")


def _usual(parser: Parser, verb: str, project: Project) -> list[str]:
    """Return the usual options of a verb as words of a call."""
    try:
        return [*words_of(parser, verb, project)]
    except ProjectFault as fault:
        parser.refuse(str(fault), fault.advice)


def _module(verb: str) -> ModuleType:
    folder = "games" if verb in GAMES else "about" if verb in ABOUT else "rules"
    if verb in FILES:
        folder = "files"
    return import_module(f"golpae.cli.{folder}.{verb}")


def parser_of(verb: str) -> Parser:
    """Return the parser of the words after a verb."""
    parser = Parser(f"golpae {verb}", f"{VERBS[verb].capitalize()}.", epilog(verb))
    if verb == "help":
        about = "a verb, a code such as `N001`, a word of the rules language, or a heading of the pages of the language"
        parser.add_argument("topic", metavar="TOPIC", nargs="*", help=about)
    else:
        _module(verb).arguments(parser)
    return parser


def _help(words: list[str]) -> int:
    """Print the help of golpae, or of the topic that follows, and return the exit status."""
    named = [word for word in words if word not in ("-h", "--help")]
    topic = " ".join(named)
    if not named:
        _parser().print_help(sys.stdout)
        return HOLDS
    from golpae.cli.about.topics import pages

    language = pages()
    if topic in VERBS:
        parser_of(topic).print_help(sys.stdout)
        if sections := language.explained(topic):
            calls = ", ".join(f"`golpae help {title.lower()}`" for title in sections)
            sys.stdout.write(f"\n`{topic}` is a word of the rules language, too: {calls}\n")
        return HOLDS
    said = language.about(topic)
    if said is None:
        advice = (
            language.near(topic, [*VERBS])
            or f"a verb, a code such as `N001`, or a word of the language; {LISTED}"
        )
        parser_of("help").refuse(f"there is no help on `{topic}`", advice)
    sys.stdout.write(f"{said}\n")
    return HOLDS


def _parser() -> Parser:
    """Return the parser of a call without a verb, which lists them."""
    parser = Parser("golpae", "Check recorded tile games against rules that are written down once.", EPILOG)
    parser.add_argument("--version", action="version", version=f"golpae {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)
    for name, text in VERBS.items():
        verbs.add_parser(name, help=text, description=f"{text.capitalize()}.")
    return parser


def _and_command(words: list[str]) -> tuple[list[str], list[str]]:
    """Split the words of a call at `--`: those of golpae, and the command of another program."""
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end + 1 :]


def _with_plain_names(words: list[str]) -> list[str]:
    """Return the words of a call; after `--`, names of files that begin with `-` stand as paths (`./-x`)."""
    if "--" not in words:
        return words
    end = words.index("--")
    return [*words[:end], *(f"./{w}" if w.startswith("-") and w != "-" else w for w in words[end + 1 :])]


def _refuse_word(parser: Parser, word: str) -> NoReturn:
    if not word.startswith("-"):
        parser.refuse(f"unexpected argument `{word}`")
    from golpae.diagnostics import near

    name, _, _ = word.partition("=")
    options = [option for option in parser._option_string_actions if option.startswith("--")]
    parser.refuse(f"there is no option `{name}`", near(name, options))


def _is_interrupt(fault: BaseException | None) -> bool:
    """Return whether an exception comes from Ctrl-C: Python wraps that in another one at some places."""
    while fault is not None:
        if isinstance(fault, KeyboardInterrupt):
            return True
        fault = fault.__cause__ or fault.__context__
    return False


def _is_of_input(fault: Exception) -> bool:
    """Return whether a verb has refused what it was given: a rule text, or the words of its call. Say why."""
    from golpae.cli.inputs import complain, complain_of
    from golpae.diagnostics import SpecError
    from golpae.rule_names import UsageError

    with suppress(OSError):
        if isinstance(fault, SpecError):
            complain(fault)
        elif isinstance(fault, UsageError):
            complain_of(fault.fault)
    return isinstance(fault, SpecError | UsageError)


def _crashed(fault: Exception) -> int:
    """Print why golpae could not go on and return the exit status."""
    if isinstance(fault, OSError) and fault.errno in UNWRITABLE:
        reason = reason_of(fault)
        with suppress(OSError):
            sys.stderr.write(f"golpae: the output cannot be written: {reason}\n")
        let_go_of_output()
        return WRONG_INPUT
    if isinstance(fault, MemoryError):
        with suppress(OSError):
            sys.stderr.write(
                "golpae: the memory is not enough for this input; what was not shown is unknown\n"
            )
            sys.stderr.write("  help: give golpae more memory, or less input at a time\n")
        return UNKNOWN
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})" if trace else ""
    from golpae.kernel.disagreement import PathDisagreement

    advice = "report it, with what golpae prints if GOLPAE_DEBUG=1 is set"
    if isinstance(fault, PathDisagreement):
        from golpae.cli.games.two_ways import of_fault

        advice = of_fault(fault)
    with suppress(OSError):
        sys.stderr.write(
            f"golpae: a fault in golpae itself{place}: {type(fault).__name__}: {_one_line(str(fault))}\n"
        )
        sys.stderr.write(f"  help: {advice}\n")
    return FAULT


def _one_line(text: str) -> str:
    short = text if len(text) <= 300 else text[:299] + "…"
    return on_one_line(short)
