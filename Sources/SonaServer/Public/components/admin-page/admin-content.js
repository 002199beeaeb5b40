// Taking down what somebody has made, by what names it: for what no report and no list leads to, such as a private room.
import {KINDS, roomOf, userOf} from './acts.js';
import {ask} from './parts.js';
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {Fault, choice, field, form} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {t} from '../../store/i18n.js';

class AdminContent extends HTMLElement {
  connectedCallback() {
    let kind = 'room';
    const plain = {autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: 200};
    const fields = {
      room: field({name: 'room', label: t('admin.content.room'), hint: t('admin.content.room-hint'), ...plain}),
      message: field({name: 'message', label: t('admin.content.message'), hint: t('admin.content.message-hint'), ...plain, inputmode: 'numeric', maxlength: 16}),
      user: field({name: 'user', label: t('admin.content.user'), hint: t('admin.content.user-hint'), ...plain}),
    };
    const show = () => { for (const [name, element] of Object.entries(fields)) element.hidden = !KINDS[kind].includes(name); };
    show();
    this.replaceChildren(h('div', {class: 'card'}, form({
      fields: [
        choice({name: 'kind', label: t('admin.take-down.what'), value: kind, options: Object.keys(KINDS).map(one => [one, t(`admin.take-down.${one}`)]), onchange: one => { kind = one; show(); }}),
        ...Object.values(fields),
      ],
      submit: t('admin.take-down'), kind: 'danger',
      check: (values) => {
        for (const name of KINDS[kind]) if (values[name].trim() === '') throw new Fault(name, 'field.needed');
        if (kind === 'message' && !/^[1-9]\d{0,15}$/.test(values.message.trim())) throw new Fault('message', 'admin.content.message-invalid');
      },
      send: async ({room, message, user}) => {
        const what = t(`admin.take-down.${kind}`), named = {room: roomOf(room.trim()), message: Number(message), user: userOf(user.trim())};
        if (!await confirm({title: t('admin.take-down.title', {what}), text: t('admin.take-down.about'), action: t('admin.take-down'), danger: true})) return;
        await ask('content.take_down', {kind, ...Object.fromEntries(KINDS[kind].map(name => [name, named[name]]))});
        toast(t('admin.take-down.done', {what}), {kind: 'ok'});
        for (const {input} of Object.values(fields)) input.value = '';
      },
    })));
  }
}
customElements.define('admin-content', AdminContent);
