// A match on the page: people choose, policies play the other seats. The rules run in the page, and chance has a seed.

const PACE = 450; // milliseconds between the events of policies
const PACE_TOGETHER = 1500; // after one that took away what stood before several players: so long it can be looked at
const TRIES = 20; // times that greedy seats are asked before any of their events is taken
const HINT = 2 ** 40; // numbers of games that hints draw from
const MOST_ALONE = 10_000; // events of policies in a row
const PERSON = "person";
const PLAYED_BY = { person: "a person", greedy: "greedy", random: "random" };
const PLAYS = { greedy: "wins, takes and melds when it can", random: "plays any legal move" };
const NOT_KNOWN = ", not knowing what is worth keeping"; // of greedy players, if the rules name no groups
const NO_BETTER = 1; // ratings up to this one gain nothing
const [WINS, GAINS, SPARES] = [4, 3, 2];

/** A match whose seats are played by people or by policies. */
class Match extends Play {
  constructor(page, rules) {
    super(page, rules);
    this.seats = [...this.game.seats];
    element("new").append(...this.#setup());
    element("new").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#isSure()) this.#start();
    });
    this.#start();
  }

  // ---------------------------------------------------------------- beginning

  #setup() {
    const seed = make("input", { type: "number", name: "seed", min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: "by chance", value: this.game.seed });
    const seats = this.page.table.names.map((name, seat) => {
      const options = this.game.policies.map((value) => make("option", { value, text: PLAYED_BY[value] ?? value }));
      const choice = make("select", { name: `seat ${seat}` }, ...options);
      choice.value = this.seats[seat];
      return make("label", {}, name, choice);
    });
    const about = this.game.policies.filter((policy) => policy in PLAYS).map((policy) => `${PLAYED_BY[policy]} ${this.#plays(policy)}`);
    const told = make("p", { class: "quiet", text: about.length ? `${about.join("; ")}.` : "" });
    return [...seats, make("label", {}, "seed", seed), make("button", { text: "new match" }), told];
  }

  #plays(policy) {
    return PLAYS[policy] + (policy === "greedy" && !this.game.groups ? NOT_KNOWN : "");
  }

  /** Return whether the match may go: it is over, or somebody has said so twice. */
  #isSure() {
    const button = element("new").querySelector("button");
    const { stage } = this.page.story.positions.at(-1);
    const isPlayed = this.page.story.events.some((event) => event.chosen) && stage !== "ended";
    if (!isPlayed || button.dataset.sure) return true;
    button.dataset.sure = "yes";
    button.textContent = "end this match, and begin a new one";
    return false;
  }

  #start() {
    const button = element("new").querySelector("button");
    delete button.dataset.sure;
    button.textContent = "new match";
    document.querySelector(".side").classList.add("folded"); // on a small screen, the table is what one looks at now
    const form = element("new");
    this.seats = this.seats.map((_, seat) => form.elements[`seat ${seat}`].value);
    const given = form.elements.seed.value;
    this.seed = given === "" ? crypto.getRandomValues(new Uint32Array(1))[0] : Number(given);
    this.people = [...this.seats.keys()].filter((seat) => this.seats[seat] === PERSON);
    this.looking = this.people.length > 1 ? null : (this.people[0] ?? null);
    this.waited = new Set();
    this.alone = 0;
    element("seed").textContent = ` · seed ${this.seed}`;
    const { page } = this;
    page.story = new Story(this.game);
    this.marks.length = 1;
    this.match.position = this.marks[0];
    this.#look(this.looking);
    page.list();
    page.to(0, false);
    this.#deal();
  }

  /** Deal; return whether that was possible. */
  #deal(about = {}) {
    this.reach();
    this.match.begin(this.seed, this.page.story.events.length);
    const line = this.match.deal();
    if (this.people.length > 1) this.looking = null; // who deals need not be who looked last
    if (line) this.happened(line, about);
    return line !== null;
  }

  /** Show the table as a seat sees it, or what everybody sees; everything in hands, if no person plays. */
  #look(seat) {
    const view = this.people.length === 0 ? "hands" : seat === null ? "table" : `seat ${seat}`;
    if (element("view").value === view) return;
    element("view").value = view;
    this.page.sight = new Sight(this.game, view);
    this.page.list();
    this.isLooking = true; // what can follow stays
    this.page.to(this.page.at, false);
    this.isLooking = false;
  }

  soon() {
    if (!this.isLooking) super.soon();
  }

  // ---------------------------------------------------------------- whose turn

  show() {
    clearTimeout(this.timer);
    const { page } = this;
    element("undo").disabled = !page.story.events.some((event) => event.chosen);
    element("hint").disabled = true;
    element("hinted").textContent = "";
    element("over").hidden = true;
    this.chooser.begin([]);
    this.more = [];
    if (page.at < page.end) {
      const back = this.button("back to the game", () => page.to(page.end));
      this.#ask("The table as it was", back);
      return;
    }
    const following = this.following();
    if (following !== null) this.#turn(following);
  }

  #turn(following) {
    const { events, dealers } = following;
    const isOver = this.page.story.positions.at(-1).stage === "ended";
    if (!isOver && dealers.length && this.#deal()) return;
    if (isOver || !events.length) {
      const deal = dealers.length ? [this.button("deal the next hand", () => this.#deal({ chosen: true }))] : [];
      const perhaps = isOver ? [] : this.unlisted(following);
      const none = perhaps.length ? "Nothing that can be listed can follow" : "Nothing can follow";
      this.#offer(events);
      this.#ask(isOver ? "The hand is over" : none, ...deal, ...this.groups(this.chooser.choices), ...perhaps);
      if (isOver) this.#over();
      return;
    }
    const able = this.people.filter((seat) => events.some((line) => line.by === seat));
    const others = events.filter((line) => !able.includes(line.by));
    let asked = able.find((seat) => !this.waited.has(seat));
    if (asked === undefined && others.length) {
      this.#ask("", make("p", { class: "quiet", text: "…" }));
      const pace = this.page.story.together.at(-1) ? PACE_TOGETHER : PACE;
      if (this.alone++ < MOST_ALONE) this.timer = setTimeout(() => this.#policies(others), this.people.length ? pace : pace / 3);
      return;
    }
    if (asked === undefined) {
      this.waited.clear();
      asked = able[0];
    }
    const isEnd = (line) => this.game.told[line.do]?.kind !== "action"; // what nobody does, such as a claim that all agree to, is not waited for
    const isOther = (line) => line.by !== undefined || isEnd(line);
    this.#person(asked, following, others.some(isOther) || able.some((seat) => seat !== asked && !this.waited.has(seat)));
  }

  /** Ask a person; another one than before first says that nobody else looks. */
  #person(seat, following, canWait) {
    const name = this.page.table.names[seat];
    this.asked = seat;
    if (this.looking !== seat) {
      this.#look(null);
      this.page.table.mark([seat]);
      const ready = this.button(`show the tiles of ${name}`, () => {
        this.looking = seat;
        this.show();
      });
      ready.classList.add("guard"); // it has no number: who presses one twice would show another's tiles
      this.#ask(`It is ${name}'s turn: nobody else looks?`, ready);
      return;
    }
    this.#look(seat);
    const wait = this.button("let others act", () => {
      this.waited.add(seat);
      this.show();
    });
    const own = following.events.filter((line) => line.by === seat);
    this.page.table.mark([seat], this.played(own));
    element("hint").disabled = !this.game.hints;
    this.#offer(own);
    this.more = [...this.unlisted({ ...following, events: own }), ...(canWait ? [wait] : [])];
    this.question = `${name}, what do you do?`;
    this.next = `${name}, and then?`;
    this.list();
  }

  /** Let people choose among events: on the table, and in the list. */
  #offer(events) {
    this.chooser.begin(this.choices(events, this.page.sight.isOpen));
  }

  get isChoosing() {
    return this.chooser.choices.length > 0;
  }

  /** In a match the table has the room: an action with many choices is one button. */
  get isShort() {
    return true;
  }

  list() {
    const isPart = this.chooser.steps.length > 0;
    element("undo").disabled = !isPart && !this.page.story.events.some((event) => event.chosen);
    if (isPart) this.#ask(`${this.next} ${this.counted}`.trim(), ...this.parts());
    else this.#ask(this.question, ...this.groups(this.chooser.left), ...this.more);
  }

  /** Show what can be chosen. The focus stays with the question, so that no key that is pressed too often chooses. */
  #ask(title, ...shown) {
    const tries = element("tries");
    const onTable = document.activeElement?.closest(".table");
    const had = tries.contains(document.activeElement) || onTable || (this.byKeyboard && document.activeElement === document.body);
    this.byKeyboard = Boolean(had);
    element("play-title").textContent = title || "Others play";
    this.put(...shown);
    const isContinued = onTable && this.chooser.steps.length > 0; // the next tile is chosen from where the last one was
    if (this.byKeyboard && !isContinued) element("play-title").focus({ preventScroll: true });
  }

  /** Say how the hand ended: who won, with what, for how much. */
  #over() {
    const { page } = this;
    const { positions, events } = page.story;
    const { names } = page.table;
    const position = positions.at(-1);
    const last = events.at(-1);
    const start = positions[events.findLastIndex((event) => event.line.do === "deal")] ?? positions[0];
    const scores = events.findLast((event) => event.scores?.length)?.scores ?? [];
    const title = toldEvent(last.line, last.words, this.game, page.table);
    const worth = position.winner === null ? "" : scores.map(({ score, total }) => `${score} ${total}`).join(", ");
    const row = (head, numbers) => make("tr", {}, make("th", { scope: "row", text: head }), ...numbers.map((text) => make("td", { text })));
    const paid = names.map((_, seat) => position.totals[seat] - start.totals[seat]);
    const rows = [row("this hand", paid.map(signed)), row("total", position.totals.map(minus))];
    const head = make("thead", {}, make("tr", {}, make("td"), ...names.map((text) => make("th", { scope: "col", text, title: text }))));
    element("over").replaceChildren(
      make("h2", { text: title }),
      ...(worth ? [make("p", { text: `with ${worth}` })] : []),
      make("table", {}, head, make("tbody", {}, ...rows)),
    );
    element("over").hidden = false;
  }

  // ---------------------------------------------------------------- what happens

  happened(line, about = { chosen: true }) {
    this.waited.clear();
    if (about.chosen) this.alone = 0;
    super.happened(line, about);
  }

  choose(choice) {
    this.play(this.oneOf(choice, (size) => this.#below(size)));
  }

  #policies(others) {
    const line = this.#greedy(others) ?? this.#any(others);
    this.reach();
    const answer = this.match.apply(line);
    if (answer.verdict === "legal") this.happened(line, {});
    else this.#ask("Nothing can follow here", `golpae itself has to say what happens: ${answer.reason ?? answer.message}`);
  }

  /** Return what greedy seats do, if some of them can act. */
  #greedy(others) {
    const seats = this.seats.flatMap((policy, seat) => (policy === "greedy" ? [seat] : []));
    if (!others.some((line) => seats.includes(line.by))) return null;
    for (let number = 0; number < TRIES; number++) {
      const line = this.#played(number);
      if (line && (seats.includes(line.by) || others.some((other) => other.by === undefined && other.do === line.do))) return line;
    }
    return this.#any(others.filter((line) => seats.includes(line.by)));
  }

  /** Return what the module would play here; the position stays. */
  #played(number) {
    this.reach();
    const before = this.match.position;
    this.match.begin(this.seed, this.page.story.events.length * TRIES + number + 1);
    try {
      return this.match.play();
    } catch (reason) {
      if (!(reason instanceof Referred)) throw reason;
      return null;
    } finally {
      this.match.position = before;
    }
  }

  /** Return one of some events by chance: each choice has the same, then each copy of the tiles that nobody sees. */
  #any(lines) {
    const choices = this.choices(lines, false);
    return this.oneOf(choices[this.#below(choices.length, 1)], (size) => this.#below(size));
  }

  /** Return a number by chance, which depends on the seed, the step and what it is for (a hash by T. Wang and M. Mueller). */
  #below(size, use = 0) {
    let value = (this.seed ^ Math.imul(this.page.story.events.length + 1, 0x9e3779b1) ^ Math.imul(use, 0x85ebca6b)) >>> 0;
    for (let round = 0; round < 2; round++) value = Math.imul((value >>> 16) ^ value, 0x45d9f3b);
    return (((value >>> 16) ^ value) >>> 0) % size;
  }

  // ---------------------------------------------------------------- what people ask for

  key(event) {
    const tools = { h: "hint", u: "undo" };
    if (Object.hasOwn(tools, event.key)) {
      element(tools[event.key]).click();
      return true;
    }
    return super.key(event);
  }

  tools() {
    const undo = this.button("undo", () => this.#undo());
    undo.id = "undo";
    const hint = this.button("hint", () => this.#hint());
    hint.id = "hint";
    hint.disabled = undo.disabled = true;
    element("slider").after(hint, undo); // in sight, however many choices there are
    const save = this.button("save the game", () => this.save());
    save.id = "save";
    const hinted = make("span", { id: "hinted", "aria-live": "polite" });
    return make("div", { class: "wish" }, save, hinted, make("input", { type: "hidden", id: "saved" }));
  }

  /** Go back to before the last choice of a person; of one that is not whole yet, a step back. */
  #undo() {
    const { page } = this;
    if (this.chooser.steps.length) {
      this.chooser.back();
      return;
    }
    const step = page.story.events.findLastIndex((event) => event.chosen);
    if (step < 0) return;
    page.story.cut(step);
    this.marks.length = Math.min(this.marks.length, step + 1);
    this.waited.clear();
    page.list();
    page.to(step);
  }

  #hint() {
    let acts = false;
    for (let number = 0; number < TRIES; number++) {
      const line = this.#played(HINT + number);
      acts ||= line !== null;
      if (line?.by !== this.asked) continue;
      const words = this.words({ line, hidden: this.hidden(line) });
      const name = this.page.table.names[this.asked];
      const sentence = isTold(line, this.game) ? `${name} ${words}` : words;
      this.#hinted(`hint: ${sentence}, ${this.#reason(line, this.match.rated())}`);
      return;
    }
    this.#hinted(acts ? "hint: let others act, since nothing is to be gained now" : "there is no hint here: golpae cannot compare these choices");
  }

  #hinted(words) {
    element("hinted").textContent = words;
    element("hinted").scrollIntoView({ block: "nearest" });
  }

  /** Return why a greedy player does something, by how the module rated it. */
  #reason(line, rated) {
    if (rated === null) return "since nothing else can be done";
    const { rating, alike } = rated;
    if (rating === WINS) return "since this wins the hand";
    if (rating === GAINS) return this.#melds(line) ? "since this makes a set" : "since this brings a tile into the hand";
    if (rating === SPARES) return "since a tile that can go with no other is let go first";
    if (!alike) return "since after anything else another player wins";
    return rating === NO_BETTER ? "but any other choice looks as good: none gains anything at once" : "though another player wins whatever is done";
  }

  /** Return whether more tiles of the seat that is asked lie in melds after an event. */
  #melds(line) {
    const { page } = this;
    const before = page.story.positions[page.shown];
    this.reach();
    this.match.apply(line);
    const after = flat(this.match.state(), this.game);
    this.match.position = this.marks[page.shown];
    const sets = this.game.zones.filter((zone) => zone.each_player && zone.kind === "melds");
    const size = (position) => sets.reduce((sum, zone) => sum + sizeOfZone(zone, position[keyOf(zone, this.asked)] ?? []), 0);
    return size(after) > size(before);
  }

  /** Try any event of the seat that is asked: nothing is told of tiles that it cannot see. */
  wish(line) {
    const name = this.page.table.names[this.asked];
    if (element("hint").disabled && this.game.hints) this.#refuse("it is not the time for that");
    else if (line.by !== undefined && line.by !== this.asked) this.#refuse(`it is ${name} who is asked`);
    else if (this.game.unseen[line.do]) this.#refuse(`this moves tiles that ${name} cannot see: it can be chosen above`);
    else this.play(line);
  }

  #refuse(message) {
    element("answer").replaceChildren(...faultCard({ message }, this.game));
  }

  told(answer, line) {
    const { message, clause, rules } = answer;
    const hidden = this.game.secret.includes(clause?.slice(this.game.game.length + 1));
    const own = Object.keys(line).flatMap((key) => (key === "do" ? [] : [key]));
    const asked = super.told(answer, line).asked?.filter(([name]) => own.includes(name));
    return { clause, rules, asked, legal: clause ? ["the choices above"] : undefined, message: hidden ? "why, you cannot see" : (message ?? answer.reason) };
  }
}
