// Tags of an MP4 file: ISO/IEC 14496-12 (boxes), and the list of items under moov/udta/meta/ilst that Apple's players write.

const ITEMS = {'©nam': 'title', '©ART': 'artist', '©alb': 'album', aART: 'albumArtist', covr: 'cover'};
const MOOV_MAX = 64 << 20, BOXES_MAX = 100_000;

const name = (bytes, at) => String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);

/** The boxes between two places: `[name, begin, end]` of what they hold. */
function* boxes(bytes, begin, end) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = begin, count = 0; at + 8 <= end && count < BOXES_MAX; count += 1) {
    let size = view.getUint32(at), head = 8;
    if (size === 1 && at + 16 <= end) {
      size = Number(view.getBigUint64(at + 8));
      head = 16;
    }
    if (size === 0) size = end - at;
    if (size < head || at + size > end) return;
    yield [name(bytes, at + 4), at + head, at + size];
    at += size;
  }
}

function find(bytes, path, begin = 0, end = bytes.length) {
  const [first, ...rest] = path;
  for (const [kind, from, to] of boxes(bytes, begin, end)) {
    if (kind !== first) continue;
    // `meta` has a version and flags before its boxes; QuickTime leaves them out.
    const skip = kind === 'meta' && name(bytes, from + 4) !== 'hdlr' ? 4 : 0;
    return rest.length > 0 ? find(bytes, rest, from + skip, to) : [from, to];
  }
  return null;
}

/** Finds `moov` in the file. It may come after all of the sound. */
async function movie(read, size) {
  for (let at = 0, count = 0; at + 8 <= size && count < 1000; count += 1) {
    const head = await read(at, 16), view = new DataView(head.buffer);
    let length = view.getUint32(0);
    if (length === 1) length = Number(view.getBigUint64(8));
    if (length === 0) length = size - at;
    if (length < 8) return null;
    if (name(head, 4) === 'moov') return length <= MOOV_MAX ? read(at + 8, length - 8) : null;
    at += length;
  }
  return null;
}

export async function readMP4(read, size) {
  const moov = await movie(read, size);
  if (!moov) return {};
  const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength), found = {};
  const header = find(moov, ['mvhd']);
  if (header) {
    const [at] = header, isLong = moov[at] === 1;
    const scale = view.getUint32(at + (isLong ? 20 : 12));
    const duration = isLong ? Number(view.getBigUint64(at + 24)) : view.getUint32(at + 16);
    if (scale > 0) found.duration = duration / scale * 1e6;
  }
  const list = find(moov, ['udta', 'meta', 'ilst']);
  for (const [kind, from, to] of list ? boxes(moov, ...list) : []) {
    const data = ITEMS[kind] && find(moov, ['data'], from, to);
    if (!data) continue;
    // Type and language stand before what is meant.
    const value = moov.slice(data[0] + 8, data[1]);
    found[ITEMS[kind]] ??= kind === 'covr' ? value : new TextDecoder().decode(value);
  }
  found.artist ??= found.albumArtist;
  return found;
}
