// Vorbis comments, and where FLAC and Ogg keep them: xiph.org "Ogg Vorbis I format specification: comment field",
// RFC 9639 (FLAC), RFC 7845 section 5.2 (Opus).

const FIELDS = {title: 'title', artist: 'artist', album: 'album', metadata_block_picture: 'picture'};
const BLOCKS_MAX = 64, BLOCK_MAX = 32 << 20;

/** The comments at a place: what stands there by name, the first of each. */
function comments(bytes, begin) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), decoder = new TextDecoder();
  const found = {};
  let at = begin + 4 + view.getUint32(begin, true);
  const count = Math.min(10_000, view.getUint32(at, true));
  at += 4;
  for (let k = 0; k < count && at + 4 <= bytes.length; k += 1) {
    const size = view.getUint32(at, true), end = at + 4 + size;
    if (end > bytes.length) break;
    const equals = bytes.indexOf(0x3d, at + 4);
    if (equals > 0 && equals < end) {
      const name = FIELDS[decoder.decode(bytes.subarray(at + 4, equals)).toLowerCase()];
      if (name) found[name] ??= decoder.decode(bytes.subarray(equals + 1, end));
    }
    at = end;
  }
  if (found.picture) {
    found.cover = picture(Uint8Array.from(atob(found.picture.replace(/\s/g, '')), letter => letter.charCodeAt(0)));
    delete found.picture;
  }
  return found;
}

/** The bytes of a picture of RFC 9639, section 8.8. */
function picture(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const description = 8 + view.getUint32(4), data = description + 4 + view.getUint32(description) + 16;
  return bytes.slice(data + 4, data + 4 + view.getUint32(data));
}

export async function readFLAC(read, size, begin) {
  const found = {};
  let at = begin + 4;
  for (let blocks = 0; blocks < BLOCKS_MAX && at + 4 <= size; blocks += 1) {
    const head = await read(at, 4), kind = head[0] & 127, length = head[1] << 16 | head[2] << 8 | head[3];
    if (length > BLOCK_MAX) break;
    if (kind === 0 || kind === 4 || kind === 6) {
      const block = await read(at + 4, length);
      if (kind === 0) {
        const rate = block[10] << 12 | block[11] << 4 | block[12] >> 4;
        const samples = (block[13] & 15) * 2 ** 32 + new DataView(block.buffer).getUint32(14);
        if (rate > 0 && samples > 0) found.duration = samples / rate * 1e6;
      }
      if (kind === 4) Object.assign(found, comments(block, 0), found.cover ? {cover: found.cover} : {});
      if (kind === 6) found.cover ??= picture(block);
    }
    if (head[0] & 128) break;
    at += 4 + length;
  }
  return found;
}

/** The packet that begins with `magic`, put together from its pages, and whether all of it is there. For the head of a file. */
function packetWith(bytes, magic) {
  for (let at = 0; at + 27 <= bytes.length && bytes[at] === 0x4f;) {
    const parts = [];
    let isOurs = false, isOpen = true, isWhole = true;
    while (isOpen && at + 27 <= bytes.length && bytes[at] === 0x4f) {
      const count = bytes[at + 26];
      let body = at + 27 + count;
      for (let k = 0; k < count; k += 1) {
        const size = bytes[at + 27 + k], part = bytes.subarray(body, body + size);
        body += size;
        if (!isOpen) continue;
        isWhole &&= part.length === size;
        if (parts.length === 0) isOurs = magic.every((byte, index) => part[index] === byte);
        parts.push(part);
        isOpen = size === 255;
      }
      at = body;
      if (!isOurs) break;
    }
    if (!isOurs) continue;
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let to = 0;
    for (const part of parts) {
      whole.set(part, to);
      to += part.length;
    }
    return {packet: whole, isWhole: isWhole && !isOpen};
  }
  return null;
}

const ascii = text => [...text].map(letter => letter.charCodeAt(0));

/** How much an Ogg file plays, in samples of its kind, by its last page; 0 where that is not found. */
function lastGranule(tail) {
  for (let at = tail.length - 27; at >= 0; at -= 1) {
    if (tail[at] !== 0x4f || tail[at + 1] !== 0x67 || tail[at + 2] !== 0x67 || tail[at + 3] !== 0x53) continue;
    const granule = new DataView(tail.buffer, tail.byteOffset + at + 6, 8).getBigInt64(0, true);
    return granule > 0n ? Number(granule) : 0;
  }
  return 0;
}

/** How much of a file's beginning is read: little, and more only where its tags go on, as those with a large picture do. */
const HEAD = 64 << 10, HEAD_MAX = 16 << 20, TAIL = 65_307;

/** The packet of the tags, or as much as may be read of it. */
async function tagsWith(read, size, head, magic) {
  for (let length = HEAD; ; length *= 4) {
    const bytes = length === HEAD ? head : await read(0, Math.min(length, HEAD_MAX)), found = packetWith(bytes, magic);
    if (found?.isWhole || length >= Math.min(size, HEAD_MAX)) return found?.packet ?? null;
  }
}

/** Tags of an Ogg file, Opus or Vorbis, by the packet that holds them. */
export async function readOgg(read, size) {
  const head = await read(0, HEAD), end = lastGranule(await read(Math.max(0, size - TAIL), TAIL));
  const view = packet => new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const opus = packetWith(head, ascii('OpusHead'))?.packet;
  if (opus) {
    const tags = await tagsWith(read, size, head, ascii('OpusTags')), duration = (end - view(opus).getUint16(10, true)) / 48000 * 1e6;
    return {...tags ? comments(tags, 8) : {}, duration};
  }
  const vorbis = packetWith(head, [1, ...ascii('vorbis')])?.packet;
  if (!vorbis) return {};
  const tags = await tagsWith(read, size, head, [3, ...ascii('vorbis')]);
  return {...tags ? comments(tags, 7) : {}, duration: end / view(vorbis).getUint32(12, true) * 1e6};
}
