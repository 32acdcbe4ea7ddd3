"""The table of a call: its rule set, its number of players, its options.

Input: RULES, `--players`, `--option`, `--spec-path`.
Output: an `Instance`.
Guarantee: whatever is wrong with them is a `UsageError` or a `SpecError`.
"""

from __future__ import annotations

import argparse

from golpae.cli.inputs import add_spec_path, given_options, spec_path
from golpae.cli.rule_sets import RULES_HELP
from golpae.elaborate.instance import Instance, TableFault, bounds, instantiate, options_of, undealable
from golpae.rule_names import UsageError, named, named_rule_set


def add_table(
    parser: argparse.ArgumentParser,
    players: str = "number of players (default: the fewest that the rules allow)",
) -> None:
    """Add the words that name a table; `players` is the help of `--players`."""
    add = parser.add_argument
    add("rules", metavar="RULES", help=RULES_HELP)
    add(
        "--players",
        metavar="N",
        type=int,
        help=players,
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
    instances = _tables_of(args, every=False)
    return None if instances is None else instances[0]


def tables_of(args: argparse.Namespace) -> list[Instance] | None:
    """Return the table that a call names; if it names no number of players, one for each. Raises the same."""
    return _tables_of(args, every=True)


def _tables_of(args: argparse.Namespace, every: bool) -> list[Instance] | None:
    given = given_options(args.option)
    places = spec_path(args)
    if places is None:
        return None
    rule_set = named_rule_set(named(args.rules, places))
    try:
        options = options_of(rule_set, given)
        low, high = bounds(rule_set, options)
        numbers = range(low, (high if every else low) + 1) if args.players is None else [args.players]
        tables = [instantiate(rule_set, players, options) for players in numbers]
    except TableFault as wrong:
        raise UsageError("--players", str(wrong)) from None
    dealable = [table for table in tables if undealable(table) is None]
    if not dealable:
        fault = undealable(tables[0])
        assert fault is not None
        advice = "give other options, or fewer players: `golpae lint` lists such tables"
        raise UsageError("--players", f"no deal is possible at this table: {fault[1]}", advice)
    return dealable
