// The requests of tus 1.0.0 that an upload of music needs: begin, ask, append, end. No DOM. Source: Protocol/spec/uploads.md.
//
// Written here rather than taken from tus-js-client 4 (about 45 kB; 15 kB gzipped): that has no checksums, keeps its own
// notes in localStorage, and knows neither tokens that are renewed nor the codes of our errors.
import {RequestError} from '../line.js';
import {session} from '../session.js';

const ALL = '/v1/uploads', VERSION = '1.0.0';
/** How long a request may stand still, ms: while bytes go up, and while the answer is awaited, in which tags are read. */
const STILL = 25_000, ANSWER = 120_000;

const lost = () => new RequestError({code: 'connection.lost', message: 'The connection was lost.'});

/** Base 64 of bytes, or of a text's UTF-8. */
const base64 = (bytes) => btoa(String.fromCharCode(...typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes));
const textOf = (encoded) => new TextDecoder().decode(Uint8Array.from(atob(encoded), letter => letter.charCodeAt(0)));

/** `Upload-Metadata`: keys, each with its value in base 64. */
const metadata = (pairs) => Object.entries(pairs).map(([key, value]) => `${key} ${base64(value)}`).join(',');
const pairsIn = (text) => Object.fromEntries((text ?? '').split(',').map(pair => pair.trim().split(' ')).filter(([key]) => key)
  .map(([key, value = '']) => {
    try { return [key, textOf(value)]; } catch { return [key, '']; }
  }));

/**
 * One request, by XMLHttpRequest: fetch says nothing of the bytes that are on their way. Throws a RequestError with `status`,
 * or the reason of `signal`.
 */
const once = (method, path, {token, headers, body, signal, progress}) => new Promise((resolve, reject) => {
  if (signal?.aborted) return reject(signal.reason);
  const request = new XMLHttpRequest();
  let timer;
  const wait = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(() => { request.abort(); settle(reject, lost()); }, ms);
  };
  const aborted = () => { request.abort(); settle(reject, signal.reason); };
  const settle = (how, value) => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
    how(value);
  };
  request.open(method, path);
  request.setRequestHeader('Tus-Resumable', VERSION);
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({loaded}) => { wait(STILL); progress?.(loaded); };
  request.upload.onload = () => wait(ANSWER);
  request.onerror = () => settle(reject, lost());
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) return settle(resolve, request);
    let error;
    try { ({error} = JSON.parse(request.responseText)); } catch { /* Answers to HEAD, and those of proxies, have none. */ }
    return settle(reject, Object.assign(new RequestError(error ?? {code: `status.${request.status}`}), {status: request.status}));
  };
  signal?.addEventListener('abort', aborted, {once: true});
  wait(STILL);
  request.send(body ?? null);
  return undefined;
});

/** A request with a token that is good. One that the server finds expired is renewed once. */
const ask = async (method, path, {headers = {}, ...rest} = {}) => {
  let token = null;
  for (let tries = 0; ; tries += 1) {
    const before = token;
    try {
      token = await session.freshToken();
    } catch {
      throw lost();
    }
    if (token === null) throw new RequestError({code: 'auth.required', message: 'Nobody is signed in.'});
    try {
      return await once(method, path, {token, headers, ...rest});
    } catch (error) {
      if (error.status !== 401 || tries > 0 || token === before) throw error;
    }
  }
};

const stateOf = (request) => ({offset: Number(request.getResponseHeader('Upload-Offset')), track: request.getResponseHeader('Sona-Track')});
const placeOf = id => `${ALL}/${encodeURIComponent(id)}`;

/** Begins an upload; returns its identifier. */
export const begin = async (length, pairs, signal) => {
  const answer = await ask('POST', ALL, {headers: {'Upload-Length': String(length), 'Upload-Metadata': metadata(pairs)}, signal});
  return (answer.getResponseHeader('Location') ?? '').split('/').at(-1);
};

/** How far an upload is: `{offset, length, track, pairs}`. */
export const stand = async (id, signal) => {
  const answer = await ask('HEAD', placeOf(id), {signal}).catch((error) => {
    // HEAD has no body to say why.
    if (error.status === 404) error.code = 'upload.not_found';
    if (error.status === 401) error.code = 'auth.required';
    throw error;
  });
  return {...stateOf(answer), length: Number(answer.getResponseHeader('Upload-Length')), pairs: pairsIn(answer.getResponseHeader('Upload-Metadata'))};
};

/**
 * Sends bytes that follow `offset`; returns `{offset, track}`, the track once all bytes are there.
 *
 * @param body A Blob or bytes. @param hash Their SHA-256 in base 64, or null. @param progress Told how many of them have left.
 */
export const append = async (id, offset, {body, hash, signal, progress}) => stateOf(await ask('PATCH', placeOf(id), {
  headers: {'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream', ...hash ? {'Upload-Checksum': `sha256 ${hash}`} : {}},
  body, signal, progress,
}));

/** Ends an upload. One that is gone already is as good. */
export const end = async (id) => {
  try {
    await ask('DELETE', placeOf(id));
  } catch (error) {
    if (error.code !== 'upload.not_found') throw error;
  }
};
