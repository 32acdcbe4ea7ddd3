"""Rule books: a rule set as a page, with switches, sources, pictures, claims and games that show them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from golpae.compare.text.diff import compare_texts
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.pages.book.blocks import Part, Row, changes, parts_of
from golpae.pages.book.pictures import Example, example_of, examples_of
from golpae.pages.book.switches import differs, switch_changes
from golpae.syntax.format import format_decl
from golpae.verify.families.kept import KeptFamily, KeptPart, KeptProperty, KeptSetting, family_hash, written
from golpae.verify.kept_proofs import hash_of
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import EVENTS, PUT, SCORED, with_header, write
from tests.committed import TOP
from tests.pages.browser import Browser
from tests.pages.games import data_of

__all__ = ["cache", "golpae", "here"]

BOOK = (
    PUT.replace(
        "state of the hand",
        "# Tiles that go together.\ndefine twins(a, b: tile): a = b  [R2]\n\nstate of the hand",
    ).replace('  turn: p = mover "it is not', '  turn: p = mover "it is not')
    + """
source 1 "A book <b>of</b> rules"
  R1 in "Turns": "players take turns"
  R2: "two alike"

variant free "anyone may put"
  drop put.turn
  add put.any: size of table < 9 "the table is full"

variant doubles "two of a double, or a double and the next"
  replace twins: a = b or b's high = a's high + 1

variant strict "only the mover, said otherwise"
  replace put.turn: mover = p "wait, {p}"

always nobody-is-alone: size of players >= 2

reachable a-win: winner is not none
"""
)


@pytest.fixture
def book(here: Path) -> Path:
    """The folder of a text with switches that clash."""
    (here / "rules" / "put.golpae").write_text(BOOK, encoding="utf-8")
    return here


def html(golpae: Golpae, *words: str) -> str:
    done = golpae("show", *words, "--html", "-o", "book.html", "--spec-path", "rules")
    assert (done.status, done.err) == (0, "")
    return Path("book.html").read_text("utf-8")


def test_a_page_says_the_rules_in_the_words_of_players(golpae: Golpae, book: Path) -> None:
    page = html(golpae, "put")
    assert '<article class="block of-action" id="action-put"><h3>Put a tile down</h3>' in page
    # whose turn it is and what is held goes without saying
    assert re.findall('<div class="refused"[^>]*>', page) == ['<div class="refused" data-only="free" hidden>']
    assert re.search(r'Two alike. <a class="number" href="#rule-R2">R2</a>', page)
    assert "A book &lt;b&gt;of&lt;/b&gt; rules" in page
    assert page.count(">not yet decided<") == 2


def test_the_exact_text_is_beside_it(golpae: Golpae, book: Path) -> None:
    page = html(golpae, "put")
    put = page[page.index('id="action-put"') :]
    code = re.sub(r"<[^>]+>", "", put[: put.index("</article>")])
    assert "held: tile in p&#x27;s hand &quot;{p} does not hold {tile}&quot;" in code


def test_what_a_switch_changes_is_in_the_page(golpae: Golpae, book: Path) -> None:
    page = html(golpae, "put+strict")
    assert '<input type="checkbox" data-switch="strict" checked>' in page
    assert '<li data-only="free" hidden>The table is full. ' in page
    rows = re.findall(r'<div class="(row[^"]*)"( data-(?:only|changed)="[^"]*"[^>]*)><pre>(.*?)</pre>', page)
    said = {re.sub(r"<[^>]+>", "", code).strip(): (kind, about.strip()) for kind, about, code in rows}
    assert said["any: size of table &lt; 9 &quot;the table is full&quot;"] == (
        "row",
        'data-only="free" hidden',
    )
    assert said["turn: mover = p &quot;wait, {p}&quot;"] == ("row", 'data-only="strict"')
    turn = "turn: p = mover &quot;it is not {p}&#x27;s turn&quot;"
    assert said[turn] == ("row struck", 'data-changed="free strict"')
    assert 'replaces <a href="#action-put">put: turn</a>' in page
    assert '"clashes":[["free","strict"]]' in page


def test_the_rows_are_the_text(book: Path) -> None:
    resolved = resolve("put", load("put", [book / "rules"]))
    for part in parts_of(resolved):
        assert part.decl is not None
        code = "\n".join([part.head.code, *(row.code for row in part.rows)])
        words = [*(row.words or "" for row in (part.head, *part.rows))]
        text = format_decl(part.decl)
        assert all(re.sub(r"\s", "", line) in re.sub(r"\s", "", text) for line in code.split("\n"))
        assert all(re.sub(r"[{}]", "", word) in re.sub(r"[{}]", "", text) for word in words)


def test_pictures_are_those_of_the_rules_with_a_switch(golpae: Golpae, book: Path) -> None:
    page = html(golpae, "put+doubles")
    twins = page[page.index('id="define-twins"') :]
    base, doubles = twins[: twins.index("</article>")].split('<div data-only="doubles">', 1)
    assert (base.count('class="meld"'), doubles.count('class="meld"')) == (6, 11)


def test_changes_are_told_apart(book: Path) -> None:
    loaded = load("put", [book / "rules"])
    base = parts_of(resolve("put", loaded))
    found = {
        name: [
            (c.kind, c.path, c.row, c.after, c.new.code if isinstance(c.new, Row) else None)
            for c in changes(name, base, parts_of(resolve(f"put+{name}", loaded)))
            if not isinstance(c.new, Part)
        ]
        for name in ("free", "strict")
    }
    assert found == {
        "free": [
            ("drop", "action put", "turn", "", None),
            ("add", "action put", "any", "held", "any: size of table < 9"),
        ],
        "strict": [("replace", "action put", "turn", "", "turn: mover = p")],
    }


def keep(book: Path, *rule_sets: str) -> None:
    """Keep that somebody can win by each of some rule sets, and a game that shows it."""
    won = {"name": "a-win", "verdict": "proved", "how": "a game of 5 events", "witness": EVENTS}
    held = {
        "name": "nobody-is-alone",
        "verdict": "refuted",
        "how": "p = An, m = of 2-2 3-3, h = 1-1 1-1, <b>",
    }
    tables = [
        {"number": number, "rules": rules, "players": 2, "options": {"dealt": 2}, "stated": [], "further": []}
        | {"text": hash_of(elaborate(rules, [book / "rules"])), "properties": [won, held]}
        for number, rules in enumerate(rule_sets, 1)
    ]
    kept = {"format": 2, "golpae": "", "z3": "", "tables": tables, "invariants": []}
    (book / "rules" / "put.proofs.json").write_text(json.dumps(kept), encoding="utf-8")


def keep_everywhere(book: Path) -> None:
    """Keep that somebody can win unless anybody may put, and a game that shows it."""
    switches = [switch.name for switch in elaborate("put", [book / "rules"]).switches]
    text = family_hash("put", switches, lambda rules: elaborate(rules, [book / "rules"]))
    parts = (
        KeptPart("proved", (KeptSetting((), ("free",)),), "put+doubles", tuple(EVENTS)),
        KeptPart("refuted", (KeptSetting(("free",), ()),)),
    )
    won = KeptProperty("a-win", "reachable", 6, {"proved": "without free", "refuted": "free"}, parts)
    kept = written([KeptFamily(2, {"dealt": 2}, text, 6, (won,))])
    (book / "rules" / "put.families.json").write_text(kept, encoding="utf-8")


def test_what_is_kept_about_all_rule_sets_is_told(golpae: Golpae, book: Path) -> None:
    keep_everywhere(book)
    page = html(golpae, "put+free")
    assert '<span data-claim="a-win">refuted with 2 players</span>' in page
    assert "of all combinations: with 2 players: can be reached unless free</span>" in page
    assert (book / "book-games" / "a-win-2+doubles.html").is_file()
    text = (book / "rules" / "put.golpae").read_text("utf-8")
    (book / "rules" / "put.golpae").write_text(text.replace("a's high + 1", "a's high + 2"))
    assert html(golpae, "put+free").count(">not yet decided<") == 2


def test_kept_verdicts_and_the_games_that_show_them(golpae: Golpae, book: Path) -> None:
    keep(book, "put", "put+strict")
    page = html(golpae, "put")
    assert ">proved with 2 players</span>" in page
    assert ">refuted with 2 players: p = An, m = of 2-2 3-3, h = 1-1 1-1, &lt;b&gt;</span>" in page
    shown = re.findall('<span class="value">(.*?)</span></span></span>', page)
    assert [re.findall('aria-label="([^"]+)"', one) for one in shown] == [["2-2", "3-3"], ["1-1", "1-1"]] * 2
    assert 'href="book-games/a-win-2.html">a game with 2 players that shows it</a>' in page
    game = data_of((book / "book-games" / "a-win-2+strict.html").read_text("utf-8"))["game"]
    assert game["rules"] == "put+strict"
    game = data_of((book / "book-games" / "a-win-2.html").read_text("utf-8"))["game"]
    assert [step["line"]["do"] for step in game["steps"]] == ["deal", "put", "put", "put", "end"]
    text = (book / "rules" / "put.golpae").read_text("utf-8")
    (book / "rules" / "put.golpae").write_text(
        text.replace("then mover := p's right", "then mover := p's left")
    )
    assert html(golpae, "put").count(">not yet decided<") == 2
    assert not [*(book / "book-games").iterdir()]  # a game of other rules is not shown


def test_examples_are_the_hands_that_counted() -> None:
    score = {"score": "worth", "total": 3, "patterns": [["plain", 1], ["pure", 2]], "arrangement": "sets"}
    steps = [{"scores": [{**score, "groups": [{"label": "set", "tiles": ["a", "b"]}]}]}, {}]
    example = Example((("a", "b"),), "3: plain 1, pure 2", 2, rules="put")
    assert [*examples_of(steps, "put")] == [
        ("arrangement sets", example),
        ("pattern plain", example),
        ("pattern pure", example),
    ]
    assert [*examples_of([{"scores": [{**score, "groups": []}]}], "put")] == []


def test_a_hand_that_counts_in_several_numbers_says_those_that_are_not_0() -> None:
    numbers = {"limits": 1, "han": 0}
    score = {"total": 8000, "numbers": numbers, "counted_in": {"all-honors": "limits"}, "groups": []}
    assert (
        example_of({**score, "patterns": [["all-honors", 1]]}, "riichi").words
        == "8000 (1 limit): all honors 1 limit"
    )


HANDS = (
    SCORED.replace("  pattern high", "  pattern never 9: size of held = 9\n  pattern high")
    + """
variant low "low tiles count more"
  replace worth.high: 1-1 in held
"""
)


def test_patterns_without_a_recorded_hand_have_one_by_proof(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "put.golpae").write_text(HANDS, encoding="utf-8")
    page = html(golpae, "put")
    cards = {name: page[page.index(f'data-pattern="{name}"') :] for name in ("plain", "never", "high")}
    shown = {name: card[: card.index("</article>")] for name, card in cards.items()}
    assert "no hand has this pattern" in shown["never"]
    assert re.findall('aria-label="([^"]*)"', shown["plain"]) != []
    low = page[page.index('data-only="low" hidden data-pattern="high"') :]
    assert re.findall('aria-label="([^"]*)"', low[: low.index("</article>")]) == ["1-1"]
    assert html(golpae, "put") == page  # the hands are in the cache now


@pytest.mark.slow
def test_recorded_hands_show_what_patterns_are(golpae: Golpae, here: Path) -> None:
    text = (TOP / "traces" / "korean-mahjong" / "calls.jsonl").read_text("utf-8")
    start = text.rindex("\n", 0, text.index('"a-nearer-seat-lets-it-pass"')) + 1
    Path("hand.jsonl").write_text(text[start : text.index('{"golpae"', start + 1)], encoding="utf-8")
    page = html(golpae, "korean-mahjong", "--games", "hand.jsonl")
    row = page[page.index('data-pattern="all-chows"') :]
    assert row.index("2: all chows 1, concealed hand 1") < row.index('data-pattern="all-simples"')
    hand = row[row.index('<div class="examples">') : row.index("2: all chows")]
    assert re.findall('aria-label="([^"]*)"', hand)[-4:] == ["6 dot", "7 dot", "8 dot", "8 dot"]
    arrangement = page[page.index('id="arrangement-four-sets"') :]
    assert 'class="examples"' in arrangement[: arrangement.index("</article>")]
    done = golpae("show", "korean-mahjong", "--html", "-o", "x.html", "--games", "none.jsonl")
    assert (done.status, Path("x.html").exists()) == (2, False)


def test_games_that_show_no_hands_are_told(golpae: Golpae, book: Path) -> None:
    write("empty.jsonl")
    write("free.jsonl", *with_header(rules="put+free"))
    words = ("--games", "empty.jsonl", "--games", "free.jsonl", "--spec-path", "rules")
    done = golpae("show", "put", "--html", "-o", "x.html", *words)
    assert (done.status, done.err.splitlines()) == (
        0,
        [
            "golpae: `empty.jsonl` shows no hands: no trace in it",
            "golpae: `free.jsonl` shows no hands: no game by the rules `put` in it",
        ],
    )


def test_a_switch_changes_what_compare_says_it_does(golpae: Golpae, book: Path) -> None:
    alike = (
        '\nvariant alike "the same in other words"\n  replace put.turn: mover = p "it is not {p}\'s turn"\n'
    )
    text = BOOK + alike + "  replace put.held: tile in p's hand and size of table < 9\n"
    (book / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    html(golpae, "put")
    load_from = [book / "rules"]
    base, other = (resolve(rules, load("put", load_from)) for rules in ("put", "put+alike"))
    found = switch_changes("alike", base, parts_of(base), other)
    assert [(change.kind, change.path, change.row) for change in found] == [("replace", "action put", "held")]


@pytest.mark.parametrize("game", ["three-dozen", pytest.param("jjak", marks=pytest.mark.slow)])
def test_every_difference_of_a_switch_is_shown(game: str) -> None:
    base = resolve(game, load(game, []))
    parts = parts_of(base)
    for variant in base.variants:
        other = resolve(f"{game}+{variant.name.text}", load(game, []))
        shown = switch_changes(variant.name.text, base, parts, other)
        assert len(shown) == len([*changes(variant.name.text, parts, parts_of(other))])
        for difference in compare_texts(base, other).differences:
            assert any(differs(change, [difference.path]) for change in shown), difference.path


def test_a_switch_may_be_for_another_number_of_players(golpae: Golpae, here: Path) -> None:
    text = BOOK + '\nvariant few "for two alone"\n  players 2 to 2\n'
    (here / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    assert "for two alone" in html(golpae, "put+few")


def test_sections_of_a_score_have_rows_of_their_own(book: Path) -> None:
    resolved = resolve("korean-mahjong", load("korean-mahjong", []))
    [score] = [part for part in parts_of(resolved) if part.kind == "score"]
    rows = {row.key: row for row in score.rows}
    assert rows["provided winds"].words == "{seat_wind} is not a wind, so it cannot be a seat wind"
    assert rows["given as_pairs"].remarks == ("counted as seven pairs alone",)
    assert rows["hand"].code == "hand: hand + win"


def test_comments_at_the_end_of_a_block_are_no_remarks_of_the_next_part(book: Path) -> None:
    text = BOOK.replace("\nend\n", "  # then nobody wins\n    # p wins\n\nend\n", 1)
    assert text != BOOK
    (book / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    parts = parts_of(resolve("put", load("put", [book / "rules"])))
    [end] = [part for part in parts if part.kind == "end"]
    said = [(part.kind, part.below) for part in parts if part.below]
    assert (end.head.remarks, said) == ((), [("action", ("then nobody wins", "p wins"))])


def test_a_sign_of_comments_in_a_message_begins_no_remark(book: Path) -> None:
    text = BOOK.replace('"it is not', '"# 1: it is not', 1)
    (book / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    parts = parts_of(resolve("put", load("put", [book / "rules"])))
    [turn] = [row for part in parts for row in part.rows if row.words and row.words.startswith("# 1: it is")]
    assert (turn.key, turn.remarks) == ("turn", ())


def test_a_wrong_call_is_told(golpae: Golpae, book: Path) -> None:
    for words in (("--html",), ("put", "put", "--html", "-o", "x"), ("put", "-o", "x")):
        assert golpae("show", *words, "--spec-path", "rules").status == 2
    done = golpae("show", "put", "--html", "-o", "none/book.html", "--spec-path", "rules")
    assert (done.status, done.err.startswith("golpae: `none/book.html` cannot be written to")) == (2, True)


@pytest.mark.process
def test_switches_change_the_page(browser: Browser, golpae: Golpae, book: Path) -> None:
    text = book / "rules" / "put.golpae"
    text.write_text(f'{BOOK}\nvariant alone "one plays alone"\n  drop nobody-is-alone\n', encoding="utf-8")
    keep(book, "put", "put+strict")
    keep_everywhere(book)
    html(golpae, "put")
    browser.open(book / "book.html")
    games = "#property-a-win .shown"
    assert browser.attributes(f"{games}:not([hidden])", "data-rules") == ["put"]
    assert browser.attributes(".of-property .examples:not([hidden])", "data-rules") == ["put"]
    assert not browser.is_shown('[data-only="strict"]')
    assert not browser.is_shown("pre")  # the exact text is folded
    browser.click("#exact")
    browser.click('#action-put [data-toggle="strict"]')
    assert browser.is_shown('[data-only="strict"]')
    assert browser.texts(".struck pre") == ['  turn: p = mover "it is not {p}\'s turn" ']
    assert browser.text("#chosen") == "with strict"
    assert browser.attributes(f"{games}:not([hidden])", "data-rules") == ["put+strict"]
    assert not browser.is_shown("#no-games")
    browser.click("#switches summary")
    browser.click('[data-switch="free"]')
    assert browser.text("#no-games") == "No game is kept that shows a claim under the chosen rules."
    assert browser.text('[data-claim="a-win"]') == "refuted with 2 players"  # of all rule sets together
    assert browser.text('[data-claim="nobody-is-alone"]') == "not yet decided"
    browser.click('[data-switch="alone"]')
    assert browser.text('[data-claim="nobody-is-alone"]') == "not claimed under the chosen rules"
    browser.click('[data-switch="alone"]')
    browser.click('[data-switch="strict"]')
    browser.click('[data-switch="free"]')
    assert browser.text("#clash") == "strict cannot be on together with free"
    assert not browser.is_shown('[data-only="strict"]')
    browser.click("#exact")
    assert not browser.is_shown("pre")
    assert not browser.complaints()
