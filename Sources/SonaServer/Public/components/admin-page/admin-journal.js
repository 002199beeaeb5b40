// The journal: who signed in, what was changed in accounts, what administrators did, and whether all of it is as it was written.
import {ask, attempt, pages, person, roomLink, time} from './parts.js';
import {h} from '../../shell/dom.js';
import {field} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {i18n, t, tn} from '../../store/i18n.js';

/** The identifier of a room has 20 letters, that of a user more. Source: Protocol/spec/identifiers.md. */
const ROOM_ID = /^[A-Za-z0-9]{20}$/;

/** Whom or what a line is about. After tampering it may be anything. */
const subject = id => ROOM_ID.test(id) ? roomLink(id) : /^[A-Za-z0-9._-]{1,128}$/.test(id) ? person(id) : h('span', {dir: 'auto'}, id);

class AdminJournal extends HTMLElement {
  connectedCallback() {
    const user = new URLSearchParams(location.search).get('user');
    const kind = h('input', {type: 'text', name: 'kind', maxlength: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', list: 'journal-kinds', onchange: () => list.again()});
    const who = h('input', {type: 'text', name: 'user', maxlength: 128, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', value: user ?? '', onchange: () => list.again()});
    const kinds = h('datalist', {id: 'journal-kinds'}), seen = new Set();
    const list = pages({
      none: t('admin.journal.none'),
      next: async (cursor) => {
        const page = await ask('journal.list', {
          limit: 50, ...(kind.value.trim() === '' ? {} : {kind: kind.value.trim()}), ...(who.value.trim() === '' ? {} : {user: who.value.trim()}), ...(cursor === null ? {} : {before: cursor}),
        });
        for (const entry of page.entries) {
          if (seen.has(entry.kind)) continue;
          seen.add(entry.kind);
          kinds.append(h('option', {value: entry.kind}));
        }
        return {items: page.entries, cursor: page.next_before};
      },
      row: ({id, at_ms: at, kind: happened, actor, subject: about, detail}) => h('li', {class: 'entry', dataset: {line: id}},
        h('div', {class: 'grow'},
          h('p', {class: 'row tight'}, h('span', {class: 'muted small tabular'}, `#${id}`), h('strong', {dir: 'auto'}, happened), time(at)),
          h('p', {class: 'small'}, actor === null ? t('admin.journal.operator') : person(actor), about === null ? '' : [' → ', subject(about)]),
          Object.keys(detail).length === 0 ? null : h('p', {class: 'muted small admin-words', dir: 'auto'}, Object.entries(detail).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' · ')))),
    });
    const found = h('div', {role: 'status'});
    this.replaceChildren(h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('admin.journal.about')),
      h('div', {class: 'admin-filters'}, field({name: 'kind', label: t('admin.journal.kind'), control: kind}), field({name: 'user', label: t('admin.journal.user'), control: who}), kinds),
      h('div', {class: 'row'}, h('button', {
        type: 'button',
        onclick: async ({currentTarget: button}) => {
          button.disabled = true;
          await attempt(async () => {
            const {entries, intact, first_fault: fault, reason} = await ask('journal.verify');
            found.replaceChildren(intact
              ? h('p', {class: 'notice ok'}, icon('check'), h('span', {}, tn('admin.journal.intact', entries)))
              : h('p', {class: 'notice error'}, icon('close'), h('span', {}, t('admin.journal.fault', {line: fault === null ? '–' : i18n.number(fault), reason: reason ?? '–'}))));
          });
          button.disabled = false;
        },
      }, t('admin.journal.verify'))),
      found, list.element));
    list.again();
  }
}
customElements.define('admin-journal', AdminJournal);
