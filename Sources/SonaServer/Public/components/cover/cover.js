// A room's picture, or one drawn from its identifier: rings about a moment, in colours that are always its own.
import {h, s} from '../../shell/dom.js';
import {colorAt} from './color.js';

/** A number of 32 bits that a text always has (FNV-1a). */
const hash = (text) => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};
/** A hue of 0 to 359 degrees that a text always has. */
export const hueOf = (text) => hash(String(text ?? '')) % 360;

/** Hues of ground and centre that go well together. */
const PALETTES = [
  [20, 70], [350, 40], [330, 20], [300, 350], [280, 330], [265, 215], [245, 190], [215, 165], [190, 145], [165, 100], [40, 90], [310, 250],
];

const drawn = (seed) => {
  const number = hash(seed);
  const [hue, other] = PALETTES[number % PALETTES.length];
  // The shorter way around.
  const turn = (other - hue + 540) % 360 - 180;
  const x = 18 + (number >>> 3) % 64, y = 20 + (number >>> 11) % 60;
  const picture = s(
    'svg', {viewBox: '0 0 100 100', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', focusable: 'false'},
    s('rect', {width: 100, height: 100, class: 'ground'}),
    [96, 76, 58, 42, 28, 16].map((r, index) => s('circle', {cx: x, cy: y, r, class: `ring ring-${index}`})),
    s('circle', {cx: x, cy: y, r: 6, class: 'moment'}));
  const paint = (selector, value) => { picture.querySelector(selector).style.fill = value; };
  paint('.ground', `oklch(.3 .08 ${hue})`);
  for (let index = 0; index < 6; index += 1) {
    const share = (index + 1) / 6;
    paint(`.ring-${index}`, `oklch(${.36 + .46 * share} ${.1 + .05 * share} ${(hue + turn * share + 360) % 360})`);
  }
  paint('.moment', 'oklch(.97 .03 90)');
  return picture;
};

/** The colour by which a page may be tinted while this is shown. */
export const colorOf = ({picture, id}) => {
  if (picture?.color) return picture.color;
  const [hue, other] = PALETTES[hash(id ?? '') % PALETTES.length];
  // Between ground and centre, as what is drawn has it: Oklch of middling lightness in sRGB.
  const angle = (hue + .6 * ((other - hue + 540) % 360 - 180)) * Math.PI / 180, a = .13 * Math.cos(angle), b = .13 * Math.sin(angle);
  const [l, m, s3] = [.3963377774 * a + .2158037573 * b, -.1055613458 * a - .0638541728 * b, -.0894841775 * a - 1.291485548 * b]
    .map((part) => (.65 + part) ** 3);
  return '#' + [[4.0767416621, -3.3077115913, .2309699292], [-1.2684380046, 2.6097574011, -.3413193965], [-.0041960863, -.7034186147, 1.707614701]]
    .map(([x, y, z]) => Math.min(1, Math.max(0, x * l + y * m + z * s3)) ** (1 / 2.2))
    .map((value) => Math.round(255 * value).toString(16).padStart(2, '0')).join('');
};

/** A track's artwork where it is a path of this server: pages ask nobody else for pictures. */
const ofThisServer = (artwork) => typeof artwork === 'string' && /^\/(?![/\\])/.test(artwork) ? artwork : null;

/** The colour of a track's artwork, `#rrggbb`; null where none is shown. Asked early, the picture is here when it is shown. */
export const colorOfArtwork = async (artwork) => ofThisServer(artwork) && colorAt(artwork);

/**
 * The cover of `{picture?, artwork?, id?, title?}`: the track's artwork, else the room's Photo, else a drawing. If one
 * cannot be loaded, the next is used. `size` is one of a Photo's. Hidden from screen readers, because a title stands
 * beside it.
 */
export const cover = ({picture = null, artwork = null, id = '', title = ''}, size = 'full') => {
  const element = h('span', {class: 'cover', 'aria-hidden': 'true'});
  const sources = [ofThisServer(artwork), picture && `/v1/photos/${encodeURIComponent(picture.id)}/${size}`].filter(Boolean);
  if (picture) element.style.background = picture.color;
  const next = () => {
    const src = sources.shift();
    return src ? h('img', {src, alt: '', loading: 'lazy', decoding: 'async', onerror: ({target}) => target.replaceWith(next())}) : drawn(id || title);
  };
  element.append(next());
  return element;
};
