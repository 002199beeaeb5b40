// The host after the page was loaded anew: the list as it was, and the broadcast where it stopped. No DOM.
import {Song} from '../../audio/hosting/files.js';
import {LibrarySong} from './library-song.js';
import {host} from '../host.js';
import {session} from '../session.js';
import {Shelf} from './shelf.js';

/** How long the server keeps the seat, ms: Protocol/spec/hosting.md, "The seat". */
const KEPT = 60_000;
/** What was on air, for as long as the tab lives. */
const ON_AIR = 'sona.on-air';
/** How long changes are gathered before they are written down, ms. */
const PAUSE = 300;

/** The account that is signed in here, or null for a guest. Before the server has said who it is, it is whom the browser remembers. */
const account = () => {
  const user = session.user ?? session.credentials.kept?.user;
  return user?.guest === false ? user.uid : null;
};
/** The account whose list this is, or null: a list of a guest is not kept. */
let owner = null;

const remember = () => {
  try {
    if (!host.isOnAir) return void sessionStorage.removeItem(ON_AIR);
    // A line that was lost when the page went is not a state to come back to.
    sessionStorage.setItem(ON_AIR, JSON.stringify({user: owner, room: host.room.id, mode: host.mode, state: host.mood, song: host.song?.key ?? null, place: host.position, at: Date.now()}));
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

/**
 * Follows the account. A list does not pass to whoever comes after its owner: it is cleared, and so is the note of what was
 * on air. A broadcast that goes on still needs its files, so they go when it is over.
 */
const followAccount = () => {
  if (account() === owner) return;
  if (owner !== null) {
    if (host.isOnAir || host.state === 'starting') return;
    host.playlist.clear();
    returning.air = null;
    remember();
  }
  owner = account();
};

async function restore() {
  let shelf = null;
  followAccount();
  if (returning.air && returning.air.user !== owner) {
    returning.air = null;
    remember();
  }
  try {
    shelf = await Shelf.open();
    const mine = owner, list = await shelf.load(mine);
    // Another account may have come meanwhile.
    if (list && mine === owner) host.playlist.restore(list.songs.map(record => record.library ? LibrarySong.restored(record) : Song.restored(record)), list.repeat);
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
    work = work.then(() => shelf.save(host.playlist, owner)).catch(() => {});
  };
  host.playlist.addEventListener('change', () => { timer ??= setTimeout(save, PAUSE); });
  session.addEventListener('user', () => { timer ??= setTimeout(save, PAUSE); });
  // Which songs stand in the queue changes with the host.
  host.addEventListener('change', () => { timer ??= setTimeout(save, PAUSE * 10); });
}

/** Done when the list is there again, and, if there was a broadcast, when that goes on or cannot. */
export const restored = restore();
host.addEventListener('change', () => {
  if (host.state === 'live' || host.state === 'ended') returning.air = null;
  if (returning.air === null) remember();
  followAccount();
});
session.addEventListener('user', followAccount);
addEventListener('pagehide', () => { if (host.isOnAir) remember(); });
