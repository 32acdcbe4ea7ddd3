"""How a call names rules: every verb takes a name or a file, with variants or without, and says where it looked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import INCOMPLETE, LEGAL, PUT, with_header, write

SCORED = """
shape twins(a, b): a = b

arrangement two: 2 twins

score worth "what two twins are worth"
  given
    beads: tiles
  hand: beads
  as: two
  total: sum
  pattern plain 1: yes
  pattern more 2: doubled

define doubled: no

variant dear "twins are worth more"
  replace doubled: yes
"""

# the words that name `put` and `put+plus1`, with what a call needs besides
WORDS = [
    ("put", ["--spec-path", "rules"]),
    ("rules/put.golpae", []),
    ("./rules/put.golpae", []),
    ("own.golpae", []),
]


@pytest.fixture(autouse=True)
def own(here: Path) -> None:
    """A text in the working folder, which includes another one beside it."""
    head, rest = PUT.replace("game put ", "game own ").split("\n", 1)
    Path("own.golpae").write_text(f"{head}\ninclude part\n{rest}")
    Path("part.golpae").write_text("define nothing: 0\n")


def base(word: str) -> str:
    return Path(word).name.removesuffix(".golpae")


@pytest.mark.parametrize(("word", "more"), WORDS)
def test_check_takes_a_name_or_a_file(golpae: Golpae, word: str, more: list[str]) -> None:
    write("a.jsonl", *LEGAL, *with_header(rules="nowhere"))
    done = golpae("check", "--format", "json", "--rules", word, *more, "a.jsonl", own=False)
    assert [(found["rules"], found["verdict"]) for found in done.json] == [(base(word), "legal")] * 2
    done = golpae("check", "--format", "json", "--rules", f"{word}+plus1", *more, "a.jsonl", own=False)
    clause = f"{base(word)}.end.pay"
    assert [(found["rules"], found["clause"]) for found in done.json] == [(f"{base(word)}+plus1", clause)] * 2


@pytest.mark.parametrize(("word", "more"), WORDS)
def test_legal_takes_a_name_or_a_file(golpae: Golpae, word: str, more: list[str]) -> None:
    write("a.jsonl", *LEGAL[:-1])
    done = golpae("legal", "--format", "json", "--rules", f"{word}+plus2", *more, "a.jsonl", own=False)
    assert json.loads(done.out)["pay"] == [5, -5]


@pytest.mark.corpus
@pytest.mark.parametrize(("word", "more"), WORDS)
def test_attribute_takes_a_name_or_a_file(golpae: Golpae, word: str, more: list[str]) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("attribute", "--rules", word, *more, "a.jsonl")
    assert (done.status, done.out.split("\n")[0]) == (0, f"{base(word)}: 1 trace")
    assert golpae("attribute", "--rules", f"{word}+plus1", *more, "a.jsonl").status == 1


@pytest.mark.parametrize(("word", "more"), WORDS)
def test_show_takes_a_name_or_a_file(golpae: Golpae, word: str, more: list[str]) -> None:
    assert golpae("show", word, *more).out.startswith(f"{base(word)}: Put\n")
    done = golpae("show", f"{word}+plus1", "bit1", *more)
    assert done.out == "define bit1: 1  # replaced by plus1\nbit1 is replaced by plus1\n  before: bit1: 0\n"


@pytest.mark.parametrize(("word", "more"), WORDS)
def test_lint_takes_a_name_or_a_file(golpae: Golpae, word: str, more: list[str]) -> None:
    for text in (word, f"{word}+plus1", f"{word}+plus1+plus2"):
        done = golpae("lint", text, *more)
        assert (done.status, done.out, done.err) == (0, f"{text}: no faults\n", "")


def test_lint_finds_what_variants_break_together(golpae: Golpae) -> None:
    two = '\nvariant {} "x"\n  replace bit0: {}\n'
    Path("own.golpae").write_text(Path("own.golpae").read_text() + two.format("a", 2) + two.format("b", 3))
    assert golpae("lint", "own.golpae").status == 0
    assert golpae("lint", "own.golpae+a").status == 0
    done = golpae("lint", "own.golpae+a+b")
    assert (done.status, done.err) == (2, "")
    assert done.out.startswith("own.golpae:")
    assert "`bit0`" in done.out


@pytest.mark.parametrize("word", ["own", "own.golpae", "./own.golpae"])
def test_score_takes_a_name_or_a_file(golpae: Golpae, word: str) -> None:
    Path("own.golpae").write_text(Path("own.golpae").read_text() + SCORED)
    more = ["--spec-path", "."] if word == "own" else []
    hand = ["1-1", "1-1", "2-2", "2-2"]
    assert golpae("score", word, *hand, *more).out.startswith("own 1-1 1-1 2-2 2-2: 1\n")
    assert golpae("score", f"{word}+dear", *hand, *more).out.startswith("own+dear 1-1 1-1 2-2 2-2: 3\n")
    write("hands.jsonl", {"beads": hand})
    for words in ([f"{word}+dear", "hands.jsonl"], ["hands.jsonl", "--rules", f"{word}+dear"]):
        assert golpae("score", *words, *more, "--format", "json").json[0]["points"] == 3


@pytest.mark.parametrize(("word", "more"), WORDS)
def test_compare_takes_a_name_or_a_file(golpae: Golpae, word: str, more: list[str]) -> None:
    done = golpae("compare", word, f"{word}+plus1", *more, "--layer", "text")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"{base(word)} and {base(word)}+plus1 differ in 1 clause\n")


def test_a_file_goes_before_the_spec_path(golpae: Golpae) -> None:
    """A game of the same name there is another; what a file includes lies beside it."""
    Path("rules/own.golpae").write_text("")
    write("a.jsonl", *with_header(rules="own"))
    assert golpae("check", "--rules", "own.golpae", "a.jsonl").status == 0
    done = golpae("check", "a.jsonl")
    assert (done.status, "has no `game` line" in done.err) == (2, True)


def test_the_rules_of_headers_come_from_the_spec_path_alone(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(rules="own"))
    assert golpae("check", "a.jsonl").status == 2
    assert golpae("check", "a.jsonl", "--spec-path", ".").status == 0
    assert golpae("check", "a.jsonl", "--spec-path", "own.golpae", own=False).status == 0


def test_show_takes_a_clause_as_verdicts_name_it(golpae: Golpae) -> None:
    shown = [golpae("show", "rules/put.golpae", clause).out for clause in ("put.turn", "put.put.turn")]
    assert shown == ['turn: p = mover "it is not {p}\'s turn"\n'] * 2


def test_show_keeps_a_comment_at_the_end_of_a_block_in_this_block(golpae: Golpae) -> None:
    text = Path("rules/put.golpae")
    source = text.read_text(encoding="utf-8")
    text.write_text(source.replace("\nend\n", "  # then nobody wins\n\nend\n", 1), encoding="utf-8")
    assert "# then nobody wins" not in golpae("show", "rules/put.golpae", "end").out
    assert golpae("show", "rules/put.golpae", "put").out.splitlines()[-1] == "  # then nobody wins"


def test_show_tells_all_of_a_pattern(golpae: Golpae) -> None:
    lines = golpae("show", "korean-mahjong+no-implied", "worth.plum-blossom-on-the-roof").out.splitlines()
    assert [line.strip().split("  ")[0] for line in lines[:4]] == [
        "pattern plum-blossom-on-the-roof 8, extra: replaced and win = 5p",
        '"you win with the tile that replaces one of a kong, and it is the 5 dot"',
        "define replaced: replacement",
        "plum-blossom-on-the-roof brings out-with-replacement",
    ]
    assert {line.split()[0] for line in lines[4:]} >= {"M9", "M23r", "M24r", "M32r"}


def test_show_tells_what_switches_do_to_a_pattern(golpae: Golpae) -> None:
    said = golpae("show", "korean-mahjong+premium-each", "worth.premium").out
    assert "define premium-points: others" in said
    assert "worth.premium-points is replaced by premium-each\n  before: premium-points: 1" in said
    said = golpae("show", "korean-mahjong", "worth.premium").out
    assert "pattern premium premium-points, extra: others > 0" in said
    assert "worth.premium-points would be changed by +premium-each" in said


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("pot", "`put` has no `pot`\n  help: did you mean `put`?\n"),
        ("plus3", "`put` has no `plus3`\n  help: it is a variant or reading: write `put+plus3`\n"),
        ("put.trun", "`put` has no clause `trun`\n  help: did you mean `turn`?\n"),
        ("\x1b[31m", "`put` has no `\\x1b[31m`\n  help: its parts are bit0, "),
    ],
)
def test_show_says_what_a_rule_set_lacks(golpae: Golpae, clause: str, told: str) -> None:
    done = golpae("show", "rules/put.golpae", clause)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"golpae: {told}")


# ---------------------------------------------------------------- names that lead nowhere

VERBS = [
    ["check", "--rules", "{}", "a.jsonl"],
    ["legal", "--rules", "{}", "a.jsonl"],
    ["attribute", "--rules", "{}", "a.jsonl"],
    ["show", "{}"],
    ["lint", "{}"],
    ["score", "{}", "1-1"],
    ["score", "hands.jsonl", "--rules", "{}"],
    ["compare", "{}", "jjak", "--layer", "text"],
    ["prove", "{}"],
    ["coverage", "--rules", "{}", "a.jsonl"],
    ["mutate", "{}", "--traces", "a.jsonl"],
    ["learn", "{}", "a.jsonl"],
]


def told(golpae: Golpae, verb: list[str], word: str, *more: str) -> str:
    """Return the message of a verb about a word that names no rules."""
    write("a.jsonl", *INCOMPLETE)
    write("hands.jsonl", {"beads": []})
    done = golpae(*(part.format(word) for part in verb), *more, own=False)
    assert done.status == 2
    assert not (done.out and done.err)
    return done.out + done.err


OWN_GAMES = (
    "its own games (`block-dominoes`, `bridge`, `gin-rummy`, `go-stop`, `hearts`, `ho-hpai`, `jjak`, "
    "`korean-mahjong` and 5 more)"
)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_an_unknown_name_gets_a_message_with_the_searched_places(golpae: Golpae, verb: list[str]) -> None:
    assert told(golpae, verb, "harbour+wide") == (
        f"error[L001]: there are no rules called `harbour`\n  help: golpae looked among {OWN_GAMES}; "
        "`--spec-path DIR` adds a folder of rule texts\n"
    )
    assert told(golpae, verb, "putt", "--spec-path", "rules") == (
        "error[L001]: there are no rules called `putt`\n"
        f"  help: did you mean `put`? golpae looked in `rules` (`put`) and among {OWN_GAMES}\n"
    )


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_text_in_this_folder_is_found(golpae: Golpae, verb: list[str]) -> None:
    done = golpae(*(part.format("own+plus1") for part in verb), own=False)
    named = golpae(*(part.format("own.golpae+plus1") for part in verb), own=False)
    assert "there are no rules" not in done.out + done.err
    assert done.status == named.status


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_with_a_spec_path_no_other_folder_is_searched(golpae: Golpae, verb: list[str]) -> None:
    assert told(golpae, verb, "own+plus1", "--spec-path", "rules") == (
        "error[L001]: there are no rules called `own`\n"
        "  help: there is a file `own.golpae` in this folder: "
        "write `own.golpae+plus1`, or add `--spec-path .`\n"
    )


@pytest.mark.parametrize(
    "call",
    [
        "check {}", "check --jobs 2 {}", "check -o out.jsonl {}", "legal {}", "view {}", "coverage {}",
        "find mine yes {}", "attribute {}", "audit {}", "report {} -o pages", "perft mine {} 1",
        "compare mine mine --traces {}", "mutate mine --traces {} --every 300", "check --rules mine {}",
    ],
)  # fmt: skip
def test_a_text_beside_the_games_is_found(golpae: Golpae, call: str) -> None:
    Path("my").mkdir()
    Path("my/mine.golpae").write_text(PUT.replace("game put", "game mine"), "utf-8")
    write("my/a.jsonl", *with_header(rules="mine"))
    for path in ("my/a.jsonl", "my"):
        if path == "my" and call.startswith("perft"):
            continue
        done = golpae(*(word.replace("{}", path) for word in call.split()), own=False)
        assert done.status in (0, 1), done
        assert "there are no rules" not in done.out + done.err


def test_a_text_beside_games_below_a_folder_is_found(golpae: Golpae) -> None:
    Path("all/my").mkdir(parents=True)
    Path("all/my/mine.golpae").write_text(PUT.replace("game put", "game mine"), "utf-8")
    write("all/my/a.jsonl", *with_header(rules="mine"))
    assert golpae("check", "all", own=False).out.endswith("1 trace: 1 legal\n")


def test_a_text_beside_games_takes_the_place_of_no_game_of_golpae(golpae: Golpae) -> None:
    Path("jjak.golpae").write_text(PUT.replace("game put", "game jjak"), "utf-8")
    write("a.jsonl", *with_header(rules="jjak"))
    done = golpae("check", "--format", "json", "a.jsonl", own=False)
    own = golpae("check", "--format", "json", "--rules", "jjak.golpae", "a.jsonl", own=False)
    named = golpae("check", "--format", "json", "--spec-path", ".", "a.jsonl", own=False)
    assert done.json[0]["verdict"] == "illegal"
    assert own.json[0]["verdict"] == named.json[0]["verdict"] == "legal"
    assert done.json[0]["spec_hash"] != own.json[0]["spec_hash"]
    assert "Jjak-mat-chu-gi" in golpae("show", "jjak").out


def test_two_texts_of_one_name_are_a_fault(golpae: Golpae) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "mine.golpae").write_text(PUT.replace("game put", "game mine"), "utf-8")
        write(f"{folder}/a.jsonl", *with_header(rules="mine"))
    assert golpae("check", "a", "b", own=False).out.endswith("2 traces: 2 legal\n")
    Path("b/mine.golpae").write_text(PUT.replace("game put", "game mine") + "# another\n", "utf-8")
    assert golpae("check", "b", own=False).status == 0
    done = golpae("check", "a", "b", own=False)
    assert done.status == 2
    assert "there are several texts of `mine`: `./a/mine.golpae`, `./b/mine.golpae`" in done.out
    assert golpae("check", "--spec-path", "a", "a", "b", own=False).status == 0


def test_rules_in_a_folder_below_are_mentioned(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(rules="put"))
    advice = "there is a file `rules/put.golpae`: add `--spec-path rules`"
    message = golpae("check", "--format", "json", "a.jsonl", own=False).json[0]["message"]
    assert message == f"there are no rules called `put`; {advice}"
    assert told(golpae, ["show", "{}"], "put") == (
        f"error[L001]: there are no rules called `put`\n  help: {advice}\n"
    )


def test_a_folder_is_proved_if_it_has_games(golpae: Golpae) -> None:
    Path("texts").mkdir()
    assert told(golpae, ["prove", "{}"], "texts") == (
        "golpae: no games in folder `texts`\n  help: their texts end in `.golpae` and have a `game` line\n"
    )
    assert golpae("prove", "--locked", "rules").out.startswith(
        "rules/put.proofs.json: there are no kept proofs\n"
    )


@pytest.mark.parametrize("verb", [["show", "{}"], ["check", "--rules", "{}", "a.jsonl"]], ids=" ".join)
def test_a_folder_that_is_named_as_rules_is_mentioned(golpae: Golpae, verb: list[str]) -> None:
    Path("texts").mkdir()
    assert told(golpae, verb, "texts") == (
        "error[L001]: there are no rules called `texts`\n"
        "  help: `texts` is a folder: name a file in it, or write `--spec-path texts`\n"
    )


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.parametrize(
    ("word", "what"),
    [
        (
            "rules/putt.golpae+plus1",
            "there is no file `rules/putt.golpae`\n  help: did you mean `put.golpae`?\n",
        ),
        (
            "rules/2x.golpae",
            "`2x.golpae` cannot be the name of a rule text\n  help: names consist of the letters",
        ),
        (
            "own.golpae+",
            "`own.golpae+` lacks a name\n  help: write the name of a game; for a variant, add `+` and its name\n",
        ),
        ("own+plus1+plus1", "`own+plus1+plus1` names the variant `plus1` twice\n"),
        ("own.golpae+plus1+plus1", "`own.golpae+plus1+plus1` names the variant `plus1` twice\n"),
        ("own+2x", "`2x` cannot be the name of rules or of a variant\n  help: names consist of the letters"),
        ("own.golpae+a b", "`a b` cannot be the name of rules or of a variant\n  help: names consist of the"),
    ],
)
def test_a_word_that_names_nothing_gets_a_message(
    golpae: Golpae, verb: list[str], word: str, what: str
) -> None:
    Path("rules/2x.golpae").write_text("")
    assert told(golpae, verb, word).startswith(f"golpae: {what}")


def test_all_combinations_are_not_one_rule_set(golpae: Golpae) -> None:
    assert told(golpae, ["show", "{}"], "own+*") == (
        "golpae: `*` cannot be the name of rules or of a variant\n"
        "  help: `*` stands for all combinations, and one rule set is needed here: `own`\n"
    )


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb[0] != "score"], ids=" ".join)
def test_a_file_of_traces_is_no_rules(golpae: Golpae, verb: list[str]) -> None:
    assert told(golpae, verb, "a.jsonl").startswith(
        "golpae: `a.jsonl` is a file of traces, not rules\n  help: `golpae check a.jsonl` checks them; "
    )


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb[0] != "score"], ids=" ".join)
def test_a_path_without_its_ending_gets_a_message(golpae: Golpae, verb: list[str]) -> None:
    assert told(golpae, verb, "rules/put+plus1") == (
        "golpae: there is no file `rules/put+plus1`\n  help: write `rules/put.golpae+plus1`\n"
    )


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_an_unknown_variant_of_a_file_gets_a_message(golpae: Golpae, verb: list[str]) -> None:
    assert told(golpae, verb, "own.golpae+plus9").startswith(
        "error[R001]: `own` has no variant or reading `plus9`\n  help: did you mean `plus"
    )


def test_find_says_where_the_text_of_an_unknown_game_is(golpae: Golpae, here: Path) -> None:
    done = golpae("find", "put", "0 = 0", "a.jsonl", own=False)
    assert (done.status, done.out) == (2, "")
    assert "there are no rules called `put`" in done.err
    assert f"there is a file `{Path('rules/put.golpae')}`: add `--spec-path rules`" in done.err
