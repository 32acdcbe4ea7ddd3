"""`golpae score`: what is a hand worth, without a game?"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from golpae import exit_codes
from golpae.cli.inputs import add_spec_path, complain_of, opened, reading
from golpae.cli.rule_sets import RULES_HELP, FaultyTexts, rules_to_play
from golpae.cli.terminal.output import MOST_TOLD, json_text, printable, put_json
from golpae.corpus.paths import Paths, begin, is_large
from golpae.elaborate.names import ENDING
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import SCORE, Fault, Misfit, Scored, Wait, Waiting, score_hand
from golpae.rule_names import UsageError, is_file, without_switches
from golpae.trace import InputFault, Source, is_header, lines, quoted, sources

if TYPE_CHECKING:
    from golpae.corpus.hands import CompiledHand

DISAGREE = (
    "a fault in golpae: its two ways to score this hand disagree; what is shown is what the reference says; "
    "please report it with this hand"
)
_Line = tuple[int, Mapping[str, object] | None, str | None]  # its number, its object, its fault


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [options] RULES TILE... [KEY=VALUE...]\n       %(prog)s [options] [RULES] FILE"
    parser.add_argument(
        "words",
        nargs="+",
        metavar="RULES",
        help="rules and the tiles of one hand, with `key=value` for other values of its score; or a file of hands "
        "(`-` for standard input), after its rules if the hands name none",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people, or one JSON object a hand"
    )
    parser.add_argument("--rules", metavar="RULES", help=f"the rules of hands that name none: {RULES_HELP}")
    parser.add_argument(
        "--score", metavar="NAME", help="the score to use, if the rules have several and a hand names none"
    )
    parser.add_argument(
        "--players", metavar="N", type=int, help="number of players, if the set of tiles depends on it"
    )
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        args.rules, hands, tiles = _understood(args.words, args.rules)
    except UsageError as error:
        complain_of(error.fault)
        return exit_codes.WRONG_INPUT
    played = rules_to_play(args)
    if played is None:
        return exit_codes.WRONG_INPUT
    if hands is None:
        return _one(played.rules or "", tiles, played.library, args)
    return _many(hands, _Call(played.library, played.rules, args.players, args.format, args.score))


def _understood(words: Sequence[str], option: str | None) -> tuple[str | None, str | None, Sequence[str]]:
    """Return the rules, the file of hands, and the tiles of one hand that a call names. Raises `UsageError`.

    `option` are the rules of `--rules`.
    """
    if _names_hands(words[0]):
        if len(words) > 1:
            advice = "name one file of hands, or rules and tiles"
            raise UsageError(words[1], f"unexpected argument `{words[1]}` after a file of hands", advice)
        return option, words[0], ()
    rules, *rest = words
    if re.match(r"\d", rules) and not is_file(rules) and "+" not in rules:
        advice = f"name the rules first: `golpae score RULES {' '.join(words)}`"
        raise UsageError(rules, f"{quoted(rules)} cannot be the name of rules", advice)
    if option is not None:
        message = f"`--rules {option}` and `{rules}` both name the rules"
        raise UsageError("--rules", message, "`--rules` is for a file of hands; leave one of the two out")
    if len(rest) == 1 and _names_hands(rest[0]):
        return rules, rest[0], ()
    for word in rest:
        apart = [tile for tile in re.split(r"[\s,;]+", word) if tile]
        if "=" not in word and apart != [word]:
            advice = "separate the tiles by spaces, without quotes"
            if apart:
                advice += f": `golpae score {rules} {' '.join(apart)}`"
            raise UsageError(word, f"there is no tile {quoted(word)}", advice)
    return rules, None, rest


def _names_hands(word: str) -> bool:
    """Return whether a word names a file of hands, existing or not. The ending of rule texts means rules."""
    if without_switches(word)[0].endswith(ENDING):
        return False
    return word == "-" or os.path.isfile(word) or ("=" not in word and any(c in word for c in "./\\"))


def _one(rules: str, words: Sequence[str], library: Library, args: argparse.Namespace) -> int:
    """Score a hand from the command line: tiles, and `key=value` for other keys."""
    hand: dict[str, Any] = {"rules": rules} | ({} if args.score is None else {SCORE: args.score})
    tiles = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            try:
                hand[key] = json.loads(value)
            except ValueError:
                hand[key] = value
        else:
            tiles.append(word)
    scored = score_hand(hand, library, args.players, tiles)
    if isinstance(scored, Fault):
        complain_of(InputFault(rules, scored.message, scored.advice))
        return exit_codes.WRONG_INPUT
    _print(scored, None, args.format)
    counts = scored.ok if isinstance(scored, Waiting) else scored.points is not None
    return exit_codes.HOLDS if counts else exit_codes.FAILS


@dataclass(frozen=True, slots=True)
class _Call:
    """How the hands of a file are scored: `rules` are those of hands that name none; `texts` are those with faults.

    `no_score` counts the hands of each rule set that has no score.
    """

    library: Library
    rules: str | None
    players: int | None
    form: str
    score: str | None = None
    texts: FaultyTexts = field(default_factory=FaultyTexts)
    no_score: Counter[str] = field(default_factory=Counter)


def _many(name: str, call: _Call) -> int:
    files, faults = sources([name])
    for fault in faults:
        complain_of(fault)
    status = exit_codes.WRONG_INPUT if faults else exit_codes.HOLDS
    with reading("scoring", "hands", files) as progress:
        for file in files:
            status = max(status, _file(file, call, progress))
    for remark in call.texts.remarks("hand", "scored"):
        sys.stderr.write(f"golpae: {remark}\n")
    for rules, count in call.no_score.items():
        if count > 1:
            sys.stderr.write(
                f"golpae: {count} hands of `{rules}` could not be scored, because it has no `score`\n"
            )
    return status


def _file(file: Source, call: _Call, progress: Progress) -> int:
    """Score every hand of a file, and return the exit status."""
    stream = opened(file)
    if stream is None:
        return exit_codes.WRONG_INPUT
    with stream, suppress(_NoHands):
        watched = progress.watched(stream)
        if is_large(file, of_hands=True):
            return _large(file, watched, call, progress)
        return _each(file, lines(watched), call, progress)
    return exit_codes.WRONG_INPUT


class _NoHands(Exception):
    """A file holds something else than hands; whoever reads it has been told."""


def _each(file: Source, read: Iterable[_Line], call: _Call, progress: Progress) -> int:
    """Score hands one by one, and return the exit status. Raises `_NoHands`."""
    status = exit_codes.HOLDS
    for at, hand, flaw in read:
        if hand is not None and is_header(hand):
            advice = f"`golpae check {file.shown}` checks them"
            complain_of(InputFault(file.path, f"{quoted(file.shown)} holds traces, not hands", advice))
            raise _NoHands
        scored = _read(hand, flaw, call)
        own = None if hand is None else hand.get("id")
        if isinstance(scored, Fault):
            status = exit_codes.WRONG_INPUT
            if scored.text_faults is not None:
                call.texts.add(scored.rules, scored.text_faults)
            elif not (scored.no_score and call.no_score[scored.rules]):
                sys.stderr.write(f"golpae: {file.shown}:{at}: {scored.message}\n")
            if scored.no_score:
                call.no_score[scored.rules] += 1
            if call.form == "json":
                put_json({**_id(own), "points": None, "ok": False, "error": scored.message})
        else:
            _print(scored, own, call.form)
        progress.done += 1
    return status


def _large(file: Source, stream: BinaryIO, call: _Call, progress: Progress) -> int:
    """Score the hands of a large file on the compiled path, and return the exit status. Raises `_NoHands`."""
    from golpae.corpus.hands import Asked, Line, Scorers, hands

    status, paths = exit_codes.HOLDS, Paths()
    scorers = Scorers(call.library, Asked(call.rules, call.score, call.players))
    for found in hands(stream, scorers, paths, begin(file, of_hands=True)):
        if isinstance(found, Line):
            status = max(status, _each(file, [(found.number, found.hand, found.fault)], call, progress))
            continue
        for hand in found:
            _put(hand, call.form)
        progress.done += len(found)
    for line in paths.disagree[:MOST_TOLD]:
        sys.stderr.write(f"golpae: {file.shown}:{line}: {DISAGREE}\n")
    return exit_codes.FAULT if paths.disagree else status


def _put(hand: CompiledHand, form: str) -> None:
    """Print what a hand counts."""
    name = hand.id.decode()
    if form == "text" or not (name.isascii() and name.isprintable()):
        _print(hand.scored(), hand.name, form)
        return
    text = hand.json(json_text)
    sys.stdout.write(f'{{"id":{name},{text[1:]}\n' if name else f"{text}\n")


def _read(hand: Mapping[str, object] | None, flaw: str | None, call: _Call) -> Scored | Waiting | Fault:
    if hand is None or flaw is not None:
        return Fault(flaw or "a JSON object was expected")
    if call.rules is not None and "rules" not in hand:
        hand = {**hand, "rules": call.rules}
    if call.score is not None and SCORE not in hand:
        hand = {**hand, SCORE: call.score}
    return score_hand(hand, call.library, call.players)


def _id(name: object) -> dict[str, object]:
    return {} if name is None else {"id": name}


def _print(scored: Scored | Waiting, name: object, form: str) -> None:
    if form == "json":
        put_json({**_id(name), **scored.to_json()})
        return
    sys.stdout.write("\n".join(_lines(scored, name)) + "\n")


def _lines(scored: Scored | Waiting, name: object) -> Iterator[str]:
    head = f"{scored.rules} {scored.hand}" if name is None else f"{printable(str(name))}: {scored.hand}"
    if isinstance(scored, Waiting):
        yield from _waits(head, scored)
        return
    if scored.points is None and scored.below is None:
        yield f"{head}: counts nothing"
        if scored.misfit is not None:
            yield from _lacking(scored.misfit)
        return
    if scored.points is None:
        yield from _below(head, scored)
        return
    yield f"{head}: {scored.points}"
    for way in scored.ways:
        mark = "best" if way.points == scored.points else "    "
        patterns = ", ".join(f"{name} {points}" for name, points in way.patterns.items())
        yield f"  {mark}  {way.points:>2}  {' | '.join(way.sets)}  ({patterns})"


def _below(head: str, scored: Scored) -> Iterator[str]:
    """Yield what a hand is worth that does not count, and what it lacks."""
    way = scored.below
    assert way is not None
    patterns = ", ".join(f"{name} {points}" for name, points in way.patterns.items()) or "no pattern holds"
    if not way.patterns:
        yield f"{head}: counts nothing"
    else:
        yield f"{head}: worth {way.points}, but below the minimum"
    yield f"        {way.points:>2}  {' | '.join(way.sets)}  ({patterns})"
    for bound, asked, there in scored.missed:
        yield f"        {bound} {asked} {'is' if asked == 1 else 'are'} needed, not {there}"


def _lacking(near: Misfit) -> Iterator[str]:
    """Yield what a hand lacks that fits no arrangement."""
    sets = f"{' | '.join(' '.join(s) for s in near.sets)}  (" if near.sets else "("
    lacks = ", ".join(f"{number} `{shape}`" for shape, number in near.lacks.items())
    words = [f"`{near.arrangement}` lacks {lacks}" if lacks else f"`{near.arrangement}` is complete"]
    if near.left:
        words.append(f"left over: {' '.join(near.left)}")
    yield f"            {sets}{'; '.join(words)})"


def _waits(head: str, hand: Waiting) -> Iterator[str]:
    """Yield the tiles that complete a hand whose last tile is left out."""
    if not hand.waits:
        yield f"{head}: no `{hand.key}` completes it"
        return
    yield f"{head}: waits for {' '.join(wait.tile for wait in hand.waits)}"
    width = max(len(wait.tile) for wait in hand.waits)
    for wait in hand.waits:
        yield f"  {wait.tile:<{width}}  {_counts(wait, hand)}"


def _counts(wait: Wait, hand: Waiting) -> str:
    way = wait.best or wait.below
    if way is None or (wait.best is None and not hand.minimum):
        return "counts nothing"
    patterns = ", ".join(f"{name} {points}" for name, points in way.patterns.items()) or "no pattern holds"
    below = "" if wait.best else ", below the minimum"
    return f"{way.points:>2}  {' | '.join(way.sets)}  ({patterns}){below}"
