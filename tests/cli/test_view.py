"""`golpae view` and `golpae check --view`: positions at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.terminal.position_shown import TerminalTable
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.simulate.onlooker import Look
from golpae.simulate.position import Positions
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, ILLEGAL_TEXT, LEGAL, PUT, with_header, write

HERE = ("--spec-path", "rules")


def test_a_position_shows_every_zone_and_what_changed(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL)
    assert golpae("view", "one.jsonl", "--event", "3", *HERE).out == (
        "event 3 of 5: Bo: put 3-3\n"
        "* An +mover+\n"
        "    hand 1             2-2\n"
        "  Bo\n"
        "    hand 1 (-1)        4-4\n"
        "  pile 8               face down\n"
        "  table 2 (+1)         1-1 +3-3+\n"
    )


def test_the_last_position_is_that_of_the_fault(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *ILLEGAL)
    done = golpae("view", "one.jsonl", *HERE)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("event 2 of 2: refused: Bo: put 3-3\n  An mover\n")
    assert "\n* Bo\n" in done.out
    assert done.out.endswith(
        "  illegal: it is not Bo's turn\n"
        "    broken: put.put.turn in put\n"
        "    it asked: p: Bo; mover: An\n"
        "    legal here: An: put 1-1 | 2-2\n"
    )


def test_what_nobody_sees_and_what_one_seat_sees(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL)
    opened = golpae("view", "one.jsonl", "--event", "1", "--open", *HERE).out
    assert "  pile 8 (-4)          1-1 2-2 3-3 4-4 5-5 5-5 6-6 6-6\n" in opened
    of_bo = golpae("view", "one.jsonl", "--event", "1", "--seat", "1", *HERE).out
    assert of_bo.count("face down") == 2
    assert "    hand 2 (+2)        3-3 4-4\n" in of_bo


def test_a_game_is_stepped(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *ILLEGAL)
    out = golpae("view", "one.jsonl", "--step", *HERE, stdin=b"\n\nb\nf\n0\nx\nq\n").out
    titles = [line.removeprefix("> ") for line in out.splitlines() if "event" in line and "Enter" not in line]
    assert titles == [
        "before the first of 2 events",
        "event 1 of 2: deal",
        "event 2 of 2: refused: Bo: put 3-3",
        "event 1 of 2: deal",
        "event 2 of 2: refused: Bo: put 3-3",
        "before the first of 2 events",
        "before the first of 2 events",
    ]


@pytest.mark.parametrize("stdin", [b"", b"\n\xff\n", b"9" * 5_000 + b"\n"])
def test_steps_end_with_the_input(golpae: Golpae, here: Path, stdin: bytes) -> None:
    write("one.jsonl", *LEGAL)
    done = golpae("view", "one.jsonl", "--step", *HERE, stdin=stdin)
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--event", "9"), "`--event` must be a number from 0 to 5, not 9"),
        (("--seat", "2"), "`--seat` must be a number from 0 to 1, not 2"),
        (("--trace", "2"), "there is no trace 2 in `one.jsonl`"),
        (("--trace", "0"), "there is no trace 0 in `one.jsonl`"),
    ],
)
def test_a_place_that_is_not_there_is_refused(
    golpae: Golpae, here: Path, words: tuple[str, ...], message: str
) -> None:
    write("one.jsonl", *LEGAL)
    done = golpae("view", "one.jsonl", *words, *HERE)
    assert (done.status, done.out, done.err) == (2, "", f"golpae: {message}\n")


def test_a_file_of_several_traces_says_so_and_one_of_none_too(golpae: Golpae, here: Path) -> None:
    write("two.jsonl", *LEGAL, *ILLEGAL)
    more = "golpae: `two.jsonl` has more traces\n  help: `--trace 2` shows the next\n"
    assert golpae("view", "two.jsonl", *HERE).err == more
    assert golpae("view", "two.jsonl", "--trace", "1", *HERE).err == ""
    write("none.jsonl")
    assert golpae("view", "none.jsonl", *HERE).err == "golpae: there is no trace in `none.jsonl`\n"


def test_a_trace_without_rules_is_refused(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *with_header(LEGAL, rules="nothing-of-this-name"))
    done = golpae("view", "one.jsonl", *HERE)
    assert done.status == 2
    assert done.err.startswith("golpae: this trace cannot be shown: ")


def test_check_shows_the_table_before_a_refused_event(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *ILLEGAL, *LEGAL)
    done = golpae("check", "--view", "one.jsonl")
    assert done.out == (
        ILLEGAL_TEXT.format(name="one.jsonl", line=1, at=3)
        + "    An mover\n"
        + "      hand 2             1-1 2-2\n"
        + "  * Bo\n"
        + "      hand 2             3-3 4-4\n"
        + "    pile 8               face down\n"
        + "2 traces: 1 legal, 1 illegal\n"
    )
    assert golpae("check", "--view", "--format", "json", "one.jsonl").status == 2


def test_colours_and_widths(here: Path) -> None:
    machine = Machine(instantiate(elaborate("put", [here / "rules"]), 2, {}))
    position = Positions(machine).flat(machine.new_state())
    colours: list[str] = []

    def paint(text: str, colour: str) -> str:
        colours.append(colour)
        return f"<{text}>"

    table = TerminalTable(machine.instance, ["An\n", ""], paint, 40, Look("all"))
    found = list(table.lines(position, position, 0))
    assert found == [
        "<*> <An>",
        "  <seat 1>",
        "  pile 12              <1-1> <1-1> <2-2> <2-2>",
        "                       <3-3> <3-3> <4-4> <4-4>",
        "                       <5-5> <5-5> <6-6> <6-6>",
    ]
    assert {"33", "1", "36"} <= set(colours)


def test_states_have_titles_and_hidden_ones_are_not_shown(golpae: Golpae, here: Path) -> None:
    rules = here / "rules" / "put.golpae"
    text = rules.read_text("utf-8")
    text = text.replace(
        "  mover: seat\n",
        '  mover: seat "whose turn it is"\n'
        '  last: tile or none = none "the last tile"\n'
        "  hidden each player's puts: number = 0\n",
    )
    told = "  then last := tile\n  then p's puts := p's puts + 1\n  then mover := p's right\n"
    rules.write_text(text.replace("  then mover := p's right\n", told), "utf-8")
    write("one.jsonl", *LEGAL)
    shown = golpae("view", "one.jsonl", "--event", "3", *HERE).out
    assert "* An +whose turn it is+\n" in shown
    assert "+the last tile: 3-3+" in shown
    assert "puts" not in shown


TAKE = """
action take(tile) by p "take a tile"
  turn: p = mover "it is not {p}'s turn"
  there: tile in pile "{tile} is not there"
  then move tile from pile to p's hand
  then taken := tile
"""


def test_a_tile_that_is_taken_unseen_is_named_to_its_owner_alone(golpae: Golpae, here: Path) -> None:
    source = PUT.replace("  mover: seat\n", "  mover: seat\n  taken: tile or none = none\n")
    (here / "rules" / "put.golpae").write_text(source.replace("\nend\n", f"{TAKE}\nend\n"), encoding="utf-8")
    write("one.jsonl", *LEGAL[:2], {"do": "take", "by": 0, "tile": "5-5"})
    of_an, of_bo = (golpae("view", "one.jsonl", "--seat", seat, *HERE).out for seat in "01")
    assert of_an.startswith("event 2 of 2: An: take 5-5\n")
    assert of_an.endswith("  +taken: 5-5+\n")
    assert of_bo.startswith("event 2 of 2: An: take a tile\n")
    assert of_bo.endswith("  +taken: ?+\n")


AN, BO = ("--seat", "0"), ("--seat", "1")
SWAP = """
action swap(put, take: tile) by p
  held: put in p's hand "{p} does not hold {put}"
  then move put from p's hand to pile
  then move take from pile to p's hand
"""


def test_a_tile_that_is_put_back_unseen_is_named_to_its_owner_alone(golpae: Golpae, here: Path) -> None:
    """No place tells that anything was moved."""
    (here / "rules" / "put.golpae").write_text(PUT.replace("\nend\n", f"{SWAP}\nend\n"), encoding="utf-8")
    held = LEGAL[1]["hands"][0][0]
    write("one.jsonl", *LEGAL[:2], {"do": "swap", "by": 0, "put": held, "take": held})
    of_an, of_bo, of_all = (golpae("view", "one.jsonl", *who, *HERE).out for who in (AN, BO, ()))
    assert of_an.startswith(f"event 2 of 2: An: swap put {held} take {held}\n")
    assert of_bo.startswith("event 2 of 2: An: swap put a tile take a tile\n")
    assert of_all.startswith(f"event 2 of 2: An: swap put {held} take {held}\n")
