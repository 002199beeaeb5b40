// Asking again and again while somebody looks: for what the server sends no events about.

/**
 * Runs `work` now, and again after the milliseconds that it answers. A page in the background asks nothing, and asks at
 * once when it is seen again. `again()` does not wait; `end()` is for when the page is left.
 */
export const polling = (work) => {
  let timer = null, turn = 0, isEnded = false;
  const again = async () => {
    clearTimeout(timer);
    if (isEnded || document.hidden) return;
    const mine = ++turn;
    const pause = await work();
    if (mine === turn && !isEnded) timer = setTimeout(again, pause);
  };
  const seen = () => { if (!document.hidden) again(); };
  document.addEventListener('visibilitychange', seen);
  again();
  return {
    again,
    end: () => {
      isEnded = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    },
  };
};
