// The host after the page was loaded anew: the list as it was, and the broadcast where it stopped. No DOM.
import {Song} from '../../audio/hosting/files.js';
import {host} from '../host.js';
import {session} from '../session.js';
import {Shelf} from './shelf.js';

/** How long the server keeps the seat, ms: Protocol/spec/hosting.md, "The seat". */
const KEPT = 60_000;
/** What was on air, for as long as the tab lives. */
const ON_AIR = 'sona.on-air';
/** How long changes are gathered before they are written down, ms. */
const PAUSE = 300;

const remember = () => {
  try {
    if (!host.isOnAir) return void sessionStorage.removeItem(ON_AIR);
    // A line that was lost when the page went is not a state to come back to.
    sessionStorage.setItem(ON_AIR, JSON.stringify({room: host.room.id, mode: host.mode, state: host.mood, song: host.song?.key ?? null, place: host.position, at: Date.now()}));
  } catch { /* It is not allowed: then nothing is remembered. */ }
};

const remembered = () => {
  try {
    const air = JSON.parse(sessionStorage.getItem(ON_AIR));
    if (air && Date.now() - air.at < KEPT) return air;
    sessionStorage.removeItem(ON_AIR);
    return null;
  } catch {
    return null;
  }
};

/** What was on air when the page was left, until it goes on or something else begins; or null. */
export const returning = {air: remembered()};
// The seat is not kept for longer.
if (returning.air) setTimeout(() => { if (host.state !== 'starting') returning.air = null; }, Math.max(0, returning.air.at + KEPT - Date.now()));

async function restore() {
  let shelf = null;
  try {
    shelf = await Shelf.open();
    const list = await shelf.load();
    if (list) host.playlist.restore(list.songs.map(Song.restored), list.repeat);
  } catch { /* The browser keeps nothing: the list is gone with the page. */ }
  if (shelf) follow(shelf);
  const {air} = returning;
  if (air?.mode === 'files' && host.playlist.songs.some(({failure}) => !failure)) {
    try {
      await host.start(air.room, {returning: air});
      returning.air = null;
    } catch { /* The host says why, and the page asks for what is missing. */ }
  }
}

function follow(shelf) {
  let timer = null, work = Promise.resolve();
  const save = () => {
    timer = null;
    work = work.then(() => shelf.save(host.playlist)).catch(() => {});
  };
  host.playlist.addEventListener('change', () => { timer ??= setTimeout(save, PAUSE); });
  // Which songs stand in the queue changes with the host.
  host.addEventListener('change', () => { timer ??= setTimeout(save, PAUSE * 10); });
}

/** Done when the list is there again, and, if there was a broadcast, when that goes on or cannot. */
export const restored = restore();
host.addEventListener('change', () => {
  if (host.state === 'live' || host.state === 'ended') returning.air = null;
  if (returning.air === null) remember();
});
// Whoever signs out leaves no files behind.
session.addEventListener('user', ({detail}) => { if (detail.other && detail.user?.guest && !host.isOnAir) host.playlist.clear(); });
addEventListener('pagehide', () => { if (host.isOnAir) remember(); });
