// What the index of a report shows, kept while a reader looks at its games.

const keptIndex = {
  key: `golpae ${location.pathname.replace(/[^/]*$/, "")}`,

  /** Return the end of the address of the index, or "". */
  get() {
    try {
      return sessionStorage.getItem(this.key) ?? "";
    } catch {
      return ""; // a browser may refuse to keep anything
    }
  },

  set(state) {
    try {
      sessionStorage.setItem(this.key, state);
    } catch {
      // then the index opens as it is at first
    }
  },

  /** Let a link to the index open it as the reader has left it. */
  link() {
    const all = [...document.querySelectorAll(".ways a")].find((way) => way.textContent === "all games");
    if (all) all.href += this.get();
  },
};
