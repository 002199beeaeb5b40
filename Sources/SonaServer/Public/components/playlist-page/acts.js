// What is done to a playlist and can be taken back, or is asked about first.
import {navigate} from '../../router.js';
import {confirm} from '../../shell/dialogs.js';
import {toast} from '../../shell/toasts.js';
import {offerUndo} from '../../shell/undo.js';
import {describe, t, tn} from '../../store/i18n.js';
import {playlists} from '../../store/playlists.js';

/** Removes a playlist for everybody, when that is what is wanted. */
export const deleted = async ({id, title}) => {
  if (!await confirm({title: t('playlists.delete-sure', {title}), text: t('playlists.delete.about'), action: t('playlists.delete'), danger: true})) return;
  try {
    await playlists.remove(id);
    toast(t('playlists.deleted', {title}), {kind: 'ok'});
    await navigate('/library/playlists', {replace: true});
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

/** Entries that stood side by side: `[{at, tracks}]`, in their order. */
const runsOf = (rows, indexes) => {
  const runs = [];
  for (const index of indexes) {
    const track = rows.entryAt(index)?.track;
    // A gap has no track that could be put back.
    if (!track) continue;
    const last = runs.at(-1);
    if (last && last.at + last.tracks.length === index) last.tracks.push(track);
    else runs.push({at: index, tracks: [track]});
  }
  return runs;
};

/** Takes entries out, and offers to put them back where they were. */
export const removedEntries = async (rows, indexes) => {
  const {id} = rows.playlist, runs = runsOf(rows, indexes), entries = indexes.map((index) => rows.entryAt(index)?.id).filter(Boolean);
  await playlists.removeEntries(id, entries);
  await rows.refresh();
  offerUndo(tn('playlists.removed', entries.length), async () => {
    try {
      for (const {at, tracks} of runs) await playlists.add(id, tracks, {at});
      await rows.refresh();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  });
};
