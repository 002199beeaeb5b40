// What the parts of the administration share: lists in pages, names of people, rooms and tracks, sizes and times, and acts that are told.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';

/** Lengths of bans, s; null is for good. */
export const LENGTHS = [[3600, 'admin.for.hour'], [86_400, 'member.for.day'], [604_800, 'admin.for.week'], [2_592_000, 'admin.for.month'], [null, 'member.for.good']];

/** Asks the server. Permissions that were taken away meanwhile are asked for again: the page then refuses as a whole. */
export const ask = async (type, data = {}) => {
  try {
    return await session.request(type, data);
  } catch (error) {
    if (error.code === 'auth.forbidden') me.load();
    throw error;
  }
};

/** Whether the work succeeded; `done` says so in a toast, and a failure is told in one. */
export const attempt = async (work, done = null) => {
  try {
    await work();
  } catch (error) {
    toast(describe(error), {kind: 'error'});
    return false;
  }
  if (done) toast(done, {kind: 'ok'});
  return true;
};

export const time = ms => h('time', {class: 'muted small', datetime: new Date(ms).toISOString()}, i18n.date(ms));

/** How long ago something was, in words; the time itself is in the element. */
export const ago = (ms) => {
  const seconds = Math.max(0, (Date.now() - ms) / 1000);
  const [unit, size] = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]].find(([, one]) => seconds >= one) ?? ['second', 1];
  return h('time', {datetime: new Date(ms).toISOString(), title: i18n.date(ms)}, i18n.relative(-Math.floor(seconds / size), unit));
};

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
/** A number of bytes, in the units that the operator's options have. */
export const bytes = (count) => {
  const power = Math.min(SIZES.length - 1, count < 1 ? 0 : Math.floor(Math.log2(count) / 10));
  return `${i18n.number(count / 1024 ** power, {maximumFractionDigits: power < 2 ? 0 : 1})}\u00a0${SIZES[power]}`;
};

/** Until when something holds. */
export const until = ms => ms === null ? t('member.for.good') : t('room-settings.banned.until', {time: i18n.date(ms)});

/**
 * A list that is fetched page by page. `next(cursor)` answers `{items, cursor}`, the cursor null on the last page;
 * `row(item, self)` makes an element; `self.put(item)` draws it anew, `self.drop()` takes it away. Both keep the focus near.
 */
export const pages = ({next, row, none}) => {
  const list = h('ul', {class: 'list admin-list', tabindex: '-1'}), status = h('p', {class: 'muted', role: 'status'});
  const more = h('button', {type: 'button', hidden: true}, t('home.more'));
  let cursor = null, turn = 0;
  const made = item => {
    let element;
    const self = {
      put(changed) {
        const before = element;
        element = row(changed, self);
        before.replaceWith(element);
        (element.querySelector('button, a') ?? list).focus();
      },
      drop() {
        element.remove();
        list.focus();
        if (list.childElementCount > 0) return;
        // The list is over only where no page is left.
        if (cursor === null) status.textContent = none;
        else if (!more.disabled) load();
      },
    };
    return element = row(item, self);
  };
  const load = async () => {
    const mine = turn;
    more.disabled = true;
    try {
      const page = await next(cursor);
      if (mine !== turn) return;
      list.append(...page.items.map(made));
      cursor = page.cursor;
      more.hidden = cursor === null;
      more.textContent = t('home.more');
      status.textContent = list.childElementCount === 0 && cursor === null ? none : '';
    } catch (error) {
      if (mine !== turn) return;
      more.hidden = false;
      more.textContent = t('load.again');
      status.textContent = describe(error);
    } finally {
      more.disabled = false;
    }
  };
  more.addEventListener('click', load);
  const again = () => {
    turn += 1;
    cursor = null;
    list.replaceChildren();
    more.hidden = true;
    status.textContent = t('load.waiting');
    return load();
  };
  return {element: h('div', {class: 'stack'}, list, status, h('div', {class: 'row'}, more)), again};
};

const known = new Map();

/** Asks once, and not again for a while. */
const once = (key, work) => {
  if (!known.has(key)) {
    if (known.size > 500) known.clear();
    known.set(key, work().catch(() => { known.delete(key); return null; }));
  }
  return known.get(key);
};

/** A user's name as a link. Guests, and accounts that are gone, are named by the first letters of their identifier. */
export const person = (uid) => {
  const element = h('a', {href: `/u/${encodeURIComponent(uid)}`, dir: 'auto'}, t('people.here.guest', {mark: uid.slice(0, 3)}));
  once(uid, () => session.request('user.get', {user: uid})).then(found => { if (found?.user.username) element.textContent = `@${found.user.username}`; });
  return element;
};

/** A room's title as a link. The title of one that we may not see is not known: its identifier stands there. */
export const roomLink = (id) => {
  const element = h('a', {href: `/r/${encodeURIComponent(id)}`, dir: 'auto'}, id);
  once(id, () => session.request('room.get', {room: id})).then(found => { if (found) element.textContent = found.room.title; });
  return element;
};

/** A track's title as a link. A track that is gone is named by its identifier. */
export const trackLink = (id) => {
  const element = h('a', {class: 'entry-title', href: `/track/${encodeURIComponent(id)}`, dir: 'auto'}, id);
  once(id, () => session.request('track.get', {track: id})).then((found) => {
    if (found) element.textContent = [found.track.title, found.track.artists.map(({name}) => name).join(', ')].filter(Boolean).join(' – ');
  });
  return element;
};

/** A command or a line of a file, with a button that copies it. */
export const command = (text, label) => h('div', {class: 'admin-command'}, h('pre', {tabindex: '0', 'aria-label': label}, h('code', {}, text)),
  h('button', {
    type: 'button', class: 'icon-button', 'aria-label': t('admin.copy'),
    onclick: () => attempt(() => navigator.clipboard.writeText(text), t('admin.copied')),
  }, icon('copy')));
