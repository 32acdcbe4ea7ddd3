// Runs the host in JavaScript: `node run_host.mjs FOLDER_OF_HOSTS TASKS`. TASKS is a file of JSON, a list of matches;
// what the host says of each is printed as a line of JSON. `hosts.py` does the same with the host in Python.

import { readFileSync } from "node:fs";

const [hosts, tasks] = process.argv.slice(2);
const { Rules, Referred } = await import(`${hosts}/golpae_host.mjs`);
const modules = new Map();

function orReferred(ask) {
  try {
    return ask();
  } catch (reason) {
    if (!(reason instanceof Referred)) throw reason;
    return { verdict: "referred", reason: reason.message };
  }
}

for (const { module, players, stake, steps, chance, most } of JSON.parse(readFileSync(tasks, "utf-8"))) {
  if (!modules.has(module)) modules.set(module, await Rules.load(readFileSync(module)));
  const match = modules.get(module).match(players, stake);
  const said = [];
  for (const { line, shown, tries, scored } of steps) {
    if (shown) said.push(orReferred(() => match.state()), orReferred(() => match.following()));
    for (const wrong of tries) {
      const before = match.position;
      said.push(match.apply(wrong));
      match.position = before;
    }
    if (scored) said.push(orReferred(() => ({ scores: match.scores(line) })));
    said.push(match.apply(line));
  }
  if (chance) {
    match.begin(...chance.map(BigInt));
    for (let number = 0; number < most; number++) {
      const line = number ? match.play() : match.deal();
      if (line === null) break;
      said.push(line);
    }
    said.push(match.state());
  }
  console.log(JSON.stringify(said));
}
