// ID3v2.2, 2.3 and 2.4: id3.org, "ID3 tag version 2.3.0" and "2.4.0 - Main Structure".

const TAG_MAX = 32 << 20;
const NAMES = {TIT2: 'title', TT2: 'title', TPE1: 'artist', TP1: 'artist', TALB: 'album', TAL: 'album', TLEN: 'length', TLE: 'length'};

/** Four bytes of seven bits each. */
const synchsafe = (bytes, at) => (bytes[at] & 127) << 21 | (bytes[at + 1] & 127) << 14 | (bytes[at + 2] & 127) << 7 | bytes[at + 3] & 127;
const plain = (bytes, at, count) => bytes.subarray(at, at + count).reduce((value, byte) => value * 256 + byte, 0);

/** Removes the zero after each 0xff, which was inserted so that nothing looks like the beginning of sound. */
function resynchronised(bytes) {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    out[size++] = bytes[at];
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at += 1;
  }
  return out.subarray(0, size);
}

const DECODERS = ['iso-8859-1', 'utf-16', 'utf-16be', 'utf-8'];

/** The text of a frame; of several, the first. */
function text(bytes) {
  const decoder = DECODERS[bytes[0]];
  return decoder ? new TextDecoder(decoder).decode(bytes.subarray(1)).replace(/\0.*$/su, '') : null;
}

/** Returns the end of a text that begins at `at`, its zero included. */
function textEnd(bytes, at, encoding) {
  const isWide = encoding === 1 || encoding === 2;
  for (let k = at; k < bytes.length; k += isWide ? 2 : 1) {
    if (bytes[k] === 0 && (!isWide || bytes[k + 1] === 0)) return k + (isWide ? 2 : 1);
  }
  return bytes.length;
}

/** The picture's bytes, and whether it is the front cover. */
function picture(bytes, isOld) {
  const mime = isOld ? 4 : textEnd(bytes, 1, 0);
  return {isFront: bytes[mime] === 3, data: bytes.slice(textEnd(bytes, mime + 1, bytes[0]))};
}

/** Its `end` is where the sound begins. @param read Gives the bytes at a place of the file. @param head Its beginning. */
export async function readID3(read, head) {
  const version = head[3], flags = head[5], size = synchsafe(head, 6);
  if (version < 2 || version > 4 || size > TAG_MAX) return {};
  let bytes = await read(10, size);
  if (flags & 0x80 && version < 4) bytes = resynchronised(bytes);
  let at = 0;
  if (flags & 0x40 && version > 2) at = version === 4 ? synchsafe(bytes, 0) : plain(bytes, 0, 4) + 4;
  const found = {end: 10 + size}, isOld = version === 2, headSize = isOld ? 6 : 10;
  let isFront = false;
  while (at + headSize < bytes.length && bytes[at] !== 0) {
    const id = String.fromCharCode(...bytes.subarray(at, at + (isOld ? 3 : 4)));
    const length = isOld ? plain(bytes, at + 3, 3) : version === 4 ? synchsafe(bytes, at + 4) : plain(bytes, at + 4, 4);
    let body = bytes.subarray(at + headSize, at + headSize + length);
    const format = isOld ? 0 : bytes[at + 9];
    at += headSize + length;
    if (length <= 0 || body.length < length) break;
    // Compressed or encrypted ones are left alone.
    if (version === 4 ? format & 0x0c : version === 3 && format & 0xc0) continue;
    if (version === 4 && format & 0x01) body = body.subarray(4);
    if (version === 4 && (format & 0x02 || flags & 0x80)) body = resynchronised(body);
    if (NAMES[id]) {
      found[NAMES[id]] ??= text(body);
    } else if ((id === 'APIC' || id === 'PIC') && !isFront) {
      const one = picture(body, isOld);
      if (!found.cover || one.isFront) found.cover = one.data;
      isFront = one.isFront;
    }
  }
  if (Number(found.length) > 0) found.duration = Number(found.length) * 1000;
  return found;
}
