// A shelf: things side by side that scroll to the side, by fingers, wheel, keys and two buttons.
import {h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';

await Promise.all([i18n.also('music.'), looks('shelf.css', import.meta.url)]);

/** `{title, href?, items, kind?}`: `items` are elements with the role of a list's item; `href` leads to all of them. */
export const shelf = ({title, href = null, items, kind = 'cards', level = 'h2'}) => {
  const id = uniqueId('shelf'), row = h('div', {class: 'shelf-row', role: 'list', 'aria-labelledby': id}, items);
  const scroll = (step) => row.scrollBy({left: step * row.clientWidth * 0.85 * (getComputedStyle(row).direction === 'rtl' ? -1 : 1), behavior: 'smooth'});
  const arrow = (symbol, label, step) => h('button', {type: 'button', class: 'icon-button', tabindex: '-1', 'aria-hidden': 'true', title: label, onclick: () => scroll(step)}, icon(symbol));
  const back = arrow('back', t('shelf.back'), -1), on = arrow('on', t('shelf.on'), 1);
  const look = () => {
    const left = Math.abs(row.scrollLeft), most = row.scrollWidth - row.clientWidth;
    back.disabled = left < 4;
    on.disabled = left > most - 4;
    arrows.hidden = most < 4;
  };
  const arrows = h('div', {class: 'shelf-arrows'}, back, on);
  row.addEventListener('scroll', look, {passive: true});
  new ResizeObserver(look).observe(row);
  row.addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key], at = [...row.children].indexOf(event.target.closest('[role=listitem]'));
    if (!step || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const link = row.children[at + step]?.querySelector('a');
    if (!link) return;
    event.preventDefault();
    link.focus();
  });
  return h('section', {class: `shelf of-${kind}`, 'aria-labelledby': id},
    h('div', {class: 'shelf-head'}, h(level, {id}, href ? h('a', {href}, title, icon('on')) : title), arrows), row);
};
