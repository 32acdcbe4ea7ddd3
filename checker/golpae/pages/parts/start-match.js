// What runs when the page of a match has been read.

const page = new Page(read("game"));
loadRules(read("module")).then((rules) => {
  if (rules === null) {
    element("now").textContent = "This browser does not run WebAssembly, which the rules need.";
    element("new").closest("section").hidden = true;
    return;
  }
  page.game.actions = rules.templates.actions;
  page.play = new Match(page, rules);
});
