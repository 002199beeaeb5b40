// The page of a replay: an evening of a room, heard again in its own time, with what was said at its moments.
import {avatar} from '../avatar/avatar.js';
import {linked} from '../room-chat/linked.js';
import {nameOf} from '../room-page/room-part.js';
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {clockTime} from '../../shell/times.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {forgetReplay, replayPlayer} from '../../store/replay.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {navigate} from '../../router.js';
import {spoken} from './replay-words.js';

await Promise.all([i18n.also('replays.'), looks('replay-page.css', import.meta.url)]);

/** What cannot be tried again. */
const GONE = new Set(['replay.not_found', 'room.closed', 'request.invalid']);
/** How far an arrow goes, and a page key, s. */
const STEP = 10;

class ReplayPage extends HTMLElement {
  #ending = null; #player = null; #shown = {}; #isSeeking = false; #turn = 0;

  get pageTitle() { return this.#player?.room ? t('replay.of', {room: this.#player.room.title}) : t('replay'); }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    shade(null);
    i18n.addEventListener('change', () => this.#show(), {signal});
    session.addEventListener('user', () => this.#show(), {signal});
    this.#show();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#turn += 1;
  }

  async #show() {
    const turn = ++this.#turn, id = this.getAttribute('replay');
    const player = replayPlayer(id);
    if (!player.replay) {
      this.replaceChildren(h('div', {class: 'column stack', 'aria-busy': 'true'}, h('h1', {tabindex: '-1'}, t('load.waiting'))));
      try {
        await player.load();
      } catch (error) {
        forgetReplay(id);
        if (turn === this.#turn) this.#fail(error);
        return;
      }
    }
    if (turn !== this.#turn) return;
    this.#player = player;
    this.#shown = {};
    this.#build(player);
    player.addEventListener('change', () => { if (turn === this.#turn) this.#draw(); }, {signal: this.#ending.signal});
    this.#draw();
    this.dispatchEvent(new Event('titlechange'));
  }

  #fail(error) {
    const isGone = GONE.has(error.code);
    this.replaceChildren(h('div', {class: 'empty'}, icon('history'), h('h1', {}, isGone ? t('replay.gone') : t('load.failed')),
      h('p', {role: 'alert'}, isGone ? t('replay.gone.about') : describe(error)),
      isGone ? h('a', {class: 'button', href: '/'}, t('replay.home')) : h('button', {type: 'button', onclick: () => this.#show()}, t('load.again'))));
  }

  #build(player) {
    const {replay, room, length} = player, part = (name, tag, attributes = {}, ...children) => this[name] = h(tag, attributes, ...children);
    const mayRemove = session.user?.guest === false && session.user.uid === room.owner.uid;
    this.replaceChildren(h('article', {class: 'column stack replay-page'},
      h('header', {class: 'stack'},
        h('h1', {dir: 'auto'}, t('replay.of', {room: room.title})),
        h('p', {class: 'muted'}, [i18n.date(replay.start_ms), replay.end_ms === null ? t('replay.goes-on') : spoken(length), tn('replay.plays', replay.plays)].join(' · ')),
        h('div', {class: 'row'}, h('a', {class: 'button', href: `/r/${room.id}`}, icon('door'), t('replay.room')),
          mayRemove ? h('button', {type: 'button', class: 'quiet', onclick: () => this.#remove()}, icon('close'), t('replay.remove')) : null)),
      h('section', {class: 'card replay-stage', 'aria-label': t('replay')},
        part('now', 'div', {class: 'replay-now', role: 'status', 'aria-live': 'polite'}),
        h('div', {class: 'replay-controls'},
          part('press', 'button', {type: 'button', class: 'big-play', onclick: () => this.#player.toggle()}),
          h('div', {class: 'replay-bar'},
            part('bar', 'input', {
              type: 'range', min: '0', max: String(Math.ceil(length / 1000)), step: '1', value: '0', 'aria-label': t('replay.position'),
              oninput: () => { this.#isSeeking = true; this.#drawTime(); }, onchange: () => { this.#isSeeking = false; this.#player.seek(Number(this.bar.value) * 1000); },
              onkeydown: (event) => this.#key(event),
            }),
            h('div', {class: 'row between small muted tabular'}, part('gone', 'span'), h('span', {}, clockTime(length))))),
        part('signs', 'p', {class: 'replay-reactions', 'aria-hidden': 'true'})),
      h('div', {class: 'replay-parts'},
        h('section', {class: 'card stack'}, h('h2', {}, t('replay.played')), this.#plays(player)),
        h('section', {class: 'card stack'}, h('h2', {}, t('replay.said')),
          part('said', 'ol', {class: 'list replay-said', tabindex: '0', 'aria-label': t('replay.said')}),
          part('nothing', 'p', {class: 'muted'}, t('replay.said.nothing'))))));
  }

  /** A list of what was played: each begins it there. */
  #plays(player) {
    const rows = [];
    for (const span of player.spans) {
      // A track that goes on after a pause is there once.
      if (!span.play || rows.some(({play}) => play === span.play)) continue;
      const {title, artist} = span.play.track, name = title ?? t('replay.untitled');
      const button = h('button', {type: 'button', class: 'quiet replay-jump', onclick: () => { player.seek(span.at); if (!player.playing) player.play(); }},
        h('span', {class: 'tabular muted'}, clockTime(span.at)), h('span', {dir: 'auto'}, [artist, name].filter(Boolean).join(' – ')));
      rows.push({play: span.play, button});
    }
    this.rows = rows;
    return rows.length ? h('ol', {class: 'list replay-list'}, rows.map(({button}) => h('li', {}, button))) : h('p', {class: 'muted'}, t('replay.played.nothing'));
  }

  #draw() {
    const player = this.#player, {now} = player;
    this.#write('press', player.playing, () => {
      this.press.setAttribute('aria-label', t(player.playing ? 'replay.pause' : 'replay.play'));
      this.press.replaceChildren(icon(player.playing ? 'pause' : 'play'));
    });
    this.#write('now', JSON.stringify([now.play?.id, now.why, now.isRecorded]), () => {
      const {title = null, artist = null, album = null} = now.play?.track ?? {};
      const heading = now.play ? title ?? t('replay.untitled') : t(now.why === 'unnamed' ? 'replay.unnamed' : 'replay.silence');
      const link = now.track ? h('a', {href: `/track/${now.track.id}`}, heading) : heading;
      this.now.replaceChildren(h('p', {class: 'entry-title', dir: 'auto'}, link),
        ...[artist, album].filter(Boolean).length ? [h('p', {class: 'muted', dir: 'auto'}, [artist, album].filter(Boolean).join(' · '))] : [],
        ...now.isRecorded ? [h('p', {class: 'small muted'}, t('replay.recorded'))] : [],
        ...['outside', 'preview', 'denied'].includes(now.why) ? [h('p', {class: 'small'}, t(`replay.why.${now.why}`))] : []);
    });
    this.#write('row', now.play?.id ?? null, () => {
      for (const {play, button} of this.rows) {
        if (play === now.play) button.setAttribute('aria-current', 'true');
        else button.removeAttribute('aria-current');
      }
    });
    this.#drawTime();
    const {messages, reactions} = player;
    this.#write('signs', JSON.stringify(reactions), () => {
      this.signs.replaceChildren(...reactions.map(({emoji, count}) => h('span', {}, emoji, count > 1 ? h('small', {class: 'muted tabular'}, ` ${i18n.number(count)}`) : '')));
    });
    this.#write('said', JSON.stringify([messages[0]?.id, messages.at(-1)?.id, messages.length]), () => {
      const isAtEnd = this.said.scrollHeight - this.said.scrollTop - this.said.clientHeight < 80;
      this.said.replaceChildren(...messages.map((message) => this.#message(message)));
      this.nothing.hidden = messages.length > 0;
      this.said.hidden = messages.length === 0;
      if (isAtEnd) this.said.scrollTop = this.said.scrollHeight;
    });
  }

  /** Writes what is not written yet: readers of the screen hear each change once. */
  #write(name, state, write) {
    if (this.#shown[name] === state && name in this.#shown) return;
    this.#shown[name] = state;
    write();
  }

  #drawTime() {
    const time = this.#isSeeking ? Number(this.bar.value) * 1000 : this.#player.time;
    const text = clockTime(time);
    this.#write('time', text, () => {
      if (!this.#isSeeking) this.bar.value = String(Math.floor(time / 1000));
      this.bar.setAttribute('aria-valuetext', t('replay.at', {time: text, length: clockTime(this.#player.length)}));
      this.gone.textContent = text;
    });
  }

  #message(message) {
    const name = nameOf(message.user);
    return h('li', {class: 'replay-message', dataset: {message: message.id}}, avatar(message.user, 32), h('div', {class: 'grow'},
      h('p', {class: 'small'}, message.user.username ? h('a', {href: `/u/${encodeURIComponent(`@${message.user.username}`)}`, dir: 'auto'}, name) : h('span', {}, name), ' ',
        h('span', {class: 'muted tabular'}, clockTime(message.at_ms - this.#player.replay.start_ms))),
      h('p', {dir: 'auto'}, linked(message.text))));
  }

  /** Arrows go by some seconds: one second of an evening is no step. */
  #key(event) {
    const step = {ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP, PageUp: 60, PageDown: -60}[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#player.seek(this.#player.time + step * 1000);
  }

  async #remove() {
    if (!await confirm({title: t('replay.remove.title'), text: t('replay.remove.text'), action: t('replay.remove'), danger: true})) return;
    const {id, room} = this.#player;
    try {
      await askPatiently('replay.remove', {replay: id});
      forgetReplay(id);
      toast(t('replay.removed'), {kind: 'ok'});
      navigate(`/r/${room.id}`);
    } catch (error) { toast(describe(error), {kind: 'error'}); }
  }
}

customElements.define('replay-page', ReplayPage);
