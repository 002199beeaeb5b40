// The colour of a picture, as the server finds it for Photos: what most of it has.

/** A picture is looked at in so many pixels a side. */
const SIDE = 64;
/** Boxes per channel. */
const BOXES = 16;

const boxOf = (red, green, blue) => ((red * BOXES + green) * BOXES + blue) * 4;

/** Sums of red, green, blue and alpha of the pixels in each box, weighted by alpha. */
const sorted = (data) => {
  const boxes = new Float64Array(BOXES ** 3 * 4);
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue, alpha] = data.subarray(at, at + 4), box = boxOf(red >> 4, green >> 4, blue >> 4);
    [red * alpha, green * alpha, blue * alpha, alpha].forEach((value, part) => { boxes[box + part] += value; });
  }
  return boxes;
};

/** The boxes around one, with it. */
const cube = (boxes, center) => {
  const sum = [0, 0, 0, 0], range = (box) => [box - 1, box, box + 1].filter((one) => one >= 0 && one < BOXES);
  for (const red of range(center[0])) for (const green of range(center[1])) for (const blue of range(center[2])) {
    const box = boxOf(red, green, blue);
    for (let part = 0; part < 4; part += 1) sum[part] += boxes[box + part];
  }
  return sum;
};

/** Of RGBA pixels: the mean of the heaviest 3 × 3 × 3 of 16 × 16 × 16 boxes, `#rrggbb`; null where nothing is to be seen. */
const dominant = (data) => {
  const boxes = sorted(data);
  let best = [0, 0, 0, 0];
  for (let red = 0; red < BOXES; red += 1) for (let green = 0; green < BOXES; green += 1) for (let blue = 0; blue < BOXES; blue += 1) {
    if (boxes[boxOf(red, green, blue) + 3] === 0) continue;
    const around = cube(boxes, [red, green, blue]);
    if (around[3] > best[3]) best = around;
  }
  const [red, green, blue, weight] = best;
  return weight === 0 ? null : '#' + [red, green, blue].map((sum) => Math.round(sum / weight).toString(16).padStart(2, '0')).join('');
};

const look = async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const pen = Object.assign(document.createElement('canvas'), {width: SIDE, height: SIDE}).getContext('2d', {willReadFrequently: true});
  pen.drawImage(image, 0, 0, SIDE, SIDE);
  return dominant(pen.getImageData(0, 0, SIDE, SIDE).data);
};

const known = new Map();
/**
 * Returns the colour of the picture at an address of this server, or null if there is none. Each picture is read once.
 */
export const colorAt = (address) => {
  if (!known.has(address)) known.set(address, look(address).catch(() => { known.delete(address); return null; }));
  return known.get(address);
};
