"""No game lives in the program: no name of a game, tile, action or pattern occurs under `checker/`.

The names come from two places: the specs, read here line by line, and a list of words of the games' sources,
so that a game which has no spec yet does not slip in either.
"""

import keyword
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.committed import TOP, committed_files, text_of

# Refused in every meaning.
DENIED = frozenset(
    """
    jjak jjak-mat-chu-gi three-dozen ho-hpai hohpai korean-mahjong mahjong culin polovinkin
    lay laid mate civil military supreme domino dominoes pips boneyard
    lay-optional third-is-acquired reserve-win relaxed doubling ten-rounds
    may-draw lay-compulsory winner-leads reshuffle six-six five-two
    tjyang-ouen han-hpai ssang-syo sok tai-sam-tong ro-in a-ki ssang-pyen yo-sun tai-sa-ttai hol-ssang-syo
    pou-tong withdraw-single may-pass a-ki-as-printed counts-add no-sok turn-up turned-up
    pung kong chow ephe bulhe flower dragon wind crak craks bamboo honors
    concealed-kong add-kong open-ready dealer-keeps four-as-two-pairs no-implied premium-each horse-race
    all-chows all-simples dragon-pung seat-wind round-wind concealed-hand fully-concealed all-pungs half-flush
    full-flush pure-straight little-three-dragons big-three-dragons three-concealed-pungs four-concealed-pungs
    seven-pairs last-tile-draw robbing-the-kong out-with-replacement double-ready little-four-winds
    big-four-winds all-terminals all-flowers moon-at-the-bottom-of-the-sea plum-blossom-on-the-roof all-honors
    heavenly-hand earthly-hand blessing-of-man nine-gates
    """.split()
)

# Of the trace format, and so of every game.
OF_THE_TRACE = frozenset(
    """
    lot deal draw discard end finish hand hands tile tiles first reserve winner winners pay note time by do
    stake players rules options totals from points count patterns
    """.split()
)

# Names of a spec that are also words of the program: kinds of zone, verbs of the command line, plain words.
OF_THE_PROGRAM = frozenset(
    {
        "answer",
        "bid",
        "blank",
        "bonus",
        "bridge",
        "claim",
        "contract",
        "count-of",
        "double",
        "flip",
        "give",
        "go",
        "go-on",
        "left-of",
        "meld",
        "north",
        "of-one",
        "orphans",
        "play",
        "row",
        "run",
        "show",
        "value-of",
        "stop",
        "straight",
        "take",
        "turn",
        "win",
        "ready",
        "broken",
        "complete",
        "worth",
        "low",
        "high",
        "pair",
        *keyword.kwlist,
        *keyword.softkwlist,
    }
)

NAME = r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*"
NAMED = re.compile(
    rf"^\s*(?:game|action|variant|reading|shape|arrangement|score|pattern)\s+({NAME})", re.MULTILINE
)
DEFINED = re.compile(rf"^\s*define\s+(?:each\s+(?:tile|player)'s\s+)?({NAME})", re.MULTILINE)
TILES = re.compile(r"^tiles\b.*\n((?:[ \t]+.*\n|\s*\n)*)", re.MULTILINE)
TILE_GROUP = re.compile(rf"^\s+{NAME}\s*:\s*\w+\s+of\s+each\b(.*)$", re.MULTILINE)
OUTSIDE_TEXT = re.compile(r'"[^"]*"|#.*|\[[^\]]*\]')


def plain(text: str) -> str:
    """Return the text with one form for each name: `OpenReady` and `open_ready` become `open-ready`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text).lower().replace("_", "-")
    return re.sub(
        r"\bla(?:y|id|ys|ying)(?:[ -]|\" \")out\b", "layout", apart
    )  # a page is laid out, a tile is laid


def names_of(spec: str) -> set[str]:
    """Return the game's own names in the text of a spec."""
    named = {plain(name) for name in NAMED.findall(spec)}
    defined = {plain(name) for name in DEFINED.findall(spec)}
    tiles = {
        plain(word)
        for block in TILES.findall(spec)
        for group in TILE_GROUP.findall(block)
        for word in OUTSIDE_TEXT.sub(" ", group).split()
        if re.fullmatch(r"[A-Za-z]{3,}", word)
    }
    # A definition is often called by a plain English word; with a hyphen it is surely the game's.
    return named | tiles | {name for name in defined if "-" in name}


def words_of_the_language() -> frozenset[str]:
    grammar = (TOP / "grammar" / "golpae.lark").read_text(encoding="utf-8")
    return frozenset(re.findall(r"[a-z]+", grammar))


def found_in(text: str, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that contain one of the names as a word, or its plural."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<![a-z])({'|'.join(map(re.escape, longest_first))})s?(?![a-z])")
    for number, line in enumerate(text.splitlines(), 1):
        for match in pattern.finditer(plain(line)):
            yield number, match[1]


# Pictures of tiles, and adapters for logs of other programs; nothing below the pages or `cli` imports them.
OF_GAMES = (Path("checker/golpae/assets"), Path("checker/golpae/logs"))


def texts_under(folder: str) -> Iterator[tuple[Path, str]]:
    for path in committed_files():
        text = text_of(path)
        of_games = any(path.is_relative_to(TOP / own) for own in OF_GAMES)
        if path.is_relative_to(TOP / folder) and not of_games and text is not None:
            yield path.relative_to(TOP), text


def games_own_names() -> frozenset[str]:
    specs = [path.read_text(encoding="utf-8") for path in (TOP / "spec").rglob("*.golpae")]
    assert specs, "spec/ holds no spec"
    computed = {name for spec in specs for name in names_of(spec)}
    return DENIED | frozenset(computed - OF_THE_TRACE - OF_THE_PROGRAM - words_of_the_language())


def test_the_package_names_no_game_word() -> None:
    names = games_own_names()
    found = [
        f"{path}:{number}: {name}"
        for path, text in texts_under("checker")
        for number, name in found_in(f"{text}\n", names)
    ]
    found += [
        f"{path}: {name}" for path, _ in texts_under("checker") for _, name in found_in(str(path), names)
    ]
    assert not found


def test_the_grammar_names_no_game_word() -> None:
    found = [
        f"{path}:{number}: {name}"
        for path, text in texts_under("grammar")
        for number, name in found_in(text, DENIED)
    ]
    assert not found


def test_the_names_that_a_spec_declares_are_collected() -> None:
    spec = """
game dam "Dam"
tiles 8 of 4 kinds
  simple: two of each 1-1 1-2 rose "a rose"
  rare: one of each lily                                         [D1]
define each tile's worth-of: 1
define pair(a, b: tile)
action pick_up(tile) by p "take one"
variant blind-pick "unseen"
reading loose "anything goes"
shape trio(a, b, c): a = b
  pattern all-roses 2: yes
"""
    assert names_of(spec) == {
        "dam",
        "rose",
        "lily",
        "worth-of",
        "pick-up",
        "blind-pick",
        "loose",
        "trio",
        "all-roses",
    }


@pytest.mark.parametrize(
    "line", ["class OpenReady:", "def open_ready(", "# once open-ready", "OPEN_READY = 1", "all open-readys"]
)
def test_a_name_is_found_however_it_is_written(line: str) -> None:
    assert list(found_in(f"\n{line}\n", frozenset({"open-ready"}))) == [(2, "open-ready")]


@pytest.mark.parametrize("line", ["layout", "delay", "window", "player", "relay_s"])
def test_a_name_inside_another_word_is_not_found(line: str) -> None:
    assert not list(found_in(line, frozenset({"lay", "wind"})))
