// The player bar while somebody listens alone: what plays, the transport, the scrub bar, the queue.
import {artistsLine, artistsText} from '../../store/solo/words.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import * as keys from '../../shell/keys.js';
import {clockTime} from '../../shell/times.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {solo} from '../../store/solo.js';
import {navigate} from '../../router.js';
import {goTogether} from './together.js';
import {musicCover} from '../cover/music-cover.js';
import {likeButton, putLike} from '../like-button/like-button.js';
import {ScrubBar} from '../scrub-bar/scrub-bar.js';

await i18n.also('solo.');

const alone = (run) => () => { if (solo.track && !player.room) run(); };
keys.add('n', 'solo.next', alone(() => solo.next()));
keys.add('p', 'solo.previous', alone(() => solo.previous()));
keys.add('s', 'solo.shuffle', alone(() => solo.setShuffle(!solo.shuffle)));
keys.add('r', 'solo.repeat', alone(() => solo.cycleRepeat()));
solo.addEventListener('failed', ({detail}) => toast(
  detail.name === 'Blocked' ? t('solo.blocked') : t('solo.failed', {title: solo.track?.title ?? '', reason: describe(detail)}), {kind: 'error'}));

/** How far a finger goes for a swipe, px. */
const SWIPE = 40;
const WIDE = matchMedia('(min-width: 60rem)');
const REPEAT = {off: 'repeat', all: 'repeat', one: 'repeat-one'};

/** Buttons of the transport, also those of the full player. */
export const transport = () => {
  const button = (key, name, run, classes = '') => h('button', {type: 'button', class: `icon-button ${classes}`, 'aria-label': t(key), title: t(key), onclick: run}, icon(name));
  const shuffle = button('solo.shuffle', 'shuffle', () => solo.setShuffle(!solo.shuffle), 'mode');
  const previous = button('solo.previous', 'previous', () => solo.previous());
  const play = button('solo.play', 'play', () => solo.toggle(), 'primary');
  const next = button('solo.next', 'skip', () => solo.next());
  const repeat = button('solo.repeat.off', 'repeat', () => solo.cycleRepeat(), 'mode');
  let drawn = '';
  return {
    element: h('div', {class: 'transport', role: 'group', 'aria-label': t('solo.transport')}, shuffle, previous, play, next, repeat),
    play,
    draw() {
      const now = JSON.stringify([solo.state, solo.shuffle, solo.repeat]);
      if (now === drawn) return;
      drawn = now;
      shuffle.setAttribute('aria-pressed', String(solo.shuffle));
      repeat.setAttribute('aria-pressed', String(solo.repeat !== 'off'));
      repeat.setAttribute('aria-label', t(`solo.repeat.${solo.repeat}`));
      repeat.title = t(`solo.repeat.${solo.repeat}`);
      repeat.replaceChildren(icon(REPEAT[solo.repeat]));
      play.replaceChildren(icon(solo.playing ? 'pause' : 'play'));
      play.setAttribute('aria-label', t(solo.playing ? 'solo.pause' : 'solo.play'));
      play.title = t(solo.playing ? 'solo.pause' : 'solo.play');
      play.toggleAttribute('data-loading', solo.state === 'loading');
    },
  };
};

export class SoloBar {
  #shown = null;

  constructor() {
    this.title = h('a', {class: 'truncate bar-title'});
    this.artists = h('span', {class: 'truncate muted small'});
    this.picture = h('a', {class: 'bar-cover', href: '/playing', 'aria-label': t('solo.open')});
    this.about = h('div', {class: 'about'}, this.title, this.artists);
    this.#swipe(this.about);
    this.heart = likeButton();
    this.transport = transport();
    this.at = h('span', {class: 'tabular small muted', 'aria-hidden': 'true'});
    this.length = h('span', {class: 'tabular small muted', 'aria-hidden': 'true'});
    this.scrub = new ScrubBar();
    this.middle = h('div', {class: 'bar-middle'}, this.transport.element, h('div', {class: 'bar-line'}, this.at, this.scrub.element, this.length));
    this.together = h('button', {type: 'button', class: 'icon-button', 'aria-label': t('solo.together'), title: t('solo.together'), onclick: () => goTogether(this.together)}, icon('together'));
    this.queue = h('a', {class: 'icon-button button', href: '/playing#queue', 'aria-label': t('solo.queue'), title: t('solo.queue')}, icon('queue'));
    WIDE.addEventListener('change', () => this.draw());
    this.close = h('button', {type: 'button', class: 'icon-button', 'aria-label': t('solo.close'), title: t('solo.close'), onclick: () => solo.clear()}, icon('close'));
  }

  /** A finger that goes up over the title opens the full player, one that goes aside takes another track. The links and keys do the same. */
  #swipe(element) {
    let from = null;
    element.addEventListener('pointerdown', ({clientX: x, clientY: y, pointerType}) => { from = pointerType === 'touch' ? {x, y} : null; });
    element.addEventListener('pointerup', ({clientX, clientY}) => {
      if (!from) return;
      const aside = clientX - from.x, up = from.y - clientY;
      from = null;
      if (up > SWIPE && up > Math.abs(aside)) navigate('/playing');
      else if (Math.abs(aside) > SWIPE) (aside < 0) === (getComputedStyle(element).direction === 'ltr') ? solo.next() : solo.previous();
    });
  }

  parts(volume) { return [h('div', {class: 'bar-about'}, this.picture, this.about, this.heart), this.middle, h('div', {class: 'bar-tools'}, this.together, this.queue, volume, this.close)]; }

  draw() {
    const {track} = solo;
    if (!track) return;
    const isWide = WIDE.matches, elsewhere = solo.playing ? null : solo.shared.elsewhere, shown = `${track.id} ${isWide} ${elsewhere?.name}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.picture.replaceChildren(musicCover(track, '64'));
      putLike(this.heart, 'track', track);
      this.title.textContent = track.title;
      // On a phone all of it leads to the full player: single names would be too small for a finger.
      this.title.href = !isWide ? '/playing' : track.album ? `/album/${track.album.id}` : `/track/${track.id}`;
      this.artists.classList.toggle('bar-elsewhere', elsewhere !== null);
      if (elsewhere) this.artists.replaceChildren(icon('speaker'), t('solo.elsewhere', {name: elsewhere.name}));
      else this.artists.replaceChildren(...isWide ? artistsLine(track) : [artistsText(track)]);
    }
    this.transport.draw();
    this.at.textContent = clockTime(solo.position);
    this.length.textContent = clockTime(solo.duration);
    this.scrub.draw();
  }
}
