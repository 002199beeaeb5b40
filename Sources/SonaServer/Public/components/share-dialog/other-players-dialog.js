// Where other players hear a room, and how programs that speak Icecast play into it.
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {speakersPart} from './speakers-part.js';

await i18n.also('players.');

/** A text to copy, under its name. */
const copied = (label, text) => {
  const field = h('input', {type: 'text', readonly: true, value: text, 'aria-label': label, onfocus: ({target}) => target.select()});
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t('players.copied'), {kind: 'ok'});
    } catch {
      // Without a secure context there is no clipboard, so the text is selected to be copied by hand.
      field.focus();
      field.select();
    }
  };
  return h('div', {class: 'stack'}, h('span', {class: 'muted small'}, label), h('div', {class: 'row tight'}, h('div', {class: 'grow'}, field),
    h('button', {class: 'icon-button', type: 'button', 'aria-label': t('players.copy', {name: label}), onclick: copy}, icon('copy'))));
};

/** What is told of the room's source; `key` is one that was just made. */
const sourcePart = (room, place, source, key = null) => {
  const ask = (type) => async () => {
    if (type === 'source.make_key' && source.key_made_ms !== null
      && !await confirm({title: t('players.new.title'), text: t('players.new.text'), action: t('players.new')})) return;
    try {
      const made = await session.request(type, {room: room.id});
      sourcePart(room, place, made.source, made.key ?? null);
    } catch (error) { toast(describe(error), {kind: 'error'}); }
  };
  const has = source.key_made_ms !== null;
  place.replaceChildren(
    h('h3', {}, t('players.source')),
    h('p', {class: 'muted'}, t('players.source.about')),
    copied(t('players.host'), location.hostname), copied(t('players.port'), String(source.port)), copied(t('players.mount'), source.mount),
    key === null ? '' : copied(t('players.key'), key), key === null ? '' : h('p', {class: 'notice'}, t('players.key.once')),
    h('div', {class: 'row tight'},
      h('button', {type: 'button', dataset: {act: 'make-key'}, onclick: ask('source.make_key')}, t(has ? 'players.new' : 'players.make')),
      has ? h('button', {type: 'button', class: 'quiet', dataset: {act: 'revoke-key'}, onclick: ask('source.revoke_key')}, t('players.revoke')) : ''));
};

/** Opens the dialog for a RoomStore. */
export const openOtherPlayers = async (room) => {
  let paths, source = null, speakers = null;
  try {
    paths = await session.request('listen.addresses', {room: room.id});
    if (room.may('manage')) {
      ({source} = await session.request('source.get', {room: room.id}));
      if (session.features.has('speakers')) speakers = await session.request('speaker.list', {room: room.id});
    }
  } catch (error) { return void toast(describe(error), {kind: 'error'}); }
  const place = h('div', {class: 'stack'}), loud = h('div', {class: 'stack'}), address = (path) => `${location.origin}${path}`;
  if (source !== null && source.port !== null) sourcePart(room, place, source);
  if (speakers !== null && speakers.port !== null) speakersPart(room, loud, speakers);
  return dialog({title: t('players'), body: [
    h('p', {class: 'muted'}, t('players.about')),
    copied(t('players.opus'), address(paths.opus)), copied(t('players.mp3'), address(paths.mp3)), copied(t('players.list'), address(paths.m3u)),
    paths.expires_ms === null ? '' : h('p', {class: 'notice'}, t('players.signed')),
    loud, place,
  ]});
};
