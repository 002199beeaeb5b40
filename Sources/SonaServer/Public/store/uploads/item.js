// One file of the list of uploads. No DOM.
//
//   queued → sending → (waiting ↔ sending) → finishing → done
//      ↕ pause, resume        each may become: failed (retry → queued), missing (the file is needed again → queued)
//   paused

/** States in which a file takes one of the places on the line. */
const RUNNING = new Set(['sending', 'waiting', 'finishing']);

export class Item {
  file = null; handle = null;
  /** The upload at the server, and how many bytes it has; those of the piece that is on its way. */
  place = null; offset = 0; flying = 0;
  fingerprint = null;
  state = 'queued';
  /** Why it failed: a RequestError, or `{code}`. */
  error = null;
  /** The identifier of the track it became, the track, and whether that was there before. */
  trackId = null; track = null; isKnown = false;
  /** When it is tried again, ms of `performance.now()`. */
  until = null;
  abort = null; transfer = null;

  constructor({name, folder = '', size, lastModified, order}) {
    Object.assign(this, {key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, name, folder, size, lastModified, order});
  }

  static of({file, handle, folder}, order) {
    const item = new Item({name: file.name, folder, size: file.size, lastModified: file.lastModified, order});
    return Object.assign(item, {file, handle});
  }

  static restored(record) {
    const {key, place, offset, fingerprint, handle, state} = record;
    return Object.assign(new Item(record), {key, place, offset, fingerprint, handle, state: state === 'paused' ? 'paused' : 'missing'});
  }

  get record() {
    const {key, name, folder, size, lastModified, order, place, offset, fingerprint, handle, state} = this;
    return {key, name, folder, size, lastModified, order, place, offset, fingerprint, handle, state};
  }

  get isRunning() { return RUNNING.has(this.state); }
  /** Whether it is still to become a track without anybody's doing. */
  get isUnderWay() { return this.isRunning || this.state === 'queued'; }
  get sent() { return this.state === 'done' ? this.size : Math.min(this.size, this.offset + this.flying); }

  /** Whether it may be this file, as far as is known without reading it. */
  resembles(file) { return this.name === file.name && this.size === file.size; }
}
