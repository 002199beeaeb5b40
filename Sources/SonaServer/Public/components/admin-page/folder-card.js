// One music folder: its figures, its scan, and who hears it. Drawn again each second while it is scanned, in place, so that
// a button under the pointer stays the same button.
import {ago, ask, attempt} from './parts.js';
import {peoplePicker} from './people-picker.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {Fault, choice, form, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t, tn} from '../../store/i18n.js';

const AUDIENCES = ['accounts', 'chosen', 'admins'];
/** Source: Protocol/spec/folders.md. */
const USERS_MAX = 100;

/** Asks who hears a folder. `took` is given all folders as they are then. */
const chooseAudience = (folder, took) => {
  let {audience} = folder;
  const people = peoplePicker({label: t('admin.folders.people'), users: folder.users, max: USERS_MAX});
  const show = () => { people.element.hidden = audience !== 'chosen'; };
  show();
  const element = dialog({
    title: t('admin.folders.audience.title', {name: folder.name}),
    body: form({
      fields: [
        choice({name: 'audience', label: t('admin.folders.audience'), hint: t('admin.folders.audience.hint'), value: audience, options: AUDIENCES.map(one => [one, t(`admin.audience.${one}`)]), onchange: one => { audience = one; show(); }}),
        people.element,
      ],
      submit: t('admin.folders.audience.save'),
      check: () => { if (audience === 'chosen' && people.users.length === 0) throw new Fault(null, 'admin.folders.people.none'); },
      send: async () => {
        const {folders} = await ask('library.folder_update', {folder: folder.name, audience, ...(audience === 'chosen' ? {users: people.users} : {})});
        took(folders);
        toast(t('admin.folders.audience.done', {name: folder.name}), {kind: 'ok'});
        element.close();
      },
    }),
  });
};

/** Says what a scan has done so far, or did. */
const scanWords = ({files, added, changed, moved, problems, missing, waiting}) => [
  tn('admin.scan.files', files),
  ...Object.entries({added, changed, moved, problems, missing, waiting}).filter(([, count]) => count > 0).map(([name, count]) => tn(`admin.scan.${name}`, count)),
].join(' · ');

const seconds = ms => i18n.number(ms / 1000, {style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: ms < 10_000 ? 1 : 0});

/** `{element, put(folder)}`. `took` is given all folders after something was done here. */
export const folderCard = (took) => {
  let folder = null, isOurs = false;
  const name = h('h3', {dir: 'auto'}), state = h('span', {class: 'badge'});
  const figures = Object.fromEntries(['tracks', 'problems', 'missing'].map(key => [key, h('dd', {class: 'tabular'})]));
  const bar = h('progress', {'aria-label': t('admin.scan.running')}), words = h('p', {class: 'small tabular'});
  const scanned = h('p', {class: 'muted small'}), failure = h('div', {role: 'status'}), heard = h('p', {class: 'small grow'});
  const act = once(async () => {
    const {name: title, scanning} = folder;
    isOurs = !scanning;
    await attempt(async () => took((await ask(scanning ? 'library.scan_cancel' : 'library.scan', {folder: title})).folders), scanning ? t('admin.scan.cancelled', {name: title}) : null);
  });
  const scan = h('button', {type: 'button', class: 'small-button', onclick: act});
  const audience = h('button', {type: 'button', class: 'small-button', onclick: () => chooseAudience(folder, took)}, t('admin.folders.audience.change'));
  const running = h('div', {class: 'stack tight folder-scan'}, bar, words);
  const element = h('li', {class: 'card stack folder-card'},
    h('div', {class: 'row tight'}, icon('folder'), h('div', {class: 'grow'}, name), state),
    h('dl', {class: 'folder-figures'}, Object.entries(figures).map(([key, value]) => h('div', {}, h('dt', {}, t(`admin.folders.count.${key}`)), value))),
    running, failure,
    h('div', {class: 'row between'}, scanned, scan),
    h('div', {class: 'row folder-heard'}, icon('people'), heard, audience));

  const put = (now) => {
    const wasScanning = folder?.scanning;
    folder = now;
    element.dataset.folder = now.name;
    name.textContent = now.name;
    const kind = now.scanning ? 'running' : now.failure !== null ? 'failed' : now.scanned_ms === null ? 'new' : 'ok';
    state.className = `badge state-${kind}`;
    state.textContent = t(`admin.folders.state.${kind}`);
    for (const [key, value] of Object.entries(figures)) value.textContent = i18n.number(now[key]);
    figures.problems.parentElement.toggleAttribute('data-wrong', now.problems > 0);
    running.hidden = !now.scanning;
    if (now.scanning) {
      const expected = now.scanned_ms === null ? 0 : now.tracks + now.problems, files = now.scan?.files ?? 0;
      // How many files there are is known from the scan before; the first has no end in sight.
      if (expected > 0) {
        bar.max = Math.max(expected, files);
        bar.value = files;
      } else {
        bar.removeAttribute('value');
      }
      words.textContent = now.scan ? `${scanWords(now.scan)} · ${seconds(now.scan.ms)}` : t('load.waiting');
    }
    scanned.replaceChildren(...now.scanned_ms === null ? [t('admin.folders.never')] : [t('admin.folders.scanned'), ' ', ago(now.scanned_ms), ...now.scan && !now.scanning ? [` · ${scanWords(now.scan)}`] : []]);
    const wrong = now.scanning || now.failure === null ? '' : now.failure;
    if (failure.textContent !== wrong || wrong === '') {
      failure.replaceChildren(...wrong === '' ? [] : [h('div', {class: 'notice error'}, icon('warning'), h('div', {}, h('p', {}, t('admin.folders.failed')), h('p', {class: 'small', lang: 'en', dir: 'auto'}, wrong)))]);
    }
    const act = t(now.scanning ? 'admin.scan.cancel' : 'admin.scan.now');
    scan.replaceChildren(icon(now.scanning ? 'close' : 'refresh'), act);
    scan.setAttribute('aria-label', `${act}: ${now.name}`);
    audience.setAttribute('aria-label', `${t('admin.folders.audience.change')}: ${t('admin.folders.audience')}, ${now.name}`);
    scan.classList.toggle('danger', now.scanning);
    heard.textContent = now.audience === 'chosen' ? tn('admin.audience.chosen.count', now.users.length) : t(`admin.audience.${now.audience}`);
    if (!wasScanning || now.scanning) return;
    // A scan that began by itself ends without a word.
    if (isOurs && now.failure === null) toast(t('admin.scan.done', {name: now.name}), {kind: 'ok'});
    isOurs = false;
  };
  return {element, put};
};
