// QR codes of ISO/IEC 18004: bytes, error correction M, versions 1 to 20 (up to 666 bytes). A link is all they hold here.

/** By version from 1: error-correction codewords of a block, and number of blocks, for level M (table 9). */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
export const VERSION_MAX = BLOCKS.length;
/** The bits of level M in the format (table 25). */
const LEVEL_M = 0;

// GF(2⁸) by the polynomial x⁸ + x⁴ + x³ + x² + 1.
const power = new Uint8Array(512), logarithm = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at += 1) {
  power[at] = power[at + 255] = value;
  logarithm[value] = at;
  value = value << 1 ^ (value & 0x80 ? 0x11d : 0);
}
const times = (a, b) => a && b ? power[logarithm[a] + logarithm[b]] : 0;

/** The remainder of the data after division by the generator of so many codewords. */
function correction(data, count) {
  let generator = [1];
  for (let at = 0; at < count; at += 1) {
    const next = [...generator, 0];
    generator.forEach((factor, place) => { next[place + 1] ^= times(factor, power[at]); });
    generator = next;
  }
  const rest = new Uint8Array(count);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest.copyWithin(0, 1);
    rest[count - 1] = 0;
    for (let at = 0; at < count; at += 1) rest[at] ^= times(generator[at + 1], factor);
  }
  return rest;
}

const sizeOf = version => 17 + 4 * version;

/** Centres of the alignment patterns along one side (annex E). */
function alignment(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2, last = sizeOf(version) - 7;
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2;
  return [6, ...Array.from({length: count - 1}, (_, place) => last - step * (count - 2 - place))];
}

/** How many codewords of data and correction a version holds. */
function codewords(version) {
  const centres = alignment(version).length;
  const patterns = centres ? 25 * (centres * centres - 3) - 10 * (centres - 2) : 0;
  const fixed = 3 * 64 + 2 * (sizeOf(version) - 16) + patterns + 31 + (version >= 7 ? 36 : 0);
  return Math.floor((sizeOf(version) ** 2 - fixed) / 8);
}

const capacity = version => codewords(version) - CORRECTION[version - 1] * BLOCKS[version - 1];
const lengthBits = version => version < 10 ? 8 : 16;

/** The codewords as they are drawn: data in blocks, interleaved, then their correction, interleaved. */
function sequence(bytes, version) {
  const bits = [];
  const put = (value, count) => { for (let bit = count - 1; bit >= 0; bit -= 1) bits.push(value >> bit & 1); };
  put(4, 4);
  put(bytes.length, lengthBits(version));
  for (const byte of bytes) put(byte, 8);
  const room = capacity(version) * 8;
  put(0, Math.min(4, room - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = Uint8Array.from({length: room / 8}, (_, at) => bits.slice(8 * at, 8 * at + 8).reduce((sum, bit) => sum << 1 | bit, 0));
  const count = BLOCKS[version - 1], short = Math.floor(data.length / count), long = data.length % count;
  const blocks = [];
  for (let block = 0, at = 0; block < count; block += 1) {
    const size = short + (block >= count - long ? 1 : 0);
    blocks.push(data.subarray(at, at += size));
  }
  const corrections = blocks.map(block => correction(block, CORRECTION[version - 1]));
  const interleave = lists => Array.from({length: Math.max(...lists.map(list => list.length))}, (_, at) => at)
    .flatMap(at => lists.filter(list => at < list.length).map(list => list[at]));
  return [...interleave(blocks), ...interleave(corrections)];
}

/** A field of modules, of which some are fixed and neither hold data nor are masked. */
class Field {
  constructor(version) {
    this.version = version;
    this.size = sizeOf(version);
    this.dark = Array.from({length: this.size}, () => new Uint8Array(this.size));
    this.fixed = Array.from({length: this.size}, () => new Uint8Array(this.size));
    this.#draw();
  }

  set(row, column, dark) {
    this.dark[row][column] = dark ? 1 : 0;
    this.fixed[row][column] = 1;
  }

  #square(row, column, radius, isDark) {
    for (let y = -radius; y <= radius; y += 1) {
      for (let x = -radius; x <= radius; x += 1) {
        const inside = row + y >= 0 && row + y < this.size && column + x >= 0 && column + x < this.size;
        if (inside) this.set(row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))));
      }
    }
  }

  #draw() {
    const {size, version} = this, end = size - 4;
    for (let at = 0; at < size; at += 1) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
    for (const [row, column] of [[3, 3], [3, end], [end, 3]]) this.#square(row, column, 4, ring => ring !== 2 && ring !== 4);
    const centres = alignment(version), last = centres.at(-1);
    for (const row of centres) {
      for (const column of centres) {
        const isFinder = row === 6 && column === 6 || row === 6 && column === last || row === last && column === 6;
        if (!isFinder) this.#square(row, column, 2, ring => ring !== 1);
      }
    }
    this.format(0);
    if (version >= 7) this.#writeVersion();
  }

  /** The level and the mask, twice, with their BCH code (7.9). */
  format(mask) {
    const data = LEVEL_M << 3 | mask, {size} = this;
    let rest = data;
    for (let bit = 0; bit < 10; bit += 1) rest = rest << 1 ^ (rest >> 9) * 0x537;
    const bits = (data << 10 | rest) ^ 0x5412, bit = at => bits >> at & 1;
    for (let at = 0; at <= 5; at += 1) this.set(at, 8, bit(at));
    this.set(7, 8, bit(6));
    this.set(8, 8, bit(7));
    this.set(8, 7, bit(8));
    for (let at = 9; at < 15; at += 1) this.set(8, 14 - at, bit(at));
    for (let at = 0; at < 8; at += 1) this.set(8, size - 1 - at, bit(at));
    for (let at = 8; at < 15; at += 1) this.set(size - 15 + at, 8, bit(at));
    this.set(size - 8, 8, 1);
  }

  /** The version, twice, with its BCH code (7.10). */
  #writeVersion() {
    let rest = this.version;
    for (let bit = 0; bit < 12; bit += 1) rest = rest << 1 ^ (rest >> 11) * 0x1f25;
    const bits = this.version << 12 | rest;
    for (let at = 0; at < 18; at += 1) {
      const far = this.size - 11 + at % 3, near = Math.floor(at / 3);
      this.set(far, near, bits >> at & 1);
      this.set(near, far, bits >> at & 1);
    }
  }

  /** Two columns at a time from the right, upwards and downwards in turn (7.7.3). */
  fill(words) {
    let bit = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        const row = (right + 1 & 2) === 0 ? this.size - 1 - step : step;
        for (const column of [right, right - 1]) {
          if (this.fixed[row][column]) continue;
          if (bit < words.length * 8) this.dark[row][column] = words[bit >> 3] >> 7 - (bit & 7) & 1;
          bit += 1;
        }
      }
    }
  }

  mask(number) {
    const isTurned = masks[number];
    for (let row = 0; row < this.size; row += 1) {
      for (let column = 0; column < this.size; column += 1) {
        if (!this.fixed[row][column] && isTurned(row, column)) this.dark[row][column] ^= 1;
      }
    }
  }

  /** How hard it is to read (7.8.3). */
  get penalty() {
    const {dark, size} = this, lines = [...dark.map(row => [...row]), ...dark.map((_, column) => dark.map(row => row[column]))];
    let sum = 0, count = 0;
    for (const line of lines) {
      const text = line.join('');
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
      for (const finder of ['10111010000', '00001011101']) {
        for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) sum += 40;
      }
    }
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        count += dark[row][column];
        if (row === 0 || column === 0) continue;
        const four = dark[row][column] + dark[row - 1][column] + dark[row][column - 1] + dark[row - 1][column - 1];
        if (four === 0 || four === 4) sum += 3;
      }
    }
    return sum + 10 * Math.floor(Math.abs(count * 20 - size * size * 10) / (size * size));
  }
}

const masks = [
  (row, column) => (row + column) % 2 === 0,
  row => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => row * column % 2 + row * column % 3 === 0,
  (row, column) => (row * column % 2 + row * column % 3) % 2 === 0,
  (row, column) => ((row + column) % 2 + row * column % 3) % 2 === 0,
];

/**
 * The modules of a text's code, row by row: 1 is dark. Throws RangeError where the text is too long.
 *
 * @param mask 0 to 7; the one that is read most easily if absent.
 */
export function qrCode(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (version <= VERSION_MAX && 4 + lengthBits(version) + 8 * bytes.length > 8 * capacity(version)) version += 1;
  if (version > VERSION_MAX) throw new RangeError('The text is too long for a QR code.');
  const words = sequence(bytes, version);
  const drawn = number => {
    const field = new Field(version);
    field.fill(words);
    field.mask(number);
    field.format(number);
    return field;
  };
  if (mask !== null) return drawn(mask).dark;
  return masks.map((_, number) => drawn(number)).reduce((best, field) => field.penalty < best.penalty ? field : best).dark;
}
