// Lengths of time as clocks show them.

const two = (number) => String(number).padStart(2, '0');

/** `m:ss`, or `h:mm:ss` from an hour on, of milliseconds. */
export const clockTime = (milliseconds) => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 3600 ? `${Math.floor(seconds / 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};
