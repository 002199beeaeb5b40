// Short messages at the foot of the page, which go by themselves and are read out.
import {t} from '../store/i18n.js';
import {h} from './dom.js';
import {icon} from './icons.js';

const SHOWN = 6000;
let place;

/** Made before anything is said in it: a live region has to be there to be listened to. */
export const toastPlace = () => (place ??= h('div', {class: 'toasts', role: 'status', 'aria-live': 'polite', popover: 'manual'}));

/**
 * Puts the place into the dialog that is topmost, or back onto the page: what is outside of an open dialog can neither be
 * pressed nor heard. To be called when a dialog has opened, and when one has closed, before it is taken away.
 */
export const moveToasts = () => {
  const to = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  if (!place || place.parentElement === to) return;
  to.append(place);
  // Moved, it is hidden.
  if (place.childElementCount) place.showPopover?.();
};

/**
 * Says something; with an `action` `{label, run}` it offers to do something about it. Returns what takes it away. What
 * `lasts` for a time, ms, stays for so long whatever else is said, and not longer: it is not true any more then.
 */
export const toast = (text, {kind = 'info', action = null, lasts = null} = {}) => {
  const close = h('button', {class: 'icon-button', type: 'button', 'aria-label': t('toast.close'), onclick: () => leave()}, icon('close'));
  const act = action && h('button', {class: 'small-button', type: 'button', onclick: () => { leave(); action.run(); }}, action.label);
  const item = h('div', {class: `toast ${kind}`, 'data-lasts': lasts === null ? null : ''}, h('span', {class: 'grow'}, text), act, close);
  let timer;
  const leave = () => {
    clearTimeout(timer);
    item.remove();
    if (!place.childElementCount) place.hidePopover?.();
  };
  // A message that the user is about to press stays.
  const stay = () => clearTimeout(timer);
  const wait = () => { timer = setTimeout(leave, lasts ?? (action ? SHOWN * 2 : SHOWN)); };
  if (lasts === null) {
    item.addEventListener('pointerenter', stay);
    item.addEventListener('pointerleave', wait);
    item.addEventListener('focusin', stay);
    item.addEventListener('focusout', wait);
  }
  for (let old; place.childElementCount > 2 && (old = place.querySelector('.toast:not([data-lasts])'));) old.remove();
  // Above dialogs, too: shown last, it is topmost.
  if (place.matches?.(':popover-open')) place.hidePopover();
  place.showPopover?.();
  place.append(item);
  wait();
  return leave;
};
