// One to five stars for something, or none.
import {dialog} from '../../shell/dialogs.js';
import {h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {likes} from '../../store/likes.js';

await Promise.all([i18n.also('liked.'), looks('../like-button/like-button.css', import.meta.url)]);

/** Opens the stars of some things of a kind; they show what is thought of the first. */
export const openRating = (kind, items) => {
  const name = uniqueId('stars');
  let rating = likes.of(kind, items[0]).rating ?? 0;
  const draw = () => {
    for (const label of group.querySelectorAll('label')) label.toggleAttribute('data-filled', Number(label.dataset.stars) <= rating);
    words.textContent = rating ? tn('liked.stars', rating) : t('liked.no-stars');
    none.hidden = rating === 0;
  };
  const rate = async (value) => {
    rating = value;
    draw();
    try {
      for (const item of items) await likes.rate(kind, item, value || null);
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  };
  const words = h('p', {class: 'muted', role: 'status'});
  const none = h('button', {type: 'button', class: 'small-button quiet', onclick: () => {
    for (const input of group.querySelectorAll('input')) input.checked = false;
    rate(0);
    group.querySelector('input').focus();
  }}, t('liked.rate-none'));
  const group = h('div', {class: 'stars', role: 'radiogroup', 'aria-label': t('liked.rating')}, [1, 2, 3, 4, 5].map((stars) => h('label', {dataset: {stars}},
    h('input', {type: 'radio', name, value: stars, checked: stars === rating, 'aria-label': tn('liked.stars', stars), onchange: () => rate(stars)}), icon('star'))));
  const of = items.length === 1 ? items[0].title ?? items[0].name : tn('track.selected', items.length);
  const element = dialog({title: t('liked.rate-of', {title: of}), body: h('div', {class: 'stack tight'}, group, h('div', {class: 'row between'}, words, none))});
  draw();
  (group.querySelector(':checked') ?? group.querySelector('input')).focus();
  return element;
};
