// The user's settings, on this device and, with an account, on all of theirs.

const KEY = 'sona.settings';

/** Frequencies of the equaliser's bands, Hz: a low shelf, four peaks, a high shelf. */
export const BANDS = [60, 150, 400, 1000, 2400, 15000];
/** Gains by preset, dB per band. */
export const PRESETS = {
  flat: [0, 0, 0, 0, 0, 0],
  rock: [4, 2, -2, -1, 2, 4],
  pop: [-1, 1, 3, 3, 1, -1],
  jazz: [3, 2, -1, 1, 2, 3],
  classical: [3, 1, 0, 0, 1, 3],
  voice: [-6, -2, 1, 4, 3, -2],
};
export const GAIN_MAX = 12;

const defaults = {
  locale: null, theme: 'system', shading: true, volume: 0.8, muted: false, equalizer: PRESETS.flat, presets: [], nudge: 0, keys: true, unseen: false,
  outputLatency: null, loudness: true, crossfade: 0, speed: 1, pocket: false, visual: false, scene: 'rings', output: null, lyrics: true, saver: navigator.connection?.saveData === true,
};
/** The settings that an account keeps on the server. */
const OF_ACCOUNT = ['locale', 'theme', 'shading'];

const read = () => {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
};

class Settings extends EventTarget {
  #values = {...defaults, ...read()};

  constructor() {
    super();
    // Another tab has changed something.
    addEventListener('storage', ({key}) => {
      if (key !== KEY) return;
      const values = {...defaults, ...read()};
      for (const name of Object.keys(values)) {
        if (JSON.stringify(values[name]) !== JSON.stringify(this.#values[name])) this.#take(name, values[name]);
      }
    });
  }

  get(name) { return this.#values[name]; }

  /** Fires `change` with `detail` `{key, value}`, unless nothing changes. */
  set(name, value) {
    if (JSON.stringify(value) === JSON.stringify(this.#values[name])) return;
    this.#take(name, value);
    try { localStorage.setItem(KEY, JSON.stringify(this.#values)); } catch { /* No room, or none allowed: for this visit, then. */ }
  }

  #take(name, value) {
    this.#values[name] = value;
    this.dispatchEvent(new CustomEvent('change', {detail: {key: name, value}}));
  }

  isOfAccount(name) { return OF_ACCOUNT.includes(name); }
  /** Takes the account's settings as they come from the server. */
  adopt(account) {
    for (const name of OF_ACCOUNT) if (name in account) this.set(name, account[name]);
  }
}

export const settings = new Settings();

/** The preset with these gains, or null. */
export const presetOf = (gains) =>
  Object.keys(PRESETS).find((name) => PRESETS[name].every((gain, band) => gain === gains[band])) ?? null;

let shown = null;
const tint = () => {
  const root = document.documentElement;
  const color = settings.get('shading') ? shown : null;
  if (color) root.style.setProperty('--tint', color);
  else root.style.removeProperty('--tint');
  root.toggleAttribute('data-tinted', Boolean(color));
};
/** Tints the page with the colour of what it shows, `#rrggbb`, or with none; only where that is wanted. */
export const shade = (color) => {
  shown = /^#[0-9a-f]{6}$/i.test(color ?? '') ? color : null;
  tint();
};
settings.addEventListener('change', ({detail}) => { if (detail.key === 'shading') tint(); });
