// What is to be played: files added by drop or picker, and, on air, the room's queue with what others suggest and vote for.
import {clockText, nameOf, trackLine} from '../room-page/room-part.js';
import {HostPart, attempt, pictureOf, saying} from './host-part.js';
import {dropped, hasFiles, ordered} from '../../audio/hosting/dropped.js';
import {h} from '../../shell/dom.js';
import {toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {announce} from '../../shell/shell.js';
import {toast} from '../../shell/toasts.js';
import {t, tn} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {session} from '../../store/session.js';
import {isFile} from '../../store/hosting/follower.js';
import {noteHandle} from '../../store/hosting/shelf.js';
import {SONGS_MAX} from '../../store/hosting/playlist.js';

const ENDINGS = ['.opus', '.ogg', '.flac', '.m4a', '.mp3', '.wav', '.aac'], ACCEPT = `audio/*,${ENDINGS.join()}`;
const REPEATS = ['off', 'all', 'one'], REPEAT_WORDS = {off: 'off', all: 'list', one: 'song'};

/** Fires `added` when there is more in it. */
class HostList extends HostPart {
  #shown = ''; #depth = 0;
  /** The entry that a file is being chosen for. */
  #wanting = null;

  build() {
    this.#shown = '';
    const one = this.one = h('input', {
      type: 'file', class: 'visually-hidden', accept: ACCEPT, tabindex: '-1', 'aria-hidden': 'true', dataset: {one: ''},
      onchange: ({target}) => {
        const [file] = target.files;
        if (file && this.#wanting) attempt(() => host.bring(this.#wanting, file));
        target.value = '';
      },
    });
    const input = h('input', {
      type: 'file', class: 'visually-hidden', multiple: true, accept: ACCEPT, tabindex: '-1', 'aria-hidden': 'true',
      onchange: async ({target}) => {
        if (target.files.length > 0) await this.add({sounds: ordered(target.files)});
        target.value = '';
      },
    });
    this.replaceChildren(
      this.drop = h('div', {class: 'host-drop'}, icon('music'),
        h('p', {}, t('host.list.drop')), h('button', {type: 'button', onclick: () => this.#pick(input)}, icon('plus'), t('host.list.pick')), input, one),
      this.gone = h('div', {class: 'notice warn row between host-gone', hidden: true}, h('span', {class: 'grow'}), h('button', {
        class: 'small-button', type: 'button',
        onclick: () => attempt(async () => {
          await host.playlist.ask();
          if (host.playlist.gone.length > 0) await this.#pick(input);
        }),
      }, t('desk.gone.choose'))),
      h('div', {class: 'row between host-list-head'},
        this.count = h('p', {class: 'muted small'}),
        this.repeat = h('button', {class: 'small-button quiet', type: 'button', onclick: () => this.#turnRepeat()})),
      this.list = h('ol', {class: 'list entries'}),
      this.more = h('p', {class: 'muted small', hidden: true}),
      this.pending = h('section', {class: 'stack host-pending', hidden: true},
        this.pendingTitle = h('h3', {}), this.pendingList = h('ol', {class: 'list entries'})),
      this.rules = h('details', {class: 'host-rules', hidden: true}, h('summary', {}, t('desk.rules')), h('div', {class: 'stack'},
        this.votes = this.#rule('votes', rules => rules.ordering === 'votes', on => ({ordering: on ? 'votes' : 'manual'})),
        this.approval = this.#rule('approval', rules => rules.needs_approval, on => ({needs_approval: on})),
        this.everybody = this.#rule('guests', rules => rules.suggesters === 'everybody', on => ({suggesters: on ? 'everybody' : 'members'})))));
  }

  /** A rule of the queue that is on or off. */
  #rule(name, isOn, change) {
    const element = toggle({
      name: `rule-${name}`, label: t(`desk.rules.${name}`), hint: t(`desk.rules.${name}-hint`), checked: false,
      onchange: async (on, input) => { if (!await attempt(() => host.askQueue('queue.set_rules', {rules: change(on)}))) input.checked = !on; },
    });
    element.show = rules => { element.querySelector('input').checked = isOn(rules); };
    return element;
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

  /** Lets files be chosen: by a picker that gives handles where there is one, so that they can be had again later. */
  async #pick(input) {
    if (typeof globalThis.showOpenFilePicker !== 'function') return input.click();
    let chosen;
    try {
      chosen = await showOpenFilePicker({multiple: true, types: [{description: t('desk.sounds'), accept: {'audio/*': ENDINGS}}]});
    } catch (error) {
      if (error.name !== 'AbortError') input.click();
      return undefined;
    }
    return this.add((async () => ({sounds: ordered(await Promise.all(chosen.map(async handle => noteHandle(await handle.getFile(), handle))))}))());
  }

  /** Adds chosen or dropped files, and reports those without sound. */
  async add(found) {
    this.drop.toggleAttribute('data-busy', true);
    await attempt(async () => {
      const {sounds, others = []} = await found, {gone} = host.playlist;
      const songs = sounds.length > 0 ? await host.playlist.add(sounds) : [], isNew = songs.length;
      const added = isNew + gone.length - host.playlist.gone.length, bad = songs.filter(({failure}) => failure);
      if (added > 0) {
        announce(tn('host.list.added', added));
        this.dispatchEvent(new Event('added'));
      }
      const refused = others.length === 1 ? t('host.list.no-sound', {name: others[0].name})
        : others.length > 1 ? tn('host.list.no-sounds', others.length)
        : bad.length === 1 ? `${t('desk.unplayable', {name: bad[0].name})} ${saying(bad[0].failure)}` : bad.length > 1 ? tn('desk.unplayables', bad.length)
        : added < sounds.length ? t('host.list.full', {count: SONGS_MAX}) : sounds.length === 0 ? t('host.list.nothing') : null;
      if (refused) toast(refused, {kind: 'error'});
    });
    this.drop.toggleAttribute('data-busy', false);
  }

  get #queue() { return host.followsQueue ? host.room?.queue ?? null : null; }

  #turnRepeat() {
    const next = REPEATS[(REPEATS.indexOf(this.#queue?.repeat ?? host.playlist.repeat) + 1) % REPEATS.length];
    host.playlist.setRepeat(next);
    return host.followsQueue ? attempt(() => host.askQueue('queue.set_repeat', {repeat: next})) : undefined;
  }

  update() {
    const queue = this.#queue, {songs} = host.playlist, playing = host.isOnAir && !host.isLive ? host.song : null;
    const repeat = queue?.repeat ?? host.playlist.repeat;
    const about = song => song && [song.id, song.duration, Boolean(song.failure)];
    const key = JSON.stringify([repeat, playing?.id, host.isOnAir, host.entry?.id, songs.map(song => [...about(song), song.isQueued]), queue && [
      queue.rules, [queue.now?.entry, ...queue.line, ...queue.pending].map(entry => entry && [entry, about(host.songOf(entry))])]]);
    if (key === this.#shown) return;
    this.#shown = key;
    const focus = this.#focused(), pending = queue?.pending ?? [];
    const rows = queue ? this.#entries(queue, playing) : songs.map((song, index) => this.#song(song, index, song === playing));
    this.write(this.count, rows.length > 0 ? tn(queue ? 'desk.count' : 'host.list.count', rows.length) : t('host.list.empty'));
    const {gone} = host.playlist;
    this.gone.hidden = gone.length === 0;
    this.write(this.gone.firstElementChild, tn('desk.gone.count', gone.length));
    this.repeat.hidden = rows.length === 0;
    this.write(this.repeat, t(`host.repeat.${REPEAT_WORDS[repeat]}`));
    this.list.replaceChildren(...rows);
    const more = queue ? songs.filter(song => !song.isQueued && !song.failure).length : 0;
    this.more.hidden = more === 0;
    this.write(this.more, tn('desk.more', more));
    this.pending.hidden = pending.length === 0;
    this.write(this.pendingTitle, tn('queue.pending', pending.length));
    this.pendingList.replaceChildren(...pending.map(entry => this.#pendingEntry(entry)));
    this.rules.hidden = !queue;
    if (queue) for (const rule of [this.votes, this.approval, this.everybody]) rule.show(queue.rules);
    if (focus) this.#focus(focus);
  }

  /** Which button of which song has the focus: it is given back to the same after drawing. */
  #focused() {
    const button = document.activeElement?.closest?.('[data-does]'), entry = button?.closest('[data-song]');
    return entry && this.contains(entry) ? {song: entry.dataset.song, does: button.dataset.does} : null;
  }

  #focus({song, does}) {
    const entry = this.querySelector(`[data-song="${song}"]`) ?? this.list.lastElementChild;
    const wanted = entry?.querySelector(`[data-does="${does}"]:not(:disabled)`) ?? entry?.querySelector('button:not(:disabled)');
    (wanted ?? this.drop.querySelector('button')).focus();
  }

  /** A button of a row. */
  #does(name, symbol, title, run, disabled = false) {
    return h('button', {
      class: 'icon-button', type: 'button', dataset: {does: name}, disabled, 'aria-label': t(`host.list.${name}`, {title}), onclick: run,
    }, icon(symbol));
  }

  #row({id, title, about, length, picture, isPlaying, notes = [], buttons}) {
    return h('li', {class: 'entry host-song', dataset: {song: String(id)}, 'aria-current': isPlaying ? 'true' : null},
      picture ? h('img', {class: 'host-thumb', src: picture, alt: ''}) : h('span', {class: 'host-thumb'}, icon(isPlaying ? 'wave' : 'music')),
      h('div', {class: 'grow'}, h('p', {class: 'entry-title', dir: 'auto'}, title), h('p', {class: 'muted small', dir: 'auto'}, about), notes),
      h('span', {class: 'muted small tabular'}, isPlaying ? t('host.list.playing') : length ? clockText(length) : ''),
      h('div', {class: 'row host-song-buttons'}, buttons));
  }

  #failure(song) { return song?.failure ? h('p', {class: 'small host-failure'}, saying(song.failure)) : null; }

  /** A file of a list that is not a room's queue. */
  #song(song, index, isPlaying) {
    const {songs} = host.playlist, {title} = song;
    return this.#row({
      id: song.id, title, isPlaying, about: [song.artist, song.album].filter(Boolean).join(' · '), length: song.track.duration_us, picture: pictureOf(song),
      notes: [this.#failure(song)],
      buttons: [
        host.isOnAir && !host.isLive ? this.#does('play', 'play', title, () => attempt(() => host.play(song)), Boolean(song.failure)) : null,
        this.#does('up', 'up', title, () => host.playlist.move(song, -1), index === 0),
        this.#does('down', 'down', title, () => host.playlist.move(song, 1), index === songs.length - 1),
        this.#does('remove', 'close', title, () => host.playlist.remove(song), isPlaying),
      ],
    });
  }

  /** What plays, and what waits in the order in which it will play. */
  #entries(queue, playing) {
    const {line, now} = queue, isByVotes = queue.rules.ordering === 'votes';
    const current = now && host.songOf(now.entry) === playing ? [this.#entry(now.entry, {isPlaying: true})] : playing ? [this.#song(playing, 0, true)] : [];
    const queued = new Set([now?.entry, ...line].map(entry => entry && host.songOf(entry)));
    return [...current, ...line.map((entry, index) => this.#entry(entry, {index, line, isByVotes})),
      ...host.playlist.songs.filter(song => song.failure && song !== playing && !queued.has(song)).map(song => this.#bad(song))];
  }

  /** A file that cannot be played, and so does not stand in the queue. */
  #bad(song) {
    return this.#row({
      id: song.id, title: song.title, about: song.name, notes: [this.#failure(song)],
      buttons: [this.#does('remove', 'close', song.title, () => host.playlist.remove(song))],
    });
  }

  #entry(entry, {isPlaying = false, index = 0, line = [], isByVotes = false}) {
    const {id, upvotes, downvotes} = entry, song = host.songOf(entry), title = this.#name(entry, song);
    const ask = (type, data) => () => attempt(() => host.askQueue(type, {id, ...data}));
    return this.#row({
      id: `entry-${id}`, title, isPlaying, about: this.#about(entry, song), picture: pictureOf(song),
      length: song?.track.duration_us ?? entry.track.duration_us,
      notes: [
        upvotes + downvotes > 0 ? h('p', {class: 'small muted host-votes'}, tn('desk.votes.for', upvotes), ' · ', tn('desk.votes.against', downvotes)) : null,
        this.#failure(song), song ? isPlaying ? null : this.#other(entry, song, title) : this.#missing(entry, title),
      ],
      buttons: isPlaying ? [] : [
        this.#does('play', 'play', title, () => attempt(() => host.playEntry(entry)), !song || Boolean(song.failure)),
        isByVotes ? null : this.#does('up', 'up', title, ask('queue.move', {before: line[index - 1]?.id}), index === 0),
        isByVotes ? null : this.#does('down', 'down', title, ask('queue.move', {after: line[index + 1]?.id}), index === line.length - 1),
        this.#does('remove', 'close', title, async () => {
          if (await ask('queue.remove')() && song && isFile(entry)) host.playlist.remove(song);
        }),
      ],
    });
  }

  #pendingEntry(entry) {
    const song = host.songOf(entry), title = this.#name(entry, song);
    const button = (type, label, kind) => h('button', {
      class: `small-button ${kind}`, type: 'button', dataset: {does: label}, 'aria-label': t(type, {name: title}),
      onclick: () => attempt(() => host.askQueue(type, {id: entry.id})),
    }, t(`desk.${label}`));
    return this.#row({
      id: `entry-${entry.id}`, title, about: this.#about(entry, song), picture: pictureOf(song), length: song?.track.duration_us ?? entry.track.duration_us,
      notes: [this.#failure(song), song ? this.#other(entry, song, title) : this.#missing(entry, title)],
      buttons: [button('queue.approve', 'approve', 'primary'), button('queue.reject', 'decline', '')],
    });
  }

  /** Words and a button for an entry that none of the files is. */
  #missing(entry, title) {
    return h('div', {class: 'row tight host-missing'}, h('span', {class: 'small'}, t(isFile(entry) ? 'desk.file-gone' : 'desk.file-missing')),
      this.#chooses('bring', entry, title));
  }

  /** A button for another file, where the one that an entry has is not what was put into the queue itself. */
  #other(entry, song, title) { return isFile(entry) && song.standsFor === null ? null : h('div', {class: 'row tight'}, this.#chooses('replace', entry, title)); }

  #chooses(does, entry, title) {
    return h('button', {
      class: 'small-button', type: 'button', dataset: {does}, 'aria-label': t(`desk.${does}-for`, {title}),
      onclick: () => {
        this.#wanting = entry;
        this.one.click();
      },
    }, t(`desk.${does}`));
  }

  #name(entry, song) { return isFile(entry) && song ? song.title : entry.track.title ?? (trackLine(entry.track) || entry.source || ''); }

  #about({track, user}, song) {
    const from = user.uid === session.user?.uid ? null : t('queue.by', {name: nameOf(user)});
    return [track.artist ?? song?.artist, track.album ?? song?.album, from].filter(Boolean).join(' · ');
  }
}

customElements.define('host-list', HostList);
