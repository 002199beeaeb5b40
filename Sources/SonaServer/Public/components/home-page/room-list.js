// A list of rooms that stays true: room.watch and rooms.changed of Protocol/spec/finding.md. No DOM.
import {session} from '../../store/session.js';

export class RoomList {
  /** How many rooms are watched at most. */
  static limit = 60;
  /** In order. */
  rooms = [];
  #turn = 0; #isWatched = false; #abort = null;

  /** Whether this is the last question, and the list stands. Throws what the server refuses. */
  async watch(query, scope) {
    const turn = ++this.#turn;
    this.#abort?.abort();
    this.#abort = new AbortController();
    let reply;
    try {
      reply = await session.request('room.watch', {query, scope, limit: RoomList.limit}, {signal: this.#abort.signal});
    } catch (error) {
      if (turn !== this.#turn) return false;
      throw error;
    }
    if (turn !== this.#turn) return false;
    this.rooms = reply.rooms;
    this.#isWatched = true;
    return true;
  }

  /** Takes in what has become of the list. */
  change({removed = [], rooms = [], order = []}) {
    if (!this.#isWatched) return;
    const gone = new Set(removed);
    const known = new Map(this.rooms.filter(({id}) => !gone.has(id)).map((room) => [room.id, room]));
    for (const room of rooms) known.set(room.id, room);
    this.rooms = order.map((id) => known.get(id)).filter(Boolean);
  }

  stop() {
    this.#turn += 1;
    this.#isWatched = false;
    this.#abort?.abort();
  }
}
