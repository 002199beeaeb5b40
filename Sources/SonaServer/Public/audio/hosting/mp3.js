// How long an MP3 file plays, by its frames: ISO/IEC 11172-3, section 2.4.2.3, and 13818-3 for the lower rates; the count
// of frames that encoders write into the first one ("Xing", "Info") where there is one.

/** kbit/s of layer III by the index in a frame's head: of MPEG 1, and of MPEG 2 and 2.5. */
const BITRATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = [44100, 48000, 32000];
/** How much is looked at, and how far into it the first frame may begin, bytes. */
const WINDOW = 64 << 10, SEARCH = 4096;

/** The frame whose head is at a place, or null. */
function frameAt(bytes, at) {
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1] & 0xe6) !== 0xe2) return null;
  const version = bytes[at + 1] >> 3 & 3, bitrate = bytes[at + 2] >> 4, rate = bytes[at + 2] >> 2 & 3;
  if (version === 1 || bitrate === 0 || bitrate === 15 || rate === 3) return null;
  const isFirst = version === 3, samples = isFirst ? 1152 : 576, hertz = RATES[rate] / (isFirst ? 1 : version === 2 ? 2 : 4);
  const size = Math.floor(samples / 8 * BITRATES[isFirst ? 1 : 2][bitrate] * 1000 / hertz) + (bytes[at + 2] >> 1 & 1);
  const isMono = bytes[at + 3] >> 6 === 3;
  return {samples, hertz, size, side: isFirst ? isMono ? 17 : 32 : isMono ? 9 : 17};
}

/** The frames in a row that begin at a place. */
function* framesFrom(bytes, begin) {
  for (let at = begin, frame; (frame = frameAt(bytes, at)) !== null; at += frame.size) yield frame;
}

/** How many frames there are, as the first one says; 0 where it does not. */
function counted(bytes, at, {side}) {
  const place = at + 4 + side, name = String.fromCharCode(...bytes.subarray(place, place + 4));
  if (name !== 'Xing' && name !== 'Info' || place + 12 > bytes.length || !(bytes[place + 7] & 1)) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset + place + 8, 4).getUint32(0);
}

/**
 * Length of the file whose sound begins at a place, µs, or null: by what the first frame says, else by how many bytes a
 * second the first frames have.
 */
export async function readMP3(read, size, begin = 0) {
  const bytes = await read(begin, WINDOW);
  for (let at = 0; at < Math.min(SEARCH, bytes.length); at += 1) {
    const frames = [...framesFrom(bytes, at)];
    // One alone may be anything.
    if (frames.length < 2) continue;
    const [{samples, hertz}] = frames, count = counted(bytes, at, frames[0]);
    if (count > 0) return count * samples / hertz * 1e6;
    const whole = frames.reduce((sum, frame) => sum + frame.size, 0);
    return (size - begin - at) / whole * frames.length * samples / hertz * 1e6;
  }
  return null;
}
