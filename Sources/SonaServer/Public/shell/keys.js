// Keys of the whole page, and the page that tells them.
import {t} from '../store/i18n.js';
import {settings} from '../store/settings.js';
import {dialog} from './dialogs.js';
import {h} from './dom.js';

const keys = new Map();

const spoken = (key) => ({' ': t('key.space'), ArrowLeft: '←', ArrowRight: '→'})[key] ?? key;

/**
 * `run` is called when `key` (as in KeyboardEvent.key) is pressed outside of fields, without Ctrl, Alt or Meta;
 * `description` is a key of the catalogue. Returns what takes it away again. The one added last counts.
 *
 * @param repeats Whether it is called again and again while the key is held: for steps, not for what a second press undoes.
 */
export const add = (key, description, run, {repeats = false} = {}) => {
  const entry = {description, run, repeats};
  const before = keys.get(key) ?? [];
  keys.set(key, [...before, entry]);
  return () => keys.set(key, (keys.get(key) ?? []).filter((other) => other !== entry));
};

/** Elements in which keys type text. */
export const TYPED = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]';
/**
 * Whether a key does something here: keys of one character can be switched off, for those who speak their text, or press
 * keys by mistake (WCAG 2.2, 2.1.4 Character Key Shortcuts). The space bar and the arrows stay.
 */
export const isOn = (key) => key.length > 1 || key === ' ' || settings.get('keys');

/** Elements that use the space bar themselves. */
const PRESSED = 'button, a[href], summary, input, [role=slider], [role=menuitem], [role=tab]';

export const help = () => dialog({
  title: t('keys.title'),
  body: h('dl', {class: 'keys'}, [...keys].filter(([key, entries]) => entries.length && isOn(key)).map(([key, entries]) => h(
    'div', {}, h('dt', {}, h('kbd', {}, spoken(key))), h('dd', {}, t(entries.at(-1).description))))),
});

export const listen = () => addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const {key, target} = event;
  if (!isOn(key) || target.closest?.(TYPED)) return;
  if (key === ' ' && target.closest?.(PRESSED)) return;
  if (key.startsWith('Arrow') && target.closest?.('[role=tablist], [role=radiogroup], input')) return;
  if (document.querySelector('dialog[open]')) return;
  const entry = keys.get(key)?.at(-1);
  if (!entry) return;
  event.preventDefault();
  if (!event.repeat || entry.repeats) entry.run(event);
});
