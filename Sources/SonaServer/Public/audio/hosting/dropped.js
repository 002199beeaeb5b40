// Files that were chosen or dropped on the page: the content of folders, their order, and files without sound.

import {noteHandle} from '../../store/hosting/shelf.js';

/** Folders within folders, and files in all, that are looked at. */
const DEPTH_MAX = 8, FILES_MAX = 5000;
const SOUND = /\.(aac|aif[cf]?|flac|m4[abp]|mka|mp[34]|og[ag]|opus|wave?|web[am]|wma)$/i;
const SOUND_TYPE = /^(audio|video)\/|^application\/ogg$/;

/** Whether a file may contain sound. An unknown file may, unless it came with others in a folder. */
const isSound = (file, isAlong) => SOUND_TYPE.test(file.type) || SOUND.test(file.name) || file.type === '' && !isAlong;

const inOrder = (one, other) => one.localeCompare(other, undefined, {numeric: true});

/** Chosen files in the order of their names. */
export const ordered = files => [...files].sort((one, other) => inOrder(one.name, other.name));

/** Whether files are being dragged, and not a text or a link. */
export const hasFiles = event => [...event.dataTransfer?.types ?? []].includes('Files');

const nameOf = ({file, entry}) => entry?.name ?? file?.name ?? '';
const fileOf = entry => new Promise(resolve => entry.file(resolve, () => resolve(null)));

/** The content of a folder. Browsers return a hundred entries at a time. */
async function inside(folder) {
  const reader = folder.createReader(), all = [];
  for (;;) {
    const some = await new Promise(resolve => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0 || all.length >= FILES_MAX) return all;
    all.push(...some);
  }
}

/**
 * Sorts dropped files into `{sounds, others}`. Of each folder it takes the files with the name of a sound file, one
 * folder after another. `others` are dropped files without sound. Call it while the event lasts.
 */
export function dropped(transfer) {
  const items = [...transfer.items].filter(({kind}) => kind === 'file');
  // An item is empty once the event is over.
  const roots = items.map(item => ({file: item.getAsFile(), entry: item.webkitGetAsEntry?.() ?? null, handle: item.getAsFileSystemHandle?.().catch(() => null)}));
  const sounds = [], others = [];
  let count = 0;

  async function walk(folder, depth) {
    const entries = (await inside(folder)).sort((one, other) => inOrder(one.name, other.name));
    for (const entry of entries) {
      if (entry.name.startsWith('.') || (count += 1) > FILES_MAX) continue;
      if (entry.isDirectory) {
        if (depth < DEPTH_MAX) await walk(entry, depth + 1);
        continue;
      }
      const file = await fileOf(entry);
      if (file && isSound(file, true)) sounds.push(file);
    }
  }

  return (async () => {
    for (const {file, entry, handle} of roots.sort((one, other) => inOrder(nameOf(one), nameOf(other)))) {
      if (entry?.isDirectory) await walk(entry, 1);
      else if (file && handle) (isSound(file, false) ? sounds : others).push(noteHandle(file, await handle));
      else if (file) (isSound(file, false) ? sounds : others).push(file);
    }
    return {sounds, others};
  })();
}
