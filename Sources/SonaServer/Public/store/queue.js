// The queue of a room: what was asked for once, and each change since. Protocol/spec/queue.md. No DOM.

/** Applies `queue.changed` to what `queue.get` answered. */
export class QueueView {
  revision; rules; repeat; now; skipVotes; skipNeeded; order; votes;
  /** The waiting entries in their order, and those that have to be approved, oldest first. */
  waiting = [];
  pending = [];

  /** @param pages The answers to `queue.get`, all of one revision. */
  constructor(pages) {
    const [first] = pages;
    this.revision = first.revision;
    this.rules = first.rules;
    this.repeat = first.repeat;
    this.now = first.now;
    this.skipVotes = first.skip_votes;
    this.skipNeeded = first.skip_votes_needed;
    this.order = first.order ?? null;
    this.votes = {up: new Set(first.your_votes.up), down: new Set(first.your_votes.down), skip: first.your_votes.skip};
    for (const entry of pages.flatMap(page => page.entries)) (entry.approved ? this.waiting : this.pending).push(entry);
    for (const page of pages) {
      for (const id of page.your_votes.up) this.votes.up.add(id);
      for (const id of page.your_votes.down) this.votes.down.add(id);
    }
  }

  /** The waiting entries in the order in which they will play. */
  get line() {
    if (!this.order || this.rules.ordering !== 'votes') return this.waiting;
    const places = new Map(this.order.map((id, place) => [id, place]));
    return [...this.waiting].sort((one, other) => (places.get(one.id) ?? Infinity) - (places.get(other.id) ?? Infinity));
  }

  /** Takes a change in. Returns whether it could; if not, the queue has to be asked for again. */
  apply({revision, changes}) {
    if (revision <= this.revision) return true;
    for (const change of changes) {
      const step = steps[change.change];
      if (!step) return false;
      step(this, change);
    }
    this.revision = revision;
    return true;
  }

  /** Our own votes, once the server has accepted them. */
  voted(id, vote) {
    this.votes.up.delete(id);
    this.votes.down.delete(id);
    if (vote) this.votes[vote].add(id);
  }

  find(id) { return this.waiting.find(entry => entry.id === id) ?? this.pending.find(entry => entry.id === id); }

  drop(id) {
    this.waiting = this.waiting.filter(entry => entry.id !== id);
    this.pending = this.pending.filter(entry => entry.id !== id);
  }

  place(entries, after) {
    const at = after === null ? 0 : this.waiting.findIndex(entry => entry.id === after) + 1;
    this.waiting.splice(after !== null && at === 0 ? this.waiting.length : at, 0, ...entries);
  }

  arrange(ids) {
    const byId = new Map(this.waiting.map(entry => [entry.id, entry]));
    this.waiting = ids.flatMap(id => byId.get(id) ?? []);
  }
}

const steps = {
  added(view, {entries, after}) {
    view.pending.push(...entries.filter(entry => !entry.approved));
    const approved = entries.filter(entry => entry.approved);
    if (approved.length > 0) view.place(approved, after);
  },
  removed(view, {ids}) { ids.forEach(id => view.drop(id)); },
  approved(view, {id}) {
    const entry = view.find(id);
    if (!entry) return;
    view.drop(id);
    view.waiting.push({...entry, approved: true});
  },
  moved(view, {id, after}) {
    const entry = view.find(id);
    if (!entry) return;
    view.drop(id);
    view.place([entry], after);
  },
  reordered(view, {ids}) { view.arrange(ids); },
  votes(view, {id, upvotes, downvotes}) {
    const entry = view.find(id);
    if (entry) Object.assign(entry, {upvotes, downvotes});
  },
  rules(view, {rules}) { view.rules = rules; },
  repeat(view, {repeat}) { view.repeat = repeat; },
  now(view, {now}) {
    if (now) view.drop(now.entry.id);
    if (now?.play !== view.now?.play) {
      view.votes.skip = false;
      view.skipVotes = 0;
    }
    view.now = now;
  },
  skip(view, {votes, needed}) {
    view.skipVotes = votes;
    view.skipNeeded = needed;
  },
  order(view, {ids}) { view.order = ids; },
};
