// Which of the files that were dropped, chosen or pasted are music: folders looked through, hidden files and others left out.
// No DOM but the objects of the events. Source for the kinds of files: Protocol/spec/tracks.md, `kind`.

/** Folders within folders, and files in all, that are looked at. */
const DEPTH_MAX = 12;
export const FILES_MAX = 5000;
const MUSIC = /\.(aac|aif[cf]?|ape|flac|m4[abpr]|mp[34c]|mp\+|og[ag]|opus|tta|wave?|wma|wv)$/i;
const MUSIC_TYPE = /^audio\/|^application\/ogg$/;
/** The ends of names for a picker. */
export const ENDINGS = ['.aac', '.aif', '.aiff', '.ape', '.flac', '.m4a', '.mp3', '.mp4', '.mpc', '.oga', '.ogg', '.opus', '.tta', '.wav', '.wma', '.wv'];

const isMusic = file => MUSIC.test(file.name) || MUSIC_TYPE.test(file.type);
/** Track 2 before track 10. */
const inOrder = new Intl.Collator(undefined, {numeric: true}).compare;

/** What is found: `files`, each `{file, handle, folder}`, and how many others there were. */
class Found {
  files = [];
  /** Files that are no music, hidden ones not counted; the names of the first. */
  others = 0;
  named = [];
  isCut = false;

  take(file, {handle = null, folder = ''}) {
    if (file.name.startsWith('.') || /^(desktop\.ini|thumbs\.db)$/i.test(file.name)) return;
    if (!isMusic(file)) {
      this.others += 1;
      if (this.named.length < 3) this.named.push(file.name);
    } else if (this.files.length < FILES_MAX) {
      this.files.push({file, handle, folder});
    } else {
      this.isCut = true;
    }
  }

  get isFull() { return this.files.length >= FILES_MAX; }
}

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

/** Goes through a folder; `list` gives what is in one, `kind` and `open` belong to what it gives. */
async function walk(folder, {list, isFolder, open}, found, path, depth = 1) {
  const entries = (await list(folder)).sort((one, other) => inOrder(one.name, other.name));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    if (found.isFull) return void (found.isCut = true);
    if (isFolder(entry)) {
      if (depth < DEPTH_MAX) await walk(entry, {list, isFolder, open}, found, `${path}/${entry.name}`, depth + 1);
      continue;
    }
    const opened = await open(entry);
    if (opened) found.take(opened.file, {handle: opened.handle, folder: path});
  }
}

/** Folders as drag and drop gives them in every browser, and as the File System Access API does, with handles that stay. */
const ENTRIES = {list: inside, isFolder: entry => entry.isDirectory, open: async entry => { const file = await fileOf(entry); return file && {file, handle: null}; }};
const HANDLES = {
  list: async folder => { const all = []; for await (const handle of folder.values()) all.push(handle); return all; },
  isFolder: handle => handle.kind === 'directory',
  open: async handle => handle.getFile().then(file => ({file, handle}), () => null),
};

/** What was dropped or pasted: roots `{file, entry, asked}`, collected while the event lasted; `asked` promises a handle. */
export const looked = async (roots) => {
  const found = new Found(), nameOf = ({file, entry}) => entry?.name ?? file?.name ?? '';
  for (const {file, entry, asked} of roots.sort((one, other) => inOrder(nameOf(one), nameOf(other)))) {
    const handle = await asked;
    if (handle?.kind === 'directory') await walk(handle, HANDLES, found, handle.name);
    else if (entry?.isDirectory) await walk(entry, ENTRIES, found, entry.name);
    else if (file) found.take(file, {handle});
  }
  return found;
};

/** What an input was given, or what lies in a FileList. */
export const chosen = (list) => {
  const found = new Found();
  const pathOf = file => file.webkitRelativePath || file.name;
  for (const file of [...list].sort((one, other) => inOrder(pathOf(one), pathOf(other)))) {
    const folders = pathOf(file).split('/').slice(0, -1);
    if (!folders.some(name => name.startsWith('.'))) found.take(file, {folder: folders.join('/')});
  }
  return found;
};

/** What a picker of the File System Access API gave: handles of files, or of one folder. */
export const picked = async (handles) => {
  const found = new Found();
  for (const handle of handles) {
    if (handle.kind === 'directory') await walk(handle, HANDLES, found, handle.name);
    else found.take(await handle.getFile(), {handle});
  }
  found.files.sort((one, other) => one.folder === other.folder ? inOrder(one.file.name, other.file.name) : 0);
  return found;
};
