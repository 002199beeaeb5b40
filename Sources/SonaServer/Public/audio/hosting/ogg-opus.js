// Opus packets out of an Ogg file: RFC 3533 (pages), RFC 7845 (Opus in them). A file that is that already is not coded again.
import {checksum} from '../../wire/ogg.js';
import {packetSamples} from '../../wire/opus.js';

const CONTINUES = 1, BEGINS = 2, ENDS = 4;
const NO_GRANULE = 0xffffffffffffffffn;

const text = (bytes, at, letters) => [...letters].every((letter, k) => bytes[at + k] === letter.charCodeAt(0));
/** Whether a file begins as an Ogg page does. */
export const looksLikeOgg = bytes => bytes.length > 27 && text(bytes, 0, 'OggS');

/** The pages of a file; bytes between them and pages whose checksum is wrong are passed over. */
function* pages(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 27 <= bytes.length;) {
    if (!text(bytes, at, 'OggS') || bytes[at + 4] !== 0) {
      at += 1;
      continue;
    }
    const count = bytes[at + 26], body = at + 27 + count;
    if (body > bytes.length) return;
    const lacing = bytes.subarray(at + 27, body), end = body + lacing.reduce((sum, size) => sum + size, 0);
    if (end > bytes.length) return;
    const copy = bytes.slice(at, end);
    copy.fill(0, 22, 26);
    if (checksum(copy) !== view.getUint32(at + 22, true)) {
      at += 4;
      continue;
    }
    yield {
      flags: bytes[at + 5], granule: view.getBigUint64(at + 6, true), serial: view.getUint32(at + 14, true), lacing,
      body: bytes.subarray(body, end),
    };
    at = end;
  }
}

/** The first packet of every stream, whole packets of the first, and where each page of it ends. */
function collect(bytes, isWanted) {
  let serial = null, partial = [], granule = null;
  const packets = [];
  for (const page of pages(bytes)) {
    if (page.flags & BEGINS && serial === null && isWanted(page.body)) serial = page.serial;
    // A second chain or another kind of stream is not supported here.
    else if (page.flags & BEGINS && isWanted(page.body)) return null;
    if (page.serial !== serial) continue;
    if (!(page.flags & CONTINUES)) partial = [];
    let at = 0, whole = 0;
    for (const size of page.lacing) {
      partial.push(page.body.subarray(at, at + size));
      at += size;
      if (size === 255) continue;
      packets.push({data: join(partial), granule: null, ends: false});
      partial = [];
      whole += 1;
    }
    if (whole > 0 && page.granule !== NO_GRANULE) {
      granule = page.granule;
      Object.assign(packets.at(-1), {granule, ends: Boolean(page.flags & ENDS)});
    }
  }
  return serial === null ? null : packets;
}

function join(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Reads an Ogg Opus file. Returns null if its packets cannot be sent unchanged: it has another format, more than two
 * channels or several chained streams, asks for a gain, or is damaged.
 *
 * `packets` are `{data, samples, start}` at 48 kHz from the first decoded sample. `total` is their length after the end
 * is trimmed, `preSkip` included. `comments` is the packet of the tags.
 */
export function readOggOpus(bytes) {
  if (!looksLikeOgg(bytes)) return null;
  const found = collect(bytes, body => text(body, 0, 'OpusHead'));
  if (!found || found.length < 3) return null;
  const head = found[0].data, comments = found[1].data;
  if (head.length < 19 || head[8] >> 4 !== 0 || !text(comments, 0, 'OpusTags')) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const channels = head[9], preSkip = view.getUint16(10, true), gain = view.getInt16(16, true), family = head[18];
  if (channels < 1 || channels > 2 || family !== 0 || gain !== 0) return null;
  const packets = [];
  let start = 0, first = null, last = null;
  for (const {data, granule, ends} of found.slice(2)) {
    const samples = packetSamples(data);
    if (samples === 0) return null;
    packets.push({data, samples, start});
    start += samples;
    if (granule === null) continue;
    // A file that was cut out of a longer one begins at another place than 0; one page alone may be trimmed at its end.
    first ??= ends ? 0n : granule - BigInt(start);
    last = granule;
  }
  if (last === null) return null;
  const total = Math.min(start, Number(last - (first > 0n ? first : 0n)));
  while (packets.length > 0 && packets.at(-1).start >= total) packets.pop();
  if (packets.length === 0 || total <= preSkip) return null;
  packets.at(-1).samples = total - packets.at(-1).start;
  return {channels, preSkip, comments, packets, total};
}
