// The tags of a file: title, artist, album, cover and length. All of it is untrusted text.
import {readID3} from './id3.js';
import {readMP3} from './mp3.js';
import {readMP4} from './mp4.js';
import {readFLAC, readOgg} from './vorbis-comments.js';

/** Longest text of a Track, bytes of UTF-8; Protocol/spec/rooms.md, "Track". */
const BYTES_MAX = 512;
const encoder = new TextEncoder();

/**
 * Makes a text of one line for the protocol: control characters removed, at most 512 bytes. Returns null if nothing is
 * left.
 */
export function line(value) {
  if (typeof value !== 'string') return null;
  let text = value.toWellFormed?.() ?? value;
  text = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  while (encoder.encode(text).length > BYTES_MAX) text = [...text].slice(0, -1 - Math.max(0, Math.floor((encoder.encode(text).length - BYTES_MAX) / 4))).join('');
  return text.trim() || null;
}

/** The name of a file without its ending: what a track is called that says nothing itself. */
export const nameOf = file => line(file.name.replace(/\.[^.]{1,5}$/, '').replaceAll('_', ' ')) ?? '—';

/** Pictures that every browser shows; the type is what the bytes say. */
function pictureType(bytes) {
  const starts = (...magic) => magic.every((byte, k) => bytes[k] === byte);
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57) return 'image/webp';
  return null;
}

const ascii = (bytes, at, text) => [...text].every((letter, k) => bytes[at + k] === letter.charCodeAt(0));

/** What a list of type INFO calls things: Multimedia Programming Interface and Data Specifications 1.0, "INFO list chunk". */
const INFO = {INAM: 'title', IART: 'artist', IPRD: 'album'};
/** How many chunks of a RIFF file are looked at, and how large one with tags may be. */
const CHUNKS_MAX = 64, CHUNK_MAX = 32 << 20;

/** A text of an INFO list: UTF-8, or what Windows wrote before that. */
function infoText(bytes) {
  const end = bytes.indexOf(0), text = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(text);
  } catch {
    return new TextDecoder('windows-1252').decode(text);
  }
}

function readInfo(bytes, found) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 4; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true), name = INFO[String.fromCharCode(...bytes.subarray(at, at + 4))];
    if (name && at + 8 + size <= bytes.length) found[name] ??= infoText(bytes.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size & 1);
  }
}

/**
 * Length and tags of a RIFF file: an INFO list, or a tag of ID3, each a chunk before or after the sound. What was written
 * as it came says nothing of its size, or too much; then nothing follows it.
 */
async function readWAV(read, fileSize) {
  const found = {};
  let rate = 0;
  for (let at = 12, count = 0; at + 8 <= fileSize && count < CHUNKS_MAX; count += 1) {
    const head = await read(at, 24), view = new DataView(head.buffer), size = view.getUint32(4, true), body = at + 8;
    if (ascii(head, 0, 'fmt ') && head.length >= 20) rate = view.getUint32(16, true);
    if (ascii(head, 0, 'data') && rate > 0) found.duration = Math.min(size || Infinity, fileSize - body) / rate * 1e6;
    if (ascii(head, 0, 'LIST') && ascii(head, 8, 'INFO') && size <= CHUNK_MAX) readInfo(await read(body, size), found);
    if ((ascii(head, 0, 'id3 ') || ascii(head, 0, 'ID3 ')) && ascii(head, 8, 'ID3')) {
      const {duration, end, ...tags} = await readID3((from, length) => read(body + from, length), head.subarray(8));
      Object.assign(found, tags);
    }
    if (ascii(head, 0, 'data') && size === 0) break;
    at = body + size + (size & 1);
  }
  return found;
}

/**
 * Reads `{title, artist, album, duration_us, cover}` of a file, with a function that reads a piece of it. Unknown
 * values are null. Never throws: a damaged file gives fewer values.
 */
export async function readTags(file) {
  const read = async (at, size) => new Uint8Array(await file.slice(at, at + size).arrayBuffer());
  let found = {};
  try {
    const head = await read(0, 65536);
    if (ascii(head, 0, 'ID3')) {
      found = await readID3(read, head);
      // Frames do not err.
      found.duration = await readMP3(read, file.size, found.end) ?? found.duration;
    } else if (ascii(head, 0, 'fLaC')) found = await readFLAC(read, file.size, 0);
    else if (ascii(head, 0, 'OggS')) found = await readOgg(read, file.size);
    else if (ascii(head, 4, 'ftyp')) found = await readMP4(read, file.size);
    else if (ascii(head, 0, 'RIFF') && ascii(head, 8, 'WAVE')) found = await readWAV(read, file.size);
    else found.duration = await readMP3(read, file.size);
  } catch { /* It is not what it looks like. */ }
  const picture = found.cover?.length > 0 && found.cover.length < 16 << 20 ? pictureType(found.cover) : null;
  const duration = Math.round(found.duration ?? 0);
  return {
    title: line(found.title) ?? nameOf(file), artist: line(found.artist), album: line(found.album),
    duration_us: Number.isSafeInteger(duration) && duration > 0 ? duration : null,
    cover: picture ? new Blob([found.cover], {type: picture}) : null,
  };
}
