// Services that get what the user hears: ListenBrainz and its kin, Last.fm.
import {ago} from '../../shell/ago.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {field, form, once, passwordField} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';

await i18n.also('scrobbling.');

const NAMES = {listenbrainz: 'ListenBrainz', lastfm: 'Last.fm'};
const nameOf = (service) => NAMES[service] ?? service;

/** What is connected, and buttons to connect more. */
export const scrobbling = () => {
  const list = h('ul', {class: 'stack plain', 'aria-label': t('scrobbling.connected')});
  const buttons = h('div', {class: 'row tight'});
  const element = h('div', {class: 'stack'}, h('p', {class: 'muted small'}, t('scrobbling.about')), list, buttons);

  const state = (one) => one.state === 'refused' ? h('p', {class: 'notice error'}, icon('warning'), h('span', {}, t('scrobbling.refused')))
    : one.error && one.waiting ? h('p', {class: 'notice'}, icon('warning'), h('span', {}, t(i18n.has(`scrobbling.error.${one.error}`) ? `scrobbling.error.${one.error}` : 'scrobbling.error', {count: one.waiting})))
      : null;

  const entry = (one) => h('li', {class: 'stack'},
    h('div', {class: 'row'},
      h('div', {class: 'grow'}, h('strong', {}, nameOf(one.service)), one.name ? ` · ${one.name}` : '', one.address ? h('div', {class: 'muted small'}, one.address) : null,
        h('div', {class: 'muted small'}, tn('scrobbling.sent', one.sent), one.sent_ms ? [' · ', ago(one.sent_ms)] : null)),
      h('button', {type: 'button', class: 'small-button danger', 'aria-label': t('scrobbling.disconnect-it', {name: nameOf(one.service)}), onclick: once(() => disconnect(one))}, icon('close'), t('scrobbling.disconnect'))),
    state(one));

  const load = async () => {
    try {
      const {connections, services} = await askPatiently('scrobble.list');
      list.replaceChildren(...connections.map(entry));
      list.hidden = connections.length === 0;
      buttons.replaceChildren(...services.map((service) => h('button', {type: 'button', class: 'small-button', onclick: () => connect(service)}, icon('plus'), t('scrobbling.connect', {name: nameOf(service)}))));
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  };

  const disconnect = async ({id, service}) => {
    if (!await confirm({title: t('scrobbling.disconnect-it', {name: nameOf(service)}), text: t('scrobbling.disconnect.about'), action: t('scrobbling.disconnect'), danger: true})) return;
    try {
      await session.request('scrobble.disconnect', {id});
      await load();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  };

  const done = (opened) => ({connection}) => {
    opened.close();
    toast(t('scrobbling.done', {name: nameOf(connection.service)}), {kind: 'ok'});
    return load();
  };

  const connect = (service) => {
    const body = h('div', {class: 'stack'});
    const opened = dialog({title: t('scrobbling.connect', {name: nameOf(service)}), body});
    if (service === 'lastfm') return askThere(service, body, opened);
    body.append(form({
      fields: [
        passwordField({name: 'token', label: t('scrobbling.token'), hint: t('scrobbling.token.about'), autocomplete: 'off'}),
        field({name: 'address', label: t('scrobbling.address'), hint: t('scrobbling.address.about'), type: 'url', placeholder: 'https://api.listenbrainz.org', maxlength: 500, bytes: 500, autocapitalize: 'none', spellcheck: 'false'}),
      ],
      submit: t('scrobbling.connect-now'),
      send: async ({token, address}) => done(opened)(await session.request('scrobble.connect', {service, token: token.trim(), ...address.trim() ? {address: address.trim()} : {}})),
    }));
  };

  // The person allows it there, and comes back.
  const askThere = async (service, body, opened) => {
    try {
      const {url, token} = await session.request('scrobble.authorize', {service});
      body.replaceChildren(
        h('p', {}, t('scrobbling.allow', {name: nameOf(service)})),
        h('div', {class: 'row'}, h('a', {class: 'button small-button', href: url, target: '_blank', rel: 'noopener noreferrer'}, icon('link'), t('scrobbling.open', {name: nameOf(service)}))),
        form({fields: [], submit: t('scrobbling.allowed'), send: async () => done(opened)(await session.request('scrobble.connect', {service, token}))}));
    } catch (error) {
      body.replaceChildren(h('p', {role: 'alert'}, describe(error)));
    }
  };

  load();
  return element;
};
