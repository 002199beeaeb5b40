// Uploads that wait for a decision: heard, approved or rejected, by mouse or by keys.
import {ask, attempt, time} from './parts.js';
import {userPath} from '../people-page/user-path.js';
import {musicCover} from '../cover/music-cover.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {isOn, TYPED} from '../../shell/keys.js';
import {looks} from '../../shell/looks.js';
import {announce} from '../../shell/shell.js';
import {clockTime} from '../../shell/times.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';
import {submissions} from '../../store/submissions.js';

await Promise.all([i18n.also('submitted.'), looks('admin-submissions.css', import.meta.url)]);

const STATES = ['pending', 'rejected', 'approved'];
const REASON_BYTES = 500;
/** Rows left when the next page is fetched. */
const AHEAD = 5;

class AdminSubmissions extends HTMLElement {
  #state = 'pending'; #ending = null; #rows = new Map(); #cursor = null; #turn = 0; #isLoading = false;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    this.list = h('ol', {class: 'list submission-list', tabindex: '-1', 'aria-label': t('submitted.waiting'), onkeydown: (event) => this.#key(event)});
    this.status = h('p', {class: 'muted', role: 'status'});
    this.more = h('button', {type: 'button', hidden: true, onclick: () => this.#load()}, t('home.more'));
    this.count = h('p', {class: 'muted', role: 'status'});
    this.hints = h('p', {class: 'muted small submission-keys'}, [['A', 'approve'], ['R', 'reject'], ['P', 'hear'], ['↑ ↓', 'go']].map(([key, word]) => h('span', {}, h('kbd', {}, key), ' ', t(`submitted.key.${word}`))));
    this.replaceChildren(h('div', {class: 'stack'},
      choice({name: 'state', label: t('submitted.show'), value: this.#state, options: STATES.map((state) => [state, t(`submitted.state.${state}`)]), onchange: (state) => { this.#state = state; this.#again(); }}),
      this.count, this.hints, this.list, this.status, h('div', {class: 'row'}, this.more)));
    submissions.addEventListener('decided', ({detail}) => this.#told(detail), {signal});
    for (const type of ['change', 'track']) solo.addEventListener(type, () => this.#mark(), {signal});
    this.#again();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#turn += 1;
  }

  #again() {
    this.#turn += 1;
    this.#cursor = null;
    this.#rows.clear();
    this.#isLoading = false;
    this.list.replaceChildren();
    this.hints.hidden = this.#state !== 'pending';
    this.more.hidden = true;
    return this.#load();
  }

  async #load() {
    if (this.#isLoading) return;
    const turn = this.#turn;
    this.#isLoading = true;
    if (this.#rows.size === 0) this.status.textContent = t('load.waiting');
    try {
      const page = await ask('submissions.list', {all: true, state: this.#state, limit: 30, ...this.#cursor === null ? {} : {after: this.#cursor}});
      if (turn !== this.#turn) return;
      for (const submission of page.submissions) this.#add(submission);
      this.#cursor = page.next_after;
      this.#counted(page.pending);
      this.status.textContent = this.#rows.size ? '' : t(`submitted.none.${this.#state}`);
    } catch (error) {
      if (turn === this.#turn) this.status.textContent = describe(error);
    } finally {
      if (turn === this.#turn) {
        this.#isLoading = false;
        this.more.hidden = this.#cursor === null;
      }
    }
  }

  #counted(pending) {
    submissions.pending = pending;
    this.count.textContent = pending ? tn('submitted.count', pending) : '';
  }

  #add(submission) {
    if (this.#rows.has(submission.id)) return;
    const {track, owner, id, state, reason} = submission, names = track.artists.map(({name}) => name).join(', ');
    const press = h('button', {type: 'button', class: 'icon-button submission-hear', 'aria-label': t('track.play', {title: track.title}), onclick: () => this.#hear(id)}, icon('play'));
    const element = h('li', {class: 'card submission', tabindex: this.#rows.size ? '-1' : '0', dataset: {id}, 'aria-label': [track.title, names, owner.username ? `@${owner.username}` : ''].filter(Boolean).join(', ')},
      h('div', {class: 'submission-picture'}, musicCover(track), press),
      h('div', {class: 'submission-about'},
        h('a', {class: 'submission-title truncate', href: `/track/${track.id}`, dir: 'auto'}, track.title),
        h('span', {class: 'truncate', dir: 'auto'}, names || t('track.no-artist')),
        h('span', {class: 'muted small truncate', dir: 'auto'}, [track.album?.name, track.year, track.genres.map(({name}) => name).join(', '), track.duration_ms ? clockTime(track.duration_ms) : null].filter(Boolean).join(' · ')),
        h('span', {class: 'muted small'}, owner.username ? h('a', {href: userPath(owner)}, `@${owner.username}`) : t('admin.gone'), ' · ', time(submission.submitted_ms)),
        reason ? h('span', {class: 'small submission-reason', dir: 'auto'}, reason) : null),
      state === 'pending' ? h('div', {class: 'row tight submission-acts'},
        h('button', {type: 'button', class: 'primary small-button', dataset: {does: 'approve'}, onclick: () => this.#approve(id)}, icon('check'), t('submitted.approve')),
        h('button', {type: 'button', class: 'danger small-button', dataset: {does: 'reject'}, onclick: () => this.#reject(id)}, icon('close'), t('submitted.reject'))) : null);
    element.addEventListener('focusin', () => this.#activate(element));
    this.#rows.set(id, {submission, element});
    this.list.append(element);
  }

  #activate(element) {
    for (const {element: other} of this.#rows.values()) other.tabIndex = other === element ? 0 : -1;
  }

  #key(event) {
    const element = event.target.closest('.submission'), {key} = event;
    if (!element || event.ctrlKey || event.metaKey || event.altKey || event.target.matches(TYPED)) return;
    const id = Number(element.dataset.id), all = [...this.list.children], at = all.indexOf(element);
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1}[key];
    const act = this.#state === 'pending' && isOn(key) ? {a: () => this.#approve(id), r: () => this.#reject(id)}[key.toLowerCase()] : null;
    if (to !== undefined) all[Math.max(0, Math.min(all.length - 1, to))].focus();
    else if (act) act();
    else if (key.toLowerCase() === 'p' && isOn('p') || key === 'Enter' && event.target === element) this.#hear(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Plays one, and what waits after it. */
  #hear(id) {
    const {track} = this.#rows.get(id).submission;
    if (solo.track?.id === track.id) return void solo.toggle();
    const tracks = [...this.#rows.values()].map(({submission}) => submission.track);
    solo.play(tracks, {index: tracks.findIndex((one) => one.id === track.id), source: {kind: 'tracks', id: null, name: t('admin.submissions'), href: '/admin/submissions'}});
  }

  #mark() {
    for (const {submission: {track}, element} of this.#rows.values()) {
      const isPlaying = solo.track?.id === track.id && solo.playing, press = element.querySelector('.submission-hear');
      if (press.dataset.playing === String(isPlaying)) continue;
      press.dataset.playing = String(isPlaying);
      press.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
  }

  async #approve(id) {
    const {track} = this.#rows.get(id).submission;
    if (await this.#decide(() => submissions.approve(id))) announce(t('submitted.approved', {title: track.title}));
    this.#drop(id);
  }

  #reject(id) {
    const {track} = this.#rows.get(id).submission;
    const element = dialog({
      title: t('submitted.reject-of', {title: track.title}),
      body: form({
        fields: [field({name: 'reason', label: t('submitted.reason'), hint: t('submitted.reason-hint'), maxlength: REASON_BYTES, bytes: REASON_BYTES, autocomplete: 'off', dir: 'auto'})],
        submit: t('submitted.reject'), kind: 'danger',
        send: async ({reason}) => {
          await this.#decide(() => submissions.reject(id, reason.trim()));
          element.close();
          this.#drop(id);
          // The event may have been quicker than the answer: the row that would get the focus back is gone.
          if (!this.list.contains(document.activeElement)) (this.list.querySelector('[tabindex="0"]') ?? this.list).focus();
          announce(t('submitted.rejected', {title: track.title}));
        },
      }),
    });
    element.querySelector('input').focus();
  }

  /** Whether it was this user who decided. Somebody who was quicker is told of, and the row goes all the same. */
  async #decide(work) {
    try {
      await work();
      return true;
    } catch (error) {
      toast(describe(error), {kind: 'error'});
      if (!['submission.already_decided', 'submission.not_found'].includes(error.code)) throw error;
      return false;
    }
  }

  /** Takes a row away; the one in its place has the focus. */
  #drop(id) {
    const row = this.#rows.get(id);
    if (!row) return;
    const hadFocus = row.element.contains(document.activeElement) || document.activeElement === document.body, at = [...this.list.children].indexOf(row.element);
    row.element.remove();
    this.#rows.delete(id);
    if (this.#rows.size < AHEAD && this.#cursor !== null) this.#load();
    const next = this.list.children[Math.min(at, this.list.children.length - 1)];
    if (next) this.#activate(next);
    if (hadFocus) (next ?? this.list).focus();
    if (this.#rows.size === 0 && this.#cursor === null) this.status.textContent = t(`submitted.none.${this.#state}`);
  }

  /** Somebody submitted, withdrew or decided one. */
  #told({id, state, pending}) {
    if (pending !== null) this.#counted(pending);
    if (state !== this.#state) return void (this.#rows.has(id) && this.#drop(id));
    // A new one comes last; it is asked for where the end of the list is in sight.
    if (state === 'pending' && this.#cursor === null && !this.#rows.has(id)) {
      this.#cursor = [...this.#rows.keys()].at(-1) ?? null;
      attempt(() => this.#load());
    }
  }
}
customElements.define('admin-submissions', AdminSubmissions);
