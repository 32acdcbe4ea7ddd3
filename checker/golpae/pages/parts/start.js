// What runs when the page has been read.

const page = new Page(read("game"));
loadRules(read("module")).then((rules) => {
  if (rules === null) return;
  page.game.actions = rules.templates.actions;
  page.play = new Play(page, rules);
});
keptIndex.link();
