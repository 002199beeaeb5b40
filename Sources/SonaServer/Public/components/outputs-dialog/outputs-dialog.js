// Where this page sounds: the devices of this computer, and others in the house where the browser can reach them.
import {deviceList} from './device-list.js';
import {ask, canChoose, outputs} from '../../audio/outputs.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t} from '../../store/i18n.js';
import {settings} from '../../store/settings.js';
import {solo} from '../../store/solo.js';

await i18n.also('solo.');

export const openOutputs = () => {
  const place = h('div', {class: 'stack'});
  const draw = async () => {
    const known = await outputs();
    const others = known.filter(({id}) => id !== 'default' && id !== 'communications');
    place.replaceChildren(...[
      !canChoose ? h('p', {}, t('outputs.cannot')) : others.length > 0 ? choice({
        name: 'output', label: t('outputs.device'), value: settings.get('output') ?? '', onchange: (id) => settings.set('output', id || null),
        options: [['', t('outputs.default')], ...others.map(({id, name}) => [id, name])],
      }) : h('div', {class: 'stack tight'}, h('p', {class: 'muted'}, t('outputs.unnamed')), h('div', {class: 'row'}, h('button', {
        type: 'button', onclick: async () => {
          try {
            await ask();
          } catch (error) {
            if (error.name !== 'AbortError') toast(t('outputs.refused'), {kind: 'error'});
          }
          await draw();
        },
      }, icon('volume'), t('outputs.ask')))),
      await cast(),
    ].filter(Boolean));
  };
  draw();
  const devices = deviceList();
  return dialog({title: t('outputs.title'), body: h('div', {class: 'stack'}, devices.element, place), onclose: devices.end});
};

/** Another device in the house, by the browser's own dialog (Remote Playback). Only what is heard alone can go there. */
const cast = async () => {
  if (!('remote' in HTMLMediaElement.prototype) || !solo.track) return null;
  const trial = new Audio();
  const isThere = await new Promise((resolve) => {
    trial.remote.watchAvailability(resolve).catch(() => resolve(false));
    setTimeout(() => resolve(false), 1500);
  });
  if (!isThere) return null;
  return h('div', {class: 'stack tight'}, h('p', {class: 'muted small'}, t('outputs.cast.about')), h('div', {class: 'row'}, h('button', {
    type: 'button', onclick: () => solo.cast().catch(() => toast(t('outputs.refused'), {kind: 'error'})),
  }, icon('share'), t('outputs.cast'))));
};
