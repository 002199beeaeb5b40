// For five seconds, what was taken away can be put back: by the button in the message, or by Ctrl+Z.
import {t} from '../store/i18n.js';
import {TYPED} from './keys.js';
import {toast} from './toasts.js';

const TIME = 5000;
let last = null;

addEventListener('keydown', (event) => {
  if (!last || event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== 'z' || event.target.closest?.(TYPED)) return;
  event.preventDefault();
  last();
});

/** Says what was done, and offers to take it back. `undo` is called at most once. */
export const offerUndo = (text, undo) => {
  const run = () => {
    if (last === run) last = null;
    clearTimeout(timer);
    leave();
    undo();
  };
  const leave = toast(text, {lasts: TIME, action: {label: t('undo'), run}});
  const timer = setTimeout(() => { if (last === run) last = null; }, TIME);
  last = run;
};
