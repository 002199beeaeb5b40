// From playing alone to a room: a room of its own that goes on with it, or the host's page, where there can be none.
import {navigate} from '../../router.js';
import {toast} from '../../shell/toasts.js';
import {makeRoom, mayMakeRoom} from '../../store/handover.js';
import {describe} from '../../store/i18n.js';

/** @param button Pressed once: it waits for the room. */
export const goTogether = async (button) => {
  if (!mayMakeRoom()) return navigate('/host?from=solo');
  button.disabled = true;
  try {
    const room = await makeRoom();
    navigate(`/r/${encodeURIComponent(room.id)}`);
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  } finally {
    button.disabled = false;
  }
  return undefined;
};
