// Playing to a room from the browser: choosing one and what to play, then the desk one plays from.
import './host-invites.js';
import './host-list.js';
import './host-room.js';
import './host-setup.js';
import './host-stage.js';
import './host-talk.js';
import './host-voice.js';
import './on-air.js';
import {attempt} from './host-part.js';
import {colorOf} from '../cover/cover.js';
import {lacks} from '../../audio/hosting/encoder.js';
import {field} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import * as keys from '../../shell/keys.js';
import {i18n, t} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {shade} from '../../store/settings.js';

// The style sheet is not fetched before somebody plays.
await new Promise((done, fail) => document.head.append(h('link', {
  rel: 'stylesheet', href: new URL('host-page.css', import.meta.url).href,
  onload: done, onerror: () => fail(new TypeError('The looks of the page did not come.')),
})));

class HostPage extends HTMLElement {
  #ending = null; #face = null;

  get pageTitle() { return host.isOnAir ? `${t('host.on-air')} · ${host.room.title}` : t('host.title'); }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    this.#face = null;
    i18n.addEventListener('change', () => { this.#face = null; this.#draw(); }, {signal});
    host.addEventListener('change', () => this.#draw(), {signal});
    for (const remove of [
      keys.add(' ', 'host.key.pause', () => this.querySelector('host-stage')?.toggle()),
      keys.add('n', 'host.key.next', () => { if (host.isOnAir && !host.isLive && host.hasNext) attempt(() => host.skip(1)); }),
      // The key is only described here. The part that shows the voice handles it while it is held.
      keys.add('t', 'host.key.talk', () => {}),
    ]) signal.addEventListener('abort', remove);
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending?.abort();
    shade(null);
  }

  #draw() {
    const missing = lacks(), face = missing ?? (host.isOnAir ? `air ${host.mode} ${host.followsQueue}` : 'setup');
    shade(host.isOnAir && host.room.room ? colorOf({picture: host.room.room.picture, id: host.room.id}) : null);
    if (face === this.#face) return;
    const isNew = this.#face !== null;
    this.#face = face;
    this.replaceChildren(missing ? this.#cannot(missing) : host.isOnAir ? this.#air() : this.#setup());
    this.dispatchEvent(new Event('titlechange'));
    // If the pressed button has gone, the focus goes to the beginning of the desk.
    if (isNew && !missing) {
      this.querySelector('h1')?.focus({preventScroll: true});
      scrollTo(0, 0);
    }
  }

  #cannot(missing) {
    return h('div', {class: 'column stack'}, h('h1', {}, t('host.title')),
      h('div', {class: 'empty'}, icon('mic'), h('p', {}, t(`host.cannot.${missing}`)), h('p', {}, t('host.cannot.instead')),
        h('code', {class: 'host-command'}, `sonactl --server ${location.origin} broadcast music.opus`)));
  }

  #setup() {
    return h('div', {class: 'column stack'}, h('div', {class: 'stack tight'},
      h('h1', {tabindex: '-1'}, t('host.title')), h('p', {class: 'muted lead'}, t('host.about'))), h('host-setup', {class: 'stack'}));
  }

  #air() {
    const title = field({name: 'playing', label: t('host.live-title'), maxlength: 200, value: host.liveTitle ?? '', autocomplete: 'off'});
    return h('div', {class: 'host-grid'},
      h('host-parts', {class: 'row tight'}),
      h('host-requests', {class: 'card stack'}),
      h('div', {class: 'stack host-desk'},
        h('host-stage', {class: 'card'}),
        host.mode === 'microphone' ? '' : h('host-voice', {class: 'card stack'}),
        host.isLive ? h('form', {
          class: 'card stack',
          onsubmit: event => {
            event.preventDefault();
            attempt(() => host.setTitle(title.input.value.trim() || null));
          },
        }, title, h('div', {class: 'row'}, h('button', {type: 'submit'}, t('host.live-title.say')))) : '',
        host.isLive ? '' : h('section', {class: 'card stack'}, h('h2', {}, t('host.list')),
          host.followsQueue ? h('p', {class: 'muted small'}, t('desk.queue.about')) : h('p', {class: 'notice'}, t('desk.queue.not')), h('host-list', {}))),
      h('div', {class: 'stack host-side'},
        h('host-talk', {class: 'card stack tight'}), h('host-room', {class: 'card stack'}), h('host-invites', {class: 'card'})));
  }
}

customElements.define('host-page', HostPage);
