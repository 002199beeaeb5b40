// Addresses that are told what happens in a room, or in all public rooms: Protocol/spec/webhooks.md.
import {ago} from '../../shell/ago.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, once, toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';

await i18n.also('webhooks.');

const eventWords = (event) => i18n.has(`webhooks.event.${event}`) ? t(`webhooks.event.${event}`) : event;

/** Opens the dialog about a room; `null` for all public ones. */
export const openWebhooks = (room) => {
  const of = room ? {room: room.id} : {};
  const list = h('ul', {class: 'list', 'aria-label': t('webhooks.list'), 'aria-busy': 'true'});
  const secret = h('div', {role: 'status'});
  let kind = 'json';

  const act = (label, name, run, kindOf = '') => h('button', {type: 'button', class: `small-button ${kindOf}`, onclick: once(async () => {
    try {
      await run();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
    await load();
  })}, icon(name), label);

  const answerOf = ({status, error}) => status ? t('webhooks.answer', {status}) : t(i18n.has(`webhooks.error.${error}`) ? `webhooks.error.${error}` : 'webhooks.error');

  const row = (one) => h('li', {class: 'card stack tight'},
    h('p', {class: 'row tight'}, h('strong', {class: 'grow truncate', title: one.url}, one.url), h('span', {class: 'badge'}, t(`webhooks.form.${one.form}`))),
    h('p', {class: 'muted small'}, one.events.map(eventWords).join(', ')),
    h('p', {class: 'muted small'}, tn('webhooks.delivered', one.delivered), one.waiting ? ` · ${tn('webhooks.waiting', one.waiting)}` : '', one.dropped ? ` · ${tn('webhooks.dropped', one.dropped)}` : ''),
    one.answers.length ? h('p', {class: 'muted small'}, answerOf(one.answers[0]), ' · ', ago(one.answers[0].at_ms)) : null,
    one.on ? null : h('p', {class: 'notice'}, icon('warning'), h('span', {}, t('webhooks.off'))),
    h('div', {class: 'row tight'},
      act(t('webhooks.test'), 'bell', async () => {
        const {answer} = await session.request('webhook.test', {id: one.id});
        const good = answer.status >= 200 && answer.status < 300;
        toast(answerOf(answer), {kind: good ? 'ok' : 'error'});
      }),
      act(t(one.on ? 'webhooks.switch-off' : 'webhooks.switch-on'), one.on ? 'pause' : 'play', () => session.request('webhook.update', {id: one.id, on: !one.on})),
      act(t('webhooks.remove'), 'trash', async () => {
        if (await confirm({title: t('webhooks.remove-sure'), text: one.url, action: t('webhooks.remove'), danger: true})) await session.request('webhook.remove', {id: one.id});
      }, 'danger')));

  const load = async () => {
    try {
      const {webhooks} = await askPatiently('webhook.list', of);
      list.replaceChildren(...webhooks.length ? webhooks.map(row) : [h('li', {class: 'muted'}, t('webhooks.none'))]);
    } catch (error) {
      list.replaceChildren(h('li', {class: 'notice error'}, describe(error)));
    }
    list.removeAttribute('aria-busy');
  };

  const events = ['room.live', 'room.ended', ...room ? [] : ['submission.created']];
  const add = form({
    fields: [
      field({name: 'url', label: t('webhooks.url'), type: 'url', placeholder: 'https://', required: true, maxlength: 500, bytes: 500, autocapitalize: 'none', autocomplete: 'off', spellcheck: 'false'}),
      choice({name: 'form', label: t('webhooks.form'), value: kind, options: ['json', 'discord'].map((one) => [one, t(`webhooks.form.${one}`)]), onchange: (chosen) => { kind = chosen; }}),
      h('fieldset', {class: 'stack tight'}, h('legend', {}, t('webhooks.events')), events.map((event) => toggle({name: event, label: eventWords(event), checked: true}))),
    ],
    submit: t('webhooks.add'),
    send: async ({url}) => {
      const wanted = events.filter((event) => add.querySelector(`input[name="${event}"]`).checked);
      const {secret: key} = await session.request('webhook.add', {...of, url: url.trim(), form: kind, ...wanted.length ? {events: wanted} : {}});
      secret.replaceChildren(...key ? [h('p', {class: 'notice'}, icon('lock'), h('span', {}, t('webhooks.secret'), ' ', h('code', {}, key)))] : []);
      add.reset();
      await load();
    },
  });
  load();
  return dialog({title: t('webhooks.title'), body: h('div', {class: 'stack'}, h('p', {class: 'muted'}, t(room ? 'webhooks.about' : 'webhooks.about.all')), list, secret, h('h3', {}, t('webhooks.new')), add)});
};
