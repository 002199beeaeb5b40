// The full player of listening alone: cover, outline of the sound, transport, the queue, and how it sounds.
import {PlayingQueue} from './playing-queue.js';
import {openSoundOptions} from './sound-options.js';
import {colorOf, colorOfArtwork} from '../cover/cover.js';
import {musicCover} from '../cover/music-cover.js';
import {LyricsView} from '../lyrics-view/lyrics-view.js';
import {likeButton, putLike} from '../like-button/like-button.js';
import {transport} from '../player-bar/solo-bar.js';
import {goTogether} from '../player-bar/together.js';
import {ScrubBar} from '../scrub-bar/scrub-bar.js';
import {peaksOf} from '../../audio/solo/addresses.js';
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {clockTime} from '../../shell/times.js';
import {i18n, t} from '../../store/i18n.js';
import {shade} from '../../store/settings.js';
import {solo} from '../../store/solo.js';
import {artistsLine} from '../../store/solo/words.js';

await Promise.all([i18n.also('solo.'), looks('playing-page.css', import.meta.url)]);

/** How far a finger goes for another track, px. */
const SWIPE = 60;

class PlayingPage extends HTMLElement {
  #shown = null; #isEmpty = null; #timer = null;

  get pageTitle() { return solo.track?.title ?? t('solo.title'); }

  connectedCallback() {
    for (const type of ['change', 'track']) solo.addEventListener(type, this.#draw);
    this.#timer = setInterval(this.#draw, 250);
    this.#draw();
    if (location.hash === '#queue') this.querySelector('.playing-queue')?.scrollIntoView({block: 'start'});
  }

  disconnectedCallback() {
    for (const type of ['change', 'track']) solo.removeEventListener(type, this.#draw);
    clearInterval(this.#timer);
    this.visual?.hide();
  }

  #build() {
    this.#shown = null;
    if (!solo.track) {
      shade(null);
      return this.replaceChildren(h('div', {class: 'empty'}, icon('music'), h('h1', {}, t('solo.nothing')), h('p', {}, t('solo.nothing.about')),
        h('a', {class: 'button primary', href: '/library'}, icon('library'), t('solo.to-library'))));
    }
    this.picture = h('div', {class: 'playing-cover'});
    this.heading = h('h1', {dir: 'auto'});
    this.artists = h('p', {class: 'playing-artists', dir: 'auto'});
    this.album = h('p', {class: 'muted small truncate'});
    this.source = h('p', {class: 'muted small truncate'});
    this.heart = likeButton();
    this.scrub = new ScrubBar({outline: true});
    this.at = h('span', {class: 'tabular small muted', 'aria-hidden': 'true'});
    this.length = h('span', {class: 'tabular small muted', 'aria-hidden': 'true'});
    this.transport = transport();
    this.queue = new PlayingQueue();
    this.lyrics = new LyricsView({position: () => solo.position, seek: (place) => { solo.seek(place); if (!solo.playing) this.lyrics.draw(); }});
    this.elsewhere = h('p', {class: 'playing-elsewhere small', role: 'status'});
    this.sleeping = h('span', {class: 'muted small', role: 'status'});
    const devices = h('button', {type: 'button', class: 'small-button quiet', onclick: () => openLater(() => import('../outputs-dialog/outputs-dialog.js'), ({openOutputs}) => openOutputs())}, icon('speaker'), t('outputs.title'));
    this.together = h('button', {type: 'button', class: 'small-button quiet', onclick: () => goTogether(this.together)}, icon('together'), t('solo.together'));
    const options = h('button', {type: 'button', class: 'small-button quiet', onclick: () => openSoundOptions()}, icon('settings'), t('solo.options'));
    this.stage = h('section', {class: 'playing-stage', 'aria-label': t('solo.title')},
      h('div', {class: 'playing-frame'}, this.picture),
      h('div', {class: 'playing-words'}, this.source, this.heading, this.artists, this.album, this.heart),
      h('div', {class: 'playing-line'}, this.scrub.element, h('div', {class: 'row between'}, this.at, this.length)),
      this.elsewhere, this.transport.element,
      h('div', {class: 'row tight center playing-tools'}, options, devices, this.together, h('a', {class: 'button small-button quiet', href: '/host?from=solo'}, icon('mic'), t('solo.host')), this.sleeping));
    this.#swipe(this.picture);
    this.#offerVisual();
    return this.replaceChildren(h('div', {class: 'playing'}, this.stage, h('div', {class: 'playing-side'}, this.lyrics.element, this.queue.element)));
  }

  async #offerVisual() {
    try {
      const {visualButton} = await import('../visualizer/visual-button.js');
      if (!this.stage?.isConnected) return;
      this.visual = visualButton(this.stage.querySelector('.playing-frame'), {analyser: () => solo.playing ? solo.analyser : null, color: () => document.documentElement.style.getPropertyValue('--tint') || null});
      this.stage.querySelector('.playing-tools').append(this.visual.button);
    } catch { /* Without it, then. */ }
  }

  #draw = () => {
    const isEmpty = !solo.track;
    if (isEmpty !== this.#isEmpty) {
      this.#isEmpty = isEmpty;
      this.#build();
    }
    if (isEmpty) return;
    const {track} = solo;
    if (track.id !== this.#shown) this.#show(track);
    this.picture.toggleAttribute('data-paused', !solo.playing);
    this.transport.draw();
    this.scrub.draw();
    this.lyrics.draw();
    this.at.textContent = clockTime(solo.position);
    this.length.textContent = clockTime(solo.duration);
    const elsewhere = solo.playing ? null : solo.shared.elsewhere;
    this.elsewhere.textContent = elsewhere ? t('solo.elsewhere', {name: elsewhere.name}) : '';
    this.sleeping.textContent = solo.sleepAt === 'track' ? t('solo.sleep.track') : solo.sleepAt ? t('solo.sleep.at', {time: i18n.date(solo.sleepAt, {timeStyle: 'short'})}) : '';
    this.queue.draw();
  };

  async #show(track) {
    this.#shown = track.id;
    this.lyrics.show(track);
    this.picture.replaceChildren(musicCover(track, 'full'));
    putLike(this.heart, 'track', track);
    this.heading.replaceChildren(h('a', {class: 'plain-link', href: `/track/${track.id}`}, track.title));
    this.artists.replaceChildren(...artistsLine(track));
    this.album.replaceChildren(...[
      track.album ? h('a', {class: 'plain-link', href: `/album/${track.album.id}`, dir: 'auto'}, track.album.name) : null,
      track.album && track.access === 'preview' ? ' ' : null,
      track.access === 'preview' ? h('span', {class: 'badge'}, t('solo.preview')) : null].filter(Boolean));
    const {source} = solo;
    this.source.replaceChildren(...source?.name ? [source.href ? h('a', {class: 'plain-link', href: source.href}, t('solo.from', {name: source.name})) : t('solo.from', {name: source.name})] : []);
    this.dispatchEvent(new Event('titlechange'));
    this.scrub.outline = null;
    const color = track.cover?.color ?? (track.cover?.path ? await colorOfArtwork(`${track.cover.path}/64`).catch(() => null) : colorOf({id: track.album?.id ?? track.id}));
    if (this.isConnected && track.id === this.#shown) shade(color);
    // The outline is that of the whole track.
    if (track.access !== 'full') return;
    try {
      const values = await peaksOf(track.id);
      if (track.id === this.#shown) this.scrub.outline = values;
    } catch { /* The line stays plain. */ }
  }

  /** A finger that goes aside over the cover takes the next or the previous track; buttons and keys do the same. */
  #swipe(element) {
    let from = null;
    element.addEventListener('pointerdown', ({clientX, pointerType}) => { from = pointerType === 'touch' ? clientX : null; });
    element.addEventListener('pointermove', ({clientX}) => { if (from !== null) element.style.translate = `${(clientX - from) / 3}px`; });
    const end = ({clientX, type}) => {
      if (from === null) return;
      const way = clientX - from;
      from = null;
      element.style.translate = '';
      if (type === 'pointerup' && Math.abs(way) > SWIPE) (way < 0) === (getComputedStyle(this).direction === 'ltr') ? solo.next() : solo.previous();
    };
    for (const type of ['pointerup', 'pointercancel']) element.addEventListener(type, end);
  }
}
customElements.define('playing-page', PlayingPage);
