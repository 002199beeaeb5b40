// The files that are to be played: added by drop or picker, put in order, taken out.
import {clockText} from '../room-page/room-part.js';
import {HostPart, attempt, pictureOf, saying} from './host-part.js';
import {dropped, hasFiles, ordered} from '../../audio/hosting/dropped.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {announce} from '../../shell/shell.js';
import {toast} from '../../shell/toasts.js';
import {t, tn} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {SONGS_MAX} from '../../store/hosting/playlist.js';

const REPEATS = ['off', 'all', 'one'], REPEAT_WORDS = {off: 'off', all: 'list', one: 'song'};

/** Fires `added` when there is more in it. */
class HostList extends HostPart {
  #shown = ''; #depth = 0;

  build() {
    this.#shown = '';
    const input = h('input', {
      type: 'file', class: 'visually-hidden', multiple: true, accept: 'audio/*,.opus,.ogg,.flac,.m4a,.mp3,.wav', tabindex: '-1',
      'aria-label': t('host.list.pick'),
      onchange: async ({target}) => {
        if (target.files.length > 0) await this.add({sounds: ordered(target.files)});
        target.value = '';
      },
    });
    this.replaceChildren(
      this.drop = h('div', {class: 'host-drop'}, icon('music'),
        h('p', {}, t('host.list.drop')), h('button', {type: 'button', onclick: () => input.click()}, icon('plus'), t('host.list.pick')), input),
      h('div', {class: 'row between host-list-head'},
        this.count = h('p', {class: 'muted small'}),
        this.repeat = h('button', {class: 'small-button quiet', type: 'button', onclick: () => this.#turnRepeat()})),
      this.list = h('ol', {class: 'list entries'}));
  }

  begin(signal) {
    // Files may be dropped anywhere on the page. Nowhere does the browser open them instead.
    const over = on => this.drop.toggleAttribute('data-over', on);
    addEventListener('dragover', event => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    }, {signal});
    addEventListener('dragenter', event => { if (hasFiles(event)) over(++this.#depth > 0); }, {signal});
    addEventListener('dragleave', event => { if (hasFiles(event)) over(--this.#depth > 0); }, {signal});
    addEventListener('drop', event => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      over((this.#depth = 0) > 0);
      this.add(dropped(event.dataTransfer));
    }, {signal});
  }

  /** Adds chosen or dropped files, and reports those without sound. */
  async add(found) {
    this.drop.toggleAttribute('data-busy', true);
    await attempt(async () => {
      const {sounds, others = []} = await found, added = sounds.length > 0 ? (await host.playlist.add(sounds)).length : 0;
      if (added > 0) {
        announce(tn('host.list.added', added));
        this.dispatchEvent(new Event('added'));
      }
      const refused = others.length === 1 ? t('host.list.no-sound', {name: others[0].name})
        : others.length > 1 ? tn('host.list.no-sounds', others.length)
        : added < sounds.length ? t('host.list.full', {count: SONGS_MAX}) : sounds.length === 0 ? t('host.list.nothing') : null;
      if (refused) toast(refused, {kind: 'error'});
    });
    this.drop.toggleAttribute('data-busy', false);
  }

  #turnRepeat() { host.playlist.setRepeat(REPEATS[(REPEATS.indexOf(host.playlist.repeat) + 1) % REPEATS.length]); }

  update() {
    const {songs, repeat} = host.playlist, playing = host.isOnAir && !host.isLive ? host.song : null;
    const key = JSON.stringify([repeat, playing?.id, host.isOnAir, songs.map(song => [song.id, song.duration, Boolean(song.failure)])]);
    if (key === this.#shown) return;
    this.#shown = key;
    const focus = this.#focused();
    this.write(this.count, songs.length > 0 ? tn('host.list.count', songs.length) : t('host.list.empty'));
    this.repeat.hidden = songs.length === 0;
    this.write(this.repeat, t(`host.repeat.${REPEAT_WORDS[repeat]}`));
    this.list.replaceChildren(...songs.map((song, index) => this.#entry(song, index, song === playing)));
    if (focus) this.#focus(focus);
  }

  /** Which button of which song has the focus: it is given back to the same after drawing. */
  #focused() {
    const button = document.activeElement?.closest?.('[data-does]'), entry = button?.closest('[data-song]');
    return entry && this.contains(entry) ? {song: entry.dataset.song, does: button.dataset.does} : null;
  }

  #focus({song, does}) {
    const entry = this.list.querySelector(`[data-song="${song}"]`) ?? this.list.lastElementChild;
    const wanted = entry?.querySelector(`[data-does="${does}"]:not(:disabled)`) ?? entry?.querySelector('button:not(:disabled)');
    (wanted ?? this.drop.querySelector('button')).focus();
  }

  #entry(song, index, isPlaying) {
    const {songs} = host.playlist, does = (name, symbol, run, disabled = false) => h('button', {
      class: 'icon-button', type: 'button', dataset: {does: name}, disabled, 'aria-label': t(`host.list.${name}`, {title: song.title}), onclick: run,
    }, icon(symbol));
    const picture = pictureOf(song);
    return h('li', {class: 'entry host-song', dataset: {song: String(song.id)}, 'aria-current': isPlaying ? 'true' : null},
      picture ? h('img', {class: 'host-thumb', src: picture, alt: ''}) : h('span', {class: 'host-thumb'}, icon(isPlaying ? 'wave' : 'music')),
      h('div', {class: 'grow'},
        h('p', {class: 'entry-title', dir: 'auto'}, song.title),
        h('p', {class: 'muted small', dir: 'auto'}, [song.artist, song.album].filter(Boolean).join(' · ')),
        song.failure ? h('p', {class: 'small host-failure'}, saying(song.failure)) : null),
      h('span', {class: 'muted small tabular'}, isPlaying ? t('host.list.playing') : song.duration === null ? '' : clockText(song.track.duration_us)),
      h('div', {class: 'row host-song-buttons'},
        host.isOnAir && !host.isLive ? does('play', 'play', () => attempt(() => host.play(song)), Boolean(song.failure)) : null,
        does('up', 'up', () => host.playlist.move(song, -1), index === 0),
        does('down', 'down', () => host.playlist.move(song, 1), index === songs.length - 1),
        does('remove', 'close', () => host.playlist.remove(song), isPlaying)));
  }
}

customElements.define('host-list', HostList);
