"""Differences of two rule texts, and their words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from golpae.compare.text.clause_model import RULES, STATED
from golpae.compare.text.diff import ADDED, DROPPED, TextComparison, compare_texts
from golpae.compare.text.effect_order import follows_set
from golpae.diagnostics import SpecError, Text
from golpae.elaborate.load import game_names, load
from golpae.elaborate.resolve import Resolved, resolve
from golpae.syntax import tree as t
from golpae.syntax.format import format_text, lines
from golpae.syntax.parse import parse
from tests.compare.texts import GAME, Changed, bundled, changed, paths, resolved
from tests.syntax.sprinkled import sprinkled

__all__ = ["changed", "resolved"]

GAMES = game_names([])


# ------------------------------------------------------------------ no difference


@pytest.mark.corpus
@pytest.mark.parametrize("game", GAMES)
def test_layout_is_no_difference(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = load(game)
    folder = Path(next(file for file, _ in whole.files)).parent
    monkeypatch.setattr(lines, "WIDTH", 40)
    monkeypatch.setattr(lines, "MARGIN", 30)
    for file in folder.glob(f"{game}*.golpae"):
        words = file.read_text("utf-8")
        narrow = format_text(parse(Text.of(file.name, words)))
        assert narrow != words or "sources" in file.name
        commented = sprinkled(narrow, 200, random.Random(game).randrange).text
        (tmp_path / file.name).write_text(commented.replace("\n", "\r\n"), "utf-8")
    copy = resolve(game, load(game, [tmp_path]))
    monkeypatch.undo()
    assert compare_texts(bundled(game), copy).differences == ()


@pytest.mark.parametrize("game", GAMES)
def test_the_order_of_declarations_is_no_difference(game: str) -> None:
    text = bundled(game)
    kept = (t.Tiles,) if follows_set(text.decls) else ()
    decls = [d if isinstance(d, kept) else _mixed(d) for d in text.decls]
    mixed = replace(text, decls=tuple(mix(random.Random(1), decls)))
    assert mixed.decls != text.decls
    assert compare_texts(text, mixed).differences == ()
    assert compare_texts(mixed, text).differences == ()


def mix(dice: random.Random, items: Any) -> Any:
    found = list(items)
    dice.shuffle(found)
    return tuple(found)


def _mixed(node: t.Decl) -> t.Decl:
    """Return the declaration with its parts in another order, if their order means nothing."""
    dice = random.Random(2)
    match node:
        case t.Action():
            asked = [c for c in node.clauses if not isinstance(c.body, t.Effects)]
            done = [c for c in node.clauses if isinstance(c.body, t.Effects)]
            return replace(node, clauses=(*mix(dice, asked), *done))
        case t.Define():
            return replace(node, clauses=mix(dice, node.clauses))
        case t.Tiles():
            return replace(node, groups=mix(dice, node.groups))
        case t.Zones():
            return replace(node, zones=mix(dice, node.zones))
        case t.State():
            return replace(node, vars=mix(dice, node.vars))
        case t.Score():
            return replace(node, patterns=mix(dice, node.patterns), provided=mix(dice, node.provided))
        case _:
            return node


SCORED = """\
game ferry "Ferry"
players 2 to 2
tiles
  coins: two of each 1c 2c
zones
  box: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
shape couple(a, b): a = b
arrangement winning: 1 couple
deal from box
  hands: 2 for everyone
  then mover := first
action stop by p "stop"
  turn: p = mover
  then nobody wins
end
  due: over
payout
  each: mover scores worth(mover's hand) otherwise 0
score worth "worth"
  given
    hand: tiles
  hand: hand
  as: winning
  total: unimplied"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("heavy(t: tile): t's weight", "heavy(stone: tile): stone's weight"),
        ("fits-on(a, b: tile)", "fits-on(a: tile, b: tile)"),
        ("number of u in tiles: fits-on(t, u)", "number of other in tiles: fits-on(t, other)"),
        ("heavy(a) and heavy(b)", "heavy(b) and heavy(a)"),
        ("a = b and not heavy(a)", "not heavy(a) and b = a"),
        ("last is none or some b in {last}: fits-on(tile, b)", "last is none or some x in {last}: fits-on(tile, x)"),
        ("size of ferry = 4 and two-of(what: p, how: 0)", "two-of(what: p, how: 0) and 4 = size of ferry"),
        ("{{1-1, 1-1}, {2-2, 2-2}}", "{{2-2, 2-2}, {1-1, 1-1}}"),
        ("option dealt: 1 to 3", "option dealt: 1 to 3, normally 1"),
        ("end\n", "finish\n\nend\n"),
        ("    last := tile\n    mover := p's right\n", "    mover := p's right\n    last := tile\n"),
        ("  then\n    last := tile\n    mover := p's right\n", "  then mover := p's right\n  then last := tile\n"),
        ("for each q in players - winner: q pays", "for each payer in players - winner: payer pays"),
        ("two-of(what: p, how: 0)", "two-of(how: 0, what: p)"),
        ("tiles 12 of 6 kinds", "tiles"),
        ("1-1 2-2 3-3 4-4 5-5 6-6", "6-6 5-5 4-4 3-3 2-2 1-1"),
        ("  same: a", "  # both alike\n  same: a"),
    ],
)  # fmt: skip
def test_syntactic_variants_are_no_difference(old: str, new: str, changed: Changed) -> None:
    assert paths(changed(old, new)) == []


@pytest.mark.parametrize(
    ("old", "one", "other"),
    [
        ("= how", "= how and (10 ^ how > 5 or how > 9)", "= how and (how > 9 or 10 ^ how > 5)"),
        ("= how", "= how and not (9 in {1 to how} and how < 9)", "= how and not (how < 9 and 9 in {1 to how})"),
        ("= 4 and two-of", "= 4 and (big or last = 1-1) and two-of", "= 4 and (last = 1-1 or big) and two-of"),
        ("  same: a", "  large: 10 ^ a's weight > 5\n  same: a", None),
    ],
)  # fmt: skip
def test_powers_may_change_places(
    old: str, one: str, other: str | None, resolved: Callable[..., Resolved]
) -> None:
    text = GAME.replace("players 2", "define big: 2 ^ size of tiles > 5\n\nplayers 2")
    assert text.count(old) == 1
    same, large = "  same: a = b and not heavy(a)\n", "  large: 10 ^ a's weight > 5\n"
    first = text.replace(old, one)
    second = first.replace(large + same, same + large) if other is None else text.replace(old, other)
    assert compare_texts(resolved(first), resolved(second)).same


def test_names_of_an_actions_values_are_no_difference(changed: Changed) -> None:
    found = changed(
        "swap(tiles: {a, b}) by p", "swap(tiles: {x, y}) by q",
        "turn: p = mover\n", "turn: q = mover\n",
        "alike: a = b and {a, b} in", "alike: x = y and {y, x} in",
        "move {a, b} from p's hand to p's shown", "move {x, y} from q's hand to q's shown",
    )  # fmt: skip
    assert paths(found) == []


def test_names_inside_messages_are_no_difference(changed: Changed) -> None:
    found = changed(
        "load(tile) by p", "load(tile) by q",
        'turn: p = mover "it is not {p}\'s turn"', 'turn: q = mover "it is not {q}\'s turn"',
        'in p\'s hand "{p} does not', 'in q\'s hand "{q} does not',
        "from p's hand to back", "from q's hand to back",
        "mover := p's right", "mover := q's right",
        "what: p, how: 0): p wins", "what: q, how: 0): q wins",
    )  # fmt: skip
    assert paths(found) == []


# ------------------------------------------------------------------ differences


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("players 2 to 3", "players 2 to 4", ["replaced players"]),
        ("option dealt: 1 to 3", "option dealt: 1 to 3, normally 2", ["replaced dealt"]),
        ("12 of 6 kinds\n  plain: two", "18 of 6 kinds\n  plain: three", ["replaced tiles.plain"]),
        ("ferry: row seen by everyone", "ferry: row seen by nobody", ["replaced zones.ferry"]),
        ("rounds: number = 0", "rounds: number = 1", ["replaced state.rounds"]),
        ("of the match\n  rounds", "of the hand\n  rounds", ["replaced state.rounds"]),
        ("heavy(a) and heavy(b)", "heavy(a) or heavy(b)", ["replaced fits-on.both"]),
        ("both: heavy(a)", "each: heavy(a)", ["renamed fits-on.both"]),
        ("  both: heavy(a) and heavy(b)\n", "", ["dropped fits-on.both"]),
        ("dealt for everyone", "dealt for first, 1 for the others", ["replaced deal.hands"]),
        ("it is not {p}'s turn", "wait for {mover}", ["reworded load.turn"]),
        ("put a tile on the ferry", "ship a tile", ["reworded load"]),
        ("p = mover \"it is not {p}'s turn\"", "p in players \"no\"", ["replaced load.turn"]),
        ("fit\"  [F2]", "fit\"  [F1 F2]", ["recited load.fit"]),
        ("mover := p's right", "mover := p's left", ["replaced load.then"]),
        ("    last := tile\n", "", ["dropped load.then"]),
        ("to back of ferry", "to front of ferry", ["added load.then", "dropped load.then"]),
        ("swap(tiles: {a, b})", "swap(two: {a, b})", ["replaced swap"]),
        (
            'by p "show two of a kind"\n  turn: p = mover', 'by p before the deal "show two of a kind"\n  turn: no',
            ["replaced swap", "replaced swap.turn"],
        ),
        ("then rounds :=", "then counted: rounds :=", ["renamed end.then"]),
        ("q pays winner stake", "q pays winner 2 * stake", ["replaced payout.won"]),
        ("size of p's hand <= 3", "size of p's hand <= 4", ["replaced keeps"]),
        ("always keeps:", "always keeps expected refuted:", ["expected keeps"]),
        ("always keeps:", "never keeps:", ["replaced keeps"]),
        ("in \"The game\": \"only", "in \"Freight\": \"only", ["reworded F2"]),
        ("game ferry \"Ferry\"", "game ferry \"The ferry\"", ["reworded game"]),
        ("end\n", "finish\n  rounds: rounds = 2\n\nend\n", ["added finish.rounds"]),
        ("option dealt: 1 to 3", "option dealt: 1 to 3\n\ndefine new: 1", ["added new"]),
    ],
)  # fmt: skip
def test_every_change_of_a_clause_is_a_difference_of_its_kind(
    old: str, new: str, said: list[str], changed: Changed
) -> None:
    assert sorted(paths(changed(old, new))) == said


def test_effects_that_depend_on_their_order_are_reordered(changed: Changed) -> None:
    found = changed("last := tile\n    mover := p's right", "last := top of ferry\n    mover := p's right")
    assert paths(found) == ["replaced load.then"]
    then = (
        "  then move tile from p's hand to back of ferry\n  then\n    last := tile\n    mover := p's right\n"
    )
    other = (
        "  then\n    last := tile\n    mover := p's right\n  then move tile from p's hand to back of ferry\n"
    )
    assert paths(changed(then, other)) == []  # the move does not read `last`
    full = "  then full: when size of ferry = 4 and two-of(what: p, how: 0): p wins   [F3]\n"
    found = changed(then + full, full + then)
    assert paths(found) == ["reordered load"]
    [only] = found.differences
    assert only.counts
    assert only.old is not None
    assert only.new is not None
    assert only.old.words.startswith("then move")
    assert only.new.words.startswith("then full")


def test_effects_that_read_through_a_definition_depend_on_their_order(changed: Changed) -> None:
    define = "define mates(t: tile)"
    then = "    last := tile\n    mover := p's right\n"
    found = changed(
        define, f"define turned: mover\n{define}",
        then, "    last := tile\n    mover := p's right\n    rounds := if turned = p then 1 else 0\n",
    )  # fmt: skip
    assert paths(found) == ["added turned", "added load.then"]


def test_the_order_of_the_set_counts_if_tiles_are_piled_up_one_by_one(changed: Changed) -> None:
    two = ("two of each 1-1 2-2 3-3", "two of each 3-3 2-2 1-1")
    assert changed(*two).differences == ()
    shown = "then move {a, b} from p's hand to p's shown"
    for row in ("back of ferry", "ferry"):
        piled = f"then for each t in p's hand: move t from p's hand to {row}"
        found = changed(shown, piled, *two)
        assert "replaced tiles.plain" in paths(found)
    assert "replaced tiles.plain" not in paths(changed(shown, "then move all from p's hand to ferry", *two))


@pytest.mark.parametrize(
    "effect",
    ["for each t in {1-1, 2-2}: last := t", "for each t in plain: last := t", "last := a"],
)
def test_the_order_of_the_set_counts_if_effects_can_follow_it(effect: str, changed: Changed) -> None:
    two = ("two of each 1-1 2-2 3-3", "two of each 3-3 2-2 1-1")
    shown = "then move {a, b} from p's hand to p's shown"
    assert "replaced tiles.plain" in paths(changed(shown, f"then {effect}", *two))
    assert "replaced tiles.plain" not in paths(
        changed(shown, "then for each q in players - p: mover := q", *two)
    )


def test_the_order_of_patterns_counts_if_they_bring_each_other(resolved: Callable[..., Resolved]) -> None:
    lines = ("  pattern small 1: couple is couple", "  pattern large 3: couple is couple")
    bring = ["  small brings large", "  large brings small"]

    def of(order: Sequence[str], brings: Sequence[str]) -> Resolved:
        return resolved("\n".join((SCORED, *order, *brings, "")))

    mutual, back = of(lines, bring), of(lines[::-1], bring)
    assert paths(compare_texts(mutual, back)) == ["replaced worth"]
    assert compare_texts(of(lines, bring[:1]), of(lines[::-1], bring[:1])).same
    assert compare_texts(mutual, of(lines, bring[::-1])).same


@pytest.mark.corpus
def test_every_change_of_the_syntax_tree_is_a_difference(resolved: Callable[..., Resolved]) -> None:
    text = resolved(GAME)
    for at, decl in enumerate(text.decls):
        for mutant in _mutants(decl):
            decls = (*text.decls[:at], mutant, *text.decls[at + 1 :])
            assert compare_texts(text, replace(text, decls=decls)).differences, mutant


def _mutants(node: Any) -> Iterator[Any]:
    """Yield the node with one part changed, for each part that can be."""
    if isinstance(node, tuple):
        for at, item in enumerate(node):
            yield from ((*node[:at], mutant, *node[at + 1 :]) for mutant in _mutants(item))
    elif isinstance(node, t.Node) and not isinstance(node, t.Source):
        match node:
            case t.Number(value=value):
                yield replace(node, value=value + 1)
            case t.Name(name=name) | t.Possessive(name=name) | t.Call(name=name) | t.TileName(name=name):
                yield replace(node, name=f"{name}-x")
            case t.Binary(op=op, left=left, right=right):
                yield replace(node, op="mod")
                if op not in ("=", "/=", "and", "or"):
                    yield replace(node, left=right, right=left)
            case t.Quantified(kind=kind):
                yield replace(node, kind="every" if kind == "some" else "some")
            case t.Fold(kind=kind):
                yield replace(node, kind="the" if kind == "sum of" else "sum of")
            case t.Is():
                yield replace(node, negated=not node.negated)
            case t.Zone() | t.StateVar():
                yield replace(node, each_player=not node.each_player)
            case t.TileGroup():
                yield replace(node, copies=node.copies + 1)
        for name in (f.name for f in fields(node) if f.name not in ("span", "bracketed", "remarks", "ids")):
            yield from (replace(node, **{name: mutant}) for mutant in _mutants(getattr(node, name)))


def test_a_renamed_parameter_that_calls_name_is_a_difference(changed: Changed) -> None:
    swapped = changed(
        "define two-of(what: seat, how: number): size of what's hand = how",
        "define two-of(who: seat, how: number): size of who's hand = how",
        "two-of(what: p, how: 0)", "two-of(who: p, how: 0)",
    )  # fmt: skip
    assert paths(swapped) == ["replaced two-of", "replaced load.full"]


def test_a_name_that_hides_another_is_a_difference(changed: Changed) -> None:
    found = changed("some b in {last}: fits-on(tile, b)", "some last in {tile}: fits-on(tile, last)")
    assert paths(found) == ["replaced load.fit"]


def test_only_differences_that_can_change_a_game_count(changed: Changed) -> None:
    for old, new in (
        ("fits-on(t, u)", "fits-on(u, t)"),  # of `mates`, which a theorem uses alone
        ("it is not {p}'s turn", "wait"),
        ("size of p's hand <= 3", "size of p's hand <= 4"),
        ('fit"  [F2]', 'fit"'),
    ):
        found = changed(old, new)
        assert found.differences
        assert found.same, old
    assert not changed("heavy(a) and heavy(b)", "heavy(a)").same


# ------------------------------------------------------------------ details of a difference


def test_the_differences_of_a_switch_are_its_clauses(resolved: Callable[..., Resolved]) -> None:
    found = compare_texts(resolved(GAME), resolved(GAME, "+open"))
    assert (found.a, found.b) == ("ferry", "ferry+open")
    assert paths(found) == [
        "dropped fits-on.both",
        "replaced load.turn",
        "added load.light",
        "expected keeps",
        "added never-many",
    ]
    assert {d.switches for d in found.differences} == {(None, "open")}
    assert [d.part for d in found.differences] == [RULES, RULES, RULES, STATED, STATED]
    both, turn, light, keeps, _ = found.differences
    assert both.reaches == ("load.fit",)
    assert both.what == "case"
    assert turn.reaches is None
    assert turn.old is not None
    assert turn.new is not None
    assert turn.old.words == 'turn: p = mover "it is not {p}\'s turn"'
    assert turn.old.bare == "turn: p = mover"
    assert turn.new.bare == "turn: p in players"
    assert not turn.says_otherwise
    assert (turn.old.ids, turn.new.ids, turn.ids) == (("F1",), ("F3",), ("F1", "F3"))
    assert turn.old.file.endswith("ferry.golpae")
    assert turn.old.line == GAME[: GAME.index("  turn: p = mover")].count("\n") + 1
    assert light.old is None
    assert keeps.new is not None
    assert keeps.new.expected == "refuted"
    assert list(found.sources) == ["F2", "F1", "F3"]
    assert found.unused == ()


def test_turning_the_pair_round_turns_the_differences_round(resolved: Callable[..., Resolved]) -> None:
    found = compare_texts(resolved(GAME, "+open"), resolved(GAME))
    assert {d.switches for d in found.differences} == {("open", None)}
    assert paths(found)[:3] == ["added fits-on.both", "replaced load.turn", "dropped load.light"]


def test_a_switch_that_both_have_on_is_not_named(resolved: Callable[..., Resolved]) -> None:
    text = GAME.replace("p in players\n  drop", "p /= mover\n  drop")
    found = compare_texts(resolved(GAME, "+open"), resolved(text, "+open"))
    assert paths(found) == ["replaced load.turn"]
    assert found.differences[0].switches == (None, None)


def test_different_switches_that_are_off_are_named(resolved: Callable[..., Resolved]) -> None:
    text = GAME.replace("p in players\n  drop", "p /= mover\n  drop")
    found = compare_texts(resolved(GAME), resolved(text + '\nvariant late "later"\n  drop load.fit\n'))
    assert found.same
    assert found.unused == (("open", "both"), ("late", "b"))
    assert compare_texts(resolved(GAME), resolved(GAME.replace("anyone", "everyone"))).unused == ()


def test_the_reach_of_a_difference_goes_through_definitions(changed: Changed) -> None:
    [heavy] = changed("t's weight > 6", "t's weight > 7").differences
    assert heavy.reaches == ("load.fit",)
    [weight] = changed("its high + its low", "its high").differences
    assert weight.reaches == ("load.fit",)


def test_definitions_that_options_and_players_use_count(changed: Changed) -> None:
    for old, new in (("dealt: 1 to 3", "dealt: 1 to most"), ("players 2 to 3", "players 2 to most")):
        both = ("define heavy", "define most: 3\ndefine heavy")
        three = changed(old, new, *both)
        assert "added most" in paths(three)
        assert not three.same
        reaches = three.differences[-1].reaches
        assert reaches is not None
        assert reaches[0] == old.split()[0].rstrip(":")


def test_a_block_that_only_one_has_is_one_difference(changed: Changed) -> None:
    start, end = GAME.index("action swap"), GAME.index("end\n")
    found = changed(GAME[start:end], "")
    assert paths(found) == ["dropped swap"]
    old = found.differences[0].old
    assert old is not None
    assert old.words == GAME[start:end].rstrip()


def test_differences_come_in_the_reading_order_of_the_first_text(changed: Changed) -> None:
    found = changed(
        "option dealt: 1 to 3", "option dealt: 1 to 2",
        "  held: tile in p's hand", "  new: yes\n  held: tile in p's hand",
        "p = mover \"it", "p in players \"it",
        "players 2 to 3", "players 2 to 2",
    )  # fmt: skip
    assert paths(found) == ["replaced players", "replaced dealt", "replaced load.turn", "added load.new"]


MIRRORED = {ADDED: DROPPED, DROPPED: ADDED}


@pytest.mark.corpus
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.slow) if game == "korean-mahjong" else game for game in GAMES],
)
def test_switches_of_bundled_games_differ_alike_in_both_directions(game: str) -> None:
    base = bundled(game)
    for variant in base.variants:
        other = bundled(f"{game}+{variant.name.text}")
        there, back = compare_texts(base, other), compare_texts(other, base)
        assert not there.same
        assert {_turned(d.kind, d.path) for d in there.differences} == {
            (d.kind, d.path) for d in back.differences
        }
        assert all(variant.name.text in d.switches for d in there.differences)


def _turned(kind: str, path: str) -> tuple[str, str]:
    return MIRRORED.get(kind, kind), path


def test_different_games_are_compared_clause_by_clause() -> None:
    found: TextComparison = compare_texts(bundled("jjak"), bundled("three-dozen"))
    kinds = {d.path: d.kind for d in found.differences}
    assert kinds["tiles.bones"] == ADDED
    assert kinds["discard.pairs"] == DROPPED
    assert kinds["claim.mate"] == "replaced"
    assert "claim.turn" not in kinds


def test_a_text_that_is_nested_too_deep_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("golpae.compare.text.diff.calls_by_name", too_deep)
    with pytest.raises(SpecError) as raised:
        compare_texts(bundled("jjak"), bundled("jjak"))
    [fault] = raised.value.diagnostics
    assert fault.code == "S006"
    assert fault.message == "`jjak` and `jjak` are nested too deep to be compared"


def test_a_share_is_expected_to_be_measured(resolved: Callable[..., Resolved]) -> None:
    share = "\nclaim short: about 14% of hands by greedy: winner is none\n"
    other = share.replace("short:", "short expected refuted:")
    [found] = compare_texts(resolved(GAME + share), resolved(GAME + other)).differences
    assert found.old is not None
    assert found.new is not None
    assert (found.old.expected, found.new.expected) == ("measured", "refuted")
    more = share.replace("14%", "15%")
    assert paths(compare_texts(resolved(GAME + share), resolved(GAME + more))) == ["replaced short"]
    assert paths(compare_texts(resolved(GAME + share), resolved(GAME + share))) == []
