// Requests that only read are asked again when the server is busy: it says for how long. No DOM.
import {session} from './session.js';

/** So often at most; the longest wait, ms. */
const TRIES = 4, WAIT = 3000;
const LATER = new Set(['server.busy', 'request.rate_limited']);

const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, {once: true});
});

/** As `session.request`. */
export const askPatiently = async (type, data = {}, {signal} = {}) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await session.request(type, data, {signal});
    } catch (error) {
      if (!LATER.has(error.code) || tries === TRIES) throw error;
      await pause(Math.min(WAIT, error.retryAfter ?? 500 * tries), signal);
    }
  }
};
