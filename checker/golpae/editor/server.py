"""A language server for rule texts and recorded games: `golpae lsp`.

Input: requests of an editor. Output: its answers, and diagnostics.
Guarantee: faults of the grammar come at once, those of the base rules as soon as nobody types, and those of all
variants, with notes, from another process. A text that changes meanwhile is checked again.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from golpae import __version__
from golpae.diagnostics import Diagnostic, SpecError
from golpae.editor.broken import Broken, send_broken
from golpae.editor.checks import CheckedTexts, base_faults, send_all_faults, send_faults_of_games
from golpae.editor.completing import offers
from golpae.editor.kept import KeptVerdicts
from golpae.editor.occurrences import Occurrence
from golpae.editor.outline import outline
from golpae.editor.positions import offset, position, range_of, whole
from golpae.editor.renaming import NotRenamed, renamed
from golpae.editor.telling import hover
from golpae.editor.workspace import Parsed, Workspace
from golpae.elaborate.names import ENDING
from golpae.syntax import tree as t
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from golpae.workers import Sent, Workers

TYPED, RESTED = 0.05, 0.6  # seconds without a change before the base rules, and all variants, are checked
MOST_GAMES = 3  # that a part of texts is checked in
LARGEST_TRACE = 1 << 21  # characters of recorded games that are checked
PROVE, COMPARE, BROKEN = "golpae.prove", "golpae.compare", "golpae.broken"
MOST_LISTED = 20  # places in recorded games
SOURCE = "golpae"


class Server(LanguageServer):
    """One editor's server."""

    def __init__(self) -> None:
        super().__init__("golpae", __version__)
        self.texts = Workspace()
        self.kept = KeptVerdicts(self.texts)
        self.verdicts: dict[tuple[Path, str], str] = {}  # of properties that somebody had proved
        self.broken: dict[Path, Sequence[Broken]] = {}  # recorded games that a text refuses
        self.waiting: dict[str, threading.Event] = {}  # what ends the check of a document
        self.shown: dict[str, set[str]] = {}  # the documents that have faults of a document's game


def serve() -> None:
    """Answer an editor on standard input and output, until it says goodbye."""
    server().start_io()


def server() -> Server:
    """Return a server with all that it can do."""
    made = Server()
    _documents(made)
    _names(made)
    _renames(made)
    _texts(made)
    _commands(made)
    return made


# ---------------------------------------------------------------------- documents


def _documents(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        await _changed(ls, params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        await _changed(ls, params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        _stop(ls, uri)
        path = _path(uri)
        if path is not None:
            ls.texts.close(path)
        for other in {uri, *ls.shown.pop(uri, ())}:
            _publish(ls, other, [])


def _path(uri: str) -> Path | None:
    path = to_fs_path(uri)
    return None if path is None else Path(path)


def _stop(ls: Server, uri: str) -> None:
    known = ls.waiting.pop(uri, None)
    if known is not None:
        known.set()


async def _changed(ls: Server, uri: str) -> None:
    """Check a document anew."""
    _stop(ls, uri)
    ls.waiting[uri] = stopped = threading.Event()
    path = _path(uri)
    if path is None:
        return
    source = ls.workspace.get_text_document(uri).source
    if path.suffix == ENDING:
        ls.texts.open(path, source)
        await _check_text(ls, uri, path, stopped)
    elif len(source) <= LARGEST_TRACE:
        await _check_games(ls, uri, path, source, stopped)


async def _check_text(ls: Server, uri: str, path: Path, stopped: threading.Event) -> None:
    parsed = ls.texts.parsed(path)
    if parsed is None:
        return
    if parsed.faults:
        _publish(ls, uri, [_diagnostic(fault) for fault in parsed.faults])
    await asyncio.sleep(TYPED)
    if stopped.is_set():
        return
    games = [texts[0].path for texts in ls.texts.games(path) if texts[0].game is not None][:MOST_GAMES]
    if not games:  # a part of texts that nothing includes
        _publish(ls, uri, [_diagnostic(fault) for fault in parsed.faults])
        return
    _publish_all(ls, uri, path, games, [base_faults(game, ls.texts.opened) for game in games])
    if parsed.faults:
        _know_broken(ls, dict.fromkeys([path.resolve(), *games], ()))
        return
    await asyncio.sleep(RESTED)
    if stopped.is_set():
        return
    faults_of_games = await asyncio.to_thread(_in_worker, stopped, send_all_faults, games, ls.texts.opened)
    if faults_of_games is None or stopped.is_set():
        return
    _publish_all(ls, uri, path, games, faults_of_games)
    if any(of_game.faults for of_game in faults_of_games):
        _know_broken(ls, dict.fromkeys(games, ()))
        return
    broken = await asyncio.to_thread(_in_worker, stopped, send_broken, games, ls.texts.opened)
    if broken is not None and not stopped.is_set():
        _know_broken(ls, broken)


def _know_broken(ls: Server, broken: Mapping[Path, Sequence[Broken]]) -> None:
    """Take what recorded games break; nothing is known of a text with faults."""
    if all(tuple(ls.broken.get(game, ())) == tuple(those) for game, those in broken.items()):
        return
    ls.broken |= broken
    if _refreshes(ls, "code_lens"):
        ls.workspace_code_lens_refresh(None)


def _refreshes(ls: Server, what: str) -> bool:
    """Return whether an editor asks again for something if it is told to."""
    capability = getattr(ls.client_capabilities.workspace, what, None)
    return bool(getattr(capability, "refresh_support", False))


async def _check_games(ls: Server, uri: str, path: Path, source: str, stopped: threading.Event) -> None:
    await asyncio.sleep(RESTED)
    if stopped.is_set():
        return
    results = await asyncio.to_thread(
        _in_worker, stopped, send_faults_of_games, source, [path.parent], ls.texts.opened
    )
    if results is None or stopped.is_set():
        return
    lines = source.split("\n")
    _publish(
        ls,
        uri,
        [
            lsp.Diagnostic(
                range=lsp.Range(
                    lsp.Position(one.line - 1, 0),
                    lsp.Position(one.line - 1, len(lines[one.line - 1]) if one.line <= len(lines) else 0),
                ),
                message="\n".join(one.lines),
                severity=lsp.DiagnosticSeverity.Error,
                source=SOURCE,
                code=one.clause,
            )
            for one in results
        ],
    )


def _in_worker(stopped: threading.Event, function: Callable[..., None], *args: Any) -> Any:
    """Return the value that a function sends from another process; None if it was stopped, or has died."""
    with Workers[int](1) as workers:
        workers.start(0, function, *args)
        while workers.at_work and not stopped.is_set():
            for event in workers.events():
                if isinstance(event, Sent):
                    return event.message
    return None


# ---------------------------------------------------------------------- diagnostics


def _publish(ls: Server, uri: str, diagnostics: Sequence[lsp.Diagnostic]) -> None:
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, [*diagnostics]))


def _publish_all(
    ls: Server, uri: str, path: Path, games: Sequence[Path], checked_texts: Sequence[CheckedTexts]
) -> None:
    """Show faults and notes of games in the documents that they are in."""
    own = ls.texts.parsed(path)
    names = {} if own is None else {own.text.name: uri}
    for game in games:
        for one in ls.texts.included(game):
            names.setdefault(one.text.name, from_fs_path(str(one.path)) or uri)
    by_document: dict[str, dict[Diagnostic, lsp.Diagnostic]] = {uri: {}}
    for of_game in checked_texts:
        for fault in of_game.faults:
            where = uri if fault.span is None else names.get(fault.span.text.name, uri)
            by_document.setdefault(where, {})[fault] = _diagnostic(fault)
        for note in of_game.notes:
            where = uri if note.span is None else names.get(note.span.text.name, uri)
            by_document.setdefault(where, {})[note] = _diagnostic(note, lsp.DiagnosticSeverity.Warning)
    before = ls.shown.get(uri, set())
    ls.shown[uri] = {*by_document}
    for document in sorted(before | {*by_document}):
        _publish(ls, document, [*by_document.get(document, {}).values()])


def _diagnostic(
    fault: Diagnostic, severity: lsp.DiagnosticSeverity = lsp.DiagnosticSeverity.Error
) -> lsp.Diagnostic:
    help_line = "" if fault.help is None else f"\nhelp: {fault.help}"
    labels = "".join(f"\n{label.words}: `{label.span.excerpt}`" for label in fault.labels)
    first = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
    return lsp.Diagnostic(
        range=first if fault.span is None else range_of(fault.span),
        message=f"{fault.message}{help_line}{labels}",
        severity=severity,
        code=fault.code,
        source=SOURCE,
    )


# ---------------------------------------------------------------------- names


def _parsed(ls: Server, params: Any) -> Parsed | None:
    """Return the text that a request is about."""
    path = _path(params.text_document.uri)
    return None if path is None else ls.texts.parsed(path)


def _at(ls: Server, params: Any) -> tuple[Parsed, Occurrence] | None:
    """Return the name at the place of a request."""
    parsed = _parsed(ls, params)
    return None if parsed is None else ls.texts.at(parsed.path, offset(parsed.text, params.position))


def _location(parsed: Parsed, name: Occurrence) -> lsp.Location:
    return lsp.Location(from_fs_path(str(parsed.path)) or "", range_of(name.span))


def _names(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        result = _at(ls, params)
        description = None if result is None else hover(ls.texts, result[0].path, result[1])
        if result is None or description is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, description), range_of(result[1].span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        result = _at(ls, params)
        if result is None:
            return []
        return [_location(*one) for one in ls.texts.declarations(result[0].path, result[1].symbol)]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        result = _at(ls, params)
        if result is None:
            return []
        every = ls.texts.uses(result[0].path, result[1].symbol)
        also = params.context.include_declaration
        return [_location(one, name) for one, name in every if also or name.declared is None]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        result = _at(ls, params)
        if result is None:
            return []
        every = ls.texts.uses(result[0].path, result[1].symbol)
        return [lsp.DocumentHighlight(range_of(name.span)) for one, name in every if one is result[0]]


def _renames(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def can_rename(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        place = _at(ls, params)
        if place is None or not ls.texts.declarations(place[0].path, place[1].symbol):
            return None
        return range_of(place[1].span)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        place = _at(ls, params)
        if place is None:
            return None
        try:
            changes = renamed(ls.texts, place[0].path, place[1], params.new_name)
        except NotRenamed as why:
            raise JsonRpcInvalidParams(str(why)) from None
        edits: dict[str, list[lsp.TextEdit]] = {}
        for change in changes:
            uri = from_fs_path(str(change.path)) or ""
            edits.setdefault(uri, []).append(lsp.TextEdit(range_of(change.span), change.words))
        return lsp.WorkspaceEdit(changes=edits)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "[", "."]))
    def completion(ls: Server, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        parsed = _parsed(ls, params)
        if parsed is None:
            return []
        place = offers(ls.texts, parsed.path, offset(parsed.text, params.position))
        return [lsp.CompletionItem(label=one.word, detail=one.what) for one in place]


# ---------------------------------------------------------------------- whole texts


def _texts(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        parsed = _parsed(ls, params)
        if parsed is None:
            return []
        try:
            formatted = format_text(parse(parsed.text))
        except (SpecError, RecursionError):
            return []  # its faults are shown already
        return [] if formatted == parsed.text.content else [lsp.TextEdit(whole(parsed.text), formatted)]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        parsed = _parsed(ls, params)
        return [] if parsed is None else outline(parsed)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        parsed = _parsed(ls, params)
        if parsed is None or parsed.game is None:
            return []
        uri, results = params.text_document.uri, []
        for decl in parsed.decls:
            if isinstance(decl, t.Property):
                command = lsp.Command("prove", PROVE, arguments=[uri, decl.name.text])
                results.append(lsp.CodeLens(range_of(decl.name.span), command))
            elif isinstance(decl, t.Variant):
                command = lsp.Command("what this changes", COMPARE, arguments=[uri, decl.name.text])
                results.append(lsp.CodeLens(range_of(decl.name.span), command))
        return [*results, *_lenses_of_games(ls, parsed, uri)]

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        parsed = _parsed(ls, params)
        if parsed is None:
            return []
        stored = {} if parsed.game is None else ls.kept.of(parsed.path)
        results = []
        for decl in parsed.decls:
            if isinstance(decl, t.Property):
                name, at = decl.name.text, position(parsed.text, decl.name.span.end)
                if (parsed.path, name) in ls.verdicts:
                    results.append(lsp.InlayHint(at, ls.verdicts[parsed.path, name], padding_left=True))
                elif name in stored:
                    one = stored[name]
                    results.append(lsp.InlayHint(at, one.words, tooltip=one.more, padding_left=True))
        return results


def _lenses_of_games(ls: Server, parsed: Parsed, uri: str) -> list[lsp.CodeLens]:
    """Return a lens for each clause of a text that recorded games beside it break."""
    counted = Counter(one.clause for one in ls.broken.get(parsed.path.resolve(), ()))
    lenses = []
    for name in parsed.names:
        many = counted.pop(name.symbol.name, 0) if name.declared and name.symbol.space == "clause" else 0
        if many:
            title = f"{many} recorded game{'s' * (many != 1)} break{'s' * (many == 1)} this"
            command = lsp.Command(title, BROKEN, arguments=[uri, name.symbol.name])
            lenses.append(lsp.CodeLens(range_of(name.span), command))
    return lenses


# ---------------------------------------------------------------------- commands


def _commands(server: Server) -> None:
    @server.command(PROVE)
    async def prove(ls: Server, uri: str, name: str) -> str | None:
        path = _path(uri)
        if path is None:
            return None
        said = await _said("prove", str(path), name)
        verdict = next((line.split(",")[0].strip() for line in said.splitlines()[1:]), None)
        if verdict in ("proved", "refuted", "bounded", "unknown", "measured"):
            ls.verdicts[path, name] = verdict
            ls.workspace_inlay_hint_refresh(None)
        _show(ls, said)
        return said

    @server.command(COMPARE)
    async def compare(ls: Server, uri: str, switch: str) -> str | None:
        path = _path(uri)
        if path is None:
            return None
        said = await _said("compare", str(path), f"{path}+{switch}")
        _show(ls, said)
        return said

    @server.command(BROKEN)
    async def broken(ls: Server, uri: str, clause: str) -> str | None:
        path = _path(uri)
        places = (
            [] if path is None else [one for one in ls.broken.get(path.resolve(), ()) if one.clause == clause]
        )
        if not places:
            return None
        lines = [f"{one.file.name}:{one.line}: {one.message}" for one in places[:MOST_LISTED]]
        more = len(places) - len(lines)
        said = "\n".join((*lines, *([f"and {more:,} more"] if more else [])))
        _show(ls, said)
        line = lsp.Position(places[0].line - 1, 0)
        document = from_fs_path(str(places[0].file)) or ""
        ls.window_show_document(
            lsp.ShowDocumentParams(document, take_focus=True, selection=lsp.Range(line, line))
        )
        return said


async def _said(*words: str) -> str:
    """Return the output of a call of golpae with these words, standard error included."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "golpae",
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    return out.decode("utf-8", "replace")


def _show(ls: Server, said: str) -> None:
    ls.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, said))
    ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, said.strip()[:2000]))
