// The directory: live rooms as they change, and a search while the user types.
import {isSignedIn} from '../../router.js';
import {debounced, h, s, whenIdle} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {announce} from '../../shell/shell.js';
import {describe, t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {presenceStrip, presences, whenStale} from '../people-page/presence.js';
import {roomCard, roomPath} from '../room-card/room-card.js';
import {RoomList} from './room-list.js';

const PAUSE = 300;

/** The places of the listeners around the centre of the drawing: rings and degrees. */
const EARS = [[0, 200], [1, 320], [1, 80], [2, 15], [2, 140], [2, 235], [3, 60], [3, 180], [3, 290]];
/** A drawing that shows the idea of Sona: one moment that reaches everybody at once. */
const rings = () => s(
  'svg', {class: 'rings', viewBox: '0 0 200 200', 'aria-hidden': 'true', focusable: 'false'},
  [28, 52, 76, 98].map((r, index) => s('circle', {cx: 100, cy: 100, r, class: `ring ring-${index}`})),
  s('circle', {cx: 100, cy: 100, r: 98, class: 'wave'}),
  EARS.map(([ring, angle]) => {
    const r = [28, 52, 76, 98][ring], turn = angle * Math.PI / 180;
    return s('circle', {cx: 100 + r * Math.cos(turn), cy: 100 + r * Math.sin(turn), r: 3.2, class: 'ear'});
  }),
  s('circle', {cx: 100, cy: 100, r: 9, class: 'moment'}));

/** Whoever is signed in, before the server has said so: the first picture of the page is the one that stays. */
const signedInUser = () => {
  const user = session.user ?? session.credentials.kept?.user ?? null;
  return user && !user.guest ? user : null;
};

class HomePage extends HTMLElement {
  pageTitle = '';
  #list = new RoomList(); #cards = new Map(); #query = ''; #scope = 'all'; #more = []; #cursor = null; #isFull = false;
  #unlisten = []; #present = ''; #presenceTurn = 0; #mine = null;

  connectedCallback() {
    shade(null);
    this.#query = new URLSearchParams(location.search).get('q') ?? '';
    this.#build();
    const listen = (target, type, body) => {
      target.addEventListener(type, body);
      this.#unlisten.push(() => target.removeEventListener(type, body));
    };
    // A session that goes on has forgotten which list is watched.
    for (const type of ['fresh', 'resumed']) listen(session, type, () => this.#watch());
    listen(session, 'user', () => this.#drawIntroduction());
    listen(me, 'change', () => this.#drawIntroduction());
    this.#unlisten.push(session.on('rooms.changed', (change) => {
      this.#list.change(change);
      this.#draw();
    }));
    const seen = new AbortController();
    whenStale(() => this.#drawPresence(), seen.signal);
    this.#unlisten.push(() => seen.abort(), whenIdle(() => Promise.all([import('../explore-shelves/explore-shelves.js'), import('../room-schedule/coming-up.js')])));
    this.#watch();
  }

  disconnectedCallback() {
    this.#list.stop();
    this.#search.cancel();
    for (const end of this.#unlisten.splice(0)) end();
    if (session.status === 'online') session.request('room.unwatch').catch(() => { /* It ends with the connection. */ });
  }

  #build() {
    this.introduction = h('div', {});
    this.input = h('input', {
      type: 'search', 'aria-label': t('home.search'), placeholder: t('home.search-hint'), value: this.#query,
      maxlength: 100, autocomplete: 'off', enterkeyhint: 'search', spellcheck: 'false',
      oninput: () => this.#search(this.input.value),
      onkeydown: (event) => { if (event.key === 'Enter') { event.preventDefault(); this.#search.cancel(); this.#seek(this.input.value); } },
    });
    this.listen = h('a', {class: 'button primary', hidden: true}, icon('play'), t('home.listen'));
    this.scopes = h('div', {class: 'row tight scopes', role: 'group', 'aria-label': t('home.scope')});
    this.status = h('p', {class: 'muted small', role: 'status', 'aria-live': 'polite'});
    this.rooms = h('div', {class: 'room-cards', role: 'list'});
    this.empty = h('div', {hidden: true});
    this.moreButton = h('button', {type: 'button', hidden: true, onclick: () => this.#loadMore()}, t('home.more'));
    // What is below the rooms comes when they have: it does not move then.
    this.below = h('div', {class: 'stack home', hidden: true}, h('coming-up', {}), h('explore-shelves', {}));
    this.presence = h('div', {});
    this.mine = h('div', {});
    this.#present = '';
    this.#mine = null;
    this.replaceChildren(h('div', {class: 'stack home'},
      this.introduction, this.mine, this.presence,
      h('div', {class: 'row find'},
        h('div', {class: 'row list-head'}, h('h2', {}, t('home.rooms')), this.status),
        this.scopes, h('div', {class: 'search', role: 'search'}, icon('search'), this.input)),
      this.rooms, this.empty, h('div', {class: 'row center'}, this.moreButton), this.below));
    this.#drawIntroduction();
    this.#drawSkeleton();
  }

  #drawIntroduction() {
    const user = signedInUser(), signedIn = user !== null;
    this.introduction.replaceChildren(signedIn
      ? h('h1', {}, t('home.hello', {name: me.data?.profile?.display_name ?? `@${user.username ?? ''}`}))
      : h('section', {class: 'hero'},
        rings(),
        h('div', {class: 'stack'}, h('h1', {}, t('home.title')), h('p', {class: 'muted lead'}, t('home.about')),
          h('div', {class: 'row'}, this.listen, h('a', {class: 'button', href: '/sign-up?from=%2Fhost'}, icon('mic'), t('home.play'))),
          h('ul', {class: 'list facts'}, ['account', 'step', 'here'].map((fact) => h('li', {}, icon('check'), t(`home.fact.${fact}`)))))));
    const scopes = signedIn ? ['all', 'following', 'friends'] : ['all'];
    this.scopes.hidden = !signedIn;
    // The focused element keeps the focus.
    const focused = this.scopes.contains(document.activeElement) ? document.activeElement.dataset.scope : null;
    this.scopes.replaceChildren(...scopes.map((scope) => h('button', {
      type: 'button', class: 'chip', dataset: {scope}, 'aria-pressed': String(scope === this.#scope),
      onclick: () => { this.#scope = scope; this.#drawIntroduction(); this.#watch(); },
    }, t(`home.scope.${scope}`))));
    if (focused) this.scopes.querySelector(`[data-scope="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
    this.#drawPresence();
    this.#drawMine();
  }

  /** One's own rooms: whether they are public, and the way to them. */
  async #drawMine(isAskedAgain = false) {
    const visibility = isSignedIn() ? me.data?.settings?.visibility ?? null : null;
    const content = JSON.stringify([session.user?.uid, visibility]);
    if (content === this.#mine && !isAskedAgain) return;
    this.#mine = content;
    // Until it comes its place is held: nothing below it moves.
    if (signedInUser() && !this.mine.childElementCount) this.mine.replaceChildren(this.#mineWaiting());
    if (visibility === null) {
      if (!signedInUser()) this.mine.replaceChildren();
      return;
    }
    let part, rooms;
    try {
      part = await import('../rooms-page/public-switch.js');
      rooms = await part.myRooms();
    } catch {
      this.#mine = null;
      if (this.mine.querySelector('[aria-hidden]')) this.mine.replaceChildren();
      return;
    }
    if (content !== this.#mine || !this.isConnected) return;
    const hadFocus = this.mine.contains(document.activeElement);
    this.mine.replaceChildren(h('section', {class: 'card row between home-mine', 'aria-label': t('rooms.title')},
      h('div', {class: 'grow'}, part.publicSwitch({rooms, changed: () => this.#drawMine(true)})),
      h('a', {class: 'button small-button', href: '/rooms'}, icon('music'), t('rooms.title'), rooms.length > 0 ? h('span', {class: 'badge'}, String(rooms.length)) : null)));
    if (hadFocus) this.mine.querySelector('input')?.focus({preventScroll: true});
  }

  /** As high as the switch with its words will be. */
  #mineWaiting() {
    return h('section', {class: 'card row between home-mine home-waiting', 'aria-hidden': 'true'},
      h('div', {class: 'grow toggle'}, h('div', {class: 'grow'}, h('p', {}, t('rooms.public')), h('p', {class: 'small'}, t('rooms.public.off'))), h('span', {class: 'switch'})),
      h('span', {class: 'button small-button'}, icon('music'), t('rooms.title')));
  }

  /** The rooms that people are in. Only changed rows are rebuilt, and not while the user points at one. */
  async #drawPresence() {
    const turn = ++this.#presenceTurn, people = isSignedIn() ? await presences() : [], content = JSON.stringify(people);
    if (turn !== this.#presenceTurn || !this.isConnected || content === this.#present || this.presence.contains(document.activeElement)) return;
    this.#present = content;
    const strip = presenceStrip(people);
    this.presence.replaceChildren(...strip ? [strip] : []);
  }

  #drawSkeleton() {
    this.rooms.replaceChildren(...Array.from({length: 4}, () => h('div', {class: 'room-card skeleton', 'aria-hidden': 'true'},
      h('div', {class: 'cover'}), h('div', {class: 'bar'}), h('div', {class: 'bar short'}))));
    this.rooms.setAttribute('aria-busy', 'true');
  }

  #search = debounced(PAUSE, (text) => this.#seek(text));

  #seek(text) {
    const query = text.trim().slice(0, 100);
    if (query === this.#query) return;
    this.#query = query;
    history.replaceState(history.state, '', query ? `/?q=${encodeURIComponent(query)}` : '/');
    this.#watch();
  }

  /** Requests the list again. The answer to an earlier request is ignored. */
  async #watch() {
    this.#more = [];
    this.#isFull = false;
    this.#cursor = null;
    this.input.closest('.search').toggleAttribute('data-busy', true);
    try {
      const done = await this.#list.watch(this.#query, this.#scope);
      if (!done || !this.isConnected) return;
      this.#draw();
    } catch (error) {
      if (!this.isConnected) return;
      this.rooms.replaceChildren();
      this.rooms.setAttribute('aria-busy', 'false');
      this.below.hidden = false;
      this.#cards.clear();
      this.#sayEmpty(h('p', {}, describe(error)), h('button', {type: 'button', onclick: () => this.#watch()}, t('load.again')));
    } finally {
      this.input.closest('.search').toggleAttribute('data-busy', false);
    }
  }

  async #loadMore() {
    this.moreButton.disabled = true;
    try {
      const data = {query: this.#query, scope: this.#scope, limit: 50};
      if (this.#cursor) data.cursor = this.#cursor;
      const [query, scope] = [this.#query, this.#scope];
      const page = await session.request('room.search', data);
      if (query !== this.#query || scope !== this.#scope) return;
      this.#cursor = page.next_cursor;
      this.#isFull = page.next_cursor === null;
      this.#more.push(...page.rooms);
      this.#draw();
    } catch (error) {
      if (error.code === 'request.invalid') this.#cursor = null;
      announce(describe(error));
    } finally {
      this.moreButton.disabled = false;
    }
  }

  #count() {
    const live = this.#list.rooms.filter((room) => room.live).length;
    return this.#query ? tn('home.found', this.#list.rooms.length) : tn('home.live', live);
  }

  #sayEmpty(...content) {
    this.empty.hidden = !content.length;
    this.empty.className = 'empty';
    this.empty.replaceChildren(...content);
  }

  /** Brings the cards in line with the list: those that did not change stay, with the focus that may be in them. */
  #draw() {
    const shown = [...this.#list.rooms];
    const known = new Set(shown.map((room) => room.id));
    for (const room of this.#more) if (!known.has(room.id)) { known.add(room.id); shown.push(room); }
    this.rooms.setAttribute('aria-busy', 'false');
    if (!this.#cards.size) this.rooms.replaceChildren();
    const isFeatured = (room, index) => index === 0 && room.live && !this.#query;
    const focused = this.rooms.contains(document.activeElement) ? document.activeElement.closest('[data-room]')?.dataset.room : null;
    const cards = new Map();
    shown.forEach((room, index) => {
      const kind = isFeatured(room, index) ? 'wide' : '';
      const content = JSON.stringify([kind, room]);
      const old = this.#cards.get(room.id);
      const card = old?.content === content ? old : {content, element: h('div', {role: 'listitem', class: kind}, roomCard(room, kind))};
      cards.set(room.id, card);
      const present = this.rooms.children[index];
      if (present === card.element) return;
      if (old && old !== card && present === old.element) present.replaceWith(card.element);
      else this.rooms.insertBefore(card.element, present ?? null);
    });
    while (this.rooms.children.length > shown.length) this.rooms.lastElementChild.remove();
    this.#cards = cards;
    if (focused && !this.rooms.contains(document.activeElement)) cards.get(focused)?.element.querySelector('a')?.focus({preventScroll: true});
    const [first] = this.#list.rooms;
    this.listen.hidden = !first?.live;
    if (first?.live) this.listen.href = roomPath(first);
    this.status.textContent = shown.length ? this.#count() : '';
    this.moreButton.hidden = this.#isFull || this.#list.rooms.length < RoomList.limit;
    if (shown.length) this.#sayEmpty();
    else if (this.#query) this.#sayEmpty(icon('search'), h('p', {}, t('home.nothing', {query: this.#query})));
    else if (this.#scope !== 'all') this.#sayEmpty(icon('people'), h('p', {}, t(`home.empty.${this.#scope}`)), h('a', {class: 'button', href: '/people'}, t('home.find-people')));
    else this.#sayEmpty(icon('wave'), h('p', {}, t('home.empty')));
    this.below.hidden = false;
  }
}
customElements.define('home-page', HomePage);
