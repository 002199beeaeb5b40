// How the parts of the library are looked at, on this device: order, shape, whose. No DOM.
const KEY = 'sona.library';

const read = () => {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
};
const VALUES = {sort: ['title', 'artist', 'added', 'plays'], isReversed: [false, true], view: ['grid', 'list'], scope: ['all', 'own']};

export const views = {
  /** `{sort, isReversed, view, scope}` of a part. */
  of(part) {
    const kept = read()[part] ?? {};
    return Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, values.includes(kept[name]) ? kept[name] : values[0]]));
  },
  set(part, change) {
    const all = read();
    try { localStorage.setItem(KEY, JSON.stringify({...all, [part]: {...this.of(part), ...change}})); } catch { /* For this visit it is not kept, then. */ }
  },
};
