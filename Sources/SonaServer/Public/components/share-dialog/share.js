// Opens the dialog for sharing, which is fetched only when it is needed.
import {toast} from '../../shell/toasts.js';
import {describe} from '../../store/i18n.js';

/** Opens it for a RoomStore. */
export async function share(room) {
  try {
    const {openShare} = await import('./share-dialog.js');
    await openShare(room);
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
}
