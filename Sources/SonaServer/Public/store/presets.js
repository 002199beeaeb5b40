// Presets of the equaliser that somebody has named, kept with the settings of this device. No DOM.
import {BANDS, GAIN_MAX, settings} from './settings.js';

/** How many somebody can have; letters of a name. */
export const OWN_MAX = 20, NAME_MAX = 30;

const sameAs = (name) => name.normalize('NFKC').trim().toLowerCase();
const isSound = (one) => typeof one?.name === 'string' && one.name.trim() !== '' && Array.isArray(one.gains) && one.gains.length === BANDS.length
  && one.gains.every((gain) => Number.isFinite(gain) && Math.abs(gain) <= GAIN_MAX);

export const presets = {
  /** `[{name, gains}]`, the oldest first. */
  get own() { return (settings.get('presets') ?? []).filter(isSound); },

  /** The own preset with these gains, or undefined. */
  of(gains) { return this.own.find((one) => one.gains.every((gain, band) => gain === gains[band])); },

  /**
   * Keeps gains under a name. `taken` are names that stand for something else, such as those of the built-in presets in
   * the user's language. Returns what stands against it: 'empty', 'exists', 'full', or null.
   */
  keep(name, gains, taken = []) {
    const wanted = [...name.normalize('NFC').trim()].slice(0, NAME_MAX).join('');
    if (!wanted) return 'empty';
    if ([...taken, ...this.own.map((one) => one.name)].some((other) => sameAs(other) === sameAs(wanted))) return 'exists';
    if (this.own.length >= OWN_MAX) return 'full';
    settings.set('presets', [...this.own, {name: wanted, gains: [...gains]}]);
    return null;
  },

  /** Forgets one, and returns what puts it back to its place. */
  forget(name) {
    const before = this.own, at = before.findIndex((one) => one.name === name);
    settings.set('presets', before.filter((_, index) => index !== at));
    return () => { if (at >= 0 && !this.own.some((one) => one.name === name)) settings.set('presets', this.own.toSpliced(at, 0, before[at])); };
  },
};
