// One thing after the other: what changes the epoch waits for what is under way. No DOM.

/** The errors of requests whose outcome is unknown. */
const LOST = new Set(['connection.lost', 'connection.timeout']);

export class Turns {
  #work = Promise.resolve(); #mayRepeat;
  /**
   * The action during which the connection was lost, to be repeated when it is back; or null. Another epoch or a pause
   * takes its place.
   */
  again = null;

  /** @param mayRepeat Whether what the line is lost over now is to be done again. */
  constructor(mayRepeat) { this.#mayRepeat = mayRepeat; }

  /** Does something when everything before it is done. */
  queue(work) {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  /** The same for actions during which the connection may be lost: `doAgain` repeats them, and nothing is thrown. */
  take(work) { return this.queue(() => this.#surely(work)); }

  /** Does again what the line was lost over, unless something else has taken its place by then. */
  doAgain() {
    const lost = this.again;
    return this.queue(() => lost === this.again ? this.#surely(lost) : undefined);
  }

  async #surely(work) {
    let isLost = false;
    try {
      return await work();
    } catch (error) {
      isLost = this.#mayRepeat() && LOST.has(error.code);
      if (!isLost) throw error;
      return undefined;
    } finally {
      if (isLost) this.again = work;
      else if (this.again === work) this.again = null;
    }
  }
}
