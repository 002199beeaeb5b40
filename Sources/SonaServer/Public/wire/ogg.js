// Opus packets as a file: pages of RFC 3533, headers of RFC 7845. For browsers that decode nothing smaller than files.

const CRC = (() => {
  const table = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte << 24;
    for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? value << 1 ^ 0x04c11db7 : value << 1;
    table[byte] = value >>> 0;
  }
  return table;
})();

/** The checksum of RFC 3533 over a page whose own is zero. */
export function checksum(bytes) {
  let value = 0;
  for (const byte of bytes) value = (value << 8 ^ CRC[value >>> 24 ^ byte]) >>> 0;
  return value;
}

const BEGINS = 2, ENDS = 4;
const ascii = text => Uint8Array.from(text, letter => letter.charCodeAt(0));

/** A page with whole packets, at most 255 segments of them. */
function page(packets, {flags, granule, number}) {
  const segments = packets.flatMap(packet => [...Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255]);
  const size = 27 + segments.length + packets.reduce((sum, packet) => sum + packet.length, 0);
  const bytes = new Uint8Array(size), view = new DataView(bytes.buffer);
  bytes.set(ascii('OggS'));
  bytes[5] = flags;
  view.setBigInt64(6, BigInt(granule), true);
  view.setUint32(14, 1, true);
  view.setUint32(18, number, true);
  bytes[26] = segments.length;
  bytes.set(segments, 27);
  let at = 27 + segments.length;
  for (const packet of packets) {
    bytes.set(packet, at);
    at += packet.length;
  }
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}

function head() {
  const bytes = new Uint8Array(19), view = new DataView(bytes.buffer);
  bytes.set(ascii('OpusHead'));
  bytes[8] = 1;
  bytes[9] = 2;
  // No pre-skip: what is not to be heard is known by its time.
  view.setUint32(12, 48000, true);
  return bytes;
}

function tags() {
  const bytes = new Uint8Array(8 + 4 + 4 + 4);
  bytes.set(ascii('OpusTags'));
  new DataView(bytes.buffer).setUint32(8, 4, true);
  bytes.set(ascii('sona'), 12);
  return bytes.subarray(0, 20);
}

/** @param packets {packet, samples}: the bytes, and how many samples they decode to at 48 kHz. */
export function oggOpus(packets) {
  const pages = [page([head()], {flags: BEGINS, granule: 0, number: 0}), page([tags()], {flags: 0, granule: 0, number: 1})];
  let granule = 0, held = [], segments = 0;
  packets.forEach(({packet, samples}, index) => {
    held.push(packet);
    granule += samples;
    segments += Math.floor(packet.length / 255) + 1;
    const next = packets[index + 1], isLast = !next;
    if (!isLast && segments + Math.floor(next.packet.length / 255) + 1 <= 255) return;
    pages.push(page(held, {flags: isLast ? ENDS : 0, granule, number: pages.length}));
    held = [];
    segments = 0;
  });
  const whole = new Uint8Array(pages.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of pages) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}
