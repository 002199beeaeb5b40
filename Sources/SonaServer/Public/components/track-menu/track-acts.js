// What the menu of tracks does that takes more than a line.
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toast} from '../../shell/toasts.js';
import {t, tn} from '../../store/i18n.js';
import {likes} from '../../store/likes.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';
import {removeTrack, trackChanges} from '../../store/track-changes.js';

/** Tracks of a radio. */
const RADIO = 50;

/** Copies the address of a page of ours. */
export const copyLink = async (path) => {
  const {href} = new URL(path, location.origin);
  try {
    await navigator.clipboard.writeText(href);
    toast(t('track.link-copied'), {kind: 'ok'});
  } catch {
    // An address that is not secure has no clipboard: it is shown to be copied by hand.
    toast(href);
  }
};

/** Fetches the file with the token of the sign-in, which a link cannot send, and hands it to the browser. */
export const download = async (track) => {
  toast(t('track.downloading', {title: track.title}));
  const answer = await fetch(`/v1/tracks/${track.id}/download`, {headers: {authorization: `Bearer ${await session.freshToken()}`}});
  if (!answer.ok) throw (await answer.json().catch(() => ({}))).error ?? new TypeError('The download did not come.');
  const name = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(await answer.blob());
  const link = h('a', {href: address, download: name ? decodeURIComponent(name) : track.title, hidden: true});
  document.body.append(link);
  link.click();
  link.remove();
  // The browser takes a moment to begin.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Likes all of some tracks, or none of them any more. */
export const likeAll = async (tracks, liked) => {
  for (const track of tracks) if (likes.of('track', track).liked !== liked) await likes.set('track', track, liked);
};

/** Opens the playlists that tracks can be added to. */
export const addToPlaylist = async (tracks) => (await import('../playlist-dialog/add-dialog.js')).openAddToPlaylist(tracks);

/** Opens the stars. */
export const rate = async (tracks) => (await import('../rating-dialog/rating-dialog.js')).openRating('track', tracks);

/** Plays tracks that go with a `{track}`, `{artist}` or `{genre}`. */
export const startRadio = async (seed, name) => {
  const {tracks} = await askPatiently('radio.start', {...seed, limit: RADIO});
  const [[kind, id]] = Object.entries(seed);
  if (tracks.length) await solo.play(tracks, {index: 0, source: {kind: 'radio', id, name: t('track.radio-of', {name}), href: `/${kind === 'playlist' ? 'playlists' : kind}/${id}`}, shuffle: false});
};

/** Opens the dialog that shares a track, an album or a playlist. */
export const share = async (kind, item) => (await import('../share-dialog/share-music.js')).openShareMusic(kind, item);

/** Takes an upload down for everybody and refuses its content, when that is what is wanted. */
export const takeDown = async (track) => {
  const isSure = await confirm({title: t('track.take-down', {title: track.title}), text: t('track.take-down.sure'), action: t('track.act.take-down'), danger: true});
  if (!isSure) return;
  await session.request('content.take_down', {kind: 'track', track: track.id});
  trackChanges.tell('removed', {ids: [track.id]});
  toast(t('track.taken-down'), {kind: 'ok'});
};

/** Opens the tags for correction. */
export const editTags = async (tracks) => (await import('../tags-dialog/tags-dialog.js')).openTags(tracks);

/** Removes uploads for good, when that is what is wanted. */
export const remove = async (tracks) => {
  const isSure = await confirm({
    title: tn('track.remove', tracks.length), text: t('track.remove-sure', {title: tracks[0].title}), action: t('track.act.remove'), danger: true,
  });
  if (!isSure) return;
  for (const {id} of tracks) await removeTrack(id);
  toast(tn('track.removed', tracks.length), {kind: 'ok'});
};
