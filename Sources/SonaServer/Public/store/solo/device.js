// What this page calls itself among the devices of its account. No DOM.

const KEY = 'sona.device';
const BROWSERS = [[/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\//, 'Firefox'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']];
const SYSTEMS = [[/Android/, 'Android'], [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Windows/, 'Windows'], [/Mac OS X/, 'Mac'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux']];

const first = (table, text) => table.find(([pattern]) => pattern.test(text))?.[1];

/** A name for people, of proper names only, so that it is the same in every language. */
export const nameOf = (agent) => [first(BROWSERS, agent), first(SYSTEMS, agent)].filter(Boolean).join(' · ') || 'Sona';

/** Whether a device of this name is held in a hand. */
export const isHandheld = (name) => /Android|iPhone|iPad/.test(name);

let own = null;

/** `{id, name}`. Each tab is a device: two tabs must not sound at once. A tab that is loaded anew is the same one. */
export const ownDevice = () => {
  if (own) return own;
  let id = null;
  try { id = sessionStorage.getItem(KEY); } catch { /* None is kept. */ }
  id ??= Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join('');
  try { sessionStorage.setItem(KEY, id); } catch { /* None is kept. */ }
  own = {id, name: nameOf(navigator.userAgent)};
  return own;
};
