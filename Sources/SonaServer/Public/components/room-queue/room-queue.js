// The queue of the room: waiting tracks, votes, and suggestions.
import {RoomPart, nameOf, trackLine} from '../room-page/room-part.js';
import {arrange, h} from '../../shell/dom.js';
import {field} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

class RoomQueue extends RoomPart {
  #isAsked = false; #rows = new Map(); #played = null; #controls = null;

  build() {
    this.#rows.clear();
    this.#played = this.#controls = null;
    this.replaceChildren(
      this.idle = h('p', {class: 'notice', hidden: true}, t('queue.not-played')),
      this.now = h('div', {class: 'stack queue-now', hidden: true}),
      this.tools = h('div', {}),
      this.list = h('ol', {class: 'list entries', tabindex: '-1'}),
      this.empty = h('p', {class: 'muted'}, t('queue.loading')),
      this.pending = h('div', {class: 'stack', hidden: true}, this.pendingTitle = h('h3', {}), this.pendingList = h('ol', {class: 'list entries'})),
      this.pick = h('div', {class: 'row pick-music', hidden: true}, h('button', {type: 'button', dataset: {act: 'pick'}, onclick: () => this.#try(() => this.#picking())}, icon('plus'), t('queue.pick'))),
      this.form = this.#suggesting());
  }

  async #load() {
    if (this.#isAsked || !this.room?.isJoined) return;
    this.#isAsked = true;
    try {
      await this.room.loadQueue();
    } catch (error) {
      this.#isAsked = false;
      this.empty.textContent = describe(error);
    }
  }

  #suggesting() {
    const title = field({name: 'title', label: t('queue.track-title'), maxlength: 512, required: true, autocomplete: 'off', dir: 'auto'});
    const artist = field({name: 'artist', label: t('queue.track-artist'), maxlength: 512, autocomplete: 'off', dir: 'auto'});
    const source = field({name: 'source', label: t('queue.track-source'), hint: t('queue.source-hint'), maxlength: 512, type: 'url', autocomplete: 'off'});
    const error = h('p', {class: 'chat-error small', role: 'alert'});
    const words = ({input}) => input.value.trim() || null;
    const first = h('input', {type: 'checkbox', name: 'first'});
    this.first = h('label', {class: 'check', hidden: true}, first, t('queue.play-next'));
    const form = h('form', {class: 'stack', onsubmit: async event => {
      event.preventDefault();
      error.textContent = '';
      try {
        const track = {title: words(title), ...words(artist) ? {artist: words(artist)} : {}};
        if (first.checked && this.room.may('control')) await session.request('queue.add', {tracks: [{track, ...words(source) ? {source: words(source)} : {}}], first: true});
        else await this.room.suggest(track, words(source));
        form.reset();
        const isPending = this.room.queue?.rules.needs_approval && !this.room.may('control');
        toast(t(isPending ? 'queue.suggested-pending' : 'queue.suggested'), {kind: 'ok'});
      } catch (fault) {
        error.textContent = describe(fault);
      }
    }}, title, artist, source, this.first, error, h('div', {}, h('button', {class: 'primary', type: 'submit'}, icon('plus'), t('queue.suggest'))));
    return h('details', {class: 'suggest', hidden: true}, h('summary', {}, t('queue.suggest-title')), form);
  }

  /** Searches the library, and takes what is pressed into the queue. */
  async #picking() {
    const {openTrackPicker} = await import('./track-picker.js');
    openTrackPicker(async ({id}) => {
      if (this.room.may('control')) await session.request('queue.add', {room: this.room.id, tracks: [{track: {}, source: id}]});
      else await session.request('queue.suggest', {room: this.room.id, track: {}, source: id});
    });
  }

  update(what) {
    if (!['all', 'queue', 'you', 'room'].includes(what)) return;
    this.#load();
    const queue = this.room?.queue;
    if (!queue) return;
    this.form.hidden = !this.#isOpen(queue.rules.suggesters, 'suggest');
    this.pick.hidden = this.form.hidden || !session.features.has('autoplay');
    this.first.hidden = !this.room.may('control');
    // The focused element keeps the focus, also if it has moved. If it is gone, the list gets it.
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    this.#playing(queue);
    this.#showControls(queue);
    const before = this.#rows;
    this.#rows = new Map();
    const elements = entries => entries.map(entry => this.#row(entry, before.get(entry.id)));
    arrange(this.list, elements(queue.line));
    this.empty.textContent = t('queue.empty');
    this.empty.hidden = queue.waiting.length > 0;
    this.pending.hidden = queue.pending.length === 0;
    this.pendingTitle.textContent = tn('queue.pending', queue.pending.length);
    arrange(this.pendingList, elements(queue.pending));
    if (focused && document.activeElement?.dataset.act !== focused) {
      (this.querySelector(`[data-act="${CSS.escape(focused)}"]`) ?? this.list).focus({preventScroll: true});
    }
  }

  /** Whether the rule, or a capability, lets us. */
  #isOpen(who, capability) {
    return this.room.may('control') || this.room.may(capability) || who === 'everybody'
      || who === 'members' && session.user?.guest === false;
  }

  /** The module for those who control the room is fetched when somebody does. */
  async #showControls(queue) {
    const may = this.room.may('control');
    this.tools.hidden = !may;
    if (!may) return;
    if (!this.#controls) {
      const place = this.tools;
      this.#controls = {update() {}};
      try {
        const [{queueControls}] = await Promise.all([import('./queue-controls.js'), i18n.also('order.')]);
        if (place !== this.tools) return;
        this.#controls = queueControls(this.room);
        place.replaceChildren(this.#controls.element);
      } catch {
        this.#controls = null;
        return;
      }
    }
    this.#controls.update(this.room.queue ?? queue);
  }

  /** Moves a waiting entry by one place. */
  #move(id, step) {
    const {waiting} = this.room.queue, at = waiting.findIndex(entry => entry.id === id), beside = waiting[at + step];
    if (!beside) return undefined;
    return this.#try(() => session.request('queue.move', {id, ...step < 0 ? {before: beside.id} : {after: beside.id}}));
  }

  #playing({now, rules, votes, skipVotes, skipNeeded}) {
    this.idle.hidden = !this.room.isQueueIdle;
    this.now.hidden = !now || this.room.isQueueIdle;
    if (this.now.hidden) return;
    const mayVote = rules.skip_percent > 0 && this.#isOpen(rules.voters, 'vote'), mayControl = this.room.may('control');
    const {id} = now.entry, name = trackLine(now.entry.track) || now.entry.source, content = JSON.stringify([id, name, mayVote, mayControl]);
    if (content !== this.#played) {
      this.#played = content;
      this.now.replaceChildren(
        h('p', {class: 'small muted'}, t('queue.now')),
        h('p', {class: 'entry-title', dir: 'auto'}, name),
        h('div', {class: 'row tight'},
          this.skip = mayVote ? h('button', {
            class: 'small-button', type: 'button', dataset: {act: 'skip'},
            onclick: () => this.#try(() => this.room.voteSkip(id, !this.room.queue.votes.skip)),
          }, icon('skip'), h('span', {})) : null,
          mayControl ? h('button', {
            class: 'small-button', type: 'button', dataset: {act: 'next'},
            onclick: () => this.#try(() => session.request('queue.next', {id})),
          }, t('queue.next')) : null));
    }
    this.skip?.setAttribute('aria-pressed', String(votes.skip));
    this.skip?.lastElementChild.replaceChildren(t('queue.vote-skip', {votes: skipVotes, needed: skipNeeded}));
  }

  /** The entry's row: the one that there was, unless something else stands in it now. Votes are counted in it. */
  #row(entry, before) {
    const {id, track, source, user, approved} = entry, {rules} = this.room.queue;
    const mayControl = this.room.may('control'), isOurs = user.uid === session.user?.uid, mayVote = this.#isOpen(rules.voters, 'vote');
    const content = JSON.stringify([track, source, user, approved, mayControl, isOurs, mayVote, rules.ordering]);
    const row = before?.content === content ? before : {content, ...this.#made(entry, {mayControl, isOurs, mayVote})};
    this.#rows.set(id, row);
    row.count?.(entry);
    return row.element;
  }

  #made({id, track, source, user, approved}, {mayControl, isOurs, mayVote}) {
    const name = trackLine(track) || source;
    const isCast = kind => this.room.queue.votes[kind].has(id);
    const vote = kind => h('button', {
      class: 'small-button vote', type: 'button', dataset: {act: `${kind}-${id}`}, disabled: !mayVote,
      onclick: () => this.#try(() => this.room.vote(id, isCast(kind) ? null : kind)),
    }, icon(kind), h('span', {class: 'tabular'}));
    const act = (type, symbol) => h('button', {
      class: 'icon-button', type: 'button', dataset: {act: `${type}-${id}`}, 'aria-label': t(type, {name}),
      onclick: () => this.#try(() => session.request(type, {id})),
    }, icon(symbol));
    const votes = approved ? {up: vote('up'), down: vote('down')} : {};
    const show = (kind, count) => {
      votes[kind].setAttribute('aria-pressed', String(isCast(kind)));
      votes[kind].setAttribute('aria-label', t(`queue.vote-${kind}`, {name, count}));
      votes[kind].lastElementChild.replaceChildren(String(count));
    };
    const element = h('li', {class: 'entry'},
      h('div', {class: 'grow'},
        h('p', {class: 'entry-title', dir: 'auto'}, name),
        h('p', {class: 'small muted', dir: 'auto'}, t('queue.by', {name: nameOf(user)}))),
      approved ? h('div', {class: 'row tight votes'}, votes.up, votes.down) : null,
      approved && mayControl && this.room.queue.rules.ordering === 'manual' ? h('div', {class: 'row tight'}, [['up', -1, 'raise'], ['down', 1, 'lower']].map(([way, step, symbol]) => h('button', {
        class: 'icon-button', type: 'button', dataset: {act: `${way}-${id}-move`}, 'aria-label': t(`queue.${way}`, {name}), onclick: () => this.#move(id, step),
      }, icon(symbol)))) : null,
      !approved && mayControl ? [act('queue.approve', 'check'), act('queue.reject', 'close')]
        : mayControl || isOurs ? act('queue.remove', 'close') : null);
    return {element, count: approved ? ({upvotes, downvotes}) => { show('up', upvotes); show('down', downvotes); } : null};
  }

  async #try(work) {
    try {
      await work();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }
}

customElements.define('room-queue', RoomQueue);
