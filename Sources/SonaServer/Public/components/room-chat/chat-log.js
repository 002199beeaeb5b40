// The messages of the chat: a row for each, rebuilt only where it changes, with its buttons.
import {linked} from './linked.js';
import {avatar} from '../avatar/avatar.js';
import {nameOf} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** For how long a message can be changed, ms: Protocol/spec/chat.md, "chat.edit". */
const EDITABLE = 15 * 60_000;
const ICONS = {reply: 'reply', edit: 'edit', delete: 'close', report: 'flag'};
const STEPS = {ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity};

/** Whether a message is the user's own and still new enough to be changed. */
export const isEditable = ({user, deleted, at_ms: at}) => !deleted && user.uid === session.user?.uid && Date.now() - at < EDITABLE;

/**
 * A list of messages. The Tab key reaches the buttons of one row only, and arrow keys move between rows. So the user
 * can tab to the input field without passing all messages.
 */
export class ChatLog {
  element = h('ol', {class: 'list', onkeydown: event => this.#step(event), onfocusin: ({target}) => this.#reached(target)});
  #rows = new Map(); #current = null; #does;

  /** @param does Called with 'reply', 'edit', 'delete' or 'report', and a message. */
  constructor(does) { this.#does = does; }

  get size() { return this.#rows.size; }

  /** Shows the messages of a room, the oldest first. Returns whether the focus was lost with what had it. */
  show(room) {
    const focused = document.activeElement?.closest?.('.chat-tool'), had = focused && this.element.contains(focused) ? focused : null;
    const known = new Map(room.chat.map(message => [message.id, message])), rows = new Map();
    for (const message of room.chat) {
      const first = message.reply_to === null ? null : known.get(message.reply_to) ?? null, before = this.#rows.get(message.id);
      const mayErase = room.may('moderate');
      // The quoted message may change or be deleted.
      const isSame = before?.message === message && before.first === first && before.mayErase === mayErase;
      rows.set(message.id, isSame ? before : {message, first, mayErase, row: this.#row(message, first, mayErase)});
    }
    const wanted = [...rows.values()].map(({row}) => row), present = new Set(wanted);
    for (const row of [...this.element.children]) if (!present.has(row)) row.remove();
    wanted.forEach((row, place) => {
      if (this.element.children[place] !== row) this.element.insertBefore(row, this.element.children[place] ?? null);
    });
    this.#rows = rows;
    this.rove();
    if (!had || had.isConnected) return false;
    const again = rows.get(Number(had.closest('.chat-row').dataset.message))?.row;
    const tool = again?.querySelector(`[data-does="${had.dataset.does}"]`) ?? again?.querySelector('.chat-tool');
    tool?.focus();
    return !tool;
  }

  #row(message, first, mayErase) {
    const {user, text, at_ms: at, edited_ms: edited, deleted, mentions, id} = message, isOwn = user.uid === session.user?.uid;
    const name = nameOf(user);
    const tool = does => h('button', {
      class: `icon-button chat-tool chat-${does}`, type: 'button', dataset: {does}, 'aria-label': t(`chat.${does}`, {name}), onclick: () => this.#does(does, message),
    }, icon(ICONS[does]));
    return h('li', {class: 'chat-row', dataset: {message: id, own: isOwn, mentioned: mentions.includes(session.user?.uid)}},
      avatar(user, 32),
      h('div', {class: 'grow'},
        h('p', {class: 'chat-head small'},
          user.username ? h('a', {href: `/u/${encodeURIComponent(`@${user.username}`)}`, class: 'chat-name', dir: 'auto'}, name) : h('span', {class: 'chat-name'}, name),
          h('time', {class: 'muted', datetime: new Date(at).toISOString(), title: i18n.date(at)}, i18n.date(at, {timeStyle: 'short'})),
          edited && !deleted ? h('span', {class: 'muted'}, t('chat.edited')) : null),
        message.reply_to === null || deleted ? null : h('p', {class: 'chat-quote muted small', dir: 'auto'}, quoted(first)),
        deleted ? h('p', {class: 'muted chat-text'}, t('chat.deleted')) : h('p', {class: 'chat-text', dir: 'auto'}, linked(text))),
      deleted ? null : h('div', {class: 'chat-tools'},
        tool('reply'), isEditable(message) ? tool('edit') : null, isOwn || mayErase ? tool('delete') : null, isOwn ? null : tool('report')));
  }

  /** Only one row's buttons are reached by the Tab key: where the focus is, else the newest's. To be called when some are hidden. */
  rove() {
    const focused = document.activeElement?.closest?.('.chat-tools');
    if (!focused || !this.element.contains(focused)) {
      this.#current = [...this.#rows.values()].findLast(({row}) => this.#shown(row).length > 0)?.message.id ?? null;
    }
    for (const {message, row} of this.#rows.values()) {
      for (const tool of this.#tools(row)) tool.tabIndex = message.id === this.#current ? 0 : -1;
    }
  }

  #tools(row) { return [...row?.querySelectorAll('.chat-tool') ?? []]; }
  /** Users can delete their own messages, and report others, even where nobody may write. */
  #shown(row) {
    const isClosed = this.element.closest('[data-closed]') !== null;
    return this.#tools(row).filter(({dataset}) => !isClosed || dataset.does === 'delete' || dataset.does === 'report');
  }

  #reached(target) {
    const row = target.closest('.chat-tool')?.closest('.chat-row'), id = row && Number(row.dataset.message);
    if (!id || id === this.#current) return;
    for (const tool of this.#tools(this.#rows.get(this.#current)?.row)) tool.tabIndex = -1;
    for (const tool of this.#tools(row)) tool.tabIndex = 0;
    this.#current = id;
  }

  #step(event) {
    const step = STEPS[event.key], tool = event.target.closest('.chat-tool');
    if (!step || !tool || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const rows = [...this.#rows.values()].filter(({row}) => this.#shown(row).length > 0), place = rows.findIndex(({message}) => message.id === this.#current);
    const {row} = rows[Math.max(0, Math.min(rows.length - 1, place + step))];
    const shown = this.#shown(row);
    (shown.find(one => one.dataset.does === tool.dataset.does) ?? shown[0])?.focus();
  }
}

/** The quoted message in one line. */
export const quoted = first => !first || first.deleted ? t('chat.quote.gone') : `${nameOf(first.user)}: ${first.text}`;
