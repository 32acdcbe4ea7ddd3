"""The table of a call: its rule set, its number of players, its options.

Input: RULES, `--players`, `--option`, `--spec-path`.
Output: an `Instance`.
Guarantee: whatever is wrong with them is a `UsageError` or a `SpecError`.
"""

from __future__ import annotations

import argparse

from golpae.cli.inputs import add_spec_path, given_options, spec_path
from golpae.cli.rule_sets import RULES_HELP
from golpae.elaborate.instance import Instance, TableFault, bounds, instantiate, options_of
from golpae.rule_names import UsageError, named, named_rule_set


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the words that name a table."""
    add = parser.add_argument
    add("rules", metavar="RULES", help=RULES_HELP)
    add(
        "--players",
        metavar="N",
        type=int,
        help="number of players (default: the fewest that the rules allow)",
    )
    add(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="play with this option; may be given several times",
    )
    add_spec_path(parser)


def table_of(args: argparse.Namespace) -> Instance | None:
    """Return the table that a call names, or None after a complaint. Raises `UsageError` and `SpecError`."""
    given = given_options(args.option)
    places = spec_path(args)
    if places is None:
        return None
    rule_set = named_rule_set(named(args.rules, places))
    try:
        options = options_of(rule_set, given)
        players = bounds(rule_set, options)[0] if args.players is None else args.players
        return instantiate(rule_set, players, options)
    except TableFault as fault:
        raise UsageError("--players", str(fault)) from None
