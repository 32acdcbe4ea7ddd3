"""The options of `golpae compare`.

Input: a parser. Output: the parser with the options.
Guarantee: importing this module loads no part of the comparison that takes long.
"""

from __future__ import annotations

import argparse

from golpae.cli.inputs import add_limits, add_no_cache, add_processes, add_spec_path, add_tables
from golpae.cli.rule_sets import RULES_HELP
from golpae.compare.comparison import LAYERS
from golpae.compare.games.verdict import VERDICTS
from golpae.report.ci.forms import FORMS


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [options] A B\n       %(prog)s [options] --matrix RULES\n"
        "       %(prog)s [options] 'GAME+*' --switch NAME"
    )
    _what_to_compare(parser)
    _which_answer(parser)
    _recorded_games(parser)
    _options_of_switches(parser)
    add = parser.add_argument
    add_processes(parser)
    add_limits(parser, "a table, or a switch at one,", "1800")
    add(
        "--hands",
        metavar="N",
        type=int,
        help="random hands for sizes (default: a million, or as many as take some seconds)",
    )
    add_no_cache(parser)
    add_spec_path(parser)


def _what_to_compare(parser: argparse.ArgumentParser) -> None:
    """Add the rule sets and their tables."""
    add = parser.add_argument
    add(
        "words",
        nargs="*",
        metavar="A B",
        help=f"two rule sets: {RULES_HELP}; a file can be one in git (`REVISION:path`). B can be a variant or reading "
        "of the game of A",
    )
    for side in ("a", "b"):
        add(f"--name-{side}", metavar="NAME", help=f"what to call {side.upper()} in the answer")
    add("--matrix", metavar="RULES", help="compare a game and its variants and readings with one another")
    add_tables(parser)


def _which_answer(parser: argparse.ArgumentParser) -> None:
    """Add what is compared, and in which form the answer is written."""
    add = parser.add_argument
    add(
        "--expect",
        choices=VERDICTS,
        help="what B should allow, compared with A; otherwise the exit status is 1",
    )
    add(
        "--layer",
        choices=LAYERS,
        action="append",
        default=[],
        help="only compare the texts, the games (`meaning`), or how much differs (`size`); may be given several times",
    )
    add(
        "--format",
        choices=("table", "json", *FORMS),
        default="table",
        help="for people, for programs, for a page in Markdown, or for continuous integration: JUnit, SARIF, commands "
        "of GitHub's workflows",
    )
    add("--witnesses", metavar="DIR", help="write each game that refutes a claim to this folder, as a trace")


def _recorded_games(parser: argparse.ArgumentParser) -> None:
    """Add the recorded games that are compared."""
    add = parser.add_argument
    add(
        "--games",
        metavar="FILE",
        action="append",
        default=[],
        help="recorded games (a file or a folder): the shortest that shows a difference is the answer, and no shorter "
        "one is looked for; may be given several times",
    )
    add(
        "--traces",
        metavar="FILE",
        action="append",
        default=[],
        help="tell instead what B would have changed in recorded games (a file or a folder): verdicts, payments, "
        "scores; may be given several times",
    )


def _options_of_switches(parser: argparse.ArgumentParser) -> None:
    """Add the switches of a family."""
    add = parser.add_argument
    add(
        "--switch",
        metavar="NAME",
        action="append",
        default=[],
        help="with `GAME+*`: tell what this variant or reading changes, over all settings of the others; may be given "
        "several times",
    )
    add(
        "--except",
        dest="left_out",
        metavar="NAME",
        action="append",
        help="with `GAME+*`: leave out the rule sets with this variant or reading; may be given several times",
    )
