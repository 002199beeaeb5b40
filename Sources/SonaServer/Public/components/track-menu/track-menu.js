// The menu of tracks, by the other mouse button, the menu key or the button of a row. What can be done is a list that
// other parts of the page add to.
import {announce} from '../../shell/shell.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {likes} from '../../store/likes.js';
import {me} from '../../store/me.js';
import {playlists} from '../../store/playlists.js';
import {solo} from '../../store/solo.js';
import {session} from '../../store/session.js';
import {submissions} from '../../store/submissions.js';
import {mayEdit} from '../../store/track-changes.js';
import {openMenu} from './menu.js';
import {addToPlaylist, copyLink, download, editTags, likeAll, rate, remove, share, startRadio, takeDown} from './track-acts.js';

await i18n.also('music.');

const one = (tracks) => tracks.length === 1;
const isLiked = (tracks) => tracks.every((track) => likes.of('track', track).liked);
/** A caller's own uploads, or anybody's for a curator. Tracks of folders cannot be removed here. */
const mayRemove = (tracks) => tracks.every((track) => track.owner && mayEdit(track));

/** Whether others may hear of it at all: an upload that is its owner's alone is not for sharing. */
const isShared = ({owner, status}) => !owner || status === 'approved';

/**
 * What can be done with tracks: `{id, group, icon, label, shows?, href?, run?, danger?}`; each function is given the tracks and
 * the context of the menu. Entries of a group stand together, groups in the order of their numbers. `href` makes a link.
 */
export const trackActions = [
  {id: 'play', group: 1, icon: 'play', label: () => t('track.act.play'), run: (tracks, {source}) => solo.play(tracks, {index: 0, source})},
  {id: 'next', group: 1, icon: 'skip', label: () => t('track.act.next'), run: (tracks) => { solo.playNext(tracks); announce(tn('track.done.next', tracks.length)); }},
  {id: 'queue', group: 1, icon: 'queue', label: () => t('track.act.queue'), run: (tracks) => { solo.add(tracks); announce(tn('track.done.queue', tracks.length)); }},
  {id: 'radio', group: 1, icon: 'wave', shows: (tracks) => one(tracks) && session.features.has('discovering'), label: () => t('track.act.radio'), run: ([track]) => startRadio({track: track.id}, track.title)},
  {id: 'playlist', group: 2, icon: 'plus', shows: () => playlists.mayMake, label: () => t('track.act.playlist'), run: (tracks) => addToPlaylist(tracks)},
  {id: 'like', group: 2, icon: 'heart', shows: () => likes.isThere, label: (tracks) => t(isLiked(tracks) ? 'track.act.unlike' : 'track.act.like'), run: (tracks) => likeAll(tracks, !isLiked(tracks))},
  {id: 'rate', group: 2, icon: 'star', shows: () => likes.isThere, label: () => t('track.act.rate'), run: (tracks) => rate(tracks)},
  {id: 'select', group: 2, icon: 'check', label: () => t('track.act.select'), shows: (_, {select}) => Boolean(select), run: (_, {select}) => select()},
  {id: 'album', group: 3, icon: 'disc', label: () => t('track.act.album'), shows: (tracks) => one(tracks) && Boolean(tracks[0].album), href: ([{album}]) => `/album/${album.id}`},
  {id: 'artist', group: 3, icon: 'user', label: () => t('track.act.artist'), shows: (tracks) => one(tracks) && tracks[0].artists.length > 0, href: ([{artists}]) => `/artist/${artists[0].id}`},
  {id: 'track', group: 3, icon: 'wave', label: () => t('track.act.details'), shows: one, href: ([{id}]) => `/track/${id}`},
  {id: 'link', group: 4, icon: 'link', label: () => t('track.act.link'), shows: one, run: ([track]) => copyLink(`/track/${track.id}`)},
  {id: 'share', group: 4, icon: 'share', label: () => t('track.act.share'), shows: (tracks) => one(tracks) && isShared(tracks[0]), run: ([track]) => share('track', track)},
  {id: 'download', group: 4, icon: 'lower', label: () => t('track.act.download'), shows: (tracks) => one(tracks) && tracks[0].access === 'full' && me.may('library.download'), run: ([track]) => download(track)},
  {id: 'tags', group: 5, icon: 'edit', label: () => t('track.act.tags'), shows: (tracks) => tracks.every(mayEdit), run: (tracks) => editTags(tracks)},
  {id: 'submit', group: 5, icon: 'raise', label: () => t('track.act.submit'), shows: (tracks) => tracks.every((track) => submissions.mayChange(track) && (track.status === null || track.status === 'rejected')), run: async (tracks) => (await import('./submit-acts.js')).submit(tracks)},
  {id: 'withdraw', group: 5, icon: 'reply', label: () => t('track.act.withdraw'), shows: (tracks) => tracks.every((track) => submissions.mayChange(track) && ['pending', 'approved'].includes(track.status)), run: async (tracks) => (await import('./submit-acts.js')).withdraw(tracks)},
  {id: 'remove', group: 5, icon: 'close', danger: true, label: () => t('track.act.remove'), shows: mayRemove, run: (tracks) => remove(tracks)},
  {id: 'take-down', group: 5, icon: 'flag', danger: true, label: () => t('track.act.take-down'), shows: (tracks) => one(tracks) && Boolean(tracks[0].owner) && me.may('content.take_down'), run: ([track]) => takeDown(track)},
  {id: 'raise', group: 6, icon: 'raise', label: () => t('track.act.raise'), shows: (_, {list, indexes}) => Boolean(list?.editor) && indexes?.[0] > 0, run: (_, {list, indexes}) => list.shift(indexes, -1)},
  {id: 'lower', group: 6, icon: 'lower', label: () => t('track.act.lower'), shows: (_, {list, indexes}) => Boolean(list?.editor) && indexes?.at(-1) < list.rows.total - 1, run: (_, {list, indexes}) => list.shift(indexes, 1)},
  {id: 'from-playlist', group: 6, icon: 'close', danger: true, label: () => t('track.act.from-playlist'), shows: (_, {list}) => Boolean(list?.editor), run: (_, {list, indexes}) => list.takeOut(indexes)},
];

/**
 * Opens the menu of tracks at a place of the page `at` `{x, y}`, or beside the element `anchor`, which gets the focus back.
 * `context` is given to the actions, with `source`.
 */
export const openTrackMenu = (tracks, {anchor, at = null, source = null, context = {}} = {}) => {
  const given = {...context, source};
  return openMenu({
    title: one(tracks) ? tracks[0].title ?? t('track.gap') : tn('track.selected', tracks.length), anchor, at,
    items: trackActions.filter(({shows}) => shows?.(tracks, given) ?? true).sort((first, second) => first.group - second.group).map((action) => ({
      icon: action.icon, group: action.group, isDanger: action.danger, label: action.label(tracks, given),
      ...action.href ? {href: action.href(tracks)} : {run: () => action.run(tracks, given)},
    })),
  });
};
