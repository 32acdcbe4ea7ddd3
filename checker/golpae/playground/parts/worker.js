// golpae in a Web Worker: Python by Pyodide, and one request after the other.

import { loadPyodide } from "./vendor/pyodide/pyodide.mjs";

const HOLDS = "/held-"; // folders that the browser keeps, so that the next visit need not compute again
const SOLVER_MISSING = /No module named 'z3'/;
let made = null; // what `build.json` says
let answers = null;
let python = null;
let hasSolver = false;

const tell = (doing) => postMessage({ doing });
const address = (path) => new URL(path, import.meta.url).href;
const synced = (fromDisk) => new Promise((done) => python.FS.syncfs(fromDisk, done));

async function begin() {
  tell("Python is loading");
  made = await (await fetch(address("build.json"))).json();
  const held = HOLDS + made.build;
  const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0", GOLPAE_PROGRESS: "off", GOLPAE_CACHE: `${held}/golpae` };
  python = await loadPyodide({ indexURL: address("vendor/pyodide/"), env });
  tell("golpae is loading");
  await python.loadPackage(made.wheels.map(address), { messageCallback: () => {}, checkIntegrity: false });
  const packed = await (await fetch(address("golpae.zip"))).arrayBuffer();
  await python.unpackArchive(packed, "zip", { extractDir: "/golpae" });
  await hold(held);
  tell("golpae is starting");
  python.globals.set("tell", tell);
  python.globals.set("held", held);
  answers = python.runPython(BEGIN);
  await synced(false);
}

/** Let a folder be the browser's own, under the name of this build, and remove those of other builds. */
async function hold(folder) {
  python.FS.mkdirTree(folder);
  try {
    for (const { name } of (await indexedDB.databases?.()) ?? [])
      if (name.startsWith(HOLDS) && name !== folder) indexedDB.deleteDatabase(name);
    python.FS.mount(python.FS.filesystems.IDBFS, {}, folder);
    await synced(true);
  } catch (fault) {
    console.warn(`nothing is held for the next visit: ${fault}`);
  }
}

const BEGIN = `
import os, sys
from pathlib import Path
sys.path.insert(0, "/golpae")
sys.pycache_prefix = held + "/compiled"
for folder, _, files in os.walk("/golpae"):
    for file in files:  # their time is that of unpacking, by which Python would not know what it has compiled
        os.utime(os.path.join(folder, file), (0, 0))
from golpae.playground.answers import Playground
folder = Path("/texts")
folder.mkdir()
Playground(folder, tell).answer
`;

async function addSolver() {
  if (hasSolver) return;
  tell("the solver is loading");
  await python.loadPackage([address(made.solver)], { messageCallback: () => {}, checkIntegrity: false });
  hasSolver = true;
}

async function answer(request) {
  if (request.solver) await addSolver();
  try {
    return answers(JSON.stringify(request));
  } catch (fault) {
    if (hasSolver || !SOLVER_MISSING.test(String(fault))) throw fault;
    await addSolver();
    return answers(JSON.stringify(request));
  }
}

// INVARIANT: nothing is awaited before the worker listens, or it would miss its first requests.
let last = begin().then(() => postMessage({ ready: true }));
last.catch((fault) => postMessage({ broken: String(fault) }));

addEventListener("message", ({ data }) => {
  last = last.then(async () => {
    try {
      postMessage({ id: data.id, answer: JSON.parse(await answer(data.request)) });
      if (data.request.solver) await synced(false);
    } catch (fault) {
      postMessage({ id: data.id, answer: { fault: `golpae crashed: ${String(fault).trim().split("\n").at(-1)}` } });
      console.error(fault);
    }
  });
});
