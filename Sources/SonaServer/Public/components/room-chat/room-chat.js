// The chat of the room. Messages are shown as plain text, whatever they contain.
import {ChatLog, isEditable, quoted} from './chat-log.js';
import {RoomPart, STANDINGS, nameOf} from '../room-page/room-part.js';
import {confirm, openLater} from '../../shell/dialogs.js';
import {h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';

/** How far from the end one still reads along, pixels. */
const NEAR = 80;
const TEXT_MAX = 4000;

class RoomChat extends RoomPart {
  #entries = null; #draft = '';
  /** The current reply or edit: {does: 'reply' | 'edit', id, draft}, with the former text of the field. Or null. */
  #task = null;

  build() {
    this.#entries = new ChatLog((does, message) => this.#do(does, message));
    const id = uniqueId('chat'), about = uniqueId('about');
    this.replaceChildren(
      this.older = h('button', {class: 'quiet small-button', type: 'button', onclick: () => this.#older()}, t('chat.older')),
      this.log = h('div', {class: 'chat-log', role: 'log', 'aria-live': 'polite', 'aria-label': t('chat.title'), tabindex: '0'},
        this.#entries.element),
      this.empty = h('p', {class: 'muted chat-empty'}, t('chat.empty')),
      this.about = h('div', {class: 'chat-about', hidden: true},
        h('p', {class: 'muted small grow', id: about}),
        h('button', {class: 'icon-button', type: 'button', 'aria-label': t('chat.cancel'), onclick: () => this.#cancel()}, icon('close'))),
      this.form = h('form', {class: 'chat-form', onsubmit: event => this.#send(event)},
        h('label', {class: 'visually-hidden', for: id}, t('chat.write')),
        this.input = h('textarea', {
          id, rows: '1', maxlength: TEXT_MAX, placeholder: t('chat.write'), dir: 'auto', 'aria-describedby': about, '.value': this.#draft,
          oninput: () => this.#grow(), onkeydown: event => this.#key(event),
        }),
        h('button', {class: 'icon-button primary', type: 'submit', 'aria-label': t('chat.send')}, icon('up'))),
      this.kept = h('p', {class: 'muted small', hidden: true, role: 'status'}),
      this.rule = h('p', {class: 'muted small'}),
      this.error = h('p', {class: 'chat-error small', role: 'alert'}));
    this.#showAbout();
  }

  begin() { requestAnimationFrame(() => this.#toEnd()); }

  write() { this.input.focus(); }

  #grow() {
    this.#draft = this.input.value;
    this.error.textContent = '';
    this.input.style.height = 'auto';
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, 160)}px`;
  }

  #key(event) {
    if (event.isComposing) return;
    if (event.key === 'Escape' && this.#task) {
      event.preventDefault();
      this.#cancel();
    } else if (event.key === 'Escape') {
      this.input.blur();
    }
    if (event.key === 'ArrowUp' && this.input.value === '' && !this.#task) {
      const last = this.room.chat.findLast(isEditable);
      if (last) {
        event.preventDefault();
        this.#do('edit', last);
      }
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    this.form.requestSubmit();
  }

  async #send(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text === '' || this.input.readOnly) return;
    this.input.readOnly = true;
    try {
      const {does, id, draft} = this.#task ?? {};
      if (does === 'edit') await this.room.edit(id, text);
      else await this.room.send(text, id);
      this.#task = null;
      this.#showAbout();
      this.input.value = does === 'edit' ? draft : '';
      this.#grow();
      if (does !== 'edit') this.#toEnd();
    } catch (error) {
      this.error.textContent = describe(error);
    } finally {
      this.input.readOnly = false;
      this.input.focus();
    }
  }

  // About a message

  #do(does, message) {
    if (does === 'delete') return this.#delete(message);
    if (does === 'report') {
      const about = {room: this.room.id, message: message.id}, name = nameOf(message.user);
      return openLater(() => import('../../shell/report.js'), ({report}) => report(about, t('chat.report', {name})));
    }
    if (this.input.readOnly) return undefined;
    this.#task = {does, id: message.id, message, draft: this.#task?.does === 'edit' ? this.#task.draft : this.input.value};
    this.input.value = does === 'edit' ? message.text : this.#task.draft;
    this.#grow();
    this.#showAbout();
    this.input.focus();
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
    return undefined;
  }

  #cancel() {
    this.#leave();
    this.input.focus();
  }

  /** Writes about nothing any more: what stood in the field before is there again. */
  #leave() {
    const {does, draft} = this.#task ?? {};
    this.#task = null;
    if (does === 'edit') {
      this.input.value = draft;
      this.#grow();
    }
    this.#showAbout();
  }

  /**
   * Shows the message that is replied to or edited. If it is deleted, that ends. If it is only too old to be shown, it
   * does not.
   */
  #showAbout() {
    const message = this.#task && (this.room.chat.find(one => one.id === this.#task.id) ?? this.#task.message);
    if (message?.deleted) return void this.#leave();
    const isNear = this.#isNear;
    this.about.hidden = !message;
    const text = !message ? '' : this.#task.does === 'edit' ? t('chat.editing') : t('chat.replying', {message: quoted(message)});
    if (this.about.firstElementChild.textContent !== text) this.about.firstElementChild.textContent = text;
    if (isNear) this.#toEnd();
  }

  async #delete(message) {
    if (!await confirm({title: t('chat.delete.title'), text: message.text, action: t('chat.delete.action'), danger: true})) return;
    try {
      await this.room.erase(message.id);
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }

  async #older() {
    const height = this.log.scrollHeight;
    this.older.disabled = true;
    try {
      await this.room.loadOlderChat();
      this.log.scrollTop += this.log.scrollHeight - height;
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    } finally {
      this.older.disabled = false;
    }
  }

  update(what) {
    // The permitted actions on messages depend on the user.
    if (['all', 'chat', 'you'].includes(what)) this.#messages();
    // A mute ends by itself.
    if (['all', 'room', 'you', 'chat'].includes(what) || what === 'tick' && this.room?.you?.muted_until_ms) this.#rules();
  }

  #rules() {
    const {room} = this, rule = room.room?.chat ?? 'everyone', rank = STANDINGS.indexOf(room.you?.standing ?? 'listener');
    const isMuted = (room.you?.muted_until_ms ?? 0) > Date.now();
    const closed = rule === 'off' ? 'off' : isMuted ? 'muted'
      : rule === 'moderators' && rank < 2 ? 'moderators' : rule === 'members' && rank < 1 ? 'members' : null;
    this.form.hidden = closed !== null;
    if (this.hasAttribute('data-closed') !== (closed !== null)) {
      this.toggleAttribute('data-closed', closed !== null);
      this.#entries.rove();
    }
    if (closed && this.#task) this.#leave();
    this.rule.textContent = closed ? t(`chat.closed.${closed}`)
      : room.room?.slow_mode_s > 0 && rank < 2 ? t('chat.slow', {seconds: room.room.slow_mode_s}) : '';
    const isKept = room.room?.replays === true;
    // Hidden words are no news: readers of the screen hear them when they come.
    if (this.kept.hidden === isKept) this.kept.textContent = isKept ? t('chat.kept') : '';
    this.kept.hidden = !isKept;
    this.older.hidden = room.chat.length === 0 || room.chatBefore === undefined || room.chatBefore === null;
  }

  get #isNear() { return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR; }

  #toEnd() { this.log.scrollTop = this.log.scrollHeight; }

  #messages() {
    const isNear = this.#isNear;
    // If the focused element is gone, the focus goes to the one beside it.
    if (this.room && this.#entries.show(this.room)) this.log.focus();
    this.empty.hidden = this.#entries.size > 0;
    this.log.hidden = this.#entries.size === 0;
    this.#showAbout();
    if (isNear) this.#toEnd();
  }
}

customElements.define('room-chat', RoomChat);
