// How far the server is with making tracks into Ogg Opus. Source: Protocol/spec/jobs.md, media.md "Renditions".
import {toast} from '../../shell/toasts.js';
import {describe} from '../../store/i18n.js';
import {session} from '../../store/session.js';

const KIND = 'rendition';

export class Preparing {
  #jobs = new Map(); #changed; #endings; #isAsked = false;

  /** @param changed Called with the identifier of a track whose state is another. */
  constructor(changed) {
    this.#changed = changed;
    const again = () => { this.#isAsked = false; this.watch(); };
    session.addEventListener('fresh', again);
    this.#endings = [session.on('job.changed', ({job}) => this.#take(job)), () => session.removeEventListener('fresh', again)];
  }

  end() { for (const end of this.#endings) end(); }

  #take(job) {
    if (job.kind !== KIND || job.track === null) return;
    const known = this.#jobs.get(job.track);
    // Of two jobs for a track the newer counts.
    if (known && known.id > job.id) return;
    this.#jobs.set(job.track, job);
    this.#changed(job.track);
  }

  /** Asks once for what is under way; changes are told from then on. */
  async watch() {
    if (this.#isAsked || !session.features.has('jobs')) return;
    this.#isAsked = true;
    try {
      for (const job of (await session.request('jobs.list', {kind: KIND, limit: 100})).jobs) this.#take(job);
    } catch {
      this.#isAsked = false;
    }
  }

  /** `{name: 'ready'}`, `{name: 'preparing', done}` with a share of 1 or null, or `{name: 'failed', detail}`. */
  stateOf({id}) {
    const job = this.#jobs.get(id);
    if (!job || job.state === 'done' || job.state === 'cancelled') return {name: 'ready'};
    if (job.state === 'failed') return {name: 'failed', detail: job.detail};
    return {name: 'preparing', done: job.total > 0 ? Math.round(100 * job.done / job.total) / 100 : null};
  }

  async retry(track) {
    try {
      this.#take((await session.request('jobs.retry', {id: this.#jobs.get(track).id})).job);
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }
}
