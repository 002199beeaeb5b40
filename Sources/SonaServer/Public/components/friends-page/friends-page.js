// Friends' music: what they play lately, and what one has in common with them; and what they see of oneself.
import {feed} from './feed.js';
import {inCommon} from './in-common.js';
import {consents} from '../history-part/consents.js';
import {h} from '../../shell/dom.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';
import {shade} from '../../store/settings.js';

await Promise.all([i18n.also('friends.'), i18n.also('music.'), looks('friends-page.css', import.meta.url), looks('../library-page/library.css', import.meta.url)]);

const VIEWS = {lately: feed, common: inCommon};

class FriendsPage extends HTMLElement {
  #ending = null; #part = null; #view = 'lately';

  get pageTitle() { return t('friends.title'); }

  connectedCallback() {
    shade(null);
    this.#ending = new AbortController();
    if (new URLSearchParams(location.search).get('view') === 'common') this.#view = 'common';
    this.views = h('div', {class: 'library-switch', role: 'group', 'aria-label': t('friends.views')}, Object.keys(VIEWS).map((view) => h('button', {
      type: 'button', class: 'chip', dataset: {view}, onclick: () => {
        this.#view = view;
        history.replaceState(history.state, '', view === 'common' ? '/friends?view=common' : '/friends');
        this.#show();
      },
    }, t(`friends.${view}`))));
    this.place = h('div', {class: 'friends-place'});
    this.replaceChildren(h('div', {class: 'friends stack'}, h('div', {class: 'row between'}, h('h1', {}, t('friends.title')), this.views),
      h('div', {class: 'friends-body'}, this.place,
        h('aside', {class: 'card stack friends-consents', 'aria-label': t('friends.mine')}, h('h2', {}, t('friends.mine')), consents(['share_plays', 'share_taste'])))));
    this.#show();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#part?.abort();
  }

  #show() {
    for (const chip of this.views.children) chip.setAttribute('aria-pressed', String(chip.dataset.view === this.#view));
    this.#part?.abort();
    this.#part = new AbortController();
    this.place.replaceChildren(VIEWS[this.#view](this.#part.signal));
  }
}
customElements.define('friends-page', FriendsPage);
