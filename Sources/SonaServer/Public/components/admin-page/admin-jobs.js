// The jobs of everybody and of the server itself: how far they are, why they failed, doing them again, and ending them.
import {ago, ask, attempt, bytes, person, trackLink} from './parts.js';
import {polling} from './polling.js';
import {arrange, h} from '../../shell/dom.js';
import {choice, field, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t} from '../../store/i18n.js';

const STATES = ['queued', 'running', 'failed', 'done', 'cancelled'];
const KINDS = ['measure', 'cover', 'rendition', 'preview'];
/** Those that count tracks; all others count bytes. */
const OF_TRACKS = ['measure', 'cover'];
/** How often is asked while something goes on, and else, ms: the server tells of one's own jobs only. */
const BUSY = 2000, IDLE = 10_000;
/** Jobs of a request, and the most that are kept up to date. Source: Protocol/spec/jobs.md. */
const PAGE = 50, FOLLOWED_MAX = 200;

/** What the server calls something, in words; words that came later are shown as they are. */
const named = (key, word) => i18n.has(`admin.${key}.${word}`) ? t(`admin.${key}.${word}`) : word;
const isUnended = ({state}) => state === 'queued' || state === 'running';

/** A job's row: `{element, put(job)}`. What does not change is made once, so that the focus stays on its button. */
const jobRow = (first, did) => {
  let job = first;
  const state = h('span', {class: 'badge'}), times = h('p', {class: 'muted small'});
  const bar = h('progress', {'aria-label': t('admin.jobs.progress')}), far = h('p', {class: 'muted small tabular'});
  const running = h('div', {class: 'job-bar'}, bar, far), error = h('p', {class: 'small job-error'}), detail = h('p', {class: 'muted small', lang: 'en', dir: 'auto'});
  const act = h('button', {
    type: 'button', class: 'small-button',
    onclick: once(async () => {
      const type = isUnended(job) ? 'jobs.cancel' : 'jobs.retry';
      await attempt(async () => put((await ask(type, {id: job.id})).job), t(`admin.${type}.done`, {id: job.id}));
      did();
    }),
  });
  const element = h('li', {class: 'entry job', dataset: {job: first.id}},
    h('div', {class: 'grow stack tight'},
      h('p', {class: 'row tight'}, h('strong', {}, named('jobs.kind', first.kind)), state, h('span', {class: 'muted small tabular'}, `#${first.id}`)),
      first.track === null ? null : h('p', {class: 'job-track'}, trackLink(first.track)),
      running, error, detail,
      h('p', {class: 'row tight muted small'}, times, h('span', {}, '· ', first.owner === null ? t('admin.jobs.server') : person(first.owner)))),
    act);
  const put = (now) => {
    job = now;
    const isRunning = now.state === 'running', hasFailed = now.error !== null;
    state.className = `badge state-${now.state}`;
    state.textContent = named('jobs.state', now.state);
    running.hidden = !isRunning;
    if (isRunning && now.total > 0) {
      bar.max = now.total;
      bar.value = now.done;
    } else {
      bar.removeAttribute('value');
    }
    const size = OF_TRACKS.includes(now.kind) ? count => i18n.number(count) : bytes;
    far.textContent = now.total > 0 ? t('admin.jobs.far', {done: size(now.done), total: size(now.total)}) : t('load.waiting');
    error.hidden = !hasFailed;
    error.textContent = hasFailed ? [named('jobs.error', now.error), now.state === 'queued' && now.next_ms !== null ? t('admin.jobs.next', {time: i18n.date(now.next_ms)}) : ''].filter(Boolean).join(' ') : '';
    detail.hidden = now.detail === null;
    detail.textContent = now.detail ?? '';
    times.replaceChildren(ago(now.changed_ms), ...now.attempts > 1 ? [` · ${t('admin.jobs.attempts', {count: i18n.number(now.attempts)})}`] : []);
    const key = isUnended(now) ? 'cancel' : now.state === 'done' ? null : 'retry';
    act.hidden = key === null;
    if (key !== null && act.dataset.act !== key) {
      act.dataset.act = key;
      act.replaceChildren(icon(key === 'cancel' ? 'close' : 'refresh'), t(`admin.jobs.${key}`), h('span', {class: 'visually-hidden'}, ` #${now.id}`));
    }
  };
  put(first);
  return {element, put};
};

class AdminJobs extends HTMLElement {
  #rows = new Map(); #filter = {state: '', kind: ''}; #cursor = null; #turn = 0; #polling = null; #list = null; #status = null; #more = null;

  connectedCallback() {
    const select = h('select', {name: 'kind', onchange: ({target}) => this.#choose({kind: target.value})},
      h('option', {value: ''}, t('admin.jobs.all')), KINDS.map(kind => h('option', {value: kind}, named('jobs.kind', kind))));
    this.#list = h('ul', {class: 'list admin-list', tabindex: '-1'});
    this.#status = h('p', {class: 'muted', role: 'status'}, t('load.waiting'));
    this.#more = h('button', {type: 'button', hidden: true, onclick: once(() => this.#load(this.#cursor))}, t('home.more'));
    this.replaceChildren(h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('admin.jobs.about')),
      h('div', {class: 'job-filters'},
        choice({name: 'state', label: t('admin.jobs.state'), value: '', options: ['', ...STATES].map(one => [one, one === '' ? t('admin.jobs.all') : t(`admin.jobs.state.${one}`)]), onchange: state => this.#choose({state})}),
        field({name: 'kind', label: t('admin.jobs.kind'), control: select})),
      this.#list, this.#status, h('div', {class: 'row'}, this.#more)));
    this.#polling = polling(() => this.#refresh());
  }

  disconnectedCallback() { this.#polling.end(); }

  #choose(change) {
    Object.assign(this.#filter, change);
    this.#turn += 1;
    this.#cursor = null;
    this.#rows.clear();
    this.#list.replaceChildren();
    this.#more.hidden = true;
    this.#status.textContent = t('load.waiting');
    this.#polling.again();
  }

  /** Asks again for the rows that are shown, the newest first. */
  async #refresh() {
    const wanted = Math.min(FOLLOWED_MAX, Math.max(PAGE, this.#rows.size)), turn = this.#turn;
    let before = null, count = 0;
    do {
      const page = await this.#load(before);
      if (!page || turn !== this.#turn) return IDLE;
      count += page.jobs.length;
      before = page.next_before;
    } while (before !== null && count < wanted);
    return [...this.#rows.values()].some(({job}) => isUnended(job)) ? BUSY : IDLE;
  }

  /** One page of jobs takes the place of what was known of that range. */
  async #load(before) {
    const turn = this.#turn, {state, kind} = this.#filter;
    try {
      const page = await ask('jobs.list', {all: true, limit: PAGE, ...(state === '' ? {} : {state}), ...(kind === '' ? {} : {kind}), ...(before === null ? {} : {before})});
      if (turn !== this.#turn) return null;
      const ids = new Set(page.jobs.map(({id}) => id)), last = page.next_before ?? 0;
      for (const id of this.#rows.keys()) if ((before === null || id < before) && id >= last && !ids.has(id)) this.#rows.delete(id);
      for (const job of page.jobs) {
        const row = this.#rows.get(job.id);
        if (row) row.put(job);
        else this.#rows.set(job.id, jobRow(job, () => this.#polling.again()));
        this.#rows.get(job.id).job = job;
      }
      const ordered = [...this.#rows.keys()].sort((one, other) => other - one);
      // A row under the focus may go: the list is the next best place.
      const hadFocus = this.#list.contains(document.activeElement);
      arrange(this.#list, ordered.map(id => this.#rows.get(id).element));
      if (hadFocus && !this.#list.contains(document.activeElement)) this.#list.focus();
      // The end of what is shown, whether or not this page is the last of it.
      if (ordered.length === 0 || ids.has(ordered.at(-1))) this.#cursor = page.next_before;
      this.#more.hidden = this.#cursor === null;
      this.#status.textContent = ordered.length === 0 ? t('admin.jobs.none') : '';
      return page;
    } catch (error) {
      if (turn === this.#turn) this.#status.textContent = describe(error);
      return null;
    }
  }
}
customElements.define('admin-jobs', AdminJobs);
