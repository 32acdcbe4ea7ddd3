"""`golpae compare 'GAME+*' --switch NAME`: what one switch changes, over all settings of the others.

Input: the words of the call and its options. Output: a table, JSON or a format of continuous integration, and the exit
status.
Guarantee: results come in the order of the switches and of the numbers of players, on any number of processes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from golpae import exit_codes
from golpae.cli.arguments.families import EVERY, family_of
from golpae.cli.inputs import make_folder, processors
from golpae.compare.scores.of_switch import hand_changes
from golpae.diagnostics import near, quoted_list
from golpae.progress import Progress, Shown
from golpae.report.ci.forms import FORMS
from golpae.report.families.switches import table, to_json
from golpae.rule_names import UsageError
from golpae.trace import quoted
from golpae.unreadable import reason_of
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import SECONDS_FOR_MANY, Settings
from golpae.verify.switches.changes import SwitchCall, decide_switches
from golpae.verify.switches.of_switch import Changes

NOT_ASKED = ("layer", "expect", "games", "hands", "matrix", "traces")


def compare_switches(args: argparse.Namespace, places: Sequence[Path]) -> int:
    """Print what switches change. Raises `UsageError`, `SpecError`."""
    for option in NOT_ASKED:
        if getattr(args, option):
            word = "--" + option.replace("_", "-")
            raise UsageError(word, f"`--switch` asks about all rule sets of a game, without `{word}`")
    if len(args.words) != 1 or not args.words[0].endswith(EVERY):
        advice = f"for example `golpae compare 'game{EVERY}' --switch variant`"
        raise UsageError("--switch", f"`--switch` needs a game with `{EVERY}`, and nothing else", advice)
    name, known, players, options = family_of(args.words[0], args, places)
    free = [one for one in known if one not in (*name.fixed, *name.left_out)]
    for switch in args.switch:
        if switch in name.left_out:
            raise UsageError(
                "--except", f"`--except {switch}` leaves out what `--switch {switch}` asks about"
            )
        if switch not in free:
            advice = near(switch, free) or f"its variants and readings are {quoted_list(free)}"
            raise UsageError("--switch", f"`{args.words[0]}` has no switch {quoted(switch)}", advice)
    make_folder(args.witnesses)
    settings = Settings(
        effort=1 if args.effort is None else args.effort,
        seed=1 if args.seed is None else args.seed,
        seconds=args.time_limit or SECONDS_FOR_MANY,
    )
    if args.memory_limit is not None:
        settings = replace(settings, megabytes=args.memory_limit)
    call = SwitchCall(name, tuple(dict.fromkeys(args.switch)), players, options, settings)
    with Shown(Progress("reading rules")) as progress:
        changes = list(decide_switches(call, args.jobs or processors(), not args.no_cache, progress))
        family, _ = groups(name)
        changes = [
            replace(one, hands=tuple(hand_changes(name, family, one, options, settings))) for one in changes
        ]
    is_open = any(one.unknown or any(hands.unknown for hands in one.hands) for one in changes)
    status = exit_codes.UNKNOWN if is_open else exit_codes.HOLDS
    if args.witnesses is not None:
        _save(changes, name, options, Path(args.witnesses))
    if args.format in FORMS:
        from golpae.cli.terminal.ci import put_run
        from golpae.report.ci.places import TextPlaces
        from golpae.report.ci.switches import changed_by_switches

        texts = TextPlaces(name.places)
        return put_run(changed_by_switches(name.rules, options, changes, family, status, texts), args.format)
    if args.format == "json":
        value = {"results": to_json(name.rules, options, changes, family), "status": status}
        sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in table(name.rules, options, changes, family)))
    return status


def _save(found: Sequence[Changes], name: FamilyName, options: dict[str, int], folder: Path) -> None:
    """Write each game that shows something to a folder, as a trace of the rules that allow it."""
    from golpae.search.witness import save_witness

    for changes in found:
        for game in changes.shown:
            about = f"{changes.switch}-{game.at}"
            try:
                save_witness(folder, about, game.rules, changes.players, options, game.events)
            except OSError as fault:
                reason = reason_of(fault)
                raise UsageError(
                    str(folder), f"{quoted(str(folder))} cannot be written to: {reason}"
                ) from None
