// The first minutes of a server's operator: an account by the link of the log, the server's name, its music, and people. A
// tour that can be left at every step; it goes on where it was left. Protocol/spec/setup.md.
import {accountStep} from './account-step.js';
import {musicStep} from './music-step.js';
import {nameStep} from './name-step.js';
import {peopleStep} from './people-step.js';
import {navigate} from '../../router.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';

// What is shown of music folders looks as in the pages of administrators.
await Promise.all([
  i18n.also('order.').then(() => i18n.also('admin.')).then(() => i18n.also('operator.')).then(() => i18n.also('setup.')),
  ...['../admin-page/operating.css', 'setup-page.css'].map(name => new Promise((done, fail) => document.head.append(h('link', {
    rel: 'stylesheet', href: new URL(name, import.meta.url).href, onload: done, onerror: () => fail(new TypeError('The looks of the page did not come.')),
  })))),
]);

/** The steps, each with what builds it: it is given the page's `done` and a signal that ends with the step. */
const STEPS = [['account', accountStep, 'user'], ['name', nameStep, 'edit'], ['music', musicStep, 'music'], ['people', peopleStep, 'people']];
/** Where the tour was left, and the code until it is used: a page that is loaded anew goes on. */
const PLACE = 'sona.setup.step', CODE = 'sona.setup.code';

const kept = (storage, key) => { try { return storage.getItem(key); } catch { return null; } };
const keep = (storage, key, value) => {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch { /* Then it is not kept. */ }
};

/** What the step before did, and the step that says it: the page is drawn again when somebody signs in. */
let said = {step: null, words: ''};

class SetupPage extends HTMLElement {
  #ending = new AbortController(); #step = new AbortController(); #drawn = null; #shown = 'account';

  get pageTitle() { return `${t(`setup.${this.#shown}`)} · ${t('setup.title')}`; }

  connectedCallback() {
    shade(null);
    const {signal} = this.#ending;
    // The code is taken out of the address: it must not stay in the history.
    const code = decodeURIComponent(location.hash.slice(1));
    if (code) {
      keep(sessionStorage, CODE, code);
      history.replaceState(history.state, '', location.pathname + location.search);
    }
    me.addEventListener('change', () => this.#draw(), {signal});
    session.addEventListener('status', () => this.#draw(), {signal});
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#step.abort();
  }

  get #wanted() {
    const asked = new URLSearchParams(location.search).get('step') ?? kept(localStorage, PLACE);
    return STEPS.some(([name]) => name === asked && name !== 'account') ? asked : 'name';
  }

  #draw() {
    const code = kept(sessionStorage, CODE), isAdmin = me.isAdmin, isKnown = session.user !== null && (session.user.guest || me.data !== null);
    const state = !isKnown ? 'waiting' : isAdmin ? this.#wanted : code ? 'account' : 'refused';
    const content = `${state} ${session.user?.uid}`;
    if (content === this.#drawn) return;
    this.#drawn = content;
    this.#step.abort();
    this.#step = new AbortController();
    if (state === 'waiting') return void this.replaceChildren(h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting')));
    if (state === 'refused') return void this.#refuse();
    if (isAdmin) keep(sessionStorage, CODE, null);
    this.#show(state, code);
  }

  #show(name, code) {
    this.#shown = name;
    const index = STEPS.findIndex(([one]) => one === name), [, build] = STEPS[index];
    const isAccount = name === 'account', note = said.step === name ? said.words : '';
    if (!isAccount) {
      keep(localStorage, PLACE, name);
      // So that the history leads back to this step, and not to wherever the tour is by then.
      if (location.search !== `?step=${name}`) history.replaceState(history.state, '', `/setup?step=${name}`);
    }
    const done = h('div', {class: 'setup-done', role: 'status'});
    const tell = (text) => {
      if (done.textContent === text) return;
      done.replaceChildren(...text ? [h('p', {class: 'notice ok'}, icon('check'), h('span', {}, text))] : []);
    };
    if (note) tell(note);
    const to = step => `/setup?step=${step}`;
    const next = STEPS[index + 1]?.[0] ?? null, before = index > 1 ? STEPS[index - 1][0] : null;
    this.replaceChildren(h('div', {class: 'setup'},
      h('p', {class: 'setup-title'}, t('setup.title')),
      h('ol', {class: 'setup-steps', 'aria-label': t('setup.steps')}, STEPS.map(([step, , symbol], place) => h('li', {'aria-current': place === index ? 'step' : null, 'data-done': place < index ? '' : null},
        h('span', {class: 'setup-mark'}, icon(place < index ? 'check' : symbol)), h('span', {class: 'setup-label'}, t(`setup.step.${step}`))))),
      h('section', {class: 'card stack roomy', dataset: {step: name}}, h('h1', {}, t(`setup.${name}`)), done,
        build({
          code, tell, signal: this.#step.signal,
          finished: (words) => {
            said = {step: 'name', words};
            keep(sessionStorage, CODE, null);
            keep(localStorage, PLACE, 'name');
            navigate(to('name'), {replace: true});
          },
        }),
        isAccount ? null : h('div', {class: 'row between setup-ways'},
          h('div', {class: 'row tight'},
            before ? h('a', {class: 'button quiet', href: to(before)}, icon('arrow-left'), t('dialog.back')) : null,
            h('a', {class: 'button quiet', href: '/'}, t('setup.leave'))),
          next ? h('a', {class: 'button primary', href: to(next)}, t('setup.next'))
            : h('a', {class: 'button primary', href: '/', onclick: () => keep(localStorage, PLACE, null)}, t('setup.end')))),
      isAccount ? null : h('p', {class: 'muted small'}, t('setup.resume'))));
    this.dispatchEvent(new Event('titlechange'));
  }

  #refuse() {
    this.#shown = 'refused';
    this.replaceChildren(h('div', {class: 'empty'}, icon('lock'), h('h1', {}, t('setup.refused')), h('p', {role: 'alert'}, t('setup.refused.about')),
      h('p', {}, h('code', {}, 'sona setup-link')), h('a', {class: 'button', href: '/'}, t('nav.explore'))));
    this.dispatchEvent(new Event('titlechange'));
  }
}
customElements.define('setup-page', SetupPage);
