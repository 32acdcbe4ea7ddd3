"""The verbs of golpae: what each does, calls of it, and the page about it.

Input: none. Output: `VERBS`, and the end of the help of a verb.
Guarantee: each verb has two examples, and a page of the documentation.
"""

from __future__ import annotations

GAMES = {
    "check": "check recorded games against their rules",
    "attribute": "find out by which rules games were played",
    "legal": "list the events that can follow a recorded game",
    "coverage": "count which parts of their rules recorded games use",
    "audit": "see whether the deals of recorded games look shuffled",
    "find": "find where in recorded games an expression of the rules language holds",
    "report": "show recorded games as pages: the table, event by event",
    "view": "show the positions of a recorded game at the terminal",
    "play": "play a game, against policies or with others at one keyboard",
    "score": "score a hand without a game",
    "simulate": "play many games by a policy, and count what comes of them",
    "perft": "count the games that can follow a recorded one",
    "pack": "pack many recorded games into one small file",
    "unpack": "take recorded games out of such a file",
    "convert": "turn logs of another program into recorded games",
    "hide": "show recorded games as one player saw them, with the other tiles unknown",
    "infer": "say what is certain of tiles that nobody saw, and how many ways there are",
    "conform": "drive another program through games, and compare it with the rules",
}
RULES = {
    "new": "begin a rule text of your own, with a small game that can be played",
    "watch": "lint rule texts and check recorded games whenever one of them is saved",
    "lint": "find faults in rule texts",
    "format": "format rule texts in golpae's one style",
    "show": "show a rule set clause by clause, with its sources",
    "prove": "prove or refute the properties that rule texts state",
    "recheck": "check certificates of proofs",
    "compare": "show how two rule sets differ",
    "mutate": "change rule texts in one place at a time, and see whether recorded games notice",
    "learn": "find the smallest edit of a rule text under which recorded games are legal",
    "build": "make a module that plays and checks games anywhere, without golpae",
    "playground": "write a page on which rules are written, checked, played and proved, in a browser",
    "lsp": "answer an editor: faults while you type, what a name means, and where it stands",
}
ABOUT = {
    "help": "show how to call golpae or a verb, or explain a kind of fault or a word of the rules language",
    "completion": "write the script with which a shell completes verbs and options",
}
FILES = ("pack", "unpack", "convert", "hide")  # verbs about games that write files of them
VERBS = GAMES | RULES | ABOUT
WITH_COMMAND = ("conform",)  # verbs that start the program whose command is after `--`
# Calls of each verb, the first of them one that has all that the verb needs, and the page about it.
EXAMPLES = {
    "check": ("check games.jsonl", "check games --expected verdicts"),
    "attribute": ("attribute games.jsonl", "attribute games --format json"),
    "legal": ("legal games.jsonl", "legal games.jsonl --format json"),
    "coverage": ("coverage games.jsonl", "coverage games --html coverage.html"),
    "audit": ("audit games.jsonl", "audit games --format json"),
    "find": ("find game.golpae 'pool is empty' games.jsonl", "find game.golpae 'after draw: p wins' games"),
    "report": ("report games.jsonl -o pages", "report games -o pages --limit 100"),
    "view": ("view games.jsonl", "view games.jsonl --event 12"),
    "play": ("play game.golpae", "play game.golpae --web -o game.html"),
    "score": ("score game.golpae 1-1 2-1", "score game.golpae hands.jsonl"),
    "simulate": ("simulate game.golpae --games 1000", "simulate game.golpae --policy greedy --seed 7"),
    "perft": ("perft game.golpae games.jsonl 4", "perft game.golpae games.jsonl 2"),
    "pack": ("pack games -o games.parquet", "pack games.jsonl -o games.parquet"),
    "unpack": ("unpack games.parquet -o games", "unpack games.parquet -o more"),
    "convert": ("convert game.mjlog -o game.jsonl", "convert --from mjai games.json"),
    "hide": ("hide games.jsonl --seat 0", "hide games --seat none -o seen.jsonl"),
    "infer": ("infer games.jsonl", "infer games.jsonl --seat 0 --at 12 --why"),
    "conform": ("conform game.golpae -- python engine.py", "conform game.golpae --games 100 -- ./engine"),
    "new": ("new harbour", "new harbour -o texts/harbour.golpae"),
    "watch": ("watch", "watch game.golpae games"),
    "lint": ("lint game.golpae", "lint texts"),
    "format": ("format game.golpae", "format --check texts"),
    "show": ("show game.golpae", "show game.golpae --html -o game.html"),
    "prove": ("prove game.golpae", "prove game.golpae --write"),
    "recheck": ("recheck certificate", "recheck certificate --jobs 2"),
    "compare": ("compare game.golpae other.golpae", "compare game.golpae game.golpae+variant"),
    "mutate": ("mutate game.golpae --traces games", "mutate game.golpae --traces games --verbose"),
    "learn": ("learn game.golpae games.jsonl", "learn game.golpae games --write our-game.golpae"),
    "build": ("build game.golpae -o game.wasm", "build game.golpae -o modules/"),
    "playground": ("playground -o playground", "playground --serve"),
    "lsp": ("lsp", "lsp --stdio"),
    "help": ("help check", "help N001"),
    "completion": ("completion bash", "completion zsh"),
}
PAGES = {
    **dict.fromkeys(("check", "legal", "perft", "score"), "verdicts"),
    **dict.fromkeys(("report", "view"), "report"),
    **dict.fromkeys(("pack", "unpack"), "archive"),
    **dict.fromkeys(("lint", "format"), "language"),
    **dict.fromkeys(("new", "help", "completion"), "tutorial"),
    "watch": "projects",
    "convert": "logs",
    "hide": "traces",
    "show": "rule-book",
    "prove": "proofs",
    "recheck": "certificates",
    "build": "modules",
    "lsp": "editors",
    "conform": "testing",
}


def example(verb: str) -> str | None:
    """Return a call of a verb that has all that it needs, or None if its name alone is one."""
    return f"golpae {EXAMPLES[verb][0]}" if verb in EXAMPLES and verb not in NAME_IS_ENOUGH else None


NAME_IS_ENOUGH = ("show", "prove", "watch", "playground", "lsp", "help")


def epilog(verb: str) -> str:
    """Return the end of the help of a verb: examples, and the page about it."""
    calls = "\n".join(f"  golpae {call}" for call in EXAMPLES[verb])
    return f"examples:\n{calls}\n\nmore: docs/{PAGES.get(verb, verb)}.md, in the folder of golpae"
