// What becomes of what the user hears: noted or not, kept for how long, shown to friends; and forgotten.
import {consents} from './consents.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';

const DAYS = [0, 30, 90, 365];

/** `changed` is called when plays have gone. */
export const openPrivacy = (changed) => {
  const place = h('div', {class: 'stack', 'aria-busy': 'true'}, h('p', {class: 'muted', role: 'status'}, t('load.waiting')));
  const set = async (change) => {
    try {
      draw((await askPatiently('play.settings', change)).settings);
      if ('keep_days' in change) changed();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  };
  let drawn = false;
  const draw = ({keep_days: days}) => {
    // What is pressed stays where it is.
    if (drawn) return;
    drawn = true;
    place.removeAttribute('aria-busy');
    place.replaceChildren(
      consents(),
      choice({name: 'keep', label: t('heard.keep'), value: days, options: [...new Set([...DAYS, days])].map((one) => [one, one === 0 ? t('heard.days.all') : tn('heard.days.count', one)]), onchange: (keep) => set({keep_days: keep})}),
      h('div', {class: 'row'}, h('button', {type: 'button', class: 'danger', onclick: once(async () => {
        if (!await confirm({title: t('heard.clear-sure'), text: t('heard.clear.about'), action: t('heard.clear'), danger: true})) return;
        try {
          const {cleared} = await askPatiently('play.clear', {});
          toast(tn('heard.cleared', cleared), {kind: 'ok'});
          changed();
        } catch (error) {
          toast(describe(error), {kind: 'error'});
        }
      })}, icon('trash'), t('heard.clear'))));
  };
  const element = dialog({title: t('heard.options'), body: place});
  askPatiently('play.settings', {}).then(({settings}) => draw(settings), (error) => { place.replaceChildren(h('p', {role: 'alert'}, describe(error))); });
  return element;
};
