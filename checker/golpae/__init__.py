"""golpae: the rules of a tile game, written once, read by everything else.

    import golpae

    rules = golpae.load("game+variant")             # by name, or a file; golpae.load_text(text)
    game = rules.at(players=2).game(["An", "Bo"])   # a live game
    game.apply({"do": "deal", ...})                 # Accepted, or Refused with the reason
    golpae.check("game.jsonl")                      # the verdict on a recorded game

`docs/library.md` teaches the library on one page, `docs/library-reference.md` lists all of it. The names in
`__all__` are stable; everything else may change.
"""

# A rule text is parsed (`golpae.syntax`), resolved and typed (`golpae.elaborate`) into one small IR (`golpae.ir`).
# Every other package is a reader of that IR. This module imports none of them before a name is asked for, so that
# `import golpae` costs nothing. `__init__.pyi` says the same to type checkers.

__version__ = "0.3.0"

_HOMES = {
    "arrow": "verdict_batches verdicts_table",
    "answers.attributing": "Attributed SwitchEvidence attribute_games",
    "checking": "Checked Conflicting Refused Ruled Trace Verdict",
    "answers.comparing": "Answer Compared ComparedTable Difference Size",
    "engine": "Meld Policy Position Turn",
    "errors": "Diagnostic GolpaeError HandError LimitError MissingExtra PolicyError RulesError TableError TraceError",
    "front": "check check_all compare_rules count_verdicts live load load_text names score",
    "events": "Accepted Choice Event",
    "answers.following": "Change ComparedTraces compare_traces",
    "game": "Game",
    "answers.playing": "Mean Share Simulated",
    "answers.proving": "Proof",
    "recorded": "Recorded recorded_games",
    "rules": "Action Condition Key Option Property Rules Switch",
    "answers.scoring": "Misfit Missed Scored Wait Waiting Way",
    "answers.switching": "ComparedSwitch SwitchGame SwitchPart compare_switch",
    "table": "Table",
    "values": "FrozenDict",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    """Return a name of the library, and import what it needs."""
    if name not in _HOME:
        raise AttributeError(f"module `golpae` has no attribute `{name}`")
    from importlib import import_module

    value: object = getattr(import_module(f"golpae.library.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
