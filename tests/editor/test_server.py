"""`golpae lsp` over the real protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from golpae.cli.main import main
from tests.editor.client import PATIENCE, Editor, each, place, with_editor
from tests.editor.texts import GAME, POND, pond


def titles(lenses: Sequence[lsp.CodeLens] | None) -> list[str]:
    return [lens.command.title for lens in lenses or () if lens.command is not None]


def test_faults_come_and_go_while_somebody_types(tmp_path: Path) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        editor.open(file, POND.replace("define alike", "defin alike"))
        [fault] = await editor.sees("pond.golpae", bool)
        assert (fault.code, fault.range.start.character) == ("S001", 0)
        assert "did you mean `define`?" in fault.message
        editor.open(file, POND.replace("stage := giving", "stag := giving"))
        [fault] = await editor.sees("pond.golpae", lambda shown: any(one.code == "T004" for one in shown))
        assert fault.range.start == place(POND, "stage := giving")
        editor.open(file, POND)
        notes = await editor.sees(
            "pond.golpae", lambda shown: [one.code for one in shown] == ["W004", "W004"]
        )
        assert {note.severity for note in notes} == {lsp.DiagnosticSeverity.Warning}

    with_editor(tmp_path, session)


def test_a_fault_of_a_variant_is_shown_in_the_text_that_has_it(tmp_path: Path) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        editor.open(file, POND.replace("tile not in pool", "tile not in pond"))
        [fault] = await editor.sees("pond.golpae", lambda shown: any(one.code == "N001" for one in shown))
        assert fault.range.start == place(POND.replace("in pool", "in pond"), "tile not in pond", 12)

    with_editor(tmp_path, session)


def test_a_part_is_checked_in_the_games_that_include_it(tmp_path: Path) -> None:
    pond(tmp_path)

    async def session(editor: Editor) -> None:
        editor.open(
            tmp_path / "pond-sources.golpae", 'source 900 "A pond"\n  P1 in "Pairs": "two of a kind"\n'
        )
        faults = await editor.sees("pond.golpae", bool)
        assert {fault.message.splitlines()[0] for fault in faults} == {"no source lists a rule `P2`"}

    with_editor(tmp_path, session)


def test_a_recorded_game_shows_where_it_is_refused(tmp_path: Path) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        editor.open(tmp_path / "game.jsonl")
        [fault] = await editor.sees("game.jsonl", bool)
        assert (fault.range.start.line, fault.code) == (3, "pond.give.held")
        assert fault.message.splitlines()[0] == "An does not hold l5"
        # What is typed into the rules counts before it is saved.
        editor.open(file, POND.replace('"{p} does not hold {tile}"', '"{p} lacks {tile}"'))
        editor.open(tmp_path / "game.jsonl", GAME + "\n")
        await editor.sees(
            "game.jsonl", lambda shown: [one.message[:12] for one in shown] == ["An lacks l5\n"]
        )

    with_editor(tmp_path, session)


def test_names_are_told_found_and_renamed(tmp_path: Path) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        document = editor.open(file)
        client = editor.client
        used = place(POND, "alike(other")
        told = await client.text_document_hover_async(lsp.HoverParams(document, used))
        assert told is not None
        assert isinstance(told.contents, lsp.MarkupContent)
        assert told.contents.value.splitlines() == [
            "Whether two lanterns go together.",
            "",
            "```golpae",
            "define alike(a, b: tile): a = b                                           [P1]",
            "```",
            "",
            "**P1** (source 900, Pairs): two lanterns of a kind go together",
            "",
            "with **+pairs** (any two go together):",
            "",
            "```golpae",
            "replace alike: a = a and b = b",
            "```",
        ]
        found = await client.text_document_definition_async(lsp.DefinitionParams(document, used))
        [declared] = each(found, lsp.Location)
        assert declared.range.start == place(POND, "alike")
        context = lsp.ReferenceContext(include_declaration=True)
        uses = await client.text_document_references_async(lsp.ReferenceParams(context, document, used))
        assert uses is not None
        assert len(uses) == 3
        renaming = lsp.RenameParams(document, place(POND, "give(tile)"), "pass-on")
        edit = await client.text_document_rename_async(renaming)
        assert edit is not None
        assert edit.changes is not None
        assert {Path(uri).name: len(edits) for uri, edits in edit.changes.items()} == {
            "pond.golpae": 3,
            "game.jsonl": 1,
        }

    with_editor(tmp_path, session)


def test_a_text_is_formatted_listed_and_completed(tmp_path: Path) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        client = editor.client
        document = editor.open(
            file, POND.replace("define alike(a, b: tile): a = b ", "define alike(a,b:tile):a=b")
        )
        options = lsp.FormattingOptions(2, True)
        edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(document, options))
        [edit] = each(edits, lsp.TextEdit)
        assert edit.new_text == POND
        editor.open(file)
        parts = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
        every = each(parts, lsp.DocumentSymbol)
        names = {part.name: [child.name for child in part.children or ()] for part in every}
        assert names["give"] == ["turn", "held", "mates"]
        assert {"pond", "wall", "pool", "stage", "alike", "few", "pairs"} <= names.keys()
        lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document)) or ()
        assert titles(lenses)[:2] == ["prove", "what this changes"]
        typed = POND.replace("size of p's hand <= 4", "size of p's ")
        editor.open(file, typed)
        found = await client.text_document_completion_async(
            lsp.CompletionParams(document, place(typed, "size of p's ", 12))
        )
        assert {item.label for item in each(found, lsp.CompletionItem)} >= {"hand", "right"}

    with_editor(tmp_path, session)


def test_a_property_is_proved_from_the_editor(tmp_path: Path) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        document = editor.open(file)
        said = await editor.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams("golpae.prove", arguments=[file.as_uri(), "few"])
        )
        assert "always few" in (said or "")
        hints = await editor.client.text_document_inlay_hint_async(
            lsp.InlayHintParams(document, lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0)))
        )
        assert [hint.label for hint in hints or ()] == ["proved"]

    with_editor(tmp_path, session)


@pytest.mark.solver
@pytest.mark.process
def test_kept_proofs_stand_behind_the_names_of_properties(tmp_path: Path) -> None:
    file = pond(tmp_path)
    assert main(["prove", str(file), "--write"]) == 1  # hands that nobody can play on
    everywhere = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))

    async def session(editor: Editor) -> None:
        document = editor.open(file)
        asked = lsp.InlayHintParams(document, everywhere)
        [hint] = await editor.client.text_document_inlay_hint_async(asked) or ()
        assert hint.label == "proved"
        head, how = str(hint.tooltip).splitlines()
        assert head == "kept in pond.proofs.json. `golpae prove` checks it again."
        assert how.startswith("2 players: proved, ")
        editor.open(file, POND.replace("hands: 3 for everyone", "hands: 2 for everyone"))
        [hint] = await editor.client.text_document_inlay_hint_async(asked) or ()
        assert hint.label == "proved before"
        editor.open(file, POND.replace("hands: 3 for everyone", "hands: 3 for nobody"))
        [hint] = await editor.client.text_document_inlay_hint_async(asked) or ()
        assert hint.label == "proved before"
        (tmp_path / "pond.proofs.json").write_text("{", "utf-8")
        assert not await editor.client.text_document_inlay_hint_async(asked)

    with_editor(tmp_path, session)


def test_clauses_name_the_recorded_games_that_break_them(tmp_path: Path) -> None:
    (tmp_path / "golpae.toml").write_text('traces = ["games"]\n', "utf-8")
    (tmp_path / "games").mkdir()
    file = pond(tmp_path / "rules")
    (tmp_path / "rules" / "game.jsonl").rename(tmp_path / "games" / "a.jsonl")
    (tmp_path / "rules" / "b.jsonl").write_text(GAME, "utf-8")

    async def session(editor: Editor) -> None:
        document = editor.open(file)
        await asyncio.wait_for(editor.refreshed.wait(), PATIENCE)
        lenses = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(document)) or ()
        assert titles(lenses)[2:] == ["2 recorded games break this"]
        lens = lenses[-1]
        assert lens.range.start == place(POND, "held: tile in")
        assert lens.command is not None
        said = await editor.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(lens.command.command, arguments=lens.command.arguments)
        )
        assert said == "b.jsonl:4: An does not hold l5\na.jsonl:4: An does not hold l5"
        assert [Path(one.uri).name for one in editor.opened] == ["b.jsonl"]
        editor.refreshed.clear()
        editor.open(file, POND.replace("  held: tile in p's hand", "  held: yes"))
        await asyncio.wait_for(editor.refreshed.wait(), PATIENCE)

    with_editor(tmp_path, session)


@pytest.mark.parametrize("fault", ["zones zones", "define broken: nowhere"])
def test_nothing_is_said_of_the_recorded_games_of_a_text_with_faults(tmp_path: Path, fault: str) -> None:
    file = pond(tmp_path)

    async def session(editor: Editor) -> None:
        asked = lsp.CodeLensParams(editor.open(file))
        await asyncio.wait_for(editor.refreshed.wait(), PATIENCE)
        lenses = await editor.client.text_document_code_lens_async(asked) or ()
        assert "1 recorded game breaks this" in titles(lenses)
        editor.refreshed.clear()
        editor.open(file, f"{POND}\n{fault}\n")
        await asyncio.wait_for(editor.refreshed.wait(), PATIENCE)
        lenses = await editor.client.text_document_code_lens_async(asked) or ()
        assert not [title for title in titles(lenses) if "recorded game" in title]

    with_editor(tmp_path, session)
