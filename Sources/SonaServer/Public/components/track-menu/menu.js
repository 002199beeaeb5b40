// A menu: beside what opened it, or at a place of the page; on a phone at the foot.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {navigate} from '../../router.js';

await looks('track-menu.css', import.meta.url);

let open = null;

/** Puts the menu where it has room. On a phone the style sheet has it at the foot. */
const put = (menu, anchor, at) => {
  const {width, height} = menu.getBoundingClientRect(), edge = 8;
  const box = at ? {left: at.x, right: at.x, top: at.y, bottom: at.y} : anchor.getBoundingClientRect();
  const isAtEnd = !at && box.width < 100;
  let x = isAtEnd ? box.right - width : at ? box.left : box.left + 56, y = box.bottom + (at ? 0 : 4);
  if (x + width > innerWidth - edge) x = at ? box.left - width : innerWidth - width - edge;
  if (y + height > innerHeight - edge) y = box.top - height - (at ? 0 : 4) > edge ? box.top - height - (at ? 0 : 4) : innerHeight - height - edge;
  menu.style.left = `${Math.max(edge, x)}px`;
  menu.style.top = `${Math.max(edge, y)}px`;
};

/** Arrow keys, Home, End and first letters move the focus; Tab leaves. Source: ARIA Authoring Practices, "Menu". */
const moves = (menu) => (event) => {
  const items = [...menu.querySelectorAll('[role=menuitem]')], at = items.indexOf(document.activeElement), {key} = event;
  const to = {ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1}[key];
  if (to !== undefined) items[to].focus();
  else if (key === 'Tab' || key === 'Escape') menu.hidePopover();
  else if (key === ' ' && at >= 0) items[at].click();
  else if (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    [...items.slice(at + 1), ...items.slice(0, at + 1)].find(({textContent}) => textContent.trim().toLowerCase().startsWith(key.toLowerCase()))?.focus();
  } else return;
  event.stopPropagation();
  // Tab goes on from where the menu was opened.
  if (key !== 'Tab') event.preventDefault();
};

/**
 * Opens a menu named `title`, beside `anchor`, which gets the focus back, or at a place of the page `at` `{x, y}`. Items are
 * `{icon, label, run | href, group, isDanger}`; a line stands between groups.
 */
export const openMenu = ({title, anchor = null, at = null, items}) => {
  open?.hidePopover();
  let givesBack = true;
  const close = (back = true) => {
    givesBack = back;
    menu.hidePopover();
  };
  const run = async (item) => {
    close();
    try { await item.run(); } catch (error) { toast(describe(error), {kind: 'error'}); }
  };
  const element = (item, index) => {
    const content = [icon(item.icon), h('span', {}, item.label)], options = {role: 'menuitem', tabindex: '-1', class: `menu-item${item.isDanger ? ' danger-item' : ''}`};
    return [index > 0 && items[index - 1].group !== item.group ? h('div', {role: 'separator'}) : null, item.href
      ? h('a', {...options, href: item.href, onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        close(false);
        navigate(item.href);
      }}, content)
      : h('button', {...options, type: 'button', onclick: () => run(item)}, content)];
  };
  const menu = h('div', {class: 'track-menu', role: 'menu', popover: 'auto', 'aria-label': t('track.more', {title})},
    h('p', {class: 'menu-title truncate', role: 'presentation', 'aria-hidden': 'true', dir: 'auto'}, title), items.map(element));
  menu.addEventListener('keydown', moves(menu));
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  menu.addEventListener('toggle', ({newState}) => {
    if (newState !== 'closed') return;
    const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (open === menu) open = null;
    if (anchor?.getAttribute('aria-expanded')) anchor.setAttribute('aria-expanded', 'false');
    if (givesBack && hadFocus) anchor?.focus({preventScroll: true});
  });
  // Outside of an open dialog nothing can be pressed, and outside of landmarks nothing is looked for.
  (anchor?.closest('dialog, main, [role=region]') ?? document.body).append(menu);
  menu.showPopover();
  put(menu, anchor, at);
  if (anchor?.matches('button')) anchor.setAttribute('aria-expanded', 'true');
  menu.querySelector('[role=menuitem]').focus({preventScroll: true});
  open = menu;
  return menu;
};
