// One track: its sound as a picture, what is known of it, and its tags for those who may correct them.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {clockTime} from '../../shell/times.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {FixedRows} from '../../store/library-rows.js';
import {library} from '../../store/library.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';
import {placeOf} from '../../store/moments.js';
import {mayEdit} from '../../store/track-changes.js';
import {colorOfMusic, musicCover} from '../cover/music-cover.js';
import {likeButton} from '../like-button/like-button.js';
import {dotted, hero, heroButton, MusicPage, playButton} from '../library-page/music-page.js';
import {trackList} from '../track-list/track-list.js';
import {artistLinks} from '../track-list/track-row.js';
import {openTrackMenu} from '../track-menu/track-menu.js';
import {editTags} from '../track-menu/track-acts.js';
import {wavePicture} from './wave-picture.js';

class TrackPage extends MusicPage {
  static kind = 'track';
  /** The place that the link names, ms; and whether the track was heard here since, which makes it one as any other. */
  #from = 0; #isBegun = false;
  #wave = null;

  load(id) { return library.track(id); }

  follow(signal) {
    for (const type of ['change', 'track']) solo.addEventListener(type, () => this.#mark(), {signal});
  }

  draw(track) {
    const source = {kind: 'tracks', id: track.id, name: track.album?.name ?? track.title, href: `/track/${track.id}`};
    const picture = musicCover(track, 'full');
    picture.classList.add('hero-cover');
    const more = h('button', {type: 'button', class: 'icon-button', 'aria-haspopup': 'menu', 'aria-label': t('track.more', {title: track.title}),
      onclick: () => openTrackMenu([track], {anchor: more, source})}, icon('more'));
    const from = this.#from = placeOf(location.search, track);
    this.play = playButton(() => {
      const isMoment = from > 0 && !this.#isBegun;
      return solo.track?.id === track.id && !isMoment ? solo.toggle() : solo.play([track], {index: 0, from: isMoment ? from : 0, source});
    });
    this.#wave = wavePicture(track, (place) => {
      this.#isBegun = true;
      if (solo.track?.id === track.id) solo.seek(place);
      else solo.play([track], {index: 0, from: place, source});
    });
    queueMicrotask(() => this.#mark());
    return {
      name: track.title, color: colorOfMusic(track),
      content: [
        hero({
          kind: 'track', picture, name: track.title,
          lines: [
            h('span', {class: 'hero-artists'}, artistLinks(track.artists)),
            dotted(track.album ? h('a', {href: `/album/${track.album.id}`, dir: 'auto'}, track.album.name) : null, track.year ? String(track.year) : null, track.duration_ms ? clockTime(track.duration_ms) : null),
            track.access === 'preview' ? h('span', {class: 'badge'}, t('track.preview.about')) : null,
            from ? h('span', {class: 'badge'}, icon('play'), t('track.from', {time: clockTime(from)})) : null,
          ],
          actions: [this.play, likeButton('track', track), heroButton('queue', t('track.act.queue'), () => solo.add([track])),
            mayEdit(track) ? heroButton('edit', t('track.act.tags'), () => editTags([track])) : null, more].filter(Boolean),
        }),
        this.#wave,
        h('section', {class: 'stack'}, h('h2', {}, t('track.details')), this.#details(track)),
        this.#similar(track),
      ],
    };
  }

  /** What people who hear this one hear, too; it comes after the rest. */
  #similar(track) {
    const place = h('div', {});
    if (session.features.has('discovering')) {
      library.similar(track.id).then((tracks) => {
        if (!tracks.length) return;
        const source = {kind: 'radio', id: track.id, name: t('track.radio-of', {name: track.title}), href: `/track/${track.id}`};
        place.replaceChildren(h('section', {class: 'stack'}, h('h2', {}, t('track.similar')), trackList({rows: new FixedRows(tracks), label: t('track.similar'), source, columns: {cover: true, album: true, meta: null}})));
      }, () => { /* Without it, then. */ });
    }
    return place;
  }

  #details(track) {
    const line = (name, ...content) => content.flat().filter(Boolean).length ? h('div', {}, h('dt', {}, t(`track.${name}`)), h('dd', {dir: 'auto'}, content)) : null;
    const links = (kind, all) => all.flatMap(({id, name}, index) => [index ? ', ' : null, h('a', {href: `/${kind}/${id}`}, name)]);
    const place = [track.disc ? t('album.disc', {disc: track.disc}) : null, track.place ? t('track.place.of', {place: track.place}) : null].filter(Boolean).join(', ');
    const rate = track.sample_rate ? t('track.rate.value', {rate: i18n.number(track.sample_rate / 1000)}) : null;
    return h('dl', {class: 'track-details'},
      line('genres', links('genre', track.genres)), line('place', place || null),
      line('format', dotted(track.kind.toUpperCase(), track.bitrate ? t('track.bitrate', {rate: i18n.number(track.bitrate)}) : null)),
      line('rate', dotted(rate, track.channels ? tn('track.channels', track.channels) : null)),
      line('loudness', track.loudness === null ? t('track.loudness.unknown') : t('track.loudness.value', {value: i18n.number(track.loudness / 100, {minimumFractionDigits: 1, maximumFractionDigits: 1})})),
      line('plays', i18n.number(track.plays)), line('added', i18n.date(track.added_ms, {dateStyle: 'long'})),
      line('edited', track.edited ? t('track.edited.yes') : null));
  }

  /** What plays, and where. */
  #mark() {
    const track = this.data;
    if (!track || !this.play) return;
    const isCurrent = solo.track?.id === track.id, isPlaying = isCurrent && solo.playing;
    if (isPlaying) this.#isBegun = true;
    if (this.play.dataset.playing !== String(isPlaying)) {
      this.play.dataset.playing = String(isPlaying);
      this.play.setAttribute('aria-label', t(isPlaying ? 'music.pause' : 'music.play'));
      this.play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
    this.#wave?.at(track.duration_ms ? (isCurrent ? solo.position : this.#from) / track.duration_ms : 0);
  }
}
customElements.define('track-page', TrackPage);
