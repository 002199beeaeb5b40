// The base of the parts of the room page: they are built once, and then follow the room and the player.
import {clockTime} from '../../shell/times.js';
import {i18n, t} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {session} from '../../store/session.js';

/**
 * A part of the page that shows `player.room`, or the room that it was given as `shownRoom` before it was put in.
 *
 * `build()` makes what stands, at the start and in another language; `update(what)` shows what changes: what the room
 * says has changed, 'player', 'tracks', 'tick' twice a second, or 'all'.
 */
export class RoomPart extends HTMLElement {
  #ending = null; #room = null;

  /** The room that is shown: it stays the same for as long as the part is there. */
  get room() { return this.#room ??= this.shownRoom ?? player.room; }
  shownRoom = null;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    const draw = () => {
      this.build();
      this.update('all');
    };
    draw();
    i18n.addEventListener('change', draw, {signal});
    this.room?.addEventListener('change', ({detail}) => this.update(detail), {signal});
    player.addEventListener('change', () => this.update('player'), {signal});
    player.addEventListener('tracks', () => this.update('tracks'), {signal});
    const timer = setInterval(() => this.update('tick'), 500);
    signal.addEventListener('abort', () => clearInterval(timer));
    this.begin?.(signal);
  }

  disconnectedCallback() { this.#ending?.abort(); }
}

/** The name of a user. Guests have none, and are distinguished by a few letters. */
export const nameOf = user => user?.username ?? t('people.here.guest', {mark: user?.uid?.slice(0, 3) ?? ''});

/** Standings, the lowest first. Source: Protocol/spec/roles.md, "Standing". */
export const STANDINGS = ['listener', 'member', 'moderator', 'cohost', 'owner'];

/** Whether there is anything that we may do about a member. */
export const isBelowUs = (room, {user: {user}, standing}) => user.uid !== session.user?.uid && (room.may('moderate') || room.may('host'))
  && STANDINGS.indexOf(standing) < STANDINGS.indexOf(room.you?.standing ?? 'listener');

/** A track in a line: what is known of it. */
export const trackLine = track => [track?.artist, track?.title].filter(Boolean).join(' – ');

/** Minutes and seconds, with hours where there are any. */
export const clockText = microseconds => clockTime(microseconds / 1000);
