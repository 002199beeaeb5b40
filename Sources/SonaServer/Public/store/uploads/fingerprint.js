// By what a file is known again: its size, and a hash of its first and last bytes. No DOM.
//
// It only finds the upload that a file belongs to; it proves nothing, so that the hash need not withstand anybody. It works
// where the browser has no `crypto.subtle`, too.

/** Bytes at each end that are looked at. */
const ENDS = 64 << 10;

/** Two 32-bit hashes of bytes, as 16 hexadecimal digits: FNV-1a, and one of other constants. */
const hashOf = (bytes) => {
  let one = 0x811c9dc5, other = 0x9747b28c;
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ byte, 0x5bd1e995);
    other ^= other >>> 15;
  }
  return [one, other].map(hash => (hash >>> 0).toString(16).padStart(8, '0')).join('');
};

/** The fingerprint of a file. Throws what the browser throws if it cannot be read. */
export const fingerprint = async (file) => {
  const ends = [file.slice(0, ENDS), ...file.size > ENDS ? [file.slice(Math.max(ENDS, file.size - ENDS))] : []];
  const hashes = [];
  for (const end of ends) hashes.push(hashOf(new Uint8Array(await end.arrayBuffer())));
  return `${file.size}-${hashes.join('-')}`;
};
