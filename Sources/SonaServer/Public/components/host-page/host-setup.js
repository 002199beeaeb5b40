// Before the first sound: which room, what is played, and the button that begins.
import {deviceField} from './device-field.js';
import {HostPart, attempt, saying} from './host-part.js';
import {canShareTab} from '../../audio/hosting/capture.js';
import {confirm} from '../../shell/dialogs.js';
import {choice, field, toggle} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {restored, returning} from '../../store/hosting/keeping.js';
import {LibrarySong} from '../../store/hosting/library-song.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';

const NEW = '';
/** How many tracks of the queue of listening alone are taken along. */
const TAKEN_MAX = 100;
/** How long before it sounds audio is sent, ms: the shorter, the sooner a voice is heard; the longer, the less a bad line is. */
const LEADS = [300, 600, 1500, 4000];

class HostSetup extends HostPart {
  #rooms = null; #room = null; #mode = returning.air?.mode ?? 'files'; #device = null; #lead = 600;
  /** What was chosen here; `null`: what the settings of the account say. */
  #chosenPrivate = null; #chosenDelivery = null;
  /** The song that was heard alone before, at the head of the list; or null. */
  #taken = null;

  get #isPrivate() { return this.#chosenPrivate ?? me.data?.settings?.visibility === 'private'; }
  get #delivery() { return this.#chosenDelivery ?? me.data?.settings?.delivery ?? 'party'; }

  /** The settings of the account have come, or are others now. */
  #settle() {
    const toggled = this.querySelector('input[name=private]');
    if (toggled) toggled.checked = this.#isPrivate;
    for (const radio of this.querySelectorAll('input[type=radio]')) {
      if (radio.value === this.#delivery) radio.checked = true;
    }
  }

  build() {
    const title = this.titleField?.input.value ?? '', live = this.liveTitle?.input.value ?? '';
    const modes = [['files', t('host.mode.files')], ['microphone', t('host.mode.microphone')],
      ...canShareTab() ? [['tab', t('host.mode.tab')]] : []];
    this.replaceChildren(
      this.notice = h('div', {role: 'status'}),
      h('section', {class: 'card stack'}, h('h2', {}, t('host.setup.room')), this.rooms = h('div', {}), this.made = h('div', {class: 'stack'},
        this.titleField = field({name: 'title', label: t('host.room.title'), maxlength: 200, value: title, autocomplete: 'off', placeholder: t('host.room.title-hint')}),
        toggle({name: 'private', label: t('host.room.private'), hint: t('host.room.private-hint'), checked: this.#isPrivate, onchange: on => { this.#chosenPrivate = on; }}),
        h('details', {}, h('summary', {}, t('host.room.more')), h('div', {class: 'stack'},
          choice({name: 'lead', label: t('host.room.lead'), hint: t('host.room.lead-hint'), value: this.#lead,
            options: LEADS.map(lead => [lead, t(`host.room.lead.${lead}`)]), onchange: lead => { this.#lead = lead; }}),
          choice({name: 'delivery', label: t('host.room.delivery'), hint: t('host.room.delivery-hint'), value: this.#delivery,
            options: ['party', 'interactive'].map(way => [way, t(`host.room.delivery.${way}`)]), onchange: way => { this.#chosenDelivery = way; }}))))),
      h('section', {class: 'card stack'}, h('h2', {}, t('host.setup.what')),
        choice({name: 'mode', label: t('host.mode'), value: this.#mode, options: modes, onchange: mode => { this.#mode = mode; this.#showMode(); }}),
        this.forFiles = h('host-list', {onadded: () => this.#chooseFiles()}),
        this.forDevice = h('div', {class: 'stack'}, deviceField(device => { this.#device = device; }), h('p', {class: 'muted small'}, t('host.mode.microphone-hint'))),
        this.forTab = h('p', {class: 'muted'}, t('host.mode.tab-hint')),
        this.liveTitle = field({name: 'playing', label: t('host.live-title'), maxlength: 200, value: live, autocomplete: 'off'})),
      h('div', {class: 'stack host-begin'},
        this.alert = h('div', {role: 'alert'}),
        this.button = h('button', {class: 'primary host-go', type: 'button', onclick: () => this.#begin()}, icon('wave'), h('span', {}, t('host.go')))));
    this.#showMode();
    this.#showRooms();
    if (!this.#rooms) this.#load();
    restored.then(() => {
      this.#takeOver();
      if (this.isConnected) this.update();
    });
  }

  /** Somebody who listens alone wants to go on in a room: the present track and what follows are at the head of the list. */
  #takeOver() {
    if (new URLSearchParams(location.search).get('from') !== 'solo' || this.#taken || !solo.track) return;
    const tracks = [solo.track, ...solo.upcoming.map(({track}) => track)].filter(({access}) => access === 'full').slice(0, TAKEN_MAX);
    this.#taken = tracks.length > 0 ? host.playlist.put(tracks.map(track => new LibrarySong(track)), true)[0] : null;
    if (!this.#taken) this.alert.replaceChildren(h('p', {class: 'notice warn'}, t('host.solo.previews')));
  }

  begin(signal) {
    session.addEventListener('fresh', () => this.#load(), {signal});
    me.addEventListener('change', () => this.#settle(), {signal});
  }

  async #load() {
    try {
      this.#rooms = (await session.request('room.list', {mine: true, limit: 100})).rooms;
      const wanted = new URLSearchParams(location.search).get('room') ?? returning.air?.room;
      if (wanted && !this.#rooms.some(room => room.id === wanted)) {
        const {room} = await session.request('room.get', {room: wanted}).catch(() => ({}));
        if (room) this.#rooms = [room, ...this.#rooms];
      }
      this.#room ??= this.#rooms.find(room => room.id === wanted)?.id ?? this.#rooms[0]?.id ?? NEW;
    } catch (error) {
      this.alert.replaceChildren(h('p', {class: 'notice error'}, describe(error)));
    }
    if (this.isConnected) this.#showRooms();
  }

  #showRooms() {
    const rooms = this.#rooms ?? [];
    this.rooms.hidden = rooms.length === 0;
    this.made.hidden = rooms.length > 0 && this.#room !== NEW || this.#rooms === null;
    if (rooms.length === 0) return;
    const name = room => room.visibility === 'private' ? t('host.room.of-private', {title: room.title}) : room.title;
    this.rooms.replaceChildren(field({
      name: 'room', label: t('host.room'), control: h('select', {
        name: 'room', dir: 'auto', onchange: ({target}) => { this.#room = target.value; this.#showRooms(); this.rooms.querySelector('select').focus(); },
      }, rooms.map(room => h('option', {value: room.id, selected: room.id === this.#room}, name(room))),
      h('option', {value: NEW, selected: this.#room === NEW}, t('host.room.new'))),
    }));
  }

  /** Dropped files are meant to be played, whatever was chosen before. */
  #chooseFiles() {
    this.querySelector('input[value=files]').checked = true;
    this.#mode = 'files';
    this.#showMode();
    // "Choose at least one file" is done.
    this.alert.replaceChildren();
  }

  #showMode() {
    this.forFiles.hidden = this.#mode !== 'files';
    this.forDevice.hidden = this.#mode !== 'microphone';
    this.forTab.hidden = this.#mode !== 'tab';
    this.liveTitle.hidden = this.#mode === 'files';
  }

  async #begin(takesBack = false) {
    this.alert.replaceChildren();
    const say = text => this.alert.replaceChildren(h('p', {class: 'notice error'}, icon('close'), h('span', {}, text)));
    if (this.#mode === 'files' && host.playlist.songs.length === 0) return say(t('host.list.needed'));
    this.button.disabled = true;
    this.write(this.button.lastElementChild, t('host.state.starting'));
    try {
      // Within the click: browsers ask for a microphone or a tab in no other moment.
      if (this.#mode !== 'files' && !host.inputs.music) await host.inputs.openMusic(this.#mode, this.#device);
      const room = await this.#roomId();
      const title = this.liveTitle.input.value.trim() || null;
      const taken = this.#mode === 'files' ? this.#taken : null, isSame = taken && taken.library.id === solo.track?.id;
      await host.start(room, {mode: this.#mode, title, takesBack, ...taken ? {song: taken, from: isSame ? solo.position * 1000 : 0} : {}});
      if (solo.track) solo.pause();
    } catch (error) {
      if (error.code === 'host.seat_taken' && !takesBack) {
        this.#restore();
        if (await confirm({title: t('host.taken.title'), text: t('host.taken.text'), action: t('host.taken.take')})) return this.#begin(true);
        return undefined;
      }
      host.inputs.closeMusic();
      say(saying(error));
    }
    this.#restore();
    return undefined;
  }

  #restore() {
    this.button.disabled = false;
    this.write(this.button.lastElementChild, t('host.go'));
  }

  /** The room that was chosen, or the one that is made now. */
  async #roomId() {
    if (this.#room) return this.#room;
    const title = this.titleField.input.value.trim();
    const {room} = await session.request('room.create', {
      ...title ? {title} : {}, visibility: this.#isPrivate ? 'private' : 'public', lead_ms: this.#lead, delivery: this.#delivery,
    });
    this.#rooms = [room, ...this.#rooms ?? []];
    this.#room = room.id;
    this.#showRooms();
    return room.id;
  }

  /** The words for a broadcast that the page was loaded anew in, until it goes on. */
  #returning() {
    const {air} = returning;
    if (!air) return '';
    if (host.failure) return saying(host.failure);
    return t(air.mode !== 'files' ? 'desk.returning.input' : host.playlist.gone.length > 0 && host.state === 'idle' ? 'desk.returning.files' : 'desk.returning');
  }

  update() {
    const key = `host.ended.${host.reason}`;
    const text = host.state === 'ended' ? t(i18n.has(key) ? key : 'host.ended.other', {reason: host.reason}) : this.#returning();
    if (this.notice.textContent !== text) this.notice.replaceChildren(...text ? [h('p', {class: 'notice'}, text)] : []);
  }
}

customElements.define('host-setup', HostSetup);
