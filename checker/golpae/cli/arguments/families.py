"""`golpae prove 'GAME+*'`: what holds for which rule sets of a game.

Input: the words of the call and its options. Output: a table or JSON, and the exit status.
Guarantee: results come in the order of the text and of the numbers of players, on any number of processes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import given_options, processors
from golpae.diagnostics import SpecError, near, quoted_list
from golpae.diagnostics.amounts import many
from golpae.elaborate.instance import TableFault, bounds, options_of, wrong_number
from golpae.elaborate.load import shown
from golpae.elaborate.names import find
from golpae.elaborate.resolve import split
from golpae.progress import Progress
from golpae.report.ci.forms import FORMS
from golpae.report.families.proofs import forbidden, table, to_json
from golpae.rule_names import UsageError, named, named_rule_set
from golpae.trace import quoted
from golpae.unreadable import reason_of
from golpae.verify.families.kept import KeptFamily, beside, read, save
from golpae.verify.families.results import FamilyResult
from golpae.verify.families.scheduler import (
    FamilyCall,
    FamilyName,
    decide_family,
    groups,
    names_of,
)
from golpae.verify.kept_files import put_aside
from golpae.verify.options import SECONDS_FOR_MANY, Settings
from golpae.verify.properties import PRIVATE

EVERY = "+*"  # what stands for all combinations behind the name of a game


def prove_families(
    args: argparse.Namespace,
    words: Sequence[str],
    places: Sequence[Path],
    settings: Settings,
    progress: Progress,
) -> tuple[list[FamilyResult], tuple[str, ...], FamilyName]:
    """Return the result of each property at each table of a family, the names of the game's switches, and the family.

    Raises `UsageError` and `SpecError`.
    """
    for option in ("smt2", "cross_check", "certificate", "locked", "seeds", "measure"):
        if getattr(args, option):
            word = "--" + option.replace("_", "-")
            raise UsageError(word, f"`{word}` is for single rule sets, not for `{words[0]}`")
    if not words[0].endswith(EVERY) or len(words) > 2 or any(word.endswith(EVERY) for word in words[1:]):
        other = words[0] if not words[0].endswith(EVERY) else words[-1]
        every = next(word for word in words if word.endswith(EVERY))
        raise UsageError(other, f"`{every}` stands alone: {quoted(other)} needs a call of its own")
    name, known, players, options = family_of(words[0], args, places)
    only = words[1] if len(words) == 2 else None
    if args.write and (only is not None or name.fixed or name.left_out):
        message = f"`--write` keeps all properties of all rule sets, not those of `{' '.join(words)}`"
        raise UsageError("--write", message, f"write `golpae prove '{name.base}{EVERY}' --write`")
    properties = names_of(name)
    if only is not None and only not in properties:
        if only in _shares(name, known):
            message = f"{quoted(only)} states a share of hands, which is measured for single rule sets"
            base = words[0].removesuffix(EVERY).removesuffix("".join(f"+{switch}" for switch in name.fixed))
            raise UsageError(only, message, f"write `golpae prove {base} {only}`")
        if only == PRIVATE.name:
            message = f"{quoted(only)} is decided for single rule sets"
            raise UsageError(only, message, f"write `golpae prove {name.base} {only}`")
        advice = near(only, properties) or f"its properties are {', '.join(quoted(n) for n in properties)}"
        raise UsageError(only, f"`{words[0]}` has no property {quoted(only)}", advice)
    settings = replace(settings, seconds=args.time_limit or SECONDS_FOR_MANY)
    call = FamilyCall(name, players, options, settings, only, () if args.anew else _kept(name, settings))
    family_results = list(
        decide_family(call, args.jobs or processors(), not args.no_cache and not args.anew, progress)
    )
    if not (args.write or name.fixed or name.left_out):
        _tell(call.kept, family_results, name)
    return family_results, known, name


def _shares(name: FamilyName, switches: Sequence[str]) -> set[str]:
    """Return the names of the shares of hands that a game states, by itself or with one of its switches."""
    rules = (name.base, *(f"{name.base}+{switch}" for switch in switches))
    return {share.name for one in rules for share in name.load(one).shares}


def _tell(
    kept_families: Sequence[KeptFamily], family_results: Sequence[FamilyResult], name: FamilyName
) -> None:
    """Say on standard error how many properties hold elsewhere than is kept."""
    where = {
        (table.players, tuple(sorted(table.options.items())), prop.name): prop.where
        for table in kept_families
        for prop in table.properties
    }
    asked = [
        (said, dict(result.conditions))
        for result in family_results
        if (said := where.get((result.players, tuple(sorted(result.options.items())), result.name)))
        is not None
    ]
    wrong = sum(said != now for said, now in asked)
    text = find(name.base, name.places)
    if wrong and text is not None:
        sys.stderr.write(
            f"golpae: {wrong} of {many(len(asked), 'property')} {'holds' if wrong == 1 else 'hold'} elsewhere than "
            f"{quoted(shown(beside(text)))} says\n  help: `golpae prove '{name.base}{EVERY}' --write` writes it anew\n"
        )


def _kept(name: FamilyName, settings: Settings) -> tuple[KeptFamily, ...]:
    """Return the results stored beside the text about all rule sets of its game; none if the effort or the seed is not
    the default one.
    """
    text = find(name.base, name.places)
    if text is None or settings.counted != Settings().counted:
        return ()
    return read(beside(text))


def family_of(
    word: str, args: argparse.Namespace, places: Sequence[Path]
) -> tuple[FamilyName, tuple[str, ...], tuple[int, ...], dict[str, int]]:
    """Return the family that `GAME+*` names, all switches of the game, the numbers of players, and the options.

    Raises `UsageError` and `SpecError`.
    """
    rules = named(word.removesuffix(EVERY), places)
    rule_set = named_rule_set(rules)
    base, fixed = split(rules.rules)
    known = [s.name for s in rule_set.switches]
    left_out = left_out_of(getattr(args, "left_out", None) or (), word, rules.rules, known)
    try:
        options = options_of(rule_set, given_options(args.option))
        low, high = bounds(rule_set, options)
        for switch in rule_set.switches:  # one of them may allow other numbers of players
            if "players" in switch.paths and switch.name not in (*fixed, *left_out):
                with suppress(SpecError):  # it cannot be combined with those that are fixed
                    other = named_rule_set(replace(rules, rules=f"{rules.rules}+{switch.name}"))
                    least, most = bounds(other, options_of(other, options))
                    low, high = min(low, least), max(high, most)
    except TableFault as fault:
        raise UsageError("--option", str(fault)) from None
    players = tuple(n for n in range(low, high + 1) if args.players in (None, n))
    if not players:
        raise UsageError("--players", wrong_number(rules.rules, low, high, args.players))
    name = FamilyName(base, fixed, left_out, tuple(rules.places))
    return name, tuple(known), players, options


def left_out_of(words: Sequence[str], word: str, rules: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the switches that `--except` leaves out of `GAME+*`, each once. `rules` names what is on in all of it.
    Raises `UsageError`.
    """
    base, fixed = split(rules)
    for one in words:
        if one not in known:
            message = f"{quoted(base)} has no variant or reading {quoted(one)}"
            advice = near(one, known) or (
                f"its variants and readings are {quoted_list(known)}" if known else None
            )
            raise UsageError("--except", message, advice)
        if one in fixed:
            raise UsageError("--except", f"all rule sets of {quoted(word)} have {quoted(one)}: none is left")
    return tuple(dict.fromkeys(words))


def keep_families(family_results: Sequence[FamilyResult], name: FamilyName) -> int:
    """Write what was found beside the text. Return the exit status of writing."""
    text = find(name.base, name.places)
    if text is None or not family_results:
        return exit_codes.HOLDS
    file = beside(text)
    try:
        if os.path.lexists(file) and not read(file):
            sys.stderr.write(f"golpae: what was there is now {quoted(shown(put_aside(file)))}\n")
        save(file, family_results, groups(name)[0], name.load)
    except OSError as fault:
        reason = reason_of(fault)
        sys.stderr.write(f"golpae: {quoted(shown(file))} cannot be written: {reason}\n")
        return exit_codes.WRONG_INPUT
    return exit_codes.HOLDS


def save_witnesses(family_results: Sequence[FamilyResult], folder: Path) -> None:
    """Write each game that shows something to a folder, as a trace."""
    from golpae.search.witness import save_witness

    for result in family_results:
        for part in result.parts:
            if part.witness is not None and part.witness.events and part.rules is not None:
                events = part.witness.events
                save_witness(folder, result.name, part.rules, result.players, result.options, events)


def show_families(
    family_results: Sequence[FamilyResult], names: Sequence[str], form: str, whole: bool, name: FamilyName
) -> int:
    """Print the results in a format; with `whole`, all games that show something. Return the exit status."""
    status = _status(family_results)
    if form in FORMS:
        from golpae.cli.terminal.ci import put_run
        from golpae.report.ci.places import TextPlaces
        from golpae.report.ci.proofs import proofs_of_families

        return put_run(proofs_of_families(family_results, status, TextPlaces(name.places)), form)
    if form == "json":
        sys.stdout.write(json.dumps(to_json(family_results, names), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write("".join(f"{line.rstrip()}\n" for line in table(family_results, whole)))
        sys.stdout.write("".join(f"left out: {line}\n" for line in forbidden(groups(name)[0])))
    return status


def _status(family_results: Sequence[FamilyResult]) -> int:
    """Return the exit status of results."""
    if any(result.unexpected is not None for result in family_results):
        return exit_codes.FAILS
    return exit_codes.HOLDS if all(result.is_decided for result in family_results) else exit_codes.UNKNOWN
