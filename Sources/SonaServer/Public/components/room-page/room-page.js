// The page of a room: it opens straight into it, and shows what becomes of that.
import '../room-chat/room-chat.js';
import '../room-stage/room-stage.js';
import '../sync-meter/sync-meter.js';
import {colorOf, colorOfArtwork} from '../cover/cover.js';
import {share} from '../share-dialog/share.js';
import {trackLine} from './room-part.js';
import {openLater} from '../../shell/dialogs.js';
import {firstStage, forgetFirstStage} from '../../shell/first-screen.js';
import {h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import * as keys from '../../shell/keys.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {mayKeepListening} from '../../store/keep-listening.js';
import {player} from '../../store/player.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {navigate, withReturn} from '../../router.js';

/** Where the window is wide enough for what comes and what was beside the chat; where the chat lies over the page. */
const WIDE = matchMedia('(min-width: 64rem)'), NARROW = matchMedia('(max-width: 40rem)');
const TABS = [['chat', 'chat'], ['queue', 'queue'], ['history', 'history'], ['people', 'people']];
/** How long after the room is seen the visualiser is offered, ms. */
const VISUAL = 1500;
/** What a guest can do about a room that does not let them in. */
const SIGN_IN = new Set(['room.guests_not_allowed', 'auth.account_required', 'room.not_found']);

class RoomPage extends HTMLElement {
  #ending = null; #tab = 'chat'; #shown = null; #title = null; #tinted = null; #unread = 0; #seen = null; #sung = null; #singing = null; #planned = null;

  get pageTitle() {
    const {room} = player;
    return room && this.#isShown ? [trackLine(room.track), room.title].filter(Boolean).join(' · ') : '';
  }

  /** Whether the player is in the room of this page. */
  get #isShown() { return player.room?.reference === this.getAttribute('room') || player.room?.id === this.getAttribute('room'); }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    if (this.#isOnAir(this.getAttribute('room'))) return void navigate('/host', {replace: true});
    // Codes are letters that need no escaping.
    player.enter(this.getAttribute('room'), {invite: location.hash.slice(1) || null});
    this.#shown = null;
    i18n.addEventListener('change', () => { this.#shown = null; this.#draw(); }, {signal});
    player.addEventListener('change', () => this.#draw(), {signal});
    player.addEventListener('tracks', () => this.#draw(), {signal});
    session.addEventListener('status', () => this.#draw(), {signal});
    for (const remove of [
      keys.add('c', 'room.key.chat', () => { this.#reveal('chat'); this.querySelector('room-chat')?.write(); }),
      keys.add('l', 'room.key.love', () => this.querySelector('room-stage')?.react('❤️')),
      keys.add('s', 'room.key.share', () => { if (player.room?.isJoined) share(player.room); }),
    ]) signal.addEventListener('abort', remove);
    WIDE.addEventListener('change', () => this.#shelve(), {signal});
    NARROW.addEventListener('change', () => { if (player.room) this.#count(player.room); }, {signal});
    this.addEventListener('opentab', ({detail}) => {
      this.#reveal(detail);
      this.querySelector(`[data-tab="${detail}"]`)?.focus();
    }, {signal});
    this.#singing = setInterval(() => this.lyrics?.draw(), 200);
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending?.abort();
    clearInterval(this.#singing);
    this.#sung = this.lyrics = null;
    this.#tinted = null;
    shade(null);
  }

  /** Whether this tab plays to a room: then its controls are the page of that room, so that there is one player. */
  #isOnAir(room) {
    const {onAir} = document.documentElement.dataset;
    return onAir !== undefined && (room === onAir || room === `@${session.user?.username}`);
  }

  #draw() {
    const {room} = player;
    // Elsewhere by now: another page follows.
    if (!room || !this.#isShown) return;
    if (this.#isOnAir(room.id)) {
      player.leave();
      return void navigate('/host', {replace: true});
    }
    const face = player.state === 'gone' ? 'gone' : player.state === 'knocking' ? 'knocking' : room.isJoined ? 'room' : 'coming';
    const shown = this.#shown;
    if (shown?.room !== room || shown.face !== face || face === 'gone' && shown.failure !== player.failure) {
      this.#shown = {room, face, failure: player.failure};
      this.replaceChildren(...this[`_${face}`](room));
    }
    // Somebody may sign in, or be given a part, while the page is there.
    if (face === 'room') {
      this.hostHere.hidden = !room.may('host') && !this.#isDJ(room);
      this.settings.hidden = !room.may('manage');
      this.alone.hidden = !mayKeepListening(room);
      this.reporting.hidden = room.may('manage');
      this.asking.hidden = room.may('host') || session.user?.guest !== false || !room.room?.host;
    }
    this.#count(room);
    this.#tint(room);
    this.#sing(room);
    if (this.#title === this.pageTitle) return;
    this.#title = this.pageTitle;
    this.dispatchEvent(new Event('titlechange'));
  }

  /** Whether the slot that goes on is the user's own to host. Asked for once: events tell what changes. */
  #isDJ(room) {
    if (session.user?.guest !== false || !session.features.has('djs')) return false;
    if (room.schedule === null && this.#planned !== room) {
      this.#planned = room;
      import('../room-schedule/opening.js').then(({plan}) => plan(room)).catch(() => { /* Then the room is hosted by others. */ });
    }
    const now = room.schedule?.now;
    return now?.dj?.uid === session.user.uid && Date.now() < now.end_ms;
  }

  /** The page has the colour of what is heard, else the room's: from when it is heard on. */
  async #tint({id, room, track, tracks}) {
    // The next track is prepared before it begins.
    for (const next of tracks.upcoming(session.serverNow)) colorOfArtwork(next.track?.artwork);
    const tinted = JSON.stringify([id, room?.picture, track?.artwork]);
    if (tinted === this.#tinted) return;
    this.#tinted = tinted;
    const color = track?.artwork ? await colorOfArtwork(track.artwork) : null;
    if (tinted === this.#tinted) shade(color ?? (room && colorOf({picture: room.picture, id})));
  }

  /** The words of what is heard, if the room plays a track of the library that has some, and the user may hear it. */
  async #sing({track}) {
    const music = session.features.has('lyrics') ? track?.music ?? null : null;
    if (music === this.#sung) return;
    this.#sung = music;
    if (music === null) return void this.lyrics?.show(null);
    try {
      const [{LyricsView}, {library}] = await Promise.all([import('../lyrics-view/lyrics-view.js'), import('../../store/library.js')]);
      const found = await library.track(music).catch(() => null);
      if (music !== this.#sung || !this.words) return;
      this.lyrics ??= new LyricsView({position: () => player.position / 1000});
      if (this.lyrics.element.parentElement !== this.words) this.words.append(this.lyrics.element);
      this.lyrics.show(found);
    } catch { /* Without them, then. */ }
  }

  _coming() {
    const stage = firstStage();
    if (stage) return [stage];
    return [h('div', {class: 'room-wait empty', role: 'status'}, icon('wave'), h('h1', {}, t('player.state.connecting')), h('p', {}, t('player.why.connecting')))];
  }

  _knocking() {
    return [h('div', {class: 'room-wait empty', role: 'status'}, icon('door'),
      h('h1', {}, t('room.knocking.title')), h('p', {}, t('room.knocking.text')),
      h('a', {class: 'button', href: '/'}, t('room.others')))];
  }

  /** Out of the room, or not let in: why, and what one can do. */
  _gone(room) {
    const {reason, message, until_ms: until} = room.gone ?? {}, {failure} = player;
    const known = ['closed_by_owner', 'taken_down', 'went_private', 'account_removed', 'owner_absent', 'owner_banned', 'kicked', 'banned', 'invite_revoked', 'denied'];
    const said = failure ? describe(failure) : reason ? known.includes(reason) ? t(`room.gone.${reason}`) : t('room.gone.other', {reason})
      : describe({code: session.endedByCode});
    const isGuest = session.user?.guest !== false;
    return [h('div', {class: 'room-wait empty'}, icon('door'),
      h('h1', {}, t(failure ? 'room.gone.not-in' : 'player.state.gone')),
      h('p', {role: 'alert'}, said),
      message ? h('p', {class: 'notice', dir: 'auto'}, message) : '',
      until ? h('p', {}, t('room.gone.until', {time: i18n.date(until)})) : '',
      h('div', {class: 'row'},
        failure || reason === 'kicked' ? h('button', {class: 'primary', type: 'button', onclick: () => player.retry()}, t('room.try-again')) : '',
        failure && isGuest && SIGN_IN.has(failure.code) ? h('a', {class: 'button', href: withReturn('/sign-in')}, t('nav.sign-in')) : '',
        h('a', {class: 'button', href: '/'}, t('room.others'))))];
  }

  _room(room) {
    forgetFirstStage();
    const names = new Map(TABS.map(([tab]) => [tab, uniqueId(tab)]));
    const tabs = TABS.map(([tab, symbol]) => h('button', {
      class: 'chip', type: 'button', role: 'tab', id: `${names.get(tab)}-tab`, 'aria-controls': names.get(tab), dataset: {tab},
      onclick: () => this.#open(tab), onkeydown: event => this.#move(event),
    }, icon(symbol), t(`room.tab.${tab}`)));
    const panels = TABS.map(([tab]) => h('div', {
      class: 'room-panel', role: 'tabpanel', id: names.get(tab), 'aria-labelledby': `${names.get(tab)}-tab`, dataset: {panel: tab},
    }));
    const parts = [
      // A press beside what lies over the page folds it.
      h('div', {class: 'room-main stack', onpointerdown: () => { if (NARROW.matches) this.#fold(true); }},
        h('room-stage'),
        h('div', {class: 'row room-bar'}, h('div', {class: 'row tight room-actions'},
          h('button', {type: 'button', onclick: () => share(room)}, icon('share'), t('room.share')),
          this.hostHere = h('a', {class: 'button', href: `/host?room=${room.id}`, hidden: true}, icon('mic'), t('room.host-here')),
          this.asking = h('button', {type: 'button', hidden: true, onclick: () => this.#ask(room)}, icon('mic'), t('room.ask')),
          this.settings = h('button', {type: 'button', hidden: true, onclick: () => openLater(() => import('./room-settings.js'), ({openSettings}) => openSettings(room))}, icon('settings'), t('room-settings')),
          this.alone = h('button', {class: 'quiet', type: 'button', hidden: true, onclick: () => this.#keepListening()}, icon('music'), t('room.keep-listening')),
          h('button', {class: 'quiet', type: 'button', onclick: () => this.#leave()}, icon('door'), t('room.leave')),
          this.reporting = h('button', {class: 'quiet', type: 'button', hidden: true, onclick: () => openLater(() => import('../../shell/report.js'), ({report}) => report({room: room.id}, t('report.room')))}, icon('flag'), t('report'))),
        h('sync-meter')),
        this.words = h('div', {}), this.shelf = h('div', {})),
      this.side = h('section', {class: 'room-side card', 'aria-label': t('room.around')},
        h('div', {class: 'row tight room-head'},
          h('div', {class: 'row tight room-tabs', role: 'tablist', 'aria-label': t('room.around')}, tabs),
          this.fold = h('button', {class: 'icon-button room-fold', type: 'button', onclick: () => this.#fold(this.side.hasAttribute('data-open'))})),
        panels),
    ];
    this.#seen = this.#sung = this.lyrics = null;
    this.#fold(NARROW.matches);
    queueMicrotask(() => {
      this.#show(this.#tab);
      this.#shelve();
    });
    // Not among what a first visit waits for.
    setTimeout(() => this.#offerVisual(room), VISUAL);
    return [h('div', {class: 'room-grid'}, parts)];
  }

  /** The button for moving light over the cover. */
  async #offerVisual(room) {
    try {
      const {visualButton} = await import('../visualizer/visual-button.js');
      const picture = this.querySelector('.stage-picture');
      if (player.room !== room || !picture || picture.querySelector('.visual-button')) return;
      const {button, hide} = visualButton(picture, {analyser: () => player.playing ? player.analyser : null, color: () => document.documentElement.style.getPropertyValue('--tint') || null});
      picture.append(button);
      this.#ending.signal.addEventListener('abort', hide);
    } catch { /* Without it, then. */ }
  }

  /** Opens a tab, and on a phone what it lies in; there a press on the open one closes it. */
  #open(name) {
    this.#fold(NARROW.matches && name === this.#tab && this.side.hasAttribute('data-open'));
    this.#show(name);
  }

  /** What a tab has is fetched when it is opened first: the chat is there from the beginning. */
  async #fill(panel, name) {
    const part = document.createElement(`room-${name}`);
    panel.append(part);
    try {
      await import(`../room-${name}/room-${name}.js`);
    } catch (error) {
      part.remove();
      toast(describe(error), {kind: 'error'});
    }
  }

  #reveal(name) {
    if (!this.side?.isConnected) return;
    this.#fold(false);
    this.#show(name);
  }

  /** On a phone chat, queue, history and people lie over the page, of which only the tabs are seen when they are folded. */
  #fold(isFolded) {
    this.side.toggleAttribute('data-open', !isFolded);
    this.fold.setAttribute('aria-expanded', String(!isFolded));
    this.fold.setAttribute('aria-label', t(isFolded ? 'room.sheet.open' : 'room.sheet.close'));
    this.fold.replaceChildren(icon(isFolded ? 'up' : 'down'));
    if (player.room) this.#count(player.room);
  }

  /** What comes and what was, where there is a place for it. Neither is asked for elsewhere. */
  async #shelve() {
    if (!this.shelf || !WIDE.matches || this.shelf.firstElementChild) return;
    try {
      await import('./room-shelf.js');
      if (!this.shelf.firstElementChild) this.shelf.append(document.createElement('room-shelf'));
    } catch { /* The tabs have it, too. */ }
  }

  /** The messages that came while the chat was not seen, at its tab. */
  #count(room) {
    const tab = this.querySelector('[data-tab=chat]');
    if (!tab) return;
    // Only on a phone can the chat be folded.
    const isOpen = !NARROW.matches || this.side.hasAttribute('data-open');
    const newest = room.chat.at(-1)?.id ?? 0, isSeen = this.#tab === 'chat' && isOpen || this.#seen === null;
    if (isSeen) this.#seen = newest;
    const unread = isSeen ? 0 : room.chat.filter(({id, user}) => id > this.#seen && user.uid !== session.user?.uid).length;
    if (unread === this.#unread && Boolean(tab.querySelector('.count')) === unread > 0) return;
    this.#unread = unread;
    tab.querySelector('.count')?.remove();
    if (unread > 0) tab.append(h('span', {class: 'badge count'}, h('span', {'aria-hidden': 'true'}, i18n.number(unread)), h('span', {class: 'visually-hidden'}, tn('room.unread', unread))));
  }

  #show(name) {
    this.#tab = name;
    for (const tab of this.querySelectorAll('[data-tab]')) {
      const isOpen = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      if (isOpen) tab.setAttribute('aria-current', 'true');
      else tab.removeAttribute('aria-current');
    }
    for (const panel of this.querySelectorAll('[data-panel]')) {
      panel.hidden = panel.dataset.panel !== name;
      if (!panel.hidden && !panel.firstElementChild) this.#fill(panel, name);
    }
    if (player.room) this.#count(player.room);
  }

  /** The arrows go from tab to tab. */
  #move(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const place = TABS.findIndex(([tab]) => tab === this.#tab);
    const [next] = TABS[(place + step + TABS.length) % TABS.length];
    this.#show(next);
    this.querySelector(`[data-tab="${next}"]`).focus();
  }

  /** Asks to become the host. The current host and the room's owner are told. */
  async #ask(room) {
    this.asking.disabled = true;
    try {
      await session.request('host.request');
      toast(t('room.asked', {name: room.room.host?.username ?? t('host.somebody')}), {kind: 'ok'});
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
    this.asking.disabled = false;
  }

  async #leave() {
    await player.leave();
    navigate('/');
  }

  /** Out of the room, and on with what it plays, alone. */
  async #keepListening() {
    this.alone.disabled = true;
    try {
      const {keepListening} = await import('../../store/handover.js');
      const goesOn = await keepListening();
      if (!goesOn) toast(t('room.keep-listening.not'), {kind: 'error'});
      navigate(goesOn ? '/playing' : '/');
    } catch (error) {
      toast(describe(error), {kind: 'error'});
      this.alone.disabled = false;
    }
  }
}

customElements.define('room-page', RoomPage);
