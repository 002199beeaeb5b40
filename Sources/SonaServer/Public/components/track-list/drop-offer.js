// While tracks are dragged, the playlists that changed last stand at the foot of the window, to be dropped on.
import {playlists} from '../../store/playlists.js';

/** Dragging for so long is meant; shorter, somebody has only pressed, ms. */
const MEANT = 250;

/** To be called when a drag of tracks begins. Who cannot drag chooses "Add to playlist" in the menu. */
export const offerDrop = ({target}, tracks) => {
  if (!playlists.mayMake || !tracks.length) return;
  let tray = null;
  const timer = setTimeout(async () => {
    try {
      const {dropTray} = await import('../playlist-dialog/drop-tray.js');
      if (!isOver) tray = dropTray(tracks);
    } catch { /* Without it: the menu does the same. */ }
  }, MEANT);
  let isOver = false;
  target.addEventListener('dragend', () => {
    isOver = true;
    clearTimeout(timer);
    tray?.leave();
  }, {once: true});
};
