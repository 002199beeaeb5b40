// Binary messages of sona.v1, and where their samples lie: Protocol/schema/frames.json, spec/audio.md.

const SAFE = 2n ** 53n - 1n, RATE = 48000n;
export const DISCONTINUITY = 1, PREROLL = 2, SILENCE = 4, LAST = 8, REPLAY = 16, SHIFTED = 32;

/** TIME_REQ: a number of 16 bits, and our clock, BigInt µs. */
export function timeRequest(probeId, t1) {
  const view = new DataView(new ArrayBuffer(12));
  view.setUint8(0, 0x01);
  view.setUint16(2, probeId);
  view.setBigInt64(4, t1);
  return view.buffer;
}

const refuse = () => { throw new RangeError('no frame of the protocol'); };
const within = (value, low, high) => value >= low && value <= high ? value : refuse();
const exactly = (view, size) => view.byteLength === size || refuse();
/** An i64 that is a time: one that JSON can carry. */
const time = (view, at) => Number(within(view.getBigInt64(at), -SAFE, SAFE));
/** The duration of so many samples, µs, rounded down. */
const microseconds = samples => Number(BigInt(samples) * 1000000n / RATE);

/** A message of the server, an ArrayBuffer; null for what is to be skipped. */
export function parse(buffer) {
  try {
    const view = new DataView(buffer);
    return (readers[view.getUint8(0)] ?? (() => null))(view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers = {
  0x02: view => exactly(view, 28) && {
    frame: 'TIME_RSP', probe_id: view.getUint16(2), t1: view.getBigInt64(4), t2: time(view, 12), t3: time(view, 20),
  },
  0x10: view => {
    within(view.byteLength - 20, 1, 7650);
    return {frame: 'AUDIO_DN', ...packet(view, view.getUint8(1), view.getUint32(4), time(view, 8), 16, 20)};
  },
  0x11: bundle,
  0x30: view => exactly(view, 32) && {
    frame: 'POSITION', state: within(view.getUint8(1), 0, 3), epoch: view.getUint16(2), revision: view.getUint32(4),
    anchor_us: time(view, 8), position_us: within(time(view, 16), 0, Number(SAFE)),
    rate_ppm: within(view.getInt32(24), 0, 4000000), err_us: view.getUint32(28),
  },
};

function packet(view, flags, seq, playAt, samplesAt, begin, end = view.byteLength) {
  return {
    flags, epoch: view.getUint16(2), seq, play_at_us: playAt,
    samples: within(view.getUint32(samplesAt), 1, 5760), packet: new Uint8Array(view.buffer, begin, end - begin),
  };
}

/** The packets of a bundle, as if each had come alone. */
function bundle(view) {
  const flags = view.getUint8(1), firstSeq = view.getUint32(4), playAt = time(view, 8);
  const count = within(view.getUint8(16), 1, 255), packets = [];
  let at = 17, samples = 0;
  for (let k = 0; k < count; k += 1) {
    const length = within(view.getUint16(at + 4), 1, 7650), begin = at + 6;
    if (begin + length > view.byteLength) refuse();
    const own = flags & ~(k > 0 ? DISCONTINUITY : 0) & ~(k < count - 1 ? LAST : 0);
    const one = packet(view, own, firstSeq + k >>> 0, playAt + microseconds(samples), at, begin, begin + length);
    packets.push(one);
    samples += one.samples;
    at = begin + length;
  }
  if (at !== view.byteLength) refuse();
  return {
    frame: 'BUNDLE_DN', flags, epoch: view.getUint16(2), first_seq: firstSeq, play_at_us: playAt, packets,
  };
}

/** When a packet's last sample has sounded, µs of server time. */
export const endOf = packet => packet.play_at_us + microseconds(packet.samples);

/** How many of its first samples come before the first audible one of its stream: not to be rendered. */
export function unheardSamples(stream, packet) {
  const early = (BigInt(stream.start_us) - BigInt(packet.play_at_us)) * RATE / 1000000n;
  return early <= 0n ? 0 : early < BigInt(packet.samples) ? Number(early) : packet.samples;
}

/** Server time of a sample of a packet, µs, a fraction perhaps. */
export const timeOfSample = (packet, index) => packet.play_at_us + index * 1e6 / 48000;
