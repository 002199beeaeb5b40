// The bell in the frame: how many notifications were not read, and what they say.
import {wordsOf} from './words.js';
import {navigate} from '../../router.js';
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {notices} from '../../store/notices.js';

await Promise.all([i18n.also('notices.'), looks('notice-bell.css', import.meta.url)]);

/** More than so many are not counted. */
const MOST = 99;

export const open = () => openLater(() => import('./notice-dialog.js'), ({openNotices}) => openNotices());

/** The button. It is hidden from those who have no notifications. */
export const bell = () => {
  const count = h('span', {class: 'badge bell-count', 'aria-hidden': 'true'});
  const button = h('button', {type: 'button', class: 'icon-button bell', 'aria-haspopup': 'dialog', onclick: open}, icon('bell'), count);
  const draw = () => {
    const {unread} = notices;
    button.hidden = !notices.isThere;
    button.setAttribute('aria-label', unread ? tn('notices.unread', unread) : t('notices.title'));
    button.title = t('notices.title');
    count.hidden = unread === 0;
    count.textContent = unread > MOST ? `${i18n.number(MOST)}+` : i18n.number(unread);
  };
  notices.addEventListener('change', draw);
  i18n.addEventListener('change', draw);
  draw();
  return button;
};

notices.addEventListener('added', ({detail}) => {
  if (document.querySelector('.notice-dialog')) return;
  const {text, href} = wordsOf(detail);
  toast(text, {action: {label: t('notices.look'), run: () => {
    if (!href) return void open();
    notices.read([detail.id]).catch(() => { /* It stays unread. */ });
    navigate(href);
  }}});
});
