// Somebody else, or oneself as others see it.
import {isSignedIn, withReturn} from '../../router.js';
import {confirm, openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {avatar} from '../avatar/avatar.js';
import {followButton} from '../people-page/person.js';
import {roomCard} from '../room-card/room-card.js';

class UserPage extends HTMLElement {
  #title = ''; #ending = null; #isLost = false;

  get pageTitle() { return this.#title; }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    // Repeat requests that failed while the connection was lost.
    for (const type of ['fresh', 'resumed']) session.addEventListener(type, () => { if (this.#isLost) this.#load(); }, {signal});
    this.#load();
  }

  disconnectedCallback() { this.#ending.abort(); }

  async #load() {
    shade(null);
    this.#isLost = false;
    const reference = this.getAttribute('user');
    this.#show(h('div', {class: 'column stack', 'aria-busy': 'true'}, h('h1', {class: 'muted'}, reference)));
    try {
      const found = await session.request('user.get', {user: reference});
      if (!this.isConnected) return;
      this.#draw(found);
      shade(found.profile?.photo?.color ?? null);
      this.#drawRoom(found.user);
      this.#drawPlaylists(found.user);
    } catch (error) {
      if (!this.isConnected) return;
      this.#isLost = error.code !== 'user.not_found';
      this.#show(h('div', {class: 'empty'}, icon('user'), h('h1', {}, reference), h('p', {role: 'alert'}, describe(error)),
        h('div', {class: 'row tight'},
          this.#isLost ? h('button', {class: 'primary', type: 'button', onclick: () => this.#load()}, t('load.again')) : null,
          h('a', {class: 'button', href: '/'}, t('nav.explore')))));
    }
  }

  /** Replaces the content. If the focus was inside, it goes to the new heading. */
  #show(content) {
    const hadFocus = this.contains(document.activeElement);
    this.replaceChildren(content);
    if (!hadFocus) return;
    const heading = this.querySelector('h1');
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
  }

  #draw(found) {
    const {user, profile, relation, followers, following} = found;
    const name = profile?.display_name ?? (user.username ? `@${user.username}` : t('name.none'));
    this.#title = name;
    this.dispatchEvent(new Event('titlechange'));
    const isSelf = session.user?.uid === user.uid;
    const count = h('p', {class: 'muted'});
    const drawCount = (more) => { count.textContent = `${tn('people.followers', followers + more)} · ${tn('people.following', following)}`; };
    drawCount(0);
    const actions = isSelf
      ? h('a', {class: 'button', href: '/profile'}, t('profile.edit'))
      : isSignedIn()
        ? [
          relation?.blocked ? null : followButton(user, relation, (now) => drawCount(Number(now.following) - Number(Boolean(relation?.following)))),
          relation?.followed_by && relation.following && session.features.has('discovering') ? h('a', {class: 'button small-button', href: `/friends?view=common&with=${user.uid}`}, icon('together'), t('user.common')) : null,
          this.#blockButton(found),
          h('button', {type: 'button', class: 'quiet small-button', onclick: () => openLater(() => import('../../shell/report.js'), ({report}) => report({user: user.uid}, t('report.user', {name})))}, t('report')),
        ]
        : h('a', {class: 'button primary', href: withReturn('/sign-up')}, t('user.sign-up'));
    this.room = h('div', {});
    this.#show(h('div', {class: 'column stack'},
      h('header', {class: 'person-head'}, avatar({user, profile}, 112),
        h('div', {class: 'stack grow tight'}, h('h1', {tabindex: '-1'}, name),
          profile?.display_name && user.username ? h('p', {class: 'muted'}, `@${user.username}`) : null,
          count, h('div', {class: 'row tight'}, actions))),
      relation?.followed_by && relation.following ? h('p', {class: 'row tight'}, h('span', {class: 'badge'}, icon('heart'), t('people.friends'))) : null,
      profile ? null : h('p', {class: 'notice'}, icon('lock'), h('span', {}, t('user.private'))),
      profile?.bio ? h('p', {class: 'bio'}, profile.bio) : null,
      profile?.links?.length ? h('ul', {class: 'list links'}, profile.links.map(({title, url}) => h('li', {},
        h('a', {href: url, rel: 'noopener noreferrer nofollow ugc', target: '_blank'}, icon('link'), h('span', {}, title || url)),
        title ? h('span', {class: 'muted small truncate'}, url) : null))) : null,
      this.room, this.lists = h('div', {})));
  }

  /** Their public playlists, where the server has such. */
  async #drawPlaylists(user) {
    if (!session.features.has('playlists')) return;
    try {
      const [{playlists}, {userPlaylists}] = await Promise.all([session.request('playlist.list', {scope: 'public', owner: user.uid, limit: 24}), import('./user-playlists.js')]);
      if (this.isConnected && playlists.length) this.lists.replaceChildren(userPlaylists(playlists));
    } catch { /* Without them, then. */ }
  }

  #blockButton({user, relation}) {
    const blocked = Boolean(relation?.blocked);
    return h('button', {
      type: 'button', class: 'quiet small-button',
      onclick: async () => {
        const name = `@${user.username ?? ''}`;
        if (!blocked && !await confirm({title: t('people.block-title', {name}), text: t('people.block-about'), action: t('people.block'), danger: true})) return;
        try {
          await session.request(blocked ? 'people.unblock' : 'people.block', {user: user.uid});
          toast(t(blocked ? 'people.unblocked' : 'people.blocked', {name}));
          this.#load();
        } catch (error) { toast(describe(error), {kind: 'error'}); }
      },
    }, t(blocked ? 'people.unblock' : 'people.block'));
  }

  /** The room in which they play, or played last: where there is one that may be seen. */
  async #drawRoom(user) {
    if (!user.username) return;
    try {
      const {room} = await session.request('room.get', {room: `@${user.username}`});
      if (this.isConnected) this.room.replaceChildren(h('section', {class: 'stack'}, h('h2', {}, t(room.live ? 'user.room-live' : 'user.room')), roomCard(room, 'wide')));
    } catch { /* None, then. */ }
  }
}
customElements.define('user-page', UserPage);
