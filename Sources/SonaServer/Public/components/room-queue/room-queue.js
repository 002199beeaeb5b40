// What the room is going to play: what waits, votes, and suggestions.
import {RoomPart, nameOf, trackLine} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {field} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

class RoomQueue extends RoomPart {
  #isAsked = false;

  build() {
    this.replaceChildren(
      this.now = h('div', {class: 'stack queue-now', hidden: true}),
      this.list = h('ol', {class: 'list entries'}),
      this.empty = h('p', {class: 'muted'}, t('queue.loading')),
      this.pending = h('div', {class: 'stack', hidden: true}),
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
    const form = h('form', {class: 'stack', onsubmit: async event => {
      event.preventDefault();
      error.textContent = '';
      try {
        await this.room.suggest({title: words(title), ...words(artist) ? {artist: words(artist)} : {}}, words(source));
        form.reset();
        const isPending = this.room.queue?.rules.needs_approval && !this.room.may('control');
        toast(t(isPending ? 'queue.suggested-pending' : 'queue.suggested'), {kind: 'ok'});
      } catch (fault) {
        error.textContent = describe(fault);
      }
    }}, title, artist, source, error, h('div', {}, h('button', {class: 'primary', type: 'submit'}, icon('plus'), t('queue.suggest'))));
    return h('details', {class: 'suggest', hidden: true}, h('summary', {}, t('queue.suggest-title')), form);
  }

  update(what) {
    if (!['all', 'queue', 'you', 'room'].includes(what)) return;
    this.#load();
    const queue = this.room?.queue;
    if (!queue) return;
    this.form.hidden = !this.#isOpen(queue.rules.suggesters, 'suggest');
    // What has the focus keeps it.
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    this.#playing(queue);
    this.list.replaceChildren(...queue.line.map(entry => this.#entry(entry)));
    this.empty.textContent = t('queue.empty');
    this.empty.hidden = queue.waiting.length > 0;
    this.pending.hidden = queue.pending.length === 0;
    this.pending.replaceChildren(
      h('h3', {}, tn('queue.pending', queue.pending.length)),
      h('ol', {class: 'list entries'}, queue.pending.map(entry => this.#entry(entry))));
    if (focused) this.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Whether the rule, or a capability, lets us. */
  #isOpen(who, capability) {
    return this.room.may('control') || this.room.may(capability) || who === 'everybody'
      || who === 'members' && session.user?.guest === false;
  }

  #playing({now, rules, votes, skipVotes, skipNeeded}) {
    this.now.hidden = !now;
    if (!now) return;
    const mayVote = rules.skip_percent > 0 && this.#isOpen(rules.voters, 'vote');
    this.now.replaceChildren(
      h('p', {class: 'small muted'}, t('queue.now')),
      h('p', {class: 'entry-title', dir: 'auto'}, trackLine(now.entry.track) || now.entry.source),
      h('div', {class: 'row tight'},
        mayVote ? h('button', {
          class: 'small-button', type: 'button', 'aria-pressed': String(votes.skip), dataset: {act: 'skip'},
          onclick: () => this.#try(() => this.room.voteSkip(now.entry.id, !votes.skip)),
        }, icon('skip'), t('queue.vote-skip', {votes: skipVotes, needed: skipNeeded})) : '',
        this.room.may('control') ? h('button', {
          class: 'small-button', type: 'button', dataset: {act: 'next'},
          onclick: () => this.#try(() => session.request('queue.next', {id: now.entry.id})),
        }, t('queue.next')) : ''));
  }

  #entry({id, track, source, user, approved, upvotes, downvotes}) {
    const {queue} = this.room, name = trackLine(track) || source;
    const mayVote = this.#isOpen(queue.rules.voters, 'vote'), mayControl = this.room.may('control');
    const vote = (kind, count) => {
      const isCast = queue.votes[kind].has(id);
      return h('button', {
        class: 'small-button vote', type: 'button', 'aria-pressed': String(isCast), dataset: {act: `${kind}-${id}`}, disabled: !mayVote,
        'aria-label': t(`queue.vote-${kind}`, {name, count}), onclick: () => this.#try(() => this.room.vote(id, isCast ? null : kind)),
      }, icon(kind), h('span', {class: 'tabular'}, String(count)));
    };
    const act = (type, symbol) => h('button', {
      class: 'icon-button', type: 'button', dataset: {act: `${type}-${id}`}, 'aria-label': t(type, {name}),
      onclick: () => this.#try(() => session.request(type, {id})),
    }, icon(symbol));
    const actions = [];
    if (approved) actions.push(h('div', {class: 'row tight votes'}, vote('up', upvotes), vote('down', downvotes)));
    if (!approved && mayControl) actions.push(act('queue.approve', 'check'), act('queue.reject', 'close'));
    else if (mayControl || user.uid === session.user?.uid) actions.push(act('queue.remove', 'close'));
    return h('li', {class: 'entry'},
      h('div', {class: 'grow'},
        h('p', {class: 'entry-title', dir: 'auto'}, name),
        h('p', {class: 'small muted', dir: 'auto'}, t('queue.by', {name: nameOf(user)}))),
      actions);
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
