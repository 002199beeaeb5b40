// Sharing music: by its link, by whatever the device shares with, or with somebody who follows one.
import {avatar} from '../avatar/avatar.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {clockTime} from '../../shell/times.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {momentPath} from '../../store/moments.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';

await i18n.also('sharing.');

const PATHS = {album: '/album/', playlist: '/playlists/'};
const TEXT_BYTES = 500;

const artistsOf = ({artists}) => (artists ?? []).map(({name}) => name).join(', ');

/** What one says of it: “I’m currently listening to … by …”. */
export const sentence = (kind, item) => {
  const title = item.title ?? item.name, artist = artistsOf(item);
  if (kind === 'playlist') return t('sharing.playlist', {title});
  return artist ? t('sharing.by', {title, artist}) : t('sharing.plain', {title});
};

/** Those who follow one, a button for each; `seconds` says which moment of the track is meant, 0 for none. */
const followers = (kind, item, note, seconds) => {
  const list = h('ul', {class: 'stack tight plain', role: 'list'}), state = h('p', {class: 'muted small', role: 'status'}, t('sharing.loading'));
  const send = async (user, button) => {
    button.disabled = true;
    const text = note.value.trim();
    try {
      await session.request('share.send', {user: user.uid, [kind]: item.id, ...text ? {text} : {}, ...seconds() ? {at_s: seconds()} : {}});
      button.textContent = t('sharing.sent');
      toast(t('sharing.sent-to', {name: user.username}), {kind: 'ok'});
    } catch (error) {
      button.disabled = false;
      toast(describe(error), {kind: 'error'});
    }
  };
  const load = async () => {
    try {
      const {users} = await session.request('people.followers', {user: me.data.user.uid, limit: 50});
      list.replaceChildren(...users.map(({user, ...card}) => {
        const button = h('button', {type: 'button', class: 'small-button', 'aria-label': t('sharing.send-to', {name: user.username}), onclick: () => send(user, button)}, t('sharing.send'));
        return h('li', {class: 'row between'}, h('span', {class: 'row tight'}, avatar({user, ...card}), h('span', {}, `@${user.username}`)), button);
      }));
      state.textContent = users.length ? '' : t('sharing.nobody');
    } catch (error) {
      state.textContent = describe(error);
    }
  };
  load();
  return [state, list];
};

/** Where this device is in a track, ms; 0 in one that it does not play, and in a preview, which is a piece from anywhere. */
const placeIn = ({id, access}) => solo.track?.id === id && access !== 'preview' ? solo.position : 0;

/**
 * Opens the dialog for a track, an album or a playlist. Of a track that is heard just now, at `place` ms, the link can lead to that
 * moment; `isMoment` says that it does at first.
 */
export const openShareMusic = (kind, item, {place = kind === 'track' ? placeIn(item) : 0, isMoment = false} = {}) => {
  const title = item.title ?? item.name, hasMoment = place >= 1000;
  const linkTo = (moment) => location.origin + (kind === 'track' ? momentPath(item.id, moment) : PATHS[kind] + item.id);
  let from = hasMoment && isMoment ? place : 0, link = linkTo(from);
  const field = h('input', {type: 'text', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: ({target}) => target.select()});
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      toast(t('share.copied'), {kind: 'ok'});
    } catch {
      // An address that is not secure has no clipboard: the link is selected to be copied by hand.
      field.focus();
      field.select();
    }
  };
  const note = h('input', {type: 'text', 'aria-label': t('sharing.note'), placeholder: t('sharing.note'), maxlength: TEXT_BYTES / 2, dir: 'auto'});
  return dialog({title: t('sharing.title', {title}), body: [
    h('p', {dir: 'auto'}, sentence(kind, item)),
    h('div', {class: 'row tight'}, h('div', {class: 'grow'}, field),
      h('button', {class: 'icon-button', type: 'button', 'aria-label': t('share.copy'), onclick: copy}, icon('copy')),
      navigator.share ? h('button', {class: 'icon-button', type: 'button', 'aria-label': t('share.send'),
        onclick: () => navigator.share({title, text: sentence(kind, item), url: link}).catch(() => {})}, icon('share')) : ''),
    hasMoment ? toggle({name: 'moment', label: t('sharing.from', {time: clockTime(place)}), checked: isMoment, onchange: (isOn) => {
      from = isOn ? place : 0;
      link = linkTo(from);
      field.value = link;
    }}) : '',
    server.has('sharing') && me.may('people.follow') ? h('div', {class: 'stack tight'}, h('h3', {}, t('sharing.people')), note, followers(kind, item, note, () => Math.floor(from / 1000))) : '',
  ]});
};
