// What the user allows of what they hear: that it is noted, that friends see it, that friends see what they have in common.
import {h} from '../../shell/dom.js';
import {toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';

await i18n.also('heard.');

const NAMES = {private: 'heard.private', share_plays: 'heard.share', share_taste: 'heard.taste'};

/** The switches of `names`, which can be pressed as soon as the server has said how they stand. */
export const consents = (names = Object.keys(NAMES)) => {
  const set = async (name, is, input) => {
    try {
      await askPatiently('play.settings', {[name]: is});
    } catch (error) {
      input.checked = !is;
      toast(describe(error), {kind: 'error'});
    }
  };
  const element = h('div', {class: 'stack'}, names.map((name) => toggle({name, label: t(NAMES[name]), hint: t(`${NAMES[name]}.about`), onchange: (is, input) => set(name, is, input)})));
  const inputs = Object.fromEntries(names.map((name) => [name, element.querySelector(`input[name=${name}]`)]));
  const load = async () => {
    try {
      const {settings} = await askPatiently('play.settings');
      for (const [name, input] of Object.entries(inputs)) {
        input.checked = settings[name];
        input.disabled = false;
      }
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  };
  for (const input of Object.values(inputs)) input.disabled = true;
  load();
  return element;
};
