// New accounts: those that wait for approval, and invites to make one. Protocol/spec/registration.md.
import {ask, attempt, pages, person, time} from './parts.js';
import {avatar} from '../avatar/avatar.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {server} from '../../store/server.js';

/** How long an invite is good, s, and for how many accounts; null is any number. */
const AGES = [[86_400, 'member.for.day'], [604_800, 'admin.for.week'], [2_592_000, 'admin.for.month'], [31_536_000, 'admin.for.year']];
const USES = [1, 5, 25, null];

const nameOf = ({user}) => user.username ? `@${user.username}` : t('name.none');
/** The number at the link to these pages is another now. */
const changed = () => dispatchEvent(new Event('sona-reports'));
const linkOf = code => `${location.origin}/sign-up?invite=${encodeURIComponent(code)}`;

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('share.copied'), {kind: 'ok'});
  } catch {
    dialog({title: t('admin.invites.link'), body: h('input', {type: 'text', readonly: true, value: text, 'aria-label': t('admin.invites.link'), onfocus: ({target}) => target.select()})});
  }
};

/** Refuses an account, with a reason that the person is told. Returns whether it was done. */
const reject = (account) => new Promise((resolve) => {
  const name = nameOf(account);
  let isDone = false;
  const element = dialog({
    title: t('admin.waiting.reject.title', {name}),
    body: [h('p', {class: 'muted'}, t('admin.waiting.reject.about')), form({
      fields: [field({name: 'reason', label: t('admin.ban.reason'), hint: t('admin.waiting.reject.hint'), maxlength: 200, bytes: 200, autocomplete: 'off'})],
      submit: t('admin.waiting.reject'), kind: 'danger',
      send: async ({reason}) => {
        await ask('registration.reject', {user: account.user.uid, ...(reason.trim() === '' ? {} : {reason: reason.trim()})});
        isDone = true;
        toast(t('admin.waiting.rejected', {name}), {kind: 'ok'});
        element.close();
      },
    })],
    onclose: () => resolve(isDone),
  });
});

class AdminRegistration extends HTMLElement {
  connectedCallback() {
    const waiting = pages({
      none: t('admin.waiting.none'),
      next: async (cursor) => {
        const page = await ask('registration.waiting', {limit: 30, ...(cursor === null ? {} : {cursor})});
        return {items: page.accounts, cursor: page.next_cursor};
      },
      row: (account, self) => this.#waiting(account, self),
    });
    const invites = pages({
      none: t('admin.invites.none'),
      next: async (cursor) => {
        const page = await ask('registration.invites', {limit: 30, ...(cursor === null ? {} : {before: cursor})});
        return {items: page.invites, cursor: page.next_before};
      },
      row: (invite, self) => this.#invite(invite, self),
    });
    this.replaceChildren(h('div', {class: 'stack'},
      h('p', {class: 'muted'}, t(`admin.registration.about.${['invite', 'approval', 'closed'].includes(server.registration) ? server.registration : 'open'}`)),
      h('section', {class: 'stack', 'aria-label': t('admin.waiting')}, h('h3', {}, t('admin.waiting')), waiting.element),
      h('section', {class: 'stack', 'aria-label': t('admin.invites')}, h('h3', {}, t('admin.invites')),
        h('div', {class: 'row'}, h('button', {type: 'button', class: 'primary', onclick: () => this.#make(invites)}, icon('plus'), t('admin.invites.make'))),
        invites.element)));
    waiting.again();
    invites.again();
  }

  #waiting(account, self) {
    const {user, since_ms: since, email_confirmed: isConfirmed, introduction} = account, name = nameOf(account);
    return h('li', {class: 'entry', dataset: {user: user.uid}}, avatar(user, 36),
      h('div', {class: 'grow'},
        h('p', {class: 'row tight'}, h('strong', {dir: 'auto'}, name), h('span', {class: 'badge'}, t(isConfirmed ? 'account.confirmed' : 'account.unconfirmed')), time(since)),
        introduction === null ? null : h('p', {class: 'small admin-words', dir: 'auto'}, introduction)),
      h('button', {
        type: 'button', class: 'small-button primary', 'aria-label': `${t('admin.waiting.approve')}: ${name}`,
        onclick: once(async () => {
          if (await attempt(() => ask('registration.approve', {user: user.uid}), t('admin.waiting.approved', {name}))) self.drop();
          changed();
        }),
      }, t('admin.waiting.approve')),
      h('button', {
        type: 'button', class: 'small-button danger', 'aria-label': `${t('admin.waiting.reject')}: ${name}`,
        onclick: once(async () => {
          if (await reject(account)) self.drop();
          changed();
        }),
      }, t('admin.waiting.reject')));
  }

  #invite(invite, self) {
    const {id, code, max_uses: most, uses, expires_ms: expires, revoked_ms: revoked, note, by} = invite;
    const isOver = revoked !== null || expires <= Date.now() || most !== null && uses >= most;
    const state = revoked !== null ? t('admin.invites.revoked') : expires <= Date.now() ? t('admin.invites.expired') : isOver ? t('admin.invites.used-up') : t('room-settings.banned.until', {time: i18n.date(expires)});
    return h('li', {class: 'entry', dataset: {invite: id}},
      h('div', {class: 'grow'},
        h('p', {class: 'row tight'}, h('strong', {class: 'tabular'}, code), h('span', {class: 'badge'}, state)),
        note === null ? null : h('p', {class: 'small', dir: 'auto'}, note),
        h('p', {class: 'muted small'}, most === null ? tn('admin.invites.uses', uses) : t('admin.invites.uses-of', {uses: i18n.number(uses), most: i18n.number(most)}), by === null ? '' : [' · ', person(by)])),
      isOver ? null : [
        h('button', {type: 'button', class: 'icon-button', 'aria-label': t('share.copy'), onclick: () => copy(linkOf(code))}, icon('copy')),
        h('button', {
          type: 'button', class: 'small-button danger',
          onclick: once(async () => {
            if (!await confirm({title: t('admin.invites.revoke.title'), text: t('admin.invites.revoke.about'), action: t('admin.invites.revoke'), danger: true})) return;
            let now = null;
            if (await attempt(async () => { ({invite: now} = await ask('registration.revoke', {id})); }, t('admin.invites.revoke.done'))) self.put(now);
          }),
        }, t('admin.invites.revoke')),
      ]);
  }

  #make(list) {
    let seconds = 604_800, uses = 1;
    const element = dialog({
      title: t('admin.invites.make'),
      body: form({
        fields: [
          choice({name: 'uses', label: t('admin.invites.most'), value: uses, options: USES.map(one => [one, one === null ? t('admin.invites.any') : i18n.number(one)]), onchange: one => { uses = one; }}),
          choice({name: 'age', label: t('admin.invites.age'), value: seconds, options: AGES.map(([age, key]) => [age, t(key)]), onchange: age => { seconds = age; }}),
          field({name: 'note', label: t('admin.reports.note'), hint: t('admin.invites.note-hint'), maxlength: 200, bytes: 200, autocomplete: 'off'}),
        ],
        submit: t('admin.invites.make'),
        send: async ({note}) => {
          const {invite} = await ask('registration.invite', {seconds, ...(uses === null ? {} : {max_uses: uses}), ...(note.trim() === '' ? {} : {note: note.trim()})});
          element.close();
          await Promise.all([copy(linkOf(invite.code)), list.again()]);
        },
      }),
    });
  }
}
customElements.define('admin-registration', AdminRegistration);
