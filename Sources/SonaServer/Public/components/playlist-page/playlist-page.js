// A playlist: its entries in their order, which those who may can change, while others change it elsewhere.
import {openCollaborators} from './collaborators.js';
import {keptParts} from './kept.js';
import {ruleWords} from './rule-words.js';
import {deleted, removedEntries} from './acts.js';
import {colorOf} from '../cover/cover.js';
import {mosaic} from '../cover/mosaic.js';
import {likeButton} from '../like-button/like-button.js';
import {dotted, hero, MusicPage, playButton, shuffleButton, spoken} from '../library-page/music-page.js';
import {shuffled} from '../library-page/shuffled.js';
import {userPath} from '../people-page/user-path.js';
import {openPlaylistForm} from '../playlist-dialog/edit-dialog.js';
import {openSave} from '../playlist-dialog/files.js';
import {openMenu} from '../track-menu/menu.js';
import {copyLink, share, startRadio} from '../track-menu/track-acts.js';
import {trackList} from '../track-list/track-list.js';
import {isSignedIn, navigate, withReturn} from '../../router.js';
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {offline} from '../../store/offline.js';
import {PlaylistRows} from '../../store/playlist-rows.js';
import {playlists} from '../../store/playlists.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';

await Promise.all([i18n.also('playlists.'), looks('playlist.css', import.meta.url)]);

/** Entries that the large button hands to the player. */
const PLAYED = 500;

class PlaylistPage extends MusicPage {
  static kind = 'playlist';
  #rows = null; #said = null; #kept = null; #signal = null;

  async load(id) {
    const code = new URLSearchParams(location.search).get('invite');
    if (code) {
      // A page that is loaded by the link is here before the server has said who one is.
      if (!session.user) await new Promise((resolve) => { session.addEventListener('user', resolve, {once: true}); });
      if (!isSignedIn()) navigate(withReturn('/sign-in'), {replace: true});
      else {
        const {title} = await playlists.accept(id, code);
        history.replaceState(history.state, '', location.pathname);
        toast(t('playlists.accepted', {title}), {kind: 'ok'});
      }
    }
    return playlists.get(id);
  }

  follow(signal) {
    this.#signal = signal;
    this.#kept = null;
    playlists.addEventListener('changed', ({detail}) => {
      if (detail.id !== this.subject || !this.#rows) return;
      // It is gone, or not for this user any more: asking again says so.
      if (!detail.playlist) this.show();
      else this.#rows.told(detail);
    }, {signal});
  }

  get #source() {
    const {id, title} = this.#rows.playlist;
    return {kind: 'playlist', id, name: title, href: `/playlists/${id}`};
  }

  draw(first) {
    const rows = this.#rows = new PlaylistRows(first), {playlist} = rows, mayEdit = playlist.role !== 'listener' && playlist.rule === null;
    const place = h('div', {}), list = trackList({
      rows, label: playlist.title, source: this.#source, columns: {cover: true, album: true, meta: null},
      editor: mayEdit ? {move: (indexes, at) => this.#move(indexes, at), remove: (indexes) => this.#remove(indexes)} : null,
    });
    const head = h('div', {}), hints = mayEdit ? h('p', {class: 'muted small playlist-hints'}, h('span', {}, h('kbd', {}, 'Alt'), ' + ', h('kbd', {}, '↑ ↓'), ' ', t('playlists.hint.move')), h('span', {}, h('kbd', {}, t('playlists.hint.key')), ' ', t('playlists.hint.remove'))) : null;
    const drawList = () => {
      const isEmpty = rows.total === 0;
      if (isEmpty && place.firstElementChild !== this.empty) place.replaceChildren(this.empty = this.#empty(mayEdit));
      else if (!isEmpty && place.firstElementChild !== list) place.replaceChildren(list);
      if (hints) hints.hidden = isEmpty;
    };
    let drawn = '';
    const drawHead = () => {
      const content = JSON.stringify(rows.playlist);
      if (content === drawn) return;
      drawn = content;
      const hadFocus = head.contains(document.activeElement) ? document.activeElement.dataset.act : null;
      head.replaceChildren(this.#head(rows));
      if (hadFocus) head.querySelector(`[data-act=${hadFocus}]`)?.focus();
      drawList();
    };
    rows.addEventListener('playlist', drawHead);
    rows.addEventListener('change', drawList);
    drawHead();
    return {name: playlist.title, color: colorOf({picture: playlist.picture ?? playlist.covers[0] ?? null, id: playlist.id}), content: [head, hints, place]};
  }

  #head(rows) {
    const {playlist} = rows, {title, description, owner, visibility, role, pinned, collaborators} = playlist;
    if (offline.mayKeep && offline.owner !== null && this.#kept?.id !== playlist.id) this.#kept = {id: playlist.id, ...keptParts(playlist, this.#signal)};
    const kept = this.#kept;
    const picture = mosaic(playlist, 'full');
    picture.classList.add('hero-cover');
    const act = (name, symbol, words, run, attributes = {}) => h('button', {type: 'button', class: 'icon-button', dataset: {act: name}, 'aria-label': words, title: words, onclick: run, ...attributes}, icon(symbol));
    const more = act('more', 'more', t('track.more', {title}), () => openMenu({title, anchor: more, items: this.#items(playlist)}), {'aria-haspopup': 'menu'});
    return hero({
      kind: 'playlist', picture, name: title,
      lines: [
        description ? h('span', {class: 'playlist-about', dir: 'auto'}, description) : null,
        dotted(owner.username ? h('a', {href: userPath(owner)}, `@${owner.username}`) : null, tn('music.tracks', playlist.tracks), playlist.duration_ms ? spoken(playlist.duration_ms) : null),
        h('span', {class: 'row tight'}, h('span', {class: 'badge', dataset: {visibility}}, icon(visibility === 'public' ? 'people' : visibility === 'unlisted' ? 'link' : 'lock'), t(`playlists.visibility.${visibility}`)),
          playlist.rule ? h('span', {class: 'badge'}, icon('star'), t('playlists.smart')) : null,
          collaborators ? h('span', {class: 'badge'}, icon('people'), tn('playlists.together', collaborators)) : null, kept?.badge),
        playlist.rule?.conditions.length ? this.#words(playlist.rule) : null,
      ],
      actions: [
        playButton(() => this.#play()), shuffleButton(() => shuffled(rows, this.#source)), likeButton('playlist', playlist), kept?.button,
        playlists.mayMake && role !== 'owner' ? act('pin', 'star', t(pinned ? 'playlists.unpin' : 'playlists.pin'), () => this.#try(() => playlists.pin(playlist.id, !pinned)), {'aria-pressed': String(pinned), class: `icon-button like-button`}) : null,
        role !== 'listener' ? act('edit', 'edit', t('playlists.edit'), () => openPlaylistForm({playlist: rows.playlist})) : null,
        role === 'owner' && playlist.rule ? act('rule', 'settings', t('playlists.rule.edit'), () => this.#editRule()) : null,
        visibility === 'private' ? null : act('link', 'link', t('playlists.link'), () => copyLink(`/playlists/${playlist.id}`)), more,
      ].filter(Boolean),
    });
  }

  /** What the menu of the playlist offers. */
  #items({id, role, visibility, rule}) {
    return [
      {icon: 'queue', label: t('track.act.queue'), run: () => this.#try(async () => solo.add(await this.#tracks()))},
      ...session.features.has('discovering') && this.#rows.total > 0 && rule === null ? [{icon: 'wave', label: t('track.act.radio'), run: () => this.#try(() => startRadio({playlist: id}, this.#rows.playlist.title))}] : [],
      ...playlists.mayMake ? [{icon: 'copy', label: t('playlists.copy'), run: () => this.#try(async () => { const made = await playlists.copy(id); toast(t('playlists.copied', {title: made.title}), {kind: 'ok'}); await navigate(`/playlists/${made.id}`); })}] : [],
      {icon: 'download', label: t('playlists.save-as'), run: () => openSave(this.#rows.playlist)},
      ...visibility === 'private' ? [] : [{icon: 'link', label: t('playlists.link'), run: () => copyLink(`/playlists/${id}`)}, {icon: 'share', label: t('track.act.share'), run: () => this.#try(() => share('playlist', this.#rows.playlist))}],
      ...role !== 'listener' && rule === null ? [{icon: 'people', label: t('playlists.collaborators'), run: () => openCollaborators(this.#rows.playlist)}] : [],
      ...role === 'collaborator' ? [{icon: 'door', label: t('playlists.leave'), isDanger: true, run: () => this.#try(async () => { await playlists.leave(id); await this.show(); })}] : [],
      ...role === 'owner' ? [{icon: 'trash', label: t('playlists.delete'), isDanger: true, run: () => deleted(this.#rows.playlist)}] : [],
    ];
  }

  /** The rule in words, made anew only when it is another. */
  #words(rule) {
    const content = JSON.stringify(rule);
    if (this.#said?.content !== content) this.#said = {content, element: ruleWords(rule)};
    return this.#said.element;
  }

  #editRule() {
    return openLater(() => import('../playlist-dialog/rule-form.js'), async ({openRuleForm}) => {
      const changed = await openRuleForm({playlist: this.#rows.playlist});
      if (changed) await this.show();
    });
  }

  async #try(work) {
    try { await work(); } catch (error) { toast(describe(error), {kind: 'error'}); }
  }

  #tracks() { return this.#rows.between(0, Math.min(this.#rows.total, PLAYED)); }
  #play() { return this.#try(async () => solo.play(await this.#tracks(), {index: 0, source: this.#source, shuffle: false})); }

  async #move(indexes, at) {
    const rows = this.#rows;
    await playlists.move(rows.playlist.id, indexes.map((index) => rows.entryAt(index)?.id).filter(Boolean), at);
    await rows.refresh();
  }

  #remove(indexes) { return removedEntries(this.#rows, indexes); }

  #empty(mayEdit) {
    return h('div', {class: 'empty'}, icon('music'), h('h2', {}, t('playlists.empty')), h('p', {}, t(mayEdit ? 'playlists.empty.about' : 'playlists.empty.of-others')),
      mayEdit ? h('a', {class: 'button primary', href: '/library'}, icon('library'), t('music.to-library')) : null);
  }
}
customElements.define('playlist-page', PlaylistPage);
