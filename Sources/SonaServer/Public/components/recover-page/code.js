const taken = new Map();

/**
 * The code after the `#` of the address, which browsers do not send to servers. Reading it removes it from the history.
 * Later calls return the same code, for example for the same page in another language.
 */
export const takeCode = () => {
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(history.state, '', location.pathname);
    taken.set(location.pathname, code);
  }
  return taken.get(location.pathname) ?? '';
};
