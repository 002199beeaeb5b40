// The tracks played in the room, newest first.
import {RoomPart} from '../room-page/room-part.js';
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** A play is written down when it has become audible; so long after a title has changed it is asked for, ms. */
const SETTLED = 2000;
const HALF_A_DAY = 43_200_000;

class RoomHistory extends RoomPart {
  #timer = null; #isAsked = false;

  build() {
    this.replaceChildren(
      this.kept = h('div', {}),
      this.list = h('ol', {class: 'list entries'}),
      this.empty = h('p', {class: 'muted'}, t('history.empty')),
      this.recap = h('button', {
        class: 'small-button', type: 'button', hidden: true,
        onclick: () => openLater(() => import('./recap-dialog.js'), ({openRecap}) => openRecap(this.room)),
      }, t('history.recap')),
      this.audience = h('button', {
        class: 'small-button', type: 'button', hidden: true, 'data-act': 'audience',
        onclick: () => openLater(() => import('./audience-dialog.js'), ({openAudience}) => openAudience(this.room)),
      }, t('audience.button')),
      this.older = h('button', {class: 'quiet small-button', type: 'button', hidden: true, onclick: () => this.#load(true)}, t('history.older')));
  }

  begin(signal) { signal.addEventListener('abort', () => clearTimeout(this.#timer)); }

  async #load(older) {
    this.#isAsked = true;
    this.older.disabled = true;
    try {
      await this.room.loadPlays(older);
    } catch (error) {
      this.#isAsked = false;
      this.empty.hidden = false;
      this.empty.textContent = describe(error);
    } finally {
      this.older.disabled = false;
    }
  }

  update(what) {
    if (!this.room?.isJoined) return;
    if (!this.#isAsked) this.#load(false);
    this.#showKept();
    if (what === 'tracks') {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#load(false), SETTLED);
    }
    if (what !== 'all' && what !== 'history') return;
    const plays = this.room.plays ?? [];
    this.empty.hidden = plays.length > 0;
    this.recap.hidden = plays.length === 0;
    this.audience.hidden = plays.length === 0 || !this.room.may('host') || !session.features.has('audience');
    this.older.hidden = this.room.playsBefore === null || plays.length === 0;
    this.list.replaceChildren(...plays.map(play => this.#row(play)));
  }

  /** The evenings that the room has kept. What shows them is fetched where there may be some. */
  async #showKept() {
    if (this.kept.hasAttribute('data-asked') || !session.features.has('replays')) return;
    this.kept.toggleAttribute('data-asked', true);
    try {
      const {replayList} = await import('../replay-page/replay-list.js');
      this.kept.replaceChildren(replayList(this.room));
    } catch { /* Without them, then. */ }
  }

  #row({at_ms: at, track}) {
    const isToday = Date.now() - at < HALF_A_DAY;
    return h('li', {class: 'entry'},
      h('div', {class: 'grow'},
        h('p', {class: 'entry-title', dir: 'auto'}, track.title ?? t('history.untitled')),
        h('p', {class: 'small muted', dir: 'auto'}, [track.artist, track.album].filter(Boolean).join(' · '))),
      h('time', {class: 'small muted tabular', datetime: new Date(at).toISOString(), title: i18n.date(at)},
        i18n.date(at, isToday ? {timeStyle: 'short'} : {dateStyle: 'short'})));
  }
}

customElements.define('room-history', RoomHistory);
