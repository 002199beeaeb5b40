// What the operator says of the server: its name, who may come, what everybody should read. Requested once for each
// connection and kept up to date.
import {session} from './session.js';

/** What a server is that says nothing of itself. Source: Protocol/spec/connection.md, "server.info". */
const SILENT = {
  title: 'Sona', logo: null, policy_url: null, banner: null, contact: null, registration: 'open', guests: true, terms_required: false, mail: true,
  maintenance: false, features: [],
};

class Server extends EventTarget {
  #data = SILENT;

  /** Takes what the document says of the server, until the server says it itself. */
  expect(data) { this.#data = {...this.#data, ...data}; }

  begin() {
    session.addEventListener('fresh', () => this.#load());
    session.on('server.changed', ({server: data}) => this.#take(data));
  }

  /** Whether the server has an addition, by its name. Source: Protocol/spec/connection.md, "hello". */
  has(feature) { return this.#data.features.includes(feature); }
  get title() { return this.#data.title; }
  get logo() { return this.#data.logo; }
  get policy() { return this.#data.policy_url; }
  get program() { return this.#data.name ?? 'sona'; }
  get version() { return this.#data.version ?? ''; }
  get feedbackLink() { return this.#data.feedback_url ?? null; }
  get starsLink() { return this.#data.stars_url ?? null; }
  get banner() { return this.#data.banner; }
  get contact() { return this.#data.contact; }
  get registration() { return this.#data.registration; }
  get takesAccounts() { return this.#data.registration !== 'closed'; }
  get takesGuests() { return this.#data.guests; }
  get wantsTerms() { return this.#data.terms_required; }
  get sendsMail() { return this.#data.mail; }
  get isInMaintenance() { return this.#data.maintenance; }

  async #load() {
    try {
      this.#take(await session.request('server.info'));
    } catch { /* The next connection asks again. */ }
  }

  #take(data) {
    const before = JSON.stringify(this.#data);
    this.#data = {...SILENT, ...data};
    if (JSON.stringify(this.#data) !== before) this.dispatchEvent(new Event('change'));
  }
}

export const server = new Server();
