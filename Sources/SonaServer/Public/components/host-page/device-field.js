// Which microphone or line input: a list that names them once one was allowed.
import {field} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {t} from '../../store/i18n.js';
import {inputs} from '../../audio/hosting/capture.js';

const remembered = 'sona.input';

/** A field that tells `choose` the device, null for the browser's own choice, at once and when it changes. */
export function deviceField(choose) {
  const select = h('select', {name: 'device', onchange: () => chosen()});
  const chosen = () => {
    try { localStorage.setItem(remembered, select.value); } catch { /* The user has to choose again next time. */ }
    choose(select.value || null);
  };
  const draw = async () => {
    let last = '';
    try { last = localStorage.getItem(remembered) ?? ''; } catch { /* There is none. */ }
    const devices = (await inputs()).filter(({id}) => id !== '');
    select.replaceChildren(h('option', {value: ''}, t('host.input.default')), ...devices.map(({id, label}, index) => h(
      'option', {value: id, selected: id === last}, label || t('host.input.numbered', {number: index + 1}))));
    choose(select.value || null);
  };
  draw().catch(() => {});
  const look = () => { if (select.isConnected) draw().catch(() => {}); else navigator.mediaDevices?.removeEventListener('devicechange', look); };
  navigator.mediaDevices?.addEventListener('devicechange', look);
  return field({name: 'device', label: t('host.input.device'), control: select});
}
