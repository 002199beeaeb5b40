// The devices of the account that can play what is heard alone, and which of them does. A press moves the sound.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';
import {isHandheld} from '../../store/solo/device.js';

await looks('device-list.css', import.meta.url);

/** `{element, end}`: to be ended when it is shown no more. */
export const deviceList = () => {
  const {shared} = solo, place = h('div', {class: 'stack tight'});
  const move = async ({id}) => {
    try {
      await shared.transfer(id);
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
    draw();
  };
  let drawn = '';
  const draw = () => {
    const {devices, own} = shared, present = solo.playing ? own.id : shared.state?.count > 0 ? shared.state.device?.id : null, isPlaying = solo.playing || shared.elsewhere !== null;
    const now = JSON.stringify([devices, present, isPlaying, Boolean(solo.track), shared.isThere]);
    if (now === drawn) return;
    drawn = now;
    place.hidden = !shared.isThere;
    const row = ({id, name}) => {
      const isPresent = id === present, state = isPresent ? t(isPlaying ? 'solo.devices.playing' : 'solo.devices.present') : '';
      const words = [id === own.id ? t('solo.devices.this') : '', state].filter(Boolean).join(' · ');
      return h('li', {class: 'device-row'}, h('button', {
        type: 'button', class: 'device', 'aria-current': isPresent ? 'true' : null, disabled: !solo.track || isPresent && isPlaying,
        'aria-label': isPresent ? `${name}, ${words}` : t('solo.devices.move', {name}), onclick: () => move({id}),
      }, icon(isHandheld(name) ? 'phone' : 'computer'), h('span', {class: 'device-words'}, h('span', {class: 'truncate'}, name), words ? h('span', {class: 'small muted truncate'}, words) : null),
      isPresent ? icon(isPlaying ? 'volume' : 'pause') : null),
      isPresent && isPlaying && id !== own.id ? h('button', {type: 'button', class: 'icon-button device-pause', 'aria-label': t('solo.devices.pause', {name}), title: t('solo.devices.pause', {name}), onclick: () => solo.pauseElsewhere()}, icon('pause')) : null);
    };
    place.replaceChildren(h('h3', {class: 'small muted'}, t('solo.devices')), h('ul', {class: 'device-list', role: 'list'}, devices.map(row)),
      ...devices.length < 2 ? [h('p', {class: 'small muted'}, t('solo.devices.none'))] : []);
  };
  for (const source of [shared, solo]) source.addEventListener('change', draw);
  draw();
  return {element: place, end: () => { for (const source of [shared, solo]) source.removeEventListener('change', draw); }};
};
