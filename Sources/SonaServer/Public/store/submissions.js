// What the user submits to be heard by everybody, and, for those who may decide, what waits for them. No DOM.
// Source: Protocol/spec/submissions.md.
import {me} from './me.js';
import {askPatiently} from './patient.js';
import {session} from './session.js';
import {trackChanges} from './track-changes.js';

/** How many rejections are asked for to know their reasons. */
const REASONS = 100;

/** Fires `change`, and `decided` with the data of `submission.changed`. */
class Submissions extends EventTarget {
  /** How many of everybody wait for a decision; null for those who may not decide. */
  pending = null;
  #reasons = new Map(); #uid = null;

  constructor() {
    super();
    session.on('submission.changed', (change) => this.#changed(change));
    session.addEventListener('user', () => this.#reasons.clear());
  }

  get isThere() { return session.features.has('submissions') && me.may('library.upload'); }
  get mayDecide() { return session.features.has('submissions') && me.may('library.curate'); }

  /** Whether the user can submit a track, or take it back. */
  mayChange(track) { return this.isThere && track.owner !== null && track.owner === session.user?.uid; }

  /** Why a track was rejected, or null. */
  reasonOf(track) { return this.#reasons.get(track.id) ?? null; }

  /** Asks for the reasons of one's own rejections, once for each user. */
  async loadReasons() {
    const uid = session.user?.uid;
    if (!this.isThere || this.#uid === uid) return;
    this.#uid = uid;
    try {
      const {submissions} = await askPatiently('submissions.list', {state: 'rejected', limit: REASONS});
      for (const {track, reason} of submissions) if (reason && !this.#reasons.has(track.id)) this.#reasons.set(track.id, reason);
      this.dispatchEvent(new Event('change'));
    } catch {
      this.#uid = null;
    }
  }

  async submit(track) { trackChanges.tell('updated', {tracks: [(await askPatiently('track.submit', {track: track.id})).submission.track]}); }
  async withdraw(track) { trackChanges.tell('updated', {tracks: [(await askPatiently('track.withdraw', {track: track.id})).track]}); }

  approve(id) { return askPatiently('submissions.approve', {id}); }
  reject(id, reason) { return askPatiently('submissions.reject', {id, ...reason ? {reason} : {}}); }

  async #changed(change) {
    if (change.pending !== null) this.pending = change.pending;
    if (change.reason) this.#reasons.set(change.track, change.reason);
    this.dispatchEvent(new CustomEvent('decided', {detail: change}));
    this.dispatchEvent(new Event('change'));
    try {
      const {track} = await session.request('track.get', {track: change.track});
      trackChanges.tell('updated', {tracks: [track]});
    } catch { /* It is gone, or not to be seen. */ }
  }
}

export const submissions = new Submissions();
