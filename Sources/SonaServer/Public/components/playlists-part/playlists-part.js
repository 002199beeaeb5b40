// Playlists in the library: one's own, shared and pinned ones, and those of everybody.
import {openPlaylistForm} from '../playlist-dialog/edit-dialog.js';
import {importFile} from '../playlist-dialog/files.js';
import {amount} from '../playlist-page/kept.js';
import {confirm, openLater} from '../../shell/dialogs.js';
import {arrange, debounced, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {offline} from '../../store/offline.js';
import {playlists} from '../../store/playlists.js';
import {session} from '../../store/session.js';
import {navigate} from '../../router.js';
import {playlistCard} from './playlist-card.js';

await Promise.all([i18n.also('playlists.'), i18n.also('music.'), looks('../playlist-page/playlist.css', import.meta.url), looks('../music-grid/music-grid.css', import.meta.url)]);

const SCOPES = ['mine', 'pinned', 'public', 'kept'];
const PAUSE = 300, MOST = 400;

class PlaylistsPart extends HTMLElement {
  #ending = null; #scope = 'mine'; #turn = 0; #cards = new Map(); #query = '';

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    const asked = new URLSearchParams(location.search).get('scope');
    // Without a line there is what is kept on this device.
    this.#scope = offline.isUsed && session.status !== 'online' ? 'kept' : !playlists.mayMake ? 'public' : SCOPES.includes(asked) ? asked : 'mine';
    this.list = h('ul', {class: 'playlist-cards', 'aria-label': t('playlists.title')});
    this.status = h('p', {class: 'muted', role: 'status'});
    this.place = h('div', {});
    this.room = h('div', {class: 'kept-room', hidden: true});
    const find = h('input', {type: 'search', 'aria-label': t('playlists.find'), placeholder: t('playlists.find'), maxlength: 60, autocomplete: 'off', oninput: debounced(PAUSE, ({target}) => { this.#query = target.value.trim(); this.#load(); })});
    this.scopes = h('div', {class: 'library-switch', role: 'group', 'aria-label': t('playlists.scope')}, SCOPES.filter((scope) => scope !== 'kept' || offline.mayKeep).map((scope) => h('button', {
      type: 'button', class: 'chip', dataset: {scope}, 'aria-pressed': String(scope === this.#scope), onclick: () => this.#choose(scope),
    }, t(`playlists.scope.${scope}`))));
    this.replaceChildren(h('section', {class: 'stack', 'aria-label': t('playlists.title')},
      h('div', {class: 'playlists-tools'}, h('div', {class: 'search library-filter', role: 'search'}, icon('search'), find),
        playlists.mayMake || offline.isUsed ? this.scopes : null, playlists.mayMake ? h('button', {type: 'button', class: 'primary', onclick: () => this.#make()}, icon('plus'), t('playlists.new')) : null,
        playlists.mayMake ? h('button', {type: 'button', class: 'playlists-act', dataset: {act: 'rule'}, onclick: () => this.#makeByRule()}, icon('star'), h('span', {}, t('playlists.rule.new'))) : null,
        playlists.mayMake ? h('button', {type: 'button', class: 'quiet playlists-act', onclick: () => importFile()}, icon('upload'), h('span', {}, t('playlists.import'))) : null),
      this.room, this.status, this.list, this.place));
    const again = debounced(200, () => this.#load());
    playlists.addEventListener('list', again, {signal});
    playlists.addEventListener('changed', again, {signal});
    session.addEventListener('fresh', again, {signal});
    offline.addEventListener('change', () => { if (this.#scope === 'kept') again(); }, {signal});
    this.#load();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#turn += 1;
  }

  #choose(scope) {
    this.#scope = scope;
    for (const chip of this.scopes.children) chip.setAttribute('aria-pressed', String(chip.dataset.scope === scope));
    history.replaceState(history.state, '', scope === 'mine' ? '/library/playlists' : `/library/playlists?scope=${scope}`);
    this.#load();
  }

  async #make() {
    const made = await openPlaylistForm();
    if (made) await navigate(`/playlists/${made.id}`);
  }

  #makeByRule() {
    return openLater(() => import('../playlist-dialog/rule-form.js'), async ({openRuleForm}) => {
      const made = await openRuleForm();
      if (made) await navigate(`/playlists/${made.id}`);
    });
  }

  async #load() {
    const turn = ++this.#turn, query = this.#query ? {query: this.#query} : {};
    if (!this.list.childElementCount) this.status.textContent = t('load.waiting');
    try {
      const found = this.#scope === 'kept' ? await this.#kept() : this.#scope === 'mine'
        ? (await Promise.all(['own', 'shared'].map((scope) => playlists.list({scope, ...query}, MOST)))).flat().sort((one, other) => other.changed_ms - one.changed_ms)
        : await playlists.list({scope: this.#scope, ...query}, MOST);
      if (turn !== this.#turn) return;
      this.room.hidden = this.#scope !== 'kept' || !found.length;
      this.#draw(found);
    } catch (error) {
      if (turn === this.#turn) this.status.textContent = describe(error);
    }
  }

  /** Those that are kept on this device, and how much room they take. */
  async #kept() {
    await offline.ready();
    const found = offline.list().filter(({title}) => title.toLocaleLowerCase().includes(this.#query.toLocaleLowerCase()));
    offline.room().then(({bytes, free}) => this.room.replaceChildren(
      h('p', {}, free === null ? t('offline.room', {size: amount(bytes)}) : t('offline.room-free', {size: amount(bytes), free: amount(free)}), h('span', {class: 'muted small'}, ` ${t('offline.plain')}`)),
      h('button', {type: 'button', class: 'small-button', onclick: async () => {
        if (await confirm({title: t('offline.drop-all'), text: t('offline.drop-all.about'), action: t('offline.drop-all'), danger: true})) await offline.dropAll();
      }}, icon('trash'), t('offline.drop-all'))));
    return found;
  }

  #draw(found) {
    const cards = new Map(found.map((playlist) => {
      const known = this.#cards.get(playlist.id), content = JSON.stringify(playlist);
      return [playlist.id, known?.content === content ? known : {content, element: playlistCard(playlist, {tag: 'li'})}];
    }));
    this.#cards = cards;
    arrange(this.list, [...cards.values()].map(({element}) => element));
    this.status.textContent = found.length ? tn('playlists.count', found.length) : '';
    this.place.replaceChildren(...found.length ? [] : [h('div', {class: 'empty'}, icon('list'), h('h2', {}, t(this.#query ? 'playlists.none.found' : `playlists.none.${this.#scope}`)),
      this.#query ? null : h('p', {}, t(`playlists.none.${this.#scope}.about`)))]);
  }
}
customElements.define('playlists-part', PlaylistsPart);
