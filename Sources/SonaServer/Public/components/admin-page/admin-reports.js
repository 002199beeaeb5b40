// The inbox of reports: what was reported, as it was then, what can be done about it, and the decision.
import {banAddressesOf, banUser, takeDown} from './acts.js';
import {ask, pages, person, roomLink, time} from './parts.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, once} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

const STATES = [['open', true], ['decided', false], ['all', undefined]];

/** Notes that a report is decided. Returns it as it is now, or null. */
const decide = (report, note) => new Promise((resolve) => {
  let decided = null;
  const element = dialog({
    title: t('admin.reports.decide'),
    body: form({
      fields: [field({name: 'note', label: t('admin.reports.note'), hint: t('admin.reports.note-hint'), value: note.slice(0, 200), maxlength: 200, bytes: 200, autocomplete: 'off'})],
      submit: t('admin.reports.decide'),
      send: async ({note: words}) => {
        ({report: decided} = await ask('reports.resolve', {id: report.id, ...(words.trim() === '' ? {} : {note: words.trim()})}));
        dispatchEvent(new Event('sona-reports'));
        toast(t('admin.reports.done'), {kind: 'ok'});
        element.close();
      },
    }),
    onclose: () => resolve(decided),
  });
});

const kindOf = kind => i18n.has(`report.kind.${kind}`) ? t(`report.kind.${kind}`) : kind;

class AdminReports extends HTMLElement {
  #state = 'open'; #acts = new Map();

  connectedCallback() {
    const list = pages({
      none: t('admin.reports.none'),
      next: async (cursor) => {
        const open = STATES.find(([state]) => state === this.#state)[1];
        const page = await ask('reports.list', {limit: 20, ...(open === undefined ? {} : {open}), ...(cursor === null ? {} : {before: cursor})});
        return {items: page.reports, cursor: page.next_before};
      },
      row: (report, self) => this.#row(report, self),
    });
    this.replaceChildren(h('div', {class: 'stack'},
      choice({name: 'state', label: t('admin.reports.show'), value: this.#state, options: STATES.map(([state]) => [state, t(`admin.reports.${state}`)]), onchange: state => { this.#state = state; list.again(); }}),
      list.element));
    list.again();
  }

  #row(report, self) {
    const {id, at_ms: at, kind, room, message, user, quote, text, by, resolved_ms: resolvedAt, resolved_by: resolvedBy, note} = report;
    // A guest in a room has nothing that could be quoted.
    const about = message !== null ? 'message' : room !== null && (user === null || quote !== null) ? 'room' : 'user';
    return h('li', {class: 'card stack tight admin-report', dataset: {report: id}},
      h('div', {class: 'row tight'}, h('strong', {class: 'grow'}, t(`admin.reports.about.${about}`)), h('span', {class: 'badge'}, kindOf(kind)), time(at)),
      quote === null ? null : h('blockquote', {class: 'admin-quote', dir: 'auto'}, quote),
      h('dl', {class: 'admin-facts small'},
        room === null ? null : h('div', {}, h('dt', {}, t('admin.reports.room')), h('dd', {}, roomLink(room))),
        user === null ? null : h('div', {}, h('dt', {}, t(about === 'room' ? 'admin.reports.owner' : about === 'message' ? 'admin.reports.author' : 'admin.reports.user')), h('dd', {}, person(user))),
        h('div', {}, h('dt', {}, t('admin.reports.by')), h('dd', {}, by === null ? t(kind === 'words' ? 'admin.reports.by-filter' : 'admin.gone') : person(by))),
        text === null ? null : h('div', {}, h('dt', {}, t('admin.reports.text')), h('dd', {dir: 'auto', class: 'admin-words'}, text)),
        resolvedAt === null ? null : h('div', {}, h('dt', {}, t('admin.reports.decided-at')), h('dd', {}, time(resolvedAt), resolvedBy === null ? '' : [' · ', person(resolvedBy)])),
        note === null ? null : h('div', {}, h('dt', {}, t('admin.reports.note')), h('dd', {dir: 'auto'}, note))),
      resolvedAt === null ? this.#actions(report, self) : null);
  }

  #actions(report, self) {
    const {id, room, message, user} = report;
    const noted = async (work) => {
      const done = await work;
      if (done) this.#acts.set(id, [...this.#acts.get(id) ?? [], done]);
    };
    const name = async () => (await session.request('user.get', {user}).catch(() => null))?.user.username ?? null;
    const act = (key, kind, run) => h('button', {type: 'button', class: `small-button ${kind}`, onclick: once(run)}, t(key));
    return h('div', {class: 'row tight'},
      act('admin.reports.decide', 'primary', async () => {
        const decided = await decide(report, (this.#acts.get(id) ?? []).join(' '));
        if (decided) (this.#state === 'open' ? self.drop() : self.put(decided));
      }),
      act('admin.take-down', 'danger', () => noted(takeDown({room, message, user}))),
      user === null ? null : [
        act('admin.ban', 'danger', async () => {
          const username = await name();
          // Guests have no account that could be banned.
          if (username) await noted(banUser(user, `@${username}`));
          else toast(t('admin.ban.guest'));
        }),
        act('admin.bans.of', 'danger', async () => {
          const username = await name();
          await noted(banAddressesOf(user, username ? `@${username}` : t('people.here.guest', {mark: user.slice(0, 3)})));
        }),
      ]);
  }
}
customElements.define('admin-reports', AdminReports);
