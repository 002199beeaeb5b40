// Playlists as files: saved in a format that other players read, and read from one, with a report of what was not found.
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {playlists} from '../../store/playlists.js';
import {session} from '../../store/session.js';
import {navigate} from '../../router.js';

await i18n.also('playlists.');

export const FORMATS = ['m3u8', 'xspf', 'jspf'];
/** More bytes than this go by HTTP, and no file has more than the second number. Source: Protocol/spec/playlists.md. */
const BY_SOCKET = 60_000, MOST = 4_194_304;

/** Hands the browser a file of a playlist. */
export const saveFile = async (playlist, format) => {
  const {name, media_type: type, text} = await askPatiently('playlist.export', {playlist, format});
  const address = URL.createObjectURL(new Blob([text], {type}));
  const link = h('a', {href: address, download: name, hidden: true});
  document.body.append(link);
  link.click();
  link.remove();
  // The browser takes a moment to begin.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Asks for a format, and saves. */
export const openSave = ({id, title}) => {
  const element = dialog({
    title: t('playlists.save-file', {title}), body: h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('playlists.save-file.about')),
      h('div', {class: 'row tight'}, FORMATS.map((format) => h('button', {type: 'button', dataset: {format}, onclick: async () => {
        try {
          await saveFile(id, format);
          element.close();
        } catch (error) {
          toast(describe(error), {kind: 'error'});
        }
      }}, format.toUpperCase())))),
  });
  return element;
};

const send = async (file) => {
  const bytes = await file.arrayBuffer(), key = crypto.randomUUID();
  if (bytes.byteLength > MOST) throw Object.assign(new Error('The file is too large.'), {code: 'upload.too_large'});
  const text = new TextDecoder().decode(bytes);
  if (bytes.byteLength <= BY_SOCKET) return askPatiently('playlist.import', {text, key});
  const answer = await fetch(`/v1/playlists/import?key=${key}`, {method: 'POST', headers: {authorization: `Bearer ${await session.freshToken()}`, 'content-type': 'application/octet-stream'}, body: bytes});
  const reply = await answer.json();
  if (!answer.ok) throw reply.error;
  return reply.data;
};

/** What was not found, in the order of the file. */
const report = ({playlist, added, missing, missing_count: count}) => {
  const element = dialog({
    title: t('playlists.imported', {title: playlist.title}), body: h('div', {class: 'stack'},
      h('p', {}, tn('playlists.imported.found', added)), h('p', {}, tn('playlists.imported.missing', count)),
      h('ol', {class: 'list import-missing', tabindex: '0', 'aria-label': t('playlists.imported.list')}, missing.map(({place, text}) => h('li', {class: 'row'}, h('span', {class: 'muted tabular'}, i18n.number(place)), h('span', {class: 'grow', dir: 'auto'}, text))))),
    actions: [{label: t('playlists.open'), kind: 'primary', run: () => { navigate(`/playlists/${playlist.id}`); }}],
  });
  return element;
};

/** Lets a file be chosen, and makes a playlist of what it names. */
export const importFile = () => {
  const input = h('input', {type: 'file', accept: '.m3u,.m3u8,.xspf,.jspf,.json', hidden: true, onchange: async () => {
    const [file] = input.files;
    input.remove();
    if (!file) return;
    try {
      const found = await send(file);
      playlists.dispatchEvent(new Event('list'));
      if (found.missing_count > 0) report(found);
      else {
        toast(tn('playlists.imported.found', found.added), {kind: 'ok'});
        await navigate(`/playlists/${found.playlist.id}`);
      }
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }, oncancel: () => input.remove()});
  document.body.append(input);
  input.click();
};
