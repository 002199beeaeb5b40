// The people that the user follows, the rooms these are in, the user's followers, and a search.
import {debounced, h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {followButton, personRow} from './person.js';
import {presenceLink, presences, whenStale} from './presence.js';

const PAUSE = 300;
const LISTS = ['following', 'followers', 'friends', 'blocked'];

class PeoplePage extends HTMLElement {
  #list = 'following'; #turn = 0; #ending = null; #lost = null;

  get pageTitle() { return t('people.title'); }

  connectedCallback() {
    shade(null);
    const asked = location.hash.slice(1);
    if (LISTS.includes(asked)) this.#list = asked;
    this.input = h('input', {
      type: 'search', 'aria-label': t('people.search'), placeholder: t('people.search'), maxlength: 100, autocomplete: 'off',
      spellcheck: 'false', oninput: () => this.#search(this.input.value), enterkeyhint: 'search',
    });
    this.presence = h('div', {});
    const panelId = uniqueId('people');
    this.tabs = h('div', {class: 'row tight', role: 'tablist', 'aria-label': t('people.title')}, LISTS.map((list) => h('button', {
      type: 'button', role: 'tab', class: 'chip', id: uniqueId('tab'), dataset: {list}, 'aria-controls': panelId,
      onclick: () => this.#choose(list), onkeydown: (event) => this.#move(event),
    }, t(`people.list.${list}`))));
    this.panel = h('div', {role: 'tabpanel', id: panelId, class: 'stack'});
    this.replaceChildren(h('div', {class: 'column stack'}, h('h1', {}, t('people.title')),
      h('div', {class: 'search', role: 'search'}, icon('search'), this.input), this.presence, this.tabs, this.panel));
    this.#drawPresence();
    const {signal} = this.#ending = new AbortController();
    whenStale(() => this.#drawPresence(), signal);
    // Repeat requests that failed while the connection was lost.
    for (const type of ['fresh', 'resumed']) session.addEventListener(type, () => this.#lost?.(), {signal});
    this.#choose(this.#list);
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#search.cancel();
    this.#turn += 1;
  }

  async #drawPresence() {
    const people = await presences();
    if (!this.isConnected || this.presence.contains(document.activeElement)) return;
    this.presence.replaceChildren(h('section', {class: 'card stack'}, h('h2', {}, t('presence.label')),
      people.length
        ? h('ul', {class: 'list'}, people.map((one) => h('li', {}, presenceLink(one))))
        : h('p', {class: 'muted'}, t('presence.none')),
      session.features.has('discovering') ? h('div', {class: 'row'}, h('a', {class: 'button small-button', href: '/friends'}, icon('music'), t('people.friends-play'))) : null));
  }

  #move(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const index = (LISTS.indexOf(this.#list) + step + LISTS.length) % LISTS.length;
    this.#choose(LISTS[index]);
    this.tabs.children[index].focus();
  }

  #choose(list) {
    this.#list = list;
    for (const tab of this.tabs.children) {
      const isChosen = tab.dataset.list === list;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.classList.toggle('chosen', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.panel.setAttribute('aria-labelledby', tab.id);
    }
    this.#show((cursor) => session.request(`people.${list}`, {limit: 50, ...cursor}), t(`people.none.${list}`));
  }

  #search = debounced(PAUSE, (text) => {
    const query = text.trim();
    this.tabs.hidden = Boolean(query);
    this.presence.hidden = Boolean(query);
    if (!query) return this.#choose(this.#list);
    return this.#show((cursor) => session.request('user.search', {query, limit: 30, ...cursor}), t('people.none.search', {query}));
  });

  /** Shows pages of user cards, the first at once. */
  async #show(ask, none) {
    const turn = ++this.#turn;
    const list = h('ul', {class: 'list people'});
    const status = h('p', {class: 'muted', role: 'status'});
    const more = h('button', {type: 'button', hidden: true}, t('home.more'));
    let cursor = null;
    const next = async () => {
      this.#lost = null;
      more.disabled = true;
      try {
        const page = await ask(cursor ? {cursor} : {});
        if (turn !== this.#turn) return;
        list.append(...page.users.map((card) => personRow(card, this.#actionFor(card))));
        cursor = page.next_cursor;
        more.hidden = cursor === null;
        more.textContent = t('home.more');
        status.textContent = list.childElementCount || cursor ? '' : none;
      } catch (error) {
        if (turn !== this.#turn) return;
        this.#lost = next;
        more.hidden = false;
        more.textContent = t('load.again');
        status.textContent = describe(error);
      } finally {
        more.disabled = false;
      }
    };
    more.addEventListener('click', next);
    this.panel.replaceChildren(list, status, more);
    await next();
  }

  #actionFor(card) {
    if (this.tabs.hidden || this.#list === 'followers') return null;
    if (this.#list !== 'blocked') return followButton(card.user, {following: true});
    const button = h('button', {type: 'button', class: 'small-button'}, t('people.unblock'));
    button.addEventListener('click', async () => {
      try {
        await session.request('people.unblock', {user: card.user.uid});
        button.closest('li').remove();
      } catch (error) { toast(describe(error), {kind: 'error'}); }
    });
    return button;
  }
}
customElements.define('people-page', PeoplePage);
