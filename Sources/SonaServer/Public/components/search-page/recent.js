// What was searched for, on this device. No DOM.
const KEY = 'sona.searches', MAX = 8;

const read = () => {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MAX) : [];
  } catch { return []; }
};
const write = (texts) => {
  try { localStorage.setItem(KEY, JSON.stringify(texts)); } catch { /* It is not kept, then. */ }
};

export const recent = {
  get all() { return read(); },
  /** Puts a text first. One that it begins with was a step to it. */
  add(text) { write([text, ...read().filter((one) => !text.toLowerCase().startsWith(one.toLowerCase()))].slice(0, MAX)); },
  remove(text) { write(read().filter((one) => one !== text)); },
  clear() { write([]); },
  put(texts) { write(texts.slice(0, MAX)); },
};
