// The files of the list of uploads, each with its state and what can be done about it; in the tray and on the uploads page.
import {announce} from '../../shell/shell.js';
import {arrange, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {isCurable, uploads} from '../../store/uploads.js';
import * as amounts from '../../store/uploads/amounts.js';

/** Files that are shown; of a list of thousands those that something happens with come first. */
const SHOWN = 60;
const RANK = {sending: 0, finishing: 0, waiting: 0, failed: 1, missing: 1, queued: 2, paused: 2, done: 3};
const SYMBOLS = {sending: 'upload', finishing: 'upload', waiting: 'history', queued: 'history', paused: 'pause', missing: 'link', failed: 'warning', done: 'check'};

/** What is said of a file. */
const words = (item) => {
  const size = amounts.bytes(item.size), done = i18n.number(item.size ? item.sent / item.size : 0, {style: 'percent'});
  switch (item.state) {
    case 'sending': return t('uploads.state.sending', {done, size});
    case 'waiting': return t('uploads.state.waiting', {time: amounts.time(Math.max(1000, (item.until ?? 0) - performance.now()))});
    case 'paused': return item.sent > 0 ? t('uploads.state.paused', {done, size}) : t('uploads.state.held', {size});
    case 'missing': return item.error ? describe(item.error) : t(item.place ? 'uploads.state.missing' : 'uploads.state.missing-new', {done});
    case 'failed': return describe(item.error);
    case 'done': return item.isKnown ? t('uploads.state.known') : t('uploads.state.done');
    default: return t(`uploads.state.${item.state}`, {size});
  }
};

/** One row. It is changed, not built anew, since a button in it may have the focus. */
class Row {
  #shown = {};
  constructor(item, choose) {
    this.item = item;
    const button = (does, symbol, run) => h('button', {type: 'button', class: 'icon-button small', dataset: {does}, 'aria-label': t(`uploads.${does}.of`, {name: item.name}), title: t(`uploads.${does}`), onclick: run}, icon(symbol));
    this.buttons = {
      pause: button('pause', 'pause', () => { uploads.pause(item); announce(t('uploads.state.held', {size: ''}).trim()); }),
      resume: button('resume', 'play', () => uploads.resume(item)),
      retry: button('retry', 'history', () => uploads.retry(item)),
      choose: button('choose', 'folder', async () => { if (!item.handle || await uploads.goOn() > 0 && !item.file) choose(); }),
      cancel: button('cancel', 'close', () => uploads.cancel(item)),
    };
    this.symbol = h('span', {class: 'upload-symbol', 'aria-hidden': 'true'});
    this.name = h('span', {class: 'truncate upload-name', dir: 'auto'}, item.name);
    this.note = h('span', {class: 'small upload-note'});
    this.bar = h('progress', {max: 1, value: 0, 'aria-label': item.name});
    this.element = h('li', {class: 'upload-row', dataset: {key: item.key}}, this.symbol, h('div', {class: 'upload-about'}, this.name, this.note, this.bar), h('div', {class: 'upload-acts'}, Object.values(this.buttons)));
    this.update();
  }

  update() {
    const {item} = this, {state} = item, note = words(item);
    const isNew = state !== this.#shown.state || item.trackId !== this.#shown.trackId;
    if (isNew) {
      this.element.dataset.state = state;
      this.symbol.replaceChildren(icon(SYMBOLS[state]));
      const has = {
        pause: ['sending', 'waiting', 'queued'], resume: ['paused'], retry: state === 'failed' && isCurable(item.error) ? ['failed'] : [],
        choose: ['missing'], cancel: state === 'finishing' ? [] : [state],
      };
      const had = this.element.contains(document.activeElement);
      for (const [name, button] of Object.entries(this.buttons)) button.hidden = !has[name].includes(state);
      // The pressed button is gone: the one in its place has the focus.
      if (had && document.activeElement.hidden) (Object.values(this.buttons).find(button => !button.hidden) ?? null)?.focus();
      this.bar.hidden = !['sending', 'waiting', 'finishing', 'paused', 'missing'].includes(state) || item.size === 0;
      this.buttons.cancel.setAttribute('aria-label', t(state === 'done' ? 'uploads.away.of' : 'uploads.cancel.of', {name: item.name}));
      this.buttons.cancel.title = t(state === 'done' ? 'uploads.away' : 'uploads.cancel');
    }
    if (note !== this.#shown.note || isNew) {
      // A file that was there before is named by what it is called there.
      const link = item.trackId && h('a', {href: `/track/${item.trackId}`, dir: 'auto'}, item.track?.title ?? item.name);
      this.note.replaceChildren(...state === 'done' && link ? [note, ' ', link] : [note]);
    }
    if (state === 'done' && item.track && this.#shown.title !== item.track.title) this.note.querySelector('a').textContent = item.track.title;
    if (!this.bar.hidden) this.bar.value = item.sent / item.size;
    this.#shown = {state, note, trackId: item.trackId, title: item.track?.title};
  }
}

/** The rows as an element; `update()` brings them in line with the list. `choose` lets files be chosen. */
export const uploadRows = (choose) => {
  const list = h('ul', {class: 'list upload-rows'}), more = h('p', {class: 'muted small upload-more', hidden: true});
  let rows = new Map();
  const element = h('div', {}, list, more);
  element.update = () => {
    const sorted = uploads.items.map((item, index) => ({item, index})).sort((one, other) => RANK[one.item.state] - RANK[other.item.state] || one.index - other.index);
    const shown = sorted.slice(0, SHOWN).map(({item}) => item);
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    const at = focused ? [...list.children].indexOf(focused.closest('li')) : -1;
    rows = new Map(shown.map((item) => {
      const row = rows.get(item.key) ?? new Row(item, choose);
      row.update();
      return [item.key, row];
    }));
    arrange(list, [...rows.values()].map(row => row.element));
    if (focused && !list.contains(document.activeElement)) {
      if (list.contains(focused) && !focused.hidden) focused.focus();
      else (list.children[Math.min(at, list.children.length - 1)]?.querySelector('button:not([hidden])') ?? element.closest('section, upload-tray')?.querySelector('button:not([hidden])'))?.focus();
    }
    const rest = sorted.length - shown.length;
    more.hidden = rest === 0;
    if (rest > 0) more.textContent = tn('uploads.more', rest);
  };
  return element;
};
