"""An editor that speaks with `golpae lsp` over the real protocol.

Input: what to do with a connected client. Output: what that returns.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

PATIENCE = 60  # seconds for what a server has to show
Value = TypeVar("Value")
REFRESHES = lsp.ClientCapabilities(
    workspace=lsp.WorkspaceClientCapabilities(
        code_lens=lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
    )
)


class Editor:
    """A client, what it was shown, and the documents that it has open."""

    def __init__(self) -> None:
        self.client = LanguageClient("tests", "1")
        self.shown: dict[str, list[lsp.Diagnostic]] = {}
        self.said: list[str] = []
        self.opened: list[lsp.ShowDocumentParams] = []
        self.refreshed = asyncio.Event()  # somebody has asked for lenses to be asked for again
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.shown[Path(params.uri).name] = [*params.diagnostics]
            self._news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def say(params: lsp.ShowMessageParams) -> None:
            self.said.append(params.message)

        @self.client.feature(lsp.WINDOW_LOG_MESSAGE)
        def log(params: lsp.LogMessageParams) -> None:
            return

        @self.client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(params: None) -> None:
            self.refreshed.set()

        @self.client.feature(lsp.WINDOW_SHOW_DOCUMENT)
        def show(params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
            self.opened.append(params)
            return lsp.ShowDocumentResult(True)

    async def start(self, folder: Path) -> None:
        await self.client.start_io(sys.executable, "-m", "golpae", "lsp")
        await self.client.initialize_async(
            lsp.InitializeParams(capabilities=REFRESHES, root_uri=folder.as_uri())
        )
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)

    def open(self, file: Path, content: str | None = None) -> lsp.TextDocumentIdentifier:
        """Open a file, or take another text for an open one."""
        words, uri = file.read_text(encoding="utf-8") if content is None else content, file.as_uri()
        version = self._versions[uri] = self._versions.get(uri, 0) + 1
        if version == 1:
            item = lsp.TextDocumentItem(uri, "golpae", version, words)
            self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        else:
            document = lsp.VersionedTextDocumentIdentifier(version, uri)
            changes: list[lsp.TextDocumentContentChangeEvent] = [
                lsp.TextDocumentContentChangeWholeDocument(words)
            ]
            self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, changes))
        return lsp.TextDocumentIdentifier(uri)

    async def sees(self, file: str, wanted: Callable[[list[lsp.Diagnostic]], bool]) -> list[lsp.Diagnostic]:
        """Wait until what is shown of a file is as wanted. Return it."""

        async def waiting() -> list[lsp.Diagnostic]:
            while not wanted(self.shown.get(file, [])):
                await self._news.wait()
                self._news.clear()
            return self.shown[file]

        try:
            return await asyncio.wait_for(waiting(), PATIENCE)
        except TimeoutError:
            raise AssertionError(f"of {file} is shown: {self.shown.get(file)}") from None


def with_editor(folder: Path, do: Callable[[Editor], Awaitable[Value]]) -> Value:
    """Return what comes of a session of an editor."""

    async def session() -> Value:
        editor = Editor()
        await editor.start(folder)
        try:
            return await do(editor)
        finally:
            await editor.stop()

    return asyncio.run(session())


def place(content: str, words: str, at: int = 0) -> lsp.Position:
    """Return the position of the first of these words in a text, so many characters behind its beginning."""
    start = content.index(words) + at
    line = content.count("\n", 0, start)
    return lsp.Position(line, start - content.rfind("\n", 0, start) - 1)


def each(answer: object, kind: type[Value]) -> list[Value]:
    """Return the members of an answer, which have to be of one kind."""
    members = [*answer] if isinstance(answer, list | tuple) else [answer]
    found = [member for member in members if isinstance(member, kind)]
    assert len(found) == len(members), answer
    return found
