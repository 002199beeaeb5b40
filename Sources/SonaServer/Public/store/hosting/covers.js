// Covers of the songs, for listeners: cut to a square, made small, encoded anew, and sent to the server once. No DOM.
import {session} from '../session.js';

/** The side of what is sent, pixels, and how well it is kept. A file whose picture is larger than this is not looked at. */
const SIDE = 600, QUALITY = 0.85, BYTES_MAX = 16 << 20;

/** The middle of a picture as a JPEG of at most `SIDE` pixels a side. Throws where the browser cannot read it. */
async function made(cover) {
  const bitmap = await createImageBitmap(cover);
  try {
    const side = Math.min(bitmap.width, bitmap.height), size = Math.min(side, SIDE), canvas = new OffscreenCanvas(size, size);
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, size, size);
    pen.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, size, size);
    return await canvas.convertToBlob({type: 'image/jpeg', quality: QUALITY});
  } finally {
    bitmap.close();
  }
}

/** The covers that one room has of the songs of this page. */
export class Covers {
  #room; #known = new WeakMap();

  constructor(room) { this.#room = room; }

  /** Sends a song's cover, if it has one, and tells the song what it is called here. Where that fails there is none. */
  async of(song) {
    const {cover} = song;
    if (!cover || cover.size > BYTES_MAX) return;
    if (!this.#known.has(cover)) this.#known.set(cover, this.#send(cover).catch(() => null));
    song.artwork = await this.#known.get(cover);
    // Another try may do better: too many were sent, or the line was lost.
    if (song.artwork === null) this.#known.delete(cover);
  }

  async #send(cover) {
    const body = await made(cover), token = await session.freshToken();
    const answer = await fetch(`/v1/rooms/${this.#room}/covers`, {method: 'POST', body, headers: {authorization: `Bearer ${token}`}});
    const {type, data} = await answer.json();
    return type === 'ok' ? data.artwork : null;
  }
}
