// Dialogs: the browser's own, which keep the focus and give it back.
import {describe, i18n, t} from '../store/i18n.js';
import {h, uniqueId} from './dom.js';
import {icon} from './icons.js';
import {moveToasts, toast} from './toasts.js';

/**
 * Opens a dialog and returns its element. `actions` are `{label, kind, run}`; without `run`, or when `run` does not
 * return false, it closes. `onclose` is told when it has closed, by whatever way.
 */
export const dialog = ({title, body = [], actions = [], onclose = null}) => {
  const id = uniqueId('dialog');
  const element = h(
    'dialog', {'aria-labelledby': id},
    h('div', {class: 'dialog-body'},
      h('div', {class: 'dialog-head'},
        h('h2', {id}, title),
        h('button', {class: 'icon-button', type: 'button', 'aria-label': t('dialog.close'), onclick: () => element.close()}, icon('close'))),
      body,
      actions.length ? h('div', {class: 'dialog-actions'}, actions.map(({label, kind = '', run}) => h(
        'button', {
          type: 'button', class: kind,
          onclick: async (event) => {
            const button = event.currentTarget;
            button.disabled = true;
            try { if ((await run?.()) !== false) element.close(label); } finally { button.disabled = false; }
          },
        }, label))) : null));
  // A press beside it closes it; one that began inside does not.
  let isOutside = false;
  element.addEventListener('pointerdown', ({target}) => { isOutside = target === element; });
  element.addEventListener('click', ({target}) => { if (isOutside && target === element) element.close(); });
  element.addEventListener('close', () => { moveToasts(); element.remove(); onclose?.(); });
  document.body.append(element);
  element.showModal();
  moveToasts();
  return element;
};

/** Asks whether something is really wanted. */
export const confirm = ({title, text, action, danger = false}) => new Promise((resolve) => {
  let answer = false;
  dialog({
    title, body: h('p', {}, text),
    actions: [
      {label: t('dialog.cancel'), kind: 'quiet'},
      {label: action, kind: danger ? 'danger' : 'primary', run: () => { answer = true; }},
    ],
    onclose: () => resolve(answer),
  });
});

/**
 * Opens a dialog whose module and words are fetched only now: `load` imports it, `open` is given it. A failure is told in
 * a toast.
 */
export const openLater = async (load, open) => {
  try {
    const [module] = await Promise.all([load(), i18n.also('order.')]);
    await open(module);
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};
