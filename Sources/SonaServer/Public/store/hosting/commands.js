// Carries out requests of others (`host.command`), or refuses them with a reason. Protocol/spec/playback.md.

import {Unplayable} from '../../audio/hosting/files.js';
import {microseconds} from './places.js';

/** Carries a command out. Returns null, or why it cannot be done; throws what it failed at. */
export async function carryOut(host, {command, action, position_us: position}) {
  const reaches = !host.isLive && host.song && position < microseconds(host.song.duration);
  if (action === 'pause') await host.pause(command);
  else if (action === 'play' && reaches) await host.play(host.song, command, position);
  else if (action === 'play' && position === undefined && (host.isLive || host.song)) await host.play(null, command);
  else if (action === 'seek' && reaches) await host.seek(position, command);
  else return host.isLive ? 'What is live has no place to go to.' : host.song ? 'The track does not reach so far.' : 'There is nothing to play.';
  return null;
}

/** The text about a failure for the user who asked: `host.reject` takes one line. */
export function excuse(error) {
  if (error instanceof Unplayable) return 'The host cannot play this file.';
  // No browser gives a microphone or a tab without a click.
  if (error instanceof DOMException) return 'The host has to open the input on the page itself.';
  return 'The host could not do it.';
}
