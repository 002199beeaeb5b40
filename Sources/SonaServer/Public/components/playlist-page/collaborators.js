// Who edits a playlist together, and the link that lets others do so.
import {avatar} from '../avatar/avatar.js';
import {userPath} from '../people-page/user-path.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {playlists} from '../../store/playlists.js';

/** Opens the people of a playlist. */
export const openCollaborators = (playlist) => {
  const isOwner = playlist.role === 'owner', list = h('ul', {class: 'list'}), status = h('p', {class: 'muted', role: 'status'}, t('load.waiting')), place = h('div', {class: 'stack tight'});
  const tell = (error) => toast(describe(error), {kind: 'error'});
  const load = async () => {
    const {people, invite_expires_ms: until} = await askPatiently('playlist.collaborators', {playlist: playlist.id});
    list.replaceChildren(...people.map((user) => h('li', {class: 'row'}, avatar(user, 40), h('a', {class: 'grow', href: userPath(user)}, user.username ? `@${user.username}` : t('name.none')),
      isOwner ? h('button', {type: 'button', class: 'small-button quiet', onclick: once(async () => { try { await playlists.leave(playlist.id, user.uid); await load(); place.querySelector('button')?.focus(); } catch (error) { tell(error); } })}, t('playlists.collaborators.remove')) : null)));
    status.textContent = people.length ? '' : t('playlists.collaborators.none');
    if (isOwner) drawInvite(until);
  };
  const drawInvite = (until, path = null) => {
    const link = path && h('input', {type: 'text', readonly: true, value: new URL(path, location.origin).href, 'aria-label': t('playlists.invite.link'), onfocus: ({target}) => target.select()});
    place.replaceChildren(...[
      h('p', {class: 'muted small'}, until ? t('playlists.invite.until', {time: i18n.date(until)}) : t('playlists.invite.about')),
      link ? h('div', {class: 'with-button'}, link, h('button', {type: 'button', class: 'small-button', onclick: () => navigator.clipboard.writeText(link.value).then(() => toast(t('track.link-copied'), {kind: 'ok'}), () => link.select())}, icon('copy'), t('playlists.invite.copy'))) : null,
      h('div', {class: 'row tight'}, h('button', {type: 'button', class: link ? 'small-button' : 'primary', onclick: once(async () => {
        try {
          const made = await askPatiently('playlist.invite', {playlist: playlist.id});
          drawInvite(made.expires_ms, made.path);
          place.querySelector('input').focus();
        } catch (error) { tell(error); }
      })}, icon('link'), t(until ? 'playlists.invite.new' : 'playlists.invite.make')),
      until ? h('button', {type: 'button', class: 'small-button quiet', onclick: once(async () => {
        try {
          await askPatiently('playlist.invite', {playlist: playlist.id, revoke: true});
          drawInvite(null);
          place.querySelector('button').focus();
        } catch (error) { tell(error); }
      })}, t('playlists.invite.end')) : null),
    ].filter(Boolean));
  };
  const element = dialog({title: t('playlists.collaborators'), body: [list, status, place]});
  load().catch((error) => { status.textContent = describe(error); });
  return element;
};
