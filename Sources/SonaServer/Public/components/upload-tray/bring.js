// Brings files to the list of uploads: from a drop, a picker or the clipboard; and says how many, and what was left out.
import {withReturn} from '../../router.js';
import {announce} from '../../shell/shell.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {uploads} from '../../store/uploads.js';
import * as taking from '../../store/uploads/taking.js';
import {begin} from './upload-tray.js';

await i18n.also('uploads.');

/** Says why nothing can be uploaded. Returns whether that is so. */
const isRefused = () => {
  const {refusal} = uploads;
  if (!refusal) return false;
  const signIn = {label: t('nav.sign-in'), run: () => import('../../router.js').then(({navigate}) => navigate(withReturn('/sign-in')))};
  toast(t(`uploads.refused.${refusal}`), {kind: 'error', action: refusal === 'guest' ? signIn : null});
  return true;
};

/** What was left out, in a sentence, or null. */
const leftOut = ({files, others, named, isCut}) => {
  if (isCut) return t('uploads.cut', {count: i18n.number(taking.FILES_MAX)});
  if (others === 0) return files.length === 0 ? t('uploads.nothing') : null;
  return others === 1 ? t('uploads.left-out-named', {name: named[0]}) : tn('uploads.left-out', others);
};

/** Uploads what `look` finds; it is given the module that sorts files. Returns what `uploads.add` returns, or null. */
export const bring = async (look) => {
  if (!me.data) await me.load();
  if (isRefused()) return null;
  const found = await look(taking);
  const result = found.files.length > 0 ? await uploads.add(found.files) : {added: 0, resumed: 0, known: 0};
  if (result.added + result.resumed > 0) begin();
  const said = [
    result.added > 0 ? tn('uploads.added', result.added) : null, result.resumed > 0 ? tn('uploads.resumed', result.resumed) : null,
    result.known > 0 ? tn('uploads.already', result.known) : null, leftOut(found),
  ].filter(Boolean);
  // What the tray shows is said to readers of the screen alone; what was not taken, to everybody.
  if (result.known > 0 || leftOut(found)) toast(said.join(' '), {kind: result.added + result.resumed > 0 ? 'info' : 'error'});
  else announce(said.join(' '));
  return result;
};

/** Lets files be chosen: by a picker that gives handles where there is one, else by an input, which tells by itself. */
export const choose = async (input) => {
  const isFolder = input.webkitdirectory, name = isFolder ? 'showDirectoryPicker' : 'showOpenFilePicker';
  if (typeof globalThis[name] !== 'function') return input.click();
  let handles;
  try {
    handles = isFolder ? [await showDirectoryPicker({id: 'music'})]
      : await showOpenFilePicker({id: 'music', multiple: true, types: [{description: t('uploads.music'), accept: {'audio/*': taking.ENDINGS}}]});
  } catch (error) {
    if (error.name !== 'AbortError') input.click();
    return undefined;
  }
  return bring(({picked}) => picked(handles));
};
