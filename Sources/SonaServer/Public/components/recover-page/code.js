const taken = new Map();

/**
 * The code behind the `#` of the address, which browsers send to nobody; taken out of the history with it. Asked again,
 * for the same page in another language or for somebody else, the same.
 */
export const takeCode = () => {
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(history.state, '', location.pathname);
    taken.set(location.pathname, code);
  }
  return taken.get(location.pathname) ?? '';
};
