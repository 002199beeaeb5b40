// Bringing others along: the room's link, its QR code, and invites where one needs them.
import {dialog} from '../../shell/dialogs.js';
import {h, s} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {session} from '../../store/session.js';
import {qrCode} from '../../wire/qr.js';

await Promise.all([i18n.also('solo.'), i18n.also('sharing.')]);

/** How much light a code needs around it, modules. */
const QUIET = 4;

/** A code as a picture: dark on light in every theme, as readers want it. */
export function qrPicture(text) {
  const rows = qrCode(text), size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) => [...row].flatMap((dark, x) => dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])).join('');
  return s('svg', {class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': t('share.qr'), 'shape-rendering': 'crispEdges'},
    s('rect', {width: size, height: size, class: 'light'}), s('path', {d: path, class: 'dark'}));
}

/** “I’m currently listening to … by …”, of what the room plays; null while it plays nothing that has a name. */
const sentenceOf = ({room, track}) => {
  if (!room.live || !track?.title) return null;
  return track.artist ? t('sharing.by', {title: track.title, artist: track.artist}) : t('sharing.plain', {title: track.title});
};

/** Whether others may hear of it: an upload that is its owner's alone is not for sharing. */
const isShared = ({owner, status}) => !owner || status === 'approved';

/** A button for the moment of the track that the room plays, where that is one of the library; empty until it is known. */
const momentButton = (room, close) => {
  const place = h('span', {}), music = room.room.live ? room.track?.music ?? null : null;
  if (music === null) return place;
  library.track(music).then((track) => {
    if (!isShared(track)) return;
    place.replaceChildren(h('button', {type: 'button', class: 'small-button quiet', onclick: async () => {
      // Where the room is when it is pressed, as long as it plays that track.
      const now = room.track?.music === music ? (room.playback?.position(Math.round(room.now)) ?? 0) / 1000 : 0;
      const {openShareMusic} = await import('./share-music.js');
      close();
      openShareMusic('track', track, {place: Math.min(now, track.duration_ms), isMoment: true});
    }}, icon('music'), t('sharing.moment')));
  }, () => { /* Not a track that one may see. */ });
  return place;
};

const linkOf = (room, code) => `${location.origin}/r/${room.id}${code ? `#${code}` : ''}`;

/** Opens the dialog for a RoomStore. */
export function openShare(room) {
  const place = h('div', {class: 'stack'}), isPrivate = room.room.visibility === 'private';
  const show = code => {
    // Nobody comes in by the plain link of a private room.
    if (isPrivate && !code && room.may('host')) {
      place.replaceChildren(
        h('p', {}, t('share.private')),
        h('button', {class: 'primary', type: 'button', onclick: ({currentTarget}) => invite(currentTarget)}, icon('link'), t('share.invite')));
      return;
    }
    const link = linkOf(room, code);
    const field = h('input', {type: 'text', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: ({target}) => target.select()});
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(link);
        toast(t('share.copied'), {kind: 'ok'});
      } catch {
        // Without a secure context there is no clipboard, so the link is selected to be copied by hand.
        field.focus();
        field.select();
      }
    };
    const said = sentenceOf(room);
    place.replaceChildren(
      qrPicture(link), said ? h('p', {class: 'share-sentence', dir: 'auto'}, said) : '',
      h('div', {class: 'row tight'}, h('div', {class: 'grow'}, field),
        h('button', {class: 'icon-button', type: 'button', 'aria-label': t('share.copy'), onclick: copy}, icon('copy')),
        navigator.share ? h('button', {
          class: 'icon-button', type: 'button', 'aria-label': t('share.send'),
          onclick: () => navigator.share({title: room.title, url: link, text: sentenceOf(room) ?? undefined}).catch(() => {}),
        }, icon('share')) : ''),
      h('p', {class: 'muted small'}, t(code ? 'share.invite-explained' : isPrivate ? 'share.private' : 'share.explained')),
      room.may('host') && !code ? h('button', {type: 'button', onclick: ({currentTarget}) => invite(currentTarget)}, icon('link'), t('share.invite')) : '');
  };
  const invite = async button => {
    button.disabled = true;
    try {
      show((await session.request('invite.create', {room: room.id})).code);
      place.querySelector('input')?.focus();
    } catch (error) {
      button.disabled = false;
      toast(describe(error), {kind: 'error'});
    }
  };
  const embed = async () => {
    const code = `<iframe src="${location.origin}/embed/r/${room.id}" width="420" height="150" style="border:0;border-radius:14px" allow="autoplay" loading="lazy" title="${room.title.replace(/[&"<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)}"></iframe>`;
    try {
      await navigator.clipboard.writeText(code);
      toast(t('embed.copied'), {kind: 'ok'});
    } catch {
      const field = h('textarea', {readonly: true, rows: 4, 'aria-label': t('embed.code')}, code);
      place.append(field);
      field.select();
    }
  };
  show(isPrivate ? room.invite : null);
  const element = dialog({title: t('share.title', {room: room.title}), body: [place, h('div', {class: 'row tight'},
    h('a', {class: 'button small-button quiet', href: `/r/${room.id}?display`, onclick: () => element.close()}, icon('expand'), t('display.open')),
    momentButton(room, () => element.close()),
    session.features.has('other_players') && session.user ? h('button', {type: 'button', class: 'small-button quiet', dataset: {act: 'players'}, onclick: async () => {
      const {openOtherPlayers} = await import('./other-players-dialog.js');
      element.close();
      openOtherPlayers(room);
    }}, icon('speaker'), t('sharing.players')) : null,
    isPrivate ? null : h('button', {type: 'button', class: 'small-button quiet', onclick: embed}, icon('link'), t('embed.code')))]});
  return element;
}
