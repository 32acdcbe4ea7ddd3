// The page's side of a worker: requests and their answers.

/** A worker, which is started by the first request. */
export class Engine {
  #worker = null;
  #waiting = new Map();
  #number = 0;
  #broken = null;

  constructor(tell) {
    this.tell = tell;
  }

  #start() {
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", (event) => this.#break(event.message || "the worker does not start here"));
  }

  #hear(data) {
    if (data.doing !== undefined) this.tell(data.doing);
    else if (data.ready) this.tell("");
    else if (data.broken) this.#break(data.broken);
    else {
      this.#waiting.get(data.id)?.(data.answer);
      this.#waiting.delete(data.id);
      if (this.#waiting.size === 0) this.tell("");
    }
  }

  #break(why) {
    this.#broken = why;
    this.tell(`golpae does not run here: ${why}`);
    for (const answered of this.#waiting.values()) answered({ fault: why });
    this.#waiting.clear();
  }

  /** Return the answer to a request. */
  ask(request) {
    if (this.#broken !== null) return Promise.resolve({ fault: this.#broken });
    if (this.#worker === null) this.#start();
    const id = ++this.#number;
    return new Promise((answered) => {
      this.#waiting.set(id, answered);
      this.#worker.postMessage({ id, request });
    });
  }

  /** Whether somebody waits for an answer. */
  get isBusy() {
    return this.#waiting.size > 0;
  }

  /** End the worker, whatever it does. */
  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const answered of this.#waiting.values()) answered({ stopped: true });
    this.#waiting.clear();
    this.tell("");
  }
}

/** Asks for the latest of many requests: those that come while one is answered replace one another. */
export class Latest {
  #next = null;
  #runs = false;

  constructor(run) {
    this.run = run;
  }

  async ask(...what) {
    this.#next = what;
    if (this.#runs) return;
    this.#runs = true;
    while (this.#next !== null) {
      const now = this.#next;
      this.#next = null;
      await this.run(...now);
    }
    this.#runs = false;
  }

  /** Whether another request waits, so that the answer to the last one is of no use. */
  get isStale() {
    return this.#next !== null;
  }
}
