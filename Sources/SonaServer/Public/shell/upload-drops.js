// Files that are dropped or pasted anywhere on the page are uploaded. Only the listening is here: what does the work is
// fetched when there is some, and at the start if an earlier visit has left something unfinished.
import {session} from '../store/session.js';
import {toast} from './toasts.js';
import {describe} from '../store/i18n.js';

const FLAG = 'sona.uploads';
/** Where files belong to something else: a list to be played from, a photo, a dialog. */
const ELSEWHERE = 'host-page, .photo-field, dialog';

/** Something of the page itself is being dragged, such as a picture, which browsers offer as a file, too. */
let isOurs = false;
const hasFiles = event => !isOurs && [...event.dataTransfer?.types ?? []].includes('Files');
const isElsewhere = event => event.target?.closest?.(ELSEWHERE) || document.querySelector('host-page, dialog:modal');

let veil = null, isOver = false;
const show = async (is) => {
  if (isOver === is) return;
  isOver = is;
  try { veil ??= await import('../components/drop-veil/drop-veil.js'); } catch { return; }
  veil.show(isOver);
};

/** Hands over what an event brings. The items of a transfer are empty once the event is over: they are taken now. */
const take = async (transfer) => {
  const roots = [...transfer.items].filter(({kind}) => kind === 'file').map(item => ({
    file: item.getAsFile(), entry: item.webkitGetAsEntry?.() ?? null, asked: item.getAsFileSystemHandle?.().catch(() => null) ?? null,
  }));
  try {
    const {bring} = await import('../components/upload-tray/bring.js');
    await bring(taking => taking.looked(roots));
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

addEventListener('dragstart', () => { isOurs = true; }, true);
for (const type of ['dragend', 'pointerdown']) addEventListener(type, () => { isOurs = false; }, true);
// Seen on the way down, so that an element which keeps its events to itself is noticed, too.
addEventListener('dragover', (event) => { if (hasFiles(event)) show(!isElsewhere(event)); }, true);
addEventListener('dragleave', (event) => { if (event.relatedTarget === null) show(false); }, true);
addEventListener('drop', () => show(false), true);
addEventListener('dragover', (event) => {
  if (!hasFiles(event) || event.defaultPrevented) return;
  // A file that nobody takes must not replace the page.
  event.preventDefault();
  event.dataTransfer.dropEffect = isElsewhere(event) ? 'none' : 'copy';
});
addEventListener('drop', (event) => {
  if (!hasFiles(event) || event.defaultPrevented) return;
  event.preventDefault();
  if (!isElsewhere(event)) take(event.dataTransfer);
});
addEventListener('paste', (event) => {
  if (!event.clipboardData?.files.length || event.defaultPrevented || isElsewhere(event)) return;
  if (event.target.closest?.('input, textarea, [contenteditable]')) return;
  event.preventDefault();
  take(event.clipboardData);
});

/** What was unfinished comes back with its owner. */
const comeBack = () => {
  try { if (!localStorage.getItem(FLAG)) return; } catch { return; }
  if (session.user && !session.user.guest) import('../components/upload-tray/upload-tray.js').then(({begin}) => begin()).catch(() => { /* The uploads page shows it. */ });
};
session.addEventListener('user', comeBack);
