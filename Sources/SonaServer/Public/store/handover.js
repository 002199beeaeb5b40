// From alone to together and back, without the sound stopping: one goes on until the other is heard. No DOM.
// Protocol/spec/rooms.md, "From alone to together", "From together to alone".
import {isSignedIn} from '../router.js';
import {player} from './player.js';
import {session} from './session.js';
import {solo} from './solo.js';

/** How long the sound of the other one is waited for, ms; how far from the room's place one may begin alone, ms. */
const PATIENCE = 30_000, NEAR = 30;

/** Whether a room can be made of what is played alone. */
export const mayMakeRoom = () => isSignedIn() && session.features.has('handover') && solo.track?.access === 'full';

const once = (target, types, holds) => new Promise((resolve) => {
  const done = (is) => {
    for (const type of types) target.removeEventListener(type, look);
    clearTimeout(timer);
    resolve(is);
  };
  const look = (event) => { if (holds(event)) done(true); }, timer = setTimeout(() => done(false), PATIENCE);
  for (const type of types) target.addEventListener(type, look);
  look(null);
});

/** Makes a room that goes on with what is played alone, and enters it. Resolves with the room, which sounds soon. */
export const makeRoom = async (settings = {}) => {
  await solo.shared.flush();
  const wasPlaying = solo.playing, place = {position_us: Math.max(0, Math.round(solo.ownPosition * 1000)), at_us: Math.round(session.serverNow)};
  const {room} = await session.request('room.create', {...settings, from_player: wasPlaying ? place : {position_us: place.position_us}});
  solo.isBeside = wasPlaying;
  player.enter(room.id);
  if (wasPlaying) {
    player.play();
    letGo(room.id);
  }
  return room;
};

/** Ends playing alone with the first sound of the room. */
const letGo = async (id) => {
  // Before the server has answered, a room has no more than what it was entered by.
  const isOurs = () => (player.room?.id ?? player.room?.reference) === id && player.playing;
  await Promise.race([
    new Promise((resolve) => { player.engine.addEventListener('first', resolve, {once: true}); }),
    once(player, ['change', 'failed', 'unheard'], (event) => event !== null && (!isOurs() || event.type !== 'change')),
  ]);
  solo.isBeside = false;
  if (isOurs()) solo.pause();
};

/** Leaves the room and goes on alone at its place. Resolves with whether it does: some rooms play nothing that one can. */
export const keepListening = async () => {
  const {room} = player, {playback} = room, wasPlaying = player.playing;
  const place = () => playback.position(Math.round(player.now)) / 1000;
  solo.isBeside = true;
  try {
    const left = await session.request('room.leave', {keep_listening: true});
    if (!left.player) return false;
    await solo.shared.takeUp(left, wasPlaying);
    if (!wasPlaying || !left.player.playing) return true;
    await once(solo, ['change', 'failed'], () => solo.state === 'playing');
    // What was fetched meanwhile is heard from where the room is by now.
    if (Math.abs(solo.ownPosition - place()) > NEAR) solo.seek(place());
    return true;
  } finally {
    await player.leave({isOut: true});
    solo.isBeside = false;
  }
};
