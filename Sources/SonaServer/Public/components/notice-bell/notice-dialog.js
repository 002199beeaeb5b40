// The list of notifications, and what becomes of each kind of them.
import {wordsOf} from './words.js';
import {avatar} from '../avatar/avatar.js';
import {ago} from '../../shell/ago.js';
import {dialog} from '../../shell/dialogs.js';
import {arrange, h} from '../../shell/dom.js';
import {toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {notices} from '../../store/notices.js';
import {session} from '../../store/session.js';

await i18n.also('notices.');

const tell = (work) => work.catch((error) => toast(describe(error), {kind: 'error'}));

const row = (notice, close) => {
  const {icon: symbol, text, more, href} = wordsOf(notice);
  const words = h('span', {class: 'notice-words'}, h('span', {dir: 'auto'}, text), more ? h('span', {class: 'muted small', dir: 'auto'}, more) : null, ago(notice.created_ms));
  const read = () => { if (!notice.read) tell(notices.read([notice.id])); };
  return h('li', {class: 'notice-row', dataset: {id: notice.id, kind: notice.kind}, 'data-unread': notice.read ? null : ''},
    notice.from ? h('span', {class: 'notice-picture'}, avatar(notice.from, 40)) : h('span', {class: 'notice-picture notice-symbol', 'aria-hidden': 'true'}, icon(symbol)),
    href ? h('a', {class: 'notice-link', href, onclick: () => { read(); close(); }}, words) : h('div', {class: 'notice-link'}, words),
    notice.read ? null : h('span', {class: 'notice-dot'}, h('span', {class: 'visually-hidden'}, t('notices.new'))),
    h('button', {type: 'button', class: 'icon-button', 'aria-label': t('notices.remove', {text}), title: t('notices.remove-it'), onclick: () => tell(notices.remove(notice.id))}, icon('close')));
};

/** Opens the list. */
export const openNotices = () => {
  const list = h('ul', {class: 'list notice-list', tabindex: '-1'}), status = h('p', {class: 'muted', role: 'status'}), rows = new Map();
  const more = h('button', {type: 'button', class: 'small-button', hidden: true, onclick: () => tell(notices.more())}, t('home.more'));
  const all = h('button', {type: 'button', class: 'small-button quiet', onclick: () => { tell(notices.read()); list.focus(); }}, icon('check'), t('notices.read-all'));
  const choose = h('button', {type: 'button', class: 'small-button quiet', 'aria-expanded': 'false', onclick: () => {
    const isOpen = preferences.hidden;
    preferences.hidden = !isOpen;
    choose.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) tell(prefer(preferences));
  }}, icon('settings'), t('notices.choose'));
  const preferences = h('div', {class: 'stack notice-preferences', hidden: true});
  const draw = () => {
    const at = [...list.children].findIndex((one) => one.contains(document.activeElement));
    for (const [id, known] of rows) if (!notices.list.includes(known.notice)) rows.delete(id);
    for (const notice of notices.list) if (!rows.has(notice.id)) rows.set(notice.id, {notice, element: row(notice, () => element.close())});
    arrange(list, notices.list.map(({id}) => rows.get(id).element));
    if (at >= 0 && !list.contains(document.activeElement)) (list.children[Math.min(at, list.children.length - 1)]?.querySelector('a, button') ?? list).focus();
    more.hidden = !notices.hasMore;
    all.hidden = notices.unread === 0;
    status.textContent = notices.error ? describe(notices.error) : notices.list.length ? '' : notices.isLoaded ? t('notices.none') : t('load.waiting');
    status.toggleAttribute('data-none', notices.isLoaded && !notices.list.length);
  };
  const element = dialog({
    title: t('notices.title'), body: [h('div', {class: 'row between'}, choose, all), preferences, list, status, h('div', {class: 'row center'}, more)],
    onclose: () => notices.removeEventListener('change', draw),
  });
  element.classList.add('notice-dialog');
  notices.addEventListener('change', draw);
  draw();
  if (!notices.isLoaded) notices.load().catch(() => { /* `error` says it. */ });
  return element;
};

/** Which kinds are told, and which come by mail. */
const prefer = async (place) => {
  const {kinds, can_mail: canMail} = await session.request('notifications.preferences');
  const set = (kind, change, input) => session.request('notifications.configure', {kind, ...change}).catch((error) => {
    input.checked = !input.checked;
    toast(describe(error), {kind: 'error'});
  });
  place.replaceChildren(h('p', {class: 'muted small'}, t(canMail ? 'notices.choose.about' : 'notices.choose.no-mail')),
    ...kinds.filter(({kind}) => i18n.has(`notices.kind.${kind}`)).map(({kind, show, mail}) => {
      const mailed = canMail && h('label', {class: 'check small'}, h('input', {type: 'checkbox', name: `mail-${kind}`, checked: mail, disabled: !show, onchange: ({target}) => set(kind, {mail: target.checked}, target)}), h('span', {}, t('notices.mail')));
      return h('div', {class: 'notice-kind'}, toggle({name: `show-${kind}`, label: t(`notices.kind.${kind}`), checked: show, onchange: (is, input) => {
        if (mailed) mailed.firstElementChild.disabled = !is;
        set(kind, {show: is}, input);
      }}), mailed);
    }));
};
