// Starts `golpae lsp` for rule texts and recorded games, and stops it when the editor closes.

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function newClient() {
  const settings = vscode.workspace.getConfiguration("golpae");
  // Without a `transport` it speaks on standard input and output, and no argument is added.
  const program = {
    command: settings.get("command", "golpae"),
    args: settings.get("arguments", ["lsp"]),
  };
  return new LanguageClient("golpae", "golpae", program, {
    documentSelector: [
      { scheme: "file", language: "golpae" },
      { scheme: "file", pattern: "**/*.jsonl" },
    ],
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (fault) {
    client = undefined;
    const open = "Open Settings";
    const chosen = await vscode.window.showErrorMessage(
      `golpae does not start: ${fault.message ?? fault}. Set golpae.command to the path of the program.`,
      open,
    );
    if (chosen === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "golpae.command");
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("golpae.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("golpae")) void restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
