// What a notification says, and where it leads.
import {userPath} from '../people-page/user-path.js';
import {i18n, t} from '../../store/i18n.js';
import {momentPath} from '../../store/moments.js';

const ICONS = {submission_decided: 'check', host_live: 'mic', room_opens: 'door', dj_asked: 'mic', dj_answered: 'mic', dj_soon: 'mic', dj_now: 'mic', follower: 'user', shared: 'share', purchase: 'star', import_finished: 'download', track_taken_down: 'warning', scrobbling_refused: 'warning'};

/** `{icon, text, more, href}`: a sentence, what somebody wrote to it or null, and an address of ours or null. */
export const wordsOf = ({kind, from, room, track, album, playlist, title, result, text, at_s: seconds = 0}) => {
  const name = from?.username ? `@${from.username}` : t('notices.somebody'), of = title ?? '';
  const key = [`notices.${kind}.${result}`, `notices.${kind}`].find((one) => i18n.has(one));
  const href = room ? `/r/${encodeURIComponent(room)}` : track ? momentPath(track, seconds * 1000) : album ? `/album/${album}` : playlist ? `/playlists/${playlist}` : from ? userPath(from) : null;
  return {
    icon: result === 'rejected' ? 'close' : ICONS[kind] ?? 'bell', text: key ? t(key, {name, title: of}) : of || t('notices.other'), more: text,
    // The room may be private until then: the answer is given beside one's own rooms.
    // A track that was taken down is nowhere.
    href: kind === 'track_taken_down' ? null : kind === 'scrobbling_refused' ? '/settings' : kind === 'dj_asked' ? '/rooms' : href,
  };
};
