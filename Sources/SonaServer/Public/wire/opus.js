// Reads properties of an Opus packet without decoding it: RFC 6716, section 3.

/** Samples of one frame at 48 kHz, by the configuration in the upper five bits of the first byte. */
function frameSamples(configuration) {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration & 3];
  if (configuration < 16) return [480, 960][configuration & 1];
  return [120, 240, 480, 960][configuration & 3];
}

const SAMPLES_MAX = 5760, FRAME_BYTES_MAX = 1275;

/** The length of a frame as it is written before it: [bytes, where it ends], or null. */
function lengthAt(packet, at) {
  if (at >= packet.length) return null;
  if (packet[at] < 252) return [packet[at], at + 1];
  return at + 1 < packet.length ? [packet[at] + 4 * packet[at + 1], at + 2] : null;
}

/** The number of samples that a packet decodes to at 48 kHz; 0 if it is not a packet of RFC 6716. */
export function packetSamples(packet) {
  if (packet.length === 0) return 0;
  const one = frameSamples(packet[0] >> 3), body = packet.length - 1;
  switch (packet[0] & 3) {
    case 0: return body <= FRAME_BYTES_MAX ? one : 0;
    case 1: return body % 2 === 0 && body / 2 <= FRAME_BYTES_MAX ? 2 * one : 0;
    case 2: {
      const first = lengthAt(packet, 1);
      if (!first) return 0;
      const second = packet.length - first[1] - first[0];
      return second >= 0 && second <= FRAME_BYTES_MAX ? 2 * one : 0;
    }
    default: return manyFrames(packet, one);
  }
}

function manyFrames(packet, one) {
  if (packet.length < 2) return 0;
  const count = packet[1] & 63, isVariable = packet[1] & 128;
  if (count === 0 || count * one > SAMPLES_MAX) return 0;
  let at = 2, padding = 0;
  if (packet[1] & 64) {
    for (;;) {
      if (at >= packet.length) return 0;
      const step = packet[at++];
      padding += step === 255 ? 254 : step;
      if (step !== 255) break;
    }
  }
  let rest;
  if (isVariable) {
    let known = 0;
    for (let frame = 1; frame < count; frame += 1) {
      const length = lengthAt(packet, at);
      if (!length) return 0;
      known += length[0];
      at = length[1];
    }
    rest = packet.length - at - padding - known;
  } else {
    rest = packet.length - at - padding;
    if (rest < 0 || rest % count !== 0) return 0;
    rest /= count;
  }
  return rest >= 0 && rest <= FRAME_BYTES_MAX ? count * one : 0;
}
