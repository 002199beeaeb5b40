// The uploads on every page: how far the whole is, in a line above the player; opened, each file.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {announce} from '../../shell/shell.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {uploads} from '../../store/uploads.js';
import * as amounts from '../../store/uploads/amounts.js';
import {uploadRows} from './upload-rows.js';

await Promise.all([i18n.also('uploads.'), looks('upload-tray.css', import.meta.url)]);

/** The page that shows the same in full. */
const isShownElsewhere = () => document.querySelector('uploads-part') !== null;

class UploadTray extends HTMLElement {
  #ending = null; #isOpen = false; #isClosed = false; #parts = null;

  connectedCallback() {
    this.classList.add('upload-tray');
    const {signal} = this.#ending = new AbortController();
    uploads.addEventListener('change', () => this.#draw(), {signal});
    uploads.addEventListener('begun', () => { this.#isClosed = false; this.#draw(); }, {signal});
    uploads.addEventListener('ended', () => this.#sayEnd(), {signal});
    i18n.addEventListener('change', () => this.#build(), {signal});
    addEventListener('keydown', (event) => { if (event.key === 'Escape' && this.#isOpen && this.contains(document.activeElement)) this.#open(false); }, {signal});
    this.#build();
  }

  disconnectedCallback() { this.#ending.abort(); }

  #build() {
    const act = (symbol, run, dataset) => h('button', {type: 'button', class: 'icon-button', onclick: run, dataset}, icon(symbol));
    const input = h('input', {type: 'file', multiple: true, hidden: true, onchange: async ({target}) => {
      const files = [...target.files];
      target.value = '';
      (await import('./bring.js')).bring(({chosen}) => chosen(files));
    }});
    const title = h('strong', {class: 'truncate'}), note = h('span', {class: 'small muted truncate tabular'});
    const bar = h('progress', {max: 1, value: 0, 'aria-label': t('uploads.whole')});
    const toggle = h('button', {type: 'button', class: 'tray-line', 'aria-expanded': String(this.#isOpen), onclick: () => this.#open(!this.#isOpen)},
      h('span', {class: 'tray-symbol', 'aria-hidden': 'true'}), h('span', {class: 'tray-about'}, title, note), icon('up'));
    const pause = act('pause', () => this.#pauseAll(), {does: 'pause-all'}), close = act('close', () => this.#close(), {does: 'close'});
    const choose = h('button', {type: 'button', class: 'small-button primary', hidden: true, onclick: async () => { if (await uploads.goOn() > 0) input.click(); }}, t('uploads.choose-again'));
    const rows = uploadRows(() => input.click());
    const list = h('div', {class: 'tray-list', hidden: !this.#isOpen, tabindex: '0', role: 'group', 'aria-label': t('uploads.files')}, rows);
    const page = h('a', {class: 'small', href: '/library/uploads'}, t('uploads.all'));
    const foot = h('div', {class: 'row between tray-foot', hidden: true}, page, choose);
    close.setAttribute('aria-label', t('uploads.close'));
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', t('uploads.title'));
    this.#parts = {title, note, bar, toggle, pause, close, choose, rows, list, page, foot};
    this.replaceChildren(list, foot, h('div', {class: 'tray-head'}, toggle, pause, close), bar, input);
    this.#draw();
  }

  #open(is) {
    this.#isOpen = is;
    this.#parts.list.hidden = !is;
    this.#parts.toggle.setAttribute('aria-expanded', String(is));
    this.#draw();
    if (!is) this.#parts.toggle.focus();
  }

  #pauseAll() {
    if (uploads.isBusy) uploads.pauseAll();
    else uploads.resumeAll();
    announce(t(uploads.isBusy ? 'uploads.tray.goes-on' : 'uploads.tray.paused'));
  }

  #close() {
    const hadFocus = this.contains(document.activeElement);
    uploads.clearDone();
    this.#isClosed = true;
    this.#draw();
    if (hadFocus) document.querySelector('main')?.focus();
  }

  /** The sentence of the head, and what stands beside it. */
  #words({done, failed, count, speed, left, sent, bytes}) {
    const {items} = uploads, missing = uploads.missing.length, isPaused = items.some(({state}) => state === 'paused');
    if (uploads.isBusy) {
      const running = items.filter(({isRunning}) => isRunning), isLost = running.length > 0 && running.every(({state}) => state === 'waiting');
      const about = isLost ? [t('uploads.tray.lost')] : [speed ? amounts.speed(speed) : null, left ? t('uploads.left', {time: amounts.shortTime(left)}) : null];
      return [t('uploads.tray.busy', {done: i18n.number(done), count: i18n.number(count - failed)}), about.filter(Boolean).join(' · ') || `${amounts.bytes(sent)} / ${amounts.bytes(bytes)}`];
    }
    const also = [failed > 0 ? tn('uploads.tray.failed', failed) : null, missing > 0 ? tn('uploads.tray.missing', missing) : null].filter(Boolean).join(' · ');
    if (isPaused) return [t('uploads.tray.paused'), also || `${amounts.bytes(sent)} / ${amounts.bytes(bytes)}`];
    if (done > 0) return [tn('uploads.tray.done', done), also];
    return missing > 0 ? [tn('uploads.tray.missing', missing), failed > 0 ? tn('uploads.tray.failed', failed) : t('uploads.tray.choose')] : [tn('uploads.tray.failed', failed), ''];
  }

  #draw() {
    const {title, note, bar, toggle, pause, close, choose, rows, page, foot} = this.#parts, {items, isBusy} = uploads, {totals} = uploads;
    this.hidden = items.length === 0 || this.#isClosed || isShownElsewhere();
    document.documentElement.toggleAttribute('data-uploads', !this.hidden);
    if (this.hidden) return;
    const [words, about] = this.#words(totals), isPaused = !isBusy && items.some(({state}) => state === 'paused');
    title.textContent = words;
    note.textContent = about;
    note.hidden = !about;
    bar.hidden = !isBusy && !isPaused;
    bar.value = totals.bytes ? totals.sent / totals.bytes : 0;
    const symbol = isBusy ? 'upload' : isPaused ? 'pause' : totals.failed || uploads.missing.length ? 'warning' : 'check';
    if (this.dataset.symbol !== symbol) {
      this.dataset.symbol = symbol;
      toggle.firstElementChild.replaceChildren(icon(symbol));
      pause.replaceChildren(icon(isPaused ? 'play' : 'pause'));
      pause.setAttribute('aria-label', t(isPaused ? 'uploads.resume-all' : 'uploads.pause-all'));
    }
    const hadFocus = document.activeElement;
    pause.hidden = !isBusy && !isPaused;
    close.hidden = isBusy;
    if (hadFocus === pause && pause.hidden) close.focus();
    choose.hidden = uploads.missing.length === 0;
    // What has come is to be looked at.
    const isOver = !isBusy && totals.done > 0;
    page.textContent = t(isOver ? 'uploads.check' : 'uploads.all');
    foot.hidden = !this.#isOpen && choose.hidden && !isOver;
    if (this.#isOpen) rows.update();
  }

  #sayEnd() {
    const {done, failed} = uploads.totals, missing = uploads.missing.length;
    if (uploads.items.some(({state}) => state === 'paused')) return;
    announce([done > 0 ? tn('uploads.tray.done', done) : null, failed > 0 ? tn('uploads.tray.failed', failed) : null, missing > 0 ? tn('uploads.tray.missing', missing) : null].filter(Boolean).join(', '));
  }

  /** The page has changed: the one that shows uploads needs no tray. */
  look() {
    if (uploads.isBusy) this.#isClosed = false;
    this.#draw();
  }
}
customElements.define('upload-tray', UploadTray);

let tray = null;
/** Puts the tray on the page, once. It shows itself when there is something to show. */
export const begin = () => {
  if (!tray) {
    tray = h('upload-tray', {hidden: true});
    document.body.append(tray);
    new MutationObserver(() => tray.look()).observe(document.querySelector('main'), {childList: true});
  }
  tray.look();
};
