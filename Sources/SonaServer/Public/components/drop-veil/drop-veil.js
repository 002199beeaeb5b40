// What lies over the page while files are dragged across it, and says what will become of them.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';

await Promise.all([i18n.also('uploads.'), looks('drop-veil.css', import.meta.url)]);

/** What stands against uploading, as `uploads.refusal` says it; asked here so that the list itself need not be fetched. */
const refusal = () => {
  if (!session.user || session.user.guest) return 'guest';
  if (!session.features.has('uploads')) return 'feature';
  return me.data && !me.may('library.upload') ? 'permission' : null;
};

let veil = null;

/** Shows it, or takes it away. Nothing can be pressed on it: the page below gets the files. */
export const show = (is) => {
  veil?.remove();
  veil = null;
  if (!is) return;
  const against = refusal();
  veil = h('div', {class: 'drop-veil', 'aria-hidden': 'true', 'data-refused': against !== null},
    h('div', {class: 'drop-words'}, icon(against ? 'close' : 'upload'), h('strong', {}, t(against ? `uploads.refused.${against}` : 'uploads.drop')),
      against ? null : h('span', {}, t('uploads.drop.about'))));
  document.body.append(veil);
};
