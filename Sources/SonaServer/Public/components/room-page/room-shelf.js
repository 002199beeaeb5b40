// What comes and what was, below the stage of a wide window: the head of the queue, and the last tracks that were played.
import {RoomPart, nameOf, trackLine} from './room-part.js';
import {h} from '../../shell/dom.js';
import {i18n, t} from '../../store/i18n.js';

/** How many of each are shown. */
const SHOWN = 4;
/** A play is written down when it has become audible; so long after a title has changed it is asked for, ms. */
const SETTLED = 2000;

class RoomShelf extends RoomPart {
  #timer = null; #drawn = null;

  build() {
    this.#drawn = null;
    const part = (tab, key) => {
      const list = h('ol', {class: 'list entries'});
      const element = h('section', {class: 'shelf-part', hidden: true},
        h('div', {class: 'row tight between'}, h('h2', {}, t(key)),
          h('button', {
            type: 'button', class: 'quiet small-button', 'aria-label': t(`${key}.all`),
            onclick: () => this.dispatchEvent(new CustomEvent('opentab', {detail: tab, bubbles: true})),
          }, t('shelf.all'))),
        list);
      return {element, list};
    };
    this.next = part('queue', 'shelf.next');
    this.recent = part('history', 'shelf.recent');
    this.replaceChildren(this.next.element, this.recent.element);
  }

  begin(signal) {
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    this.room?.loadQueue().catch(() => { /* Then there is nothing to show. */ });
    this.room?.loadPlays().catch(() => {});
  }

  update(what) {
    if (!this.room?.isJoined) return;
    if (what === 'tracks') {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.room.loadPlays().catch(() => {}), SETTLED);
    }
    if (!['all', 'queue', 'history', 'tracks'].includes(what)) return;
    const next = (this.room.queue?.line ?? []).slice(0, SHOWN);
    const [newest, ...older] = this.room.plays ?? [], heard = this.room.track;
    // What is heard now stands on the stage.
    const isHeard = newest && heard && newest.track.title === heard.title && newest.track.artist === heard.artist;
    const plays = (isHeard ? older : [newest, ...older]).filter(Boolean).slice(0, SHOWN);
    const content = JSON.stringify([next, plays]);
    if (content === this.#drawn) return;
    this.#drawn = content;
    this.next.element.hidden = next.length === 0;
    this.next.list.replaceChildren(...next.map(({track, source, user}) => this.#row(track.title ?? source, [track.artist, t('queue.by', {name: nameOf(user)})])));
    this.recent.element.hidden = plays.length === 0;
    this.recent.list.replaceChildren(...plays.map(({track, at_ms: at}) => this.#row(trackLine(track) ? track.title ?? t('history.untitled') : t('history.untitled'),
      [track.artist, i18n.date(at, {timeStyle: 'short'})])));
  }

  #row(title, about) {
    return h('li', {class: 'entry'}, h('div', {class: 'grow'},
      h('p', {class: 'entry-title truncate', dir: 'auto'}, title), h('p', {class: 'small muted truncate', dir: 'auto'}, about.filter(Boolean).join(' · '))));
  }
}

customElements.define('room-shelf', RoomShelf);
