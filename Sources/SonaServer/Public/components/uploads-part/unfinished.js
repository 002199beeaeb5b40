// Uploads that the server still waits for and that this tab does not send: of another device, another tab, or another program.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {confirm} from '../../shell/dialogs.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {uploads} from '../../store/uploads.js';
import * as amounts from '../../store/uploads/amounts.js';

/**
 * A card with them, or null if there are none. Each goes on when the same file is chosen here: it is known again by what was
 * noted when it began. `pick` lets files be chosen, `again` asks the server for what is left.
 */
export const unfinished = (found, {pick, again}) => {
  if (found.length === 0) return null;
  const row = ({id, name, length, offset, expires_ms: expires}) => {
    const title = name ?? t('uploads.elsewhere.nameless'), share = length ? offset / length : 0;
    return h('li', {class: 'upload-row', dataset: {upload: id}},
      h('span', {class: 'upload-symbol', 'aria-hidden': 'true'}, icon('history')),
      h('div', {class: 'upload-about'}, h('span', {class: 'truncate upload-name', dir: 'auto'}, title),
        h('span', {class: 'small upload-note'}, t('uploads.elsewhere.note', {done: i18n.number(share, {style: 'percent'}), size: amounts.bytes(length), time: i18n.date(expires)})),
        h('progress', {max: 1, value: share, 'aria-label': title})),
      h('div', {class: 'upload-acts'},
        h('button', {type: 'button', class: 'quiet small-button', 'aria-label': t('uploads.elsewhere.forget.of', {name: title}), onclick: async () => {
          if (!await confirm({title: t('uploads.elsewhere.forget'), text: t('uploads.elsewhere.sure', {name: title}), action: t('uploads.elsewhere.forget'), danger: true})) return;
          try { await uploads.forget(id); } catch (error) { toast(describe(error), {kind: 'error'}); }
          again();
        }}, t('uploads.elsewhere.forget'))));
  };
  return h('section', {class: 'card stack tight', 'aria-label': t('uploads.elsewhere')},
    h('div', {class: 'row between'}, h('h2', {}, t('uploads.elsewhere')), h('button', {type: 'button', class: 'small-button', onclick: pick}, t('uploads.elsewhere.pick'))),
    h('p', {class: 'muted small'}, t('uploads.elsewhere.about')), h('ul', {class: 'list'}, found.map(row)));
};
