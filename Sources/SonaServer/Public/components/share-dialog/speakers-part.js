// The speakers of a room: players that speak Snapcast's protocol, how loud they are, and when they play.
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** Fills `place` with the answer to one of the requests about speakers. */
export const speakersPart = (room, place, {port, speakers, unassigned}) => {
  const ask = async (type, fields) => {
    try {
      speakersPart(room, place, await session.request(type, {room: room.id, ...fields}));
    } catch (error) { toast(describe(error), {kind: 'error'}); }
  };
  const forget = async ({id, name}) => {
    const asked = {title: t('players.speaker.forget.title', {name}), text: t('players.speaker.forget.text'), action: t('players.speaker.forget')};
    if (await confirm(asked)) await ask('speaker.forget', {speaker: id});
  };
  const state = ({connected, seen_ms: seen}) =>
    t(connected ? 'players.speaker.connected' : seen === null ? 'players.speaker.never' : 'players.speaker.away');
  const row = (speaker) => {
    const {id, name} = speaker, update = (fields) => ask('speaker.update', {speaker: id, ...fields});
    return h('li', {class: 'stack tight', dataset: {speaker: id}},
      h('div', {class: 'row tight'},
        h('div', {class: 'grow'}, h('strong', {}, name), h('div', {class: 'muted small'}, `${id} · ${state(speaker)}`)),
        h('button', {class: 'icon-button', type: 'button', 'aria-label': t('players.speaker.forget.name', {name}), onclick: () => forget(speaker)}, icon('trash'))),
      h('div', {class: 'row tight'},
        h('input', {class: 'grow', type: 'range', min: 0, max: 100, value: speaker.volume, 'aria-label': t('players.speaker.volume', {name}),
          onchange: ({target}) => update({volume: Number(target.value)})}),
        h('label', {class: 'row tight'}, h('input', {type: 'checkbox', checked: speaker.muted, 'aria-label': t('players.speaker.muted.name', {name}),
          onchange: ({target}) => update({muted: target.checked})}), t('players.speaker.muted'))),
      h('label', {class: 'row tight small'}, t('players.speaker.latency'),
        h('input', {type: 'number', min: -10000, max: 10000, step: 1, value: speaker.latency_ms, 'aria-label': t('players.speaker.latency.name', {name}),
          onchange: ({target}) => { if (target.checkValidity() && target.value !== '') update({latency_ms: Number(target.value)}); }})));
  };
  const assign = (speaker) => ask('speaker.assign', {speaker});
  const field = h('input', {class: 'grow', type: 'text', name: 'speaker', maxlength: 64, required: true, pattern: '[!-~]+', autocomplete: 'off',
    'aria-label': t('players.speaker.id')});
  const form = h('form', {class: 'row tight', onsubmit: (event) => {
    event.preventDefault();
    assign(field.value.trim());
  }}, field, h('button', {type: 'submit', dataset: {act: 'assign-speaker'}}, t('players.speaker.add')));
  place.replaceChildren(
    h('h3', {}, t('players.speakers')),
    h('p', {class: 'muted'}, t('players.speakers.about', {host: location.hostname, port: String(port)})),
    speakers.length > 0 ? h('ul', {class: 'plain stack', 'aria-label': t('players.speakers')}, speakers.map(row)) : '',
    form,
    ...unassigned.slice(0, 20).map(({id, name}) => h('div', {class: 'row tight'},
      h('div', {class: 'grow small muted'}, name === id ? id : `${name} · ${id}`),
      h('button', {type: 'button', class: 'small-button quiet', onclick: () => assign(id)}, t('players.speaker.take', {name})))));
};
