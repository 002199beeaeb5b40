// A voice over the music: a microphone that is opened once, and a button that lets it be heard for as long as it is held.
import '../level-meter/level-meter.js';
import {HostPart, attempt} from './host-part.js';
import {deviceField} from './device-field.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {TYPED, isOn} from '../../shell/keys.js';
import {t} from '../../store/i18n.js';
import {host} from '../../store/host.js';

/** The key that talks while it is held, outside of fields. */
const KEY = 't';

class HostVoice extends HostPart {
  #isOpen = null;

  build() {
    this.#isOpen = null;
    this.replaceChildren(h('h2', {}, t('host.voice')), this.content = h('div', {class: 'stack'}));
  }

  begin(signal) {
    const isOurs = event => event.key.toLowerCase() === KEY && isOn(KEY) && !event.ctrlKey && !event.metaKey && !event.altKey
      && !event.target.closest?.(TYPED) && !document.querySelector('dialog[open]');
    addEventListener('keydown', event => {
      if (!isOurs(event) || !host.inputs.voice) return;
      event.preventDefault();
      if (!event.repeat) host.inputs.talk(true);
    }, {signal});
    addEventListener('keyup', event => { if (event.key.toLowerCase() === KEY && !this.#isLatched) host.inputs.talk(false); }, {signal});
    // Leaving the tab releases the button.
    addEventListener('blur', () => { if (!this.#isLatched) host.inputs.talk(false); }, {signal});
    host.addEventListener('level', ({detail}) => this.meter?.show?.(detail.voice), {signal});
  }

  /** Without the page there is no sign that the user is heard, and no button to end it. */
  disconnectedCallback() {
    super.disconnectedCallback();
    host.inputs.talk(false);
  }

  get #isLatched() { return this.latch?.getAttribute('aria-pressed') === 'true'; }

  update() {
    const {voice, isTalking} = host.inputs, isOpen = voice !== null;
    if (this.#isOpen !== isOpen) {
      this.#isOpen = isOpen;
      this.content.replaceChildren(...isOpen ? this.#open() : this.#closed());
    }
    if (!isOpen) return;
    this.talk.setAttribute('aria-pressed', String(isTalking));
    this.write(this.talk.lastElementChild, t(isTalking ? 'host.voice.talking' : 'host.voice.talk'));
    if (!isTalking) this.latch.setAttribute('aria-pressed', 'false');
  }

  #closed() {
    this.meter = null;
    let device = null;
    const field = deviceField(chosen => { device = chosen; });
    return [h('p', {class: 'muted small'}, t('host.voice.about')), field,
      h('div', {class: 'row'}, h('button', {
        type: 'button',
        onclick: async ({currentTarget: button}) => {
          button.disabled = true;
          if (await attempt(() => host.openVoice(device))) this.querySelector('.host-talk')?.focus();
          button.disabled = false;
        },
      }, icon('mic'), t('host.voice.open')))];
  }

  #open() {
    const talk = on => host.inputs.talk(on), release = () => { if (!this.#isLatched) talk(false); };
    const isPress = event => event.key === ' ' || event.key === 'Enter';
    this.talk = h('button', {
      class: 'host-talk', type: 'button', 'aria-pressed': 'false', 'aria-describedby': 'host-talk-hint',
      onpointerdown: event => { event.currentTarget.setPointerCapture(event.pointerId); talk(true); },
      onpointerup: release, onpointercancel: release, onblur: release,
      onkeydown: event => { if (isPress(event)) { event.preventDefault(); if (!event.repeat) talk(true); } },
      onkeyup: event => { if (isPress(event)) { event.preventDefault(); release(); } },
    }, icon('mic'), h('span', {}));
    this.latch = h('button', {
      class: 'small-button', type: 'button', 'aria-pressed': 'false',
      onclick: () => {
        const on = !this.#isLatched;
        this.latch.setAttribute('aria-pressed', String(on));
        talk(on);
      },
    }, t('host.voice.latch'));
    this.meter = h('level-meter', {label: t('host.voice.level')});
    return [this.talk, h('p', {class: 'muted small', id: 'host-talk-hint'}, t(isOn(KEY) ? 'host.voice.hint' : 'host.voice.hint.button')), this.meter,
      h('div', {class: 'row tight'}, this.latch,
        h('button', {class: 'small-button quiet', type: 'button', onclick: () => host.inputs.closeVoice()}, t('host.voice.close')))];
  }
}

customElements.define('host-voice', HostVoice);
