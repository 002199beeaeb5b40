// Words that are kept out of what people write, each with what becomes of a text that has it. Protocol/spec/words.md.
import {ask, attempt, pages, person, time} from './parts.js';
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, once} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t} from '../../store/i18n.js';

const ACTIONS = ['refuse', 'mask', 'flag'];
const nameOf = action => i18n.has(`admin.words.${action}`) ? t(`admin.words.${action}`) : action;

class AdminWords extends HTMLElement {
  connectedCallback() {
    let action = 'refuse';
    const list = pages({
      none: t('admin.words.none'),
      next: async (cursor) => {
        const page = await ask('words.list', {limit: 100, ...(cursor === null ? {} : {after: cursor})});
        return {items: page.words, cursor: page.next_after};
      },
      row: ({word, action: done, created_ms: created, by}, self) => h('li', {class: 'entry', dataset: {word}},
        h('div', {class: 'grow'},
          h('p', {class: 'row tight'}, h('strong', {dir: 'auto'}, word), h('span', {class: 'badge'}, nameOf(done))),
          h('p', {class: 'muted small'}, time(created), by === null ? '' : [' · ', person(by)])),
        h('button', {
          type: 'button', class: 'small-button', 'aria-label': `${t('admin.words.remove')}: ${word}`,
          onclick: once(async () => {
            if (!await confirm({title: t('admin.words.remove.title', {word}), text: t('admin.words.remove.about'), action: t('admin.words.remove')})) return;
            if (await attempt(() => ask('words.remove', {word}), t('admin.words.removed', {word}))) self.drop();
          }),
        }, t('admin.words.remove'))),
    });
    const added = form({
      fields: [
        field({name: 'word', label: t('admin.words.word'), hint: t('admin.words.word-hint'), required: true, maxlength: 64, bytes: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', dir: 'auto'}),
        choice({name: 'action', label: t('admin.words.action'), value: action, options: ACTIONS.map(one => [one, t(`admin.words.${one}`)]), onchange: one => { action = one; }}),
      ],
      submit: t('admin.words.add'),
      send: async ({word}) => {
        await ask('words.add', {word: word.trim(), action});
        toast(t('admin.words.added', {word: word.trim()}), {kind: 'ok'});
        const {input} = added.querySelector('.field');
        input.value = '';
        input.focus();
        await list.again();
      },
    });
    this.replaceChildren(h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('admin.words.about')), h('div', {class: 'card'}, added), list.element));
    list.again();
  }
}
customElements.define('admin-words', AdminWords);
