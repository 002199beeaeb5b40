// One's uploads, as a part of the library: bringing music, what is under way, tags to be looked at, and what is there already.
import {withReturn} from '../../router.js';
import {debounced, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {trackChanges} from '../../store/track-changes.js';
import {isCurable, uploads} from '../../store/uploads.js';
import * as amounts from '../../store/uploads/amounts.js';
import {bring, choose} from '../upload-tray/bring.js';
import {uploadRows} from '../upload-tray/upload-rows.js';
import {OwnTracks} from './own-tracks.js';
import {ReviewCard} from './review-card.js';
import {unfinished} from './unfinished.js';

await Promise.all([i18n.also('uploads.'), looks('uploads-part.css', import.meta.url), looks('../upload-tray/upload-tray.css', import.meta.url)]);

/** How long after a change the space is asked for again, ms. */
const SETTLED = 600;

class UploadsPart extends HTMLElement {
  #ending = null; #drawn = null; #parts = null; #own = null; #review = null;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    me.addEventListener('change', () => this.#draw(), {signal});
    session.addEventListener('user', () => this.#draw(), {signal});
    session.addEventListener('fresh', () => this.#usage(), {signal});
    uploads.addEventListener('change', () => this.#show(), {signal});
    uploads.addEventListener('ended', () => this.#usage(), {signal});
    for (const type of ['added', 'removed']) trackChanges.addEventListener(type, () => this.#usage(), {signal});
    this.#drawn = null;
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#usage.cancel();
    this.#own?.end();
    this.#review?.end();
  }

  /** Built again only for another user, or where somebody may upload now who might not before. */
  #draw() {
    if (!session.user || !session.user.guest && !me.data) return void this.replaceChildren(h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting')));
    const {refusal} = uploads, key = JSON.stringify([session.user.uid, refusal]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#own?.end();
    this.#review?.end();
    if (refusal) return void this.#refuse(refusal);
    const inputs = [{}, {webkitdirectory: true}].map(attributes => h('input', {
      type: 'file', multiple: true, hidden: true, ...attributes, onchange: ({target}) => {
        const files = [...target.files];
        target.value = '';
        bring(taking => taking.chosen(files));
      },
    }));
    const [files, folder] = inputs;
    const rows = uploadRows(() => choose(files)), acts = h('div', {class: 'row tight'}), heading = h('h2', {});
    const going = h('section', {class: 'card stack', hidden: true, 'aria-label': t('uploads.under-way')}, h('div', {class: 'row between'}, heading, acts), rows);
    this.#parts = {going, heading, rows, acts, files, space: h('div', {class: 'uploads-space'}), left: h('div', {class: 'stack'})};
    this.#review = new ReviewCard();
    this.#own = new OwnTracks();
    this.replaceChildren(h('div', {class: 'stack uploads'},
      h('section', {class: 'card uploads-bring', 'aria-label': t('uploads.bring')},
        h('div', {class: 'stack tight'},
          h('div', {class: 'row'},
            h('button', {type: 'button', class: 'primary', onclick: () => choose(files)}, icon('upload'), t('uploads.files.pick')),
            h('button', {type: 'button', onclick: () => choose(folder)}, icon('folder'), t('uploads.folder.pick'))),
          h('p', {class: 'muted small'}, t('uploads.hint')), inputs),
        this.#parts.space),
      going, this.#parts.left, this.#review.element, this.#own.element));
    this.#show();
    this.#usage.now();
  }

  #refuse(refusal) {
    this.replaceChildren(h('div', {class: 'empty'}, icon('upload'), h('p', {}, t(`uploads.refused.${refusal}`)),
      refusal === 'guest' ? h('a', {class: 'button primary', href: withReturn('/sign-in')}, t('nav.sign-in')) : null));
  }

  /** What is under way in this tab. */
  #show() {
    if (!this.#parts || !this.contains(this.#parts.going)) return;
    const {going, heading, rows, acts} = this.#parts, {items} = uploads;
    const hadFocus = going.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    going.hidden = items.length === 0;
    heading.textContent = t(items.every(({state}) => state === 'done' || state === 'failed') ? 'uploads.over' : 'uploads.under-way');
    rows.update();
    const act = (does, run) => h('button', {type: 'button', class: 'quiet small-button', dataset: {does}, onclick: run}, t(`uploads.${does}`));
    const wanted = [
      uploads.isBusy ? ['pause-all', () => uploads.pauseAll()] : null,
      items.some(({state}) => state === 'paused') ? ['resume-all', () => uploads.resumeAll()] : null,
      uploads.missing.length > 0 ? ['choose-again', async () => { if (await uploads.goOn() > 0) choose(this.#parts.files); }] : null,
      items.filter(({state, error}) => state === 'failed' && isCurable(error)).length > 1 ? ['retry-all', () => uploads.retryAll()] : null,
      items.some(({state}) => state === 'done') && !uploads.isBusy ? ['clear', () => uploads.clearDone()] : null,
    ].filter(Boolean);
    const key = wanted.map(([does]) => does).join();
    if (acts.dataset.key === key) return;
    acts.dataset.key = key;
    acts.replaceChildren(...wanted.map(([does, run]) => act(does, run)));
    if (hadFocus && !going.contains(document.activeElement)) (acts.querySelector(`[data-does="${hadFocus}"]`) ?? acts.querySelector('button') ?? this.querySelector('button'))?.focus();
  }

  /** The space that is taken, and what the server still waits for. */
  #usage = Object.assign(debounced(SETTLED, () => this.#usage.now()), {
    now: async () => {
      if (!this.#parts) return;
      try {
        const usage = await session.request('storage.usage');
        if (!this.isConnected) return;
        this.#drawSpace(usage);
        const known = new Set(uploads.items.map(({place}) => place));
        const rest = unfinished(usage.uploads.filter(({id}) => !known.has(id)), {pick: () => choose(this.#parts.files), again: () => this.#usage()});
        this.#parts.left.replaceChildren(...rest ? [rest] : []);
        this.#parts.left.hidden = !rest;
      } catch (error) {
        this.#parts.space.replaceChildren(h('p', {class: 'muted small'}, describe(error)));
      }
    },
  });

  #drawSpace({used_bytes: used, coming_bytes: coming, quota_bytes: quota, file_bytes_max: most}) {
    const share = quota ? Math.min(1, (used + coming) / quota) : 1;
    const words = t('uploads.space', {used: amounts.bytes(used + coming), quota: amounts.bytes(quota)});
    this.#parts.space.toggleAttribute('data-tight', share > .9);
    this.#parts.space.replaceChildren(
      h('div', {class: 'row between'}, h('strong', {}, t('uploads.space.title')), h('span', {class: 'small tabular'}, i18n.number(share, {style: 'percent', maximumFractionDigits: share < .1 ? 1 : 0}))),
      h('progress', {max: 1, value: share, 'aria-label': t('uploads.space.title'), 'aria-valuetext': words}),
      h('p', {class: 'muted small'}, `${words} ${t('uploads.space.file', {size: amounts.bytes(most)})}`));
  }
}
customElements.define('uploads-part', UploadsPart);
